"""11 nimmt! on one page, after the rulebook."""

from typing import Final

from companion.text.sentence import in_context, say
from firmware.paper.figures import ARROW, placed
from firmware.paper.in_short import InShort, Point, beside, small_card
from firmware.paper.pen import FAINT, Pen, Type
from firmware.paper.stock import Box

_EXAMPLES: Final = (
    (33, (34, 43), say("On 33 you can play 34 to 43: higher, by ten at most.")),
    (96, (97, 6), say("After 100 the numbers continue with 1: on 96 you can play 97 to 100 and 1 to 6.")),
)


def _picture(pen: Pen, box: Box) -> None:
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


RULES: Final = InShort(
    under=say("2 to 7 players. Be the first without cards in your hand."),
    tall=58.0,
    picture=_picture,
    left=(
        Point(
            in_context("on a table card", "Deal"),
            say("Ten cards each. One card is turned up: the first pile. The rest is the draw pile."),
        ),
        Point(
            say("Your turn"),
            say("Either play one card on a pile, or take a whole pile into your hand. Nobody passes."),
        ),
        Point(
            say("What fits"),
            say("A card higher than the top of the pile, by ten at most. After 100 comes 1."),
        ),
        Point(
            say("Take a pile"),
            say(
                "Any pile, even if you could play. Its cards go to your hand, and two new piles are "
                "turned up. Your turn is over."
            ),
        ),
    ),
    right=(
        Point(
            say("Bull cards"),
            say(
                "A pile of three or more gives you a bull card too. None left? Take one from the "
                "player who has most. You keep it for the round."
            ),
        ),
        Point(
            say("What a bull card does"),
            say(
                "With one, play several cards on one pile: each within ten of its current top card. "
                "With two, on two piles, and so on. Show them first; the highest goes on top."
            ),
        ),
        Point(
            say("End"),
            say(
                "The round ends when a hand is empty. The others count the bullheads in their hands. "
                "The player with most starts the next round. Play as many rounds as players; the "
                "fewest win."
            ),
        ),
    ),
    device=(
        say("The device shows whose turn it is. Scan the card you play; if several piles fit, choose one."),
        say("Taking a pile: choose it, then scan the two cards that are turned up."),
        say("Something wrong? UNDO goes back as far as you like."),
    ),
)
