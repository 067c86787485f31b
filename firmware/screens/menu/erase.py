"""Erasing a player: the badge is scanned, or chosen, twice. What is erased and what stays is said before."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from companion.core.codes import BADGES
from companion.text.sentence import count, say
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.screens.before.start import interrupted_setup
from firmware.screens.parts.base import Controller, Held, Keys, KeyUse, Page, back
from firmware.screens.parts.choice import MOVES, cursor_moves
from firmware.screens.parts.player_names import name_badge
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Signal

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
            layout.hints(*self.hints(session))
            layout.paragraph(t("HOLD OK UNTIL THE COUNTDOWN ENDS. EVERYTHING IS SAVED."))

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK, held down, starts the countdown; a code of the same meaning does not: no key is held."""
        if isinstance(action, KeyAction) and action.key is Key.OK and action.down:
            controller.machine.begin_switch_off()
            return True
        return super().handle(action, controller)

    def keys(self, session: Session) -> Keys:
        """A short press does nothing."""
        hold = KeyUse(lambda at: at.say(at.session.translate("HOLD OK DOWN")), help=say("SWITCH OFF"))
        return {Held(Key.OK): hold, Key.OK: hold, Key.UNDO: KeyUse(back, session.translate("UNDO=BACK"))}


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
        layout.hints(*self.hints(session))
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

    def keys(self, session: Session) -> Keys:
        """OK at the cursor chooses a player; once more erases."""
        t = session.translate
        if self.badge:
            return {
                Key.OK: KeyUse(partial(self._name, self.badge), t("OK=ERASE")),
                Key.UNDO: KeyUse(back, help=say("BACK")),
            }
        moves = cursor_moves(self.cursor, len(BADGES))
        chosen = (lambda _: None) if self.cursor is None else partial(self._name, BADGES[self.cursor])
        return {
            Key.OK: KeyUse(chosen, t("OK=THIS ONE")),
            Key.UNDO: KeyUse(back, t("UNDO=BACK")),
            **{key: KeyUse(partial(_show, cursor), help=MOVES) for key, cursor in moves.items()},
        }

    def hints(self, session: Session) -> tuple[str, ...]:
        """The badge may be scanned instead."""
        again = (session.translate("SCAN AGAIN"),) if self.badge else ()
        return *again, *super().hints(session)

    def take_badge(self, badge: int, controller: Controller) -> bool:
        """A badge chooses a player; the same once more erases."""
        self._name(badge, controller)
        return True

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


def _show(cursor: int, controller: Controller) -> None:
    controller.show(Erase(cursor=cursor))


class NameStays(Page):
    """The badge is erased from the journal, but its name is still in the configuration file."""

    NAME: ClassVar[str] = "name_stays"
    name: str

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Where the name is."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("ERASED"))
        layout.hints(*self.hints(session))
        layout.paragraph(t("{name} is still in the configuration file, under [table] names", name=self.name))

    def keys(self, session: Session) -> Keys:
        """OK closes it."""
        return {Key.OK: KeyUse(back, session.translate("OK=BACK"))}
