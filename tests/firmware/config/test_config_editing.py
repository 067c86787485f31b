import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.text.errors import CompanionError
from firmware.config.configuration import SECTIONS, parse
from firmware.config.editing import changed, described
from tests.examples import examples

OLD = """\
# Our table.
board = "hand-wired"   # soldered in May

[table]   # at home
# Ana sits at the window
names = [
  "Ana",   # badge 1
  "Bo",
]
choice_s = 30   # "#" is no comment here

[screen]
language = "de"

[rules.six]
end = {target = 66}
"""


def test_what_is_written_around_a_key_stays() -> None:
    new = changed(OLD, {"table": {"choice_s": 45.5}, "screen": {"language": None}}, "nimmt.toml")
    assert new == OLD.replace("choice_s = 30 ", "choice_s = 45.5 ").replace('language = "de"\n', "")


@pytest.mark.parametrize(
    ("section", "key", "value", "line"),
    [
        ("table", "names", ["Cem", 'D"a\\'], 'names = ["Cem", "D\\"a\\\\"]\n'),
        ("table", "seat_order", True, "\nseat_order = true\n"),
        ("", "board", "adafruit-bonnet", 'board = "adafruit-bonnet"   # soldered in May\n'),
        ("sound", "on", False, "\n\n[sound]\non = false\n"),
        ("rules.six", "deck", "known", '{target = 66}\ndeck = "known"\n'),
        ("rules.ciao", "deck", {"gR:AR": 2}, '\n[rules.ciao]\ndeck = {"gR:AR" = 2}\n'),
    ],
)
def test_a_key_is_changed_or_added_where_it_belongs(section: str, key: str, value: object, line: str) -> None:
    new = changed(OLD, {section: {key: value}}, "nimmt.toml")
    assert line in new
    table: Any = tomllib.loads(new)
    for part in section.split(".") if section else ():
        table = table[part]
    assert table[key] == value
    assert "# Our table." in new
    assert changed(new, {section: {key: value}}, "nimmt.toml") == new


def test_an_empty_file_gets_its_first_key() -> None:
    assert changed("", {"": {"board": ""}, "web": {"port": 80}}, "f") == 'board = ""\n\n[web]\nport = 80\n'


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("table = {choice_s = 3}\n", {"table": {"choice_s": 4}}),
        ("table.choice_s = 3\n", {"table": {"choice_s": 4}}),
        ('["table"]\nchoice_s = 3\n', {"table": {"choice_s": 4}}),
        ("[buttons]\ndriver = 'gpio'\n[buttons.pins]\nok = 5\n", {"buttons": {"pins": {"ok": 6}}}),
        ("[table\n", {"table": {"choice_s": 4}}),
        (OLD, {"table": {"names = []\n[web]\nport": 3}}),
        (OLD, {"table]\n[web": {"port": 3}}),
        (OLD, {"table": {"names": ["\ud800"]}}),
        (OLD, {"display": {"driver": "none at all"}}),
    ],
)
def test_a_file_that_cannot_be_changed_safely_is_left_alone(
    text: str, changes: dict[str, dict[str, Any]]
) -> None:
    with pytest.raises(CompanionError):
        changed(text, changes, "nimmt.toml")


VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.text(max_size=8), st.lists(st.text(max_size=4), max_size=3)
)


@examples(40)
@given(
    section=st.sampled_from(["", *SECTIONS, "rules.six"]),
    key=st.sampled_from(["board", "names", "choice_s", "language", "on", "path", "end"]),
    value=VALUES,
)
def test_whatever_is_sent_the_file_says_what_it_said_and_this_or_nothing_is_written(
    section: str, key: str, value: object
) -> None:
    try:
        new = changed(OLD, {section: {key: value}}, "f")
    except CompanionError:
        return
    parse(new, "f")
    was, now = _flat(OLD), _flat(new)
    was.pop((section, key), None)
    if value is not None:
        assert now.pop((section, key)) == value
    assert now == was


def _flat(text: str) -> dict[tuple[str, str], Any]:
    found = {}
    for section in described(text):
        for one in section.settings:
            if one.given is not None:
                found[section.name, one.key.name] = one.given
    return found


def test_every_key_of_the_file_is_described_with_what_counts_without_it() -> None:
    found = {(one.name, setting.key.name): setting for one in described(OLD) for setting in one.settings}
    assert found["", "board"].given == "hand-wired"
    assert (found["display", "driver"].given, found["display", "driver"].usual) == (None, "oled")
    assert found["display", "bus"].usual == "i2c"
    assert (found["scanner", "driver"].given, found["scanner", "driver"].usual) == (None, "none")
    assert (found["screen", "language"].given, found["screen", "digits"].usual) == ("de", "language")
    assert found["rules.six", "end"].given == {"target": 66}
    assert {("table", "choice_s"), ("web", "port"), ("rules.score", "teams")} <= set(found)
