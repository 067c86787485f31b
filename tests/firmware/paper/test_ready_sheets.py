"""The sheets that are made beforehand: they are all there, and what `nimmt print` makes."""

import re
from pathlib import Path

import pytest

from firmware.paper.print_job import SheetKind
from firmware.paper.ready_sheets import LABELS, ready_files, ready_sheets
from firmware.paper.stock import Paper
from firmware.text.translation import LANGUAGES
from tests.firmware.paper.printing import BOXED, printed_in

ROOT = Path(__file__).parents[3]
COMPLETE = [key for key, language in LANGUAGES.items() if language.complete]


@pytest.mark.parametrize("paper", Paper)
def test_every_sheet_is_there_and_their_numbers_are_the_order_of_the_steps(paper: Paper) -> None:
    sheets = ready_sheets(paper)
    assert {sheet.request.sheet for sheet in sheets} == {kind.value for kind in SheetKind}
    steps = [int(sheet.name.partition("-")[0]) for sheet in sheets]
    assert steps == sorted(steps)
    labels = [sheet.request for sheet in sheets if sheet.request.sheet == SheetKind.CARDS.value]
    for pack in (LABELS[paper], None):
        assert [one.game for one in labels if one.labels == pack] == BOXED
    assert len({sheet.name for sheet in sheets}) == len(sheets)


@pytest.mark.slow
def test_a_file_is_what_nimmt_print_makes_in_that_language(tmp_path: Path) -> None:
    files = {file.name: file for file in ready_files()}
    assert len(files) == len(COMPLETE) * sum(len(ready_sheets(paper)) for paper in Paper)
    for language in COMPLETE:
        for name, *words in (
            ("A4/1-test-page", "test-page"),
            ("A4/2-labels-6-nimmt-on-L4731", "cards", "--labels", "L4731"),
            ("Letter/3-badges", "badges", "--paper", "letter"),
        ):
            made = printed_in(language, tmp_path, *words)
            assert files[f"print/{language}-{name}.pdf"].pdf() == made


def test_the_card_says_in_every_language_which_file_is_printed_first() -> None:
    text = (ROOT / "packaging" / "image" / "card" / "README.txt").read_text(encoding="utf-8")
    named = re.findall(r"print > (\w+)-(\w+) > (\S+?)\.pdf", text)
    assert named == [(language, Paper.A4.title, ready_sheets(Paper.A4)[0].name) for language in COMPLETE]
