"""What the one configuration file promises to people who write it, where it can be used."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from firmware.config import configuration, doc
from firmware.config.configuration import parse
from firmware.config.keys import ConfigError

DOCS = Path(__file__).parents[3] / "docs"


def test_without_a_file_the_box_runs_on_any_laptop() -> None:
    plain_config = configuration.load(None)
    assert plain_config.display.driver == "terminal"
    assert {plain_config.buttons.driver, plain_config.scanner.driver, plain_config.buzzer.driver} == {"none"}
    assert plain_config.table.names == ()
    assert plain_config.screen.hide_after_s == 300.0
    assert plain_config.sound.on
    assert not plain_config.codes.plain_numbers
    assert parse("", "nimmt.toml") == plain_config


def test_what_stands_in_the_file_beats_the_board_and_another_driver_takes_nothing_from_it() -> None:
    stock: Any = parse('board = "hand-wired"', "nimmt.toml").display.options
    read: Any = parse('board = "hand-wired"\n[display]\naddress = 0x3D', "nimmt.toml").display.options
    assert read == replace(stock, address=0x3D)
    other = parse('board = "hand-wired"\n[display]\ndriver = "terminal"', "nimmt.toml")
    assert other.display == configuration.load(None).display
    assert other.buttons.driver == "gpio"


def test_a_driver_can_be_chosen_without_a_file() -> None:
    assert configuration.choose("display", "terminal") == configuration.load(None).display
    with pytest.raises(ConfigError, match="baud"):
        configuration.choose("scanner", "serial", {"baud": "fast"})


def test_the_journal_is_where_systemd_or_the_person_wants_it() -> None:
    journal = configuration.load(None).journal
    assert journal.place({"STATE_DIRECTORY": "/var/lib/nimmt"}) == Path("/var/lib/nimmt/journal.sqlite")
    assert journal.place({"XDG_STATE_HOME": "/home/ana/state"}) == Path(
        "/home/ana/state/nimmt/journal.sqlite"
    )
    assert replace(journal, path="/data/nights.sqlite").place({}) == Path("/data/nights.sqlite")


def test_the_page_about_the_configuration_tells_every_key() -> None:
    page = (DOCS / "configuration.md").read_text(encoding="utf-8")
    assert page == doc.as_markdown(), "write it again: python -m firmware.config.doc > docs/configuration.md"


def test_house_rules_are_agreed_before_every_match_of_their_game() -> None:
    read = parse("[rules.ciao]\nreverse_with_two = 'again'\n[rules.six]\nbooklet = '000'", "here")
    assert read.rules == {"ciao": {"reverse_with_two": "again"}, "six": {"booklet": "000"}}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rules = 3", "rules = 3: is a value, not a section"),
        ("[rules]\nsix = 3", "rules.six = 3: is a value, not a section"),
        ("[rules.cio]", "rules.cio: is not a known game (did you mean 'ciao'?)"),
        ("[rules.six]\nbooklett = '000'", "rules.six: object contains unknown field booklett"),
        ("[rules.six]\nend = { target = 0 }", "rules.six: end.target: expected int >= 1"),
    ],
)
def test_a_house_rule_that_no_game_knows_is_told_with_its_section(text: str, said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(text, "here")
    assert said in str(caught.value)
