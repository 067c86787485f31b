"""The page of the operator of a kiosk, and the digits that open it."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final, Protocol

from companion.values import replace
from firmware.display.layout import Area, Layout
from firmware.display.plan import MAIN_WORDS, low_plan
from firmware.screens.parts.base import Controller, Page
from firmware.screens.parts.choice import ChoiceList, ChosenItem, draw_choices
from firmware.session.actions import ROW_KEYS, Action, KeyAction
from firmware.text.translation import LANGUAGES, Translator
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

DIGITS: Final = 4
_PER_PAGE: Final = 3


class KioskControl(Protocol):
    """What the pages of the operator ask the kiosk for."""

    def open_with(self, pin: str) -> bool:
        """Whether these digits open it; too many wrong ones close it for a while."""

    def lines(self, t: Translator) -> tuple[str, ...]:
        """What there is to know, one line each."""

    def begin_with(self, language: str) -> None:
        """Speak a language, and begin the attract loop with it, until the box is started again."""

    def let_owner_in(self) -> None:
        """Open the menu of the owner."""


class Pin(Page):
    """Four digits by the row keys; what was typed is not shown."""

    NAME: ClassVar[str] = "pin"
    door: KioskControl
    typed: str = ""

    def draw(self, canvas: Canvas, session: Session) -> None:
        """How many digits were typed."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("OPERATOR"))
        layout.hints(t("KEYS 1-4"), t("UNDO=BACK"))
        free = layout.free
        dots = " ".join("*" if place < len(self.typed) else "-" for place in range(DIGITS))
        layout.main(Area(0, free.y_px + 10, 128, 16), dots, MAIN_WORDS)

    def handle(self, action: Action, controller: Controller) -> bool:
        """A row key is a digit; the fourth one opens the page, or closes this one."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.UNDO:
            controller.close()
            return True
        if action.key not in ROW_KEYS:
            return False
        typed = f"{self.typed}{ROW_KEYS.index(action.key) + 1}"
        if len(typed) < DIGITS:
            controller.show(replace(self, typed=typed))
        elif self.door.open_with(typed):
            controller.show(Operator(self.door))
        else:
            controller.signal(Signal.REFUSED)
            controller.close()
            controller.say(controller.session.translate("WRONG PIN"))
        return True


class Operator(Page):
    """What the box has done, and what its operator can do."""

    NAME: ClassVar[str] = "operator"
    door: KioskControl
    page: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The figures; they are for one person who is near."""
        t = session.translate
        layout = Layout(canvas, low_plan(session.plan))
        lines = self.door.lines(t)
        pages = -(-len(lines) // _PER_PAGE)
        layout.title(t("OPERATOR"), t.digits(f"{self.page % pages + 1}/{pages}"))
        layout.hints(t("3=MENU"), t("4=MORE"), t("UNDO=BACK"))
        layout.hints(t("1=SOUND"), t("2=LANGUAGE"))
        first = self.page % pages * _PER_PAGE
        layout.lines(lines[first : first + _PER_PAGE])

    def handle(self, action: Action, controller: Controller) -> bool:
        """Sound, language, the menu of the owner, more figures, back."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        match action.key:
            case Key.ROW_1:
                controller.toggle_sound()
            case Key.ROW_2:
                controller.open(FirstLanguage(self.door))
            case Key.ROW_3:
                self.door.let_owner_in()
            case Key.ROW_4 | Key.DOWN | Key.TURN_RIGHT | Key.RIGHT:
                controller.show(replace(self, page=self.page + 1))
            case Key.UNDO:
                controller.close()
            case _:
                return False
        return True


class FirstLanguage(Page):
    """In which language the attract loop begins."""

    NAME: ClassVar[str] = "first_language"
    door: KioskControl
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The names of the languages."""
        t, layout, choices = session.translate, Layout(canvas, session.plan), self._choices(session)
        layout.title(t("LANGUAGE"), t.digits(choices.page_number))
        if layout.plan.choices_with_hints:
            layout.hints(t("OK=CHOOSE"), t("UNDO=BACK"))
        draw_choices(layout, choices, [LANGUAGES[key].title for key in choices.items])

    def handle(self, action: Action, controller: Controller) -> bool:
        """A key of the list, or back to the figures."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        match self._choices(controller.session).key(action):
            case ChosenItem(language):
                self.door.begin_with(language)
                controller.close()
            case ChoiceList(cursor=int(cursor)):
                controller.show(replace(self, cursor=cursor))
            case None if action.key is Key.UNDO:
                controller.close()
            case _:
                return False
        return True

    def _choices(self, session: Session) -> ChoiceList[str]:
        languages = tuple(LANGUAGES)
        cursor = languages.index(session.language) if self.cursor is None else self.cursor
        return ChoiceList(languages, cursor, session.plan.choices)
