"""The section `[hub]`: a hub for many tables; where it keeps what is its own, and its broker."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

from firmware.config.sections import check_listen
from hardware.options import option
from network.mqtt.config import BrokerOptions

if TYPE_CHECKING:
    from firmware.config.configuration import Config

DIRECTORS: Final = "directors.json"
DATABASE: Final = "hub.sqlite"


class HubOptions(BrokerOptions):
    """The hub for many tables, which `nimmt hub` serves, and its broker; see [hub.md](hub.md)."""

    database: Annotated[
        str,
        option(
            "the URL of the database, such as `postgresql+psycopg:///nimmt`; empty: an SQLite file in the "
            "folder of the hub",
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
        super().__post_init__()
        check_listen(self.listen)


def folder_of(environ: Mapping[str, str], config: Config) -> Path:
    """Where the hub keeps what is its own: the folder of its service, else beside the journal."""
    given = environ.get("STATE_DIRECTORY", "").partition(":")[0]
    folder = Path(given) if given else config.journal.place(environ).parent
    folder.mkdir(parents=True, exist_ok=True)
    return folder
