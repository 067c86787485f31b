"""Faults of devices and reasons of the operating system are told in the language of people."""

import errno
import os
from pathlib import Path

import pytest

from companion.text.sentence import say
from firmware.bounded_file import read_bounded
from firmware.text.os_errors import reason_of
from firmware.text.translation import Translator, sentence_of, text_of
from hardware.errors import HardwareError, sentence
from hardware.scanner.serial_line import absent


def test_a_sentence_is_a_string_that_knows_its_template_and_its_facts() -> None:
    said = sentence("GPIO {number}: {fault}", number=5, fault=sentence("no answer"))
    assert said == "GPIO 5: no answer"
    assert said.template == "GPIO {number}: {fault}"
    assert said.facts == {"number": 5, "fault": "no answer"}


def test_a_fault_of_a_device_is_said_in_german() -> None:
    fault = HardwareError("scanner", *absent("/dev/ttyACM0"))
    german = Translator("de")
    assert str(fault).startswith("scanner: no scanner at /dev/ttyACM0 (")
    assert german.say(text_of(fault.fault)) == "kein Scanner an /dev/ttyACM0"
    assert german.say(text_of(fault.check)).startswith("schließe ihn an")


def test_a_sentence_within_a_sentence_is_said_in_german_as_well() -> None:
    said = sentence("{where}: {fault}", where="GPIO 5", fault=sentence("held down since the start"))
    assert Translator("de").say(text_of(said)) == "GPIO 5: seit dem Start gedrückt"


def test_numbers_of_pins_and_buses_stay_as_they_are_printed() -> None:
    said = sentence("GPIO {number}: {fault}", number=17, fault="x")
    assert "17" in Translator("fa").say(text_of(said))


def test_plain_words_of_a_driver_of_somebody_else_are_shown_as_they_are() -> None:
    assert Translator("de").say(text_of("{it} is odd")) == "{it} is odd"


def test_a_text_of_the_program_comes_through_a_device_fault() -> None:
    text = say("the disk reports an error")
    assert sentence_of(text) == str(text)
    assert Translator("de").say(text_of(sentence_of(text))) == "der Datenträger meldet einen Fehler"


def test_a_reason_that_is_not_known_is_told_as_the_system_does() -> None:
    assert str(reason_of(OSError(errno.EXDEV, os.strerror(errno.EXDEV)))) == os.strerror(errno.EXDEV)
    assert str(reason_of(OSError("odd"))) == "odd"


def test_what_is_no_file_of_this_size_is_told(tmp_path: Path) -> None:
    long, pipe = tmp_path / "long", tmp_path / "pipe"
    long.write_bytes(bytes(3000))
    os.mkfifo(pipe)
    for path, said in (
        (long, "it is larger than 2 kB"),
        (pipe, "it is not a file"),
        (tmp_path, "it is a folder"),
        (tmp_path / "a\0b", "that is not a path"),
        (long / "in it", "a part of its path is not a folder"),
    ):
        with pytest.raises(OSError, match=r".") as caught:
            read_bounded(path, 2000)
        assert str(reason_of(caught.value)) == said
    link = tmp_path / "link"
    link.symlink_to(long)
    with pytest.raises(OSError, match="it is a link"):
        read_bounded(link, 3000, follow=False)
    assert read_bounded(link, 3000) == bytes(3000)
