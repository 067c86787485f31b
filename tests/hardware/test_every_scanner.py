"""What every scanner promises, whatever it is: one list, and each driver over its simulated twin runs it."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from hardware.errors import HardwareError
from hardware.ports import DeviceFault, DeviceRecovered, Message, Scanned
from hardware.registry import DRIVERS
from tests.hardware.device_setup import SOON_S, Letters
from tests.hardware.scanner_setup import BENCHES, Bench, Driver, listening, told_noise, use
from tests.patience import threads_are_again

pytestmark = pytest.mark.slow  # each waits for pauses of the line

CODES = [f"6N{card:03}Y" for card in range(1, 11)]
WHAT_TO_CHECK = ("baud", "US keyboard", "its manual")


@pytest.fixture(params=list(BENCHES))
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    bench = BENCHES[request.param](tmp_path)
    yield bench
    bench.close()


@contextmanager
def in_use(bench: Bench, letters: Letters) -> Iterator[Driver]:
    """A driver that listens, to a scanner that has been used once: it needs nothing to be set any more."""
    with listening(bench.driver(), letters) as driver:
        use(bench, letters)
        yield driver


def test_there_is_a_bench_for_every_driver_that_can_be_configured(tmp_path: Path) -> None:
    names = set()
    for number, make in enumerate(BENCHES.values()):
        (tmp_path / str(number)).mkdir()
        bench = make(tmp_path / str(number))
        names.add(bench.name)
        bench.close()
    assert names == set(DRIVERS["scanner"]) - {"simulated", "none"}


def test_ten_codes_in_a_burst_come_once_each_and_in_order(bench: Bench, letters: Letters) -> None:
    with in_use(bench, letters):
        for code in CODES:
            bench.scan(code)
        assert letters.texts(10) == CODES
        assert letters.nothing()


def test_codes_and_what_else_the_line_carries_are_told_apart(bench: Bench, letters: Letters) -> None:
    with in_use(bench, letters):
        for first, second in zip(CODES[::2], CODES[1::2], strict=True):
            bench.scan_among_others(first, second)
            assert letters.texts(2) == [first, second]
        assert letters.nothing()


def test_half_a_code_is_no_card_and_does_not_spoil_the_next(bench: Bench, letters: Letters) -> None:
    with in_use(bench, letters):
        bench.half("104")
        assert letters.texts(1) == ["1"]  # so the half one was read, too
        bench.silence()
        assert letters.nothing()
        bench.scan("4")
        assert letters.texts(1) == ["4"]


def test_noise_is_no_card_and_the_next_scan_is_heard(bench: Bench, letters: Letters) -> None:
    with in_use(bench, letters):
        for _ in range(3):
            bench.noise()
            use(bench, letters)
        bench.scan("42")
        assert letters.texts(1) == ["42"]


def test_three_codes_in_a_row_that_cannot_be_read_are_a_fault_until_one_can(
    bench: Bench, letters: Letters
) -> None:
    with in_use(bench, letters):
        told = told_noise(bench, letters)
        assert "no readable code" in told.fault
        assert any(words in told.check for words in WHAT_TO_CHECK)
        *others, last = use(bench, letters)
        assert isinstance(last, DeviceRecovered)
        assert all(isinstance(one, DeviceFault) for one in others)  # another speed was tried


def test_a_plug_pulled_in_the_middle_of_a_code_is_one_fault_and_the_scanner_comes_back(
    bench: Bench, letters: Letters
) -> None:
    with in_use(bench, letters) as driver:
        bench.half("104")
        assert letters.texts(1) == ["1"]
        bench.unplug()
        fault = letters.skip_to(DeviceFault)
        assert fault.device == "scanner"
        assert fault.fault
        assert fault.check
        assert letters.nothing(0.3)
        assert not driver.wait_listening(0.0)
        bench.plug()
        assert letters.next(DeviceRecovered).device == "scanner"
        assert driver.wait_listening(SOON_S)
        bench.scan("4")
        assert letters.texts(1) == ["4"]
        assert letters.nothing()


def test_a_scanner_may_be_plugged_in_after_the_program_was_started(bench: Bench, letters: Letters) -> None:
    bench.unplug()
    driver = bench.driver()
    driver.start(letters.post)
    letters.next(DeviceFault)
    bench.plug()
    letters.next(DeviceRecovered)
    use(bench, letters)
    driver.close()


def test_what_was_scanned_while_nobody_listened_is_not_played_later(bench: Bench, letters: Letters) -> None:
    with in_use(bench, letters):
        pass
    bench.scan("1")
    driver = bench.driver()
    driver.start(letters.post)
    bench.scan("2")
    while driver.wait_listening(0.0):  # it was faster than this test: once more
        driver.close()
        letters.drain()
        driver.start(letters.post)
        bench.scan("2")
    assert driver.wait_listening(SOON_S)
    use(bench, letters)  # and heard is nothing else
    driver.close()


def test_a_scanner_that_changes_its_speed_or_its_place_is_found_again(bench: Bench, letters: Letters) -> None:
    with in_use(bench, letters):
        for _ in range(2):
            bench.move()
            messages = use(bench, letters)
            assert [type(message) for message in messages] in ([], [DeviceFault, DeviceRecovered])
        for code in CODES:
            bench.scan(code)
        assert letters.texts(10) == CODES


def test_a_line_of_another_program_is_named_as_busy_and_taken_when_it_is_free(
    bench: Bench, letters: Letters
) -> None:
    with in_use(bench, letters) as driver:
        second, its_letters = bench.driver(), Letters()
        second.start(its_letters.post)
        assert "another program" in its_letters.next(DeviceFault).fault
        with pytest.raises(HardwareError, match="another program"):
            second.check()
        driver.close()
        its_letters.next(DeviceRecovered)
        assert second.wait_listening(SOON_S)
        use(bench, its_letters)
        second.close()


def test_a_program_that_fails_to_take_a_scan_does_not_stop_the_scanner(bench: Bench) -> None:
    def unwilling(message: Message) -> None:
        if isinstance(message, Scanned) and message.text == "13":
            raise RuntimeError("no")

    letters = Letters(unwilling)
    with in_use(bench, letters) as driver:
        bench.scan("13")
        bench.scan("42")
        assert letters.texts(2) == ["13", "42"]
        assert driver.alive()


def test_the_check_names_what_answers_and_leaves_it_free(bench: Bench) -> None:
    driver = bench.driver()
    said = driver.check()
    assert driver.check() == said
    bench.unplug()
    with pytest.raises(HardwareError) as caught:
        driver.check()
    assert caught.value.device == "scanner"
    assert caught.value.check


def test_closing_ends_the_thread_at_once_and_may_be_done_twice(bench: Bench, letters: Letters) -> None:
    before = threading.active_count()
    with in_use(bench, letters) as driver:
        driver.close()
        driver.close()
        assert threads_are_again(before)  # though nothing came on its line that would end a read
        assert not driver.alive()
        assert driver.check()
        driver.start(letters.post)
        assert driver.wait_listening(SOON_S)
        with pytest.raises(RuntimeError, match="already started"):
            driver.start(letters.post)
        bench.scan("42")
        assert letters.texts(1) == ["42"]
        assert letters.nothing()
