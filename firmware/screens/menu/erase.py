"""Erasing a player: the badge is scanned, or chosen, twice. What is erased and what stays is said before."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final

from companion.core.codes import BADGES
from companion.text.sentence import count
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.screens.before.start import interrupted_setup
from firmware.screens.parts.base import Controller, Page
from firmware.screens.parts.choice import step_cursor
from firmware.screens.parts.player_names import name_badge
from firmware.session.actions import Action, BadgeAction, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


class SwitchOff(Page):
    """What to do, then the seconds that are left, which `left` gives; 0 while the key is not held."""

    NAME: ClassVar[str] = "switch_off"
    left: Callable[[], int]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The number is large: during the countdown nothing else matters."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("SWITCH OFF"))
        if seconds := self.left():
            layout.hints(t("RELEASE TO CANCEL"))
            layout.stack(layout.free, (Big(t.number(seconds)),))
        else:
            layout.hints(t("UNDO=BACK"))
            layout.paragraph(t("HOLD OK UNTIL THE COUNTDOWN ENDS. EVERYTHING IS SAVED."))

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK, held down, starts the countdown; a short press or a code does not: neither is held."""
        if not isinstance(action, KeyAction) or action.key is not Key.OK:
            return False
        if action.down:
            controller.machine.begin_switch_off()
        else:
            controller.say(controller.session.translate("HOLD OK DOWN"))
        return True


_TWO_LINES_PX: Final = 18


class Erase(Page):
    """Which badge is erased: nothing is done before it was given a second time."""

    NAME: ClassVar[str] = "erase"
    badge: int = 0
    matches: int = 0
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """First the question which badge, then whose it is and in how many matches."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("ERASE A PLAYER"), t.digits(f"{1 if self.badge else 0}/2"))
        layout.hints(
            *((t("SCAN AGAIN"), t("OK=ERASE")) if self.badge else (t("OK=THIS ONE"), t("UNDO=BACK")))
        )
        free, badge = layout.free, self.badge or (0 if self.cursor is None else BADGES[self.cursor])
        if not badge:
            layout.paragraph(t("SCAN THE BADGE"), t("OR UP/DOWN"))
            return
        name = Area(2, free.y_px + 1, free.width_px - 4, 16)
        name_badge(layout, name, session, badge, MAIN_WORDS)
        if self.badge:
            found = t.say(count("IN {count} MATCH", "IN {count} MATCHES", self.matches))
            below, lines = free.below(18), (found, t("TOTALS ARE KEPT"))
            layout.stack(below, lines if below.height_px >= _TWO_LINES_PX else (" - ".join(lines),))

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
        if controller.session.names.is_configured(badge):
            controller.open(NameStays(controller.session.names.of(badge)))
        else:
            controller.say(controller.session.translate("BADGE {badge} IS ERASED", badge=badge))


class NameStays(Page):
    """The badge is erased from the journal, but its name is still in the configuration file."""

    NAME: ClassVar[str] = "name_stays"
    name: str

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Where the name is."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("ERASED"))
        layout.hints(t("OK=BACK"))
        layout.paragraph(t("{name} is still in the configuration file, under [table] names", name=self.name))
