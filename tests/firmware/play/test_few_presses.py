"""How people turn the pages of a ruling: it goes on by itself, and no key does what nobody meant."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from firmware.commands.players import SimulatedGroup
from firmware.config.configuration import load
from firmware.loop.react import tick
from firmware.screens.parts.numbers import Dial
from hardware.ports import Key, KeyPressed
from tests.firmware.evening import FOUR, Device, device

TEN = (
    "R1 " + " ".join(f"b{badge}" for badge in range(1, 11)) + " OK R1 R1 12 37 43 58 "
    "90 13 61 44 15 70 38 14 45 39"
)
"""A turn of ten players, none of whom takes a row."""


def shown(at: Device) -> int:
    """The card of the ruling that is shown, counted from 0."""
    place: int = at.table.front.at  # type: ignore[attr-defined]
    return place


def test_a_ruling_goes_on_by_itself_card_by_card_and_its_last_card_stays(tmp_path: Path) -> None:
    with device(tmp_path, TEN) as at:
        seen = [shown(at)]
        for _ in range(12):
            at.wait(0.1)
            at.wait(4.0)
            seen.append(shown(at))
        assert seen[:10] == list(range(10))
        assert set(seen[9:]) == {9}
        assert at.page == "ruling"


def test_ok_just_after_the_next_card_has_come_by_itself_was_meant_for_the_card_before(tmp_path: Path) -> None:
    with device(tmp_path, TEN) as at:
        at.wait(0.1)
        at.wait(4.0)
        assert shown(at) == 1
        at.wait(0.4)
        at.give(KeyPressed(Key.OK))
        assert shown(at) == 1
        at.wait(0.4)
        at.give(KeyPressed(Key.OK))
        assert shown(at) == 2


@pytest.mark.slow
@pytest.mark.parametrize(("pace_s", "ruling_s"), [(0.4, 4.0), (1.5, 0.0), (5.0, 4.0), (9.0, 4.0)])
def test_a_group_that_presses_ok_after_every_card_sees_every_ruling_of_a_match(
    tmp_path: Path, pace_s: float, ruling_s: float
) -> None:
    seen = set()
    with device(tmp_path, table=replace(load(None).table, ruling_s=ruling_s)) as at:
        players = SimulatedGroup("six", 4, Random(3))
        while True:
            ends_s = at.table.now_s + pace_s
            while at.table.now_s < ends_s:
                tick(at.table, min(ends_s, at.table.now_s + 0.25))
                if at.page == "ruling":
                    seen.add((at.match.steps, shown(at)))
            if (act := players.next(at.table)) is None:
                break
            at.give(act)
        assert len(seen) == 40 * len(at.match.position.score_sheet.deals)


def test_a_row_key_begins_at_the_first_card_that_was_not_scanned(tmp_path: Path) -> None:
    with device(tmp_path, FOUR + "12 37 43 58 13 14 R1") as at:
        dial = at.table.front
        assert isinstance(dial, Dial)
        assert dial.names[dial.at] == "15"


def test_ok_on_the_list_of_a_ruling_says_that_all_cards_are_placed(tmp_path: Path) -> None:
    with device(tmp_path, TEN + " R1 OK OK OK") as at:
        assert at.page == "home"


def test_undo_goes_back_to_the_first_card_and_only_then_undoes_a_step(tmp_path: Path) -> None:
    with device(tmp_path, TEN + " DOWN DOWN UP") as at:
        steps = at.match.steps
        assert shown(at) == 1
        at.people("UNDO")
        assert (shown(at), at.match.steps) == (0, steps)
        at.people("UNDO")
        assert at.page == "collecting"


def test_with_ruling_s_0_only_keys_turn_the_page(tmp_path: Path) -> None:
    with device(tmp_path, TEN, table=replace(load(None).table, ruling_s=0.0)) as at:
        at.wait(0.1)
        at.wait(60.0)
        assert shown(at) == 0
