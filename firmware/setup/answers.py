"""What people and devices answered during the set-up, and what a step has found, as values."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING

from companion.text.sentence import NOTHING, Text
from companion.values import Value, field
from firmware.text.translation import text_of
from hardware.boards import Board

if TYPE_CHECKING:
    from firmware.paper.trial import Trial


class Trouble(Value):
    """Why something does not work, and what to do about it; `noisy`: its signal is only disturbed."""

    fault: str
    fix: str
    noisy: bool = False


class BoardSeen(Value):
    """What is on the pins: addresses that answer on I2C bus 1, whether there is SPI, the choice."""

    answering: tuple[int, ...] = ()
    spi: bool = False
    silence: Trouble | None = None
    """Why nothing answers on I2C."""
    chosen: Board | None = None
    """None: no board, this is a laptop or a Raspberry Pi without a display."""


class PictureLook(Enum):
    """How the test picture looks."""

    RIGHT = "right"
    UPSIDE_DOWN = "upside down"
    WRONG = "wrong"


class PanelTried(Value):
    """The test picture was sent with these options; `trouble` if that failed."""

    options: Mapping[str, object]
    look: PictureLook = PictureLook.WRONG
    trouble: Trouble | None = None


class Contact(Value):
    """Something that people can do to an input: `hears` is the name of the key that is then reported.

    `says` is what people call it, `path` its key in the configuration, `gpios` its pins (a knob has two).
    """

    hears: str
    says: str
    path: str
    gpios: tuple[int, ...]


class KeysSeen(Value):
    """What the keys did: `came` holds the keys that were pressed, `strays` unexpected pins that changed.

    `troubles` is by the name in `Contact.hears`, empty for all of them; `over` lists those that have ended.
    """

    there: bool = True
    contacts: tuple[Contact, ...] = ()
    came: frozenset[str] = frozenset()
    strays: tuple[int, ...] = ()
    troubles: Mapping[str, Trouble] = field(default_factory=dict)
    over: frozenset[str] = frozenset()


class ScannerSeen(Value):
    """The scanner: its driver, empty if none was found, with its settings and its report.

    `listed` counts the possible devices; `troubles` are theirs.
    """

    there: bool = True
    listed: int = 0
    driver: str = ""
    options: Mapping[str, object] = field(default_factory=dict)
    says: str = ""
    troubles: tuple[Trouble, ...] = ()
    read: tuple[Trial, ...] = ()
    foreign: tuple[str, ...] = ()


class BuzzerSeen(Value):
    """Whether there is one, and whether it was heard with these options."""

    there: bool = True
    heard: bool = False
    options: Mapping[str, object] = field(default_factory=dict)
    trouble: Trouble | None = None


class Answers(Value):
    """All answers; a step that was not reached yet has none."""

    board: BoardSeen = BoardSeen()
    display: tuple[PanelTried, ...] = ()
    keys: KeysSeen | None = None
    scanner: ScannerSeen | None = None
    buzzer: BuzzerSeen | None = None


class Finding(Value):
    """One check and its result; a failed one has its fix. `part` separates several of a section."""

    section: str
    ok: bool
    says: Text
    fix: Text = NOTHING
    part: str = ""

    def as_json(self) -> dict[str, object]:
        """For other programs; texts in English."""
        return {
            "section": self.section,
            "part": self.part,
            "ok": self.ok,
            "says": str(self.says),
            "fix": str(self.fix),
        }


def device_fault(section: str, trouble: Trouble, part: str = "") -> Finding:
    return Finding(section, ok=False, says=text_of(trouble.fault), fix=text_of(trouble.fix), part=part)
