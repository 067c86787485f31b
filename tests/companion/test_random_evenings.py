"""Whole evenings by chance, with corrected scores, and their totals worked out once more from the log alone.

`NIMMT_EVENINGS=10000` plays ten thousand matches; without it sixty, so that the suite stays quick.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from companion.core import games
from companion.core.cards import Seat
from companion.match.commands import CorrectScore, EndMatch, SwapScores
from companion.match.dealer import players_by_chance
from companion.match.log import from_lines, header, replay, to_lines, write_step
from companion.match.match import Match, Step, Terms, begin
from companion.text.errors import CompanionError
from tests.companion.games.six.naive_six import heads

MATCHES = int(os.environ.get("NIMMT_EVENINGS", "60"))
PARTS = 20
LONGEST = 4000

SHORT: dict[str, Any] = {
    "six": {"end": {"deals": 2}},
    "eleven": {"deals": 1},
    "ciao": {"deals": 1},
    "score": {"end": {"target": 60}},
}


def agreed(random: Random) -> Match:
    """Mostly matches of which only the score is kept, in all its ways."""
    while True:
        game = random.choice(("score", "score", "score", *games.GAMES))
        seats = random.choice(games.module(game).SEATS)
        options: dict[str, Any] = dict(SHORT[game]) if random.random() < 0.7 else {}
        if game == "score":
            options["of"] = random.choice(("six", "six", "eleven", "ciao", "other"))
            options["entry"] = random.choice(("typed", "piles", "takes"))
            options["deck"] = random.choice(("full", "known"))
            options["high_wins"] = random.random() < 0.3
            if random.random() < 0.3:
                options["start"] = [random.randrange(-20, 20) for _ in range(seats)]
            if random.random() < 0.3:
                options["teams"] = [[0, seats - 1], [seats // 2]] if seats > 3 else [[0, 1]]
        try:
            return begin(Terms(game, seats, options, Seat(random.randrange(seats))))
        except CompanionError:
            continue  # these options are not for so many seats, or not for this game


def evening(random: Random) -> Iterator[tuple[Match, Step]]:
    """The steps of an evening, each with the match after it."""
    match = agreed(random)
    people = players_by_chance(match.terms.game, random)
    yield match, Step(0)
    for _ in range(LONGEST):
        steps = []
        rng = random.random()
        done = match.position.score_sheet.deals
        if done and (rng < 0.02 or not match.asks):
            steps = [match.propose(_correction(match, random))]
        elif rng < 0.04:
            steps = [match.undo()]
        elif rng < 0.041 and done:
            steps = [match.propose(EndMatch())]
        elif match.asks:
            answer = people.answer(match)
            steps = [match.propose(match.game.read(answer.ask, answer.seat, answer.text))]
            assert isinstance(steps[0], Step), str(steps[0].fault)
        for step in steps:
            if isinstance(step, Step):
                match = match.then(step)
                yield match, step
        if steps and isinstance(steps[0], Step) and steps[0].voids is not None:
            redo = match.redo()
            assert isinstance(redo, Step)
            match = match.then(redo)
            yield match, redo
        if not match.asks and rng < 0.3:
            return


def _correction(match: Match, random: Random) -> CorrectScore | SwapScores:
    deal, seats = 1 + random.randrange(len(match.position.score_sheet.deals)), len(match.totals)
    if random.random() < 0.3:
        one, other = random.sample(range(seats), 2)
        return SwapScores(deal, (Seat(one), Seat(other)))
    row = match.position.score_sheet.deals[deal - 1]
    points = [*row, *[0] * (seats - len(row))]
    points[random.randrange(seats)] = random.randrange(60)
    return CorrectScore(deal, tuple(points))


class Bookkeeper:
    """Knows nothing of the program but the format of its log, which it reads as text."""

    def __init__(self, lines: list[str]) -> None:
        self.header, *records = map(json.loads, lines)
        live: list[dict[str, Any]] = []
        for record in records:
            if "voids" in record:
                assert live.pop()["step"] == record["voids"]
            else:
                live.append(record)
        self.deals: list[list[int]] = []
        self._new_deal()
        for record in live:
            for event in record["events"]:
                self._book(event)

    def _new_deal(self) -> None:
        self.points: dict[int, int] = {}
        self.cards: dict[int, list[str]] = {}
        self.loose: list[str] = []

    def _book(self, event: dict[str, Any]) -> None:
        match self.header["game"], event["kind"]:
            case "six", "card_placed" if event["takes"]:
                seat = event["seat"]
                self.points[seat] = self.points.get(seat, 0) + sum(map(heads, event["takes"]))
            case "eleven", "hand_counted":
                self.points[event["seat"]] = event["heads"]
            case "ciao", "hand_counted":
                self.points[event["seat"]] = event["points"]
            case "score", "sum_typed" if event["seat"] is not None:
                self.points[event["seat"]] = event["points"]
                self.loose = []
            case "score", "card_counted" if not event["rows"]:
                self.loose.append(event["card"])
            case "score", "pile_ended":
                assert event["cards"] == self.loose
                if event["seat"] is not None:
                    self.cards.setdefault(event["seat"], []).extend(self.loose)
                self.loose = []
            case _, "deal_scored":
                self._score(event["points"])
            case _, "score_corrected":
                assert self.deals[event["deal"] - 1] == event["old"]
                self.deals[event["deal"] - 1] = event["new"]

    def _score(self, points: list[int]) -> None:
        for seat, cards in self.cards.items():
            self.points[seat] = sum(map(self._worth, cards))
        assert points == [self.points.get(seat, 0) for seat in range(len(points))]
        self.deals.append(points)
        self._new_deal()

    def _worth(self, card: str) -> int:
        if self.header["options"]["of"] == "ciao":
            return 5 if card[0] == "T" or card[1] == "J" else " gyr".index(card[0])
        return heads(int(card))

    def totals(self) -> list[int]:
        options, seats = self.header["options"], self.header["seats"]
        start = options.get("start") or [0] * seats
        return [start[seat] + sum(deal[seat] for deal in self.deals) for seat in range(seats)]

    def winners(self) -> list[int]:
        options, totals = self.header["options"], self.totals()
        team = {seat: tuple(team) for team in options.get("teams", []) for seat in team}
        score = [sum(totals[one] for one in team.get(seat, (seat,))) for seat in range(len(totals))]
        best = (max if options.get("high_wins") else min)(score)
        return [seat for seat, points in enumerate(score) if points == best]


@pytest.mark.parametrize("part", range(PARTS))
def test_totals_are_those_that_the_log_adds_up_to(part: int) -> None:
    for number in range(part, MATCHES, PARTS):
        (match, _), *played = evening(Random(number))
        lines = list(to_lines([header(match.terms), *(write_step(step) for _, step in played)]))
        after = played[-1][0] if played else match
        book = Bookkeeper(lines)
        assert list(after.totals) == book.totals(), number
        assert [list(deal) for deal in after.position.score_sheet.deals] == book.deals, number
        if after.winners is not None:
            assert list(after.winners) == book.winners(), number
        assert replay(from_lines(lines)).position == after.position, number
