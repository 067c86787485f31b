"""The screens of a table of a tournament, where four of eight players are seated."""

from typing import Final

from companion.values import replace
from firmware.extensions.tournament.messages import GiveSeats, Seated, Seats
from firmware.loop.react import handle_message
from firmware.play.table import Table
from firmware.scripted.scripts import UNTIL_10_KEYS, WON, PartScreens

_SEATED: Final = "b1 b2 b3 b4 "
_SEATS: Final = Seats(
    title="Friday",
    round=2,
    table=7,
    game="six",
    options={"end": {"target": 10}},
    players=tuple(Seated(badge, name) for badge, name in enumerate(("Ali", "Sara", "Max", "Leila"), start=1)),
    elsewhere={"5": 3},
)
_SAME_DEALS: Final = replace(_SEATS, options={"end": {"deals": 3}, "hands": True}, seed="4 8 15")
_REGISTRATION: Final = replace(_SEATS, round=0, players=(), elsewhere={}, tournament=1)


def _prepare(name: str, table: Table) -> None:
    seats = _REGISTRATION if "-regist" in name else _SAME_DEALS if "-hand" in name else _SEATS
    handle_message(table, GiveSeats(kind="act", seats=seats), table.now_s)


SCREENS: Final = PartScreens(
    scripts={"tournament-none": ":6NC-T041M"},
    prepared={
        "tournament-table": "b1 b3",
        "tournament-other-table": ":6NC-P05P",
        "tournament-no-seat": ":6NC-P10H",
        "tournament-registration": "",
        "tournament-registered": "b3",
        "tournament-registered-aside": "OK :6NC-T041M",
        "tournament-wrong-hand": _SEATED + "1 2 3 4 5 6 7 8 9 10 +1",
        "tournament-result": _SEATED + WON.removeprefix("R1 " + _SEATED + UNTIL_10_KEYS) + "OK OK b2 b4",
    },
    prepare=_prepare,
)
