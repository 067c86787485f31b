"""6 nimmt! on one page, after the rulebook."""

from typing import Final

from companion.core.cards import Card, bullheads
from companion.text.sentence import in_context, say
from firmware.paper.figures import ARROW, BULL, placed
from firmware.paper.in_short import InShort, Point, beside, empty_place, small_card
from firmware.paper.pen import ACCENT, FAINT, INK, Pen, Type
from firmware.paper.stock import Box

_ROWS: Final = ((12, 14, 15, 21, 26), (37,), (43, 44), (58, 61))
_SAID: Final = (
    (30, say("30: closest to 26, and that row is full. Its owner takes the five; 30 starts the row again.")),
    (3, say("3: lower than 26, 37, 44 and 61. Its owner takes any one row; 3 starts it again.")),
    (51, say("51: higher than 26, 37 and 44, closest to 44. It goes here.")),
)
_FITS: Final = 51
"""The one of them that is simply added to its row."""


def _picture(pen: Pen, box: Box) -> None:
    step = (box.height - 6) / 4
    tall = step - 2.5
    wide = tall * 0.66 + 2.0
    text_x = box.x + 12 + 6 * wide + 12
    for row, cards in enumerate(_ROWS):
        x, y = box.x + 12, box.y + 4.2 + row * step
        pen.text(
            say("{row}", row=row + 1), (box.x + 5, y + tall / 2 + 1.6), Type(12, bold=True, colour=FAINT)
        )
        for place in range(5):
            at = (x + place * wide, y)
            if place < len(cards):
                small_card(pen, at, str(cards[place]), tall=tall)
            else:
                empty_place(pen, at, tall=tall)
        if row >= len(_SAID):
            continue
        card, says = _SAID[row]
        place = len(cards) if card == _FITS else 5
        at = (x + place * wide + (0.0 if card == _FITS else 3.0), y)
        small_card(pen, at, str(card), tall=tall, new=True)
        pen.shape(placed(ARROW, (text_x - 4.0, y + tall / 2), 2.2), fill=ACCENT)
        beside(pen, says, (text_x, y + tall / 2), box.x + box.width - 5 - text_x, Type(9.5))
    _heads(pen, box, text_x, box.y + 4.2 + 3 * step + tall / 2)


def _heads(pen: Pen, box: Box, x: float, middle: float) -> None:
    """Five cards and their bullheads, as a reminder."""
    step = (box.x + box.width - 4 - x) / 5
    for place, number in enumerate((55, 66, 70, 85, 104)):
        at = x + place * step
        pen.text(str(number), (at, middle - 1.4), Type(11, bold=True, colour=INK))
        for head in range(bullheads(Card(number))):
            column, line = head % 4, head // 4
            pen.shape(placed(BULL, (at + 1.6 + column * 3.3, middle + 2.0 + line * 3.4), 1.5), fill=ACCENT)


RULES: Final = InShort(
    under=say("2 to 10 players. Take as few bullheads as you can."),
    tall=72.0,
    picture=_picture,
    left=(
        Point(
            in_context("on a table card", "Deal"),
            say("Ten cards each. Four more start the four rows. The rest is not used in this round."),
        ),
        Point(
            say("A turn"),
            say("Everybody chooses one card, face down. All reveal it together. The lowest is placed first."),
        ),
        Point(say("Rule 1: ascending"), say("A card must be higher than the last card of its row.")),
        Point(
            say("Rule 2: smallest gap"), say("Of these rows it goes to the one whose last card is closest.")
        ),
        Point(
            say("Rule 3: full row"),
            say("If you play the sixth card, take the five in the row. Your card starts the row again."),
        ),
    ),
    right=(
        Point(
            say("Rule 4: lowest card"),
            say("Lower than the last card of every row? Take any one row. Your card starts it again."),
        ),
        Point(
            say("Bullheads"),
            say("55 has 7. Multiples of 11 have 5, of 10 have 3, other multiples of 5 have 2, all others 1."),
        ),
        Point(
            say("End"),
            say(
                "After ten turns, write down the bullheads and deal again. Once somebody has 66, the "
                "fewest win. Agree first whether 66 is enough or more are needed."
            ),
        ),
    ),
    device=(
        say("Reveal the cards, then scan them all, in any order. It says where each one goes, and why."),
        say("Somebody takes a row? It asks who: scan the badge. A low card? Press the key of a row."),
        say("Something wrong? UNDO goes back as far as you like. “Check table” finds the differences."),
    ),
)
