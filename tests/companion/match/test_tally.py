"""The tally of a match counts what its events say, without what was undone or corrected."""

from random import Random

import pytest

from companion.core.cards import Card, Seat
from companion.core.codec import encode
from companion.core.ruling import EndDeal, Swap
from companion.core.tally import Taken, read_tally, write_tally
from companion.games.six.records import SkipOwner
from companion.match.match import Match
from companion.match.tally import deal_tallies, tally_after, tally_of
from tests.companion.games.six.six_match import SixMatch
from tests.companion.random_match import corrected_evening

TAKES = {"card_placed": "takes", "pile_taken": "cards", "pile_ended": "cards"}


def counted(match: Match) -> list[int]:
    """How many rows and piles every seat took, from the events alone."""
    found = [0] * len(match.totals)
    for _, step, _ in match.live_steps():
        for event in map(encode, step.events):
            if event.get(TAKES.get(event["kind"], "")) and event["seat"] is not None:
                found[event["seat"]] += 1
    return found


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
def test_an_evening_of_any_game_is_counted_as_its_events_say(seed: int) -> None:
    *_, (match, _) = corrected_evening(Random(seed))
    tally = tally_of(match)
    assert [one.number for one in tally.taken] == counted(match)
    assert [sum(points) for points in zip(*(deal.points for deal in deal_tallies(match)), strict=True)] == [
        sum(points) for points in zip(*match.position.score_sheet.deals, strict=True)
    ]
    assert read_tally(write_tally(tally)) == tally


@pytest.mark.slow
def test_the_tally_of_every_step_is_the_one_that_was_stored_last() -> None:
    before, stored = None, None
    for match, _ in corrected_evening(Random(3)):
        if before is not None:
            stored = tally_after(before, match) or stored
            assert stored == tally_of(match)
        before = match


def one_row_taken() -> SixMatch:
    """Seat 0 has taken the row that began with 20."""
    on = SixMatch(2, end={"deals": 2})
    on.lay(20, 40, 60, 80)
    on.play(5, 41)
    on.take(0)
    return on


def test_swapped_cards_and_a_late_owner_move_the_row() -> None:
    on = one_row_taken()
    on.do(Swap((Seat(0), Seat(1))))
    on.do(EndDeal())
    assert tally_of(on.match).taken == (Taken(), Taken(1, "20", 3))
    on = SixMatch(2)
    on.lay(20, 40, 60, 80)
    on.show((None, 5), (None, 41))
    on.take(0)
    on.do(SkipOwner(Card(5)))
    on.show((None, 42), (None, 43))
    on.claim(5, 1)
    on.do(EndDeal())
    assert tally_of(on.match).taken == (Taken(), Taken(1, "20", 3))
