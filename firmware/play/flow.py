"""Which page belongs to the state of the match: the page beneath all that players have opened.

It is computed from the match each time and stored nowhere. So undo, redo, a correction and a power cut need
no code here: whatever the match is now, its page follows.
"""

from collections.abc import Container

from companion.core.ask import Ask, AskKind, Wait
from companion.core.score_sheet import DealScored
from firmware.screens.before.start import Language, Start
from firmware.screens.count import Hands, Pile, Sums
from firmware.screens.parts.base import Page, StepResult
from firmware.screens.result.ending import DealEnd, MatchEnd, Tie
from firmware.screens.turn.on_turn import InMove, OnTurn, Race
from firmware.screens.turn.questions import ChoosePlayer, ChooseStack, Decide
from firmware.screens.turn.ruling import Ruling
from firmware.screens.turn.table import Collecting, DealtHand, Home, LayCards
from firmware.session.session import Session


def base_page(session: Session, seen: Container[str], setup: Page | None) -> Page:
    """The page to show when no other is open.

    `seen` are the results of the newest step that players have acknowledged. `setup` is the page without a
    match.
    """
    match = session.match
    if match is None and session.asks_language:
        return Language()
    if match is None:
        return setup or Start()
    position = match.position
    if match.newest is not None and isinstance(match.newest.events[-1], DealScored):
        board = match.game.board(position.finished)
        if board.revealed and board.newest and StepResult.RULING not in seen:
            return Ruling(position.finished)
        if StepResult.DEAL not in seen:
            return DealEnd()
    if not match.asks:
        return Tie() if match.tied else MatchEnd()
    return page_of_question(session, match.asks, ruled=StepResult.RULING in seen)


def page_of_question(session: Session, asks: tuple[Ask, ...], *, ruled: bool) -> Page:
    """The page of the open question; `ruled`: players have seen the ruling of the turn before."""
    ask = asks[0]
    match ask.kind:
        case AskKind.TURN_UP | AskKind.PICK | AskKind.LAY if ask.need:
            return LayCards(ask)
        case AskKind.HOLD:
            return DealtHand(asks)
        case AskKind.HAND | AskKind.LAY:
            return page_of_count(asks)
        case AskKind.DONE if any(one.kind is AskKind.HAND for one in asks):
            return Sums(asks)
        case AskKind.PLAY if ask.wait is Wait.ALL:
            return page_of_turn(session, ask, ruled=ruled)
        case AskKind.CHOOSE:
            return ChooseStack(ask)
        case AskKind.CLAIM | AskKind.WHOM:
            return ChoosePlayer(ask)
        case AskKind.DECIDE:
            return Decide(ask)
        case AskKind.RACE:
            return Race(asks)
        case _:
            return InMove(asks) if ask.have else OnTurn(asks)


def page_of_count(asks: tuple[Ask, ...]) -> Page:
    """The page for counting cards or points: a known number of cards, a pile, or sums."""
    ask = asks[0]
    if ask.need:
        return Hands(asks)
    piles = any(one.kind is AskKind.CLAIM for one in asks) or ask.wait is Wait.ANY
    return Pile(asks) if piles else Sums(asks)


def page_of_turn(session: Session, ask: Ask, *, ruled: bool) -> Page:
    """The page of a turn that all players play together."""
    if ask.have:
        return Collecting(ask)
    match = session.playing
    if match.board.newest and not ruled:
        return Ruling(match.position.table)
    return Home(ask)
