"""A rig on duty: from the first picture to the last word on the glass. What a fault is, others decide.

An exception in the loop, or in any thread, ends the program: half a program that looks alive is worse than a
second of darkness. The glass says so, the service manager starts it again, and the journal brings the match
back. In safe mode, where that has failed three times, the loop goes on instead (see `forgiving`).
"""

from __future__ import annotations

import logging
import threading
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from firmware import notices
from firmware.notices import Notice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from firmware.build import Rig
    from firmware.notify import Notifier

_LOG: Final = logging.getLogger(__name__)

PATIENCE_S: Final = 20.0
STRIKES: Final = 3
"""So many faults of the loop within `PATIENCE_S`, and the match that may cause them is put away."""


class ThreadDied(RuntimeError):
    """A thread ended by an exception, which is the cause of this one."""


def serve(rig: Rig, notifier: Notifier, run: Callable[[], None]) -> None:
    """Start the devices and let `run` run the loop, until it is told to stop.

    Raises what ended the loop, or `ThreadDied`, after the glass has said so. Closing is the caller's.
    """
    try:
        with _watched_threads(rig.app.stop) as deaths:
            rig.start()
            run()
        _raise_first(deaths)
    except Exception:
        _last_word(rig, Notice.FAULT)
        raise
    notifier.stopping()
    if notifier.listening:
        _last_word(rig, Notice.STOPPED)


def forgiving(rig: Rig, now_s: Callable[[], float]) -> None:
    """Run the loop whatever it raises: first the open pages go, then the match, which stays in the journal.

    Raises what still comes after that.
    """
    strikes: list[float] = []
    put_away = False
    while True:
        try:
            rig.app.run()
        except Exception:
            failed_s = now_s()
            strikes = [before_s for before_s in strikes if failed_s - before_s < PATIENCE_S] + [failed_s]
            if put_away and len(strikes) >= STRIKES:
                raise
            _LOG.exception("the loop failed and goes on")
            rig.app.desk.home()
            if len(strikes) >= STRIKES:
                rig.world.leave()
                put_away, strikes = True, []
        else:
            return


def _raise_first(deaths: list[tuple[str, BaseException | None]]) -> None:
    for name, death in deaths:
        raise ThreadDied(f"the thread {name!r} has ended") from death


@contextmanager
def _watched_threads(stop: Callable[[], None]) -> Iterator[list[tuple[str, BaseException | None]]]:
    """Notes which threads an exception ends, and stops the loop at the first."""
    deaths: list[tuple[str, BaseException | None]] = []
    before = threading.excepthook

    def note(death: threading.ExceptHookArgs) -> None:
        before(death)
        deaths.append((death.thread.name if death.thread else "unnamed", death.exc_value))
        stop()

    threading.excepthook = note
    try:
        yield deaths
    finally:
        threading.excepthook = before


def _last_word(rig: Rig, notice: Notice) -> None:
    # It is said because something failed, so this may fail as well; what counts is the first failure.
    with suppress(Exception):
        if not notices.leave(notice, rig.devices["display"], rig.world.words):
            _LOG.warning("the display did not take the last picture")
