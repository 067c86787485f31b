"""The rules of each game on one page, after the rulebooks. `in_short` draws them."""

from collections.abc import Mapping
from math import cos, pi, sin
from typing import Final

from companion.core.cards import Card, bullheads
from companion.text.errors import UnknownGame, did_you_mean
from companion.text.sentence import PAPER, ROCK, SCISSORS, in_context, say
from firmware.paper.figures import ARROW, BULL, placed
from firmware.paper.frame import beside
from firmware.paper.in_short import RulesSummary, empty_place, small_card
from firmware.paper.pen import ACCENT, FAINT, INK, RULE, WHITE, Pen, Type
from firmware.paper.stock import Box

_ROWS: Final = ((12, 14, 15, 21, 26), (37,), (43, 44), (58, 61))
_SAID: Final = (
    (30, say("30: closest to 26, and that row is full. Its owner takes the five; 30 starts the row again.")),
    (3, say("3: lower than 26, 37, 44 and 61. Its owner takes any one row; 3 starts it again.")),
    (51, say("51: higher than 26, 37 and 44, closest to 44. It goes here.")),
)
_FITS: Final = 51
"""The one of them that is simply added to its row."""


def _six_picture(pen: Pen, box: Box) -> None:
    step = (box.height - 6) / 4
    tall = step - 2.5
    wide = tall * 0.66 + 2.0
    text_x = box.x + 12 + 6 * wide + 12
    for row, cards in enumerate(_ROWS):
        x, y = box.x + 12, box.y + 4.2 + row * step
        number = Type(12, bold=True, colour=FAINT)
        pen.text(say("{row}", row=row + 1), (box.x + 5, y + tall / 2 + 1.6), number)
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
    step = (box.x + box.width - 4 - x) / 5
    for place, number in enumerate((55, 66, 70, 85, 104)):
        at = x + place * step
        pen.text(str(number), (at, middle - 1.4), Type(11, bold=True, colour=INK))
        for head in range(bullheads(Card(number))):
            column, line = head % 4, head // 4
            pen.shape(placed(BULL, (at + 1.6 + column * 3.3, middle + 2.0 + line * 3.4), 1.5), fill=ACCENT)


_DEAL: Final = in_context("on a table card", "Deal")

_SIX: Final = RulesSummary(
    under=say("2 to 10 players. Take as few bullheads as you can."),
    tall=72.0,
    picture=_six_picture,
    left={
        _DEAL: say("Ten cards each. Four more start the four rows. The rest is not used in this deal."),
        say("A turn"): say(
            "Everybody chooses one card, face down. All reveal theirs together. The lowest is placed first."
        ),
        say("Rule 1: ascending"): say("A card must be higher than the last card of its row."),
        say("Rule 2: smallest gap"): say("Of these rows it goes to the one whose last card is closest."),
        say("Rule 3: full row"): say(
            "If you play the sixth card, take the five in the row. Your card starts the row again."
        ),
    },
    right={
        say("Rule 4: lowest card"): say(
            "Lower than the last card of every row? Take any one row. Your card starts it again."
        ),
        say("Bullheads"): say(
            "55 has 7. Multiples of 11 have 5, of 10 have 3, other multiples of 5 have 2, all others 1."
        ),
        say("End"): say(
            "After ten turns, write down the bullheads and deal again. Once somebody has 66, the fewest "
            "bullheads win. Agree first whether 66 is enough or more are needed."
        ),
    },
    device=(
        say("Reveal the cards, then scan them all, in any order. It says where each one goes, and why."),
        say("Somebody takes a row? It asks who: scan the badge. A low card? Press the key of a row."),
        say("Something wrong? UNDO goes back as far as you like. “Check table” finds the differences."),
    ),
)


_EXAMPLES: Final = (
    (33, (34, 43), say("On 33 you can play 34 to 43: higher, by ten at most.")),
    (96, (97, 6), say("After 100 the numbers continue with 1: on 96 you can play 97 to 100 and 1 to 6.")),
)


def _eleven_picture(pen: Pen, box: Box) -> None:
    step = (box.height - 4) / 2
    tall = step - 5.0
    wide = tall * 0.66
    for row, (top, (low, high), says) in enumerate(_EXAMPLES):
        x, y = box.x + 8, box.y + 4.5 + row * step
        for under in (2.4, 1.2):
            small_card(pen, (x + under, y - under + 1.2), "", tall=tall)
        small_card(pen, (x, y + 1.2), str(top), tall=tall)
        pen.shape(placed(ARROW, (x + wide + 11, y + tall / 2 + 1.2), 4.0), fill=FAINT)
        at = x + wide + 20
        small_card(pen, (at, y + 1.2), str(low), tall=tall, new=True)
        pen.text(say("to"), (at + wide + 3.5, y + tall / 2 + 2.6), Type(11, colour=FAINT))
        small_card(pen, (at + wide + 10, y + 1.2), str(high), tall=tall, new=True)
        text_x = at + 2 * wide + 19
        beside(pen, says, (text_x, y + tall / 2 + 1.2), box.x + box.width - 6 - text_x, Type(12))


_ELEVEN: Final = RulesSummary(
    under=say("2 to 7 players. Be the first without cards in your hand."),
    tall=58.0,
    picture=_eleven_picture,
    left={
        _DEAL: say("Ten cards each. One card is turned up: the first pile. The rest is the draw pile."),
        say("Your turn"): say(
            "Either play one card on a pile, or take a whole pile into your hand. You may not pass."
        ),
        say("What fits"): say("A card higher than the top of the pile, by ten at most. After 100 comes 1."),
        say("Take a pile"): say(
            "Any pile, even if you could play. Its cards go into your hand, and two new piles are turned up. "
            "Your turn is over."
        ),
    },
    right={
        say("Bull cards"): say(
            "A pile of three or more gives you a bull card too. None left? Take one from the player who has "
            "the most. You keep it for the deal."
        ),
        say("What a bull card does"): say(
            "With one, play several cards on one pile: each at most ten above the card that was on top "
            "before. With two, on two piles, and so on. Show them first; the highest goes on top."
        ),
        say("End"): say(
            "The deal ends when a hand is empty. The others count the bullheads in their hands. The player "
            "with the most starts the next deal. Play as many deals as there are players; the fewest "
            "bullheads win."
        ),
    },
    device=(
        say("The device shows whose turn it is. Scan the card you play; if several piles fit, choose one."),
        say("Taking a pile: choose it, then scan the two cards that are turned up."),
        say(
            "A move with bull cards: scan its highest card first, or you are asked whose the next ones are. "
            "The next player simply plays on."
        ),
        say("Something wrong? UNDO goes back as far as you like."),
    ),
)


_COLOURS: Final = ((say("green"), "#2b7a3d"), (say("yellow"), "#e0a100"), (say("red"), "#c1121f"))


def _ciao_picture(pen: Pen, box: Box) -> None:
    centre = (box.x + 42, box.y + box.height / 2 + 4)
    radius = box.height * 0.36
    places = []
    for number, sign in enumerate((PAPER, ROCK, SCISSORS)):
        angle = 2 * pi * number / 3 - pi / 2
        at = (centre[0] + 1.45 * radius * cos(angle), centre[1] + radius * sin(angle))
        places.append(at)
        pen.circle(at, 10.0, fill=WHITE, stroke=INK, width=0.4)
        pen.text(sign.character, (at[0], at[1] + 1.2), Type(26), align="center")
        pen.text(sign.word, (at[0], at[1] + 6.4), Type(8.5, bold=True), align="center")
    for number, at in enumerate(places):
        _beats(pen, at, places[(number + 1) % 3])
    x = box.x + 92
    wide = box.x + box.width - 6 - x
    pen.paragraph(say("Each one beats the next."), (x, box.y + 8.2), wide, Type(11, bold=True))
    said = say("Paper beats rock, rock beats scissors, scissors beat paper, in any colour.")
    y = pen.paragraph(said, (x, box.y + 14), wide, Type(10))
    pen.paragraph(say("Same symbol? The colour decides."), (x, y + 4.2), wide, Type(11, bold=True))
    for number, (name, colour) in enumerate(_COLOURS):
        left = x + 4 + number * 29
        pen.circle((left, y + 15), 3.4, fill=colour)
        pen.text(str(number + 1), (left, y + 16.3), Type(10, bold=True, colour=WHITE), align="center")
        pen.text(name, (left + 5, y + 16.2), Type(10))
        if number:
            pen.text("<", (left - 7.5, y + 16.3), Type(11, bold=True, colour=ACCENT), align="center")
    pen.line((box.x + 86, box.y + 7), (box.x + 86, box.y + box.height - 7), colour=RULE)


def _beats(pen: Pen, at: tuple[float, float], to: tuple[float, float]) -> None:
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


_CIAO: Final = RulesSummary(
    under=say("2 to 6 players. Be the first without cards in your hand."),
    tall=62.0,
    picture=_ciao_picture,
    left={
        _DEAL: say(
            "Seven cards each. The rest is the draw pile. The youngest starts with any card; then clockwise."
        ),
        say("Your turn"): say(
            "Play a higher card, or draw one; the card you drew may be played at once if it fits."
        ),
        say("J: joker"): say("Goes on any card. Its player names the symbol; the colour is its own."),
        say("T: trouble card"): say(
            "Is never played. You get rid of it only with “bad card” or “swap hands”."
        ),
        say("Mistake"): say("Take the card back, draw three, lose a turn."),
    },
    right={
        say("AR: again or reverse"): say("Play again, or change the direction."),
        say("SC: speed challenge"): say(
            "All others may play at once; the first card that fits counts. Play continues from there."
        ),
        say("+3: three more"): say(
            "The next player draws three and loses the turn. A joker stops it; a +3 passes on six."
        ),
        say("BC: bad card, SW: swap hands"): say(
            "Give a card away; without “thank you” it costs three more. Or swap hands with a player."
        ),
        say("End"): say(
            "The deal is over when a hand is empty. In the others green counts 1, yellow 2, red 3, jokers "
            "and trouble cards 5. The fewest points after five deals win."
        ),
    },
    device=(
        say("The device shows whose turn it is. Scan the card you play, or press the key for what you do."),
        say("In a speed challenge the first scan that fits wins; the device asks who played it."),
        say("Something wrong? UNDO goes back as far as you like."),
    ),
)

RULES: Final[Mapping[str, RulesSummary]] = {"six": _SIX, "eleven": _ELEVEN, "ciao": _CIAO}
"""The rules of each game: one line a game."""


def rules_of(key: str) -> RulesSummary:
    """The rules of the game named `key`. Raises `UnknownGame`."""
    if key not in RULES:
        raise UnknownGame(say("there is no table card for {key}", key=repr(key)), did_you_mean(key, RULES))
    return RULES[key]
