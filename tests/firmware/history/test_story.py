"""A match is told so that people recognise it: by turns, with names, as it was in the end."""

import gc
import json
import re
import sys
from pathlib import Path
from random import Random

import pytest

from companion.core import games
from companion.core.cards import Card, Seat
from companion.core.ruling import EndDeal, Leave
from companion.games.six.records import Correct, LayRows
from companion.match.log import read_step, write_step
from companion.match.match import Match, Step, Terms, begin
from companion.text.sentence import Text
from firmware.history.played_match import PlayedMatch, Verified, played_match
from firmware.history.report import article
from firmware.history.story import Story, StoryTurn, in_lines, story_of
from firmware.journal.rows import MatchEntry
from firmware.paper.badges import LOOKS
from firmware.text.translation import Translator
from tests.companion.games.six.six_match import SixMatch
from tests.companion.random_match import corrected_evening
from tests.firmware.evening import EXAMPLE_1, PLACED, device
from tests.firmware.past_evenings import MATCHES, Evenings


def story(past: PlayedMatch) -> Story:
    return story_of(past, Translator())


def lines(match: Match, names: tuple[str, ...] = ("Max", "Ali", "Sara", "Bo")) -> str:
    past = played_match(match, MatchEntry(1, {}, "2026-02-21T18:00:00Z", match.steps, None, "u"), (), names)
    return "\n".join(in_lines(past, story(past), Translator()))


TOLD = {
    "the first example of the rulebook, in one line": (
        EXAMPLE_1,
        ["Deal 1, started with 12 37 43 58", "    1  14 row 1, 15 row 1, 44 row 3, 61 row 4\n",
         "not finished, 0 deals played"],
        [],
    ),
    "who took what, and why, below the cards": (
        PLACED + "21 36 26 30 b3 ",
        ["    2  21 row 1, 26 row 1, 30 takes row 1, 36 row 1\n", "Sara +6",
         "30 goes to row 1: 26 is the only end below it; it is card number 6 there: Sara takes"],
        [],
    ),
    "a turn that was corrected, once and as it was": (
        PLACED + ":6NC-WRONGE 61 60 ",
        ["    1  14 row 1, 15 row 1, 44 row 3, 60 row 4\n"],
        ["61 row 4", "    2  "],
    ),
    "owners who were swapped, as they were": (
        PLACED + "21 36 26 30 b3 OK OK :6NC-SWAPV b3 b1 OK ",
        ["Max +6"],
        ["Sara +", "    3  "],
    ),
    "nothing that was taken back": (
        EXAMPLE_1 + "UNDO UNDO ",
        ["Deal 1, started with 12 37 43 58"],
        ["44 row 3"],
    ),
    "the cards of an open draft, hand by hand": (
        "R1 b1 b2 OK R1 R3 7 9 1 4 ",
        ["Max picked 7, 1", "Ali picked 9, 4"],
        [],
    ),
    "a low card": (PLACED + "10 21 26 36 R4 b1 ", ["10 takes row 4"], []),
}  # fmt: skip


@pytest.mark.parametrize(("script", "there", "away"), TOLD.values(), ids=TOLD)
def test_what_happened_is_told(tmp_path: Path, script: str, there: list[str], away: list[str]) -> None:
    with device(tmp_path, script) as on:
        said = lines(on.match)
    for part in there:
        assert part in said or part in " ".join(said.split())
    for part in away:
        assert part not in said
    assert said.count("lower than the end of every row") == ("R4" in script), "a low card is told once"


class InCapitals(Translator):
    """Another language: every template in capitals."""

    def template(self, text: Text, count: int) -> str:
        said = text.plural if text.plural and count != 1 else text.template
        return "".join(part if part.startswith("{") else part.upper() for part in re.split(r"({\w+})", said))


def test_a_stored_reason_is_told_in_the_language_and_with_the_names_of_today() -> None:
    match = begin(Terms("six", 3))
    for order in (LayRows((Card(12), Card(37), Card(43), Card(58))), Leave(Seat(1)), EndDeal()):
        step = match.propose(order)
        assert isinstance(step, Step)
        match = match.then(read_step(json.loads(json.dumps(write_step(step))), match.game))
    past = played_match(match, MatchEntry(1, {}, "", match.steps, None, "u"), (), ("Max", "Ali", "Sara"))
    (chapter,) = story_of(past, InCapitals()).chapters
    assert chapter.parts[:2] == (
        "Ali LEAVES; THE POINTS ARE KEPT",
        "THE DEAL ENDS AFTER TURN 0; THE HEADS TAKEN SO FAR COUNT",
    )


@pytest.mark.slow
def test_in_games_of_moves_every_move_has_its_player(evenings: Evenings) -> None:
    past = evenings.past(4)
    turns = [part for part in story(past).chapters[0].parts if isinstance(part, StoryTurn)]
    assert [turn.who for turn in turns[1:5]] == ["Alí", "Sara & Co", "P4", "Max"]
    assert turns[1].cards[0].why == "63 goes on 58: it is 5 higher"
    assert turns[2].cards[0].why.startswith("Sara & Co takes the pile with 63 on top")
    assert [turn.number for turn in turns] == list(range(1, len(turns) + 1))


def test_what_is_taken_into_the_hand_costs_nothing_yet(evenings: Evenings) -> None:
    for part in story(evenings.past(4)).chapters[0].parts:
        if isinstance(part, StoryTurn):
            assert {card.points for card in part.cards} == {0}


def test_a_score_that_was_put_right_is_told_where_it_was_put_right(evenings: Evenings) -> None:
    found = story(evenings.past(3))
    assert "deal 1: Alí has 10, not 9" not in found.chapters[1].parts
    assert "deal 1: P8 has 10, not 9" in found.chapters[1].parts
    assert found.after == ("deal 2: Alí has 50, not 1", "Max wins with 4, not Alí")


@pytest.mark.slow
def test_nothing_in_a_story_is_a_sign_of_the_display_or_a_number_of_a_copy(evenings: Evenings) -> None:
    for number in range(1, len(MATCHES) + 1):
        past = evenings.past(number)
        said = "\n".join(in_lines(past, story(past), Translator()))
        assert not any(0xE000 <= ord(letter) <= 0xF8FF for letter in said)
        assert "player" not in said.replace("next player", "").replace("players", "")
        assert "#" not in said


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_any_evening_can_be_told_and_its_takings_make_its_points(seed: int) -> None:
    match = list(corrected_evening(Random(seed)))[-1][0]
    past = played_match(match, MatchEntry(1, {}, "", match.steps, None, "u"), (), ())
    found = story(past)
    assert list(in_lines(past, found, Translator()))
    if match.terms.game != next(iter(games.GAMES)):
        return
    for chapter in found.chapters:
        if chapter.ended is None or chapter.ended.verified is Verified.CORRECTED:
            continue
        gained = [0] * len(chapter.ended.points)
        for part in chapter.parts:
            for card in part.cards if isinstance(part, StoryTurn) else ():
                if card.taker is not None:
                    gained[card.taker.seat] += card.points
        assert tuple(gained) == chapter.ended.points


def test_a_narrow_terminal_gets_narrow_lines(evenings: Evenings) -> None:
    past = evenings.past(1)
    assert max(map(len, in_lines(past, story(past), Translator(), 60))) <= 60
    assert max(map(len, in_lines(past, story(past), Translator(), 120))) > 100


def test_show_tells_the_story_and_on_request_every_step(evenings: Evenings) -> None:
    said = evenings.said("show", "1")
    assert said == evenings.said("show", "1", "--story")
    assert "won by Alí with 31" in said
    assert "won by Max and Sara & Co with 183" in evenings.said("show", "6")
    steps = evenings.said("show", "1", "--steps")
    assert "   1  77 starts a row" in steps
    assert "step 30 is undone" in steps
    assert "choose a match from 1 to 6" in evenings.refused("show", "9")


def test_matches_are_listed_with_date_people_totals_and_winner(evenings: Evenings) -> None:
    first, second, *_, last = evenings.said("matches").splitlines()
    assert first == "   1  2026-02-21 00:00 UTC  6 NIMMT!    Alí 31*, P7 35, Sara & Co 53, Max 74"
    assert second.split("  ")[-1] == "P4 25*, P7 46, Max 71"
    assert last.endswith("Max + Sara & Co 183*, Alí + P7 149")


def test_an_empty_journal_says_how_to_fill_it(tmp_path: Path) -> None:
    empty = Evenings(tmp_path, ())
    assert "nimmt run" in empty.said("matches")
    assert "nimmt run" in empty.said("stats")
    assert "nimmt run" in empty.refused("show")


def test_a_deal_whose_last_turn_was_corrected_is_told_and_counted_once() -> None:
    game = SixMatch(2, end={"target": 10})
    game.adopt([[10, 11, 12, 13, 14], [30], [50], [70]], 9)
    game.play(15, 71)
    game.do(Correct((Card(15),), (Card(31),)))
    said = lines(game.match, ("Max", "Ali"))
    assert "1 deal played" in said
    assert said.count("Deal 1") == 1
    assert "31 row 2" in said
    assert "15 takes" not in said


def test_a_report_that_is_made_keeps_nothing_of_its_match() -> None:
    *_, (match, _) = corrected_evening(Random(1))
    past = played_match(match, MatchEntry(1, {}, "", match.steps, None, "u"), (), ())
    before = sys.getrefcount(match)
    gc.disable()  # else it is only seen how long Python looks for what nobody needs
    html, after = "".join(article(past, LOOKS, Translator())), sys.getrefcount(match)
    gc.enable()
    assert (bool(html), after) == (True, before)
