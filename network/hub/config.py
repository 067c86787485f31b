"""The section `[hub]`: a hub for many tables; where it keeps what is its own, and its broker."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from companion.text.errors import CompanionError, quoted
from companion.values import Value
from firmware.config.sections import check_listen
from hardware.options import option

if TYPE_CHECKING:
    from firmware.config.configuration import Config
    from network.mqtt.broker import Address

DIRECTORS: Final = "directors.json"
DATABASE: Final = "hub.sqlite"
_LARGEST_PORT: Final = 65_535


class HubOptions(Value):
    """The hub for many tables, which `nimmt hub` serves; see [hub.md](hub.md)."""

    broker: Annotated[
        str,
        option(
            "the broker, with its port if that is not 1883, such as `broker.local:8883`",
            locked_by="password_file",
        ),
    ] = "127.0.0.1"
    user: Annotated[str, option("the user name of the hub at the broker", locked_by="password_file")] = ""
    password_file: Annotated[str, option("a file with the password of that user", in_file=True)] = ""
    ca: Annotated[
        str,
        option(
            "the certificates that the broker is checked with; given, the connection is encrypted",
            in_file=True,
        ),
    ] = ""
    database: Annotated[
        str,
        option(
            "the URL of the database, such as `postgresql+psycopg:///nimmt`; empty: a file of SQLite "
            "in the folder of the hub",
            in_file=True,
        ),
    ] = ""
    listen: Annotated[
        str, option("the address of the pages: `127.0.0.1` for this machine only, `0.0.0.0` for everybody")
    ] = "127.0.0.1"
    port: Annotated[int, option("the port of the pages", low=1, high=65_535)] = 8067
    names: Annotated[
        tuple[str, ...], option("further names by which browsers may call this machine, as in `[web]`")
    ] = ()

    def __post_init__(self) -> None:
        check_listen(self.listen)


def folder_of(environ: Mapping[str, str], config: Config) -> Path:
    """Where the hub keeps what is its own: the folder of its service, else beside the journal."""
    given = environ.get("STATE_DIRECTORY", "").partition(":")[0]
    folder = Path(given) if given else config.journal.place(environ).parent
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def broker_of(text: str, options: HubOptions) -> Address:
    """The broker with this address, and how to log in there. Raises `CompanionError`."""
    from network.mqtt.broker import Address, authorities, password

    host, colon, port = text.rpartition(":")
    if colon and not (host and port.isdecimal() and 0 < int(port[:6]) <= _LARGEST_PORT):
        raise CompanionError(
            f"{quoted(text)} is not the address of a broker",
            ('write a name or an address, and a port if it is not 1883, such as "broker.local:1883"'),
        )
    return Address(
        host if colon else text,
        int(port) if colon else 1883,
        options.user,
        password(options.password_file),
        authorities(options.ca) if options.ca else None,
    )
