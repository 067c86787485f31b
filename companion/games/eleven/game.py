"""11 nimmt! as a `Game`: who is asked what, and how its state looks on screens and in the protocol."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from companion.ask import TYPED, Ask, AskKind, Wait
from companion.board import Audit, Board, Stack, Tally
from companion.cards import Card, Seat
from companion.errors import NotInThisGame, UnknownCard, quoted
from companion.games.eleven import rules
from companion.games.eleven.box import DECK, TITLE
from companion.games.eleven.commands import (
    COMMANDS,
    Adopt,
    BullFrom,
    Choose,
    Command,
    Correct,
    Done,
    Hand,
    HandCard,
    PlayCard,
    Take,
    TurnUp,
)
from companion.games.eleven.counting import rest_is_known
from companion.games.eleven.events import EVENTS, Event
from companion.games.eleven.explain import line
from companion.games.eleven.judge import judge
from companion.games.eleven.laying import can_lay, open_range, open_to, opens_pile, with_one_more
from companion.games.eleven.table import BULLS, CARDS, Laid, Table, TurnedUp, apply, begun, pile_name
from companion.games.eleven.taking import givers
from companion.lifecycle import EndDeal, Join, Leave
from companion.text import NOTHING, Text, count, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.eleven.agreed import Agreed
    from companion.ruling import Allowed, Refused, Rule
    from companion.score_sheet import EndRule

DONE: Final = "done"


@dataclass(frozen=True, slots=True)
class Eleven:
    """11 nimmt! with its agreements: the number of deals, and the rulings where the booklet is silent."""

    end: EndRule
    agreed: Agreed

    @property
    def key(self) -> str:
        """The name in logs and the protocol."""
        return "eleven"

    @property
    def title(self) -> str:
        """The name on the box."""
        return TITLE

    @property
    def commands(self) -> tuple[type[Command], ...]:
        """The commands it accepts."""
        return COMMANDS

    @property
    def events(self) -> tuple[type[Event], ...]:
        """The events it makes."""
        return EVENTS

    @property
    def rules(self) -> Mapping[str, Rule]:
        """Its rules by key."""
        return rules.RULES

    def options(self) -> Mapping[str, Any]:
        """The options that make this game again."""
        return {"deals": self.end.number, **self.agreed.options()}

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> Table:
        """A new deal, before the first card is turned up; if the starter has left, the next seat starts."""
        starter = next((seat for seat in (*players, *players) if seat >= first), players[0])
        return begun(seats, players, starter)

    def starter(self, deal: int, first: Seat, finished: Table) -> Seat:
        """Who had most minus points (booklet 001:189); of several the one that was agreed (H11-7)."""
        points = finished.points()
        most = max(points[seat] for seat in finished.players)
        worst = [seat for seat in finished.players if points[seat] == most]
        if self.agreed.starter_tie == "seat":
            return worst[0]
        seat = finished.turn if finished.out is None else finished.after(finished.out)
        while seat not in worst:
            seat = finished.after(seat)
        return seat

    def players(self, state: Table) -> tuple[Seat, ...]:
        """The seats that play."""
        return state.players

    def asks(self, state: Table) -> tuple[Ask, ...]:
        """The open questions; none when the deal is over."""
        if state.counting:
            return self._ask_hand(state)
        if state.due:
            return (_ask_new_piles(state),)
        seats = (state.turn,)
        if state.taking is not None:
            choices = tuple(map(str, givers(state, self.agreed)))
            return (Ask(AskKind.WHOM, seats, Wait.ONE, say("BULL CARD FROM WHOM?"), choices=choices),)
        if state.waiting is not None:
            piles = tuple(str(pile.number) for pile in open_to(state, state.waiting, self.agreed))
            says = say("{card}: WHICH PILE?", card=state.waiting)
            return (Ask(AskKind.CHOOSE, seats, Wait.ONE, says, choices=piles, card=str(state.waiting)),)
        asks: list[Ask] = []
        if can_lay(state, self.agreed):
            have = tuple(str(one.card) for one in state.laid)
            asks.append(Ask(AskKind.PLAY, seats, Wait.ONE, _says(state), have=have))
        if state.moving:
            asks.append(_ask_done(state.turn, say("MOVE IS DONE")))
        elif state.piles:
            piles = tuple(str(pile.number) for pile in state.piles)
            says = say("TAKE WHICH PILE?") if asks else say("NO CARD FITS: TAKE")
            asks.append(Ask(AskKind.TAKE, seats, Wait.ONE, says, choices=piles))
        return tuple(asks)

    def _ask_hand(self, state: Table) -> tuple[Ask, ...]:
        seat = state.next_hand
        if seat is None:
            return ()
        have = tuple(map(str, state.seen))
        need = state.sizes[seat]
        says = count("SCAN THE LAST CARD", "SCAN THE {count} CARDS", need)
        hand = Ask(AskKind.HAND, (seat,), Wait.ONE, says, have=have, need=need)
        if not rest_is_known(state, seat):
            return (hand,)
        return (hand, _ask_done(seat, say("THE REST IS KNOWN")))

    def read(self, ask: Ask, seat: Seat | None, text: str) -> Command:
        """An answer as a command: a card, a pile, a seat, a word; `=13` for the heads of a hand."""
        match ask.kind:
            case AskKind.TURN_UP:
                return TurnUp((read_card(text),))
            case AskKind.CHOOSE:
                return Choose(_choice(ask, text, "pile"), seat)
            case AskKind.TAKE:
                return Take(_choice(ask, text, "pile"), seat=seat)
            case AskKind.WHOM:
                return BullFrom(Seat(_choice(ask, text, "player")), seat)
            case AskKind.DONE:
                if text not in ask.choices:
                    raise UnknownCard(f"{quoted(text)} is not a valid answer", f"answer {DONE!r}")
                return Done(seat)
            case AskKind.HAND:
                if text.startswith(TYPED):
                    owner = ask.seats[0] if seat is None else seat
                    return Hand(owner, heads=_read_heads(text.removeprefix(TYPED)))
                return HandCard(read_card(text), seat)
            case _:
                return PlayCard(read_card(text), seat=seat)

    def cards(self, state: Table) -> tuple[str, ...]:
        """1 to 100."""
        return DECK

    def card(self, state: Table, text: str) -> str:
        """A number from 1 to 100."""
        return str(read_card(text))

    def label(self, card: str) -> Text:
        """The number itself."""
        return say("{card}", card=card[:4])

    def named(self, card: str) -> Text:
        """The number itself."""
        return self.label(card)

    def judge(self, state: Table, command: Command) -> Allowed[Event] | Refused:
        """Decide."""
        return judge(state, command, self.agreed)

    def apply(self, state: Table, event: Event) -> Table:
        """Apply an event."""
        return apply(state, event)

    def points(self, state: Table) -> tuple[int, ...]:
        """Heads left in the hands, as far as they are counted."""
        return state.points()

    def over(self, state: Table) -> bool:
        """Whether somebody went out, or the deal was ended, and all hands are counted."""
        return state.over

    def view(self, state: Table) -> dict[str, Any]:
        """Piles, hands as far as they are known, bull cards and the move, as the protocol documents them."""
        return {
            "piles": {str(pile.number): list(pile.cards) for pile in state.piles},
            "hands": [sorted(hand) for hand in state.known],
            "hand_sizes": list(state.sizes),
            "bulls": list(state.bulls),
            "supply": state.supply,
            "deck": state.deck,
            "due": state.due,
            "turn": state.turn,
            "moves": state.moves,
            "next_pile": state.next_pile,
            "laid": [one.card for one in state.laid],
            "waiting": state.waiting,
            "taking": state.taking,
            "out": state.out,
            "counted": list(state.counted),
            "seen": list(state.seen),
        }

    def board(self, state: Table) -> Board:
        """The piles with what fits them, the numbers of cards and bull cards, and the latest move."""
        stacks = tuple(
            Stack(
                tuple(map(str, pile.cards)),
                0,
                self.agreed.heads_on(pile.cards),
                pile_name(pile.number),
                str(pile.number),
                open_range(state, pile, self.agreed),
                covered=True,
            )
            for pile in state.piles
        )
        used: set[int] = set()
        newest = []
        for one in state.newest:
            newest.append(line(one, self.agreed, again=isinstance(one, Laid) and one.pile in used))
            used |= {one.pile} if isinstance(one, Laid) else set()
        facts = (
            *self._open_piles(state),
            say("DECK {cards}", cards=state.deck),
            say("BULLS LEFT {bulls}", bulls=state.supply),
        )
        tallies = (Tally(say("BULLS"), state.bulls),)
        hint = say("1 TO 10 HIGHER") if state.piles else NOTHING
        return Board(stacks, state.moves + 1, 0, hint, tuple(newest), facts, state.sizes, tallies)

    def _open_piles(self, state: Table) -> tuple[Text, ...]:
        """In a move that has begun, the piles that may get more cards, and which."""
        if not state.moving:
            return ()
        return tuple(
            say("ON {top}: {cards}", top=state.top_before(pile), cards=open_range(state, pile, self.agreed))
            for pile in state.piles
            if with_one_more(state, pile, self.agreed)
        )

    def audit(self, state: Table) -> Audit:
        """The hundred cards on piles, in hands and in the deck; the ten bull cards; no card twice."""
        lying = [card for pile in state.piles for card in pile.cards]
        held = [card for hand in state.known for card in hand]
        hands = sum(state.sizes)
        says = say(
            "{piles}+{hands}+{deck}={total} CARDS",
            piles=len(lying),
            hands=hands,
            deck=state.deck,
            total=state.total,
        )
        faults: list[Text] = []
        if len({*lying, *held}) != len(lying) + len(held):
            faults.append(say("a card is in two places"))
        if any(len(hand) > size for hand, size in zip(state.known, state.sizes, strict=True)):
            faults.append(say("a hand has fewer cards than are known to be in it"))
        if state.supply < 0 or min(state.bulls) < 0:
            faults.append(say("the number of bull cards is not {bulls}", bulls=BULLS))
        return Audit(len(lying) + hands + state.deck, state.total, says, tuple(faults))

    def swap(self, seats: tuple[Seat, Seat]) -> Command:
        """Owners cannot be mixed up: only the seat whose turn it is plays."""
        raise NotInThisGame("in 11 nimmt! there are no owners to swap", "undo the move that was wrong")

    def correct(self, remove: tuple[str, ...], add: tuple[str, ...]) -> Command:
        """Replace cards of the latest move."""
        return Correct(tuple(map(read_card, remove)), tuple(map(read_card, add)))

    def adopt(self, stacks: tuple[tuple[str, ...], ...], turn: int) -> Command:
        """Set up the piles as given, after so many moves; the hands and bull cards stay as they were."""
        piles = {str(number): tuple(map(read_card, stack)) for number, stack in enumerate(stacks)}
        return Adopt(piles, moves=turn)

    def leave(self, seat: Seat) -> Command:
        """A player leaves."""
        return Leave(seat)

    def join(self, seat: Seat) -> Command:
        """A player joins."""
        return Join(seat)

    def end_deal(self) -> Command:
        """End the deal now."""
        return EndDeal()


def read_card(text: str) -> Card:
    """The card that a text names. Raises `UnknownCard` for anything but 1 to 100."""
    number = _number(text)
    if number is None or not 1 <= number <= CARDS:
        raise UnknownCard(f"{text[:20]!r} is not an 11 nimmt! card", f"the cards are 1 to {CARDS}")
    return Card(number)


def _read_heads(text: str) -> int:
    number = _number(text)
    if number is None:
        raise UnknownCard(f"{text[:20]!r} is not a number of bullheads", "give a number such as =13")
    return number


def _number(text: str) -> int | None:
    plain = text.strip()
    return int(plain) if plain.isascii() and plain.isdigit() and len(plain) <= len(str(CARDS)) else None


def _choice(ask: Ask, text: str, what: str) -> int:
    if text not in ask.choices:
        raise UnknownCard(
            f"{quoted(text)} is not a {what} you can choose", "use one of " + ", ".join(ask.choices)
        )
    return int(text)


def _ask_new_piles(state: Table) -> Ask:
    if state.untouched:
        says = say("TURN UP ONE CARD")
    else:
        says = count("TURN UP {count} CARD", "TURN UP {count} CARDS", state.due)
    newest = [one for one in state.newest if isinstance(one, TurnedUp)]
    have = tuple(str(one.card) for one in newest)
    return Ask(AskKind.TURN_UP, state.players, Wait.ANY, says, have=have, need=len(have) + state.due)


def _ask_done(seat: Seat, label: Text) -> Ask:
    says = say("OK: {what}", what=label)
    return Ask(AskKind.DONE, (seat,), Wait.ONE, says, choices=(DONE,), labels=(label,))


def _says(state: Table) -> Text:
    if opens_pile(state):
        return say("OPEN A PILE")
    if state.moving:
        return say("MORE CARDS, OR OK")
    return say("SCAN CARD / TAKE PILE")
