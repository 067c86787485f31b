"""A strict table: players say that they are ready, and a clock for the choice of a row decides nothing."""

from pathlib import Path

from msgspec.structs import replace

from companion.text.sentence import NOTHING
from firmware.config.configuration import load
from firmware.loop.react import do, tick
from tests.firmware.evening import device

READY = replace(load(None).table, ready=True)
CLOCK = replace(load(None).table, choice_s=30.0)
DEALT = "R1 b1 b2 b3 OK R1 R1 12 37 43 58 "


def test_the_display_says_when_all_have_chosen_a_card(tmp_path: Path) -> None:
    with device(tmp_path, DEALT + "b2", table=READY) as at:
        assert at.runtime.app.table.notice == "P2 IS READY 1/3"
        at.people("b2 b3")
        assert at.runtime.session.ready == {1, 2}
        at.people("b1")
        assert at.runtime.app.table.notice == "ALL READY: REVEAL"


def test_a_card_counts_also_if_others_are_not_ready_and_a_badge_after_it_says_whose_the_next_one_is(
    tmp_path: Path,
) -> None:
    with device(tmp_path, DEALT + "b1 60 b2 61 62 OK", table=READY) as at:
        assert dict(at.match.position.table.newest) == {60: None, 61: 1, 62: None}
        assert at.runtime.session.ready == frozenset()


def test_the_clock_of_a_row_choice_counts_down_and_chooses_nothing(tmp_path: Path) -> None:
    with device(tmp_path, DEALT + "3 60 61", table=CLOCK) as at:
        assert at.page == "choose_stack"
        table, steps = at.runtime.app.table, at.match.steps
        begun_s = table.now_s
        told, heard = [], len(at.signals)
        for second in range(40):
            do(table, lambda table: table.say(NOTHING))
            tick(table, begun_s + second)
            told += [table.notice] if table.notice else []
        assert told == [f"{left} S TO CHOOSE" for left in range(10, 0, -1)] + ["TIME IS UP: CHOOSE"]
        assert at.signals[heard:] == ["refused"]
        assert (at.page, at.match.steps) == ("choose_stack", steps)
