"""How much people press: a ruling goes on by itself, a card takes four presses without a scanner."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from random import Random
from typing import TYPE_CHECKING

from firmware.config.configuration import load
from firmware.screens.dial import Dial
from firmware.session.actions import ROW_KEYS
from hardware.ports import Key, KeyPressed, Press
from tests.firmware.evening import device

if TYPE_CHECKING:
    from pathlib import Path

    from tests.firmware.evening import Device

TEN = (
    "R1 " + " ".join(f"b{badge}" for badge in range(1, 11)) + " OK R1 12 37 43 58 "
    "90 13 61 44 15 70 38 14 45 39"
)
"""A turn of ten players, none of whom takes a row."""


def first(at: Device) -> int:
    """The first card of the ruling that is shown, counted from 0."""
    shown: int = at.controller.front.first  # type: ignore[attr-defined]
    return shown


def wait(at: Device, seconds: float) -> None:
    at.controller.tick(at.controller.now_s + seconds)


def test_a_long_ruling_goes_on_by_itself_and_its_last_page_stays(tmp_path: Path) -> None:
    with device(tmp_path, TEN) as at:
        seen = [first(at)]
        for _ in range(6):
            wait(at, 0.1)
            wait(at, 4.0)
            seen.append(first(at))
        assert seen[:3] == [0, 4, 8]
        assert set(seen[2:]) == {8}
        assert at.page == "ruling"


def test_ok_is_faster_and_undo_turns_back_without_undoing_a_card(tmp_path: Path) -> None:
    with device(tmp_path, TEN + " OK OK") as at:
        assert first(at) == 8
        steps = at.match.steps
        at.people("UNDO")
        assert (first(at), at.match.steps) == (4, steps)
        at.people("UNDO UNDO")
        assert at.match.steps == steps + 1


def test_with_ruling_s_0_only_ok_turns_the_page(tmp_path: Path) -> None:
    with device(tmp_path, TEN, table=replace(load(None).table, ruling_s=0.0)) as at:
        wait(at, 0.1)
        wait(at, 60.0)
        assert first(at) == 0


STEPS = {
    (key, press): step
    for (key, press), step in zip(
        product(ROW_KEYS, (Press.SHORT, Press.LONG)), (-10, -50, -1, -5, 1, 5, 10, 50), strict=True
    )
}
"""What the display and the documentation say about the keys of the dial."""


def ways() -> dict[int, tuple[tuple[Key, Press], ...]]:
    """The fewest presses for every distance."""
    found: dict[int, tuple[tuple[Key, Press], ...]] = {0: ()}
    newest = [0]
    while newest:
        here, newest = newest, []
        for at in here:
            for press, step in STEPS.items():
                if abs(at + step) <= 104 and at + step not in found:
                    found[at + step] = (*found[at], press)
                    newest.append(at + step)
    return found


def test_without_a_scanner_a_card_takes_four_presses_on_average(tmp_path: Path) -> None:
    chance, way, presses, cards = Random(7), ways(), 0, 0
    with device(tmp_path, "R1 b1 b2 b3 b4 OK R1 R1 12 37 58 80") as at:
        for card in chance.sample([card for card in range(1, 105) if card not in (12, 37, 58, 80)], 60):
            begins = [min(104, stack + 1) for stack in (12, 37, 58, 80)]
            best = min(range(4), key=lambda row: len(way[card - begins[row]]))
            at.controller.home()
            for key, press in ((ROW_KEYS[best], Press.SHORT), *way[card - begins[best]]):
                at.controller.hear(KeyPressed(key, press), at.controller.now_s)
                presses += 1
            dial = at.controller.front
            assert isinstance(dial, Dial)
            assert dial.names[dial.at] == str(card)
            presses, cards = presses + 1, cards + 1  # OK
    assert presses / cards <= 4.0
