"""What a bridge to a broker tells the table it stands beside: what the broker refuses."""

from typing import Annotated, ClassVar, Final

from msgspec import Meta

from companion.text.errors import CompanionError
from companion.text.sentence import say
from firmware.play.acts import SocketAct
from firmware.play.table import Extension
from firmware.service.health import as_fault
from hardware.ports import DeviceRecovered, Message

DEVICE: Final = "broker"
"""The name of its fault."""

MAX_TOPICS: Final = 8
LONGEST_TOPIC: Final = 64

# In Python "$" also matches before a last line end.
_Topic = Annotated[str, Meta(pattern="^[!-~]+$(?!\n)", max_length=LONGEST_TOPIC)]


class TellBroker(SocketAct, tag="broker"):
    """The bridge tells what the broker refuses of what it publishes for this table; nothing: all is well."""

    OWNED: ClassVar[bool] = True

    refused: Annotated[tuple[_Topic, ...], Meta(max_length=MAX_TOPICS)]

    def message(self, now_s: float) -> Message:
        """A fault like that of a device, or that it is over."""
        if not self.refused:
            return DeviceRecovered(DEVICE)
        fault = say("the broker refuses what this table sends: {topics}", topics=self.refused)
        return as_fault(DEVICE, CompanionError(fault, say("give the table these rights, see docs/mqtt.md")))


class BesideBroker(Extension):
    """A table that a bridge tells a broker of."""

    ACTS: ClassVar = (TellBroker,)
