"""What a page says aloud, in the browser's own voice, for who has switched that on."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypedDict

from firmware.extensions.speech.moments import moment
from firmware.extensions.speech.phrases import UNDONE, pieces, voice
from firmware.extensions.speech.voices import as_line
from firmware.table_socket.messages import StepEvent

if TYPE_CHECKING:
    from companion.text.sentence import Text
    from firmware.table_socket.messages import Snapshot


class Utterance(TypedDict):
    """The newest utterance; `number` is another one for each, and 0 before the first."""

    number: int
    text: str


class Utterances:
    """The newest thing that is worth saying of a table. For one thread."""

    def __init__(self) -> None:
        self._before: Snapshot | None = None
        self._number = 0
        self._texts: tuple[Text, ...] = ()

    def newest(self, snapshot: Snapshot | None, language: str) -> Utterance:
        """What was last worth saying, with the table as it is in `snapshot`; None for no table."""
        before, self._before = self._before, snapshot
        if before is not snapshot and before is not None and snapshot is not None:
            texts = _texts(before, snapshot)
            if texts:
                self._number, self._texts = snapshot.number, texts
        if not self._texts or snapshot is None:
            return {"number": 0, "text": ""}
        names = None if snapshot.table is None else [player.name for player in snapshot.table.players]
        t = voice(language, names=names)
        return {"number": self._number, "text": as_line([pieces(t, text) for text in self._texts])}


def _texts(before: Snapshot, now: Snapshot) -> tuple[Text, ...]:
    known, kept = ({step.step for step in snapshot.steps} for snapshot in (before, now))
    events = [StepEvent(0, None, step) for step in now.steps if step.step not in known]
    undone = () if events or not known or max(known) in kept else (UNDONE,)
    return (*undone, *moment(before.table, now.table, events, "rulings"))
