"""What a soak of the device says of it, and that one can be made; how it ends is for `make soak`."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.config.configuration import load
from tools.bench.figure import UNDECIDED
from tools.bench.soak import LEAST, HeldResources, growth, main, soak

NOTE = HeldResources(LEAST, 100, 1.0, 40.0, 11, 5, 0.5, 100)


def test_matches_of_one_deal_are_played_to_their_ends_and_noted_and_the_journal_keeps_the_newest() -> None:
    config = load(None)
    notes = list(soak(3, replace(config, journal=replace(config.journal, keep_matches=2))))
    assert [note.matches for note in notes] == [1, 2, 3]
    assert [note.kept for note in notes] == [1, 2, 2]
    first, last = notes[0], notes[-1]
    assert 20 < first.steps < last.steps < 500
    assert first.files > 0
    assert first.threads > 0
    assert first.journal_mb > 0.05


def test_growth_before_the_last_two_quarters_is_the_warm_up() -> None:
    warm = [replace(NOTE, memory_mb=mb) for mb in (20.0, 39.0, 40.0, 40.2)]
    assert growth(warm).memory_percent == pytest.approx(0.5)
    assert growth(warm).flat


@pytest.mark.parametrize(
    "worse",
    [
        replace(NOTE, memory_mb=40.5),
        replace(NOTE, files=12),
        replace(NOTE, threads=6),
        replace(NOTE, kept=101),
    ],
)
def test_one_percent_more_memory_one_more_file_thread_or_match_is_not_flat(worse: HeldResources) -> None:
    assert growth([NOTE] * 8).flat
    assert not growth([NOTE] * 6 + [worse] * 2).flat


def test_a_short_run_says_nothing_and_ends_with_75(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="too few to tell"):
        growth([replace(NOTE, matches=LEAST - 1)] * 8)
    with pytest.raises(ValueError, match="too few to tell"):
        growth([])
    assert main(["--matches", "1", "--out", str(tmp_path / "soak.json")]) == UNDECIDED
