"""The section `[codes]`: how scanned codes are read."""

from __future__ import annotations

from dataclasses import dataclass

from hardware.options import option


@dataclass(frozen=True, slots=True)
class CodesOptions:
    """How scanned codes are read."""

    plain_numbers: bool = option(
        (
            "whether a bare number that the scanner reads, such as 55, is a card; only for cards whose codes "
            "are mere numbers. Typed numbers are always cards"
        ),
        default=False,
    )
    strict: bool = option(
        (
            "whether badges and control codes need a check letter, as `nimmt print` makes them; set it to "
            "true when all old sheets are replaced"
        ),
        default=False,
    )
    box: int = option(
        "the number of the box in play, if you have several boxes of the same game", 1, low=1, high=9
    )
