"""What is said about a configuration file that cannot be used: everything, at once, with what to do."""

import re
from pathlib import Path
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Struct, field

from firmware.config import configuration
from firmware.config.configuration import Config
from firmware.config.keys import ConfigError, Findings, Problem, keys_of, plain, read_options
from hardware.boards import BOARDS
from hardware.options import option
from hardware.registry import DRIVERS

DOCS = Path(__file__).parents[3] / "docs"


def problems_of(text: str) -> tuple[Problem, ...]:
    with pytest.raises(ConfigError) as caught:
        configuration.parse(text, "nimmt.toml")
    return caught.value.problems


def only_problem_of(text: str) -> Problem:
    (problem,) = problems_of(text)
    return problem


FAULTS = r"""
scaner = {}
  scaner: is not a known key (did you mean 'scanner'?)
scanner = { driver = "serial", buad = 9600 }
  scanner.buad: is not a known key (did you mean 'baud'?)
scanner = { driver = "serail" }
  scanner.driver = "serail": is not a known driver (did you mean 'serial'?)
scanner = { baud = 9600 }
  scanner.driver: is missing (add it: one of auto, serial, hid, simulated, none)
scanner = { driver = 7 }
  scanner.driver = 7: is not text (write one of: auto, serial, hid, simulated, none)
scanner = "serial"
  scanner = "serial": is a value, not a section (write [scanner] on a line, and its keys below)
scanner = { driver = "serial", baud = "9600" }
  scanner.baud = "9600": is not a whole number (write a whole number, 300 to 4000000)
scanner = { driver = "serial", baud = 9600.5 }
  scanner.baud = 9600.5: is not a whole number (write a whole number, 300 to 4000000)
scanner = { driver = "serial", baud = 50 }
  scanner.baud = 50: is out of range (write a whole number, 300 to 4000000)
sound = { on = "false" }
  sound.on = "false": is not true or false (write true or false)
screen = { dim_after_s = inf }
  screen.dim_after_s = inf: is not a number (write a number, 0 to 86400)
screen = { language = "eng" }
  screen.language = "eng": is not allowed (did you mean 'en'?)
table = { names = "Al" }
  table.names = "Al": is not a list of strings (write a list of strings: the players by badge number: the f...
table = { names = ["Ana", " "] }
  table: the name of badge 2 is empty or cannot be shown (give a name that can be shown)
table = { names = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"] }
  table: names has 11 players, but there are only 10 badges (list fewer players)
buttons = { driver = "gpio", pins = { okay = 26 } }
  buttons.pins.okay: is not a known key (did you mean 'ok'?)
buttons = { driver = "gpio", pins = { ok = 62 } }
  buttons.pins.ok = 62: is out of range (write a whole number, 0 to 27)
buttons = { driver = "gpio", double_keys = ["ok", "row1"] }
  buttons.double_keys[1] = "row1": is not allowed (did you mean 'row_1'?)
buttons = { driver = "gpio", encoder_a = 17 }
  buttons: encoder_a and encoder_b are the two contacts of one knob: set both (change the values in [butto...
scanner = { driver = "serial", port = "usb:66:77" }
  scanner: port 'usb:66:77' is not a USB id of the form usb:<vendor>:<product>, such as usb:6666:7777 (cha...
buzzer = { driver = "gpio" }
  buzzer.pin: is missing (add it: pin is pin of the buzzer, a BCM number)
"""
"""Configurations of one line, each with what is said of its only fault; `...` stands for more."""


@pytest.mark.parametrize("case", re.split(r"\n(?! )", FAULTS.strip()))
def test_each_fault_is_one_line_that_ends_in_what_to_do(case: str) -> None:
    text, _, line = case.partition("\n  ")
    said = str(only_problem_of(text))
    assert said == line or (line.endswith("...") and said.startswith(line[:-3]) and said.endswith(")"))


def test_all_faults_are_told_at_once() -> None:
    text = """
        bord = "hand-wired"
        [scanner]
        driver = "serial"
        baud = "fast"
        prot = "/dev/ttyACM0"
        [screen]
        dim_after_s = -1
        [buzzer]
        driver = "gpio"
        """
    with pytest.raises(ConfigError) as caught:
        configuration.parse(text, "nimmt.toml")
    assert [problem.path for problem in caught.value.problems] == [
        "bord",
        "scanner.prot",
        "scanner.baud",
        "buzzer.pin",
        "screen.dim_after_s",
    ]
    lines = str(caught.value).splitlines()
    assert lines[0] == "nimmt.toml cannot be used:"
    assert len(lines) == 6
    assert "5 faults" in caught.value.fault
    assert "nimmt config check" in caught.value.fix


def test_a_slip_of_the_pen_is_told_with_its_line() -> None:
    problem = only_problem_of('[table]\nnames = ["Ana"\n[screen]\n')
    assert "is not valid TOML" in problem.fault
    assert "in line 3, character" in problem.fault


def test_a_file_that_is_not_there_is_a_fault_like_any_other(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: there is no such file") as caught:
        configuration.load(tmp_path / "absent.toml")
    assert isinstance(caught.value, ValueError)


class Everything(Struct, frozen=True):
    """One key of each type that a driver may have."""

    yes: Annotated[bool, option("a switch")] = True
    whole: Annotated[int, option("a count", low=0, high=9)] = 1
    number: Annotated[float, option("seconds", low=0.5)] = 1.5
    text: Annotated[str, option("a word", among=("a", "b"))] = "a"
    numbers: Annotated[tuple[int, ...], option("some counts", low=0, high=9)] = (1, 2)
    words: Annotated[tuple[str, ...], option("some words", among=("up", "down"))] = ()
    by_name: Annotated[dict[str, int], option("counts by name", among=("up", "down"), high=9)] = field(
        default_factory=lambda: {"up": 1}
    )
    word_by_name: Annotated[dict[str, str], option("words by name")] = {}
    maybe: Annotated[int | None, option("a count, or nothing")] = None


def read_everything(**table: object) -> tuple[Everything | None, list[str]]:
    findings = Findings()
    return read_options(Everything, table, "it", findings), [str(one) for one in findings.problems]


def test_a_driver_may_have_options_of_nine_types() -> None:
    read, faults = read_everything(
        yes=False,
        whole=9,
        number=2,
        text="b",
        numbers=[3],
        words=["up"],
        by_name={"down": 2},
        word_by_name={"a": "b"},
        maybe=4,
    )
    assert faults == []
    assert repr(read) == repr(Everything(False, 9, 2.0, "b", (3,), ("up",), {"down": 2}, {"a": "b"}, 4))


NAMES = sorted(
    {"board", "driver", *DRIVERS, *configuration.SECTIONS}
    | {key.name for options in configuration.SECTIONS.values() for key in keys_of(options)}
    | {
        key.name
        for port, names in DRIVERS.items()
        for name in names
        for key in keys_of(configuration.options_of(port, name))
    }
)
VALUES: st.SearchStrategy[object] = st.recursive(
    st.booleans()
    | st.integers(-10, 10**6)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.sampled_from([*DRIVERS["display"], *DRIVERS["buttons"], *[one.name for one in BOARDS], "i2c", "ok"])
    | st.text('aZ ,=#[]"\\é\n\x00', max_size=5),
    lambda values: st.lists(values, max_size=3) | st.dictionaries(st.sampled_from(NAMES), values, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.sampled_from(NAMES), VALUES, max_size=5))
def test_any_file_is_a_configuration_or_a_list_of_faults(tables: dict[str, object]) -> None:
    text = "\n".join(f"{name} = {plain(value)}" for name, value in tables.items())
    try:
        read = configuration.parse(text, "nimmt.toml")
    except ConfigError as error:
        assert all(problem.fault and problem.fix for problem in error.problems)  # noqa: PT017 - not every file is faulty
        assert len(str(error).splitlines()) == 1 + len(error.problems)  # noqa: PT017
    else:
        assert isinstance(read, Config)


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("a = " + "[" * 5000 + "]" * 5000, "too deep within each other"),
        ("a = " + "{a = " * 5000, "too deep within each other"),
        ("[table]\nnames." + "a." * 30_000 + "a = 1", "too deep within each other"),
        ("a = " + "9" * 5000, "is not valid TOML"),
        ("[table]\nmissing_card_s = 0x" + "f" * 5000, "is not valid TOML"),
        ("[table]\nmissing_card_s = " + "9" * 400, "is out of range"),
        (f'[table]\nnames = ["{"x" * 61}"]', "has 61 letters"),
        (f'[table]\nnames = ["{"x" * 50_000}"]', "has 50000 letters"),
        ('[table]\nnames = ["Ana\\u001b[31m"]', "has a control character"),
        ('[journal]\npath = "a\\u0000b"', "has a control character"),
        ('[journal]\npath = "/etc"', "is a folder"),
        ('[journal]\npath = "~nobody-of-this-name/x"', "is not known"),
    ],
)
def test_what_no_key_could_need_is_a_fault_like_any_other(text: str, fault: str) -> None:
    problem = only_problem_of(text)
    assert fault in problem.fault
    assert problem.fix
    assert len(str(problem)) < 300


@pytest.mark.parametrize(
    "port",
    [
        "socket://192.168.0.1:7000",
        "rfc2217://192.168.0.1:7000",
        "loop://",
        "spy:///dev/ttyUSB0?file=/etc/motd",
        "alt:///dev/ttyUSB0",
        "hwgrep://.*",
        "cp2110://x",
        "ttyUSB0",
        "/etc/passwd",
        "/etc",
    ],
)
def test_a_port_is_a_device_and_nothing_else(port: str) -> None:
    problem = only_problem_of(f'[scanner]\ndriver = "serial"\nport = "{port}"')
    assert "is not a device file" in problem.fault or "is a file or a folder" in problem.fault
