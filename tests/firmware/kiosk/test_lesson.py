"""The lesson: every exercise has one right answer by the referee, and every page of it has room."""

import re
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion import values
from companion.core import games
from companion.match.lesson import ExerciseKind, answered, lesson_of, scene_of
from companion.text.sentence import Text
from firmware.display.canvas import strictly
from firmware.screens.before.lesson import Lesson, LessonEnd, LessonRight, LessonWrong, taught
from firmware.screens.parts.base import Page
from firmware.session.actions import KeyAction
from firmware.text.translation import LANGUAGES
from hardware.ports import Key
from tests.firmware.display.read_canvas import ReadCanvas
from tests.firmware.evening import device
from tests.whole.careful import CarefulCanvas

EXERCISES = [(game, place) for game in taught() for place in range(len(lesson_of(game)))]


def test_the_three_games_of_the_box_are_taught_and_a_game_without_a_lesson_is_not() -> None:
    assert taught() == ("six", "eleven", "ciao")
    assert lesson_of("score") == ()
    assert scene_of("eleven") is None


@pytest.mark.parametrize(("game", "place"), EXERCISES)
def test_the_referee_knows_one_right_answer_and_a_reason_for_every_other(game: str, place: int) -> None:
    exercise = lesson_of(game)[place]
    known = answered(game, exercise)
    right = [verdict for verdict in known.verdicts if verdict.right]
    assert len(right) == 1
    assert len(known.verdicts) > 1
    assert all(str(verdict.says) for verdict in known.verdicts)
    assert (known.board is None) == (exercise.kind is ExerciseKind.WINNER)


def test_the_lesson_of_six_asks_what_the_booklet_teaches_and_its_answers_are_those_of_the_booklet() -> None:
    lesson = lesson_of("six")
    assert " ".join(exercise.kind.value for exercise in lesson) == "place place cost cheapest winner"
    right = [[one.right for one in answered("six", exercise).verdicts].index(True) for exercise in lesson]
    assert right == [2, 2, 1, 3, 1]


def test_a_lesson_whose_position_cannot_be_is_refused() -> None:
    wrong = values.replace(lesson_of("six")[0], stacks=(("12",), ("12",), ("43",), ("58",)))
    with pytest.raises(ValueError, match="12"):
        answered("six", wrong)


def pages_of(game: str, place: int) -> list[Page]:
    verdicts = Lesson(game, place).known.verdicts
    found: list[Page] = [Lesson(game, place), LessonEnd(game)]
    for answer, verdict in enumerate(verdicts):
        if verdict.right:
            found.append(LessonRight(game, place, answer))
        else:
            found += [Lesson(game, place, (answer,)), LessonWrong(verdict.says)]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", ["normal", "large"])
def test_no_page_of_a_lesson_cuts_a_text(language: str, size: str, tmp_path: Path) -> None:
    with device(tmp_path, "") as at:
        session = at.runtime.session
        session._config = replace(
            session._config, screen=replace(session._config.screen, language=language, size=size)
        )
        session.use_language(language)
        faults = {}
        for game, place in EXERCISES:
            for page in pages_of(game, place):
                canvas = CarefulCanvas()
                with strictly():
                    try:
                        page.draw(canvas, session)
                    except ValueError as bad:
                        canvas.faults.append(str(bad))
                if canvas.faults:
                    faults[game, place, page.NAME] = canvas.faults
        assert faults == {}


def test_who_answers_wrongly_reads_why_all_wrong_answers_stay_crossed_out_and_the_right_key_counts_at_once(
    tmp_path: Path,
) -> None:
    with device(tmp_path, "") as at:
        at.people("RIGHT R1 R1")
        nearest = (("R1", "43 IS CLOSER"), ("R4", "58 IS HIGHER"), ("R2", "43 IS CLOSER"))
        cheapest = (("R3", "58 COSTS LESS"), ("R1", "58 COSTS LESS"))
        for answers, right in ((nearest, "R3 OK R3 OK R2 OK"), (cheapest, "R4")):
            for tried, (wrong, says) in enumerate(answers, 1):
                at.people(wrong)
                assert at.page == "lesson"
                canvas = ReadCanvas()
                at.runtime.app.picture(canvas)
                assert " ".join(canvas.words).endswith(says)
                assert {key[1] for key, _ in answers[:tried]}.isdisjoint(canvas.labels), "crossed out"
            at.people(right)
        assert at.page == "lesson_right"


@pytest.mark.parametrize(("game", "place"), EXERCISES)
def test_what_is_said_of_an_answer_is_short_and_has_no_word_of_referees(game: str, place: int) -> None:
    for verdict in answered(game, lesson_of(game)[place]).verdicts:
        short = str(verdict.short)
        assert len(short) <= 35
        assert not re.search("END|PLAYER|GAP", short)


def test_why_tells_all_that_the_referee_says_about_a_wrong_answer(tmp_path: Path) -> None:
    with device(tmp_path, "") as at:
        at.people("RIGHT R1 R1 R1 WHY")
        front = at.runtime.app.table.front
        assert isinstance(front, LessonWrong)
        says: Text = answered("six", lesson_of("six")[0]).verdicts[0].says
        assert str(front.says) == str(says)
        at.people("OK R3 OK R1 WHY")
        canvas = ReadCanvas()
        at.runtime.app.picture(canvas)
        said = " ".join(canvas.words)
        assert "GUEST TAKES 43, 44, 45, 50, 55" in said
        assert "PLAYER" not in said
        at.people("OK R3")
        assert at.page == "lesson_right"


def test_the_lesson_on_an_ordinary_box_ends_on_its_start_page(tmp_path: Path) -> None:
    with device(tmp_path, "") as at:
        at.people("RIGHT R1 R1")
        for _ in lesson_of("six"):
            front = at.runtime.app.table.front
            assert isinstance(front, Lesson)
            right = [verdict.right for verdict in front.known.verdicts].index(True)
            at.people(f"R{right + 1} OK")
        assert at.page == "lesson_end"
        at.people("UNDO")
        assert at.page == "start"
        at.people("RIGHT R1 UNDO RIGHT R1 R1 UNDO")
        assert at.page == "start"


def test_the_knob_reaches_every_answer_as_well(tmp_path: Path) -> None:
    with device(tmp_path, "") as at:
        at.people("RIGHT R1 R1 DOWN DOWN DOWN OK")
        assert at.page == "lesson_right"
        front, handled = at.table.front, []
        at.do(lambda table: handled.append(front.handle(KeyAction(Key.UNDO), table)))
        assert handled == [True]
        assert at.page == "lesson"


def test_every_game_with_a_lesson_can_be_dealt_to_four() -> None:
    assert all(4 in games.module(game).SEATS for game in taught())
