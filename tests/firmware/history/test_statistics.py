"""The numbers per badge are those that a second count over the raw logs gives."""

import json
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.core.codec import encode
from companion.match.tally import tally_of
from firmware.commands.players import SimulatedGroup
from firmware.history.played_match import played_match
from firmware.history.statistics import Statistics, count_results
from firmware.journal.rows import MatchEntry
from tests.companion.games.six.naive_six import heads
from tests.firmware.evening import device
from tests.firmware.past_evenings import MATCHES, Evenings, logged

TITLES = {"six": "6 NIMMT!", "eleven": "11 NIMMT!", "ciao": "CIAO!", "score": "KEEP SCORE"}


def live(records: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The records that were not taken back, read as text, without the program."""
    found: list[dict[str, Any]] = []
    for record in records:
        if "voids" in record:
            assert found.pop()["step"] == record["voids"]
        else:
            found.append(record)
    return found


def counted(name: str) -> dict[tuple[int, str], list[int]]:
    """The points of every finished deal by badge, from the records alone."""
    header, *records = logged(name)
    deals: list[list[int]] = []
    away: list[set[int]] = []
    gone: set[int] = set()
    for record in live(records):
        for event in record["events"]:
            if event["kind"] == "deal_scored":
                deals.append(event["points"])
                away.append(set(gone))
            elif event["kind"] == "score_corrected":
                deals[event["deal"] - 1] = event["new"]
            elif event["kind"] == "seat_left":
                gone.add(event["seat"])
            elif event["kind"] == "seat_joined":
                gone.discard(event["seat"])
    game = header["options"].get("of", "other") if header["game"] == "score" else header["game"]
    found: dict[tuple[int, str], list[int]] = {}
    for seat, badge in enumerate(MATCHES[name]):
        points = [deal[seat] for deal, gone in zip(deals, away, strict=True) if seat not in gone]
        found[badge, TITLES.get(game, TITLES["score"])] = points
    return found


def test_deals_means_and_extremes_are_those_of_a_second_count(evenings: Evenings) -> None:
    expected: dict[tuple[int, str], list[int]] = {}
    for name in MATCHES:
        for key, points in counted(name).items():
            expected.setdefault(key, []).extend(points)
    lines = json.loads(evenings.said("stats", "--json"))
    assert {(one["badge"], one["game"]) for one in lines} == set(expected)
    for one in lines:
        points = expected[one["badge"], one["game"]]
        assert one["deals"] == len(points)
        assert one["mean"] == round(sum(points) / len(points), 2)
        assert {one["best"], one["worst"]} == {min(points), max(points)}
        assert (one["best"] > one["worst"]) == (one["game"] == "KEEP SCORE")  # where most points won


def test_matches_and_wins_are_counted_by_badge(evenings: Evenings) -> None:
    lines = json.loads(evenings.said("stats", "--json"))
    found = {(one["badge"], one["game"]): one for one in lines}
    six = {badge: one for (badge, game), one in found.items() if game == "6 NIMMT!"}
    counted = {badge: (one["matches"], one["wins"]) for badge, one in six.items()}
    assert counted == {1: (3, 1), 2: (1, 1), 3: (2, 0), 4: (1, 1), 7: (2, 0), 8: (1, 0)}
    assert found[1, "KEEP SCORE"]["wins"] == found[3, "KEEP SCORE"]["wins"] == 1


@pytest.mark.slow
def test_rows_taken_and_the_worst_card_are_those_of_a_second_count(tmp_path: Path) -> None:
    with device(tmp_path) as on:
        players = SimulatedGroup("six", 5, Random(6))
        while (action := players.next(on.table)) is not None:
            on.give(action, 2)
        match = on.match
    taken: dict[int, list[list[int]]] = {badge: [] for badge in match.terms.badges}
    for _, step, _ in match.live_steps():
        for event in map(encode, step.events):
            if event["kind"] == "card_placed" and event["takes"]:
                taken[match.terms.badges[event["seat"]]].append(event["takes"])
    past = played_match(match, MatchEntry(1, {}, "", match.steps, None, "u"), (), ())
    for line in count_results([(past.people, tally_of(match))]):
        rows = taken[line.badge]
        assert line.taken == len(rows)
        assert line.worst_card_points == max(heads(card) for row in rows for card in row)
        assert heads(int(line.worst_card)) == line.worst_card_points


def test_the_table_has_a_line_for_every_badge_and_game(evenings: Evenings) -> None:
    head, *lines = evenings.said("stats").splitlines()
    assert " ".join(head.split()) == "badge game matches wins deals mean taken worst card best worst"
    assert lines[0].startswith("1 Max        11 NIMMT! ")
    assert any(line.startswith("P7           6 NIMMT! ") for line in lines)
    assert len({len(line) for line in [head, *lines]}) == 1


def test_nobody_has_a_mean_before_the_first_deal() -> None:
    fresh = Statistics(1, "P1", "6 NIMMT!")
    assert (fresh.mean, fresh.best, fresh.worst) == (None, None, None)
