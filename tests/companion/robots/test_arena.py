"""The arena of the tools: the same cards for all, honest figures, levels in order, programs of others."""

import sys

import pytest

from tools.arena import entry, mean_points, play, wins

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(("game", "rounds"), [("six", 12), ("eleven", 2), ("ciao", 2)])
def test_hard_has_fewer_points_than_normal_and_normal_than_easy(game: str, rounds: int) -> None:
    names = ("hard", "normal", "easy")
    entries = [entry(name, number, game) for number, name in enumerate(names)]
    results = list(play(game, entries, range(rounds), 21, matches=game != "six"))
    hard, normal, easy = (mean_points([number], results)[0] for number in range(3))
    assert hard < 0.9 * normal < 0.9 * easy
    assert wins([0], results) > 0.4
    assert sum(wins([number], results) for number in range(3)) == pytest.approx(1)


_LOWEST = """
import json, sys
for line in sys.stdin:
    seen = json.loads(line)
    print(seen["hand"][0] if seen["ask"] == "card" else 0, flush=True)
"""


def test_a_program_plays_the_cards_that_it_answers() -> None:
    entries = [entry(f"cmd:{sys.executable} -c '{_LOWEST}'", 0, "six"), entry("easy", 1, "six")]
    results = list(play("six", entries, range(2), 3, matches=False))
    entries[0].player.close()
    for result in results:
        seat = result.sits.index(0)
        cards = [int(text) for who, text in result.answers if who == seat and text != "0"]
        assert cards == sorted(cards)
        assert len(cards) == 10
