"""Robots think beside the game thread: it never waits, and what fits no more is dropped."""

import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.core.cards import Seat
from companion.match.match import Match
from companion.robots.levels import Decision, Level
from firmware.extensions.robots import thinking
from firmware.extensions.robots.table import RobotsTable
from firmware.extensions.robots.thinking import Robots, Thought
from tests.firmware.evening import FOUR, ROWS, device
from tests.firmware.telling import told
from tests.patience import PATIENCE_S, comes

HAND = ("3", "20", "40", "50", "60", "70", "80", "90", "95", "100")


def asked(match: Match, hand: tuple[str, ...] = HAND, level: Level = Level.NORMAL, seat: int = 1) -> Decision:
    return Decision(match, Seat(seat), hand, level, 4)


def test_a_thought_is_for_the_whole_turn_but_not_after_an_undo(tmp_path: Path) -> None:
    posted: list[Thought] = []
    robots = Robots()
    robots.start(posted.append)
    with closing(robots), device(tmp_path, FOUR + ROWS) as at:
        assert robots.answer(asked(at.match))[1] is None
        assert comes(lambda: len(posted) == 1)
        robots.receive(posted[0])
        at.people("44 61 ")
        assert robots.answer(asked(at.match))[1] is not None
        at.people("UNDO UNDO UNDO 59 ")  # other rows
        assert robots.answer(asked(at.match))[1] is None
        robots.receive(posted[0])  # a thought that comes too late
        assert robots.answer(asked(at.match))[1] is None
        assert comes(lambda: len(posted) == 2)
        robots.receive(posted[1])
        assert robots.answer(asked(at.match))[1] is not None
    assert not [thread for thread in threading.enumerate() if thread.name == "robots"]


def test_only_the_newest_question_of_a_robot_is_thought_about(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    posted: list[Thought] = []
    gate, begun = threading.Event(), threading.Event()
    think = thinking._answer

    def held(*asked: Any) -> Any:
        begun.set()
        gate.wait(PATIENCE_S)
        return think(*asked)

    monkeypatch.setattr(thinking, "_answer", held)
    robots = Robots()
    robots.start(posted.append)
    with device(tmp_path, FOUR + ROWS) as at:
        robots.answer(asked(at.match))
        begun.wait(PATIENCE_S)
        for number in range(1, 8):
            robots.answer(asked(at.match, HAND[number:]))
        gate.set()
        assert comes(lambda: len(posted) == 2)
        robots.close()
        for thought in posted:
            robots.receive(thought)
        assert robots.answer(asked(at.match, HAND[7:]))[1] is not None
        assert len(posted) == 2


@pytest.mark.parametrize(
    ("game", "numpy", "levels"),
    [
        ("R1", True, "EASY NORMAL GOOD BETTER GREAT STRONG HARD"),
        ("R1", False, "EASY NORMAL GOOD PYTHON3-NUMPY,"),
        ("R2", True, "EASY NORMAL HARD"),
    ],
)
def test_a_key_goes_through_the_levels_that_work_and_hard_without_numpy_says_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str, numpy: bool, levels: str
) -> None:
    if not numpy:
        monkeypatch.setitem(sys.modules, "numpy", None)  # as if it was not installed
    with device(tmp_path, f"{game} b1") as at:
        for level in levels.split():
            at.people("R3")
            assert level in " ".join(told(at)).split()
        at.people("R3" if numpy else "OK")
        assert "EASY" in told(at)


def test_a_robot_that_cannot_think_hard_plays_normally_and_people_are_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "numpy", None)
    with device(tmp_path, FOUR + ROWS) as at:
        robots = at.table.extension(RobotsTable).thinkers
        robots.answer(asked(at.match, level=Level.HARD))
        assert comes(lambda: at.runtime.app.waiting == 1)
        at.runtime.app.stop()
        at.runtime.app.run()
        assert at.page == "refusal"
        _, given = robots.answer(asked(at.match, level=Level.HARD))
        assert given is not None
        assert given.text == "60"
        at.people("UNDO")
        assert at.page == "home"


def test_a_table_without_robots_imports_none_that_thinks() -> None:
    code = (
        "import sys, firmware.loop.runtime;"
        "thinking = ('companion.robots.six', 'companion.robots.eleven', 'companion.robots.ciao', 'numpy');"
        "sys.exit(any(name.startswith(thinking) for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
