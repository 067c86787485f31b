"""A visitor's deal: dealt by the device, ruled by the referee, told in a stranger's pace."""

import queue
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import TypeVar

import pytest
from msgspec.structs import replace

from companion.core import games
from companion.core.cards import Seat
from companion.core.ruling import Refused
from companion.robots.coach import PlayAdvice
from companion.robots.levels import Decision, Level
from firmware.extensions.robots.config import RobotOptions
from firmware.extensions.robots.deal import SEATS, VisitorChoice, VisitorDeal
from firmware.extensions.robots.deal_pages import AfterDeal, DealResult, Placement, VisitorHand
from firmware.extensions.robots.thinking import Robots, Thought
from firmware.screens.before.lesson import taught
from firmware.screens.parts.base import Page
from hardware.ports import Scanned
from tests.firmware.kiosk.kiosk_box import KioskBox, kiosk_box
from tests.firmware.telling import told
from tests.patience import PATIENCE_S

DAY = "2026-02-21"


P = TypeVar("P", bound=Page)


def front_page(at: KioskBox, kind: type[P]) -> P:
    """The page that visitors see, which is of this kind."""
    page = at.table.front
    assert isinstance(page, kind)
    return page


def asked(deal: VisitorDeal) -> Iterator[Seat]:
    """The visitors who are asked, one after the other, to the end of a deal."""
    while not deal.over:
        deal.advance()
        deal.told.clear()
        if deal.asked is not None:
            yield deal.asked


def play(deal: VisitorDeal, rng: Random) -> None:
    """Play a deal to its end, visitors by chance; every answer that is refused changes nothing."""
    for seat in asked(deal):
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
    for seed in range(3):
        deal = VisitorDeal(game, visitors, "easy", Robots(), Random(seed))
        play(deal, Random(seed))
        assert len(deal.points) == SEATS


@pytest.mark.slow
def test_a_visitor_plays_a_deal_with_ok_alone_and_is_told_who_has_won(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R2 R1 R1") as at:
        assert {"hand", "placement", "deal_result"} <= after_a_deal(at)
        at.people("R1")
        assert at.page == "hand"
        counts = at.kiosk.counts.of(DAY)
        assert (counts["deals_begun"], counts["deals_finished"]) == (2, 1)
        assert at.runtime.session.match is None
        assert at.runtime.journal.reader.size().matches == 0


def test_a_card_that_is_placed_is_shown_among_the_rows_and_its_row_is_lit(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R3 R1") as at:
        shown = []
        for _ in range(12):
            front = front_page(at, Placement)
            shown.append(front.told)
            assert {stack.cards[-1] for stack in front.told.rows} <= set(told(at))
            at.wait(3.6)
            if shown[-1] is front_page(at, Placement).told:  # a robot still thinks
                at.wait(1)
        fitting = [one for one in shown if not one.line.takes]
        assert len(fitting) > 3
        for one in fitting:
            ends = {stack.name: int(stack.cards[-1]) for stack in one.rows}
            assert ends[one.line.place] == max(end for end in ends.values() if end < int(one.line.card))


def test_each_card_that_is_placed_is_shown_for_its_time_and_ok_is_faster(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R2 R1 R1 OK", added={RobotOptions: RobotOptions(placement_s=3.0)}) as at:
        if at.page == "which_row":
            at.people("R1")
        first = front_page(at, Placement)
        at.wait(0.1)
        at.wait(2.8)
        assert at.table.front is first
        at.wait(0.4)
        second = front_page(at, Placement)
        assert second is not first
        at.people("OK")
        assert at.table.front is not second


def test_a_card_of_the_real_deck_that_is_in_the_hand_is_played_and_no_other(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R2 R1 R1") as at:
        front = front_page(at, VisitorHand)
        hand = front.deal.hand(front.seat)
        other = next(card for card in games.module("six").DECK if card not in hand)
        at.give(Scanned(other, typed=True))
        assert at.page == "hand"
        assert at.signals[-1] == "refused"
        assert at.table.notice == f"YOU DO NOT HAVE {other}"
        at.give(Scanned(hand[4], typed=True), 5)
        assert at.page in {"placement", "which_row"}
        assert hand[4] not in front.deal.hand(front.seat)


def test_two_visitors_never_see_each_others_hand(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R2 R1 R2") as at:
        seen = []
        for _ in range(80):
            seen.append((at.page, getattr(at.table.front, "seat", None)))
            at.people("R1" if at.page == "which_row" else "OK")
        hands = [place for place, (page, _) in enumerate(seen) if page == "hand"]
        assert len(hands) >= 4
        assert {seen[place][1] for place in hands} == {0, 1}
        assert all(seen[place - 1] == ("pass_on", seen[place][1]) for place in hands)


def after_a_deal(at: KioskBox) -> set[str]:
    """Let the visitors play a deal to its end with OK alone, that is the lowest card; gives the pages."""
    pages = set[str]()
    for _ in range(400):
        if at.page == "after_deal":
            break
        pages.add(at.page)
        at.people("R1" if at.page == "which_row" else "OK")
    return pages


def advice(worst: PlayAdvice) -> str:
    """What the page says of a choice that another one was better than."""
    play = worst.play
    if play.row is not None and worst.better_row is not None:
        return f"TURN {play.turn}: ROW {worst.better_row + 1} WAS BETTER THAN ROW {play.row + 1}"
    return f"TURN {play.turn}: {worst.better} WAS BETTER THAN {play.card}"


@pytest.mark.slow
def test_a_visitor_reads_which_card_was_better_and_why_tells_by_how_much(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R2 R1 R1") as at:
        front = front_page(at, VisitorHand)
        dealt = front.deal.hand(front.seat)
        after_a_deal(at)
        worst = front_page(at, AfterDeal).deal.worst
        assert worst is not None
        assert str(worst.play.card) in dealt
        assert str(worst.better) in dealt
        assert " ".join(told(at)).startswith(advice(worst))
        at.people("WHY")
        for placed, title in zip(worst.placed(), (f"TURN {worst.play.turn}", "BETTER CHOICE"), strict=True):
            assert at.page == "better_choice"
            assert {title, placed.card} <= set(told(at))
            assert {stack.cards[-1] for stack in worst.play.before.board.stacks} <= set(told(at))
            at.people("WHY")
            assert " ".join(told(at)).count(placed.card)
            at.people("OK OK")
        assert at.page == "sentence"
        said = " ".join(told(at))
        assert f"{worst.expected_better:.1f} HEADS" in said
        assert f"NOT {worst.expected:.1f}" in said
        at.people("OK")
        assert at.page == "after_deal"


def well_played(seed: int) -> VisitorDeal:
    """A deal whose visitor plays as the hard robot does."""
    robots = Robots()
    deal = VisitorDeal("six", 1, "normal", robots, Random(seed))
    for seat in asked(deal):
        _, found = robots.answer(Decision(deal.match, seat, deal.hand(seat), Level.HARD, 1))
        assert found is not None
        assert deal.answer(VisitorChoice(found.ask, found.text), seat) is None
    return deal


@pytest.mark.slow
def test_where_no_choice_was_certainly_worse_none_is_claimed(tmp_path: Path) -> None:
    deals = [well_played(seed) for seed in range(2)]
    for deal in deals:
        if (worst := deal.worst) is not None:
            assert worst.expected - worst.expected_better > 0.5
    without = [deal for deal in deals if deal.worst is None]
    assert len(without) >= len(deals) - 1
    with kiosk_box(tmp_path, "R1 R2 R1 R1") as at:
        after_a_deal(at)
        page = front_page(at, AfterDeal)
        at.do(lambda table: table.show(replace(page, deal=without[0])))
        said = " ".join(told(at))
        assert "BETTER" not in said
        assert said.startswith("THANK YOU FOR PLAYING")
        at.people("WHY")
        assert at.page == "after_deal"


@pytest.mark.slow
def test_the_coach_looks_at_a_deal_beside_the_game_and_says_nothing_of_other_games() -> None:
    thoughts: queue.SimpleQueue[Thought] = queue.SimpleQueue()
    robots = Robots()
    robots.start(thoughts.put)
    deal = VisitorDeal("six", 1, "normal", Robots(), Random(6))
    play(deal, Random(6))
    dealt = {Seat(0): deal.dealt[Seat(0)]}
    with closing(robots):
        assert robots.costliest(deal.match, dealt) is None
        robots.receive(thoughts.get(timeout=PATIENCE_S))
        assert robots.costliest(deal.match, dealt) == deal.worst
    other = VisitorDeal("eleven", 1, "normal", Robots(), Random(6))
    play(other, Random(6))
    assert other.worst is None


def test_who_thinks_for_long_in_a_deal_is_asked_later_than_in_a_menu(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R2 R1 R1") as at:
        at.wait(44)
        assert at.page == "hand"
        at.wait(2)
        assert at.page == "still_there"
        at.people("OK")
        assert at.page == "hand"
        at.wait(62)
        assert at.page == "attract"


def test_robots_that_play_alone_are_watched_to_the_end_and_a_key_ends_it(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R3 R1") as at:
        assert at.page == "placement"
        at.wait(60)
        assert at.page == "placement", "nobody has to press anything"
        at.people("R1")
        assert at.page == "visitor_menu"
        at.people("R3 R1")
        for _ in range(40 * 4 + 20):
            at.wait(1)
            if isinstance(at.table.front, DealResult):
                break
        assert at.page == "deal_result"


def test_undo_asks_before_a_deal_is_left(tmp_path: Path) -> None:
    with kiosk_box(tmp_path, "R1 R2 R1 R1 UNDO") as at:
        assert at.page == "leave_deal"
        at.people("R1")
        assert at.page == "hand"
        at.people("UNDO R2")
        assert at.page == "visitor_menu"
