"""What the set-up has found and decided so far, as values."""

from collections.abc import Mapping

from companion.values import Value, replace
from hardware.boards import Board
from hardware.ports import DeviceFault


class BoardSeen(Value):
    """What is on the pins: addresses that answer on I2C bus 1, and whether there is SPI."""

    answering: tuple[int, ...] = ()
    spi: bool = False
    silence: DeviceFault | None = None
    """Why nothing answers on I2C."""


class Finding(Value):
    """One check and its result; only a failed one has a fix. `part` separates several of a section."""

    section: str
    says: str
    fix: str = ""
    part: str = ""

    @property
    def ok(self) -> bool:
        return not self.fix


def device_fault(section: str, trouble: DeviceFault, part: str = "") -> Finding:
    return Finding(section, trouble.fault, trouble.check, part)


class Draft(Value):
    """What the questions so far have come to: the configuration, and the findings."""

    board: Board | None = None
    """None: no board, this is a laptop or a Raspberry Pi without a display."""
    panels: tuple[Mapping[str, object], ...] = ()
    """The options to try a panel with, the likely ones first."""
    panel: Mapping[str, object] = {}
    """Those that were tried last."""
    tables: Mapping[str, object] = {}
    """`board`, and the sections that are not empty."""
    findings: tuple[Finding, ...] = ()

    def added(self, section: str, settings: Mapping[str, object], *findings: Finding) -> "Draft":
        """The same with what a question has come to; without settings the defaults are right."""
        tables = {**self.tables, section: dict(settings)} if settings else self.tables
        return replace(self, tables=tables, findings=(*self.findings, *findings))
