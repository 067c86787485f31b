"""Turns of ten people, worked out beforehand so that their cards can come fast; nothing is timed here."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING, Any, Final

from firmware.config.configuration import choose, load
from firmware.play.runtime import Runtime
from hardware.ports import KeyPressed, Scanned
from tools.bench.machine import DISK, fresh_folder
from tools.bench.wired import least_wire_s, players

if TYPE_CHECKING:
    from collections.abc import Iterator


PEOPLE: Final = 10
_BETWEEN: Final = ("home", "collecting")  # the pages that wait for a card of the turn

Action = KeyPressed | Scanned


@dataclass(frozen=True, slots=True)
class Turn:
    """The ten cards of a turn, and all that people do before the first of them."""

    before: tuple[Action, ...]
    steps: int
    """So many steps the match has when the first card comes, and `page` is in front."""

    page: str
    cards: tuple[str, ...]
    orders: tuple[object, ...]
    """What stands in the journal of each card."""

    wire_s: tuple[float, ...]
    """How long the bytes that each card changes are on the wire."""


def turns(seed: int, most: int) -> list[Turn]:
    """The first turns of a match; fewer where it is over before."""
    with fresh_folder(DISK) as folder:
        config = replace(load(None), display=choose("display", "none"))
        config = replace(
            config,
            table=replace(config.table, duplicate_s=0.0),
            screen=replace(config.screen, heartbeat_s=0.0),
        )
        runtime = Runtime(config, folder / "journal.sqlite")
        with closing(runtime):
            return list(islice(_played(runtime, seed), most))


def _played(runtime: Runtime, seed: int) -> Iterator[Turn]:
    controller, people = runtime.app.controller, players(seed, PEOPLE)
    before, cards, wire_s = list[Action](), list[str](), list[float]()
    page, steps = "", 0
    while (action := people.next(controller)) is not None:
        if not isinstance(action, Scanned) or controller.front.NAME not in _BETWEEN:
            before.append(action)
            controller.hear(action, 0.0)
            continue
        if not cards:
            page, steps = controller.front.NAME, controller.session.playing.steps
        old = runtime.app.picture()
        controller.hear(action, 0.0)
        cards.append(action.text)
        wire_s.append(least_wire_s(old, runtime.app.picture()))
        if len(cards) == PEOPLE:
            orders = orders_after(runtime, steps)
            yield Turn(tuple(before), steps, page, tuple(cards), orders, tuple(wire_s))
            before, cards, wire_s = [], [], []


def orders_after(runtime: Runtime, steps: int) -> tuple[object, ...]:
    """What was ordered in the ten steps after so many of the match in play, as the journal has it."""
    if runtime.session.match_id is None:
        raise RuntimeError("no match is in play")
    records: list[dict[str, Any]] = list(runtime.journal.steps(runtime.session.match_id))
    return tuple(record.get("do") for record in records[steps : steps + PEOPLE])
