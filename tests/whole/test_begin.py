"""How a device begins: the first seconds after it is switched on, and the second match of an evening."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.desk import Desk
from firmware.screens.hello import Hello
from firmware.screens.listing import Menu
from hardware.ports import Light
from tests.firmware.evening import EXAMPLE_1, ROWS, Device, device

if TYPE_CHECKING:
    from pathlib import Path

WEEKS_S = 2_000_000.0


def put_match_away(at: Device) -> None:
    at.people("hold-OK")
    menu = at.desk.front
    assert isinstance(menu, Menu)
    dict(menu.items)["PUT MATCH AWAY"](at.desk)
    at.desk.home()


def test_the_glass_is_bright_however_long_the_machine_has_been_on(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        desk = Desk(at.rig.world, at.desk.signal, WEEKS_S)
        desk.tick(WEEKS_S + 1)
        assert desk.light is Light.FULL


def test_hello_stays_for_its_seconds_however_long_the_machine_has_been_on(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        desk = Desk(at.rig.world, at.desk.signal, WEEKS_S)
        desk.open(Hello(), lasts_s=3.0)
        desk.tick(WEEKS_S + 1)
        assert desk.front.NAME == "hello"
        desk.tick(WEEKS_S + 4)
        assert desk.front.NAME == "start"


def test_a_device_counts_from_the_moment_it_is_switched_on(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        at.desk.open(Hello(), lasts_s=60.0)
        at.rig.app.look()
        assert at.desk.light is Light.FULL
        assert at.page == "hello"


def test_the_rulings_of_a_second_match_are_shown_like_those_of_the_first(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1 + "OK") as at:
        first = at.match.steps
        put_match_away(at)
        assert at.page == "start"
        at.people("OK" + " " + ROWS + "14 44 61 15")
        assert at.match.steps == first
        assert at.page == "ruling"
