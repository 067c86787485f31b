"""What a step of the set-up has found, for people and programs; how it is judged is `steps` and `keys`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from companion.text import NOTHING, Text, say

if TYPE_CHECKING:
    from firmware.setup.answers import Trouble


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is well or is not; what is not has its fix. `part` tells several of a section apart."""

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


def told(section: str, trouble: Trouble, part: str = "") -> Finding:
    """A trouble that a device has told of itself."""
    says, fix = say("{fault}", fault=trouble.fault), say("{fix}", fix=trouble.fix)
    return Finding(section, ok=False, says=says, fix=fix, part=part)
