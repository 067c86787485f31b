"""An evening of Ciao! at the device: cards are given by the number in their code, as a scanner does."""

from pathlib import Path
from typing import Any

import pytest

from companion.games.ciao import DECK
from companion.text.sentence import PAPER, ROCK
from firmware.config.configuration import choose
from firmware.loop.react import handle_message
from hardware.ports import Key, KeyPressed, Press
from tests.firmware.display.read_canvas import ReadCanvas
from tests.firmware.evening import Device, device
from tests.firmware.telling import told
from tests.whole.reading import alike, body, title

THREE = "R3 b1 b2 b3 OK OK R1 R1 "


def code(name: str) -> str:
    """The number of a card, as a word of a script."""
    return str(DECK.index(name) + 1)


def cards(*names: str) -> str:
    """Several of them, one scan each."""
    return " ".join(map(code, names)) + " "


RACE = THREE + cards("gS#1", "gR:SC")
"""The second player has called the race."""


def own_keys(at: Device, *presses: tuple[int, float]) -> None:
    """Players press their own keys so long after now, and the messages come in this order."""
    now_s = at.table.now_s
    for badge, after_s in presses:
        handle_message(at.table, KeyPressed(Key[f"SEAT_{badge}"], Press.SHORT, now_s + after_s), now_s + 0.1)


LEADS_TO = {
    "OK draws a card": (
        THREE + cards("gS#1") + "OK", "on_turn", {"hand_sizes": [6, 8, 7], "turn": 1},
    ),
    "OK once more keeps it": (THREE + cards("gS#1") + "OK OK", "on_turn", {"turn": 2}),
    "a card that is not higher is refused": (
        THREE + cards("rR#1", "gR#1"), "on_turn", {"hand_sizes": [6, 7, 7]},
    ),
    "its penalty is one key": (
        THREE + cards("rR#1", "gR#1") + "WHY R4", "on_turn", {"hand_sizes": [6, 10, 7], "turn": 2},
    ),
    "a slip of the scanner costs nothing": (
        THREE + cards("rR#1", "gR#1") + "OK " + cards("gP#1"), "on_turn", {"hand_sizes": [6, 6, 7]},
    ),
    "a card of the next player says that thanks were given": (
        THREE + cards("gR:BC") + "b2 " + cards("rR#1", "gP#1"), "on_turn", {"hand_sizes": [5, 7, 7]},
    ),
    "who scanned first in a race is asked": (RACE + code("gP#1"), "choose_player", {}),
    "the first scan wins a race": (RACE + code("gP#1") + " b1", "on_turn", {"top": "gP#1", "turn": 1}),
    "that nobody can is one key": (RACE + "OK", "on_turn", {"turn": 2, "race": None}),
    "a joker that was scanned wrong is corrected": (
        THREE + cards("rR#1", "yJ#1") + "R2 :6NC-WRONGE " + cards("yJ#1", "gJ#1") + "R2",
        "on_turn", {"top": "gJ=P"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("script", "page", "view"), LEADS_TO.values(), ids=LEADS_TO)
def test_what_a_scan_or_a_key_leads_to(tmp_path: Path, script: str, page: str, view: dict[str, Any]) -> None:
    with device(tmp_path, script) as at:
        assert at.page == page
        assert {name: at.view[name] for name in view} == view


def test_with_keys_of_their_own_the_first_to_press_wins_whatever_comes_first_over_the_wire(
    tmp_path: Path,
) -> None:
    with device(tmp_path, RACE) as at:
        own_keys(at, (3, 0.0020), (1, 0.0019), (3, 0.0500))
        assert at.runtime.session.badge(at.table.state.turn.announced) == 1  # type: ignore[arg-type] # somebody is
        at.people(code("gP#1"))
        assert at.view["top"] == "gP#1"
        assert at.view["hand_sizes"] == [5, 6, 7]


def test_neither_a_press_before_the_card_lies_nor_that_of_who_called_the_race_counts(tmp_path: Path) -> None:
    with device(tmp_path, RACE) as at:
        own_keys(at, (2, 0.001), (3, -1.6))
        assert "TOO EARLY" in at.table.notice
        assert at.table.state.turn.announced is None


def test_the_last_card_is_called_out(tmp_path: Path) -> None:
    two = "R3 b1 b2 OK OK R1 R1 "
    rounds = [
        ("gS#1", "gR#1"), ("gP#1", "gS#2"), ("gR#2", "gP#2"), ("gS#3", "gR#3"), ("gP#3", "gS#4"),
    ]  # fmt: skip
    with device(tmp_path, two + "".join(cards(*pair) for pair in rounds)) as at:
        assert "last card" not in at.signals
        at.people(code("gR#4"))
        assert at.view["hand_sizes"] == [1, 2]
        assert at.signals[-1] == "last card"
        assert "LAST CARD" in at.table.notice


def panel(at: Device) -> str:
    """The words on the display below the title."""
    return body(at.runtime.app.picture())


def test_a_refusal_calls_the_cards_what_people_call_them(tmp_path: Path) -> None:
    with device(tmp_path, THREE + cards("yS#1", "yP:+3") + "WHY") as at:
        assert panel(at).startswith(alike("YELLOW PAPER WITH +3 IS NOT HIGHER THAN YELLOW SCISSORS"))


def test_who_won_the_race_is_asked_with_the_card_in_words(tmp_path: Path) -> None:
    with device(tmp_path, RACE + code("gP:AR")) as at:
        assert title(at.runtime.app.picture()) == alike("WHO? GREEN PAPER")


def test_what_to_do_in_a_race_and_who_may_not_is_told_from_the_first_moment(tmp_path: Path) -> None:
    with device(tmp_path, RACE) as at:
        assert at.table.notice == ""
        assert {"SPEED CHALLENGE!", "NOT P2", "SCAN A CARD", "FIRST SCAN WINS"} <= set(told(at))
        assert {"GREEN", "ANY", "YELLOW", "RED", "JOKER"} <= set(told(at))  # all that is higher
    keys = choose("buttons", "gpio", {"pins": {"ok": 5, "seat_1": 6}})
    with device(tmp_path / "keys", RACE, buttons=keys) as at:
        assert {"KEY, THEN CARD", "FIRST KEY WINS"} <= set(told(at))


FOUL = cards("gS#1", "gR:SC", "gS#2") + "WHY R4 "


@pytest.mark.parametrize(
    ("script", "says"),
    [
        (cards("rR#1"), f"{ROCK.character} RED OPENS"),
        (cards("rS#1", "yJ#1") + "R1", "JOKER NOW ROCK"),
        (cards("gR#1", "yR#1"), f"{ROCK.character} YELLOW HIGHER COLOUR"),
        (cards("gR#1", "yR#1") + "UNDO", f"UNDONE: {ROCK.character} YELLOW"),
        (cards("gS#1", "gR:+3"), "NEXT DRAWS 3"),
        ("1 b1", "NOT P1'S TURN"),
        (FOUL + "b3", "P3 DRAWS 3"),
        (FOUL + "b3 " + code("gS#3") + " WHY R4 b1 OK", "P3 SKIPPED, P1 SKIPPED"),
    ],
)
def test_a_line_about_a_card_has_its_symbol_and_its_colour_in_words(
    tmp_path: Path, script: str, says: str
) -> None:
    with device(tmp_path, THREE + script) as at:
        assert at.table.notice == says


@pytest.mark.parametrize(
    ("script", "words"),
    [
        (cards("gR:BC"), {ROCK.character, "GREEN", "WHO GETS A CARD?"}),
        (cards("gR:SW"), {ROCK.character, "GREEN", "SWAP HANDS WITH?"}),
        (cards("gS#1") + ":6NC-NEXTK " + cards("yP#1"), {f"{PAPER.character} YELLOW"}),
    ],
)
def test_a_large_picture_of_a_card_has_no_letters_for_what_it_does(
    tmp_path: Path, script: str, words: set[str]
) -> None:
    with device(tmp_path, THREE + script) as at:
        said = set(told(at))
        assert words <= said
        assert not said & {f"{ROCK.character}GBC", f"{ROCK.character}GSW", f"{PAPER.character}Y"}


@pytest.mark.parametrize(
    ("script", "top"),
    [(cards("gS#1"), "gS#1"), (cards("gR:+3"), "gR:+3"), (cards("rR#1", "yJ#1") + "R2 ", "yJ#1")],
)
def test_checking_the_table_knows_the_card_on_top_by_its_code(tmp_path: Path, script: str, top: str) -> None:
    with device(tmp_path, THREE + script + ":6NC-AUDITE " + code(top)) as at:
        assert at.signals[-1] == "accepted"


def test_a_card_that_comes_before_an_answer_is_told_what_is_to_be_answered_first(tmp_path: Path) -> None:
    with device(tmp_path, THREE + cards("gP#1", "gJ#1", "gS#1")) as at:
        assert (at.page, at.table.notice) == ("decide", "ANSWER THIS FIRST")
        assert "name the joker's symbol" in str(at.table.refusal)
        at.people("R1")
        assert at.view["top"].startswith("gJ=")


def test_all_cards_are_listed_without_bullheads(tmp_path: Path) -> None:
    with device(tmp_path, THREE + cards("gS#1") + ":6NC-ROWSF") as at:
        canvas = ReadCanvas()
        at.table.front.draw(canvas, at.runtime.session)
        assert "ALL CARDS" in canvas.words
        assert "0" not in canvas.words
