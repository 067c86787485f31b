"""How a table of Ciao! looks to machines, on the display, and in the check that no card is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.core.board import Audit, Board, Stack, Tally
from companion.core.game import Hides
from companion.games.ciao import rules
from companion.games.ciao.cards import face
from companion.games.ciao.events import Reshuffled
from companion.games.ciao.explain import IN_CAPITALS, answers, beating, fits, line, top_sign
from companion.games.ciao.table import fits_the_deck
from companion.text.sentence import NOTHING, Text, say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.games.ciao.table import Table

HIDDEN: Final[Mapping[str, Hides]] = {"hands": Hides.ALL, "pile": Hides.ALL, "drawn": Hides.ALL}
"""Nobody sees another hand, the draw pile, or the card that was drawn."""

HIDDEN_IN_EVENTS: Final[Mapping[str, Mapping[str, Hides]]] = {
    "card_registered": {"held": Hides.ALL},
    "card_given": {"card": Hides.ALL},
    "cards_drawn": {"cards": Hides.ALL},
    "table_adopted": {"hands": Hides.ALL, "pile": Hides.ALL},
}
"""The same in events. A card that was played lies open, even by mistake, and so do hands that are counted."""


def view(table: Table) -> dict[str, Any]:
    """The game's part of the protocol's state; what a position takes has the same name."""
    return {
        "top": table.top or None,
        "top_copy": table.top_copy,
        "turn": table.turn,
        "dir": table.dir,
        "pending": table.pending,
        "hand_sizes": [hand.size for hand in table.hands],
        "hands": [list(hand.known) for hand in table.hands],
        "draw": table.draw,
        "pile": list(table.pile),
        "discards": list(table.discards[:-1]),
        "skips": list(table.skips),
        "race": table.challenger,
        "stage": table.stage.value,
        "drawn": table.drawn,
        "shown": table.shown,
        "out": table.out,
        "counted": list(table.counted),
        "seen": [list(cards) for cards in table.counting],
    }


def board(table: Table) -> Board:
    """The top card, what beats it, the direction of play, and everybody's number of cards."""
    stacks = (Stack((table.top,), 0, 0, "", "0"),) if table.top else ()
    lines = tuple(made for event in table.news if (made := line(event, len(table.players))) is not None)
    skips = (Tally(say("SKIP"), table.skips),) if any(table.skips) else ()
    hands = tuple(hand.size for hand in table.hands)
    agreed = table.agreed
    beats = beating(
        table.top, colours=agreed.colours, pending=bool(table.pending), ordered=agreed.plus3_higher
    )
    return Board(
        stacks,
        table.moves + 1,
        0,
        _hint(table),
        lines,
        _facts(table),
        hands,
        skips,
        top=top_sign(table.top),
        beats=beats,
    )


def _hint(table: Table) -> Text:
    if any(isinstance(event, Reshuffled) for event in table.news):
        return rules.RESHUFFLE.title
    if table.fresh and not table.draw:
        return say("NO CARDS TO DRAW YET")
    if table.pending:
        return say("DRAW {cards}, OR JOKER", cards=table.pending)
    return NOTHING


def _facts(table: Table) -> tuple[Text, ...]:
    way = say("CLOCKWISE") if table.dir == 1 else say("REVERSED")
    return (*_top(table), say("PILE {cards}, {way}", cards=table.draw, way=way))


def _top(table: Table) -> tuple[Text, ...]:
    shown = face(table.top)
    if not table.top:
        return (say("NO CARD PLAYED YET"), say("OPEN WITH ANY CARD"))
    if shown is None:
        return (say("TOP JOKER"),)
    facts = {"symbol": IN_CAPITALS[shown.symbol], "colour": IN_CAPITALS[shown.colour]}
    agreed = table.agreed
    named = say("TOP {symbol} {colour} J", **facts) if table.named else say("TOP {symbol} {colour}", **facts)
    if table.pending:
        ordered = agreed.plus3_higher
        return (named, *answers(table.top, colours=agreed.colours, ordered=ordered))
    return (named, *fits(table.top, colours=agreed.colours))


def audit(table: Table) -> Audit:
    """Cards in hands, in the draw pile and on the table against those that are in the deal."""
    hands = sum(hand.size for hand in table.hands)
    lying = len(table.discards)
    says = say("HANDS {hands} PILE {draw}+{lying}", hands=hands, draw=table.draw, lying=lying)
    faults: list[Text] = []
    located = [*table.discards, *table.pile, *(card for hand in table.hands for card in hand.known)]
    if table.counts and not fits_the_deck(table.agreed, located):
        faults.append(say("a card is in two places"))
    if any(not 0 <= len(hand.known) <= hand.size for hand in table.hands):
        faults.append(say("a hand has fewer cards than are known to be in it"))
    return Audit(hands + table.draw + lying, table.total, says, tuple(faults))
