"""At which speed a scanner sends, found by what arrives.

A byte that is read at another speed than it was sent at is another byte. Nearly all codes become bytes that
are no text. Some become a few characters that are: so as long as the speed is not known, only a code of
`SURE` characters or more counts, and settles it. Every other line moves on to the next speed.

The codes of cards and badges with check letters have six characters or more. All of them were read at every
wrong speed, as `hardware.simulation.uart` does it: none gave more than five characters of text. Labels with
bare numbers are too short to tell, and so is the first of them; the configuration can name the speed.
"""

import re
from collections.abc import Iterator
from itertools import chain, cycle
from typing import Final

BAUDS: Final = (9600, 115_200, 57_600, 38_400, 19_200, 4800)
"""What scanners are sold with, the most common first: the Grow modules (GM60 to GM869) and most hand scanners
on RS-232 send at 9600 baud, newer modules at 115200; their set-up codes offer the others."""

SURE: Final = 6
_CODE: Final = re.compile(rf"[0-9A-Za-z-]{{{SURE},}}")


class SpeedSearch:
    """The speed to read at. `baud` names it where it is configured, or does not matter: then it is kept."""

    def __init__(self, baud: int | None = None) -> None:
        self.baud = baud or BAUDS[0]
        self.known = self.fixed = baud is not None
        self.moves = 0
        """How often another speed was tried since the last one that was right."""
        self._next: Iterator[int] = cycle(BAUDS[1:] + BAUDS[:1])

    @property
    def exhausted(self) -> bool:
        """Whether every speed was tried."""
        return self.moves >= len(BAUDS)

    def accepts(self, text: str) -> bool:
        """Whether a line of text holds a code; the first one that is settles the speed."""
        if not self.known and _CODE.search(text):
            self.known, self.moves = True, 0
        return self.known

    def move_on(self) -> int:
        """Give up the speed; gives the next one to try.

        A speed that was right is tried between any two others: a wire that came loose for a moment is more
        likely than a scanner that was set to another speed.
        """
        if self.known:
            others = [baud for baud in BAUDS if baud != self.baud]
            self._next = cycle(chain.from_iterable((baud, self.baud) for baud in others))
            self.known = False
        self.moves += 1
        self.baud = next(self._next)
        return self.baud
