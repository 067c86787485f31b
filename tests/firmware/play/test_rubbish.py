"""Anything people may do at any moment of any game: the device draws a page and remembers what it knew."""

from pathlib import Path
from random import Random

import pytest

from companion.core.codes import Control, badge_code, card_code, control_code
from firmware.commands.players import SimulatedGroup
from hardware.ports import Key, KeyPressed, Press, Scanned
from tests.examples import TIMES
from tests.firmware.evening import Device, device

MATCHES = {
    "before a match": ("six", ""),
    "six": ("six", "R1 b1 b2 b3 OK R1 R1"),
    "eleven": ("eleven", "R2 b1 b2 b3 OK OK R2"),
    "ciao": ("ciao", "R3 b1 b2 b3 OK OK R1 R1"),
    "points": ("score", "R4 b1 b2 b3 OK R4 R1 R1 R1 R1"),
    "piles": ("score", "R4 b1 b2 b3 OK R1 R2 R1 R1"),
    "takings": ("score", "R4 b1 b2 b3 OK R1 R3 R1 R1"),
}
MOVES = 150
"""So many things at most are done by the rules, to be somewhere in a match, before anything is done."""
ACTS = 80
PRESSES = (Press.SHORT, Press.SHORT, Press.SHORT, Press.SHORT, Press.LONG, Press.DOUBLE)
PAUSES_S = (0.1, 1.4, 1.4, 3.0, 25.0)


def anything(random: Random, at: Device) -> KeyPressed | Scanned:
    kind = random.random()
    if kind < 0.4:
        return KeyPressed(random.choice(list(Key)), random.choice(PRESSES), at.table.now_s)
    if kind < 0.55:
        return Scanned(str(random.randrange(120)))
    if kind < 0.7:
        return Scanned(card_code(random.choice(("6N", "11", "CI")), random.randrange(1, 105)))
    if kind < 0.8:
        return Scanned(badge_code(random.randrange(1, 11)))
    if kind < 0.95:
        return Scanned(control_code(random.choice(list(Control))))
    return Scanned("x" * random.randrange(1, 50))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(max(1, round(TIMES))))
@pytest.mark.parametrize("begun", MATCHES)
def test_whatever_people_do_there_is_a_page_and_after_a_power_cut_the_same_match(
    tmp_path: Path, begun: str, seed: int
) -> None:
    game, script = MATCHES[begun]
    random = Random(f"{begun} {seed}")
    with device(tmp_path, script) as at:
        players = SimulatedGroup(game, 3, random)
        for _ in range(random.randrange(MOVES) if script else 0):
            at.wait(PAUSES_S[1])
            if (message := players.next(at.table)) is not None:
                at.give(message)
        for _ in range(ACTS):
            at.wait(random.choice(PAUSES_S))
            at.give(anything(random, at))
            at.runtime.app.picture()
        match = at.runtime.session.match
    with device(tmp_path) as again:
        resumed = again.runtime.session.match
        assert (resumed is None) is (match is None)
        if match is not None and resumed is not None:
            assert resumed.position == match.position
            assert resumed.asks == match.asks
        again.runtime.app.picture()
