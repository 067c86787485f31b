"""A list with a cursor: the way in which every page lets players choose one of several things.

Four things stand on a page of the list, beside the row keys 1 to 4. A row key chooses its line at once. Up
and down (or the knob) move the cursor, OK chooses what is under it, left and right turn the page of a list
that has several. So each thing can be reached with the row keys and without them, however long the list is.

The value holds no page and opens none: a page makes it from what it offers and its own cursor, and shows
itself again with the cursor that comes back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Final, Generic, TypeVar

from companion.values import Value, replace
from firmware.display.layout import Layout
from firmware.screens.parts.base import Controller, Item, Page
from firmware.session.actions import ROW_KEYS, Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


class Confirm(Page):
    """The question, what would follow, in up to four lines, and what OK does; nothing is done before OK."""

    NAME: ClassVar[str] = "confirm"
    title: str
    follows: str
    word: str
    then: Callable[[Controller], object]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The question and what would follow."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.sentence(self.title, self.follows, t("OK={what}", what=self.word), t("UNDO=NO"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK carries it out."""
        if isinstance(action, KeyAction) and action.key is Key.OK and action.press is Press.SHORT:
            controller.close()
            self.then(controller)
            return True
        return False


class Menu(Page):
    """A list of things to do; the page has closed when the chosen one is done."""

    NAME: ClassVar[str] = "menu"
    title: str
    items: tuple[Item, ...]
    cursor: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The page of the list with the cursor."""
        t, layout = session.translate, Layout(canvas, session.plan)
        choices = self._choices(session.plan.choices)
        layout.title(self.title, session.translate.digits(choices.page_number))
        if layout.plan.choices_with_hints:
            layout.hints(t("OK=SELECT"), t("UNDO=BACK"))
        draw_choices(layout, choices, [label for label, _ in self.items])

    def handle(self, action: Action, controller: Controller) -> bool:
        """A key of the list does what it chooses."""
        if not isinstance(action, KeyAction):
            return False
        match self._choices(controller.session.plan.choices).key(action):
            case ChosenItem((_, do)):
                controller.close()
                do(controller)
            case ChoiceList(cursor=int(cursor)):
                controller.show(replace(self, cursor=cursor))
            case _:
                return False
        return True

    def _choices(self, per_page: int) -> ChoiceList[Item]:
        return ChoiceList(self.items, self.cursor, per_page)


T = TypeVar("T")

PER_PAGE: Final = 4
"""Lines on a page of a list: there are four row keys. Larger letters have fewer (`Plan.choices`)."""

_FORWARD: Final = (Key.DOWN, Key.TURN_RIGHT, Key.RIGHT)
_BACK: Final = (Key.UP, Key.TURN_LEFT, Key.LEFT)


def first_of_page(place: int) -> int:
    """The first place of the page on which a place is shown, both counted from 0."""
    return place // PER_PAGE * PER_PAGE


def page_number(place: int, places: int) -> str:
    """Which page shows a place, such as 2/3; empty where all places have room on one page."""
    return f"{place // PER_PAGE + 1}/{-(-places // PER_PAGE)}" if places > PER_PAGE else ""


def step_cursor(cursor: int | None, action: KeyAction, places: int) -> int | None:
    """The cursor one place on or back, around the ends; None if the key does not move it.

    A cursor that is not there yet (None) appears at the first place, or going back at the last one.
    """
    if action.press is not Press.SHORT or action.key not in (*_FORWARD, *_BACK) or not places:
        return None
    if cursor is None:
        return 0 if action.key in _FORWARD else places - 1
    return (cursor + (1 if action.key in _FORWARD else -1)) % places


class ChosenItem(Value, Generic[T]):
    """What was chosen."""

    item: T


class ChoiceList(Value, Generic[T]):
    """What can be chosen, in order, and the cursor (0-based), None before it was moved.

    `per_page` is how many stand on a page. The last `without_row` items stand in no row: only the cursor
    reaches them.
    """

    items: tuple[T, ...]
    cursor: int | None = None
    per_page: int = PER_PAGE
    without_row: int = 0

    @property
    def first(self) -> int:
        """The first place of the page that is shown."""
        last = max(0, self._rows - 1)
        return min(self.cursor or 0, last) // self.per_page * self.per_page

    @property
    def shown(self) -> range:
        """The places of the page that is shown."""
        return range(self.first, min(self.first + self.per_page, self._rows))

    @property
    def page_number(self) -> str:
        """Which page is shown, such as 2/3; empty where there is one page."""
        return f"{self.first // self.per_page + 1}/{self._pages}" if self._pages > 1 else ""

    def key(self, action: KeyAction) -> ChosenItem[T] | ChoiceList[T] | None:
        """What a key chooses, or the list with its cursor moved; None if the key does neither."""
        if action.press is not Press.SHORT:
            return None
        if action.key in ROW_KEYS:
            place = self.first + ROW_KEYS.index(action.key)
            return ChosenItem(self.items[place]) if place in self.shown else None
        if action.key is Key.OK:
            return None if self.cursor is None else ChosenItem(self.items[self.cursor])
        if action.key in (Key.LEFT, Key.RIGHT) and self._pages > 1:
            page = self.first // self.per_page + (1 if action.key is Key.RIGHT else -1)
            return replace(self, cursor=page % self._pages * self.per_page)
        cursor = step_cursor(self.cursor, action, len(self.items))
        return None if cursor is None else replace(self, cursor=cursor)

    @property
    def _rows(self) -> int:
        return len(self.items) - self.without_row

    @property
    def _pages(self) -> int:
        return max(1, -(-self._rows // self.per_page))


def draw_choices(
    layout: Layout, choices: ChoiceList[Any], labels: Sequence[str], *, width_px: int = 0
) -> None:
    """The page of the list that is shown: the cursor, the row key and the label, in so many pixels."""
    lit = None if choices.cursor is None else choices.cursor - choices.first
    layout.choices([labels[place] for place in choices.shown], lit, width_px=width_px)
