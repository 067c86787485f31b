"""The menu does not move: what cannot be done now keeps its place, and says why."""

from collections import defaultdict
from pathlib import Path

import pytest

from companion.text.sentence import NOTHING
from firmware.screens.menu import main_menu
from firmware.screens.parts.kinds import NotNow
from tests.firmware.evening import EXAMPLE_1, FOUR, PLACED, ROWS, device
from tests.gallery.pictures import performed

HEARTS = "R4 b1 b2 b3 OK R4 R1 R1 R1 "
ELEVEN = "R2 b1 b2 b3 OK OK R2 31 R1 23 "
CIAO = "R3 b1 b2 b3 OK OK R1 R1 55 1 "
SAME_PLACE = (
    {"SUSPEND THE MATCH", "RESUME A MATCH"},
    {"SOUND OFF", "SOUND ON"},
    {"CARDS IN SEAT ORDER", "CARDS IN ANY ORDER"},
)
"""Two sides of one thing."""


@pytest.mark.slow
def test_nothing_stands_at_two_places_of_the_menu_in_any_state_of_any_game() -> None:
    places: dict[str, set[int]] = defaultdict(set)
    labels: dict[int, set[str]] = defaultdict(set)
    states = 0
    for _, runtime in performed():
        table, states = runtime.app.table, states + 1
        of_parts = [str(says) for part in table.extensions for says, _ in part.menu(table)]
        menu = [str(says) for says, _ in main_menu(table).items]
        assert menu[len(menu) - len(of_parts) :] == of_parts
        for place, label in enumerate(menu[: len(menu) - len(of_parts)]):
            places[label].add(place)
            labels[place].add(label)
    assert states >= 200
    assert {label: at for label, at in places.items() if len(at) > 1} == {}
    assert [several for several in labels.values() if len(several) > 1 and several not in SAME_PLACE] == []


def test_letters_of_every_size_have_the_same_four_things_on_a_page(tmp_path: Path) -> None:
    with device(tmp_path, PLACED + "hold-OK") as at:
        menu = main_menu(at.table)
        assert menu.choices(at.table.session).per_page == 4


@pytest.mark.parametrize("begin", ["", FOUR, FOUR + ROWS + "14", EXAMPLE_1, PLACED, ELEVEN, CIAO, HEARTS])
def test_what_the_menu_offers_is_not_refused_and_all_else_says_why_in_a_sentence(
    tmp_path: Path, begin: str
) -> None:
    with device(tmp_path, begin) as at:
        session = at.table.session
        here = session.match
        for says, does in main_menu(at.table).items:
            before = len(at.signals)
            at.people("menu:" + str(says).replace(" ", "_"))
            assert ("refused" in at.signals[before:]) is isinstance(does, NotNow), says
            assert not isinstance(does, NotNow) or (at.page, *at.table.refusal) == ("menu", does.why, NOTHING)
            at.do(lambda table: table.home())
            at.do(lambda table: table.toggle_sound() if table.state.muted else None)
            assert session.match is here, f"{says} is done without a question"


def test_a_mistake_that_no_card_shows_costs_its_player_three_cards(tmp_path: Path) -> None:
    with device(tmp_path, CIAO + "menu:GIVE_A_PENALTY b3") as at:
        assert at.view["hand_sizes"] == [6, 6, 10]
        at.people("UNDO")
        assert at.table.notice == "UNDONE: PENALTY OF P3"


def test_hands_that_are_not_right_are_forgotten_after_a_question(tmp_path: Path) -> None:
    hand = " ".join(map(str, range(60, 70)))
    with device(tmp_path, FOUR + ROWS + hand, rules={"six": {"hands": [0]}}) as at:
        at.people("menu:FORGET_THE_HANDS UNDO")
        assert at.match.game.hand(at.match.position.table, at.match.players[0])
        at.people("menu:FORGET_THE_HANDS OK")
        assert not at.match.game.hand(at.match.position.table, at.match.players[0])
