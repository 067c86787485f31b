"""The first page after power-on: which devices work, and whether there is a match to go on with."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from companion.text.sentence import Text, say
from firmware.display.layout import Layout
from firmware.screens.parts.base import Page
from firmware.session.actions import Action, KeyAction
from firmware.session.devices import DeviceState
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware.display.canvas import Canvas
    from firmware.screens.parts.base import Controller
    from firmware.session.session import Session

_DEVICES: Final[Mapping[str, Text]] = {
    "display": say("DISPLAY"),
    "buttons": say("BUTTONS"),
    "scanner": say("SCANNER"),
    "buzzer": say("BUZZER"),
    "journal": say("JOURNAL"),
}


class Hello(Page):
    """Every device in one line; a fault is shown here for as long as it lasts."""

    NAME: ClassVar[str] = "hello"

    def draw(self, canvas: Canvas, session: Session) -> None:
        """OK, none, keyboard or !! for each device, and the saved match."""
        t, match, layout = session.translate, session.match, Layout(canvas, session.plan)
        if match is None:
            layout.title(t("NIMMT COMPANION"))
        else:
            board = match.board
            layout.title(t("SAVED"), t("DEAL {deal} T{turn}", deal=match.position.deal, turn=board.turn))
        states = {device: self._state(device, session) for device in _DEVICES}
        shown = list(_DEVICES)
        if layout.plan.row_bar:
            layout.hints(t("OK=CONTINUE"), t("UNDO=NEW") if match is not None else "")
        else:
            # What does not work comes first: there is no room for all.
            fine = t("OK")
            shown = sorted(shown, key=lambda device: states[device] == fine)[: layout.plan.whole_lines]
        for place, device in enumerate(shown):
            layout.pair(place, t.say(_DEVICES[device]), states[device])

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK goes on with the match; UNDO suspends it.

        Without a match any other key is meant for the start page: players know that it comes next.
        """
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        saved = controller.session.match is not None
        if action.key in (Key.OK, Key.UNDO):
            if action.key is Key.UNDO and saved:
                controller.session.suspend()
            controller.close()
            return True
        if saved:
            return False
        controller.close()
        controller.act(action)
        return True

    @staticmethod
    def _state(device: str, session: Session) -> str:
        match session.device_state(device):
            case DeviceState.FAULT:
                return "!!"
            case DeviceState.NONE:
                return session.translate("NONE")
            case DeviceState.KEYBOARD:
                return session.translate("KEYBOARD")
            case DeviceState.OK:
                return session.translate("OK")
