"""Names given at the table: whose badge it is, and the letters of the name.

Letters are chosen with the knob or the keys. A name that is typed on a keyboard, or scanned from a code with
letters, is taken as it comes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final

from companion.codes import BADGES
from firmware.display.layout import Area, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.screens.base import Page
from firmware.screens.choice import ChoiceList, Chosen, draw_choices
from firmware.session.actions import Action, BadgeAction, KeyAction, UnknownCodeAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
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


def name_players(controller: Controller) -> None:
    """Ask whose name is to be given."""
    controller.open(NameWhom())


@dataclass(frozen=True, slots=True)
class NameWhom(Page):
    """Which badge gets a name: it is scanned, or chosen from the list of all."""

    NAME: ClassVar[str] = "name_whom"
    cursor: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """All badges, with the names that they have."""
        t, layout = session.translate, Layout(canvas, session.plan)
        choices = self._choices(session.plan.choices)
        layout.title(t("WHOSE NAME?"), t.digits(choices.page_number))
        if layout.plan.choices_with_hints:
            layout.hints(t("SCAN A BADGE"), t("OK=THIS ONE"))
        draw_choices(layout, choices, [_label(badge, session) for badge in choices.items])

    def handle(self, action: Action, controller: Controller) -> bool:
        """A badge or a key of the list says who."""
        if isinstance(action, BadgeAction):
            controller.show(EnterName(action.badge))
            controller.signal(Signal.ACCEPTED)
            return True
        if not isinstance(action, KeyAction):
            return False
        match self._choices(controller.session.plan.choices).key(action):
            case Chosen(badge):
                controller.show(EnterName(badge))
            case ChoiceList(cursor=int(cursor)):
                controller.show(replace(self, cursor=cursor))
            case _:
                return False
        return True

    def _choices(self, per_page: int) -> ChoiceList[int]:
        return ChoiceList(tuple(BADGES), self.cursor, per_page)


def _label(badge: int, session: Session) -> str:
    name = session.badge_name(badge)
    return name if name == f"P{badge}" else f"{badge} {name}"


@dataclass(frozen=True, slots=True)
class EnterName(Page):
    """The name of a badge, letter by letter. `at` is the place of the letter that OK takes; -1 is the end."""

    NAME: ClassVar[str] = "enter_name"
    badge: int
    name: str = ""
    at: int = 0
    alphabet: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """What is entered so far, large, and below it the letters around the one that OK takes."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("NAME OF BADGE {badge}", badge=self.badge), t.digits(f"{len(self.name)}/{LONGEST}"))
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
            return _take_text(self, action.text, controller)
        if isinstance(action, BadgeAction):
            controller.show(EnterName(action.badge))
            return True
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        wheel = letters(controller.session.translate.language, self.alphabet)
        if action.key in _STEPS:
            at = (self.at + 1 + _STEPS[action.key]) % (len(wheel) + 1) - 1
            controller.show(replace(self, at=at))
        elif action.key is Key.ROW_4 or (action.key is Key.OK and self.at < 0):
            _keep(self, controller)
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


def _take_text(page: EnterName, text: str, controller: Controller) -> bool:
    """A name as it was typed or scanned; False for what holds no letters."""
    name = " ".join(text.split())[:LONGEST].rstrip()
    if not any(map(str.isalpha, name)):
        return False
    _keep(replace(page, name=name), controller)
    return True


def _keep(page: EnterName, controller: Controller) -> None:
    """Keep the name and close the page, unless the name is taken."""
    name = page.name.strip()
    if keep_name(page.badge, name.title() if name.isupper() else name, controller):
        controller.close()
    else:
        controller.show(page)


def keep_name(badge: int, name: str, controller: Controller) -> bool:
    """Keep a name, unless the display could not tell it from another one; an empty one removes it."""
    session, t = controller.session, controller.session.translate
    if name and not session.is_free(badge, name):
        controller.signal(Signal.REFUSED)
        controller.say(t("THIS NAME IS TAKEN"))
        return False
    session.give_name(badge, name)
    controller.signal(Signal.ACCEPTED)
    controller.say(t("{badge} IS {name}", badge=badge, name=session.badge_name(badge)))
    return True
