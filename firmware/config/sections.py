"""The sections of the configuration that do not describe a device, with their limits.

The devices have their own options (see `hardware.registry`). What a key *does* is decided where it is used;
this module only defines its allowed values.
"""

from __future__ import annotations

import ipaddress
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from companion.codes import BADGES
from companion.errors import CompanionError, quoted
from companion.text import say
from firmware.translation import ASK, DIGIT_CHOICES, LANGUAGES
from hardware.options import option

if TYPE_CHECKING:
    from collections.abc import Mapping

SIZES: Final = ("normal", "large")
"""How large the letters of the display are (`firmware.display.plan.Size`)."""

LONGEST_NAME: Final = 60

_DAY_S: Final = 86_400.0


@dataclass(frozen=True, slots=True)
class JournalOptions:
    """Where the matches are stored, and how many."""

    path: str = option(
        (
            "the journal file; if empty, `journal.sqlite` in `$STATE_DIRECTORY` (set by systemd), else in "
            "`~/.local/state/nimmt`"
        ),
        "",
    )

    keep_matches: int = option(
        (
            "how many matches the journal keeps; when there are more, the oldest finished ones are removed "
            "while nobody plays; 0 keeps all"
        ),
        0,
        low=0,
        high=1_000_000,
    )

    def __post_init__(self) -> None:
        try:
            place = Path(self.path).expanduser()
        except RuntimeError as error:
            raise CompanionError(
                say("the home folder in path = {path} is not known", path=quoted(self.path)),
                say("write the whole path"),
            ) from error
        if self.path and os.path.isdir(place):  # noqa: PTH112 - it raises nothing for a name that is too long
            raise CompanionError(
                say("path = {path} is a folder", path=quoted(self.path)),
                say("write the path of a file, such as one in it"),
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


@dataclass(frozen=True, slots=True)
class TableOptions:
    """The names of the players, and the time limits of the referee."""

    names: tuple[str, ...] = option("the players by badge number: the first name is badge 1", ())
    seat_order: bool = option(
        "whether the cards of a turn are scanned in seat order, so that nobody is asked who played one", False
    )
    ready: bool = option(
        "whether players scan their badges when they have chosen their cards, before any card is revealed",
        default=False,
    )
    choice_s: float = option(
        "seconds in which a row is to be chosen: the last ten are counted down, then the display says that "
        "time is up, and nothing is chosen; 0 means no clock",
        0.0,
        low=0.0,
        high=600.0,
    )
    missing_card_s: float = option(
        "seconds without a scan before the missing card is requested", 20.0, low=1.0, high=600.0
    )
    extra_card_s: float = option(
        "seconds after a ruling in which the display asks whether the next card was one too many",
        4.0,
        low=0.5,
        high=60.0,
    )
    ruling_s: float = option(
        "seconds after which the next page of a ruling is shown by itself; 0 means with OK only",
        4.0,
        low=0.0,
        high=60.0,
    )
    duplicate_s: float = option(
        "seconds in which the same code again counts as the same scan", 1.0, low=0.0, high=10.0
    )
    take_shown_s: float = option(
        "seconds for which the display shows who takes a row", 2.5, low=0.0, high=30.0
    )

    def __post_init__(self) -> None:
        if len(self.names) > len(BADGES):
            raise CompanionError(
                say(
                    "names has {names} players, but there are only {badges} badges",
                    names=len(self.names),
                    badges=len(BADGES),
                ),
                say("list fewer players"),
            )
        for number, name in enumerate(self.names, start=1):
            if len(name) > LONGEST_NAME:
                raise CompanionError(
                    say(
                        "the name of badge {number} ({name}) has {name_2} letters",
                        number=number,
                        name=quoted(name),
                        name_2=len(name),
                    ),
                    say(
                        "give a name of at most {longest_name} letters; the display shows about eight",
                        longest_name=LONGEST_NAME,
                    ),
                )
            if not name.strip() or not name.isprintable():
                raise CompanionError(
                    say("the name of badge {number} is empty or cannot be shown", number=number),
                    say("give a name that can be shown"),
                )
            if name in self.names[: number - 1]:
                raise CompanionError(
                    say("the name {name} is given twice", name=quoted(name)),
                    say("give the two players different names"),
                )


@dataclass(frozen=True, slots=True)
class ScreenOptions:
    """When the display dims, and its language."""

    dim_after_s: float = option(
        "seconds without any input before the display is dimmed; 0 means never", 60.0, low=0.0, high=_DAY_S
    )
    hide_after_s: float = option(
        "seconds without any input before the display goes dark; a scan wakes it and counts, "
        "a key only wakes it; 0 means never",
        300.0,
        low=0.0,
        high=_DAY_S,
    )
    shift_every_s: float = option(
        "seconds between two shifts of the picture by one pixel, to prevent burn-in; 0 means never",
        60.0,
        low=0.0,
        high=_DAY_S,
    )
    language: str = option(
        "the language of every text, until another one is chosen at the device; `ask`: the first page of a "
        "new device asks, in English until somebody has answered",
        "en",
        among=(*LANGUAGES, ASK),
    )
    digits: str = option(
        "the digits of counts and points: those of the language, or `latin` as on the cards",
        "language",
        among=DIGIT_CHOICES,
    )
    size: str = option(
        (
            "how large the letters are: `normal`, or `large` for panels of 1.3 inches and less, with fewer "
            "lines on a page"
        ),
        "normal",
        among=SIZES,
    )
    heartbeat_s: float = option(
        "seconds between two blinks of the dot that shows that the program is running; 0 means no dot",
        1.0,
        low=0.0,
        high=60.0,
    )


LEVELS: Final = ("easy", "normal", "hard")
"""How well robots play (`robots.levels.Level`)."""

_HOURS: Final = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])-([01]?[0-9]|2[0-4]):([0-5][0-9])")
_PIN: Final = re.compile(r"[1-4]{4}")
_LONGEST_WAIT_S: Final = 600.0


@dataclass(frozen=True, slots=True)
class KioskOptions:
    """A box for strangers: it shows what the game is, teaches it and plays a deal. See kiosk.md."""

    on: bool = option("whether the box is a kiosk", default=False)
    open: str = option(
        'the opening hours, such as "10:00-18:00", after which the display goes dark; empty: always open', ""
    )
    level: str = option("how well the robots play", "easy", among=LEVELS)
    pin: str = option(
        "four digits from 1 to 4, the row keys that open the page of the operator; empty: it does not open",
        "",
    )
    menu_warn_s: float = option(
        "seconds without any input in a menu or lesson before the box asks who is there",
        20.0,
        low=5.0,
        high=_LONGEST_WAIT_S,
    )
    menu_leave_s: float = option(
        "seconds from that question until the attract loop starts again", 10.0, low=3.0, high=_LONGEST_WAIT_S
    )
    deal_warn_s: float = option(
        "the same in a deal, where visitors think", 45.0, low=5.0, high=_LONGEST_WAIT_S
    )
    deal_leave_s: float = option(
        "seconds from that question in a deal until the attract loop starts again",
        15.0,
        low=3.0,
        high=_LONGEST_WAIT_S,
    )
    placement_s: float = option(
        "seconds for which each card that is placed in a deal with robots is shown; OK goes on at once",
        2.0,
        low=1.2,
        high=30.0,
    )

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


@dataclass(frozen=True, slots=True)
class SoundOptions:
    """Whether rulings are signalled by sound as well."""

    on: bool = option(
        "whether the buzzer sounds; signals are always shown on the display as well", default=True
    )


@dataclass(frozen=True, slots=True)
class SocketOptions:
    """Who may follow the table from other programs of this machine, and who may act on it."""

    on: bool = option(
        (
            "whether other programs of this machine can follow the table, through the socket `table.sock` "
            "beside the journal, or in `/run/nimmt` for the service"
        ),
        default=True,
    )
    group: str = option(
        (
            "the group whose members may follow the table, besides the user of the game; if empty, the group "
            "of that user"
        ),
        "",
    )
    act_group: str = option(
        (
            "the group whose members may also act on the table, as with keys and a scanner, besides the user "
            "of the game and root; to connect, they need `group` as well"
        ),
        "",
    )


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


@dataclass(frozen=True, slots=True)
class WebOptions:
    """The page for phones and televisions, which `nimmt web` serves."""

    on: bool = option(
        "whether the page is served; if not, the installed service answers that it is switched off",
        default=True,
    )
    listen: str = option(
        (
            "the address on which the page is served: `127.0.0.1` for this machine only, `0.0.0.0` for "
            "everybody in the local network; the installed service gets its address from systemd"
        ),
        "127.0.0.1",
    )
    port: int = option("the port of the page", 8066, low=1, high=65_535)
    names: tuple[str, ...] = option(
        (
            "names by which browsers may call this machine, beside its addresses, `localhost` and names that "
            "end in `.local`: a name of your own router, for example"
        ),
        (),
    )

    def __post_init__(self) -> None:
        _check_listen(self.listen)


@dataclass(frozen=True, slots=True)
class HubOptions:
    """A hub for many tables, which `nimmt hub` serves. See hub.md."""

    broker: str = option(
        "the broker, with its port if that is not 1883, such as `broker.local:8883`", "127.0.0.1"
    )
    user: str = option("the user name of the hub at the broker", "")
    password_file: str = option("a file with the password of that user", "")
    ca: str = option(
        "the certificates that the broker is checked with; given, the connection is encrypted", ""
    )
    cert: str = option("the certificate of the hub, where the broker wants one", "")
    key: str = option("the private key of that certificate", "")
    database: str = option(
        (
            "the URL of the database, such as `postgresql+psycopg://hub@/nimmt`; empty: a file of SQLite "
            "in the folder of the hub"
        ),
        "",
    )
    listen: str = option(
        "the address of the pages: `127.0.0.1` for this machine only, `0.0.0.0` for everybody",
        "127.0.0.1",
    )
    port: int = option("the port of the pages", 8067, low=1, high=65_535)
    names: tuple[str, ...] = option(
        "further names by which browsers may call this machine, as in `[web]`", ()
    )

    def __post_init__(self) -> None:
        _check_listen(self.listen)
        if bool(self.cert) != bool(self.key):
            raise CompanionError(
                say("one of cert and key is missing"), say("give both the certificate and its private key")
            )


def _check_listen(listen: str) -> None:
    try:
        ipaddress.ip_address(listen)
    except ValueError as error:
        raise CompanionError(
            say("listen = {listen} is no address", listen=quoted(listen)),
            say('write "127.0.0.1", "0.0.0.0" or another address of this machine'),
        ) from error


_TABLE: Final = re.compile(r"[a-z0-9][a-z0-9-]{0,31}")
_LONGEST_TABLE_NAME: Final = 60


@dataclass(frozen=True, slots=True)
class MqttOptions:
    """The MQTT broker that hears of this table, through `nimmt mqtt`. See mqtt.md."""

    host: str = option("the name or address of the broker; empty: the table reports to none", "")
    port: int = option(
        "the port of the broker; 0: the usual one, 1883, or 8883 with TLS", 0, low=0, high=65_535
    )
    table: str = option(
        (
            "the name of this table in the topics, such as `3`: letters from a to z, digits and hyphens; "
            "each table of a broker has its own; empty: a number made from the box"
        ),
        "",
    )
    name: str = option("what people call this table; empty: the same as `table`", "")
    user: str = option("the user name at the broker; its access list wants it to be that of `table`", "")
    password_file: str = option("a file with the password, which only its owner and its group may read", "")
    tls: bool = option("whether the connection is encrypted, and the broker proves who it is", default=False)
    ca: str = option("the certificates that the broker is checked with; empty: those of the system", "")
    cert: str = option("the certificate of this table, where the broker wants one", "")
    key: str = option("the private key of that certificate", "")
    names: bool = option("whether names of players are sent; else they are numbers of badges", default=False)
    control: bool = option("whether UNDO and the sound can be pressed over the broker", default=False)
    home_assistant: bool = option("whether Home Assistant is told of this table", default=True)

    def __post_init__(self) -> None:
        if self.table and not _TABLE.fullmatch(self.table):
            raise CompanionError(
                say("table = {table} cannot be the name of a table", table=quoted(self.table)),
                say('use up to 32 letters from a to z, digits and hyphens, such as "table-3"'),
            )
        if len(self.name) > _LONGEST_TABLE_NAME or (self.name and not self.name.isprintable()):
            raise CompanionError(
                say("name = {name} is too long or cannot be shown", name=quoted(self.name)),
                say("use up to {letters} letters", letters=_LONGEST_TABLE_NAME),
            )
        if not self._is_address and (
            not self.host.isprintable() or any(char in " /:@" for char in self.host)
        ):
            raise CompanionError(
                say("host = {host} is no name or address", host=quoted(self.host)),
                say('write only the name, such as "broker.local"; the port has a key of its own'),
            )
        if bool(self.cert) != bool(self.key):
            raise CompanionError(
                say("one of cert and key is missing"), say("give both the certificate and its private key")
            )
        if (self.ca or self.cert) and not self.tls:
            raise CompanionError(
                say("certificates are given, but the connection is not encrypted"),
                say("add tls = true, or remove ca, cert and key"),
            )
        if self.password_file and not self.user:
            raise CompanionError(say("password_file is given without user"), say("add user"))

    @property
    def _is_address(self) -> bool:
        try:
            ipaddress.ip_address(self.host)
        except ValueError:
            return False
        return True
