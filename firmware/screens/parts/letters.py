"""Entering a name letter by letter, with the knob or the keys.

A name that is typed on a keyboard, or scanned from a code with letters, is taken as it comes.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from companion.text.sentence import say
from companion.values import replace
from firmware.display.layout import Area, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.screens.parts.base import Controller, Keys, KeyUse, Page, back
from hardware.ports import Key, Signal

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
            layout.hints(*self.hints(session))
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

    def keys(self, session: Session) -> Keys:
        """A key changes or takes a letter."""
        t = session.translate
        wheel = letters(t.language, self.alphabet)
        ends = self.at < 0
        return {
            Key.OK: KeyUse(self._finish if ends else partial(self._add, wheel[self.at]), t("OK=TAKE")),
            Key.ROW_1: KeyUse(self._delete, t("R1=DELETE")),
            Key.ROW_4: KeyUse(self._finish, t("R4=DONE")),
            Key.ROW_2: KeyUse(partial(self._add, " "), help=say("A SPACE")),
            Key.ROW_3: KeyUse(self._next_alphabet, help=say("OTHER LETTERS")),
            **{
                key: KeyUse(partial(self._turn, step, len(wheel)), help=say("ANOTHER LETTER"))
                for key, step in _STEPS.items()
            },
            Key.UNDO: KeyUse(self._delete if self.name else back, help=say("DELETE, OR BACK")),
        }

    def take_badge(self, badge: int, controller: Controller) -> bool:
        """The name of another badge is next."""
        if self.next_badge is None:
            return False
        controller.show(self.next_badge(badge, controller))
        return True

    def _turn(self, step: int, letters: int, controller: Controller) -> None:
        controller.show(replace(self, at=(self.at + 1 + step) % (letters + 1) - 1))

    def _next_alphabet(self, controller: Controller) -> None:
        controller.show(replace(self, alphabet=self.alphabet + 1, at=0))

    def _delete(self, controller: Controller) -> None:
        controller.show(replace(self, name=self.name[:-1]))

    def _finish(self, controller: Controller) -> None:
        self._done(self.name, controller)

    def _add(self, letter: str, controller: Controller) -> None:
        if len(self.name) < LONGEST:
            controller.show(replace(self, name=(self.name + letter).lstrip()))
        else:
            controller.signal(Signal.REFUSED)

    def take_text(self, text: str, controller: Controller) -> bool:
        """A name as it was typed or scanned; what holds no letters is none."""
        name = " ".join(text.split())[:LONGEST].rstrip()
        if not any(map(str.isalpha, name)):
            return False
        self._done(name, controller)
        return True

    def _done(self, name: str, controller: Controller) -> None:
        name = name.strip()
        controller.show(replace(self, name=name))
        self.keep(name.title() if name.isupper() else name, controller)
