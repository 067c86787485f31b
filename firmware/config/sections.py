"""The sections of the configuration that describe no device: each a struct of its keys with their limits."""

import ipaddress
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final

from companion.core.codes import BADGES
from companion.text.errors import CompanionError, quoted
from companion.text.names import one_spelling
from companion.text.sentence import is_one_line
from companion.values import Value
from firmware.text.translation import ASK, CALENDAR_CHOICES, DIGIT_CHOICES, LANGUAGES
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
    box: Annotated[
        int,
        option("the number of the box in play, if you have several boxes of the same game", low=1, high=9),
    ] = 1


class JournalOptions(Value):
    """Where the matches are stored, and how many."""

    path: Annotated[
        str,
        option(
            "the journal file; if empty, `journal.sqlite` in `$STATE_DIRECTORY` (set by systemd), else in "
            "`~/.local/state/nimmt`",
            in_file=True,
        ),
    ] = ""

    keep_matches: Annotated[
        int,
        option(
            "how many matches the journal keeps; when there are more, the oldest finished ones are removed "
            "while nobody plays; 0 keeps all",
            low=0,
            high=1_000_000,
        ),
    ] = 0

    def __post_init__(self) -> None:
        try:
            place = Path(self.path).expanduser()
        except RuntimeError as error:
            raise CompanionError(
                f"the home folder in path = {quoted(self.path)} is not known", "write the whole path"
            ) from error
        if self.path and os.path.isdir(place):  # noqa: PTH112 - it raises nothing for a name that is too long
            raise CompanionError(
                f"path = {quoted(self.path)} is a folder", "write the path of a file, such as one in it"
            )

    def place(self, environ: Mapping[str, str]) -> Path:
        """The journal file as an absolute path, from the key or from `environ`; nothing is created."""
        if self.path:
            return Path(self.path).expanduser().absolute()
        if state := environ.get("STATE_DIRECTORY", "").partition(":")[0]:
            return Path(state).absolute() / "journal.sqlite"
        if state := environ.get("XDG_STATE_HOME", ""):
            return Path(state).absolute() / "nimmt" / "journal.sqlite"
        return Path("~/.local/state/nimmt/journal.sqlite").expanduser()


_HOURS: Final = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])-([01]?[0-9]|2[0-4]):([0-5][0-9])")


_PIN: Final = re.compile(r"[1-4]{4}")


_LONGEST_WAIT_S: Final = 600.0


class KioskOptions(Value):
    """A box for strangers, see [kiosk.md](kiosk.md)."""

    on: Annotated[bool, option("whether the box is a kiosk")] = False
    open: Annotated[
        str,
        option(
            'the opening hours, such as "10:00-18:00", outside which the display is dark; empty: always open'
        ),
    ] = ""
    pin: Annotated[
        str,
        option(
            "four digits from 1 to 4, the row keys that open the page of the operator; empty: it does not "
            "open"
        ),
    ] = ""
    menu_warn_s: Annotated[
        float,
        option(
            "seconds without any input in a menu before the box asks whether anybody is there",
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
        float,
        option(
            "the same in a lesson or a deal, where visitors read and think", low=5.0, high=_LONGEST_WAIT_S
        ),
    ] = 45.0
    deal_leave_s: Annotated[
        float,
        option(
            "seconds from that question in a lesson or a deal until the attract loop starts again",
            low=3.0,
            high=_LONGEST_WAIT_S,
        ),
    ] = 15.0

    def __post_init__(self) -> None:
        if self.open and (not _HOURS.fullmatch(self.open) or self.hours is None):
            raise CompanionError(
                f"open = {quoted(self.open)} is not a time span", 'write two times, such as "10:00-18:00"'
            )
        if self.pin and not _PIN.fullmatch(self.pin):
            raise CompanionError(
                "the pin does not have four digits from 1 to 4",
                'write four digits from 1 to 4, such as "3142": they are pressed on the row keys',
            )

    @property
    def hours(self) -> tuple[int, int] | None:
        """Opening and closing time in minutes from midnight; None: always open."""
        found = _HOURS.fullmatch(self.open)
        if found is None:
            return None
        begin, end = (int(found[place]) * 60 + int(found[place + 1]) for place in (1, 3))
        return (begin, end) if begin != end and end <= 24 * 60 else None


def check_listen(listen: str) -> None:
    """Raises `CompanionError` for what is no address of a machine."""
    try:
        ipaddress.ip_address(listen)
    except ValueError as error:
        raise CompanionError(
            f"listen = {quoted(listen)} is not an address",
            'write "127.0.0.1", "0.0.0.0" or another address of this machine',
        ) from error


SIZES: Final = ("normal", "large")
"""How large the letters of the display are (`firmware.display.plan.Size`)."""


_DAY_S: Final = 86_400.0


class ScreenOptions(Value):
    """When the display dims, and its language."""

    dim_after_s: Annotated[
        float,
        option("seconds without any input before the display is dimmed; 0 means never", low=0.0, high=_DAY_S),
    ] = 60.0
    hide_after_s: Annotated[
        float,
        option(
            "seconds without any input before the display goes dark; a scan wakes it and counts, a key only "
            "wakes it; 0 means never",
            low=0.0,
            high=_DAY_S,
        ),
    ] = 300.0
    shift_every_s: Annotated[
        float,
        option(
            "seconds between two shifts of the picture by one pixel, to prevent burn-in; 0 means never",
            low=0.0,
            high=_DAY_S,
        ),
    ] = 60.0
    language: Annotated[
        str,
        option(
            "the language of every text, until another one is chosen on the device; `ask`: the first page of "
            "a new device asks, in English until somebody has answered",
            among=(*LANGUAGES, ASK),
        ),
    ] = "en"
    digits: Annotated[
        str,
        option(
            "the digits of counts and points: those of the language, or `latin` as on the cards",
            among=DIGIT_CHOICES,
        ),
    ] = "language"
    calendar: Annotated[
        str,
        option(
            "the calendar for dates: that of the language (Solar Hijri for Persian), or `gregorian`",
            among=CALENDAR_CHOICES,
        ),
    ] = "language"
    size: Annotated[
        str,
        option(
            "how large the letters are: `normal`, or `large` for panels of 1.3 inches and less, with fewer "
            "lines on a page",
            among=SIZES,
        ),
    ] = "normal"
    heartbeat_s: Annotated[
        float,
        option(
            "seconds between two blinks of the dot that shows that the program is running; 0 means no dot",
            low=0.0,
            high=60.0,
        ),
    ] = 1.0


class SocketOptions(Value):
    """Which programs may follow the table ([table-socket.md](table-socket.md)), and act on it."""

    on: Annotated[
        bool,
        option(
            "whether other programs on this machine can follow the table, through the socket `table.sock` "
            "beside the journal, or in `/run/nimmt` for the service"
        ),
    ] = True
    group: Annotated[
        str,
        option(
            "the group whose members may follow the table, besides the user of the game; if empty, the group "
            "of that user",
            in_file=True,
        ),
    ] = ""
    act_group: Annotated[
        str,
        option(
            "the group whose members may also control the table, as if with keys and a scanner, besides the "
            "user of the game and root; to connect, they need `group` as well",
            in_file=True,
        ),
    ] = ""


class SoundOptions(Value):
    """Whether signals are also sounded."""

    on: Annotated[
        bool, option("whether the buzzer sounds; signals are always shown on the display as well")
    ] = True


LONGEST_NAME: Final = 60


class TableOptions(Value):
    """The names of the players, and the time limits of the referee."""

    names: Annotated[tuple[str, ...], option("the players by badge number: the first name is badge 1")] = ()
    seat_order: Annotated[
        bool,
        option(
            "whether the cards of a turn are scanned in seat order, so that nobody is asked who played one"
        ),
    ] = False
    ready: Annotated[
        bool,
        option(
            "whether players scan their badges when they have chosen their cards, before any card is revealed"
        ),
    ] = False
    choice_s: Annotated[
        float,
        option(
            "seconds to choose a row: the last ten are counted down, then the display says that time is up, "
            "and nothing is chosen; 0 means no clock",
            low=0.0,
            high=600.0,
        ),
    ] = 0.0
    missing_card_s: Annotated[
        float, option("seconds without a scan before the missing card is requested", low=1.0, high=600.0)
    ] = 20.0
    extra_card_s: Annotated[
        float,
        option(
            "for how many seconds after a ruling the display asks whether the next card was one too many",
            low=0.5,
            high=60.0,
        ),
    ] = 4.0
    ruling_s: Annotated[
        float,
        option(
            "seconds after which the next page of a ruling appears by itself; 0 means only with OK",
            low=0.0,
            high=60.0,
        ),
    ] = 4.0
    duplicate_s: Annotated[
        float, option("seconds within which the same code counts as the same scan", low=0.0, high=10.0)
    ] = 1.0
    take_shown_s: Annotated[
        float, option("seconds for which the display shows who takes a row", low=0.0, high=30.0)
    ] = 2.5

    def __post_init__(self) -> None:
        if faults := dict(_faults_of_names(self.names)):
            raise CompanionError("; ".join(faults), "; ".join(dict.fromkeys(faults.values())))


def _faults_of_names(names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    if len(names) > len(BADGES):
        yield f"names has {len(names)} players, but there are only {len(BADGES)} badges", "list fewer players"
    for number, name in enumerate(names, start=1):
        if len(name) > LONGEST_NAME:
            fault = f"the name of badge {number} ({quoted(name)}) has {len(name)} letters"
            yield fault, f"give a name of at most {LONGEST_NAME} letters; the display shows about eight"
        if not name.strip() or not is_one_line(name):
            yield f"the name of badge {number} is empty or cannot be shown", "give a name that can be shown"
        elif one_spelling(name) in map(one_spelling, names[: number - 1]):
            yield f"the name {quoted(name)} is given twice", "give the two players different names"
