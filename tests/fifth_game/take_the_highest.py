"""Take the highest: a complete game in one file.

Rules. The cards are 1 to 60. Two to six players get five cards each. In a turn everybody plays a
card; the highest card takes all cards of the turn, one minus point each. After five turns the deal
is over. The match ends after as many deals as were agreed; the fewest points win.

How it works. A deal is a `Table`. Cards are shown in any order and without owners, as at the table;
when all are there, `_follows` gives the turn to the highest card. Only then somebody has to be asked:
whose card was it? The answer names the owner, and the turn is taken.
"""

from collections.abc import Mapping
from typing import Annotated, Any, Final

from msgspec import Meta

from companion.core import ruling
from companion.core.ask import Ask, AskKind, Wait, read_card, read_player
from companion.core.board import Audit, Board, PlacedCard
from companion.core.cards import Card, Seat, who
from companion.core.codec import Record, json_schema
from companion.core.game import Changes, Dealing, Game, Handlers
from companion.core.options import Choice, Question, read_agreed
from companion.core.ruling import Allowed, Because, EndDeal, Rule, not_offered, not_playing, require, rules_in
from companion.core.score_sheet import MAX_DEALS, EndRule
from companion.text.sentence import NOTHING, count, say
from companion.values import Value, replace, with_item

# ------------------------------------------------------------------------------------------------ the box

TITLE: Final = "TAKE THE HIGHEST"
SEATS: Final = range(2, 7)
CODE: Final = "TH"
BGG_ID: Final = 0
STARTER: Final = NOTHING
HIGHEST: Final = 60
TURNS: Final = 5
DECK: Final = tuple(map(str, range(1, HIGHEST + 1)))


def worth(card: str) -> int:
    """Every card is one minus point."""
    return 1


# ---------------------------------------------------------------------------------------------- the rules

TURN: Final = Rule("TH-1", "Take the highest, rule 1", "ONE CARD EACH", "In a turn everybody plays one card.")
TAKES: Final = Rule(
    "TH-2", "Take the highest, rule 2", "HIGHEST TAKES ALL", "The highest card takes the turn."
)
CARDS: Final = Rule("TH-3", "Take the highest, box", "EACH CARD ONCE", "Each card from 1 to 60 exists once.")
PLAYERS: Final = Rule("TH-4", "Take the highest, box", "2 TO 6 PLAYERS", "Two to six can play.")
EARLY: Final = Rule("TH-5", "house rule", "DEAL ENDED EARLY", "The players may agree to end a deal early.")
RULES: Final = rules_in(globals())

# ----------------------------------------------------------------------------------- commands and events


class Play(Record, tag="play"):
    """A card is played; nobody has to say by whom."""

    card: Card
    seat: Seat | None = None


class Claim(Record, tag="claim"):
    """A player says: the highest card was mine."""

    seat: Seat


class CardShown(Record, tag="card_shown"):
    """A card of the turn was shown."""

    card: Card
    seat: Seat | None


class TurnTaken(Record, tag="turn_taken"):
    """The owner of the highest card took the cards of the turn."""

    card: Card
    seat: Seat
    cards: tuple[Card, ...]


class DealEnded(Record, tag="deal_ended"):
    """The players ended the deal."""


# ---------------------------------------------------------------------------------------------- the table


class Table(Value):
    """A deal. `shown` are the cards of this turn with their owners, `taken` the cards by seat."""

    players: tuple[Seat, ...]
    taken: tuple[tuple[Card, ...], ...]
    turn: int = 0
    shown: tuple[CardShown, ...] = ()
    newest: tuple[PlacedCard, ...] = ()
    ended: bool = False

    @property
    def over(self) -> bool:
        """Whether the deal is finished."""
        return self.ended or self.turn == TURNS

    @property
    def points(self) -> tuple[int, ...]:
        """One for each card taken, by seat."""
        return tuple(map(len, self.taken))

    @property
    def complete(self) -> bool:
        """Whether everybody has shown a card."""
        return len(self.shown) == len(self.players)

    @property
    def highest(self) -> CardShown:
        """The highest card of this turn; only while there is one."""
        return max(self.shown, key=lambda shown: shown.card)


def _card_shown(table: Table, event: CardShown) -> Table:
    return replace(table, shown=(*table.shown, event))


def _turn_taken(table: Table, event: TurnTaken) -> Table:
    taken = with_item(table.taken, event.seat, (*table.taken[event.seat], *event.cards))
    lines = tuple(_line(shown.card, event) for shown in table.shown)
    return replace(table, taken=taken, turn=table.turn + 1, shown=(), newest=lines)


def _deal_ended(table: Table, _event: DealEnded) -> Table:
    return replace(table, ended=True, shown=())


def _line(card: Card, event: TurnTaken) -> PlacedCard:
    """A card of the finished turn, as the display lists it."""
    if card != event.card:
        return PlacedCard(str(card), say("IS TAKEN"), TAKES.because("{card} is not the highest", card=card))
    taken = tuple(map(str, event.cards))
    return PlacedCard(str(card), say("TAKES ALL"), _why_taken(event), event.seat, taken, len(taken))


CHANGES: Final[Changes] = {CardShown: _card_shown, TurnTaken: _turn_taken, DealEnded: _deal_ended}

# ----------------------------------------------------------------------------------------------- deciding


def _play(table: Table, command: Play) -> Allowed[Record]:
    card, seat = command.card, command.seat
    CARDS.demands(
        1 <= card <= HIGHEST,
        "there is no card {card}",
        "the cards are 1 to {highest}",
        card=card,
        highest=HIGHEST,
    )
    if card in {shown.card for shown in table.shown} or any(card in cards for cards in table.taken):
        fix = say("scan the card again, or undo the wrong one")
        raise CARDS.forbids("card {card} has already been played", fix, card=card)
    if table.complete:
        fix = say("say first who played {card}", card=table.highest.card)
        raise TURN.forbids("everybody has already played a card", fix)
    if seat is not None:
        _check_can_play(table, seat)
    return _settle(table, CardShown(card, seat))


def _claim(table: Table, command: Claim) -> Allowed[Record]:
    asked = table.complete and table.highest.seat is None
    TAKES.demands(asked, "nobody has to own a card now", "play a card")
    _check_can_play(table, command.seat)
    return _settle(table, _taken_by(table, command.seat))


def _end_deal(_table: Table, _command: EndDeal) -> Allowed[Record]:
    return Allowed((DealEnded(),), (EARLY.because("the players end the deal"),))


def _check_can_play(table: Table, seat: Seat) -> None:
    """A seat is in the game, and is not known to have played in this turn."""
    require(not_playing(table.players, seat, PLAYERS))
    for shown in table.shown:
        if shown.seat == seat:
            fault = say("{player} has already played {card}", player=who(seat), card=shown.card)
            raise TURN.forbids(fault, "name a player who has not played")


def _settle(table: Table, event: Record) -> Allowed[Record]:
    return ruling.settle(table, (event,), apply=_apply, follows=_follows, why=_why)


def _apply(table: Table, event: Any) -> Table:
    after: Table = CHANGES[type(event)](table, event)
    return after


def _follows(table: Table) -> TurnTaken | None:
    """The turn is taken as soon as everybody has played and the owner of the highest card is known."""
    owner = table.highest.seat if table.complete else None
    return None if owner is None else _taken_by(table, owner)


def _taken_by(table: Table, seat: Seat) -> TurnTaken:
    return TurnTaken(table.highest.card, seat, tuple(shown.card for shown in table.shown))


def _why(_table: Table, event: Record) -> tuple[Because, ...]:
    return (_why_taken(event),) if isinstance(event, TurnTaken) else ()


def _why_taken(event: TurnTaken) -> Because:
    says = count(
        "{card} is the highest: {player} takes {count} card",
        "{card} is the highest: {player} takes {count} cards",
        len(event.cards),
        card=event.card,
        player=who(event.seat),
    )
    return TAKES.because(says)


HANDLERS: Final[Handlers] = {Play: _play, Claim: _claim, EndDeal: _end_deal}

# ------------------------------------------------------------------------------------------------ the game


class Options(Value, forbid_unknown_fields=True):
    """What people agree on before a match."""

    deals: Annotated[int, Meta(ge=1, le=MAX_DEALS)] = 3

    @property
    def end(self) -> EndRule:
        """When a match ends."""
        return EndRule(deals=self.deals)


class TakeTheHighest(Game):
    """The game; what its members are for is said in `Game`."""

    agreed: Options

    key, title = "highest", TITLE
    rules = RULES
    handlers = HANDLERS
    changes = CHANGES
    deal_over = TURN
    always_written = ("deals",)

    swap = not_offered("only the highest card has an owner here", "undo the wrong claim")
    correct = not_offered("a turn cannot be changed here", "undo it and scan it again")
    adopt = not_offered("no cards stay on the table in this game", "end the deal")
    leave = not_offered("nobody can leave during a match", "end the match")
    join = not_offered("nobody can join during a match", "end the match and start a new one")

    def start(self, seats: int, players: tuple[Seat, ...], first: Seat) -> Table:
        """A new deal."""
        return Table(players, ((),) * seats)

    def asks(self, state: Table) -> tuple[Ask, ...]:
        """Cards, until everybody has shown one; then the owner of the highest."""
        if state.over:
            return ()
        have = tuple(str(shown.card) for shown in state.shown)
        played = {shown.seat for shown in state.shown}
        waiting = tuple(seat for seat in state.players if seat not in played)
        if not state.complete:
            says = say("EVERYBODY: ONE CARD")
            return (Ask(AskKind.PLAY, waiting, Wait.ALL, says, have=have, need=len(state.players)),)
        card = str(state.highest.card)
        says = say("WHO PLAYED {card}?", card=card)
        return (Ask(AskKind.CLAIM, waiting, Wait.ONE, says, choices=tuple(map(str, waiting)), card=card),)

    def read(self, ask: Ask, seat: Seat | None, text: str) -> Record:
        """An answer as a command. Raises `UnknownCard`."""
        if ask.kind is AskKind.CLAIM:
            return Claim(read_player(ask, seat, text, say("name the player who played the card")))
        return Play(_card(text), seat)

    def cards(self, state: Table) -> tuple[str, ...]:
        """1 to 60."""
        return DECK

    def card(self, state: Table, text: str) -> str:
        """A number from 1 to 60."""
        return str(_card(text))

    def view(self, state: Table) -> dict[str, Any]:
        """The table for other programs."""
        shown = [{"card": shown.card, "seat": shown.seat} for shown in state.shown]
        return {"turn": state.turn, "shown": shown, "taken": [list(cards) for cards in state.taken]}

    def board(self, state: Table) -> Board:
        """The table for the display: no rows, only the newest turn."""
        turn = min(TURNS, state.turn + 1)
        return Board((), turn, TURNS, say("THE HIGHEST TAKES ALL"), state.newest, revealed=True)

    def audit(self, state: Table) -> Audit:
        """Every card that was played is in somebody's pile or in this turn."""
        cards = sum(map(len, state.taken)) + len(state.shown)
        due = state.turn * len(state.players) + len(state.shown)
        return Audit(cards, due, say("{cards} CARDS PLAYED", cards=cards))

    def dealing(self, state: Table) -> Dealing:
        """What a dealer needs: the deck, what was played, and how many cards each hand has."""
        played = (*(shown.card for shown in state.shown), *(card for cards in state.taken for card in cards))
        owners = [shown.seat for shown in state.shown]
        sizes = tuple(TURNS - state.turn - (seat in owners) for seat in state.players)
        return Dealing(DECK, tuple(map(str, played)), sizes, ((),) * len(sizes), owners.count(None))


def _card(text: str) -> Card:
    return read_card(text, HIGHEST, "Take the highest")


def make(seats: int, options: Mapping[str, Any]) -> TakeTheHighest:
    """The game for so many seats. Raises `InvalidRecord`."""
    return TakeTheHighest(read_agreed(Options, options, TITLE, seats, SEATS))


def questions(seats: int) -> tuple[Question, ...]:
    """What to settle before a match: more choices than fit on one screen."""
    numbers = (3, 1, 2, 4, 5, 6)
    choices = tuple(
        Choice(count("{count} DEAL", "{count} DEALS", deals), {"deals": deals}) for deals in numbers
    )
    return (Question(say("HOW MANY DEALS?"), choices, NOTHING),)


def options_schema() -> dict[str, Any]:
    """The JSON Schema of the options."""
    return json_schema(Options)
