"""Running the device as a service, from the first picture to the last.

An exception in the loop, or in any thread, ends the program: a program that has lost a part and looks alive
is worse than a second without a picture. The display says so, the service manager starts it again, and the
journal brings the match back. In safe mode, where that has failed three times, the loop goes on instead
(see `keep_running`).
"""

from __future__ import annotations

import gc
import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Final

from companion.text.errors import CompanionError
from firmware.display import status_pictures
from firmware.display.status_pictures import Notice
from firmware.service.sd_notify import Notifier
from firmware.text.translation import sentence_of
from hardware.errors import sentence
from hardware.ports import DeviceFault

if TYPE_CHECKING:
    from firmware.loop.runtime import Runtime

_LOG: Final = logging.getLogger(__name__)

PATIENCE_S: Final = 20.0
STRIKES: Final = 3
"""So many faults of the loop within `PATIENCE_S`, and the match that may cause them is suspended."""


class ThreadStopped(RuntimeError):
    """A thread ended by an exception, which is the cause of this one."""


def serve(runtime: Runtime, notifier: Notifier, run: Callable[[], None]) -> None:
    """Start the devices and let `run` run the loop, until it is asked to stop.

    Raises what ended the loop, or `ThreadStopped`, after the display has said so. The caller closes.
    """
    try:
        with _watched_threads(runtime.app.stop), start_left_alone():
            runtime.start()
            run()
    except Exception:
        strangers = runtime.config.kiosk.on
        _show_last_picture(runtime, Notice.BACK_SOON if strangers else Notice.FAULT)
        raise
    notifier.stopping()
    if notifier.listening:
        _show_last_picture(runtime, Notice.STOPPED)


def keep_running(runtime: Runtime, now_s: Callable[[], float]) -> None:
    """Run the loop whatever it raises: first close the open pages, then suspend the match and say so.

    Raises what still comes after that.
    """
    strikes: list[float] = []
    suspended = False
    while True:
        try:
            runtime.app.run()
        except Exception as failed:
            failed_s = now_s()
            strikes = [before_s for before_s in strikes if failed_s - before_s < PATIENCE_S] + [failed_s]
            if suspended and len(strikes) >= STRIKES:
                raise
            _LOG.exception("the loop failed and continues")
            runtime.app.table.home()
            if len(strikes) >= STRIKES:
                number = runtime.session.match_id
                runtime.session.suspend()
                suspended, strikes = True, []
                if number is not None:
                    runtime.app.post(suspended_by_fault(number, failed))
        else:
            return


def suspended_by_fault(number: int, error: Exception) -> DeviceFault:
    """What to tell of a match that was suspended because its page cannot be shown."""
    return DeviceFault(
        "match",
        sentence(
            "match {number} was suspended, because it cannot be shown: {error}",
            number=number,
            error=what_it_says(error),
        ),
        sentence("to try it again, press UNDO on the start page; or start another match"),
    )


def what_it_says(error: Exception) -> str:
    """The fault of an error as a device tells one; of an error that says nothing its name."""
    if isinstance(error, CompanionError):
        return sentence_of(error.fault_text)
    return str(error) or type(error).__name__


@contextmanager
def start_left_alone() -> Iterator[None]:
    """Let the garbage collector look only at what is made from now on.

    What a start has made is needed to the end: modules, letters, texts, some 36,000 objects. To look through
    all of them takes 20 ms on a laptop and, by estimate, a quarter of a second on a Raspberry Pi Zero 2 W,
    and it would be done at any moment of a match.
    """
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()


@contextmanager
def _watched_threads(stop: Callable[[], None]) -> Iterator[None]:
    """Stop the loop when a thread ends by an exception, and raise `ThreadStopped` after it."""
    crashes: list[tuple[str, BaseException | None]] = []
    before = threading.excepthook

    def note(death: threading.ExceptHookArgs) -> None:
        before(death)
        crashes.append((death.thread.name if death.thread else "unnamed", death.exc_value))
        stop()

    threading.excepthook = note
    try:
        yield
    finally:
        threading.excepthook = before
    for name, death in crashes:
        raise ThreadStopped(f"the thread {name!r} has ended") from death


def _show_last_picture(runtime: Runtime, notice: Notice) -> None:
    # It is said because something failed, so this may fail as well; what counts is the first failure.
    with suppress(Exception):
        if not status_pictures.leave(notice, runtime.devices["display"], runtime.session.translate):
            _LOG.warning("the display did not show the last picture in time")
