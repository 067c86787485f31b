"""A person is forgotten: the badge is scanned, or dialled, twice. What goes and what stays is said before."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from companion.codes import BADGES
from companion.text import count
from firmware.acts import Act, BadgeAct, KeyAct
from firmware.glyphs import MEDIUM
from firmware.screens.taking import moved
from firmware.screens.wrapping import wrapped
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World

_LINES: Final = 4


@dataclass(frozen=True, slots=True)
class Erase:
    """Whose traces are removed; nothing is done before the badge has come a second time."""

    NAME: ClassVar[str] = "erase"
    badge: int = 0
    matches: int = 0
    cursor: int | None = None

    def draw(self, canvas: Canvas, world: World) -> None:
        """First the question whose, then who it is and in how many matches."""
        t = world.words
        canvas.bar_title(t("ERASE A PLAYER"), f"{1 if self.badge else 0}/2")
        if self.badge:
            canvas.text(2, 13, MEDIUM.fit(_called(self.badge, world), 124), MEDIUM)
            canvas.body_line(2, t.say(count("IN {count} MATCH", "IN {count} MATCHES", self.matches)))
            canvas.body_line(3, t("THE TOTALS STAY"))
            canvas.footer(t("SCAN AGAIN"), t("OK=ERASE"))
            return
        canvas.body_line(0, t("SCAN THE BADGE"))
        if self.cursor is None:
            canvas.body_line(1, t("OR UP/DOWN"))
        else:
            badge = BADGES[self.cursor]
            canvas.text(2, 28, MEDIUM.fit(_called(badge, world), 124), MEDIUM)
        canvas.footer(t("OK=THIS ONE"), t("UNDO=BACK"))

    def on(self, act: Act, desk: Desk) -> bool:
        """A badge or OK names somebody; the same once more erases."""
        if isinstance(act, BadgeAct):
            self._name(act.badge, desk)
            return True
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        if act.key is Key.OK:
            if self.badge or self.cursor is not None:
                self._name(self.badge or BADGES[self.cursor or 0], desk)
            return True
        if self.badge:
            return False
        cursor = moved(self.cursor, act, len(BADGES))
        if cursor is not None:
            desk.swap(Erase(cursor=cursor))
        return cursor is not None

    def _name(self, badge: int, desk: Desk) -> None:
        if badge != self.badge:
            known = desk.world.known_in(badge)
            desk.signal(Signal.ACCEPTED)
            desk.swap(Erase(badge, known))
            return
        desk.world.erase(badge)
        desk.set_up_again()
        desk.signal(Signal.ACCEPTED)
        if badge <= len(desk.world.config.table.names):
            desk.open(NameStays(desk.world.badge_name(badge)))
        else:
            desk.say(desk.world.words("BADGE {badge} IS ERASED", badge=badge))


def _called(badge: int, world: World) -> str:
    name = world.badge_name(badge)
    return name if name == f"P{badge}" else f"{badge} {name}"


@dataclass(frozen=True, slots=True)
class NameStays:
    """The journal has forgotten; the name stands in the configuration, which only people change."""

    NAME: ClassVar[str] = "name_stays"
    name: str

    def draw(self, canvas: Canvas, world: World) -> None:
        """Where it stands."""
        t = world.words
        canvas.bar_title(t("ERASED"))
        said = t("{name} still stands in the configuration: [table] names", name=self.name)
        for place, line in enumerate(wrapped(said, _LINES)):
            canvas.body_line(place, line)
        canvas.footer(t("OK=BACK"))

    def on(self, act: Act, desk: Desk) -> bool:
        """Nothing of its own."""
        return False
