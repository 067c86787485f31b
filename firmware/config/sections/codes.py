"""The section `[codes]`: how scanned codes are read."""

from __future__ import annotations

from typing import Annotated

from companion.values import Value
from hardware.options import option


class CodesOptions(Value):
    """How scanned codes are read."""

    plain_numbers: Annotated[
        bool,
        option(
            "whether a bare number that the scanner reads, such as 55, is a card; only for cards whose codes "
            "are mere numbers. Typed numbers are always cards"
        ),
    ] = False
    strict: Annotated[
        bool,
        option(
            "whether badges and control codes need a check letter, as `nimmt print` makes them; set it to "
            "true when all old sheets are replaced"
        ),
    ] = False
    box: Annotated[
        int,
        option("the number of the box in play, if you have several boxes of the same game", low=1, high=9),
    ] = 1
