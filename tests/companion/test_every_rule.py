"""Every rule is given by some ruling; every event that people can dispute has a reason, and its house rules.

All games are played by chance, and what chance seldom reaches is written by hand in `RARE`.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from random import Random
from typing import Any, Final

import pytest

from companion.core import games
from companion.core.cards import Card, Seat
from companion.core.ruling import EndDeal, Join, Leave, Refused, Swap
from companion.core.score_sheet import DealScored
from companion.games.ciao.records import Correct, Foul, Play, Thanks
from companion.games.eleven import records as eleven
from companion.games.eleven.records import Take
from companion.games.six.records import Play as Show
from companion.games.six.records import Register, SkipOwner, TakeRow
from companion.match import commands as match_commands
from companion.match.commands import CorrectScore, EndMatch, SettleTie
from companion.match.match import OVER, UNDO, Match, Step
from tests.companion.core.test_match_end import deal
from tests.companion.games.ciao.ciao_match import CiaoMatch, cards
from tests.companion.games.eleven.at_eleven import AtEleven, play
from tests.companion.games.scorekeeping.score_match import ScoreMatch
from tests.companion.games.six.six_match import SixMatch
from tests.companion.random_match import EXPECTED, agreed, legal, unasked, wild

Ruled = tuple[Match, Any, Step | Refused]
"""The match on which a ruling was made, the order that was ruled on, and the ruling."""

MATCHES: Final = 8
STEPS: Final = 100
REPORTED: Final[Mapping[str, frozenset[str]]] = {
    "six": frozenset({"row_begun", "card_picked", "card_registered", "hands_forgotten", "card_shown"}),
    "eleven": frozenset({"card_waits", "hand_card_seen", "turn_passed", "pile_chosen"}),
    "ciao": frozenset({"asked", "card_counted", "card_shown", "turn_begun"}),
    "score": frozenset({"card_counted", "card_doubted", "count_adopted"}),
}
"""The events that only say what people did or are asked, so that there is nothing to dispute."""
RESULT: Final[Mapping[str, tuple[str, str]]] = {
    "six": ("6N-HEADS", "6N-END"),
    "eleven": ("11-OUT", "11-DEALS"),
    "ciao": ("CI-19", "HC-13"),
    "score": ("M-POINTS", "M-END"),
}
"""The rules for the points of a deal and for the end of a match."""


def tied(_before: Match, _step: Step, after: Match) -> bool:
    return len(after.winners or ()) > 1


def exactly_at_the_limit(_before: Match, step: Step, after: Match) -> bool:
    target = after.game.end.target
    return isinstance(step.events[-1], DealScored) and max(after.totals) == target > 0


def several_worst(_before: Match, step: Step, after: Match) -> bool:
    if after.position.over or not isinstance(step.events[-1], DealScored):
        return False
    points = [step.events[-1].points[seat] for seat in after.players]
    return points.count(max(points)) > 1


def after(kind: str) -> Callable[[Match, Step, Match], bool]:
    return lambda _before, step, _after: any(kind == event.KIND for event in step.events)


def cards_are_counted(_before: Match, step: Step, _after: Match) -> bool:
    return any(event.KIND == "hand_counted" and event.cards for event in step.events)


def two_change_the_direction(before: Match, step: Step, then: Match) -> bool:
    agreed_otherwise = before.terms.options.get("reverse_with_two", "nothing") != "nothing"
    two = len(before.players) == 2 and not agreed_otherwise
    return two and after("direction_changed")(before, step, then)


def last_card_has_an_icon(_before: Match, step: Step, _after: Match) -> bool:
    kinds = [event.KIND for event in step.events]
    return kinds[:2] == ["card_played", "deal_won"] and ":" in step.events[0].card


def nobody_is_charged(_before: Match, step: Step, _then: Match) -> bool:
    return any(event.KIND == "card_placed" and event.takes and event.seat is None for event in step.events)


def draft_is_over_or_begins(_before: Match, step: Step, then: Match) -> bool:
    kinds = {event.KIND for event in step.events}
    drafted = bool(then.terms.options.get("draft")) and not then.position.over
    return {"card_picked", "row_begun"} <= kinds or (drafted and isinstance(step.events[-1], DealScored))


def lie_on_both_sides_of_100(before: Match, step: Step, _then: Match) -> bool:
    laid = [event for event in step.events if event.KIND == "card_laid"]
    table = before.position.table
    if not laid or step.events[0].KIND != "card_laid":
        return False
    for pile in table.piles:
        top = table.base(pile)
        sides = {event.card > top for event in laid if event.pile == pile.number}
        sides |= {card.card > top for card in table.laid if card.pile == pile.number}
        if len(sides) == 2 and any(event.pile == pile.number for event in laid):
            return True
    return False


def a_leader_in_bulls_takes(before: Match, step: Step, _then: Match) -> bool:
    table = before.position.table
    return any(
        event.KIND == "pile_taken"
        and len(event.cards) >= 3
        and not table.supply
        and (not event.bull or table.bulls[event.seat] == table.bulls[event.bull_from])
        for event in step.events
    )


def fewer_than_two_are_turned_up(_before: Match, step: Step, _then: Match) -> bool:
    return any(event.KIND == "pile_taken" and event.due < 2 for event in step.events)


def opens_with_a_joker_or_an_icon(before: Match, step: Step, _then: Match) -> bool:
    played = step.events[0]
    # A +3 that is not answered yet can lie on no card only where a table was set up so.
    free = played.KIND == "card_played" and not played.on and not before.position.table.pending
    return free and ("J" in played.card or ":" in played.card)


def a_plus_three_answers(before: Match, step: Step, _then: Match) -> bool:
    played = step.events[0]
    higher = before.terms.options.get("plus3_higher", True)
    return (
        played.KIND == "card_played" and ":+3" in played.card and before.position.table.pending > 0 and higher
    )


def the_last_card_is_given(_before: Match, step: Step, then: Match) -> bool:
    kinds = [event.KIND for event in step.events]
    return "deal_won" in kinds and ("card_given" in kinds or isinstance(step.command, Thanks))


def nobody_says_thanks(_before: Match, step: Step, _then: Match) -> bool:
    order = step.command
    return (order.said if isinstance(order, Thanks) else getattr(order, "thanks", None)) is False


def a_joker_in_a_game_for_children(before: Match, step: Step, _then: Match) -> bool:
    young = before.terms.options.get("step", "full") != "full"
    return young and any(event.KIND == "card_played" and "J" in event.card for event in step.events)


def who_loses_a_turn_answers(before: Match, step: Step, _then: Match) -> bool:
    table, played = before.position.table, step.events[0]
    racing = table.stage.value in ("race", "claim")
    return racing and played.KIND == "card_played" and table.skips[played.seat] > 0


HOUSE: Final[tuple[tuple[str, str, Callable[[Match, Step, Match], bool]], ...]] = (
    ("six", "H6-1", exactly_at_the_limit),
    ("six", "H6-3", tied),
    ("six", "H6-5", draft_is_over_or_begins),
    ("six", "H6-11", nobody_is_charged),
    ("six", "H6-6", after("turn_reopened")),
    ("six", "H6-6", after("owners_swapped")),
    ("six", "H6-7", after("seat_left")),
    ("six", "H6-8", after("deal_ended")),
    ("six", "H6-9", after("table_adopted")),
    ("eleven", "H11-1", cards_are_counted),
    ("eleven", "H11-2", after("bulls_returned")),
    ("eleven", "H11-3", lie_on_both_sides_of_100),
    ("eleven", "H11-4", a_leader_in_bulls_takes),
    ("eleven", "H11-5", fewer_than_two_are_turned_up),
    ("eleven", "H11-6", after("pile_opened")),
    ("eleven", "H11-7", several_worst),
    ("eleven", "H11-8", tied),
    ("eleven", "H11-10", after("seat_left")),
    ("eleven", "H11-11", after("deal_stopped")),
    ("eleven", "H11-12", after("table_adopted")),
    ("eleven", "H11-13", after("move_reopened")),
    ("eleven", "H11-13", after("card_replaced")),
    ("ciao", "HC-1", after("mistake_made")),
    ("ciao", "HC-3", opens_with_a_joker_or_an_icon),
    ("ciao", "HC-4", after("race_ended")),
    ("ciao", "HC-5", a_plus_three_answers),
    ("ciao", "HC-6", two_change_the_direction),
    ("ciao", "HC-7", last_card_has_an_icon),
    ("ciao", "HC-8", the_last_card_is_given),
    ("ciao", "HC-9", after("reshuffled")),
    ("ciao", "HC-11", after("trouble_shed")),
    ("ciao", "HC-12", nobody_says_thanks),
    ("ciao", "HC-13", tied),
    ("ciao", "HC-15", a_joker_in_a_game_for_children),
    ("ciao", "HC-16", after("seat_left")),
    ("ciao", "HC-16", after("seat_joined")),
    ("ciao", "HC-17", after("deal_stopped")),
    ("ciao", "HC-18", after("table_adopted")),
    ("ciao", "HC-19", after("play_reopened")),
    ("ciao", "HC-20", who_loses_a_turn_answers),
    ("score", "M-SHARED", tied),
)
"""What rests on a house rule: the game, the key of the rule, and where it decides."""


def ruled(match: Match) -> Iterator[Ruled]:
    """The steps of a match and what they were made on, the newest first."""
    while match.newest is not None and match.before is not None:
        yield match.before, match.newest.command, match.newest
        match = match.before


def refused(game: SixMatch | AtEleven | CiaoMatch, order: Any) -> Ruled:
    return game.match, order, game.refused(order)


def rare_in_six() -> Iterator[Ruled]:
    game = SixMatch(3)
    yield game.match, None, game.match.undo()
    deal(game, 66, 3, 3)
    yield refused(game, Leave(Seat(0)))
    yield from ruled(game.match)
    game = SixMatch(3)
    deal(game, 9, 4, 4)
    game.do(Join(Seat(3), "worst"))
    game.do(EndMatch())
    game.do(CorrectScore(1, (9, 4, 5, 0)))
    yield from ruled(game.match)
    game = SixMatch(2, end={"deals": 1})
    deal(game, 4, 4)
    yield refused(game, SettleTie("dice"))
    game.do(SettleTie("one_more"))
    deal(game, 4, 4)
    game.do(SettleTie("last_deal"))
    yield from ruled(game.match)
    game = SixMatch(2, deck="known", draft=True)
    for card in range(1, 21):
        game.pick((card - 1) % 2, card)
    yield refused(game, Show(Card(2), Seat(0)))
    yield from ruled(game.match)
    game = SixMatch(3)
    game.do(Leave(Seat(0)))
    game.lay(10, 20, 30, 40)
    game.do(EndDeal())
    yield from ruled(game.match)
    game = SixMatch(2)
    game.lay(10, 20, 30, 40)
    game.do(Show(Card(11), Seat(0)))
    game.do(Show(Card(12), Seat(1)))
    game.do(Swap((Seat(0), Seat(1))))
    yield from ruled(game.match)
    game = SixMatch(3)
    game.lay(10, 20, 30, 40)
    for card in (2, 50, 60):
        game.do(Show(Card(card)))
    game.do(TakeRow(0))
    game.do(SkipOwner(Card(2)))
    yield from ruled(game.match)


def rare_in_eleven() -> Iterator[Ruled]:
    game = AtEleven(3, deals=1)
    game.do(Leave(Seat(2)))
    game.adopt({0: [1], 1: [50]}, hands=[[9], [19], []], hand_sizes=[1, 1, 0])
    game.do(EndDeal())
    yield from ruled(game.match)
    game = AtEleven(2)
    game.adopt({0: [33, 40, 41], 1: [7]}, bulls=[6, 4])
    game.do(Take(0))
    yield from ruled(game.match)
    game = AtEleven(3)
    game.adopt({0: [1], 1: [50]}, hands=[[9], [19], [29]], hand_sizes=[1, 1, 1])
    game.do(EndDeal())
    yield from ruled(game.match)
    game = AtEleven(2)
    game.adopt({0: [96]}, hands=[[97, 100, 3, 50], []], hand_sizes=[4, 10], bulls=[1, 0])
    game.card(97)
    game.card(3)
    yield from ruled(game.match)
    game = AtEleven(2)
    game.adopt({0: [33, 40, 41], 1: [7]}, bulls=[5, 5])
    game.do(Take(0))
    yield from ruled(game.match)
    game = AtEleven(2)
    game.turn_up(31)
    game.do(eleven.Correct((Card(31),), (Card(32),)))
    game.card(35)
    game.do(eleven.Correct((Card(35),), (Card(36),)))
    yield from ruled(game.match)


def rare_in_ciao() -> Iterator[Ruled]:
    game = CiaoMatch(2)
    game.play("gR:AR", mode="reverse")
    yield refused(game, Play(cards("T")[0]))
    yield from ruled(game.match)
    game = CiaoMatch(2)
    game.set_up("rR", [["yP", "gR"], ["gS"]], pile=["rP", "gR"])
    yield refused(game, Play(cards("gR")[0]))
    game.draw()
    yield refused(game, Play(cards("yP")[0]))
    game = CiaoMatch(4)
    game.play("gR:SC")
    game.do(Foul(Seat(2), cards("gS")[0]))
    game.race("yR", 2)
    yield from ruled(game.match)
    game = CiaoMatch(2)
    game.set_up("rR", [["gR"], ["gS"]], pile=[], discards=["gP", "yP", "rP"])
    game.draw()
    yield from ruled(game.match)
    game = CiaoMatch(2, trouble="special")
    game.set_up("gS", [["gR:AR", "T"], ["gP"]], draw=9)
    game.play("gR:AR", trouble=True)
    yield from ruled(game.match)
    game = CiaoMatch(3)
    game.do(Join(Seat(3)))
    game.do(Leave(Seat(1)))
    game.play("gR")
    game.do(Correct(cards("gR"), cards("yR")))
    yield from ruled(game.match)
    game = CiaoMatch(2, end={"deals": 1})
    game.set_up("gR", [["gP"], ["gS"]])
    game.do(EndDeal())
    yield from ruled(game.match)


def rare_in_score() -> Iterator[Ruled]:
    game = ScoreMatch(4, of="six", deck="known", end={"deals": 1})
    game.scan(1, 2, 3, 4)
    for seat, points in enumerate((12, 7, 7, 99)):
        game.type(seat, points)
    yield game.match, None, game.ok(1)
    yield from ruled(game.match)


def card_of_another_hand() -> Ruled:
    game = SixMatch(2, deck="known", draft=True)
    for card in range(1, 21):
        game.pick((card - 1) % 2, card)
    return refused(game, Show(Card(2), Seat(0)))


def card_that_is_in_a_hand_already() -> Ruled:
    game = SixMatch(2, hands=True)
    game.do(Register(Seat(0), Card(7)))
    return refused(game, Register(Seat(1), Card(7)))


def card_on_more_piles_than_bull_cards() -> Ruled:
    game = AtEleven(2)
    game.adopt({0: [1], 1: [20], 2: [40]}, bulls=[2, 0])
    return refused(game, play({0: [2], 1: [21], 2: [41]}))


def card_that_was_not_drawn() -> Ruled:
    game = CiaoMatch(2)
    game.set_up("rR", [["yP", "gR"], ["gS"]], pile=["rP", "gR"])
    game.draw()
    return refused(game, Play(cards("yP")[0]))


def card_that_lies_under_the_top() -> Ruled:
    game = CiaoMatch(2)
    game.set_up("gR#1", discards=["gS#1"])
    return refused(game, Play(cards("gS#1")[0]))


def trouble_in_a_game_for_children() -> Ruled:
    return refused(CiaoMatch(2, step=1), Play(cards("T")[0]))


REFUSED: Final[tuple[tuple[str, str, Callable[[], Ruled]], ...]] = (
    ("six", "6N-HAND", card_of_another_hand),
    ("six", "H6-10", card_that_is_in_a_hand_already),
    ("eleven", "H11-9", card_on_more_piles_than_bull_cards),
    ("ciao", "HC-2", card_that_was_not_drawn),
    ("ciao", "HC-10", card_that_lies_under_the_top),
    ("ciao", "HC-15", trouble_in_a_game_for_children),
)
"""What a house rule alone forbids: the game, the key of the rule, and an order that is refused."""


RARE: Final[Mapping[str, Callable[[], Iterable[Ruled]]]] = {
    "six": rare_in_six,
    "eleven": rare_in_eleven,
    "ciao": rare_in_ciao,
    "score": rare_in_score,
}


def by_chance(game: str, seed: int) -> Iterator[Ruled]:
    """A match with legal answers; each of its positions also gets orders that nobody asked for."""
    random = Random(seed)
    match = agreed(game, random)
    opening = EXPECTED[game].opening(match, random)
    step = None if opening is None else match.propose(opening)
    for _ in range(STEPS):
        if isinstance(step, Step):
            yield match, step.command, step
            match = match.then(step)
        if not match.asks:
            return
        for odd in (wild(match, random), *(unasked(match, random) if random.random() < 0.05 else ())):
            yield match, odd, match.propose(odd)
        early = match.propose(match.game.end_deal()) if random.random() < 0.02 else None
        step = early if isinstance(early, Step) else legal(match, random)


@cache
def rulings(game: str) -> tuple[Ruled, ...]:
    return (*RARE[game](), *(one for seed in range(MATCHES) for one in by_chance(game, seed)))


def keys(ruling: Step | Refused) -> list[str]:
    return [ruling.rule.key] if isinstance(ruling, Refused) else [rule for rule, _ in ruling.because]


def steps(game: str) -> Iterator[tuple[Match, Step]]:
    for before, _, ruling in rulings(game):
        if isinstance(ruling, Step) and ruling.events:
            yield before, ruling


every_game = pytest.mark.parametrize("game", games.GAMES)


@pytest.mark.slow
@every_game
def test_every_rule_of_a_game_is_given_by_some_ruling(game: str) -> None:
    given = {key for *_, ruling in rulings(game) for key in keys(ruling)}
    opened = {because.rule.key for seed in range(MATCHES) for because in agreed(game, Random(seed)).why_next}
    made: Any = games.module(game).make(games.module(game).SEATS[0], {})
    assert set(made.rules) - given - opened == set()


@pytest.mark.slow
def test_every_rule_about_a_match_is_given_by_some_ruling() -> None:
    given = {key for game in games.GAMES for *_, ruling in rulings(game) for key in keys(ruling)}
    about_match = (UNDO, OVER, *match_commands.RULES)
    assert {rule.key for rule in about_match} - given == set()


@every_game
def test_every_event_that_people_can_dispute_has_a_reason(game: str) -> None:
    for before, step in steps(game):
        disputed = [event for event in step.events if event.KIND not in REPORTED[game]]
        assert len(step.because) >= len(disputed), (step.events, step.because)
        if isinstance(step.events[-1], DealScored):
            points, end = RESULT[game]
            assert any(key == points and str(says).startswith("deal ") for key, says in step.because), step
            assert before.then(step).winners is None or end in keys(step), step


def house_rules(game: str) -> set[str]:
    made: Any = games.module(game).make(games.module(game).SEATS[0], {})
    return {rule.key for rule in made.rules.values() if rule.source.startswith("house rule")}


@every_game
def test_no_verdict_rests_on_a_house_rule_without_naming_it(game: str) -> None:
    decided = set()
    for before, step in steps(game):
        then = before.then(step)
        for _, rule, decides in (one for one in HOUSE if one[0] == game):
            if decides(before, step, then):
                decided.add((rule, decides))
                assert rule in keys(step), (rule, step.events, step.because)
    assert decided == {(rule, decides) for key, rule, decides in HOUSE if key == game}


@pytest.mark.parametrize(("game", "rule", "order"), REFUSED, ids=[rule for _, rule, _ in REFUSED])
def test_what_a_house_rule_alone_forbids_is_refused_with_it(
    game: str, rule: str, order: Callable[[], Ruled]
) -> None:
    before, _, ruling = order()
    assert before.terms.game == game
    assert isinstance(ruling, Refused)
    assert ruling.rule.key == rule


@every_game
def test_of_every_house_rule_it_is_known_what_rests_on_it(game: str) -> None:
    assert house_rules(game) - {rule for key, rule, _ in (*HOUSE, *REFUSED) if key == game} == set()
