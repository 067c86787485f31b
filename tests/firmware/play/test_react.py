"""What an action leads to can be forgotten: tried at the same table again, it leads to the same."""

from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest

from firmware.extensions.robots.table import RobotsTable
from firmware.loop.react import handle_message, pass_time, react, respond, tick
from firmware.play.effects import Effect
from firmware.play.table import Table
from hardware.ports import Key, KeyPressed, KeyReleased, Message, Press, Scanned
from tests.firmware.evening import FOUR, device, trial
from tests.firmware.kiosk.kiosk_box import kiosk_box


def told(table: Table, effects: list[Effect]) -> Any:
    """What an action has led to; of a match what it holds, for each is an object of its own."""
    state, match = table.state, table.session.match
    pages = tuple(type(open_page.page) for open_page in state.pages.opened)
    standing = None if match is None else (match.steps, match.position)
    return pages, standing, state.kept, state.notice, state.turn, state.light, [*map(type, effects)]


def tried(table: Table, message: Message | None, now_s: float) -> Any:
    with trial(table) as effects:
        react(table, pass_time if message is None else partial(respond, message), now_s)
        return told(table, effects)


def check(table: Table, messages: list[tuple[Message | None, float]]) -> None:
    for message, lasts_s in messages:
        now_s = table.now_s + lasts_s
        first = tried(table, message, now_s)
        assert tried(table, message, now_s) == first
        if message is None:
            tick(table, now_s)
        else:
            handle_message(table, message, now_s)
        assert told(table, [])[:-1] == first[:-1]


def by_chance(seed: int, cards: list[int]) -> list[tuple[Message | None, float]]:
    random = Random(seed)
    keys = [Key.OK, Key.UNDO, Key.WHY, Key.ROW_1, Key.ROW_2, Key.ROW_3, Key.ROW_4, Key.LEFT, Key.RIGHT]
    made: list[tuple[Message | None, float]] = []
    for _ in range(120):
        kind = random.random()
        if kind < 0.5:
            made.append((KeyPressed(random.choice(keys)), 0.5))
        elif kind < 0.6:
            key = random.choice(keys)
            made += [(KeyPressed(key, Press.LONG), 0.8), (KeyReleased(key), random.choice([0.2, 40.0]))]
        elif kind < 0.8:
            made.append((Scanned(str(random.choice(cards))), 1.0))
        else:
            made.append((None, random.choice([0.25, 1.0, 30.0])))
    return made


@pytest.mark.parametrize("seed", range(3))
def test_at_a_table(tmp_path: Path, seed: int) -> None:
    with device(tmp_path, FOUR) as at:
        check(at.table, by_chance(seed, list(range(1, 30))))


@pytest.mark.parametrize("seed", range(3))
def test_with_visitors_of_a_kiosk(tmp_path: Path, seed: int) -> None:
    with kiosk_box(tmp_path) as at:
        # What a part that has threads knows is its own; a deal with robots is such a thing.
        others = tuple(one for one in at.table.extensions if not isinstance(one, RobotsTable))
        at.table.extensions = others
        check(at.table, by_chance(seed, list(range(1, 30))))
