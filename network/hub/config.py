"""The section `[hub]`: a hub for many tables."""

from __future__ import annotations

from typing import Annotated

from companion.text.errors import CompanionError
from companion.text.sentence import say
from companion.values import Value
from firmware.config.sections import check_listen
from hardware.options import option


class HubOptions(Value):
    """The hub for many tables, which `nimmt hub` serves; see [hub.md](hub.md)."""

    broker: Annotated[
        str, option("the broker, with its port if that is not 1883, such as `broker.local:8883`")
    ] = "127.0.0.1"
    user: Annotated[str, option("the user name of the hub at the broker")] = ""
    password_file: Annotated[str, option("a file with the password of that user")] = ""
    ca: Annotated[
        str, option("the certificates that the broker is checked with; given, the connection is encrypted")
    ] = ""
    cert: Annotated[str, option("the certificate of the hub, where the broker wants one")] = ""
    key: Annotated[str, option("the private key of that certificate")] = ""
    database: Annotated[
        str,
        option(
            "the URL of the database, such as `postgresql+psycopg://hub@/nimmt`; empty: a file of SQLite "
            "in the folder of the hub"
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
        if bool(self.cert) != bool(self.key):
            raise CompanionError(
                say("one of cert and key is missing"), say("give both the certificate and its private key")
            )
