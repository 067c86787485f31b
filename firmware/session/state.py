"""What a session is at one moment, and how that changes: first in the journal, and only then here."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from enum import Enum
from typing import Any, Final, get_args

from companion.core.cards import Seat
from companion.match.match import Match
from companion.values import Value, replace
from firmware.config.configuration import Config
from firmware.journal.errors import JournalError
from firmware.journal.store import Journal
from firmware.journal.writes import Note, Rewrite, Write
from firmware.text.translation import Translator
from hardware.ports import DeviceFault
from hardware.registry import WITH_KEYBOARD

WRITES: Final = get_args(Write)

Renaming = Callable[[tuple[str, ...], Mapping[str, object]], tuple[str, ...]]
"""What an optional part makes of the names by badge, from badge 1, given the notes of the journal."""


def _no_address(_match_id: int | None) -> str:
    return ""


class SessionState(Value):
    """What a session is at one moment. It never changes: what is done replaces it."""

    texts: Translator
    """The texts in the language of the table."""
    notes: Mapping[str, object]
    """What the journal has noted, by key."""
    next_number: int
    """The number that the next match will have."""
    unread: JournalError | None = None
    """Why notes and number could not be read at the start: until they are, nothing can be stored."""
    match: Match | None = None
    match_id: int | None = None
    acknowledged_step: int = 0
    """The newest step of the match when it was read back: people have played on past all before it."""
    ready: tuple[tuple[int | None, int], frozenset[Seat]] = ((None, 0), frozenset())
    """Who has chosen a card, in which match after how many steps. It is stored nowhere."""
    faults: Mapping[str, DeviceFault] = {}
    """The devices that do not work now, by name."""
    visitors: Callable[[Translator], tuple[str, ...]] | None = None
    """Gives the names of the players, by seat, in a language, while no match of this table is in play."""
    renaming: tuple[Renaming, ...] = ()
    """What optional parts make of the names of the players."""
    erased: tuple[int, ...] = ()
    """The badges that were erased since the start."""
    switch_off_in_s: int = 0
    """Whole seconds until the machine goes off, while its key is held; else 0."""
    match_address: Callable[[int | None], str] = _no_address
    """Where a browser finds a match of this table; empty where there is no such place."""


def read_state(journal: Journal, texts: Translator) -> SessionState:
    """The state after a start, without a match; what cannot be read now is read by `Session.read_again`."""
    try:
        return SessionState(texts, journal.reader.notes(), journal.reader.next_number())
    except JournalError as error:
        return SessionState(texts, {}, 0, error)


class StateStore:
    """The newest state, for those who read it, and the only way to change it."""

    def __init__(self, journal: Journal, state: SessionState) -> None:
        self._journal, self.state = journal, state
        self._gather: Callable[[Write], None] | None = None
        self.changed: Callable[[SessionState, SessionState], None] = lambda _before, _after: None
        """Called with the state before and after each change."""

    @contextmanager
    def transaction(self, effects: list[Any]) -> Iterator[None]:
        """Gather in `effects` what would be stored within, and store it at the end, all or nothing.

        Raises `JournalError` with nothing changed, and so does whatever else is raised within.
        """
        before, self._gather, done = self.state, effects.append, False
        try:
            yield
            if writes := [effect for effect in effects if isinstance(effect, WRITES)]:
                self.write(writes)
            done = True
        finally:
            self._gather = None
            if not done:
                self.state = before
                if any(isinstance(effect, Rewrite) for effect in effects):  # it may be done, with traces left
                    self.update(notes=self._journal.reader.notes())
        self.changed(before, self.state)

    def adopt(self, state: SessionState) -> None:
        """Put a state in the place of the one there is; within a transaction it counts at the end."""
        before, self.state = self.state, state
        if self._gather is None:
            self.changed(before, state)

    def write(self, writes: Sequence[Write]) -> None:
        """Store changes of the journal, all or nothing. Raises `JournalError`."""
        if writes and self.state.unread is not None:  # they may take the place of notes that nobody knows
            raise self.state.unread
        self._journal.write(writes)

    def store(self, *writes: Write, **changes: Any) -> None:  # noqa: ANN401 - of any field of the state
        """Store changes of the journal, all or nothing; and only then change the notes and the state.

        Within a transaction they are stored at its end. Raises `JournalError` with nothing changed.
        """
        if self._gather is None:
            self.write(writes)
        else:
            for write in writes:
                self._gather(write)
        notes = self.state.notes
        for write in writes:
            if isinstance(write, Note):
                notes = {**notes, write.key: write.value}
            elif isinstance(write, Rewrite):
                notes = {**notes, **write.notes}
        self.adopt(replace(self.state, notes=notes, **changes))

    def update(self, **changes: Any) -> None:  # noqa: ANN401 - of any field of the state
        self.state = replace(self.state, **changes)


class DeviceState(Enum):
    """Whether a device works."""

    OK = "ok"
    NONE = "none"
    """None is configured."""
    KEYBOARD = "keyboard"
    """None is configured, and the keyboard of the display takes its place."""
    FAULT = "fault"


def state_of(device: str, config: Config, faults: Iterable[str]) -> DeviceState:
    """Whether a device works, such as `display` or `journal`; `faults` are the names of those that do not."""
    if any(fault.partition("/")[0] == device for fault in faults):
        return DeviceState.FAULT
    if getattr(getattr(config, device, None), "driver", "") != "none":
        return DeviceState.OK
    typed = device in ("buttons", "scanner") and config.display.driver in WITH_KEYBOARD
    return DeviceState.KEYBOARD if typed else DeviceState.NONE
