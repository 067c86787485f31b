"""The pages that come by themselves (`firmware.play.table.Screens`).

The page of the open question lies beneath all that players have opened. It is computed from the match each
time and stored nowhere. So undo, redo, a correction and a power cut need no code here: whatever the match is
now, its page follows. The other pages here come on top of it, for a step, a refusal or a card.
"""

from collections.abc import Callable

from companion.core.ask import Ask, AskKind, Wait
from companion.core.board import Board
from companion.core.cards import Seat
from companion.core.ruling import Refused
from companion.core.score_sheet import DealScored
from companion.match.commands import ScoreCorrected
from companion.match.match import Match, Step
from companion.text.sentence import NOTHING, Text, say
from firmware.play.page import AnyPage, StepResult
from firmware.play.table import Table
from firmware.screens.before.start import LanguagePage, Start
from firmware.screens.count import CountedHands, Hands, PilePage, Sums, hands_counted_alone
from firmware.screens.parts.base import Page
from firmware.screens.result.ending import DealEnd, MatchEnd, Tie
from firmware.screens.turn import step_names
from firmware.screens.turn.on_turn import ChoosePile, InMove, OnTurn, RacePage
from firmware.screens.turn.questions import ChoosePlayerPage, ChooseStack, Decide, unclaimed_page
from firmware.screens.turn.refusal import ExtraCard, NextCard, RefusalPage, title_of
from firmware.screens.turn.ruling import OutOfCards, Ruling, WhoTakes, outcome_of
from firmware.screens.turn.table import Collecting, DealtHand, Home, LayCards, are_rows, is_last_deal
from firmware.session.session import Session, steps_to_card
from hardware.ports import Signal


def base_page(session: Session, has_seen: Callable[[str], bool], setup: AnyPage | None) -> AnyPage:
    """The page to show when no other is open.

    `has_seen` says of a result of the newest step whether players have acknowledged it. `setup` is the page
    without a match.
    """
    match = session.match
    if match is None and session.asks_language:
        return LanguagePage()
    if match is None:
        return setup or Start()
    position = match.position
    if match.newest is not None and isinstance(match.newest.events[-1], DealScored):
        board = match.game.board(position.finished)
        if board.revealed and board.newest and not has_seen(StepResult.RULING):
            return Ruling(position.finished)
        if (unclaimed := unclaimed_page(match, has_seen)) is not None:
            return unclaimed
        if not has_seen(StepResult.DEAL):
            return DealEnd()
    if not match.asks:
        return Tie() if match.tied else MatchEnd()
    return page_of_question(match, has_seen)


def page_of_question(match: Match, has_seen: Callable[[str], bool]) -> Page:
    """The page of the open question."""
    asks, ask = match.asks, match.asks[0]
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
            return page_of_turn(match, ask, has_seen)
        case AskKind.CHOOSE:
            return ChooseStack(ask) if are_rows(match.board.stacks) else ChoosePile(ask)
        case AskKind.CLAIM | AskKind.WHOM:
            return ChoosePlayerPage(ask)
        case AskKind.DECIDE:
            return Decide(ask)
        case AskKind.RACE:
            return RacePage(asks)
        case _:
            return InMove(asks) if ask.have else OnTurn(asks)


def page_of_count(asks: tuple[Ask, ...]) -> Page:
    """The page for counting cards or points: a known number of cards, a pile, or sums."""
    ask = asks[0]
    if ask.need:
        return Hands(asks)
    piles = any(one.kind is AskKind.CLAIM for one in asks) or ask.wait is Wait.ANY
    return PilePage(asks) if piles else Sums(asks)


def page_of_turn(match: Match, ask: Ask, has_seen: Callable[[str], bool]) -> Page:
    """The page of a turn that all players play together, or of the ruling of the turn before."""
    if ask.have:
        return Collecting(ask)
    if match.board.revealed and match.board.newest and not has_seen(StepResult.RULING):
        return Ruling(match.position.table)
    return Home(ask)


# ----------------------------------------------------------------------------------- what has just happened


def show_step(table: Table, step: Step, before: Board) -> None:
    """Tell what the newest step has led to: signals, a line, each taking for a moment."""
    session, match = table.session, table.session.playing
    scored = isinstance(step.events[-1], DealScored)
    # With the last card of a deal the next deal has begun: what it did is on the table of the old one.
    board = match.game.board(match.position.finished) if scored else match.board
    lines = board.newest
    fresh = lines[len(before.newest) :] if lines[: len(before.newest)] == before.newest else lines
    news: list[AnyPage] = [WhoTakes(line, line.taker) for line in fresh if line.taker is not None]
    ruled = bool(fresh) and board.revealed
    table.update(turn=table.state.turn.after_step(table.now_s, ruled=ruled))
    if board.revealed and lines and not fresh:
        table.acknowledge(StepResult.RULING)  # these cards were placed before
    table.signal(Signal.TAKING if news else Signal.ACCEPTED)
    says = NOTHING  # said in any case: what stands there was before
    drawn = sum(board.hands) > sum(before.hands)  # all must see a penalty, also during a challenge
    if fresh and not board.revealed and (drawn or not table.base.TITLE_IS_PROMPT):
        last = fresh[-1].outcome  # several players may lose their turns
        each = tuple(outcome_of(line, session) for line in fresh if line.outcome.template == last.template)
        says = each[0] if len(each) == 1 else say("{each}", each=each)
    elif isinstance(step.events[0], ScoreCorrected):
        says = say("THIS IS THE LAST DEAL") if is_last_deal(match) else say("SCORE CORRECTED")
    for seat, (had, has) in enumerate(zip(before.hands, board.hands, strict=False)):
        if has == 1 and had > 1:
            table.signal(Signal.LAST_CARD)
            says = say("{name}: LAST CARD!", name=session.short_name(Seat(seat), 8))
        elif not has and had:
            news.append(OutOfCards(Seat(seat)))
    table.say(says)
    if scored and (hands := hands_counted_alone(match)):
        table.open(CountedHands(hands))
    lasts_s = table.config.table.take_shown_s
    for place, page in reversed([*enumerate(news, start=1)] if lasts_s else []):
        table.open(page, lasts_s=place * lasts_s)


def refuse(table: Table, refused: Refused, command: object) -> None:
    """Show why a command is refused, and the way back to where its card was played before."""
    session, card = table.session, str(getattr(command, "card", ""))
    back = steps_to_card(session.playing, card) if card and session.match else None
    page = RefusalPage(refused.fault, refused.fix, title_of(refused, command), refused.penalty, back)
    table.refuse_on(page, refused.rule.key)


def explain(table: Table, fault: Text, fix: Text, title: Text, signal: Signal) -> None:
    table.refuse_on(RefusalPage(fault, fix, title), signal=signal)


def next_card(turn: tuple[str, ...], card: str, ruling: AnyPage | None) -> AnyPage:
    return NextCard(turn, card, ruling)


def extra_card(turn: tuple[str, ...], card: str, *, plays_on: bool) -> AnyPage:
    return ExtraCard(turn, card, plays_on)


def undone(step: Step, session: Session) -> Text:
    return step_names.undone(step, session)
