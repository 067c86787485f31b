"""Score-keeping as a `Game`: how answers are read, and how the count looks to screens and machines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from companion import games
from companion.ask import DIALLED, TYPED, Ask, AskKind, Wait
from companion.board import Audit, Board, Line
from companion.cards import Seat, seat_number
from companion.errors import NotInThisGame, UnknownCard, quoted
from companion.games.scorekeeping import rules
from companion.games.scorekeeping.asking import asks
from companion.games.scorekeeping.box import SEATS, TITLE
from companion.games.scorekeeping.checks import faults
from companion.games.scorekeeping.commands import (
    COMMANDS,
    Close,
    Command,
    Correct,
    EndPile,
    Meant,
    PutCard,
    Swap,
    TypeSum,
)
from companion.games.scorekeeping.events import EVENTS, Event
from companion.games.scorekeeping.judge import judge
from companion.games.scorekeeping.options import Box, Left, as_played, box_of
from companion.games.scorekeeping.table import NOTHING_YET, Entry, Table, apply
from companion.lifecycle import Join, Leave
from companion.ruling import Because
from companion.text import BULL, NOTHING, Text, count, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.ruling import Allowed, Refused, Rule
    from companion.score_sheet import EndRule, Scoring

_DIGITS = 4


@dataclass(frozen=True, slots=True)
class Score:
    """The score of a game that is played without the referee, with its agreements.

    `of` is the game whose points are counted, `known` that only its known deck is used.
    """

    end: EndRule
    scoring: Scoring
    of: str
    entry: Entry
    known: bool = False

    @property
    def key(self) -> str:
        """The name in logs and the protocol."""
        return "score"

    @property
    def title(self) -> str:
        """The name in the list of games."""
        return TITLE

    @property
    def box(self) -> str:
        """The game whose cards are scanned."""
        return self._box.game

    @property
    def _box(self) -> Box:
        return box_of(self.of, known=self.known)

    @property
    def commands(self) -> tuple[type[Command], ...]:
        """The orders it takes."""
        return COMMANDS

    @property
    def events(self) -> tuple[type[Event], ...]:
        """The facts it makes."""
        return EVENTS

    @property
    def rules(self) -> Mapping[str, Rule]:
        """Its rules by key."""
        return rules.RULES

    def options(self) -> Mapping[str, Any]:
        """The options that make this game again."""
        options: dict[str, Any] = {"of": self.of, "entry": self.entry.value, "end": self.end.options()}
        if self.known:
            options["deck"] = "known"
        if self.scoring.high_wins:
            options["high_wins"] = True
        if self.scoring.teams:
            options["teams"] = [list(team) for team in self.scoring.teams]
        if self.scoring.start:
            options["start"] = list(self.scoring.start)
        return options

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> Table:
        """A new deal, of which nothing is counted."""
        return Table(players, self._box, self.entry, (NOTHING_YET,) * seats)

    def starter(self, deal: int, first: Seat, finished: Table) -> Seat:
        """Nobody has to be named for counting; who was named stays so."""
        return first

    def players(self, state: Table) -> tuple[Seat, ...]:
        """The seats that play."""
        return state.players

    def asks(self, state: Table) -> tuple[Ask, ...]:
        """Whose values are open, and what else can be given; none when the deal is closed."""
        return asks(state)

    def read(self, ask: Ask, seat: Seat | None, text: str) -> Command:
        """An answer as a command: a card, points behind `TYPED`, a card that was typed behind `DIALLED`.

        Points are those of `seat`, or of the first whose score is open. A card that is given while
        scores are open waits for its owner; later it is that of `seat`, if somebody said whose.
        """
        match ask.kind:
            case AskKind.CLAIM:
                if text in ask.choices:
                    seat = Seat(int(text))
                if seat is None:
                    raise UnknownCard(f"{quoted(text)} is no player", "name the player whose cards these are")
                return EndPile(seat)
            case AskKind.DECIDE:
                return Meant(text)
            case AskKind.DONE:
                return _done(ask, text)
            case _:
                pass
        if text.startswith(TYPED):
            return TypeSum(_number(text.removeprefix(TYPED)), _owner(ask, seat))
        card = self._card(text.removeprefix(DIALLED))
        owner = seat if self.entry is Entry.TYPED or ask.wait is Wait.ONE else None
        return PutCard(card, owner if ask.kind is AskKind.HAND else None, text.startswith(DIALLED))

    def _card(self, text: str) -> str:
        worth = self._box.worth
        plain = text.strip()
        if plain in worth:
            return plain
        if plain.isascii() and plain.isdigit() and len(plain) <= _DIGITS and 1 <= int(plain) <= len(worth):
            return tuple(worth)[int(plain) - 1]
        names = {name.upper(): name for name in worth}
        if plain.upper() in names:
            return names[plain.upper()]
        raise UnknownCard(
            f"{text[:20]!r} is no card here",
            f"the cards are {next(iter(worth))} to {list(worth)[-1]}" if worth else "type the points",
        )

    def cards(self, state: Table) -> tuple[str, ...]:
        """The deck in use."""
        return state.deck

    def card(self, state: Table, text: str) -> str:
        """A card of the deck in use."""
        card = self._card(text)
        if card not in state.deck:
            raise UnknownCard(
                f"{card} is not in the deck", f"the cards are {state.deck[0]} to {state.deck[-1]}"
            )
        return card

    def label(self, card: str) -> Text:
        """As the game writes its cards."""
        return as_played(self.box).label(card) if self.box else say("{card}", card=card[:4])

    def named(self, card: str) -> Text:
        """In the words of the game."""
        return self._box.named(card)

    def judge(self, state: Table, command: Command) -> Allowed[Event] | Refused:
        """Decide."""
        most = games.module(self.box).SEATS[-1] if self.box else SEATS[-1]
        return judge(state, command, most=most, negative=self.scoring.negative)

    def apply(self, state: Table, event: Event) -> Table:
        """Make a fact true."""
        return apply(state, event)

    def points(self, state: Table) -> tuple[int, ...]:
        """What is counted so far."""
        return tuple(state.points(Seat(seat)) for seat in range(len(state.counts)))

    def over(self, state: Table) -> bool:
        """Whether the deal is closed."""
        return state.closed

    def view(self, state: Table) -> dict[str, Any]:
        """Everything that is counted."""
        doubt = state.doubt
        return {
            "of": self.of,
            "open": list(state.seats_open),
            "sums": [count.points for count in state.counts],
            "piles": [list(count.pile) for count in state.counts],
            "rows": list(state.rows),
            "rows_sum": state.rows_sum,
            "loose": list(state.loose),
            "doubt": None if doubt is None else [doubt.card, doubt.other],
            "faults": list(state.faults),
            "missing": list(state.missing),
        }

    def board(self, state: Table) -> Board:
        """What was counted last, and what the sums make so far."""
        loose = state.loose
        hint = NOTHING
        facts = [self._sums(state)]
        if loose:
            hint = count(
                "{count} CARD {points}", "{count} CARDS {points}", len(loose), points=state.box.points(loose)
            )
            last = say("LAST {card} +{points}", card=self.label(loose[-1]), points=state.box.worth[loose[-1]])
            facts.insert(0, last)
        return Board((), 1, 0, hint, self._newest(state), tuple(facts))

    def _newest(self, state: Table) -> tuple[Line, ...]:
        if state.newest is None:
            return ()
        seat, cards = state.newest
        points = state.box.points(cards)
        outcome = count("{count} CARD", "{count} CARDS", len(cards))
        says = count(
            "player {player} has this card: {points}",
            "player {player} has these {count} cards: {points}",
            len(cards),
            player=seat_number(seat),
            points=count("{count} point", "{count} points", points),
        )
        return (Line(cards[-1], outcome, Because(rules.ENTRY, says), seat, cards, points),)

    def _sums(self, state: Table) -> Text:
        points = sum(state.points(seat) for seat in state.players)
        if state.box.left is not Left.PILES:
            return say("SUM {sum}", sum=points)
        rows = state.box.points(state.rows) if state.rows_sum is None else state.rows_sum
        return say("{taken}{bull} TAKEN+{table}{bull} LEFT", taken=points, table=rows, bull=BULL)

    def audit(self, state: Table) -> Audit:
        """The checks, once everybody has a score and something is known of the rows."""
        seen = len(state.seen)
        ready = not state.seats_open and not state.loose and state.doubt is None
        if state.entry is Entry.TAKES and not state.rows_counted and not state.closed:
            ready = False
        found = faults(state) if ready else ()
        all_scanned = state.rows and all(one.points is None for one in state.counts)
        counts_cards = ready and all_scanned and state.box.left is Left.PILES
        due = state.box.due(len(state.players)) if counts_cards else seen
        return Audit(seen, due, self._sums(state), tuple(fault.says for fault in found))

    def swap(self, seats: tuple[Seat, Seat]) -> Command:
        """Exchange the scores of two seats in this deal."""
        return Swap(seats)

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> Command:
        """Replace cards that were counted."""
        return Correct(tuple(map(self._card, remove)), tuple(map(self._card, add)))

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int) -> Command:
        """There is no table to take over: only what is counted is known."""
        raise NotInThisGame(
            "only the score is kept, the table is not known", "scan the piles, or type the sums"
        )

    def leave(self, seat: Seat) -> Command:
        """A player goes."""
        return Leave(seat)

    def join(self, seat: Seat) -> Command:
        """A player comes."""
        return Join(seat)

    def end_deal(self) -> Command:
        """Close the deal as it is counted."""
        return Close(anyway=True)


def _owner(ask: Ask, seat: Seat | None) -> Seat | None:
    """Whose points were typed; None for the rows."""
    if ask.kind is AskKind.LAY:
        return None
    if seat is None and ask.wait is not Wait.ALL:
        raise UnknownCard("nobody said whose points these are", "name the player")
    return ask.seats[0] if seat is None else seat


def _done(ask: Ask, text: str) -> Command:
    match text:
        case "close" | "anyway":
            return Close(anyway=text == "anyway")
        case "rows":
            return EndPile(None)
        case "pile":
            return EndPile(ask.seats[0])
        case _:
            raise UnknownCard(f"{quoted(text)} is no answer here", "use one of: " + ", ".join(ask.choices))


def _number(text: str) -> int:
    plain = text.strip()
    digits = plain.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS):
        raise UnknownCard(
            f"{text[:20]!r} is no number of points", f"type it behind {TYPED!r}, as in {TYPED}13"
        )
    return int(plain)
