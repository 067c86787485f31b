"""Ten cards in a fifth of a second, while panel, buzzer and disk are busy: none is lost, none overtakes."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any, Final

from companion.values import Value
from firmware.play.runtime import Runtime
from firmware.scripted.players import Act
from hardware.ports import Scanned
from tools.bench.figure import Effort, Figure, exactly
from tools.bench.machine import DISK, fresh_folder, simulated_pins
from tools.bench.wired import PATIENCE_S, WiredDevice, players, wired, without_devices

_PEOPLE: Final = 10
_GAP_S: Final = 0.02
_FIRST_SEED: Final = 6
_BETWEEN: Final = ("home", "collecting")  # the pages that wait for a card of the turn
_CALM_S: Final = 0.3  # before a burst: the last tune has ended, disk and threads have gone to sleep
_LOOK_S: Final = 0.01


class PlayedTurn(Value):
    """The ten cards of a turn, and all that people do before the first of them."""

    before: tuple[Act, ...]
    steps: int
    """So many steps the match has when the first card comes, and `page` is in front."""

    page: str
    cards: tuple[str, ...]
    orders: tuple[object, ...]
    """What stands in the journal of each card."""


def burst(effort: Effort) -> list[Figure]:
    """How many cards of a burst are in the journal at the place at which they came."""
    kept, seed = list[int](), _FIRST_SEED
    while len(kept) < effort.bursts and all(one == _PEOPLE for one in kept):
        kept += _kept_in_match(seed, effort.bursts - len(kept))
        seed += 1
    about = "ten cards 20 ms apart, while panel, buzzer and disk are busy with those before"
    whole = sum(one == _PEOPLE for one in kept)
    return [
        Figure(
            "burst.in-order",
            min(kept),
            "cards",
            exactly(_PEOPLE),
            floor=_PEOPLE,
            note=f"the worst of {len(kept)} bursts; {whole} whole and in order; {about}",
            detail={"bursts": len(kept), "whole": whole},
        )
    ]


def in_place(came: Sequence[object], found: Sequence[object]) -> int:
    """How many cards stand in the journal at the place at which they came."""
    return sum(here == there for here, there in zip(came, found, strict=False))


# ------------------------------------------------------------------------- turns, worked out beforehand


def _turns(seed: int, most: int) -> list[PlayedTurn]:
    """The first turns of a match; fewer where it is over before."""
    with fresh_folder(DISK) as folder, without_devices(folder / "journal.sqlite") as runtime:
        return list(islice(_played(runtime, seed), most))


def _played(runtime: Runtime, seed: int) -> Iterator[PlayedTurn]:
    controller, people = runtime.app.controller, players(seed, _PEOPLE)
    before: list[Act] = []
    cards: list[str] = []
    page, steps = "", 0
    while (action := people.next(controller)) is not None:
        if not isinstance(action, Scanned) or controller.front.NAME not in _BETWEEN:
            before.append(action)
            controller.hear(action, 0.0)
            continue
        if not cards:
            page, steps = controller.front.NAME, controller.session.playing.steps
        controller.hear(action, 0.0)
        cards.append(action.text)
        if len(cards) == _PEOPLE:
            yield PlayedTurn(tuple(before), steps, page, tuple(cards), _orders_after(runtime, steps))
            before, cards = [], []


def _orders_after(runtime: Runtime, steps: int) -> tuple[object, ...]:
    """What was ordered in the ten steps after so many of the match in play, as the journal has it."""
    if runtime.session.match_id is None:
        raise RuntimeError("no match is in play")
    records: list[dict[str, Any]] = list(runtime.journal.reader.steps(runtime.session.match_id))
    return tuple(record.get("do") for record in records[steps : steps + _PEOPLE])


# --------------------------------------------------------------------------------- on the whole device


def _kept_in_match(seed: int, most: int) -> list[int]:
    """Of so many bursts of a match how many cards were kept; fewer where it is over before."""
    planned, chip = _turns(seed, most), simulated_pins()
    with (
        wired(DISK, real_time=True, still=False, piezo=True) as device,
        ThreadPoolExecutor(1) as pool,
    ):
        chip.written.clear()
        device.runtime.start()
        playing = pool.submit(_play, device, planned)
        playing.add_done_callback(lambda _: device.runtime.app.stop())
        device.runtime.app.run()
        played = playing.result()
        if device.runtime.session.faults or not chip.written:
            raise RuntimeError(f"the device reports faults: {device.runtime.session.faults or 'no sound'}")
        return [in_place(turn.orders, _orders_after(device.runtime, turn.steps)) for turn in planned[:played]]


def _play(device: WiredDevice, planned: list[PlayedTurn]) -> int:
    """The people at the table, in a thread of their own; gives how many turns they played.

    The turn in which a card is lost is the last one.
    """
    if not device.runtime.devices["scanner"].wait_listening(PATIENCE_S):
        raise TimeoutError("the scanner's port does not open")
    app, pause = device.runtime.app, threading.Event()

    def steps() -> int:
        match = device.runtime.session.match
        return match.steps if match else 0

    for number, turn in enumerate(planned, start=1):
        for action in turn.before:
            app.post(action)
        here = (turn.steps, turn.page)
        if not _comes(lambda: (steps(), app.controller.front.NAME) == here):  # noqa: B023 - called at once
            raise TimeoutError(f"the device shows {app.controller.front.NAME}, not at {turn.page}")
        pause.wait(_CALM_S)
        began_s = time.perf_counter()
        for place, card in enumerate(turn.cards):
            pause.wait(max(0.0, began_s + place * _GAP_S - time.perf_counter()))
            device.line.scan(card)
        if not _comes(lambda: steps() >= turn.steps + _PEOPLE):  # noqa: B023 - called at once
            return number
    return len(planned)


def _comes(there: Callable[[], bool]) -> bool:
    """Wait until something is so; whether it came."""
    until_s, again = time.perf_counter() + PATIENCE_S, threading.Event()
    while not there():
        if time.perf_counter() > until_s:
            return False
        again.wait(_LOOK_S)
    return True
