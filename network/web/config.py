"""The section `[web]`: the page for phones and televisions."""

from __future__ import annotations

from typing import Annotated

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
            "everybody in the local network; the installed service gets its address from systemd"
        ),
    ] = "127.0.0.1"
    port: Annotated[int, option("the port of the page", low=1, high=65_535)] = 8066
    names: Annotated[
        tuple[str, ...],
        option(
            "names by which browsers may call this machine, beside its addresses, `localhost` and names that "
            "end in `.local`: a name of your own router, for example"
        ),
    ] = ()

    tls: Annotated[
        str,
        option(
            "`own`: the page answers encrypted as well, at a port of its own, with a certificate that the "
            "machine makes itself; browsers warn of it once, and the live camera of a phone needs it",
            among=("off", "own"),
        ),
    ] = "off"
    tls_port: Annotated[int, option("the port of the encrypted page", low=1, high=65_535)] = 8068

    def __post_init__(self) -> None:
        check_listen(self.listen)
