"""`nimmt show --steps` and `nimmt replay`: every order is told in words, and so is a file that is none."""

import json
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.core import games
from companion.games.ciao import records as ciao
from companion.games.ciao.cards import Card
from companion.games.six import records as six
from companion.match import commands as match_commands
from companion.match import log
from companion.match.match import Step
from firmware.cli.main import main
from firmware.config.configuration import load
from firmware.history.command_text import SENTENCES, sentence
from firmware.loop.runtime import Runtime
from firmware.text.translation import Translator
from tests.firmware.extensions.robots.test_robot_in_turn import InTurn
from tests.gallery.pictures import SCREENS
from tests.gallery.script import perform

FOLDER = Path(__file__).parents[2] / "companion" / "samples"
SAMPLES = [FOLDER / name for name in json.loads((FOLDER / "totals.json").read_text())]
OF_MACHINES = re.compile(
    r"\bNone\b|\bTrue\b|\bFalse\b|\b[a-z]+_[a-z]+\b|[\[\]{}]|'|\b(?:card|seat|pile|row) -?0\b"
)


def kinds() -> Iterator[str]:
    for key in games.GAMES:
        module = games.module(key)
        yield from (order.KIND for order in module.make(module.SEATS[0], {}).commands)
    yield from (order.KIND for order in match_commands.COMMANDS)


def test_every_order_of_every_game_has_its_sentence() -> None:
    assert set(kinds()) == set(SENTENCES)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.stem)
def test_a_log_is_told_without_the_words_of_machines(
    sample: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(sample)]) == 0
    told = capsys.readouterr().out
    orders = [line for line in told.splitlines() if re.match(r" *\d+  ", line)]
    assert len(orders) > 3
    assert [line for line in orders if OF_MACHINES.search(line)] == []


def test_a_play_is_told_with_player_and_card(capsys: pytest.CaptureFixture[str]) -> None:
    ciao = next(sample for sample in SAMPLES if sample.stem == "ciao-of-six")
    main(["replay", str(ciao)])
    told = capsys.readouterr().out
    assert "   4  player 6 plays red scissors\n" in told
    assert "   5  player 1 plays red rock +3\n" in told


@pytest.mark.parametrize(
    ("game", "order", "says"),
    [
        ("ciao", ciao.Adopt(top=Card("gJ#2"), pile=(Card("yP:SW"), Card("T#2"))), "the table is entered"),
        ("six", six.Correct((), ()), "everything was correct"),
    ],
)
def test_orders_that_no_page_gives_are_told_too(game: str, order: Any, says: str) -> None:
    module = games.module(game)
    kept = log.write_step(Step(1, order))["do"]
    assert sentence(kept, module.make(module.SEATS[0], {}), Translator()).startswith(says)


def test_a_card_that_is_given_face_down_is_named_only_when_its_deal_is_over() -> None:
    made = games.module("ciao").make(3, {})
    kept = log.write_step(Step(1, ciao.Give(Card("gR"))))["do"]
    assert sentence(kept, made, Translator(), in_progress=True) == "a card is given face down"
    assert sentence(kept, made, Translator()) == "green rock is given"


@pytest.mark.slow
def test_a_robot_gives_a_card_that_no_list_of_steps_names(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for seed in (3, *range(20)):  # the first game of this number has such a robot today
        folder = tmp_path / str(seed)
        folder.mkdir(exist_ok=True)
        table = InTurn(folder, "ciao", seed)
        for _ in range(200):
            if table.at.page == "given_card" or not table.match.asks:
                break
            table.go_on()
        given, deal = table.at.page == "given_card", table.match.position.deal
        table.at.runtime.close()
        if given and deal == 1:
            assert main(["show", "--steps", "--journal", str(folder / "journal.sqlite")]) == 0
            told = capsys.readouterr().out
            assert "a card is given face down" in told
            assert not re.search(r"^ *\d+  .* is given$", told, re.MULTILINE)
            return
    raise AssertionError("no robot has given a card")


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        (SCREENS["correct-score"] + " OK OK OK", "-  Runde 2: Spieler 3 hat 32, nicht 20\n"),
        (SCREENS["confirm-end"] + " OK", "-  die Runde endet nach Zug 1; "),
    ],
)
def test_what_was_corrected_or_ended_in_english_is_told_in_german(
    script: str, expected: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    german = tmp_path / "german.toml"
    german.write_text('[screen]\nlanguage = "de"\n')
    journal = tmp_path / "journal.sqlite"
    with closing(Runtime(load(None), journal)) as runtime:
        perform(script, runtime.app.table)
    assert main(["show", "--story", "--config", str(german), "--journal", str(journal)]) == 0
    assert expected in capsys.readouterr().out
