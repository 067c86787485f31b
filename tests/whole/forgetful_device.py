"""A device that tells before it has written: the newest step is kept in memory until the next one comes.

It is what `nimmt run` must never be. The test that kills devices has to find it out.
"""

from collections.abc import Sequence
from typing import Any

from firmware.cli.main import parser
from firmware.commands.run import HELLO_S
from firmware.config.configuration import load
from firmware.journal.store import Journal
from firmware.journal.writes import Append
from firmware.play.runtime import Runtime
from firmware.screens.before.start import Hello


class LateJournal:
    """A journal that says "saved" one step too early."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._late: list[Any] = []

    def write(self, writes: Sequence[Any]) -> None:
        steps = [one for one in writes if isinstance(one, Append)]
        others = [one for one in writes if not isinstance(one, Append)]
        if steps:
            others, self._late = [*self._late, *others], steps
        self._journal.write(others)

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
