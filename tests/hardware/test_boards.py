"""The ready boards: every one must fit the drivers it is for."""

import pytest

from hardware.boards.boards import BOARDS, Board, board
from hardware.drivers.gpio_buttons import GpioButtons
from hardware.drivers.gpio_buzzer import GpioBuzzer
from hardware.drivers.luma_oled import Options as OledOptions
from hardware.ports import Key

each_board = pytest.mark.parametrize("chosen", BOARDS, ids=lambda one: one.name)


@each_board
def test_a_board_is_what_its_drivers_understand(chosen: Board) -> None:
    OledOptions(**chosen.display)
    GpioButtons(GpioButtons.Options(**chosen.buttons))
    if chosen.buzzer:
        GpioBuzzer(GpioBuzzer.Options(**chosen.buzzer))
    assert "http" in chosen.source
    assert board(chosen.name) is chosen


@each_board
def test_no_two_parts_of_a_board_share_a_pin(chosen: Board) -> None:
    used = [*chosen.buttons["pins"].values(), *chosen.buttons.get("also_pins", {}).values()]
    used += [chosen.buttons[name] for name in ("encoder_a", "encoder_b") if name in chosen.buttons]
    used += [chosen.buzzer["pin"]] if chosen.buzzer else []
    if chosen.display["bus"] == "i2c":
        used += [2, 3]  # data and clock; a key there would stop the panel
    else:
        used += [chosen.display["pin_dc"], chosen.display["pin_reset"], 8, 10, 11]
    assert len(used) == len(set(used))
    assert all(2 <= pin <= 27 for pin in used)


@each_board
def test_every_board_can_say_yes_take_back_ask_why_and_choose_a_row(chosen: Board) -> None:
    keys = {Key(name) for name in chosen.buttons["pins"]}
    assert {Key.OK, Key.UNDO, Key.WHY} <= keys
    assert {Key.ROW_1, Key.ROW_2, Key.ROW_3, Key.ROW_4} <= keys or {Key.UP, Key.DOWN} <= keys


def test_a_board_that_does_not_exist_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        board("nothing")
