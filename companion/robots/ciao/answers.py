"""What a robot chooses, as answers to what the referee of Ciao! asks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.core.ask import Answer, Ask, AskKind
from companion.games.ciao.cards import Card, Symbol, kind
from companion.games.ciao.effects import Turn
from companion.games.ciao.legal import not_playable
from companion.games.ciao.table import Stage
from companion.games.ciao.view import Word
from companion.robots.ciao.cards import KIND
from companion.robots.ciao.deal import PASS
from companion.robots.ciao.seen import seen_by

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.core.cards import Seat
    from companion.games.ciao.table import Table
    from companion.robots.ciao.players import CiaoPlayer

_SYMBOLS = tuple(symbol.value for symbol in Symbol)


def card_to_play(player: CiaoPlayer, table: Table, seat: Seat, hand: Sequence[str]) -> Card | None:
    """The card that a player lays in its turn, or in a challenge; None: none.

    `hand` is in the order in which the cards came, the drawn one last.
    """
    of_hand = hand[-1:] if table.stage is Stage.DRAWN else hand
    cards = [Card(card) for card in of_hand if not not_playable(table, seat, Card(card))]
    fitting = {KIND[kind(card).name]: card for card in cards}
    if not fitting:
        return None
    return fitting.get(player.choose(seen_by(table, seat, hand), [*sorted(fitting), PASS]))


def answer(
    player: CiaoPlayer, table: Table, asks: Sequence[Ask], seat: Seat, hand: Sequence[str]
) -> Answer | None:
    """What the player at a seat, with these cards in the hand, answers; None: it answers no challenge.

    `hand` is in the order in which the cards came, the newest last.
    """
    ask = asks[0]
    if ask.kind is AskKind.RACE:
        card = card_to_play(player, table, seat, hand)
        return None if card is None else Answer(ask, card, seat)
    if ask.kind is AskKind.PLAY:
        card = card_to_play(player, table, seat, hand)
        return Answer(asks[1], asks[1].choices[0], seat) if card is None else Answer(ask, card, seat)
    seen = seen_by(table, seat, hand)
    match table.stage:
        case Stage.GIVE:
            cards = {KIND[kind(card).name]: card for card in hand}
            return Answer(ask, cards[player.choose(seen, sorted(cards))], seat)
        case Stage.TO | Stage.WITH:
            places = {table.players.index(one): one for one in table.players if str(one) in ask.choices}
            return Answer(ask, str(places[player.choose(seen, sorted(places))]), seat)
        case Stage.NAME:
            return Answer(ask, _SYMBOLS[player.choose(seen, range(len(_SYMBOLS)))], seat)
        case Stage.MODE:
            again = player.choose(seen, (1, 0))
            return Answer(ask, (Turn.AGAIN if again else Turn.REVERSE).value, seat)
        case Stage.TROUBLE:
            has_one = any(kind(card).trouble for card in hand)
            return Answer(ask, (Word.GOES if has_one else Word.STAYS).value, seat)
        case _:  # robots always say thank you
            return Answer(ask, ask.choices[0], seat)
