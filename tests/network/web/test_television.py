"""The television with as many players as there can be: nothing of it is cut off."""

from itertools import product
from pathlib import Path

import pytest
from msgspec.structs import replace

from tests.network.web import old_browser
from tests.network.web.browser import LARGEST, TELEVISION, Browser, Look, needed
from tests.network.web.served import QUICK, Served, served
from tests.patience import comes

pytestmark = [needed, pytest.mark.slow]

NAMES = (
    *("Alexandra", "Maximilian", "Leila", "Ben", "Ayşe"),
    *("Wolfgang-Amadeus", "Sara", "Konstantin", "Ida", "Friederike"),
)
CUT = """[...document.querySelectorAll('.side, .rulings, .board, main')]
    .filter((one) => one.scrollHeight > one.clientHeight + 2 || one.scrollWidth > one.clientWidth + 2)
    .map((one) => one.className)"""

# What is seen of a ruling, and does not lie wholly within its part of the screen.
OUTSIDE = """(() => {
    const inside = document.querySelector('.rulings').getBoundingClientRect();
    return [...document.querySelectorAll('.newest *')]
        .filter((one) => one.checkVisibility())
        .filter((one) => !one.closest('svg'))
        .filter((one) => (one.scrollHeight > one.clientHeight + 2 && one.matches('.because, .outcome'))
            || [one.getBoundingClientRect()].some((is) => is.bottom > inside.bottom + 1
                || is.top < inside.top - 1 || is.right > inside.right + 1 || is.left < inside.left - 1))
        .map((one) => one.className || one.tagName);
})()"""
EVERY = tuple(product((Look(1280, 720), TELEVISION, LARGEST), ("en", "de", "fa")))
SOME = EVERY[2:5:2]  # where fewer than ten players have room in any case
TAKES = "[...document.querySelectorAll('.ruling')].map((one) => one.classList.contains('takes'))"
RULED = "document.querySelector('.newest').dataset.fit !== undefined"


@pytest.mark.parametrize("seats", [3, 4, 5, 10])
def test_the_whole_ruling_of_a_turn_is_on_the_screen_and_who_takes_comes_first(
    tmp_path: Path, chromium: Browser, seats: int
) -> None:
    with served(tmp_path, table=replace(QUICK, names=NAMES)) as at:
        players, seen = at.begin("six", seats), set[int]()
        base = f"http://127.0.0.1:{at.port}/tv?language="
        while seen != {0, 1, 2}:  # turns in which nobody takes, one player, or several
            assert at.next(players)
            match = at.session.match
            if match is None or len(match.board.newest) < seats:
                continue
            takers = min(2, sum(line.taker is not None for line in match.board.newest))
            if takers in seen:
                continue
            seen.add(takers)
            for look, language in EVERY if seats == 10 else SOME:
                chromium.go(f"{base}{language}", look)
                assert chromium.is_true(f"document.querySelectorAll('.ruling').length === {seats}")
                assert chromium.is_true(RULED)
                assert [chromium.run(CUT), chromium.run(OUTSIDE)] == [[], []], (look, language, takers)
                takes = chromium.run(TAKES)
                assert takes == sorted(takes, reverse=True)
            if seats == 10 and seen >= {1, 2}:  # somebody always takes
                break
        assert len(seen) > 1


def test_while_a_turn_comes_in_the_ruling_of_the_turn_before_stays(at: Served, chromium: Browser) -> None:
    players = at.begin("six", 4)
    while at.session.match is None or len(at.match.board.newest) < 4:
        at.next(players)
    chromium.open(f"http://127.0.0.1:{at.port}/tv?language=en", TELEVISION)
    rulings = "[...document.querySelectorAll('.ruling .middle')].map((one) => one.textContent)"
    assert comes(lambda: len(chromium.run(rulings)) == 4)
    before = chromium.run(rulings)
    while not at.match.asks[0].have:
        at.next(players)
    assert chromium.is_true("document.querySelectorAll('.ask .card').length > 0")
    assert chromium.run(rulings) == before


SEEN = """[...document.querySelectorAll('.row .card, .pile .card, .top > .card')].map((card) => {
    const is = card.getBoundingClientRect();
    return is.width >= 60 && is.height >= 60 && is.right <= innerWidth && is.bottom <= innerHeight;
})"""


@old_browser.needed
@pytest.mark.parametrize(("game", "steps"), [("six", 42), ("eleven", 40), ("ciao", 30)])
def test_a_television_of_2022_shows_the_whole_table(at: Served, game: str, steps: int) -> None:
    at.play_to(steps, at.begin(game, 4))
    with old_browser.old_browser() as television:
        for path in ("/tv", "/"):
            television.go(f"http://127.0.0.1:{at.port}{path}", TELEVISION)
            assert television.is_true("document.body && document.body.dataset.state === 'live'")
            seen = television.run(SEEN)
            assert seen, path
            assert all(seen), path
            assert not television.run("document.getElementById('dark').hidden"), (
                "it cannot keep the screen on"
            )
            if path == "/tv":
                assert [television.run(CUT), television.complaints()] == [[], []]
                assert television.run("getComputedStyle(document.body).backgroundColor") == "rgb(10, 19, 17)"
