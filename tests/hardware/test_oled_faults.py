"""Loose wires, wrong wiring and missing packages: what the OLED driver makes of them on the real luma."""

import sys
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.drivers.luma_oled import Oled
from hardware.errors import HardwareError
from hardware.ports import Light
from hardware.simulation.buses import SimulatedI2cBus
from tests.examples import examples
from tests.hardware.oled_setup import noise, oled_bench, same

CHIPS = ["ssd1306", "ssd1309", "sh1106"]
BUSES = ["i2c", "spi"]


@examples(30)
@given(chip=st.sampled_from(CHIPS), refused_after=st.integers(0, 9) | st.integers(0, 1100))
def test_one_lost_acknowledge_anywhere_never_leaves_a_wrong_picture(chip: str, refused_after: int) -> None:
    with oled_bench(chip) as bench:
        bench.driver.open()
        bench.driver.show(noise(1))
        bench.panel.refuse_after(refused_after)
        try:
            bench.driver.show(noise(2))
            bench.driver.light(Light.FULL)
        except HardwareError:
            bench.driver.close()
            bench.driver.open()
            bench.driver.show(noise(2))
            bench.driver.light(Light.FULL)
        assert same(bench.panel.seen(), noise(2))


@pytest.mark.parametrize("bus", BUSES)
@pytest.mark.parametrize("chip", CHIPS)
@pytest.mark.parametrize("level", list(Light))
def test_a_silent_power_glitch_is_recovered_by_the_next_refresh(chip: str, bus: str, level: Light) -> None:
    with oled_bench(chip, bus) as bench:
        bench.driver.open()
        bench.driver.show(noise(1))
        bench.driver.light(level)
        contrast = bench.panel.registers.contrast
        bench.panel.plug()
        bench.driver.refresh()
        assert same(bench.panel.held(), noise(1))
        assert bench.panel.lit == (level is not Light.OFF)
        if level is not Light.OFF:
            assert bench.panel.registers.contrast == contrast


@pytest.mark.parametrize("chip", CHIPS)
def test_a_refresh_of_a_healthy_panel_is_invisible(chip: str) -> None:
    with oled_bench(chip) as bench:
        bench.driver.open()
        bench.driver.show(noise(1))
        bench.driver.light(Light.FULL)
        switched_off = bench.panel.registers.times_switched_off
        before = bench.bus.traffic
        bench.driver.refresh()
        assert bench.panel.registers.times_switched_off == switched_off
        assert same(bench.panel.seen(), noise(1))
        assert (bench.bus.traffic - before).wire_s(100_000) < 0.11


# ------------------------------------------------------------------------- faults that say what to do


def fault_of(action: Callable[[], object]) -> HardwareError:
    with pytest.raises(HardwareError) as seen:
        action()
    assert seen.value.device == "display"
    return seen.value


def test_a_bus_that_is_not_switched_on_is_told_with_the_command_that_does() -> None:
    with oled_bench() as bench:
        bench.bus.missing = True
        for action in (bench.driver.open, bench.driver.check):
            fault = fault_of(action)
            assert fault.fault == "/dev/i2c-1 does not exist"
            assert "raspi-config nonint do_i2c 0" in fault.check


def test_a_missing_spi_node_is_told_and_gives_the_pins_back() -> None:
    with oled_bench(bus="spi") as bench:
        bench.bus.missing = True
        for _ in range(2):
            fault = fault_of(bench.driver.open)
            assert fault.fault == "/dev/spidev0.0 does not exist"
            assert "do_spi" in fault.check
        bench.bus.missing = False
        bench.driver.open()


def test_a_panel_at_the_other_address_is_found_by_the_check() -> None:
    with oled_bench(panel_address=0x3D) as bench:
        fault = fault_of(bench.driver.check)
        assert "no answer at 0x3C" in fault.fault
        assert fault.check == "set address = 0x3D in [display]"
        assert "no answer at 0x3C" in fault_of(bench.driver.open).fault


def test_a_check_of_an_empty_bus_says_how_to_look_for_the_panel() -> None:
    with oled_bench() as bench:
        bench.panel.unplug()
        assert "i2cdetect -y 1" in fault_of(bench.driver.check).check


@pytest.mark.parametrize("chip", CHIPS)
def test_a_check_does_not_touch_the_picture(chip: str) -> None:
    with oled_bench(chip) as bench:
        bench.driver.open()
        bench.driver.show(noise(1))
        bench.driver.light(Light.FULL)
        bench.driver.close()
        assert Oled(bench.options).check() == f"{chip} (128x64) answers at 0x3C on I2C bus 1"
        assert same(bench.panel.seen(), noise(1))


def test_a_check_over_spi_admits_that_nobody_answers() -> None:
    with oled_bench(bus="spi") as bench:
        assert "SPI panels do not answer" in bench.driver.check()


def test_a_missing_spidev_is_told_with_the_package_that_has_it() -> None:
    with oled_bench(bus="spi") as bench:
        simulated = sys.modules["spidev"]
        sys.modules["spidev"] = None  # type: ignore[assignment]  # Python's way to say: cannot be imported
        try:
            fault = fault_of(bench.driver.open)
        finally:
            sys.modules["spidev"] = simulated
        assert "'spidev'" in fault.fault
        assert "sudo apt install python3-spidev" in fault.check


def test_a_pin_that_something_else_holds_is_a_fault_with_its_name() -> None:
    from gpiozero import LED

    with oled_bench(bus="spi") as bench, LED(25):
        assert "GPIO25" in fault_of(bench.driver.open).fault


@pytest.mark.parametrize("chip", CHIPS)
def test_twenty_wires_that_fall_off_in_mid_frame_are_told_and_heal_and_leave_no_open_file(chip: str) -> None:
    with oled_bench(chip) as bench:
        for round_ in range(20):
            bench.driver.open()
            bench.driver.show(noise(1))
            bench.driver.light(Light.FULL)
            assert same(bench.panel.seen(), noise(1))
            bench.panel.unplug_after(round_ * 40)
            with pytest.raises(HardwareError, match="no answer at 0x3C on I2C bus 1"):
                bench.driver.show(noise(2))
            bench.driver.close()
            with pytest.raises(HardwareError, match="no answer"):
                bench.driver.open()
            bench.driver.close()
            bench.panel.plug()
        assert isinstance(bench.bus, SimulatedI2cBus)
        assert bench.bus.open_count == 0
