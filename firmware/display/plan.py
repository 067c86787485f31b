"""Plans: where the parts of a page stand, and in which letters, for a script and a size of letters.

A page says what it shows: a title with an aside, its one main thing, lines, choices, hints. The plan says how
high the title bar is, how far lines are apart and how many there are, how many choices stand on a page, which
letters are tried, and from which side people read. `layout` draws by it.

Rows of cards, cards and graphs are pictures. They run from left to right in every language, because the cards
on the table do.
"""

from enum import Enum
from typing import Final

from companion.values import Value, replace
from firmware.display.glyphs import CONDENSED, LARGE, MEDIUM, NARROW, SLIM, SMALL, TALL, Font

HEIGHT_PX: Final = 64
WIDTH_PX: Final = 128


class Size(Enum):
    """How large the letters are; the value is that of the key `screen.size`."""

    NORMAL = "normal"
    LARGE = "large"


class Plan(Value):
    """Measures in pixels, and fonts. Of several fonts the first in which a text has room is used."""

    name: str
    title: tuple[Font, ...]
    text: tuple[Font, ...]
    """Of lines and choices."""

    hints: tuple[Font, ...]
    detail: tuple[Font, ...]
    """Of words beside pictures, where there is less room than a line has."""

    bar_px: int
    """Height of the title bar."""

    below_bar_px: int
    """Dark rows between the title bar and the letters of lines."""

    pitch_px: int
    """From line to line, and from choice to choice."""

    choice_pitch_px: int
    hint_px: int
    """Height of the strip at the bottom in which the hints stand."""

    lines: int
    """Lines between the title bar and the hints."""

    choices: int
    """Choices on a page of a list."""

    row_top_px: int
    """Where the first of four rows of cards begins: at the upper edge, if no title bar has room above."""

    row_pitch_px: int
    """From row of cards to row of cards."""

    row_font: Font
    right_to_left: bool = False

    @property
    def rows_px(self) -> int:
        """Height of four rows."""
        return 4 * self.row_pitch_px

    @property
    def choices_px(self) -> int:
        """Height of all choices of a page."""
        return self.choice_pitch_px * self.choices

    @property
    def choice_top_px(self) -> int:
        """Where the first choice begins: all stand in the middle, where they leave room for hints."""
        spare_px = HEIGHT_PX - self.bar_px - self.choices_px - self.hint_px
        least_px = 1 + self.below_bar_px if self.bar_px else 0  # what touches the bar cannot be read
        return self.bar_px + max(least_px, spare_px // 2)

    @property
    def choice_key(self) -> tuple[Font, int]:
        """The letters of the keys beside choices, as large as the choices are high, and a key's width."""
        high = self.choice_pitch_px > TALL.capital_px
        return (TALL, 13) if high else (self.hints[0], 9)

    def choice_px(self, width_px: int = WIDTH_PX) -> int:
        """The room of a choice beside its key, where the list is so wide."""
        return width_px - 6 - self.choice_key[1] - 3

    @property
    def whole_lines(self) -> int:
        """Lines below the title bar where there are no hints."""
        return (HEIGHT_PX - self.bar_px) // self.pitch_px


MAIN: Final = (LARGE, TALL, CONDENSED, SLIM)
"""The letters of the one thing a page says to all around the table, largest first; none is below 14 px."""
MAIN_WORDS: Final = (TALL, CONDENSED, SLIM)
"""The same where there is one line for it."""
NORMAL: Final = Plan(
    "normal",
    title=(SMALL, NARROW),
    text=(SMALL, NARROW),
    hints=(SMALL, NARROW),
    detail=(SMALL, NARROW),
    bar_px=9,
    below_bar_px=1,
    pitch_px=9,
    choice_pitch_px=10,
    hint_px=9,
    lines=5,
    choices=4,
    row_top_px=10,
    row_pitch_px=13,
    row_font=MEDIUM,
)
"""Latin letters of 7 px for details: for panels of 2.42 inches and more."""

LARGE_LATIN: Final = Plan(
    "large",
    title=(CONDENSED, SLIM),
    text=(CONDENSED, SLIM),
    hints=(CONDENSED, SLIM, SMALL, NARROW),
    detail=(CONDENSED, SLIM, SMALL, NARROW),
    bar_px=16,
    below_bar_px=0,
    pitch_px=16,
    choice_pitch_px=16,
    hint_px=16,
    lines=2,
    choices=3,
    row_top_px=0,
    row_pitch_px=16,
    row_font=TALL,
)
"""Latin letters of 14 px for everything: four lines on a display, for panels of 1.3 inches."""

PERSIAN: Final = replace(NORMAL, name="persian", right_to_left=True)
"""Small Persian letters for details."""
LARGE_PERSIAN: Final = replace(
    LARGE_LATIN,
    name="large persian",
    title=(MEDIUM, SMALL, NARROW),
    text=(MEDIUM, SMALL, NARROW),
    hints=(MEDIUM, SMALL, NARROW),
    detail=(MEDIUM, SMALL, NARROW),
    bar_px=15,
    below_bar_px=1,
    right_to_left=True,
)
"""Persian letters, which are 12 px above the line and 4 below it: four lines on a display."""

_PLANS: Final = {Size.NORMAL: (NORMAL, PERSIAN), Size.LARGE: (LARGE_LATIN, LARGE_PERSIAN)}
"""Of each size: from left to right, and from right to left."""
_RIGHT_TO_LEFT: Final = frozenset({"fa"})


def large_plan(plan: Plan) -> Plan:
    """The plan with large letters in the same script: for people who see the device for the first time."""
    return _PLANS[Size.LARGE][plan.right_to_left]


def without_title(plan: Plan) -> Plan:
    """A plan whose choices fill the display: there is one more of them, and no title."""
    return replace(plan, bar_px=0, choices=plan.choices + 1)


LOW: Final = (SMALL, NARROW)
"""The letters of lines that are lower than those of a plan."""


def with_small_titles(plan: Plan) -> Plan:
    """A plan with lower letters for what is too wide for a title."""
    return replace(plan, title=(*plan.title, *LOW))


LOW_PX: Final = NORMAL.pitch_px
"""From line to line of these letters, Persian ones too."""


def low_plan(plan: Plan) -> Plan:
    """The plan with low letters in the same script: for much that one person reads from near."""
    return replace(NORMAL, name=plan.name, right_to_left=plan.right_to_left)


def for_list(plan: Plan, players: int, above_px: int = 0) -> Plan:
    """The plan of a page with a list of players in two columns between title and hints.

    `above_px` are taken by something else. Where the lines would have no room, it is one with low letters.
    """
    free_px = HEIGHT_PX - plan.bar_px - plan.hint_px - above_px
    return plan if -(-players // 2) * LOW_PX <= free_px else low_plan(plan)


def plan_for(language: str, size: Size = Size.NORMAL) -> Plan:
    """The plan of a language (`de`) and a size of letters."""
    return _PLANS[size][language in _RIGHT_TO_LEFT]
