"""The section `[web]`: the page for phones and televisions; and where it keeps what is its own."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final

from companion.values import Value
from firmware.config.sections import check_listen
from hardware.options import option


class WebOptions(Value):
    """The page for phones and televisions, which `nimmt web` serves."""

    on: Annotated[
        bool,
        option("whether the page is served; if not, the installed service answers that it is switched off"),
    ] = True
    listen: Annotated[
        str,
        option(
            "the address on which the page is served: `127.0.0.1` for this machine only, `0.0.0.0` for "
            "everybody on the local network; the installed service gets its address from systemd"
        ),
    ] = "127.0.0.1"
    port: Annotated[int, option("the port of the page", low=1, high=65_535)] = 8066
    names: Annotated[
        tuple[str, ...],
        option(
            "names by which browsers may call this machine, besides its addresses, `localhost` and names "
            "that end in `.local`: a name of your own router, for example"
        ),
    ] = ()

    records: Annotated[
        str,
        option(
            "who may see stored matches, people and statistics on the page: `everybody`, phones that are "
            "`paired`, or `nobody`; only paired phones get files of all matches",
            among=("everybody", "paired", "nobody"),
        ),
    ] = "everybody"

    tls: Annotated[
        str,
        option(
            "`own`: the page is also served encrypted, on a port of its own, with a certificate that the "
            "machine makes itself; browsers warn about the certificate once, and the live camera of a phone "
            "needs the encryption",
            among=("off", "own"),
        ),
    ] = "off"
    tls_port: Annotated[int, option("the port of the encrypted page", low=1, high=65_535)] = 8068

    def __post_init__(self) -> None:
        check_listen(self.listen)


PHONES: Final = "phones.json"
CERTIFICATE: Final = "certificate.pem"

INSTALLED_FOLDER: Final = Path("/var/lib/nimmt-web")
"""What the page of the installed device writes, and commands of its owner read."""

_STATE_OF_THE_GAME: Final = "/var/lib/nimmt"
"""`firmware.cli.main.INSTALLED_STATE`: it means that the configuration of the installed device is used."""


def phones_file(environ: Mapping[str, str], journal: Path) -> Path:
    """Where the paired phones are: for the installed page in a folder of its own, else beside the journal.

    It must not write where the journal is.
    """
    folder = environ.get("STATE_DIRECTORY", "").partition(":")[0]
    if folder == _STATE_OF_THE_GAME and INSTALLED_FOLDER.is_dir():
        return INSTALLED_FOLDER / PHONES
    return Path(folder) / PHONES if folder else journal.with_name(PHONES)
