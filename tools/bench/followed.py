"""What it costs a card that fifty programs follow the table, one of which never reads."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from contextlib import contextmanager, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware.table_socket.server import TableSocket
from tools.bench import machine
from tools.bench.figure import Figure, at_most, middle
from tools.bench.scan_to_picture import cards_of, samples_of_match

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tools.bench.effort import Effort
    from tools.bench.wired import Wired

CLIENTS: Final = 50
LIMIT: Final = 1.05
_GAP_S: Final = 0.1
"""Between two cards, so that the socket has told everybody of the one before: people need seconds."""

_CARDS: Final = 15
"""Of a match; the matches with and without clients take turns."""

_FIRST_SEED: Final = 6


def measure(effort: Effort) -> list[Figure]:
    """Pairs of the same match, with clients and without, by the processor time from scan to picture."""
    folder = machine.MEMORY if machine.MEMORY.is_dir() else machine.DISK
    cards = min(effort.cards, _CARDS)
    alone_ms, followed_ms, ratios = list[float](), list[float](), list[float]()
    for pair in range(max(1, effort.cards // 20)):
        alone = _card_ms(folder, pair, cards, followed=False)
        followed = _card_ms(folder, pair, cards, followed=True)
        alone_ms.append(alone)
        followed_ms.append(followed)
        ratios.append(followed / alone)
    return [
        Figure(
            name="followed.card",
            about=(
                f"processor time of a card from scan to picture with {CLIENTS} clients of the table's "
                "socket, one of which never reads, by that without any"
            ),
            measured=middle(ratios),
            unit="x",
            limit=at_most(LIMIT),
            floor=1.0,
            floor_is="the same without clients",
            note=(
                f"{middle(followed_ms):.2f} ms and {middle(alone_ms):.2f} ms, {len(ratios)} pairs of "
                f"{cards} cards, each {min(ratios):.2f} to {max(ratios):.2f}"
            ),
            detail={"ratios": ratios, "alone_ms": alone_ms, "followed_ms": followed_ms},
        )
    ]


def _card_ms(folder: Path, pair: int, cards: int, *, followed: bool) -> float:
    samples = samples_of_match(
        folder,
        _FIRST_SEED + pair,
        cards,
        real_time=False,
        still=True,
        gap_s=_GAP_S,
        beside=_followed if followed else nullcontext,
    )
    return middle([1000 * sample.took.processor_s for sample in cards_of(samples)])


@contextmanager
def _followed(device: Wired) -> Iterator[None]:
    """The socket of the device, and its clients in a process of their own."""
    folder = tempfile.TemporaryDirectory(prefix="nimmt-followed-")
    path = Path(folder.name) / "table.sock"
    table = TableSocket(device.runtime.app, path)
    table.start()
    device.runtime.app.look()  # what the first snapshot tells
    words = [sys.executable, "-m", "tools.bench.followed_clients", str(path), str(CLIENTS)]
    clients = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603
    try:
        if clients.stdout is None or clients.stdout.readline() != "ready\n":
            raise RuntimeError("the clients did not connect")
        yield
    finally:
        clients.communicate()
        table.close()
        folder.cleanup()
