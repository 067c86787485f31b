"""The first page after power-on: which devices work, and whether there is a match to go on with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from companion.text import Text, say
from firmware.screens.base import Page
from firmware.session.actions import Action, KeyAction
from firmware.session.session import DeviceState
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from collections.abc import Mapping

    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import Session

_DEVICES: Final[Mapping[str, Text]] = {
    "display": say("DISPLAY"),
    "buttons": say("BUTTONS"),
    "scanner": say("SCANNER"),
    "buzzer": say("BUZZER"),
    "journal": say("JOURNAL"),
}


@dataclass(frozen=True, slots=True)
class Hello(Page):
    """Every device in one line; a fault is shown here for as long as it lasts."""

    NAME: ClassVar[str] = "hello"

    def draw(self, canvas: Canvas, session: Session) -> None:
        """OK, none or !! for each device, and the saved match."""
        t, match = session.translate, session.match
        if match is None:
            canvas.bar_title(t("NIMMT COMPANION"))
        else:
            board = match.board
            saved = t("DEAL {deal} T{turn}", deal=match.position.deal, turn=board.turn)
            canvas.bar_title(t("SAVED"), saved)
        for place, (device, title) in enumerate(_DEVICES.items()):
            canvas.body_line(place, f"{t.say(title)} ".ljust(15, ".") + f" {self._state(device, session)}")
        canvas.footer(t("OK=CONTINUE"), t("UNDO=NEW") if match is not None else "")

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
            case DeviceState.OK:
                return session.translate("OK")
