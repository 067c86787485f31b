"""`react` is a function: the same action at the same table gives the same, however often it is asked."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.values import replace
from firmware.extensions.robots.table import RobotsTable
from firmware.play.controller import TableController
from firmware.play.effects import Effect
from firmware.play.react import TableAction, TimePassed, react
from firmware.play.table import Table
from hardware.ports import Key, KeyPressed, KeyReleased, Press, Scanned
from tests.firmware.evening import FOUR, device
from tests.firmware.kiosk.kiosk_box import kiosk_box


def told(reaction: tuple[Table, tuple[Effect, ...]]) -> Any:
    """What a reaction has led to; of a match what it holds, for each is an object of its own."""
    table, effects = reaction
    match = table.state.match
    pages = tuple(type(one.page) for one in table.pages.opened)
    standing = None if match is None else (match.steps, match.position)
    return pages, standing, table.kept, table.notice, table.turn, table.light, [type(one) for one in effects]


def check(controller: TableController, actions: list[tuple[TableAction, float]]) -> None:
    for action, lasts_s in actions:
        now_s = controller.now_s + lasts_s
        before = replace(controller.table, state=controller.session.state)
        first = told(react(before, action, now_s))
        assert told(react(before, action, now_s)) == first
        if isinstance(action, TimePassed):
            controller.tick(now_s)
        else:
            assert not hasattr(action, "do")
            controller.hear(action, now_s)  # type: ignore[arg-type] # neither a request nor a failure
        after = (replace(controller.table, state=controller.session.state), ())
        assert told(after)[:-1] == first[:-1]


def by_chance(seed: int, cards: list[int]) -> list[tuple[TableAction, float]]:
    random = Random(seed)
    keys = [Key.OK, Key.UNDO, Key.WHY, Key.ROW_1, Key.ROW_2, Key.ROW_3, Key.ROW_4, Key.LEFT, Key.RIGHT]
    made: list[tuple[TableAction, float]] = []
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
            made.append((TimePassed(), random.choice([0.25, 1.0, 30.0])))
    return made


@pytest.mark.parametrize("seed", range(3))
def test_at_a_table(tmp_path: Path, seed: int) -> None:
    with device(tmp_path, FOUR) as at:
        check(at.controller, by_chance(seed, list(range(1, 30))))


@pytest.mark.parametrize("seed", range(3))
def test_with_visitors_of_a_kiosk(tmp_path: Path, seed: int) -> None:
    with kiosk_box(tmp_path) as at:
        # What a part that has threads knows is its own; a deal with robots is such a thing.
        others = tuple(one for one in at.controller.extensions if not isinstance(one, RobotsTable))
        at.controller.equip(extensions=others)
        check(at.controller, by_chance(seed, list(range(1, 30))))
