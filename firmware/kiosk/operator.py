"""The page of the operator of a kiosk, and the digits that open it."""

from functools import partial
from typing import Final, Protocol

from companion.text.sentence import Text, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.layout import Area, Layout
from firmware.display.plan import MAIN_WORDS, low_plan
from firmware.play.table import Table
from firmware.screens.before.start import LanguageList
from firmware.screens.parts.base import UNDO_BACK, Keys, KeyUse, Page
from firmware.session.actions import ROW_KEYS
from firmware.session.session import Session
from hardware.ports import Key, Signal

DIGITS: Final = 4
_PER_PAGE: Final = 3


class KioskControl(Protocol):
    """What the pages of the operator ask the kiosk for."""

    def open_with(self, pin: str, table: Table) -> bool:
        """Whether these digits open it; too many wrong ones close it for a while."""

    def lines(self, table: Table) -> tuple[Text, ...]:
        """What there is to know, one line each."""

    def begin_with(self, language: str, table: Table) -> None:
        """Speak a language, and begin the attract loop with it, until the box is started again."""

    def let_owner_in(self, table: Table) -> None:
        """Open the menu of the owner."""


class Pin(Page):
    """Four digits by the row keys; what was typed is not shown."""

    door: KioskControl
    typed: str = ""

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("OPERATOR"))
        layout.hints(t("KEYS 1-4"), *self.hints(session))
        free = layout.free
        dots = " ".join("*" if place < len(self.typed) else "-" for place in range(DIGITS))
        layout.main(Area(0, free.y_px + 10, 128, 16), dots, MAIN_WORDS)

    def keys(self, session: Session) -> Keys:
        """A row key is a digit; the fourth one opens the page, or closes this one."""
        digits: Keys = {
            key: KeyUse(partial(self._type, str(digit)), help=say("A DIGIT"))
            for digit, key in enumerate(ROW_KEYS, start=1)
        }
        return {**digits, Key.UNDO: UNDO_BACK}

    def _type(self, digit: str, table: Table) -> None:
        typed = f"{self.typed}{digit}"
        if len(typed) < DIGITS:
            table.show(replace(self, typed=typed))
        elif self.door.open_with(typed, table):
            table.show(Operator(self.door, self.door.lines(table)))
        else:
            table.signal(Signal.REFUSED)
            table.close()
            table.say(say("WRONG PIN"))


class Operator(Page):
    """What the box has done, and what its operator can do."""

    door: KioskControl
    lines: tuple[Text, ...]
    page: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The figures; they are for one person who is near."""
        t = session.translate
        layout = Layout(canvas, low_plan(session.plan))
        pages = -(-len(self.lines) // _PER_PAGE)
        layout.title(t("OPERATOR"), t.digits(f"{self.page % pages + 1}/{pages}"))
        menu, more, leave, *others = self.hints(session)
        layout.hints(menu, more, leave)
        layout.hints(*others)
        first = self.page % pages * _PER_PAGE
        layout.lines([t.say(line) for line in self.lines[first : first + _PER_PAGE]])

    def keys(self, session: Session) -> Keys:
        more = replace(self, page=self.page + 1)
        following = KeyUse(lambda at: at.show(more), say("4=MORE"))
        return {
            Key.ROW_3: KeyUse(self.door.let_owner_in, say("3=MENU")),
            **dict.fromkeys((Key.ROW_4, Key.DOWN, Key.TURN_RIGHT, Key.RIGHT), following),
            Key.UNDO: UNDO_BACK,
            Key.ROW_1: KeyUse(lambda at: at.toggle_sound(), say("1=SOUND")),
            Key.ROW_2: KeyUse(lambda at: at.open(FirstLanguage(self.door)), say("2=LANGUAGE")),
        }


class FirstLanguage(LanguageList):
    """In which language the attract loop begins."""

    door: KioskControl

    def chosen(self, item: str, table: Table) -> None:
        self.door.begin_with(item, table)
        table.close()
