"""A device that tells before it has written: the newest step is kept in memory until the next one comes.

It is what `nimmt run` must never be. The test that kills devices has to find it out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.core.tally import MatchTally
from firmware.cli.main import parser
from firmware.commands.run import HELLO_S
from firmware.config.configuration import load
from firmware.journal.store import Journal
from firmware.play.runtime import Runtime
from firmware.screens.before.start import Hello


class LateJournal:
    """A journal that says "saved" one step too early."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._late: tuple[int, int, Mapping[str, object], Any, Any] | None = None

    def append(
        self,
        match_id: int,
        number: int,
        record: Mapping[str, object],
        header: Mapping[str, object] | None = None,
        tally: MatchTally | None = None,
    ) -> None:
        late, self._late = self._late, (match_id, number, record, header, tally)
        if late is not None:
            self._journal.append(*late)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._journal, name)


def main() -> None:
    words = parser().parse_args()
    runtime = Runtime(load(words.config), words.journal)
    late: Any = LateJournal(runtime.journal)
    runtime.session._journal = late
    runtime.start()
    runtime.app.controller.open(Hello(), lasts_s=None if runtime.session.match else HELLO_S)
    runtime.app.run()


if __name__ == "__main__":
    main()
