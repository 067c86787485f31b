"""The codes of the test page: the text says which kind and which module size a scanner has read.

They look like the cards of a game that does not exist, so they are as long as card codes, and no
table ever takes one for a card.
"""

from __future__ import annotations

from typing import Final

from companion.core.codes import card_code
from companion.values import Value
from firmware.paper.symbols import Code

NO_GAME: Final = "TP"
"""The two characters in place of a game's; no game may have them."""

SIZES_MM: Final = (0.25, 0.30, 0.35, 0.40, 0.45, 0.50)
"""The module sizes on the test page, in mm."""

_KINDS: Final = {1: Code.DATAMATRIX, 2: Code.QR, 3: Code.CODE128}


class Trial(Value):
    """A code of the test page."""

    code: Code
    module_mm: float

    @property
    def text(self) -> str:
        """What is in the code: 125 for a Data Matrix of 0.25 mm, 350 for a Code 128 of 0.50 mm."""
        kind = next(kind for kind, code in _KINDS.items() if code is self.code)
        return card_code(NO_GAME, kind * 100 + round(self.module_mm * 100))


TRIALS: Final = tuple(Trial(code, size) for size in SIZES_MM for code in _KINDS.values())


def read(text: str) -> Trial | None:
    """Which code of the test page a scanned text is; None if it is none of them."""
    came = text.strip().upper()
    return next((trial for trial in TRIALS if trial.text == came), None)
