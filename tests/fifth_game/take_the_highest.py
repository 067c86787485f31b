"""Take the highest: a complete game in one file.

Rules. The cards are 1 to 60. Two to six players get five cards each. In a turn everybody plays a
card; the highest card takes all cards of the turn, one minus point each. After five turns the deal
is over. The match ends after as many deals as were agreed; the fewest points win.

How it works. A deal is a `Table`. Cards are shown in any order and without owners, as at the table;
when all are there, `_follows` gives the turn to the highest card. Only then somebody has to be asked:
whose card was it? The answer names the owner, and the turn is taken.
"""

from collections.abc import Mapping
from operator import attrgetter
from typing import Annotated, Any, ClassVar, Final

from msgspec import Meta

from companion.core import ruling
from companion.core.ask import Ask, AskKind, Wait, read_card, read_player
from companion.core.board import Audit, Board, PlacedCard
from companion.core.cards import Card, Seat, number_label, who
from companion.core.codec import Record, json_schema
from companion.core.game import Dealing
from companion.core.options import Choice, Question, read_agreed
from companion.core.ruling import Allowed, Because, EndDeal, Refused, Rule, not_offered, not_playing, rules_in
from companion.core.score_sheet import MOST_DEALS, EndRule
from companion.text.sentence import NOTHING, count, say
from companion.values import Value, replace

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


Command = Play | Claim | EndDeal
Event = CardShown | TurnTaken | DealEnded

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
        """Whether all turns are played, or the deal was ended."""
        return self.ended or self.turn == TURNS

    @property
    def complete(self) -> bool:
        """Whether everybody has shown a card."""
        return len(self.shown) == len(self.players)


def start(seats: int, players: tuple[Seat, ...], _first: Seat) -> Table:
    """A new deal."""
    return Table(players, ((),) * seats)


def apply(table: Table, event: Event) -> Table:
    """The table after an event."""
    match event:
        case CardShown():
            return replace(table, shown=(*table.shown, event))
        case TurnTaken(card, seat, cards):
            taken = list(table.taken)
            taken[seat] = (*taken[seat], *cards)
            lines = tuple(_line(one.card, card, seat, cards) for one in table.shown)
            return replace(table, taken=tuple(taken), turn=table.turn + 1, shown=(), newest=lines)
        case DealEnded():
            return replace(table, ended=True, shown=())


def _line(card: Card, highest: Card, seat: Seat, cards: tuple[Card, ...]) -> PlacedCard:
    """A card of the finished turn, as the display lists it."""
    if card != highest:
        return PlacedCard(
            str(card), say("IS TAKEN"), Because(TAKES, say("{card} is not the highest", card=card))
        )
    taken = tuple(map(str, cards))
    return PlacedCard(str(card), say("TAKES ALL"), _why_taken(card, seat, cards), seat, taken, len(cards))


# ------------------------------------------------------------------------------------- asking and reading


def asks(table: Table) -> tuple[Ask, ...]:
    """Cards, until everybody has shown one; then the owner of the highest."""
    if table.over:
        return ()
    have = tuple(str(one.card) for one in table.shown)
    waiting = tuple(seat for seat in table.players if seat not in {one.seat for one in table.shown})
    if not table.complete:
        says = say("EVERYBODY: ONE CARD")
        return (Ask(AskKind.PLAY, waiting, Wait.ALL, says, have=have, need=len(table.players)),)
    card = str(_highest(table).card)
    says = say("WHO PLAYED {card}?", card=card)
    return (Ask(AskKind.CLAIM, waiting, Wait.ONE, says, choices=tuple(map(str, waiting)), card=card),)


def read(ask: Ask, seat: Seat | None, text: str) -> Command:
    """An answer as a command. Raises `UnknownCard`."""
    if ask.kind is AskKind.CLAIM:
        return Claim(read_player(ask, seat, text, say("name the player who played the card")))
    return Play(_card(text), seat)


def _card(text: str) -> Card:
    return read_card(text, HIGHEST, "Take the highest")


def _highest(table: Table) -> CardShown:
    return max(table.shown, key=lambda one: one.card)


# ----------------------------------------------------------------------------------------------- deciding


def judge(table: Table, command: Command) -> Allowed[Event] | Refused:
    """The ruling on a command."""
    if table.over:
        return Refused(TURN, say("the deal is over"), say("deal again, or undo"))
    match command:
        case Play(card, seat):
            return _play(table, card, seat)
        case Claim(seat):
            return _claim(table, seat)
        case EndDeal():
            because = Because(EARLY, say("the players end the deal"))
            return Allowed((DealEnded(),), (because,))


def _play(table: Table, card: Card, seat: Seat | None) -> Allowed[Event] | Refused:
    if not 1 <= card <= HIGHEST:
        fix = say("the cards are 1 to {highest}", highest=HIGHEST)
        return Refused(CARDS, say("there is no card {card}", card=card), fix)
    if card in {one.card for one in table.shown} or any(card in cards for cards in table.taken):
        fix = say("scan the card again, or undo the wrong one")
        return Refused(CARDS, say("card {card} has already been played", card=card), fix)
    if table.complete:
        fix = say("say first who played {card}", card=_highest(table).card)
        return Refused(TURN, say("everybody has already played a card"), fix)
    if seat is not None and (fault := not_playing(table.players, seat, PLAYERS) or _played(table, seat)):
        return fault
    return _settle(table, CardShown(card, seat))


def _claim(table: Table, seat: Seat) -> Allowed[Event] | Refused:
    if not table.complete or _highest(table).seat is not None:
        return Refused(TAKES, say("nobody has to own a card now"), say("play a card"))
    if fault := not_playing(table.players, seat, PLAYERS) or _played(table, seat):
        return fault
    highest = _highest(table)
    shown = tuple(one if one is not highest else replace(one, seat=seat) for one in table.shown)
    return _settle(table, _turn_taken(replace(table, shown=shown)))


def _played(table: Table, seat: Seat) -> Refused | None:
    """A refusal if this player is known to have played in this turn."""
    card = next((one.card for one in table.shown if one.seat == seat), None)
    if card is None:
        return None
    fault = say("{player} has already played {card}", player=who(seat), card=card)
    return Refused(TURN, fault, say("name a player who has not played"))


def _settle(table: Table, event: Event) -> Allowed[Event]:
    return ruling.settle(table, (event,), apply=apply, follows=_follows, why=_why)


def _follows(table: Table) -> Event | None:
    """The turn is taken as soon as everybody has played and the owner of the highest card is known."""
    return _turn_taken(table) if table.complete and _highest(table).seat is not None else None


def _turn_taken(table: Table) -> TurnTaken:
    highest = _highest(table)
    return TurnTaken(highest.card, highest.seat or Seat(0), tuple(one.card for one in table.shown))


def _why(_table: Table, event: Event) -> tuple[Because, ...]:
    return (_why_taken(event.card, event.seat, event.cards),) if isinstance(event, TurnTaken) else ()


def _why_taken(card: Card, seat: Seat, cards: tuple[Card, ...]) -> Because:
    says = count(
        "{card} is the highest: {player} takes {count} card",
        "{card} is the highest: {player} takes {count} cards",
        len(cards),
        card=card,
        player=who(seat),
    )
    return Because(TAKES, says)


# ------------------------------------------------------------------------------------------- what is shown


def view(table: Table) -> dict[str, Any]:
    """The table for other programs."""
    shown = [{"card": one.card, "seat": one.seat} for one in table.shown]
    return {"turn": table.turn, "shown": shown, "taken": [list(cards) for cards in table.taken]}


def board(table: Table) -> Board:
    """The table for the display: no rows, only the newest turn."""
    turn = min(TURNS, table.turn + 1)
    return Board((), turn, TURNS, say("THE HIGHEST TAKES ALL"), table.newest, revealed=True)


def audit(table: Table) -> Audit:
    """Every card that was played is in somebody's pile or in this turn."""
    cards = sum(map(len, table.taken)) + len(table.shown)
    due = table.turn * len(table.players) + len(table.shown)
    return Audit(cards, due, say("{cards} CARDS PLAYED", cards=cards))


def dealing(table: Table) -> Dealing:
    """What a dealer needs: the deck, what was played, and how many cards each hand has."""
    played = (*(one.card for one in table.shown), *(card for cards in table.taken for card in cards))
    owners = [one.seat for one in table.shown]
    sizes = tuple(TURNS - table.turn - (seat in owners) for seat in table.players)
    return Dealing(DECK, tuple(map(str, played)), sizes, ((),) * len(sizes), owners.count(None))


def points(table: Table) -> tuple[int, ...]:
    """One for each card taken, by seat."""
    return tuple(map(len, table.taken))


# ------------------------------------------------------------------------------------------------ the game


class Options(Value, forbid_unknown_fields=True):
    """What people agree on before a match."""

    deals: Annotated[int, Meta(ge=1, le=MOST_DEALS)] = 3


class TakeTheHighest(Value):
    """The game as `companion.core.game.Game` wants it."""

    agreed: Options

    key: ClassVar[str] = "highest"
    title: ClassVar[str] = TITLE
    commands: ClassVar[tuple[type[Command], ...]] = (Play, Claim, EndDeal)
    events: ClassVar[tuple[type[Event], ...]] = (CardShown, TurnTaken, DealEnded)
    rules: ClassVar[Mapping[str, Rule]] = RULES

    players = staticmethod(attrgetter("players"))
    over = staticmethod(attrgetter("over"))
    start = staticmethod(start)
    asks = staticmethod(asks)
    read = staticmethod(read)
    judge = staticmethod(judge)
    apply = staticmethod(apply)
    points = staticmethod(points)
    view = staticmethod(view)
    board = staticmethod(board)
    audit = staticmethod(audit)
    dealing = staticmethod(dealing)
    label = staticmethod(number_label)
    named = staticmethod(number_label)
    end_deal = staticmethod(EndDeal)
    swap = not_offered("only the highest card has an owner here", "undo the wrong claim")
    correct = not_offered("a turn cannot be changed here", "undo it and scan it again")
    adopt = not_offered("no cards stay on the table in this game", "end the deal")
    leave = not_offered("nobody can leave during a match", "end the match")
    join = not_offered("nobody can join during a match", "end the match and start a new one")

    @property
    def end(self) -> EndRule:
        """When a match ends."""
        return EndRule(deals=self.agreed.deals)

    def options(self) -> Mapping[str, Any]:
        """The options that make this game again."""
        return {"deals": self.agreed.deals}

    def starter(self, deal: int, first: Seat, finished: Table) -> Seat:
        """Nobody starts: all play together."""
        return first

    def cards(self, state: Table) -> tuple[str, ...]:
        """1 to 60."""
        return DECK

    def card(self, state: Table, text: str) -> str:
        """A number from 1 to 60."""
        return str(_card(text))


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
