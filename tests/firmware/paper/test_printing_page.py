"""docs/printing.md says what the program does: every sheet and command, every pack of labels."""

import re
import shlex
from pathlib import Path

import pytest

from firmware.cli import main as cli
from firmware.paper.print_job import SheetKind
from firmware.paper.stock import SHEETS
from firmware.paper.symbols import CodeKind, symbol
from tests.firmware.paper.printing import BOXED, laid

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "printing.md").read_text(encoding="utf-8")
COMMANDS = [
    line.strip().strip("`")
    for line in re.findall(
        r"`nimmt print [^`]*`|^    nimmt print .*(?:\n        .*)?", PAGE, flags=re.MULTILINE
    )
    if "SHEET" not in line
]


@pytest.mark.parametrize("name", [*(kind.value for kind in SheetKind), "all", "labels", *BOXED])
def test_every_sheet_and_game_is_named(name: str) -> None:
    assert f"`{name}`" in PAGE or f"`nimmt print {name}`" in PAGE


def test_every_label_sheet_is_listed_with_its_measures() -> None:
    for sheet in SHEETS:
        grid = sheet.grid
        row = (
            f"| {sheet.paper.title} | {grid.width:.1f} x {grid.height:.1f} | {grid.columns} x {grid.rows} |"
            f" {sheet.title} |"
        )
        assert row in PAGE, row


@pytest.mark.parametrize("command", sorted(set(COMMANDS)))
def test_every_command_of_the_page_runs(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = shlex.split(command.replace("\\\n", " "))[1:]
    assert cli.main(words) == 0
    assert capsys.readouterr().out
    if words[1] != "labels":
        assert laid((tmp_path / f"nimmt-{words[1]}.pdf").read_bytes())


def test_the_sizes_in_the_text_are_those_of_the_codes() -> None:
    for code, said in ((CodeKind.DATAMATRIX, "5.9 mm"), (CodeKind.QR, "9.8 mm"), (CodeKind.CODE128, "31 mm")):
        wide = symbol(code, "6N055Y").width_mm(code.usual_mm)
        assert said in (f"{wide:.1f} mm", f"{wide:.0f} mm")
        assert said in PAGE
        assert f"{code.usual_mm:.2f}" in PAGE
