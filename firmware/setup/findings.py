"""What a step of the set-up has found, for people and programs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.text.sentence import NOTHING, Text
from companion.values import Value
from firmware.text.translation import text_of

if TYPE_CHECKING:
    from firmware.setup.answers import Trouble


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
