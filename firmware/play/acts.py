"""An act of a program beside the box: what it does, and what came of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.text.sentence import NOTHING, as_it_is
from firmware.play.happenings import Act, ActAnswered, Happening, SignalGiven, StepStored, WasRefused
from hardware.ports import KeyPressed, KeyReleased, Press, Signal

if TYPE_CHECKING:
    from firmware.play.controller import TableController


def perform(act: Act, controller: TableController, now_s: float) -> list[Happening]:
    """Do an act, unless it was meant for another moment; what has happened, and at last what came of it."""
    if _is_late(act, controller):
        return [ActAnswered(act, why="changed")]
    controller.wake()  # who sends a key has seen the page, also while the display is dark
    counted = controller.hear(act.message, now_s)
    happened = controller.happened
    if isinstance(act.message, KeyPressed) and act.message.press is Press.LONG:
        # No key stays down at the other end of a socket. So nothing that must be held is begun with it.
        controller.hear(KeyReleased(act.message.key, act.message.at_s), now_s)
    steps = tuple(one.step.number for one in happened if isinstance(one, StepStored))
    signals = {one.signal for one in happened if isinstance(one, SignalGiven)}
    if not counted:
        answer = ActAnswered(act, why="repeated")
    elif signals & {Signal.REFUSED, Signal.DUPLICATE}:
        told = [one for one in happened if isinstance(one, WasRefused)]
        answer = ActAnswered(act, steps, "refused", told[-1] if told else _on_display(controller))
    else:
        answer = ActAnswered(act, steps)
    return [*happened, answer]


def _is_late(act: Act, controller: TableController) -> bool:
    match = controller.session.match
    newest = match.steps if match else 0
    step, page = act.said.expect.step, act.said.expect.page
    return (step is not None and step != newest) or (page is not None and page != controller.front.NAME)


def _on_display(controller: TableController) -> WasRefused:
    """What the display says of a refusal that has no texts with facts."""
    return WasRefused("", as_it_is(controller.front.refusal or controller.notice), NOTHING)
