"""Erasing a player: the badge is scanned, or chosen, twice. What is erased and what stays is said before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from companion.codes import BADGES
from companion.text import count
from firmware.display.glyphs import MEDIUM
from firmware.screens.base import Page
from firmware.screens.choice import step_cursor
from firmware.screens.start import interrupted_setup
from firmware.screens.wrapping import wrap
from firmware.session.actions import Action, BadgeAction, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import Session

_LINES: Final = 4


@dataclass(frozen=True, slots=True)
class Erase(Page):
    """Which badge is erased: nothing is done before it was given a second time."""

    NAME: ClassVar[str] = "erase"
    badge: int = 0
    matches: int = 0
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """First the question which badge, then whose it is and in how many matches."""
        t = session.translate
        canvas.bar_title(t("ERASE A PLAYER"), f"{1 if self.badge else 0}/2")
        if self.badge:
            canvas.text(2, 13, MEDIUM.fit(_badge_label(self.badge, session), 124), MEDIUM)
            canvas.body_line(2, t.say(count("IN {count} MATCH", "IN {count} MATCHES", self.matches)))
            canvas.body_line(3, t("TOTALS ARE KEPT"))
            canvas.footer(t("SCAN AGAIN"), t("OK=ERASE"))
            return
        canvas.body_line(0, t("SCAN THE BADGE"))
        if self.cursor is None:
            canvas.body_line(1, t("OR UP/DOWN"))
        else:
            badge = BADGES[self.cursor]
            canvas.text(2, 28, MEDIUM.fit(_badge_label(badge, session), 124), MEDIUM)
        canvas.footer(t("OK=THIS ONE"), t("UNDO=BACK"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A badge, or OK at the cursor, chooses a player; the same once more erases."""
        if isinstance(action, BadgeAction):
            self._name(action.badge, controller)
            return True
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.OK:
            if self.badge or self.cursor is not None:
                self._name(self.badge or BADGES[self.cursor or 0], controller)
            return True
        if self.badge:
            return False
        cursor = step_cursor(self.cursor, action, len(BADGES))
        if cursor is not None:
            controller.show(Erase(cursor=cursor))
        return cursor is not None

    def _name(self, badge: int, controller: Controller) -> None:
        if badge != self.badge:
            known = controller.session.matches_of(badge)
            controller.signal(Signal.ACCEPTED)
            controller.show(Erase(badge, known))
            return
        controller.session.erase(badge)
        controller.home()
        controller.set_up(interrupted_setup(controller.session))  # who had joined may be erased as well
        controller.signal(Signal.ACCEPTED)
        if controller.session.is_named(badge):
            controller.open(NameStays(controller.session.badge_name(badge)))
        else:
            controller.say(controller.session.translate("BADGE {badge} IS ERASED", badge=badge))


def _badge_label(badge: int, session: Session) -> str:
    name = session.badge_name(badge)
    return name if name == f"P{badge}" else f"{badge} {name}"


@dataclass(frozen=True, slots=True)
class NameStays(Page):
    """The badge is erased from the journal, but its name is still in the configuration file."""

    NAME: ClassVar[str] = "name_stays"
    name: str

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Where the name is."""
        t = session.translate
        canvas.bar_title(t("ERASED"))
        said = t("{name} is still in the configuration file, under [table] names", name=self.name)
        for place, line in enumerate(wrap(said, _LINES)):
            canvas.body_line(place, line)
        canvas.footer(t("OK=BACK"))
