"""What players hear and see of a step that stands: the signal, a line, each taking for a moment."""

from companion.core.board import Board
from companion.core.cards import Seat
from companion.core.score_sheet import DealScored
from companion.match.match import Step
from companion.values import Value
from firmware.screens.turn.ruling import WhoTakes
from firmware.session.session import Session
from hardware.ports import Signal


class Feedback(Value):
    """What a step has led to: `signals` in order, `says` (empty for nothing), and `takings` in order.

    `ruled`: cards were revealed together, and players place them as the ruling says before the match goes on.
    """

    signals: tuple[Signal, ...]
    says: str
    takings: tuple[WhoTakes, ...]
    ruled: bool


def feedback(step: Step, before: Board, session: Session) -> Feedback:
    """What to tell of the newest step, given the board before it."""
    match, t = session.playing, session.translate
    scored = any(isinstance(event, DealScored) for event in step.events)
    # With the last card of a deal the next deal has begun: what the step did is on the table of the old one.
    board = match.game.board(match.position.finished) if scored else match.board
    lines = board.newest
    fresh = lines[len(before.newest) :] if lines[: len(before.newest)] == before.newest else lines
    takings = tuple(WhoTakes(line, line.taker) for line in fresh if line.taker is not None)
    signals = [Signal.TAKING if takings else Signal.ACCEPTED]
    says = ""
    if fresh and not board.revealed:
        says = t("{card} {outcome}", card=session.label(fresh[-1].card), outcome=fresh[-1].outcome)
    for seat, (had, has) in enumerate(zip(before.hands, board.hands, strict=False)):
        if has == 1 and had > 1:
            signals.append(Signal.LAST_CARD)
            says = t("{name}: LAST CARD!", name=session.short_name(Seat(seat), 8))
    return Feedback(tuple(signals), says, takings, ruled=bool(fresh) and board.revealed)
