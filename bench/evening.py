"""What four people do in a deal, as a list of acts to be done again elsewhere; nothing is timed here."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from bench.machine import DISK, fresh_folder
from bench.wired import players
from firmware.build import Rig
from firmware.config import choose, load
from firmware.journal import Journal
from hardware.ports import KeyPressed, Scanned

if TYPE_CHECKING:
    from pathlib import Path

_SEED: Final = 6

Act = KeyPressed | Scanned


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal from the first page on, and how many steps it leaves in the journal."""

    acts: tuple[Act, ...]
    steps: int


def a_deal() -> Deal:
    """A deal that is played to its end, and half a turn of the next one."""
    with fresh_folder(DISK) as folder:
        return played(folder / "journal.sqlite")


def played(journal: Path) -> Deal:
    """Play such a deal into a journal; the match is left open."""
    config = replace(load(None), display=choose("display", "none"))
    rig = Rig(replace(config, table=replace(config.table, duplicate_s=0.0)), journal)
    desk, people, acts = rig.app.desk, players(_SEED), list[Act]()
    with closing(rig):
        while (act := people.next(desk)) is not None:
            acts.append(act)
            desk.hear(act, 0.0)
            match = desk.world.match
            if match is not None and match.position.deal > 1 and desk.front.NAME == "collecting":
                return Deal(tuple(acts), match.steps)
    raise RuntimeError("the match is over before a second deal")


def steps_in(journal: Path) -> int:
    """How many steps the newest match has, also while a device is writing it."""
    with closing(Journal.read(journal)) as reader:
        entries = reader.matches()
        return entries[-1].steps if entries else 0
