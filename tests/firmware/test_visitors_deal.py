"""A visitor's deal: dealt by the device, ruled by the referee, told in a stranger's pace."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest

from companion import games
from companion.ruling import Refused
from firmware.config.sections.kiosk import KioskOptions
from firmware.kiosk.deal import SEATS, Deal, State
from firmware.kiosk.deal_questions import Hand
from firmware.kiosk.deal_results import AfterDeal, DealResult, Placement
from firmware.play.robots import Robots
from firmware.screens.which_game import taught
from hardware.ports import Key, KeyPressed, Scanned
from tests.firmware.kiosk_box import kiosk_box
from tests.firmware.read_canvas import ReadCanvas

if TYPE_CHECKING:
    from pathlib import Path

DAY = "2026-02-21"


def play(deal: Deal, rng: Random) -> None:
    """Play a deal to its end, visitors by chance; every answer that is refused changes nothing."""
    while (state := deal.advance()) is not State.OVER:
        assert state is not State.THINK
        if state is State.TELL:
            deal.told.clear()
            continue
        seat = deal.asked
        assert seat is not None
        options = deal.options(seat)
        before = deal.match
        refused = deal.answer(rng.choice(options), seat)
        assert (deal.match is before) == isinstance(refused, Refused)
        in_hands = [card for one in deal.match.players for card in deal.hand(one)]
        assert len(set(in_hands)) == len(in_hands)
        sizes = deal.board.hands
        if sizes and not deal.over:
            assert tuple(len(deal.hand(one)) for one in deal.match.players) == sizes


@pytest.mark.slow
@pytest.mark.parametrize("game", taught())
@pytest.mark.parametrize("visitors", [0, 1, 2])
def test_a_deal_of_every_game_comes_to_its_end_with_the_cards_it_has(game: str, visitors: int) -> None:
    for seed in range(8):
        deal = Deal(game, visitors, "easy", Robots(waits=True), Random(seed))
        play(deal, Random(seed))
        assert len(deal.points) == SEATS
        assert deal.places[0][0] == 1
        ranked = [deal.points[seat] for _, seat in deal.places]
        assert ranked == sorted(ranked)


def test_the_play_that_cost_most_is_that_of_the_log() -> None:
    for seed in range(12):
        deal = Deal("six", 1, "normal", Robots(waits=True), Random(seed))
        play(deal, Random(seed))
        assert sum(cost.heads for cost in deal.costs) == deal.points[0]
        if (worst := deal.costliest) is not None:
            assert worst.heads == max(cost.heads for cost in deal.costs)
            assert 1 <= worst.turn <= 10


@pytest.mark.slow
def test_where_no_robot_of_the_level_plays_the_normal_ones_do() -> None:
    for game in taught():
        play(Deal(game, 1, "hard" if game != "six" else "easy", Robots(waits=True), Random(1)), Random(1))


def test_a_visitor_plays_a_deal_with_ok_alone_and_is_told_who_has_won(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R1 R2 R1 R1") as at:
        pages = set()
        for _ in range(300):
            pages.add(at.page)
            if at.page == "after_deal":
                break
            at.people("R1" if at.page == "which_row" else "OK")
        assert {"hand", "placement", "deal_result", "after_deal"} <= pages
        front = at.controller.front
        assert isinstance(front, AfterDeal)
        at.people("R1")
        assert at.page == "hand"
        counts = at.kiosk.counts.of(DAY)
        assert (counts["deals_begun"], counts["deals_finished"]) == (2, 1)
        assert at.runtime.session.match is None
        assert at.runtime.journal.size().matches == 0


def test_each_card_that_is_placed_is_shown_for_its_time_and_ok_is_faster(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R1 R2 R1 R1 OK", kiosk=KioskOptions(placement_s=3.0)) as at:
        if at.page == "which_row":
            at.people("R1")
        first = at.controller.front
        assert isinstance(first, Placement)
        at.controller.tick(at.controller.now_s + 0.1)
        at.controller.tick(at.controller.now_s + 2.8)
        assert at.controller.front is first
        at.controller.tick(at.controller.now_s + 0.4)
        second = at.controller.front
        assert isinstance(second, Placement)
        assert second is not first
        at.people("OK")
        assert at.controller.front is not second


def test_a_card_of_the_real_deck_that_is_in_the_hand_is_played_and_no_other(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R1 R2 R1 R1") as at:
        front = at.controller.front
        assert isinstance(front, Hand)
        hand = front.deal.hand(front.seat)
        other = next(card for card in games.module("six").DECK if card not in hand)
        at.controller.hear(Scanned(other, typed=True), at.controller.now_s)
        assert at.page == "hand"
        assert at.signals[-1] == "refused"
        at.controller.hear(Scanned(hand[4], typed=True), at.controller.now_s + 5)
        assert at.page in {"placement", "which_row"}
        assert hand[4] not in front.deal.hand(front.seat)


def test_two_visitors_never_see_each_others_hand(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R1 R2 R1 R2") as at:
        seen = []
        for _ in range(80):
            seen.append((at.page, getattr(at.controller.front, "seat", None)))
            at.people("R1" if at.page == "which_row" else "OK")
        hands = [place for place, (page, _) in enumerate(seen) if page == "hand"]
        assert len(hands) >= 4
        assert {seen[place][1] for place in hands} == {0, 1}
        assert all(seen[place - 1] == ("pass_on", seen[place][1]) for place in hands)


def test_two_visitors_read_whose_play_has_cost_most(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R1 R2 R1 R2") as at:
        for _ in range(400):
            if at.page == "after_deal":
                break
            at.people("R1" if at.page == "which_row" else "OK")
        front = at.controller.front
        assert isinstance(front, AfterDeal)
        cost, canvas = front.deal.costliest, ReadCanvas()
        assert cost is not None
        at.runtime.app.picture(canvas)
        assert f"PLAYER {cost.seat + 1}: {cost.card} TOOK {cost.heads} HEADS" in " ".join(canvas.words)


def test_who_thinks_for_long_in_a_deal_is_asked_later_than_in_a_menu(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R1 R2 R1 R1") as at:
        at.wait(44)
        assert at.page == "hand"
        at.wait(2)
        assert at.page == "still_there"
        at.people("OK")
        assert at.page == "hand"
        at.wait(62)
        assert at.page == "attract"


def test_robots_that_play_alone_are_watched_to_the_end_and_a_key_ends_it(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R1 R3 R1") as at:
        assert at.page == "placement"
        at.wait(60)
        assert at.page == "placement", "nobody has to press anything"
        at.people("R1")
        assert at.page == "visitor_menu"
        at.people("R3 R1")
        for _ in range(40 * 4 + 20):
            at.wait(1)
            if isinstance(at.controller.front, DealResult):
                break
        assert at.page == "deal_result"


def test_undo_asks_before_a_deal_is_left(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R1 R2 R1 R1 UNDO") as at:
        assert at.page == "leave_deal"
        at.people("R1")
        assert at.page == "hand"
        at.people("UNDO R2")
        assert at.page == "visitor_menu"


def test_a_card_that_the_rules_forbid_is_refused_with_the_reason_of_the_referee(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R1 R2 R2 R1") as at:
        front = at.controller.front
        assert isinstance(front, Hand)
        options = front.deal.options(front.seat)
        place = next(p for p, one in enumerate(options) if not front.deal.fits(one, front.seat))
        while at.controller.front.cursor != place:  # type: ignore[attr-defined] # a hand
            at.controller.hear(KeyPressed(Key.RIGHT), at.controller.now_s)
        at.people("OK")
        assert at.page == "sentence"
        at.people("OK")
        assert at.page == "hand"
