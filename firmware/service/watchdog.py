"""The sign of life for the service manager, and the reports about what is wrong.

The sign of life is sent while the loop turns (the loop calls this), the thread of the keys lives and the
journal can be written. A missing display or scanner is reported only: a restart would not bring it back and
would hide the game. Called once for every turn of the loop; works every `BEAT_S`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.text.sentence import say
from firmware.service import status
from firmware.service.health import Issue, Severity, of_devices
from firmware.service.machine import Machine
from firmware.service.sd_notify import Notifier
from firmware.service.status import StatusFile
from firmware.text.translation import sentence_of
from hardware.ports import DeviceFault, DeviceRecovered

if TYPE_CHECKING:
    from firmware.loop.runtime import Runtime

BEAT_S: Final = 2.0
"""The pause between two checks; the timeout of the service manager must be at least three of them."""

_JOURNAL: Final = Issue(
    "journal",
    Severity.FAULT,
    say("the journal cannot be written: what is played now cannot be saved"),
    say("free some space on the disk, restore the journal if it was deleted, or insert a new SD card"),
    part="writing",
)
_KEYS: Final = Issue(
    "buttons",
    Severity.FAULT,
    say("the thread that reads the keys has stopped"),
    say("wait: the program restarts by itself"),
    part="thread",
)


class Watchdog:
    """Watches one running device. In safe mode only the loop counts: there is no safer mode."""

    def __init__(
        self, runtime: Runtime, notifier: Notifier, machine: Machine, file: StatusFile, *, safe: bool = False
    ) -> None:
        self._runtime = runtime
        self._notifier = notifier
        self._machine = machine
        self._file = file
        self._safe = safe
        self._due_s = float("-inf")
        self._ready = False
        self._told: dict[str, Issue] = {}
        self._said = ""
        self.issues: list[Issue] = []

    def turn(self, now_s: float) -> None:
        """Check, report and send the sign of life, if it is time."""
        if now_s < self._due_s:
            return
        self._due_s = now_s + BEAT_S
        if not self._ready:
            self._ready = True
            self._notifier.ready()
        vital = self._vital()
        found = [*vital, *self._machine.look(now_s), *self._past()]
        own = self._told.keys() | {issue.key for issue in found}
        self._tell_the_table(found)
        session = self._runtime.session
        faults = [fault for fault in session.faults.values() if fault.device not in own]
        self.issues = [*found, *of_devices(faults)]
        table = self._runtime.app.table
        parts = {name: value for part in table.extensions for name, value in part.status(table).items()}
        self._file.write(status.described(session, self.issues, parts, safe=self._safe), now_s)
        self._tell_the_manager()
        if not vital or self._safe:
            self._notifier.watchdog()

    def _vital(self) -> list[Issue]:
        """Faults that end the sign of life."""
        found = []
        if not self._runtime.journal.writable():
            found.append(_JOURNAL)
        # Who has no thread cannot lose it.
        alive: Any = getattr(self._runtime.devices["buttons"], "alive", None)
        if alive is not None and not alive():
            found.append(_KEYS)
        return found

    def _past(self) -> list[Issue]:
        """What is damaged in earlier matches: the first that was found, and how many there are."""
        damages = self._runtime.session.journal_care.damages
        if not damages:
            return []
        fault, fix = next(iter(damages.items()))
        says = say("{fault}", fault=fault)
        if len(damages) > 1:
            says = say("{fault}, the first of {found} faults", fault=fault, found=len(damages))
        return [Issue("journal-damage", Severity.WARNING, says, say("{fix}", fix=fix))]

    def _tell_the_table(self, issues: list[Issue]) -> None:
        loud = {issue.key: issue for issue in issues if issue.severity is not Severity.NOTE}
        for key, issue in loud.items():
            if key not in self._told:
                self._runtime.app.post(DeviceFault(key, sentence_of(issue.says), sentence_of(issue.fix)))
        for key in self._told.keys() - loud.keys():
            self._runtime.app.post(DeviceRecovered(key))
        self._told = loud

    def _tell_the_manager(self) -> None:
        match = status.of_match(self._runtime.session)
        doing = f"deal {match['deal']}, turn {match['turn']}" if match else "no match"
        trouble = "; ".join(str(issue.says) for issue in self.issues if issue.severity is not Severity.NOTE)
        said = f"{'SAFE MODE, ' if self._safe else ''}{doing}{': ' if trouble else ''}{trouble}"
        if said != self._said:
            self._said = said
            self._notifier.status(said)
