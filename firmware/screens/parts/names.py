"""Names of players, each beside the shape of its badge; and the pages on which a badge gets its name.

There it is entered letter by letter.

A name that is typed on a keyboard, or scanned from a code with letters, is taken as it comes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from itertools import pairwise
from types import MappingProxyType
from typing import Final

from companion.core.cards import Seat
from companion.core.codes import BADGES
from companion.text.sentence import Text, literal, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import BADGE_SHAPES, MEDIUM, Font
from firmware.display.layout import Area, Layout
from firmware.display.plan import LOW, MAIN, MAIN_WORDS
from firmware.play.table import Table
from firmware.screens.parts.base import Keys, KeyUse, Page, back
from firmware.screens.parts.kinds import ListPage
from firmware.session.session import Session
from hardware.ports import Key, Signal

PLAYERS_PER_PAGE: Final = 10
LONGEST_IN_LIST: Final = 8
"""Letters of a name that have room in a list of two columns."""
SHAPE_PX: Final = 7
"""Width and height of the shape of a badge beside a name in low letters."""

_LARGE_PX: Final = 14
_COLUMNS: Final = 2


def draw_badge(canvas: Canvas, area: Area, badge: int, *, large: bool = False) -> int:
    """The shape of a badge at the left of an area, in the middle of its height; the columns that it takes."""
    if not 1 <= badge <= BADGE_SHAPES:
        return 0
    size_px = _LARGE_PX if large else SHAPE_PX
    y_px = area.middle_px(size_px)
    canvas.icon(area.x_px, y_px, f"badge-{badge}", large=large)
    return size_px + (4 if large else 3)


def name_badge(layout: Layout, area: Area, session: Session, badge: int, fonts: Sequence[Font]) -> None:
    """The shape of a badge and the name of its player, from where a line begins.

    The name is set in the first font in which it has room, or shortened in the last one.
    """
    room, font = _beside_badge(layout, area, badge, session.names.of(badge), fonts)
    shown = session.names.fitting(badge, room.width_px, font)
    layout.put(room, shown, font)
    _note(layout, shown, font, fonts)


def _beside_badge(
    layout: Layout, area: Area, badge: int, words: str, fonts: Sequence[Font]
) -> tuple[Area, Font]:
    """Draw the shape of a badge; what is left of the area, and the first font in which words have room."""
    large = fonts[0].capital_px > 2 * SHAPE_PX - 4 and area.height_px >= _LARGE_PX
    fitting = [font for font in fonts if layout.height_px(words, font) <= area.height_px + 2] or [fonts[-1]]

    def best(shape_px: int) -> Font:
        return next((one for one in fitting if one.width_px(words) <= area.width_px - shape_px), fitting[-1])

    beside = best(_LARGE_PX + 4)  # a large shape gives way to larger letters, and to a whole name
    large = large and beside.width_px(words) <= area.width_px - _LARGE_PX - 4
    large = large and beside.capital_px >= min(MEDIUM.capital_px, best(SHAPE_PX + 3).capital_px)
    shape_px = (_LARGE_PX + 4 if large else SHAPE_PX + 3) if badge <= BADGE_SHAPES else 0
    shape, room = layout.split(area, shape_px - 3, 3) if shape_px else (area, area)
    draw_badge(layout.canvas, shape, badge, large=large)
    return room, best(area.width_px - room.width_px)


def name_beside(layout: Layout, area: Area, session: Session, seat: Seat, aside: str) -> None:
    """A player, large, and some words at the end of the line."""
    font, aside = layout.fitted(aside, area.width_px // 2, LOW)
    aside_px = font.width_px(aside) + 6 if aside else 0
    layout.put(area, aside, font, end=True)
    name, _ = layout.split(area, area.width_px - aside_px)
    name_badge(layout, name, session, session.badge(seat), MAIN_WORDS)


def _note(layout: Layout, shown: str, font: Font, fonts: Sequence[Font]) -> None:
    """Names in the letters of the main thing are a part of it."""
    if fonts in (MAIN, MAIN_WORDS):
        layout.canvas.note_main(layout.height_px(shown, font))


def name_seats(
    layout: Layout, area: Area, session: Session, seats: Sequence[Seat], fonts: Sequence[Font]
) -> None:
    """A player with the shape of the badge, or the names of several without."""
    if len(seats) == 1:
        name_badge(layout, area, session, session.badge(seats[0]), fonts)
        return
    whole = join_names(session, seats, 10 * area.width_px, fonts[-1])
    font = next((one for one in fonts if one.width_px(whole) <= area.width_px), fonts[-1])
    shown = join_names(session, seats, area.width_px, font)
    layout.put(area, shown, font)
    _note(layout, shown, font, fonts)


_SHORTEST: Final = "P10"
"""Less of a name tells nobody who that is."""


def join_names(session: Session, seats: Sequence[Seat], width_px: int, font: Font) -> str:
    """The names of some players, of a team with +, within a width: an equal part of each, or how many."""
    teams = session.playing.scoring.teams
    marks = ["+" if any({*pair} <= {*team} for team in teams) else "/" for pair in pairwise(seats)]

    def joined(names: Sequence[str]) -> str:
        return "".join(map("".join, zip(names, (*marks, ""), strict=False)))

    whole = joined([session.name(seat) for seat in seats])
    if font.width_px(whole) <= width_px:
        return whole
    each_px = (width_px - font.width_px("".join(marks))) // len(seats)
    parts = joined([session.names.fitting(session.badge(seat), each_px, font) for seat in seats])
    if each_px >= font.width_px(_SHORTEST) and font.width_px(parts) <= width_px:
        return parts
    many = session.translate("{count} PLAYERS", count=len(seats))
    return many if font.width_px(many) <= width_px else session.translate.number(len(seats))


def draw_players(
    layout: Layout,
    session: Session,
    badges: Sequence[int],
    lit: Collection[int] = (),
    called: Mapping[int, str] = MappingProxyType({}),
) -> int:
    """Number, shape and name of each player, two side by side, ten in all; the rows of pixels that they take.

    A badge may be `called` something else.
    The places in `lit` (counted from 0) are inverted. With many players the lines are lower than others of
    the plan.
    """
    plan, canvas, free = layout.plan, layout.canvas, layout.free
    lines = -(-len(badges) // _COLUMNS)
    pitch_px = min(plan.pitch_px, free.height_px // max(1, lines))
    fonts = plan.text if pitch_px >= plan.pitch_px else LOW
    top_px = free.y_px + plan.below_bar_px
    for place, badge in enumerate(badges):
        row, column = divmod(place, _COLUMNS)
        area = layout.column(Area(0, top_px + pitch_px * row, free.width_px, pitch_px), _COLUMNS, column)
        area = replace(area, width_px=area.width_px - 1)
        number, font = session.translate.number(badge), fonts[0]
        inner = Area(area.x_px + 1, area.y_px, area.width_px - 2, area.height_px)
        before, rest = layout.split(inner, font.width_px(session.translate.number(10)), 3)
        layout.put(before, number, font, end=not plan.right_to_left)  # numbers end at the same column
        if words := called.get(badge):
            room, font = _beside_badge(layout, rest, badge, words, (*fonts, *LOW))
            layout.put(room, font.fit(words, room.width_px), font)
        else:
            name_badge(layout, rest, session, badge, fonts)
        if place in lit:
            canvas.invert(area.x_px, area.y_px, area.width_px, area.height_px)
    return top_px + pitch_px * lines - free.y_px


LONGEST_NAME: Final = 16
"""Letters that can be entered here."""

_LATIN: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_UMLAUTS: Final = "ÄÖÜß"
_PERSIAN: Final = "آابپتثجچحخدذرزژسشصضطظعغفقکگلمنوهیئؤء"
_SIGNS: Final = " -.0123456789"
_HALF_SPACE: Final = "\u200c"
"""Parts two letters of a Persian name that would join: سید‌علی."""
_PERSIAN_SIGNS: Final = f" {_HALF_SPACE}-.۰۱۲۳۴۵۶۷۸۹"
_SHOWN: Final = {" ": "□", _HALF_SPACE: "نیم"}
_ALPHABETS: Final = {
    "en": (_LATIN, _UMLAUTS, _PERSIAN),
    "de": (_LATIN + "ÄÖÜß", _PERSIAN),
    "fa": (_PERSIAN, _LATIN),
}
"""The alphabets of a language, the usual one first; the last key shows the next one."""

_TURNS: Final = {Key.UP: -1, Key.LEFT: -1, Key.TURN_LEFT: -1, Key.DOWN: 1, Key.RIGHT: 1, Key.TURN_RIGHT: 1}
_BESIDE: Final = 3
"""Letters that are shown on each side of the one that OK takes."""


def letters(language: str, alphabet: int) -> tuple[str, ...]:
    """What can be entered, in the order of the knob: the letters of an alphabet, a space, signs."""
    alphabets = _ALPHABETS.get(language.partition("-")[0], _ALPHABETS["en"])
    chosen = alphabets[alphabet % len(alphabets)]
    return (*chosen, *(_PERSIAN_SIGNS if chosen is _PERSIAN else _SIGNS))


_WHEEL_PX: Final = 3 + 16 + 2 + 16
"""The name, and the letters below it."""


class EnterName(Page):
    """A name, letter by letter. `at` is the place of the letter that OK takes; -1 is the end.

    `keep` is given the name, and closes the page if it will do. `next_badge` gives the page for another badge
    that is shown, where the name is that of a badge.
    """

    title: Text
    keep: Callable[[str, Table], object]
    next_badge: Callable[[int], EnterName] | None = None
    name: str = ""
    at: int = 0
    alphabet: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        count = t.digits(f"{len(self.name)}/{LONGEST_NAME}")
        layout.frame(t.say(self.title), *self.hints(session), aside=count, needs_px=_WHEEL_PX)
        free = layout.free
        shown = Area(2, free.y_px + 3, free.width_px - 4, 16)
        layout.main(shown, f"{self.name.upper()}_", MAIN_WORDS)
        wheel = Area(0, shown.bottom_px + 2, free.width_px, free.bottom_px - shown.bottom_px - 3)
        self._draw_wheel(layout, wheel, session)

    def _draw_wheel(self, layout: Layout, area: Area, session: Session) -> None:
        """The letters run as their language does; the one in the middle is lit."""
        wheel = ("✓", *letters(session.translate.language, self.alphabet))
        area = replace(area, x_px=area.x_px + 1)
        for beside in range(-_BESIDE, _BESIDE + 1):
            letter = wheel[(self.at + 1 + beside) % len(wheel)]
            cell = layout.column(area, 2 * _BESIDE + 1, beside + _BESIDE)
            shown = _SHOWN.get(letter, letter.upper())
            font, shown = layout.fitted(shown, cell.width_px, (MAIN_WORDS[0], *layout.plan.detail))
            layout.put(cell, shown, font, centre=True)
            if beside == 0:
                layout.canvas.invert(cell.x_px, cell.y_px, cell.width_px, cell.height_px)

    def keys(self, session: Session) -> Keys:
        t = session.translate
        wheel = letters(t.language, self.alphabet)
        ends, places = self.at < 0, len(wheel) + 1
        delete, other = self.shows(name=self.name[:-1]), self.shows(alphabet=self.alphabet + 1, at=0)
        return {
            Key.OK: KeyUse(self._finish if ends else partial(self._add, wheel[self.at]), say("OK=TAKE")),
            Key.ROW_1: KeyUse(delete, say("R1=DELETE")),
            Key.ROW_4: KeyUse(self._finish, say("R4=DONE")),
            Key.ROW_2: KeyUse(partial(self._add, " "), help=say("A SPACE")),
            Key.ROW_3: KeyUse(other, help=say("OTHER LETTERS")),
            **{
                key: KeyUse(self.shows(at=(self.at + 1 + step) % places - 1), help=say("ANOTHER LETTER"))
                for key, step in _TURNS.items()
            },
            Key.UNDO: KeyUse(delete if self.name else back, help=say("DELETE, OR BACK")),
        }

    def take_badge(self, badge: int, table: Table) -> bool:
        if self.next_badge is None:
            return False
        table.show(self.next_badge(badge))
        return True

    def _finish(self, table: Table) -> None:
        self._done(self.name, table)

    def _add(self, letter: str, table: Table) -> None:
        if len(self.name) < LONGEST_NAME:
            table.show(replace(self, name=(self.name + letter).lstrip()))
        else:
            table.signal(Signal.REFUSED)

    def take_text(self, text: str, table: Table) -> bool:
        """A name as it was typed or scanned; what holds no letters is none."""
        name = " ".join(text.split())[:LONGEST_NAME].rstrip()
        if not any(map(str.isalpha, name)):
            return False
        self._done(name, table)
        return True

    def _done(self, name: str, table: Table) -> None:
        name = name.strip(f" {_HALF_SPACE}")
        table.show(replace(self, name=name))
        self.keep(name.title() if name.isupper() else name, table)


class NameWhom(ListPage):
    """Which badge gets a name: it is scanned, or chosen from the list of all."""

    TITLE = say("WHOSE NAME?")
    OK_HINT = say("OK=THIS ONE")
    BEGINS_AT = 0

    def offers(self, session: Session) -> list[tuple[Text, int]]:
        names = ((badge, session.names.of(badge)) for badge in BADGES)
        return [
            (literal(name if name == session.names.label(badge) else f"{badge} {name}"), badge)
            for badge, name in names
        ]

    def hints(self, session: Session) -> tuple[str, ...]:
        return session.translate("SCAN A BADGE"), *super().hints(session)

    def chosen(self, item: int, table: Table) -> None:
        table.show(enter_name_of(item))

    def take_badge(self, badge: int, table: Table) -> bool:
        self.chosen(badge, table)
        table.signal(Signal.ACCEPTED)
        return True


def enter_name_of(badge: int) -> EnterName:
    """The page on which a badge gets its name."""
    return EnterName(say("NAME OF BADGE {badge}", badge=badge), partial(_keep, badge), enter_name_of)


def _keep(badge: int, name: str, table: Table) -> None:
    if keep_name(badge, name, table):
        table.close()


def keep_name(badge: int, name: str, table: Table) -> bool:
    """Keep a name, unless the display could not tell it from another one; an empty one removes it."""
    session = table.session
    if name and not session.names.is_free(badge, name):
        table.decline(say("THIS NAME IS TAKEN"))
        return False
    session.names.give(badge, name)
    table.signal(Signal.ACCEPTED)
    table.say(say("{badge} IS {name}", badge=badge, name=session.names.of(badge)))
    return True
