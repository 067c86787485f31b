"""How every test runs: nobody waits for a fast machine, and every run repeats its examples."""

from __future__ import annotations

import gc
import os
import pickle
import shutil
import signal
import tempfile
import time
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.core import games
from firmware import usb_camera
from firmware.display.canvas import Canvas
from firmware.text.translation import CATALOGUES
from tests.examples import choose_profile

if TYPE_CHECKING:
    from PIL.Image import Image

    from tests.network.web.browser import Browser

choose_profile()

Canvas.strict = True  # a page that shortens anything but a name fails

setattr(usb_camera, "NODES", Path("/nowhere"))  # noqa: B010 - whatever is plugged into this machine
os.environ["LC_ALL"] = "C.UTF-8"  # commands without a configuration speak the language of the login
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OPENCV_FOR_THREADS_NUM"] = "1"  # processes share the cores
os.environ["TZ"] = "UTC"  # what people see is local time, wherever the tests run
time.tzset()

_MOST_CORES = 8  # more processes would spend more on starting than they save

# The journal waits for the disk after every step. On a disk, half of the time of all tests was this wait.
_IN_MEMORY = Path("/dev/shm")  # noqa: S108 - who uses it makes a folder of its own
_ROOM_BYTES = 1 << 30
if os.access(_IN_MEMORY, os.W_OK) and shutil.disk_usage(_IN_MEMORY).free > _ROOM_BYTES:
    os.environ.setdefault("TMPDIR", str(_IN_MEMORY))
    tempfile.tempdir = None  # somebody may have asked before

# What a script starts in the background ignores Ctrl-C and hands that on to all that it starts itself (POSIX,
# "Signals and Error Handling" of the shell): the programs of the tests would not hear it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_addoption(parser: pytest.Parser) -> None:
    """`--rewrite-pictures` makes the screens' stored pictures again; look at them before they are kept."""
    parser.addoption("--rewrite-pictures", action="store_true", help="rewrite tests/pictures")


def pytest_configure(config: pytest.Config) -> None:
    """Compile the catalogues that have changed, once for all processes."""
    pairs = [(file, file.with_suffix(".mo")) for file in CATALOGUES.glob("*/*/*.po")]
    if not hasattr(config, "workerinput") and any(
        not made.exists() or made.stat().st_mtime_ns < file.stat().st_mtime_ns for file, made in pairs
    ):
        from tools.texts import compiled

        compiled()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while the tests are collected, later seldom, and not among what was there then."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(10_000, 10, 10)
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What takes or waits long begins: at the end, it would run while other processes have nothing to do."""
    items.sort(
        key=lambda item: not {"long", "chromium"} & {*item.keywords, *getattr(item, "fixturenames", ())}
    )


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """`-n auto`: two processes a core, as many tests wait for a device; `-n logical`: one more than cores."""
    cores = min(len(os.sched_getaffinity(0)), _MOST_CORES)
    return cores + 1 if config.getoption("numprocesses") == "logical" else 2 * cores


@pytest.fixture(scope="session")
def _chromium() -> Iterator[Browser]:
    """A browser that the tests of a process share: a start of it takes seconds."""
    from tests.network.web.browser import browser

    with browser() as made:
        yield made


@pytest.fixture
def chromium(_chromium: Browser) -> Iterator[Browser]:
    """A browser with one empty tab that knows nothing of other tests."""
    yield _chromium
    _chromium.leave()


@pytest.fixture(scope="session")
def screens(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Image]:
    """Every screen of the gallery in English; of all processes of a run, the first draws them."""
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent  # each process has one of its own within it
    stored = folder / "drawn-screens"
    if not stored.exists():
        from tests.gallery.pictures import pictures  # few processes need all that it needs

        unfinished = folder / f"drawn-screens-{os.getpid()}"
        unfinished.write_bytes(pickle.dumps(dict(pictures())))
        unfinished.replace(stored)
    found: dict[str, Image] = pickle.loads(stored.read_bytes())  # noqa: S301 - our own, of this run
    return found


@pytest.fixture
def games_of_before() -> Iterator[None]:
    """What a test registers as a game is none after it."""
    before = dict(games.GAMES)
    yield
    games.GAMES.clear()
    games.GAMES.update(before)
