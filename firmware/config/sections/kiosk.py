"""The section `[kiosk]`: a box for strangers."""

from __future__ import annotations

import re
from typing import Annotated, Final

from companion.text.errors import CompanionError, quoted
from companion.text.sentence import say
from companion.values import Value
from hardware.options import option

_HOURS: Final = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])-([01]?[0-9]|2[0-4]):([0-5][0-9])")


_PIN: Final = re.compile(r"[1-4]{4}")


_LONGEST_WAIT_S: Final = 600.0


class KioskOptions(Value):
    """A box for strangers, see [kiosk.md](kiosk.md)."""

    on: Annotated[bool, option("whether the box is a kiosk")] = False
    open: Annotated[
        str,
        option(
            'the opening hours, such as "10:00-18:00", after which the display goes dark; empty: always open'
        ),
    ] = ""
    pin: Annotated[
        str,
        option(
            "four digits from 1 to 4, the row keys that open the page of the operator; empty: "
            "it does not open"
        ),
    ] = ""
    menu_warn_s: Annotated[
        float,
        option(
            "seconds without any input in a menu or lesson before the box asks who is there",
            low=5.0,
            high=_LONGEST_WAIT_S,
        ),
    ] = 20.0
    menu_leave_s: Annotated[
        float,
        option(
            "seconds from that question until the attract loop starts again", low=3.0, high=_LONGEST_WAIT_S
        ),
    ] = 10.0
    deal_warn_s: Annotated[
        float, option("the same in a deal, where visitors think", low=5.0, high=_LONGEST_WAIT_S)
    ] = 45.0
    deal_leave_s: Annotated[
        float,
        option(
            "seconds from that question in a deal until the attract loop starts again",
            low=3.0,
            high=_LONGEST_WAIT_S,
        ),
    ] = 15.0

    def __post_init__(self) -> None:
        if self.open and (not _HOURS.fullmatch(self.open) or self.hours is None):
            raise CompanionError(
                say("open = {hours} is no time span", hours=quoted(self.open)),
                say('write two times, such as "10:00-18:00"'),
            )
        if self.pin and not _PIN.fullmatch(self.pin):
            raise CompanionError(
                say("the pin does not have four digits from 1 to 4"),
                say('write four digits from 1 to 4, such as "3142": they are pressed on the row keys'),
            )

    @property
    def hours(self) -> tuple[int, int] | None:
        """Opening and closing time in minutes from midnight; None: always open."""
        found = _HOURS.fullmatch(self.open)
        if found is None:
            return None
        begin, end = (int(found[place]) * 60 + int(found[place + 1]) for place in (1, 3))
        return (begin, end) if begin != end and end <= 24 * 60 else None
