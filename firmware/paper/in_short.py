"""How a table card looks: a picture of the most important rule, then the rules in two columns."""

from collections.abc import Callable, Mapping
from typing import Final

from companion.text.sentence import Text, say
from companion.values import Value
from firmware.paper import frame
from firmware.paper.pen import ACCENT, FAINT, INK, RULE, WASH, WHITE, Pen, Place, Type
from firmware.paper.stock import Box


class RulesSummary(Value):
    """A game on one page. `picture` draws into a box `tall` mm high, as wide as the page.

    On the left and on the right are rules: by the name of each what it says, in a sentence or two.
    """

    under: Text
    tall: float
    picture: Callable[[Pen, Box], None]
    left: Mapping[Text, Text]
    right: Mapping[Text, Text]
    device: tuple[Text, ...]


GAP: Final = 10.0
SIZES: Final = (14.0, 13.5, 13.0, 12.5, 12.0, 11.5, 11.0, 10.5, 10.0, 9.5, 9.0)
"""Letters in points, the largest first: a table card is read from across the table."""


_WITHOUT_BADGES: Final = say(
    "No badges? When it asks who plays, the first key adds a player. Later, keys choose players as well."
)


class _CardType(Value):
    size: float

    @property
    def name(self) -> Type:
        return Type(self.size + 1, bold=True, colour=ACCENT)

    @property
    def body(self) -> Type:
        return Type(self.size)

    @property
    def below_name(self) -> float:
        return self.name.leading + 0.6

    @property
    def between(self) -> float:
        return self.size * 0.34


def draw(pen: Pen, title: str, rules: RulesSummary) -> None:
    """One page, its letters as large as the page allows."""
    room = frame.page(pen, say("{game}", game=title), rules.under)
    picture = Box(room.x, room.y + 1, room.width, rules.tall)
    pen.box(picture, fill=WASH, round_mm=3.0)
    with pen.literal():
        rules.picture(pen, picture)
    top = picture.y + picture.height + 7.0
    left = room.y + room.height - top
    fitting = (looks for looks in map(_CardType, SIZES) if _need(pen, rules, room.width, looks) <= left)
    looks = next(fitting, _CardType(SIZES[-1]))
    wide = (room.width - GAP) / 2
    for number, column in enumerate((rules.left, rules.right)):
        x, y = room.x + number * (wide + GAP), top
        for name, says in column.items():
            pen.text(name, (x, y + looks.name.capital), looks.name)
            y = pen.paragraph(says, (x, y + looks.below_name), wide, looks.body) + looks.between
    device = (*rules.device, _WITHOUT_BADGES)
    tall = _device_height(pen, device, room.width, looks)
    _device(pen, device, Box(room.x, room.y + room.height - tall, room.width, tall), looks)


def _need(pen: Pen, rules: RulesSummary, width: float, looks: _CardType) -> float:
    wide = (width - GAP) / 2
    around = looks.below_name + looks.between
    columns = [
        sum(pen.lines(says, wide, looks.body) * looks.body.leading + around for says in column.values())
        for column in (rules.left, rules.right)
    ]
    return max(columns) + _device_height(pen, (*rules.device, _WITHOUT_BADGES), width, looks)


def _device_height(pen: Pen, said: tuple[Text, ...], width: float, looks: _CardType) -> float:
    lines = sum(pen.lines(text, width - 15, looks.body) for text in said)
    return 8.0 + looks.name.leading + lines * looks.body.leading + len(said) * 1.0


def _device(pen: Pen, said: tuple[Text, ...], box: Box, looks: _CardType) -> None:
    pen.box(box, stroke=INK, width=0.4, round_mm=3.0)
    name = Type(looks.name.size, bold=True)
    pen.text(say("With the device"), (box.x + 5, box.y + 4.5 + name.capital), name)
    y = box.y + 6.0 + name.leading
    for text in said:
        pen.circle((box.x + 6, y + looks.body.capital / 2), 0.7, fill=ACCENT)
        y = pen.paragraph(text, (box.x + 10, y), box.width - 15, looks.body) + 1.0


def small_card(pen: Pen, at: Place, name: str, *, tall: float = 14.0, new: bool = False) -> None:
    """A card in a picture; `new` is the one that is being played."""
    wide = tall * 0.66
    fill, stroke = (ACCENT, ACCENT) if new else (WHITE, FAINT)
    pen.box(Box(*at, wide, tall), fill=fill, stroke=stroke, round_mm=1.2)
    if name:
        look = Type(tall * 1.1, bold=True, colour=WHITE if new else INK).fitting(name, wide - 2.0)
        pen.text(name, (at[0] + wide / 2, at[1] + (tall + look.capital) / 2), look, align="center")


def empty_place(pen: Pen, at: Place, *, tall: float = 14.0) -> None:
    """Where a card can still go."""
    pen.box(Box(at[0], at[1], tall * 0.66, tall), stroke=RULE, round_mm=1.2)
