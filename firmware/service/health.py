"""What can be wrong, as values: an id, a severity, what was seen, what to do, where to read on.

The ids are the headings of docs/reliability.md and never change.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from companion.text.sentence import Text
from companion.values import Value
from firmware.text.translation import sentence_of, text_of

if TYPE_CHECKING:
    from companion.text.errors import CompanionError
    from hardware.ports import DeviceFault

PAGE: Final = "docs/reliability.md"


class Severity(Enum):
    """How soon somebody has to act."""

    NOTE = "note"
    """Good to know; not shown at the table."""
    WARNING = "warning"
    """Something is missing or near its limit; play goes on."""
    FAULT = "fault"
    """What is played may be lost, or the device does less than it should until somebody helps."""


class Issue(Value):
    """One thing that is wrong. `part` distinguishes several issues with one id ("ok" of the keys)."""

    id: str
    severity: Severity
    says: Text
    fix: Text
    part: str = ""

    @property
    def key(self) -> str:
        """Unique among current issues; the name of the device in a `DeviceFault`."""
        return f"{self.id}/{self.part}" if self.part else self.id

    @property
    def link(self) -> str:
        """Where it is explained."""
        return f"{PAGE}#{self.id}"

    def as_json(self) -> dict[str, Any]:
        """The issue for other programs."""
        return {
            "id": self.id,
            "part": self.part,
            "severity": self.severity.value,
            "says": str(self.says),
            "fix": str(self.fix),
            "link": self.link,
        }


GRAVE: Final = frozenset({"journal", "match", "safe-mode"})
"""What reports a fault; all others, such as devices and optional parts, warn, because play goes on."""


def of_devices(faults: Iterable[DeviceFault]) -> list[Issue]:
    """The faults of devices and of optional parts as issues."""
    found = []
    for fault in faults:
        device, _, part = fault.device.partition("/")
        severity = Severity.FAULT if device in GRAVE else Severity.WARNING
        found.append(Issue(device, severity, text_of(fault.fault), text_of(fault.check), part))
    return found


def as_fault(device: str, error: CompanionError) -> DeviceFault:
    """An error as the fault of a device, or of what reports like one."""
    from hardware.ports import DeviceFault

    return DeviceFault(device, sentence_of(error.fault_text), sentence_of(error.fix_text))
