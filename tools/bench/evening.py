"""What four people do in a deal, as a list of acts to be done again elsewhere; nothing is timed here."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Final

from firmware.config.configuration import choose, load
from firmware.journal.store import Journal
from firmware.play.runtime import Runtime
from hardware.ports import KeyPressed, Scanned
from tools.bench.machine import DISK, fresh_folder
from tools.bench.wired import players

if TYPE_CHECKING:
    from pathlib import Path

_SEED: Final = 6

Action = KeyPressed | Scanned


@dataclass(frozen=True, slots=True)
class Deal:
    """One deal from the first page on, and how many steps it leaves in the journal."""

    actions: tuple[Action, ...]
    steps: int


def a_deal() -> Deal:
    """A deal that is played to its end, and half a turn of the next one."""
    with fresh_folder(DISK) as folder:
        return played(folder / "journal.sqlite")


def played(journal: Path) -> Deal:
    """Play such a deal into a journal; the match is left open."""
    config = replace(load(None), display=choose("display", "none"))
    runtime = Runtime(replace(config, table=replace(config.table, duplicate_s=0.0)), journal)
    controller, people, actions = runtime.app.controller, players(_SEED), list[Action]()
    with closing(runtime):
        while (action := people.next(controller)) is not None:
            actions.append(action)
            controller.hear(action, 0.0)
            match = controller.session.match
            if match is not None and match.position.deal > 1 and controller.front.NAME == "collecting":
                return Deal(tuple(actions), match.steps)
    raise RuntimeError("the match is over before a second deal")


def steps_in(journal: Path) -> int:
    """How many steps the newest match has, also while a device is writing it."""
    with closing(Journal.read(journal)) as reader:
        entries = reader.matches()
        return entries[-1].steps if entries else 0
