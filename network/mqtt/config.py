"""The section `[mqtt]`: a table reports to a broker; and the keys by which a hub finds its broker, too."""

import re
from typing import Annotated, Final

from companion.text.errors import CompanionError, quoted
from companion.values import Value
from hardware.options import option
from network.mqtt import topics

_BROKER: Final = re.compile(r"(?:\[(?P<ip6>[0-9a-fA-F:.]+)\]|(?P<name>[\w.-]+))(?::(?P<port>[0-9]{1,5}))?")
_PREFIX: Final = re.compile(r"[^+#/$\0][^+#\0]*(?<!/)")


class BrokerOptions(Value):
    """Where a broker is, and how to log in there."""

    broker: Annotated[
        str,
        option(
            "the broker by its name or address, with its port if that is not the usual one (1883, or 8883 "
            "with TLS), such as `broker.local:8884`; empty: for a table none, for a hub that of its machine",
            locked_by="password_file",
        ),
    ] = ""
    user: Annotated[
        str,
        option(
            "the user name at the broker; its access list expects each table to log in under its own name",
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

    def __post_init__(self) -> None:
        _ = self.place
        if self.ca and not self.tls:
            fix = "add tls = true, or remove ca"
            raise CompanionError("certificates are given, but the connection is not encrypted", fix)
        if self.password_file and not self.user:
            raise CompanionError("password_file is given without user", "add user")

    @property
    def place(self) -> tuple[str, int]:
        """Host and port; those of this machine where no broker is named. Raises `CompanionError`."""
        found = _BROKER.fullmatch(self.broker or "127.0.0.1")
        port = int((found and found["port"]) or (8883 if self.tls else 1883))
        if found is None or not 0 < port < 1 << 16:
            raise CompanionError(
                f"{quoted(self.broker)} is not the address of a broker",
                "write its name or address, and a port if it is not the usual one, such as "
                '"broker.local:8884"; an address with colons stands in brackets, such as "[fd00::1]"',
            )
        return found["ip6"] or found["name"], port


class MqttOptions(BrokerOptions):
    """The MQTT broker that hears of this table, through `nimmt mqtt`; see [mqtt.md](mqtt.md)."""

    table: Annotated[
        str,
        option(
            "the name of this table in the topics, such as `3`: letters a to z, digits and hyphens, unique "
            "at the broker; empty: a number derived from the box"
        ),
    ] = ""
    name: Annotated[str, option("what people call this table; empty: the same as `table`")] = ""
    names: Annotated[
        bool, option("whether the names of players are sent; if not, badge numbers are sent instead")
    ] = False
    control: Annotated[
        bool, option("whether UNDO can be pressed and the sound switched through the broker")
    ] = False
    home_assistant: Annotated[bool, option("whether this table is announced to Home Assistant")] = True
    discovery_prefix: Annotated[
        str, option("the discovery prefix of Home Assistant, as its MQTT integration has it")
    ] = "homeassistant"

    def __post_init__(self) -> None:
        super().__post_init__()
        name, prefix = self.table, self.discovery_prefix
        if name and not topics.NAME.fullmatch(name):
            fix = 'use up to 32 letters from a to z, digits and hyphens, such as "table-3"'
            raise CompanionError(f"table = {quoted(name)} cannot be the name of a table", fix)
        if not _PREFIX.fullmatch(prefix):
            fix = "write it as Home Assistant has it, without + and #, and without / at its ends"
            raise CompanionError(f"discovery_prefix = {quoted(prefix)} cannot begin a topic", fix)
