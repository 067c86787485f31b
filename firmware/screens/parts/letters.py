"""Entering a name letter by letter, with the knob or the keys.

A name that is typed on a keyboard, or scanned from a code with letters, is taken as it comes.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Final

from companion.values import replace
from firmware.display.layout import Area, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.screens.parts.base import Controller, Page
from firmware.session.actions import Action, BadgeAction, KeyAction, UnknownCodeAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

LONGEST: Final = 16
"""Letters that can be entered here."""

_LATIN: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_UMLAUTS: Final = "ÄÖÜß"
_PERSIAN: Final = "ابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی"
_SIGNS: Final = "-.0123456789"
_ALPHABETS: Final = {
    "en": (_LATIN, _UMLAUTS, _PERSIAN),
    "de": (_LATIN + "ÄÖÜß", _PERSIAN),
    "fa": (_PERSIAN + "آ", _LATIN),
}
"""The alphabets of a language, the usual one first; the last key shows the next one."""

_STEPS: Final = {
    Key.UP: -1,
    Key.LEFT: -1,
    Key.TURN_LEFT: -1,
    Key.DOWN: 1,
    Key.RIGHT: 1,
    Key.TURN_RIGHT: 1,
}
_BESIDE: Final = 3
"""Letters that are shown on each side of the one that OK takes."""


def letters(language: str, alphabet: int) -> tuple[str, ...]:
    """What can be entered, in the order of the knob: the letters of an alphabet, a space, signs."""
    alphabets = _ALPHABETS.get(language.partition("-")[0], _ALPHABETS["en"])
    return (*alphabets[alphabet % len(alphabets)], " ", *_SIGNS)


class EnterName(Page):
    """A name, letter by letter. `at` is the place of the letter that OK takes; -1 is the end.

    `keep` is given the name, and closes the page if it will do. `next_badge` gives the page for another badge
    that is shown, where the name is that of a badge.
    """

    NAME: ClassVar[str] = "enter_name"
    title: str
    keep: Callable[[str, Controller], object]
    next_badge: Callable[[int, Controller], EnterName] | None = None
    name: str = ""
    at: int = 0
    alphabet: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """What is entered so far, large, and below it the letters around the one that OK takes."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(self.title, t.digits(f"{len(self.name)}/{LONGEST}"))
        if layout.plan.row_bar:
            layout.hints(t("OK=TAKE"), t("R1=DELETE"), t("R4=DONE"))
        free = layout.free
        shown = Area(2, free.y_px + 3, free.width_px - 4, 16)
        layout.main(shown, f"{self.name.upper()}_", MAIN_WORDS)
        wheel = Area(0, shown.bottom_px + 2, free.width_px, free.bottom_px - shown.bottom_px - 3)
        self._draw_wheel(layout, wheel, session)

    def _draw_wheel(self, layout: Layout, area: Area, session: Session) -> None:
        """The letters run as their language does; the one in the middle is lit."""
        wheel = ("✓", *letters(session.translate.language, self.alphabet))
        cell_px = area.width_px // (2 * _BESIDE + 1)
        for beside in range(-_BESIDE, _BESIDE + 1):
            letter = wheel[(self.at + 1 + beside) % len(wheel)]
            place = -beside if layout.plan.right_to_left else beside
            cell = Area(area.x_px + cell_px * (place + _BESIDE) + 1, area.y_px, cell_px, area.height_px)
            shown = "□" if letter == " " else letter.upper()
            font, shown = layout.fitted(shown, cell_px, (MAIN_WORDS[0], *layout.plan.detail))
            layout.put(cell, shown, font, centre=True)
            if beside == 0:
                layout.canvas.invert(cell.x_px, cell.y_px, cell.width_px, cell.height_px)

    def handle(self, action: Action, controller: Controller) -> bool:
        """A key changes or takes a letter; what is typed or scanned is a whole name, a badge is next."""
        if isinstance(action, UnknownCodeAction):
            return self._take_text(action.text, controller)
        if isinstance(action, BadgeAction) and self.next_badge is not None:
            controller.show(self.next_badge(action.badge, controller))
            return True
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        wheel = letters(controller.session.translate.language, self.alphabet)
        if action.key in _STEPS:
            at = (self.at + 1 + _STEPS[action.key]) % (len(wheel) + 1) - 1
            controller.show(replace(self, at=at))
        elif action.key is Key.ROW_4 or (action.key is Key.OK and self.at < 0):
            self._done(self.name, controller)
        elif action.key is Key.OK:
            self._add(wheel[self.at], controller)
        elif action.key is Key.ROW_2:
            self._add(" ", controller)
        elif action.key is Key.ROW_3:
            controller.show(replace(self, alphabet=self.alphabet + 1, at=0))
        elif action.key is Key.ROW_1 or (action.key is Key.UNDO and self.name):
            controller.show(replace(self, name=self.name[:-1]))
        else:
            return False
        return True

    def _add(self, letter: str, controller: Controller) -> None:
        if len(self.name) < LONGEST:
            controller.show(replace(self, name=(self.name + letter).lstrip()))
        else:
            controller.signal(Signal.REFUSED)

    def _take_text(self, text: str, controller: Controller) -> bool:
        """A name as it was typed or scanned; False for what holds no letters."""
        name = " ".join(text.split())[:LONGEST].rstrip()
        if not any(map(str.isalpha, name)):
            return False
        self._done(name, controller)
        return True

    def _done(self, name: str, controller: Controller) -> None:
        name = name.strip()
        controller.show(replace(self, name=name))
        self.keep(name.title() if name.isupper() else name, controller)
