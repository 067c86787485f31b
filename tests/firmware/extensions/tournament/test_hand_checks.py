"""The same deals at all tables: a hand is checked before play, and a wrong one can be scanned again."""

import queue
from pathlib import Path
from typing import Any

import pytest

from companion.tournament.deals import digest_of
from firmware.extensions.tournament.hand_checks import HandChecks
from firmware.extensions.tournament.table import TournamentTable
from hardware.ports import ExtensionMessage
from tests.firmware.evening import Device, device
from tests.firmware.extensions.tournament.test_tournament_table import SEATS, give, is_of_tournament
from tests.patience import PATIENCE_S

SALT = "5a17"
HANDS = [range(1, 11), range(21, 31), range(41, 51)]
ARE_SEATED = ":6NC-T041M :6NC-P07 :6NC-T112E "


def words(cards: range) -> str:
    return " ".join(map(str, cards)) + " "


def planned() -> dict[str, Any]:
    digests = [digest_of(SALT, 1, seat, hand) for seat, hand in enumerate(HANDS)]
    options = {"end": {"deals": 2}, "hands": True}
    return {**SEATS, "options": options, "hands": {"salt": SALT, "digests": [digests]}}


def check_at_once(at: Device) -> None:
    at.controller.extension(TournamentTable).hand_checks = HandChecks()


def scanning(at: Device, seats: dict[str, Any]) -> None:
    check_at_once(at)
    give(at, seats)
    at.people(ARE_SEATED)


def order(at: Device) -> list[int]:
    """The seats in the order in which their hands are scanned."""
    return list(at.match.asks[0].seats)


@pytest.mark.slow
def test_right_hands_are_told_so_and_play_begins(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        scanning(at, planned())
        for seat in order(at):
            at.people(words(HANDS[seat]) + "+1")
            assert at.controller.notice == f"SEAT {seat + 1}: HAND OK"
        at.people("91 92 93 94 1")
        assert at.page == "collecting"


@pytest.mark.slow
def test_a_wrong_hand_is_told_before_play_and_scanned_again(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        scanning(at, planned())
        first, second, third = order(at)
        at.people(words(HANDS[first]) + words(HANDS[third]) + "+1")  # they have each other's hand
        assert at.page == "wrong_hand"
        assert str(at.controller.front.refusal[0]) == f"this is not the hand of seat {second + 1} in deal 1"
        assert at.signals[-1] == "refused"
        steps = at.match.steps
        at.people("91")
        assert (at.page, at.match.steps) == ("wrong_hand", steps), "the next card waits"
        at.people("OK")
        assert at.page == "dealt_hand"
        assert (at.match.asks[0].seats[0], at.match.asks[0].have) == (second, ())
        at.people(words(HANDS[second]) + words(HANDS[third]) + "+1")
        assert at.page == "deal"


@pytest.mark.slow
def test_undo_takes_the_last_card_of_a_wrong_hand_back(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        scanning(at, planned())
        first = order(at)[0]
        right = list(HANDS[first])
        at.people(" ".join(map(str, right[:-1])) + " 104 +1")
        assert at.page == "wrong_hand"
        at.people(f"UNDO {right[-1]} +1")
        assert at.page == "dealt_hand"
        assert at.controller.notice.endswith("HAND OK")


@pytest.mark.slow
def test_people_may_play_on_with_a_wrong_hand_and_a_power_cut_asks_them_again(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        scanning(at, planned())
        at.people(words(range(51, 61)) + "+1")
        assert at.page == "wrong_hand"
    with device(tmp_path) as at:
        check_at_once(at)
        at.people("+1")
        assert at.page == "wrong_hand"
        at.people("R4")
        assert at.page == "dealt_hand"


def test_nothing_is_checked_where_nothing_is_planned(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        scanning(at, {**planned(), "hands": {"salt": SALT, "digests": []}})
        at.people(words(range(51, 61)) + "+1")
        assert at.page == "dealt_hand"
        assert at.controller.notice == ""


def test_a_hand_is_checked_in_another_thread(tmp_path: Path) -> None:
    found: queue.SimpleQueue[ExtensionMessage] = queue.SimpleQueue()
    with device(tmp_path) as at:
        at.controller.extension(TournamentTable).start(found.put)
        give(at, planned())
        at.people(ARE_SEATED)
        first = order(at)[0]
        at.people(words(HANDS[first]) + "+1 +1")
        assert at.controller.notice == "", "nobody waits for it"
        at.controller.hear(found.get(timeout=PATIENCE_S), at.controller.now_s)
        assert at.controller.notice == f"SEAT {first + 1}: HAND OK"
        assert found.empty(), "it is checked once"


def test_a_hand_that_was_undone_meanwhile_is_not_told(tmp_path: Path) -> None:
    found: queue.SimpleQueue[ExtensionMessage] = queue.SimpleQueue()
    with device(tmp_path) as at:
        at.controller.extension(TournamentTable).start(found.put)
        give(at, planned())
        at.people(ARE_SEATED + words(range(51, 61)) + "+1 UNDO")
        at.controller.hear(found.get(timeout=PATIENCE_S), at.controller.now_s)
        assert at.page == "dealt_hand"
        at.people("60")
        assert at.page == "wrong_hand", "it is known already"


@pytest.mark.slow
def test_names_that_are_put_right_and_digests_that_come_later_keep_the_match(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        scanning(at, {**planned(), "hands": None})
        give(at, planned())
        assert is_of_tournament(at)
        assert at.page == "dealt_hand"
