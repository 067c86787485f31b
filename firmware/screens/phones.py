"""Phones that may act at the table through the page: a code to pair one, and forgetting all of them.

The code never leaves the display. It is typed elsewhere and sent here; the answer says only whether it is
right.
"""

from __future__ import annotations

import hmac
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from firmware.display.layout import Big, Layout
from firmware.screens.base import Page
from firmware.screens.confirm import Confirm
from firmware.screens.menu_page import Menu
from firmware.session.actions import Action, PairingAction
from hardware.ports import Signal

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import Session

SHOWN_S: Final = 60.0
"""How long a code can be seen and used."""

_DIGITS: Final = 6


@dataclass(frozen=True, slots=True)
class Pairing(Page):
    """A code of six digits; who types it on a phone has seen this display."""

    NAME: ClassVar[str] = "pairing"
    code: str

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The code in large digits."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("PAIR A PHONE"))
        layout.hints(t("UNDO=BACK"))
        layout.stack(layout.free, (t("TYPE ON THE PHONE:"), Big(f"{self.code[:3]} {self.code[3:]}")))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A code that was typed on a phone; a wrong one changes nothing."""
        if not isinstance(action, PairingAction):
            return False
        if not hmac.compare_digest(action.code.encode(), self.code.encode()):
            controller.signal(Signal.REFUSED)
            return True
        controller.close()
        controller.signal(Signal.ACCEPTED)
        controller.say(controller.session.translate("PHONE PAIRED"))
        return True


def phones(controller: Controller) -> None:
    """Open the list of what can be done with phones."""
    t = controller.session.translate
    controller.open(Menu(t("PHONES"), ((t("PAIR A PHONE"), _pair), (t("FORGET ALL PHONES"), _ask_forget))))


def _pair(controller: Controller) -> None:
    import secrets  # a start does without

    code = f"{secrets.randbelow(10**_DIGITS):0{_DIGITS}}"
    controller.open(Pairing(code), lasts_s=SHOWN_S)


def _ask_forget(controller: Controller) -> None:
    t = controller.session.translate
    follows = t("THEY CAN STILL WATCH. TO PLAY ALONG THEY MUST BE PAIRED AGAIN.")
    controller.open(Confirm(t("FORGET ALL PHONES?"), follows, t("FORGET"), _forget))


def _forget(controller: Controller) -> None:
    controller.session.forget_phones()
    controller.signal(Signal.ACCEPTED)
    controller.say(controller.session.translate("PHONES FORGOTTEN"))
