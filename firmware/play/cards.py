"""What a scanned card means in the turn that is played.

Nothing is done here: each function looks at the match and at the table and says what follows.
"""

from typing import Any, Final, NamedTuple

from companion.core import games
from companion.core.ask import Ask, AskKind, Gives, Wait
from companion.core.cards import Seat
from companion.core.ruling import Refused
from companion.match.match import Match
from companion.text.sentence import NOTHING, Text, say
from firmware.screens.parts.base import Page
from firmware.screens.turn.refusal import DuplicateCard, ExtraCard, KeptCard
from firmware.session.session import Session
from hardware.ports import Signal

EARLY_S: Final = 8.0
"""For how long the display says that a card has begun the next turn, while no other one comes."""

DUPLICATE_S: Final = 2.0


class NewRuling(NamedTuple):
    """The ruling that has just appeared and is still shown, and the cards of its turn."""

    page: Page
    turn: tuple[str, ...]


class DeclinedCard(NamedTuple):
    """A card that is not played: what is said in a line, or which page tells it, and for how long."""

    says: Text = NOTHING
    signal: Signal = Signal.REFUSED
    page: Page | None = None
    lasts_s: float | None = None


NO_MATCH: Final = DeclinedCard(say("NO MATCH IN PROGRESS"))


def new_ruling(match: Match, base: Page) -> NewRuling | None:
    """The ruling that has just appeared, if the page beneath all others shows one.

    Players need some seconds to place the cards of a turn. A card that comes before that may be one too
    many of it. It may as well be the first one of the next turn, and nobody can see which: so it is
    played as that, and one key corrects that.
    """
    if not base.HOLDS_EXTRA_CARD:
        return None
    lines = () if match.position.over else match.board.newest
    lines = lines or match.game.board(match.position.finished).newest
    return NewRuling(base, tuple(line.card for line in lines))


def without_turn(card: str, ruling: NewRuling | None, session: Session) -> DeclinedCard | None:
    """Why a card begins no turn: it was scanned in the turn before, or none follows."""
    if ruling is not None and card in ruling.turn:
        return already_scanned(card, session)
    if session.match is None or not session.match.asks:
        if ruling is None:
            return NO_MATCH
        return DeclinedCard(
            page=ExtraCard(ruling.turn, card, plays_on=False)
        )  # one too many of the last turn
    return None


def of_other_game(game: str, match: Match) -> tuple[Text, Text]:
    """What is wrong with a card whose code begins with that of another game, and what to do."""
    title = next((one.TITLE for one in map(games.module, games.GAMES) if game == one.CODE), game)
    fix = say("scan a card of {game}", game=match.game.title)
    return say("this card belongs to {game}", game=title), fix


def already_scanned(card: str, session: Session, ask: Ask | None = None) -> DeclinedCard:
    """What to say of a card that is known already; in the turn of `ask` a page tells which one it was."""
    says = say("{card} ALREADY SCANNED", card=session.label(card))
    if ask is None:
        return DeclinedCard(says, Signal.DUPLICATE)
    page = DuplicateCard(card, ask.have.index(card) + 1, ask.need)
    return DeclinedCard(says, Signal.DUPLICATE, page, DUPLICATE_S)


def asked(match: Match) -> Ask | None:
    """The open question that a card answers."""
    return next((one for one in match.asks if one.kind.gives is Gives.CARD), None)


def command_for(card: str, ask: Ask, seat: Seat | None, match: Match) -> Any:  # noqa: ANN401 - of the game in play
    """The command that plays a card in answer to a question; `seat` is whose it is, where that is known."""
    game = match.game
    begun = ask.kind is AskKind.PLAY and ask.wait is Wait.ONE and bool(ask.have)
    shown = game.show(card) if seat is None and begun else None
    return game.read(ask, seat, card) if shown is None else shown


def before_reveal(ask: Ask) -> bool:
    """Whether a question is about the cards of a turn, before the first one is shown."""
    return ask.kind is AskKind.PLAY and ask.wait is Wait.ALL and not ask.have


def any_time(match: Match) -> Ask:
    """A question in the place of one for a card: the referee says why that cannot be played now."""
    return Ask(AskKind.PLAY, match.asks[0].seats, Wait.ALL, NOTHING)


def kept(card: str, match: Match) -> KeptCard | None:
    """The page of a card that is kept for the next turn: nothing but the open question is against it."""
    placing = match.board.placing
    if not placing:
        return None
    proposed = match.propose(match.game.read(Ask(AskKind.PLAY, (), Wait.ALL, NOTHING), None, card))
    return KeptCard(placing, card) if isinstance(proposed, Refused) and proposed.waits else None
