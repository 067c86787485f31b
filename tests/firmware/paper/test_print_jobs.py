"""What can be ordered, and what is said to an order that cannot be printed."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.core import games
from companion.core.codes import Control
from companion.text.errors import CompanionError
from firmware.cli import main as cli
from firmware.paper.control import GROUPS
from firmware.paper.stock import SHEETS
from tests.firmware.paper.printing import BOXED, laid, printed

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
REFUSED: list[tuple[str, str, str]] = [
    ("crads", "there is no sheet 'crads'", "did you mean 'cards'?"),
    ("foo", "there is no sheet 'foo'", "table-card, cards, all, labels, results, script, seating"),
    ("labels --paper A9", "there is no paper 'A9'", "a4, letter"),
    ("seating --log missing", "missing cannot be read: there is no such file", "the page /tournament"),
    ("cards --game sux", "there is no game 'sux' here", "did you mean 'six'?"),
    ("cards --deck pro", "there is no deck 'pro'", "known:N"),
    ("cards --deck known:9", "the known deck is for 2 to 6 seats, not 9", "use --deck full"),
    ("cards --game eleven --deck known:4", "unknown field deck", "use --deck full"),
    ("cards --box 10", "there is no box 10", "--box 1 to --box 9"),
    ("cards --only 200", "this deck has no card '200'", "1 to 104"),
    ("cards --only 9-", "this deck has no card '9-'", "17,55,90-99"),
    ("cards --labels L4713", "the label sheet 'L4713' is not known", "use one of: L4730, L4731"),
    ("cards --labels 5167 --paper a4", "Avery 5167 is a sheet of size Letter, not a4", "L4731"),
    ("cards --labels 5167 --columns 3", "Avery 5167 has its own columns", "not both"),
    ("cards --skip 270 --labels L4730", "270 labels cannot be skipped on a sheet of 270", "use 0 to 269"),
    ("cards --skip -1", "-1 labels cannot be skipped", "use 0 to"),
    ("cards --columns 3", "columns without rows", "use both --columns and --rows"),
    ("cards --columns 0 --rows 3", "--columns 0 is too few", "--columns 1 or more"),
    ("cards --label-width 20", "measures without a number of labels", "use --columns and --rows as well"),
    (
        "cards --columns 3 --rows 3 --label-width 90",
        "--columns 3 with labels of 90.0 mm takes 270.0 mm",
        "smaller number",
    ),
    ("cards --columns 3 --rows 3 --margin-top -4", "below 0", "measure again"),
    ("cards --columns 60 --rows 3", "--columns 60 leaves 3.2 mm for a label", "smaller number"),
    ("cards --code ean", "there is no kind of code 'ean'", "datamatrix, qr, code128"),
    ("cards --module 5", "a module of 5 mm", "use 0.2 to 1.0 mm; the usual size for Data Matrix is 0.42"),
    ("cards --module nan", "a module of nan mm", "0.2 to 1.0 mm"),
    ("cards --labels L4730 --module 0.9", "has no room for it", "use --module 0.59 or smaller"),
    ("cards --labels L4730 --code code128", "takes 30.7 x 6.0 mm", "--labels L4732, use --code datamatrix"),
    ("badges --code code128 --module 0.5", "71.5 mm wide; a badge has room for 43 mm", "use --module 0.30"),
    ("control --code qr --module 1", "too large for the control sheet", "the usual size is 0.34"),
    ("cards --out no/such/folder/x.pdf", "no/such/folder/x.pdf cannot be written", "--out"),
]


@pytest.mark.parametrize("refused", REFUSED, ids=[words for words, _, _ in REFUSED])
def test_an_order_that_cannot_be_printed_is_told_what_came_and_what_would_do(
    refused: tuple[str, str, str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    words, fault, fix = refused
    monkeypatch.chdir(tmp_path)
    assert cli.main(["print", *words.split()]) == 1
    said, do = capsys.readouterr().err.split("\n  ", 1)
    assert said.startswith("nimmt: ")
    assert fault in said
    assert fix in do
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("game", [key for key in games.GAMES if key not in BOXED])
def test_a_game_without_cards_gets_no_labels_and_names_those_that_do(game: str) -> None:
    with pytest.raises(CompanionError, match="has no cards of its own") as bad:
        printed(sheet="cards", game=game)
    for boxed in BOXED:
        assert boxed in bad.value.fix


def test_the_fix_for_a_code_that_is_too_large_works() -> None:
    with pytest.raises(CompanionError) as bad:
        printed(sheet="cards", labels="L4730", module=0.9)
    smaller = float(bad.value.fix.partition("use --module ")[2].split()[0])
    assert len(laid(printed(sheet="cards", labels="L4730", module=smaller).pdf)[0].codes) == 104


def test_the_command_writes_the_file_and_says_which_page_wants_which_paper(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["print", "cards", "--labels", "L7651"]) == 0
    told = capsys.readouterr().out.splitlines()
    assert told == [
        "nimmt-cards.pdf",
        "  pages 1-2: 104 labels for 6 NIMMT!; label sheet Avery L7651",
        "  page 3: where the labels go; plain paper",
        "  module 0.42 mm; print at 100 % (“actual size”)",
    ]
    assert len(laid((tmp_path / "nimmt-cards.pdf").read_bytes())) == 3


def test_numbers_of_a_command_may_be_typed_in_persian_digits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = "cards --labels L۷۶۵۱ --only ۱۷،۹۰-۹۲ --box ۲ --module ۰٫۴ --out sheet.pdf"
    assert cli.main(["print", *words.split()]) == 0
    told = capsys.readouterr().out
    assert "4 labels for 6 NIMMT!; label sheet Avery L7651" in told
    assert "module 0.40 mm" in told
    assert cli.main(["print", "badges", "--only", "۱۱-۱۳", "--out", "sheet.pdf"]) == 0


def test_the_labels_of_another_game_do_not_take_the_place_of_the_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    assert cli.main(["print", "cards"]) == 0
    assert cli.main(["print", "cards", "--game", "ciao", "--only", "1"]) == 0
    assert {file.name for file in tmp_path.iterdir()} == {"nimmt-cards.pdf", "nimmt-cards-ciao.pdf"}


def test_everything_for_a_table_comes_in_one_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "table.pdf"
    assert cli.main(["print", "all", "--paper", "letter", "--out", str(file)]) == 0
    pages = laid(file.read_bytes())
    first = ("Scanner set-up", "Test page", "Control sheet")
    titles = (*first, "Player badges", "Backs of the badges", "6 NIMMT!", "card labels", "Where the")
    assert [title in page.words for title, page in zip(titles, pages, strict=True)] == [True] * len(titles)
    assert capsys.readouterr().out.count("page ") == len(titles)


def test_every_label_sheet_that_is_known_can_be_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["print", "labels"]) == 0
    told = capsys.readouterr().out
    for sheet in SHEETS:
        assert f"{sheet.maker}: {sheet.numbers[0]}" in told


def test_every_command_is_explained_on_the_control_sheet_once() -> None:
    entries = [entry for entries in GROUPS.values() for entry in entries]
    assert sorted(control.value for control, _, _ in entries) == sorted(control.value for control in Control)
    words = laid(printed(sheet="control").pdf)[0].words
    for _, name, _ in entries:
        assert str(name) in words


def test_the_same_order_gives_the_same_bytes_on_another_day_in_another_process() -> None:
    """All sheets; the test page has every kind of code."""
    program = (
        "import hashlib; from tests.firmware.paper.printing import printed;"
        "print(hashlib.sha256(printed(sheet='all').pdf).hexdigest())"
    )
    told = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONHASHSEED": "2", "TZ": "Asia/Tehran"},
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    assert told.strip() == hashlib.sha256(printed(sheet="all").pdf).hexdigest()


def test_readers_that_heed_it_are_told_to_print_at_actual_size() -> None:
    assert b"/PrintScaling /None" in printed(sheet="badges").pdf
