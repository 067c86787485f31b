"""What `make bench` and `make soak` promise to their readers; how fast the product is, is measured there."""

import re
from pathlib import Path

import pytest

from companion.values import replace
from tools.bench.__main__ import FIGURES, QUICK, main, measure
from tools.bench.soak import LEAST, Usage, grown, soak

PAGE = (Path(__file__).parents[2] / "docs" / "performance.md").read_text(encoding="utf-8")
NOTE = Usage(LEAST, 100, 40.0, 11, 5, 100)


@pytest.mark.slow
@pytest.mark.parametrize("name", FIGURES)
def test_every_figure_can_be_measured(name: str) -> None:
    figure = measure(name, QUICK)
    assert figure.measured is not None or figure.note
    assert re.search(rf"^\| `{name}` \|.*\| {figure.limit:g}(?: x| ms| MB)? \|", PAGE, re.MULTILINE)


def test_the_page_about_performance_has_the_twelve_figures() -> None:
    assert re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE) == list(FIGURES)
    assert len(FIGURES) == 12


def test_each_figure_is_printed_beside_its_limit(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--quick", "--only", "replay"]) in (0, 1)
    assert re.search(r"^replay +[\d.]+ +8 +1  x JSON", capsys.readouterr().out, re.MULTILINE)


def test_a_soak_plays_matches_of_one_deal_to_their_ends_and_the_journal_keeps_the_newest() -> None:
    notes = list(soak(3, kept=2))
    assert [(note.matches, note.kept) for note in notes] == [(1, 1), (2, 2), (3, 2)]
    assert 20 < notes[0].steps < notes[-1].steps < 500


@pytest.mark.parametrize(
    ("worse", "said"),
    [
        (replace(NOTE, memory_mb=40.5), "memory +1.25%"),
        (replace(NOTE, files=12), "files +1"),
        (replace(NOTE, threads=6), "threads +1"),
        (replace(NOTE, kept=101), "kept +1"),
    ],
)
def test_one_percent_more_memory_one_more_file_thread_or_match_is_growth(worse: Usage, said: str) -> None:
    assert grown([NOTE] * 8) == []
    assert grown([NOTE] * 6 + [worse] * 2) == [said]
