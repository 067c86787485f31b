"""The count of deaths that decides whether the next start is a careful one."""

import os
from pathlib import Path

import pytest

from firmware.service.crashes import QUICK_S, TOO_MANY, CrashCounter


def starts(file: Path | None, *times_s: float) -> list[int]:
    return [CrashCounter(file).begin(at_s) for at_s in times_s]


def test_three_quick_deaths_are_too_many(tmp_path: Path) -> None:
    counts = starts(tmp_path / "run" / "deaths.json", 10.0, 12.0, 25.0, 38.0, 39.0)
    assert counts == [0, 1, 2, 3, 4]
    assert counts.index(TOO_MANY) == 3


def test_deaths_that_are_far_apart_are_forgotten(tmp_path: Path) -> None:
    file = tmp_path / "deaths.json"
    assert starts(file, *(number * QUICK_S for number in range(20))) == [0] + [1] * 19


def test_an_end_as_it_should_be_forgives_everything(tmp_path: Path) -> None:
    file = tmp_path / "deaths.json"
    assert starts(file, 1.0, 2.0, 3.0, 4.0) == [0, 1, 2, 3]
    CrashCounter(file).end()
    assert starts(file, 5.0) == [0]


@pytest.mark.parametrize("left", ["", "{", "null", '["soon"]', '{"a": 1}', "[1e999]", "[50000.0, 60000.0]"])
def test_whatever_is_in_the_file_the_next_start_takes_place(tmp_path: Path, left: str) -> None:
    file = tmp_path / "deaths.json"
    file.write_text(left)
    assert starts(file, 100.0)[0] in {0, 1}


def test_a_pipe_in_the_place_of_the_file_is_no_obstacle(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    assert starts(tmp_path / "pipe", 1.0, 2.0, 3.0) == [1, 2, 3]


def test_where_nothing_can_be_kept_nobody_counts(tmp_path: Path) -> None:
    (tmp_path / "run").write_text("a file where the folder should be")
    assert starts(tmp_path / "run" / "deaths.json", 1.0, 2.0, 3.0, 4.0) == [0] * 4
    assert starts(None, 1.0, 2.0, 3.0, 4.0) == [0] * 4
    CrashCounter(None).end()
