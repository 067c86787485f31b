"""The same deals at all tables: a hand is checked before play, and a wrong one can be scanned again."""

from collections.abc import Iterable
from pathlib import Path

import pytest

from companion.tournament.deals import deal
from tests.firmware.evening import Device, device
from tests.firmware.extensions.tournament.test_tournament_table import SEATS, give

SEED = "4 8 15"
PLANNED = deal(SEED, SEATS["round"], 1)
HANDS = PLANNED.hands
OTHERS = sorted(set(range(1, 105)) - {card for hand in HANDS for card in hand} - set(PLANNED.rows))
ARE_SEATED = ":6NC-T041M :6NC-P07E :6NC-T112E "


def words(cards: Iterable[int]) -> str:
    return " ".join(map(str, cards)) + " "


def scanning(at: Device, seed: str = SEED) -> None:
    give(at, {**SEATS, "options": {"end": {"deals": 2}, "hands": True}, "seed": seed})
    at.people(ARE_SEATED)


def order(at: Device) -> list[int]:
    """The seats in the order in which their hands are scanned."""
    return list(at.match.asks[0].seats)


@pytest.mark.slow
def test_a_wrong_hand_is_told_before_play_and_scanned_again(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        scanning(at)
        first, second, third = order(at)
        at.people(words(HANDS[first]) + words(HANDS[third]) + "+1")  # they have each other's hand
        assert at.page == "wrong_hand"
        assert str(at.table.front.refusal[0]) == f"this is not the hand of seat {second + 1} in deal 1"
        assert at.signals[-1] == "refused"
        steps = at.match.steps
        at.people(str(OTHERS[0]))
        assert (at.page, at.match.steps) == ("wrong_hand", steps), "the next card waits"
        at.people("OK")
        assert at.page == "dealt_hand"
        assert (at.match.asks[0].seats[0], at.match.asks[0].have) == (second, ())
        at.people(words(HANDS[second]) + words(HANDS[third]) + "+1")
        assert at.page == "deal"


@pytest.mark.slow
def test_undo_takes_the_last_card_of_a_wrong_hand_back(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        scanning(at)
        first = order(at)[0]
        right = list(HANDS[first])
        at.people(words(right[:-1]) + f"{OTHERS[0]} +1")
        assert at.page == "wrong_hand"
        at.people(f"UNDO {right[-1]} +1")
        assert at.page == "dealt_hand"
        assert at.table.notice == f"SEAT {first + 1}: HAND OK"


@pytest.mark.slow
def test_people_may_play_on_with_a_wrong_hand_and_a_power_cut_asks_them_again(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        scanning(at)
        at.people(words(OTHERS[:10]) + "+1")
        assert at.page == "wrong_hand"
    with device(tmp_path) as at:
        at.people("+1")
        assert at.page == "wrong_hand"
        at.people("R4")
        assert at.page == "dealt_hand"


def test_nothing_is_checked_where_nothing_is_planned(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        scanning(at, seed="")
        at.people(words(OTHERS[:10]) + "+1")
        assert at.page == "dealt_hand"
        assert at.table.notice == ""
