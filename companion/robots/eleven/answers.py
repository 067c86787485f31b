"""The move of a robot, as answers to what the referee of 11 nimmt! asks one after the other.

A move with bull cards is several answers. It is thought out when it begins, and again at each further
question of it, from what was seen when it began: so nothing has to be kept between two answers.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from companion.core.ask import Answer, Ask, AskKind
from companion.robots.bits import places
from companion.robots.eleven.deal import bits
from companion.robots.eleven.seen import seen_by

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from companion.core.cards import Seat
    from companion.games.eleven.table import Table
    from companion.robots.eleven.deal import Move
    from companion.robots.eleven.players import ElevenPlayer
    from companion.robots.eleven.seen import Seen


def answer(
    player: ElevenPlayer, table: Table, asks: Sequence[Ask], seat: Seat, hand: Iterable[str]
) -> Answer:
    """What the player at a seat, with these cards in the hand, answers when it is to play or to choose."""
    ask = asks[0]
    if ask.kind is AskKind.WHOM:  # of those with most bull cards, the one who is nearest to the end
        return Answer(ask, min(ask.choices, key=lambda one: table.sizes[int(one)]), seat)
    move = _move(player, seen_by(table, seat, map(int, hand)))
    begun = table.before if table.moving and table.before is not None else table
    numbers = [str(pile.number) for pile in begun.piles]
    if ask.kind is AskKind.CHOOSE:
        wanted = (numbers[place] for place, cards in move if cards >> int(ask.card) - 1 & 1)
        return Answer(ask, next((one for one in wanted if one in ask.choices), ask.choices[0]), seat)
    laid = bits(one.card for one in table.laid)
    planned = sum(cards for _, cards in move)
    if not table.laid and not planned:
        take = next(one for one in asks if one.kind is AskKind.TAKE)
        return Answer(take, numbers[move[0][0]], seat)
    # Where something else was laid in its name, the robot lays nothing more.
    left = places(planned & ~laid) if not laid & ~planned else []
    if left:
        return Answer(ask, str(left[0] + 1), seat)
    return Answer(asks[-1], asks[-1].choices[0], seat)


@lru_cache(maxsize=8)
def _move(player: ElevenPlayer, seen: Seen) -> Move:
    return player.move(seen)
