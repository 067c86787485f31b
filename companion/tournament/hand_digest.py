"""The digest of a hand: with it a box finds out whether a hand is the right one, without knowing any hand.

Where all tables of a tournament play the same deals, each box is told a salt and a digest of each hand. Once
a hand is scanned, the box makes its digest and compares.
"""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Iterable

# A fast hash would tell the hand. Of 26 million million hands of 10 of 104 cards a graphics card tries all
# within the hour. Whoever has a hand and sees the rows and some plays of another player has far fewer to try:
# 5 million when half of a hand is played. So each try has to cost: 16 MB and about 50 ms with these numbers.
# The memory keeps graphics cards from trying thousands at a time. The last three cards of a hand can be found
# within minutes even so: that is why the topic of a table is not for everybody to read.
_COST: Final = 2**14
_BLOCK: Final = 8
_PARALLEL: Final = 1
_MOST_MEMORY_BYTES: Final = 2**25
_LENGTH_BYTES: Final = 8


def digest_of(salt: str, deal: int, seat: int, cards: Iterable[int]) -> str:
    """The digest of a hand in a deal (from 1) at a seat (from 0): 16 hexadecimal digits.

    It takes 16 MB and about 50 ms, on a small board several times as long, and lets other threads run.
    """
    hand = f"{deal}\n{seat}\n{' '.join(map(str, sorted(cards)))}\n"
    return hashlib.scrypt(
        hand.encode(),
        salt=salt.encode(),
        n=_COST,
        r=_BLOCK,
        p=_PARALLEL,
        maxmem=_MOST_MEMORY_BYTES,
        dklen=_LENGTH_BYTES,
    ).hex()
