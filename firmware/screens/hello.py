"""S01: the first page after power-on: what answers, and the match that was going on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.play.controller import Controller
    from firmware.session.session import Session

_DEVICES = ("display", "buttons", "scanner", "buzzer", "journal")


@dataclass(frozen=True, slots=True)
class Hello:
    """Every device in one line; a fault is named here for as long as it lasts."""

    NAME: ClassVar[str] = "hello"

    def draw(self, canvas: Canvas, session: Session) -> None:
        """OK, none or !! for each device, and the saved match."""
        t, match = session.translate, session.match
        if match is None:
            canvas.bar_title(t("NIMMT COMPANION"))
        else:
            board = match.game.board(match.position.table)
            saved = t("DEAL {deal} T{turn}", deal=match.position.deal, turn=board.turn)
            canvas.bar_title(t("SAVED GAME"), saved)
        for place, device in enumerate(_DEVICES):
            canvas.body_line(
                place, f"{t(device.upper())} ".ljust(15, ".") + f" {self._state(device, session)}"
            )
        canvas.footer(t("OK=GO ON"), t("UNDO=NEW") if match is not None else "")

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK goes on; UNDO puts the saved match away, which stays in the journal.

        Without a match any other key is meant for the page beneath, which people know to come.
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
        return controller.front.handle(action, controller)

    @staticmethod
    def _state(device: str, session: Session) -> str:
        if any(fault.partition("/")[0] == device for fault in session.faults):
            return "!!"
        configured = getattr(session.config, device, None)
        return (
            session.translate("NONE")
            if getattr(configured, "driver", "") == "none"
            else session.translate("OK")
        )
