"""S01: the first page after power-on: what answers, and the match that was going on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from firmware.acts import Act, KeyAct
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World

_DEVICES = ("display", "buttons", "scanner", "buzzer", "journal")


@dataclass(frozen=True, slots=True)
class Hello:
    """Every device in one line; a fault is named here for as long as it lasts."""

    NAME: ClassVar[str] = "hello"

    def draw(self, canvas: Canvas, world: World) -> None:
        """OK, none or !! for each device, and the saved match."""
        t, match = world.words, world.match
        if match is None:
            canvas.bar_title(t("NIMMT COMPANION"))
        else:
            board = match.game.board(match.position.table)
            saved = t("DEAL {deal} T{turn}", deal=match.position.deal, turn=board.turn)
            canvas.bar_title(t("SAVED GAME"), saved)
        for place, device in enumerate(_DEVICES):
            canvas.body_line(place, f"{t(device.upper())} ".ljust(15, ".") + f" {self._state(device, world)}")
        canvas.footer(t("OK=GO ON"), t("UNDO=NEW") if match is not None else "")

    def on(self, act: Act, desk: Desk) -> bool:
        """OK goes on; UNDO puts the saved match away, which stays in the journal.

        Without a match any other key is meant for the page beneath, which people know to come.
        """
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        saved = desk.world.match is not None
        if act.key in (Key.OK, Key.UNDO):
            if act.key is Key.UNDO and saved:
                desk.world.leave()
            desk.close()
            return True
        if saved:
            return False
        desk.close()
        return desk.front.on(act, desk)

    @staticmethod
    def _state(device: str, world: World) -> str:
        if any(fault.partition("/")[0] == device for fault in world.faults):
            return "!!"
        configured = getattr(world.config, device, None)
        return world.words("NONE") if getattr(configured, "driver", "") == "none" else world.words("OK")
