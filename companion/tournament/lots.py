"""Chance that everybody can repeat: numbers from a published seed, by SHA-256 and nothing else."""

from __future__ import annotations

from hashlib import sha256
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

T = TypeVar("T")
_WORDS: Final = 8
_WORD_BYTES: Final = 4
_RANGE: Final = 1 << (8 * _WORD_BYTES)


class Lots:
    """A sequence of lots for one purpose: `Lots("4 8 15", "seating", 2)`.

    Block k is the SHA-256 of the seed, the purposes and k, each followed by a line feed, in UTF-8. It gives
    eight numbers of 32 bits, the highest byte first. So any program can draw the same lots.
    """

    def __init__(self, seed: str, *purpose: object) -> None:
        self._head = "".join(f"{part}\n" for part in (seed, *purpose))
        self._words = self._all_words()

    def below(self, limit: int) -> int:
        """A number from 0 to below `limit`, each as likely as the others. `limit` is 1 to 2**32."""
        fair = _RANGE - _RANGE % limit  # the rest would make small numbers likelier
        return next(word for word in self._words if word < fair) % limit

    def shuffled(self, things: Iterable[T]) -> list[T]:
        """The things in an order drawn by lot (Fisher and Yates, from the end)."""
        order = list(things)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order

    def _all_words(self) -> Iterator[int]:
        block = 0
        while True:
            digest = sha256(f"{self._head}{block}\n".encode()).digest()
            for word in range(_WORDS):
                yield int.from_bytes(digest[word * _WORD_BYTES : (word + 1) * _WORD_BYTES], "big")
            block += 1
