"""The section `[mqtt]`: the broker that hears of this table."""

import re
from typing import Annotated, Final

from companion.text.errors import CompanionError, quoted
from companion.values import Value
from hardware.options import option
from network.mqtt.topics import is_table_name

_HOST: Final = re.compile(r"[\w.-]*|[0-9a-fA-F:.]+")
"""A name, or an address: that of IPv6 has colons."""


class MqttOptions(Value):
    """The MQTT broker that hears of this table, through `nimmt mqtt`; see [mqtt.md](mqtt.md)."""

    host: Annotated[
        str,
        option(
            "the name or address of the broker; empty: the table reports to none", locked_by="password_file"
        ),
    ] = ""
    port: Annotated[
        int,
        option(
            "the port of the broker; 0: the usual one, 1883, or 8883 with TLS",
            low=0,
            high=65_535,
            locked_by="password_file",
        ),
    ] = 0
    table: Annotated[
        str,
        option(
            "the name of this table in the topics, such as `3`: letters from a to z, digits and hyphens; "
            "each table of a broker has its own; empty: a number made from the box"
        ),
    ] = ""
    name: Annotated[str, option("what people call this table; empty: the same as `table`")] = ""
    user: Annotated[
        str,
        option(
            "the user name at the broker; its access list wants it to be that of `table`",
            locked_by="password_file",
        ),
    ] = ""
    password_file: Annotated[
        str, option("a file with the password, which only its owner and its group may read", in_file=True)
    ] = ""
    tls: Annotated[
        bool,
        option(
            "whether the connection is encrypted, and the broker proves who it is", locked_by="password_file"
        ),
    ] = False
    ca: Annotated[
        str,
        option("the certificates that the broker is checked with; empty: those of the system", in_file=True),
    ] = ""
    names: Annotated[bool, option("whether names of players are sent; else they are numbers of badges")] = (
        False
    )
    control: Annotated[bool, option("whether UNDO can be pressed and the sound switched over the broker")] = (
        False
    )
    home_assistant: Annotated[bool, option("whether this table is announced to Home Assistant")] = True

    def __post_init__(self) -> None:
        if self.table and not is_table_name(self.table):
            raise CompanionError(
                f"table = {quoted(self.table)} cannot be the name of a table",
                'use up to 32 letters from a to z, digits and hyphens, such as "table-3"',
            )
        if _HOST.fullmatch(self.host) is None:
            raise CompanionError(
                f"host = {quoted(self.host)} is neither a name nor an address",
                'write only the name, such as "broker.local"; the port has a key of its own',
            )
        if self.ca and not self.tls:
            raise CompanionError(
                "certificates are given, but the connection is not encrypted",
                "add tls = true, or remove ca",
            )
        if self.password_file and not self.user:
            raise CompanionError("password_file is given without user", "add user")
