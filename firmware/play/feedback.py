"""What people hear and see of a step that stands: the signal, each taking for a moment, the last cards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.cards import Seat
from companion.score_sheet import DealScored
from firmware.screens.taken import Taken
from hardware.ports import Signal

if TYPE_CHECKING:
    from companion.board import Board
    from companion.match import Step
    from firmware.play.controller import Controller


def show(step: Step, before: Board, controller: Controller) -> None:
    """Tell what a step led to, given the board before it; no page stays open over it."""
    controller.home()
    controller.stepped_s = controller.now_s
    match, translate = controller.session.playing, controller.session.translate
    scored = any(isinstance(event, DealScored) for event in step.events)
    board = match.game.board(match.position.finished if scored else match.position.table)
    lines = board.newest
    fresh = lines[len(before.newest) :] if lines[: len(before.newest)] == before.newest else lines
    if fresh and board.revealed:
        controller.ruled_s = controller.now_s
    else:
        controller.seen.add(("ruling", step.number))
    takings = [(line, line.taker) for line in fresh if line.taker is not None]
    controller.signal(Signal.TAKING if takings else Signal.ACCEPTED)
    if fresh and not board.revealed:
        last = fresh[-1]
        controller.say(
            translate("{card} {outcome}", card=controller.session.label(last.card), outcome=last.outcome)
        )
    _call_last_cards(before.hands, board.hands, controller)
    lasts_s = controller.session.config.table.take_shown_s
    for line, taker in reversed(takings if lasts_s else []):
        controller.open(Taken(line, taker), lasts_s=lasts_s)


def _call_last_cards(before: tuple[int, ...], after: tuple[int, ...], controller: Controller) -> None:
    """Whoever has come down to one card is called out, to the ear and the eye."""
    for seat, (had, has) in enumerate(zip(before, after, strict=False)):
        if has == 1 and had > 1:
            controller.signal(Signal.LAST_CARD)
            controller.say(
                controller.session.translate(
                    "{name}: LAST CARD!", name=controller.session.name(Seat(seat))[:8]
                )
            )
