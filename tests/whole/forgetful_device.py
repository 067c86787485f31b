"""A device that tells before it has written: the newest step is kept in memory until the next one comes.

It is what `nimmt run` must never be. The test that kills devices has to find it out.
"""

from collections.abc import Callable, Sequence
from typing import Any

from firmware.cli.main import parser
from firmware.commands.run import HELLO_S
from firmware.config.configuration import load
from firmware.journal.writes import Append, Write
from firmware.play.runtime import Runtime
from firmware.screens.before.start import Hello


class LateWrites:
    """Says "saved" one step too early."""

    def __init__(self, write: Callable[[Sequence[Write]], None]) -> None:
        self._write = write
        self._late: list[Write] = []

    def __call__(self, writes: Sequence[Write]) -> None:
        steps: list[Write] = [one for one in writes if isinstance(one, Append)]
        others: list[Write] = [one for one in writes if not isinstance(one, Append)]
        if steps:
            others, self._late = [*self._late, *others], steps
        self._write(others)


def main() -> None:
    words = parser().parse_args()
    runtime = Runtime(load(words.config), words.journal)
    journal: Any = runtime.journal
    journal.write = LateWrites(journal.write)
    runtime.start()
    runtime.app.controller.open(Hello(), lasts_s=None if runtime.session.match else HELLO_S)
    runtime.app.run()


if __name__ == "__main__":
    main()
