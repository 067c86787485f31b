"""What a soak of the device says of it, and that one can be made; how it ends is for `make soak`."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bench.soak import Held, growth, soak
from firmware.config.configuration import load

NOTE = Held(1, 100, 1.0, 40.0, 11, 5, 0.5)


def test_a_match_on_the_whole_device_is_played_to_its_end_and_noted() -> None:
    (held,) = soak(1, load(None))
    assert held.matches == 1
    assert held.steps > 100
    assert held.files > 0
    assert held.threads > 0
    assert held.journal_mb > 0.05


def test_growth_before_the_last_two_quarters_is_the_warm_up() -> None:
    warm = [replace(NOTE, memory_mb=mb) for mb in (20.0, 39.0, 40.0, 40.2)]
    assert growth(warm).memory_percent == pytest.approx(0.5)
    assert growth(warm).flat


@pytest.mark.parametrize(
    "worse", [replace(NOTE, memory_mb=40.5), replace(NOTE, files=12), replace(NOTE, threads=6)]
)
def test_one_percent_more_memory_one_more_file_or_thread_is_not_flat(worse: Held) -> None:
    assert growth([NOTE] * 8).flat
    assert not growth([NOTE] * 6 + [worse] * 2).flat


def test_a_run_of_three_notes_says_nothing() -> None:
    with pytest.raises(ValueError, match="let it play more matches"):
        growth([NOTE] * 3)
