"""Ciao! on one page, after the rulebook."""

from math import cos, pi, sin
from typing import Final

from companion.text.sentence import PAPER, ROCK, SCISSORS, in_context, say
from firmware.paper.figures import ARROW, placed
from firmware.paper.in_short import InShort, Point
from firmware.paper.pen import ACCENT, FAINT, INK, RULE, WHITE, Pen, Type
from firmware.paper.stock import Box

_COLOURS: Final = ((say("green"), "#2b7a3d"), (say("yellow"), "#e0a100"), (say("red"), "#c1121f"))


def _picture(pen: Pen, box: Box) -> None:
    centre = (box.x + 42, box.y + box.height / 2 + 4)
    radius = box.height * 0.36
    names = ((PAPER, say("paper")), (ROCK, say("rock")), (SCISSORS, say("scissors")))
    places = []
    for number, (picture, name) in enumerate(names):
        angle = 2 * pi * number / 3 - pi / 2
        at = (centre[0] + 1.45 * radius * cos(angle), centre[1] + radius * sin(angle))
        places.append(at)
        pen.circle(at, 10.0, fill=WHITE, stroke=INK, width=0.4)
        pen.text(picture, (at[0], at[1] + 1.2), Type(26), align="center")
        pen.text(name, (at[0], at[1] + 6.4), Type(8.5, bold=True), align="center")
    for number, at in enumerate(places):
        to = places[(number + 1) % 3]
        _beats(pen, at, to)
    x = box.x + 92
    wide = box.x + box.width - 6 - x
    pen.text(say("Each one beats the next."), (x, box.y + 11), Type(11, bold=True))
    y = pen.paragraph(
        say("Paper beats rock, rock beats scissors, scissors beat paper, in any colour."),
        (x, box.y + 14),
        wide,
        Type(10),
    )
    pen.text(say("Same symbol? The colour decides."), (x, y + 7), Type(11, bold=True))
    for number, (name, colour) in enumerate(_COLOURS):
        left = x + 4 + number * 29
        pen.circle((left, y + 15), 3.4, fill=colour)
        pen.text(str(number + 1), (left, y + 16.3), Type(10, bold=True, colour=WHITE), align="center")
        pen.text(name, (left + 5, y + 16.2), Type(10))
        if number:
            pen.text("<", (left - 7.5, y + 16.3), Type(11, bold=True, colour=ACCENT), align="center")
    pen.line((box.x + 86, box.y + 7), (box.x + 86, box.y + box.height - 7), colour=RULE)


def _beats(pen: Pen, at: tuple[float, float], to: tuple[float, float]) -> None:
    """An arrow from one circle to the next."""
    dx, dy = to[0] - at[0], to[1] - at[1]
    long = (dx * dx + dy * dy) ** 0.5
    ux, uy = dx / long, dy / long
    middle = ((at[0] + to[0]) / 2, (at[1] + to[1]) / 2)
    size = (long - 24) / 2
    turned = tuple(
        tuple((x * ux - y * 0.8 * uy, x * uy + y * 0.8 * ux) for x, y in piece)
        for piece in placed(ARROW, (0.0, 0.0), 1.0)
    )
    pen.shape(placed(turned, middle, size), fill=FAINT)


RULES: Final = InShort(
    under=say("2 to 6 players. Be the first without cards in your hand."),
    tall=62.0,
    picture=_picture,
    left=(
        Point(
            in_context("on a table card", "Deal"),
            say("Seven cards each, the rest is the draw pile. The youngest starts with any card, clockwise."),
        ),
        Point(
            say("Your turn"),
            say("Play a higher card, or draw one; the card you drew may be played at once if it fits."),
        ),
        Point(say("J: joker"), say("Goes on any card. Its player names the symbol; the colour is its own.")),
        Point(
            say("T: trouble card"),
            say("Is never played. You get rid of it only with “bad card” or “swap hands”."),
        ),
        Point(say("Mistake"), say("Take the card back, draw three, lose a turn.")),
    ),
    right=(
        Point(say("AR: again or reverse"), say("Play again, or change the direction.")),
        Point(
            say("SC: speed challenge"),
            say("All others may play at once; the first card that fits counts. Play continues from there."),
        ),
        Point(
            say("+3: three more"),
            say("The next player draws three and loses the turn. A joker stops it; a +3 passes on six."),
        ),
        Point(
            say("BC: bad card, SW: swap hands"),
            say("Give a card away; without “thank you” it costs three more. Or swap hands with a player."),
        ),
        Point(
            say("End"),
            say(
                "The round is over when a hand is empty. In the others green counts 1, yellow 2, red "
                "3, jokers and trouble cards 5. The fewest points after five rounds win."
            ),
        ),
    ),
    device=(
        say("The device shows whose turn it is. Scan the card you play, or press the key for what you do."),
        say("In a speed challenge the first scan that fits wins; the device asks who played it."),
        say("Something wrong? UNDO goes back as far as you like."),
    ),
)
