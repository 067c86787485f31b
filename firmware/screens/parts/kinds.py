"""Kinds of pages: a list with a cursor, a question before something is done, and sentences.

Four things stand on a page of a list, beside the row keys 1 to 4. A row key chooses its line at once. Up
and down (or the knob) move the cursor, OK chooses what is under it, left and right turn the page of a list
that has several. So each thing can be reached with the row keys and without them, however long the list is.

A `ChoiceList` holds no page and opens none: a page makes it from what it offers and its own cursor, and shows
itself again with the cursor that comes back.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, Final, Generic, TypeVar

from companion.text.sentence import NOTHING, Text, in_sentences, literal, say
from companion.values import Value, replace
from firmware.display.canvas import Canvas
from firmware.display.layout import Layout, paginate
from firmware.display.plan import Plan, large_plan, without_title
from firmware.play.table import Item, Table
from firmware.screens.parts.base import OK_BACK, UNDO_BACK, Keys, KeyUse, Page, back
from firmware.session.actions import ROW_KEYS
from firmware.session.session import Session
from hardware.ports import Key


class Confirm(Page):
    """The question, what would follow, in up to four lines, and what OK does; nothing is done before OK."""

    WAITS = Key.OK, 1.0
    title: Text
    follows: Text
    word: Text
    then: Callable[[Table], object]

    def draw(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        Layout(canvas, session.plan).sentence(t.say(self.title), t.say(self.follows), *self.hints(session))

    def keys(self, session: Session) -> Keys:
        return {
            Key.OK: KeyUse(self._do, say("OK={what}", what=self.word)),
            Key.UNDO: KeyUse(back, say("UNDO=NO")),
        }

    def _do(self, table: Table) -> None:
        table.close()
        self.then(table)


T = TypeVar("T")

PER_PAGE: Final = 4
"""Rows, piles and lines of a list on a page: there are four row keys. Larger letters have fewer lines."""

FORWARD: Final = (Key.DOWN, Key.TURN_RIGHT, Key.RIGHT)
BACK: Final = (Key.UP, Key.TURN_LEFT, Key.LEFT)


_CHOOSES: Final = say("CHOOSE IT")
MOVES: Final = say("ANOTHER CHOICE")
TURNS: Final = say("ANOTHER PAGE")


def first_of_page(place: int) -> int:
    """The first place of the page on which a place is shown, both counted from 0."""
    return place // PER_PAGE * PER_PAGE


def page_number(place: int, places: int) -> str:
    """Which page shows a place, such as 2/3; empty where all places have room on one page."""
    return f"{place // PER_PAGE + 1}/{-(-places // PER_PAGE)}" if places > PER_PAGE else ""


def cursor_moves(cursor: int | None, places: int, first: int = 0) -> dict[Key, int]:
    """Where each key moves a cursor: one place on or back, around the ends.

    A cursor that is not there yet (None) appears at the place `first`, or going back before it.
    """
    if not places:
        return {}
    on, before = (
        (first, (first - 1) % places) if cursor is None else ((cursor + 1) % places, (cursor - 1) % places)
    )
    return {**dict.fromkeys(FORWARD, on), **dict.fromkeys(BACK, before)}


class ChoiceList(Value, Generic[T]):
    """What can be chosen, in order, and the cursor (0-based), None before it was moved.

    `per_page` is how many stand on a page.
    """

    items: tuple[T, ...]
    cursor: int | None = None
    per_page: int = PER_PAGE

    @property
    def first(self) -> int:
        """The first place of the page that is shown."""
        place = min(self.cursor or 0, max(0, len(self.items) - 1))
        return place // self.per_page * self.per_page

    @property
    def shown(self) -> range:
        """The places of the page that is shown."""
        return range(self.first, min(self.first + self.per_page, len(self.items)))

    @property
    def page_number(self) -> str:
        """Which page is shown, such as 2/3; empty where there is one page."""
        return f"{self.first // self.per_page + 1}/{self._pages}" if self._pages > 1 else ""

    def keys(
        self,
        chosen: Callable[[T, Table], object],
        moved: Callable[[int, Table], object],
        hint: Text = NOTHING,
    ) -> Keys:
        """What the keys of the list do: `chosen` is given what they choose, `moved` the place of the cursor.

        `hint` tells of OK.
        """
        keys: Keys = {}
        # The list may have become shorter since the cursor was moved.
        if self.cursor is not None and self.cursor < len(self.items):
            keys[Key.OK] = KeyUse(partial(chosen, self.items[self.cursor]), hint, _CHOOSES)
        for key, place in zip(ROW_KEYS, self.shown, strict=False):
            keys[key] = KeyUse(partial(chosen, self.items[place]), help=_CHOOSES)
        moves = cursor_moves(self.cursor, len(self.items), self.first)
        keys |= {key: KeyUse(partial(moved, place), help=MOVES) for key, place in moves.items()}
        if self._pages > 1:
            for key, step in ((Key.RIGHT, 1), (Key.LEFT, -1)):
                place = (self.first // self.per_page + step) % self._pages * self.per_page
                keys[key] = KeyUse(partial(moved, place), help=TURNS)
        return keys

    @property
    def _pages(self) -> int:
        return max(1, -(-len(self.items) // self.per_page))


def without_views(keys: Keys, choices: ChoiceList[Any]) -> Keys:
    """The keys of a list on a page of a turn: left and right show the standings and all cards there.

    They turn its pages where it has several.
    """
    views = () if choices.page_number else (Key.LEFT, Key.RIGHT)
    return {key: use for key, use in keys.items() if key not in views}


class ListPage(Page, kw_only=True):
    """A page on which one of several things is chosen."""

    TITLE: ClassVar[Text] = NOTHING
    OK_HINT: ClassVar[Text] = NOTHING
    """The hint of OK while it chooses what is under the cursor."""
    BEGINS_AT: ClassVar[int | None] = None
    """Where the cursor stands before it was moved; None: nowhere."""
    OK_SELECTS_FIRST: ClassVar[bool] = False
    """Whether OK without a cursor chooses the first thing; else it brings the cursor there."""
    UNDO: ClassVar[KeyUse | None] = None
    """What UNDO does."""

    cursor: int | None = None
    """The place of the cursor, from 0; None before it was moved."""

    def offers(self, session: Session) -> Sequence[tuple[Text, Any]]:
        """What can be chosen, in order: its line, and the thing itself."""
        raise NotImplementedError

    def labels(self, session: Session) -> list[str]:
        """The lines alone."""
        return [session.translate.say(line) for line, _ in self.offers(session)]

    def choices(self, session: Session) -> ChoiceList[Any]:
        """The things alone, with the cursor."""
        things = tuple(thing for _, thing in self.offers(session))
        cursor = self.BEGINS_AT if self.cursor is None else self.cursor
        return ChoiceList(things, cursor, self.plan(session).choices)

    def chosen(self, item: Any, table: Table) -> None:  # noqa: ANN401 - what the list holds
        """Do what is chosen, where the list holds things to do."""
        item(table)

    def moved(self, cursor: int, table: Table) -> None:
        """Show the page with its cursor moved."""
        table.show(replace(self, cursor=cursor))

    def keys(self, session: Session) -> Keys:
        choices = self.choices(session)
        first = KeyUse(partial(self.moved, 0), help=MOVES)
        if self.OK_SELECTS_FIRST:
            first = KeyUse(partial(self.chosen, choices.items[0]), help=say("THE FIRST ONE"))
        keys = {Key.OK: first, **choices.keys(self.chosen, self.moved, self.OK_HINT)}
        return keys if self.UNDO is None else {**keys, Key.UNDO: self.UNDO}

    def heading(self, session: Session) -> str:
        return session.translate.say(self.TITLE)

    def plan(self, session: Session) -> Plan:
        """Where the list stands, and in which letters."""
        return session.plan

    def draw(self, canvas: Canvas, session: Session) -> None:
        self.draw_list(canvas, session)

    def draw_list(self, canvas: Canvas, session: Session, *, width_px: int = 0) -> Layout:
        """Draw title, hints and list, in so many pixels; gives the layout for what stands beside it."""
        plan, choices, title = self.plan(session), self.choices(session), self.heading(session)
        layout, number = Layout(canvas, plan), session.translate.digits(choices.page_number)
        key = "OK" if choices.cursor is None and self.hint(Key.OK, session) else ""  # else the cursor says it
        if plan.bar_px:
            layout.frame(title, *self.hints(session), aside=number, key=key, needs_px=plan.choices_px)
        self.draw_choices(layout, session, width_px=width_px)
        return layout

    def draw_choices(self, layout: Layout, session: Session, *, width_px: int = 0) -> None:
        """Draw the lines of the page that is shown, each behind the picture of its row key."""
        choices, labels = self.choices(session), self.labels(session)
        lit = None if choices.cursor is None else choices.cursor - choices.first
        layout.choices([labels[place] for place in choices.shown], lit, width_px=width_px)


class LargeList(ListPage):
    """A list in large letters: for people who see the device for the first time."""

    def plan(self, session: Session) -> Plan:
        return large_plan(session.plan)


class NotNow(Value):
    """A thing of a menu that cannot be done now: why not."""

    why: Text

    def __call__(self, table: Table) -> None:
        table.explain(self.why, NOTHING)


class Menu(ListPage):
    """A list of things to do; the page has closed when the chosen one is done.

    `low` leaves the title out where a page would have fewer than four things with it: then each stands beside
    the same key in letters of every size.
    """

    BEGINS_AT = 0
    OK_HINT = say("OK=SELECT")
    UNDO = UNDO_BACK
    title: Text
    items: tuple[Item, ...]
    low: bool = False

    def offers(self, session: Session) -> tuple[Item, ...]:
        return self.items

    def plan(self, session: Session) -> Plan:
        plan = session.plan
        return without_title(plan) if self.low and plan.choices < PER_PAGE else plan

    def chosen(self, item: Callable[[Table], object], table: Table) -> None:
        if not isinstance(item, NotNow):
            table.close()
        item(table)

    def draw_choices(self, layout: Layout, session: Session, *, width_px: int = 0) -> None:
        shown = enumerate(self.choices(session).shown)
        layout.hollow = frozenset(row for row, place in shown if isinstance(self.items[place][1], NotNow))
        super().draw_choices(layout, session, width_px=width_px)

    def heading(self, session: Session) -> str:
        return session.translate.say(self.title)


def with_title(head: str, title: str, session: Session) -> Text:
    """A line of a menu that ends with the title of a game, shortened to what is left of the line."""
    font = session.plan.text[-1]
    room_px = session.plan.choice_px() - font.width_px(f"{head}-") + font.width_px("-")
    return literal(head + session.translate.isolated(font.fit(title, room_px)))


class Message(Page, kw_only=True):
    """Sentences, on as many pages as they need."""

    TITLE: ClassVar[Text] = NOTHING
    FAULT_AND_FIX: ClassVar[bool] = False
    """Whether it tells a fault and what to do about it."""
    NUMBERED: ClassVar[bool] = True
    """Whether the title tells which page is shown."""
    LAST: ClassVar[KeyUse] = OK_BACK
    """What OK does on the last page."""

    part: int = 0
    """Which page is shown, from 0."""

    def heading(self, session: Session) -> str:
        return session.translate.say(self.TITLE)

    def sentences(self, session: Session) -> tuple[Text, ...]:
        raise NotImplementedError

    def aside(self) -> Text:
        """What stands beside the keys, and is none."""
        return NOTHING

    def keys(self, session: Session) -> Keys:
        if self.part + 1 < len(self.pages(session)):
            return {Key.OK: KeyUse(self.shows(part=self.part + 1), say("OK=MORE"))}
        return {Key.OK: self.LAST}

    def draw(self, canvas: Canvas, session: Session) -> None:
        layout, pages = Layout(canvas, session.plan), self.pages(session)
        part = f"{self.part + 1}/{len(pages)}" if self.NUMBERED and len(pages) > 1 else ""
        layout.title(self.heading(session), session.translate.digits(part))
        layout.hints(*self.hints(session), session.translate.say(self.aside()))
        layout.lines(pages[self.part])

    def pages(self, session: Session) -> list[list[str]]:
        said = map(session.translate.say, self.sentences(session))
        if self.FAULT_AND_FIX:
            said = map(in_sentences, said)
        return paginate(session.plan, *filter(None, said))
