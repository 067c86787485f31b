"""Whole deals of 6 nimmt! between robots."""

from __future__ import annotations

from collections.abc import Sequence

from companion.robots.arena.six_rounds import deal
from companion.robots.six.round import TURNS, place
from companion.robots.six.seen import SixPlayer, SixPlayerView, TurnCards


def played_by(players: Sequence[SixPlayer], seed: int) -> tuple[TurnCards, ...]:
    """The turns of one deal; a row is the cheapest one."""
    dealt = deal(seed, 0, 0, len(players))
    rows, hands = [[card] for card in dealt.rows], [list(hand) for hand in dealt.hands]
    turns: tuple[TurnCards, ...] = ()
    for _ in range(TURNS):
        now = tuple(map(tuple, rows))
        cards = tuple(
            player.card(SixPlayerView(len(players), seat, now, tuple(hands[seat]), turns))
            for seat, player in enumerate(players)
        )
        for hand, card in zip(hands, cards, strict=True):
            hand.remove(card)
        turns = (*turns, TurnCards(now, cards))
        place(rows, cards)
    return turns
