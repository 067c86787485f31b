"""How much a turn asks of a table, and a group that presses keys before it can have read anything."""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.core.ask import AskKind
from companion.core.codes import row_code
from companion.match.match import Match
from companion.robots.levels import Level, robots
from companion.text.sentence import NOTHING
from firmware.commands.players import SimulatedGroup
from firmware.config.configuration import load
from firmware.play.table import Table
from firmware.screens.turn.questions import cards_without_owner
from hardware.ports import Key, KeyPressed, Scanned
from tests.examples import TIMES
from tests.firmware.evening import Device, device

SEATS = {"six": 10, "eleven": 4, "ciao": 4}
MOVES = (AskKind.PLAY, AskKind.TAKE, AskKind.DRAW, AskKind.RACE)
COUNTED = (AskKind.HAND, AskKind.LAY)
"""Hands at the end of a deal and the first cards of the next one are no part of a turn."""


@pytest.mark.slow
@pytest.mark.parametrize(("game", "most"), [("six", 13.0), ("eleven", 1.5), ("ciao", 1.6)])
def test_a_table_that_presses_no_ok_needs_few_acts_a_turn(tmp_path: Path, game: str, most: float) -> None:
    """In 6 nimmt! a turn is that of all players; else a card that is played, or a pile or card that is taken.

    The back of a badge answers both, whose the lowest card is and which row.
    """
    chance, acts, turns = Random(1), 0, 0
    people = robots(game, [Level.NORMAL] * SEATS[game], chance)
    players = SimulatedGroup(game, SEATS[game], chance, people)
    with device(tmp_path, table=replace(load(None).table, ruling_s=4.0)) as at:
        while at.runtime.session.match is None:
            at.give(players.next(at.table), 1.4)  # type: ignore[arg-type] # the match is not over
        while turns < (20 if game == "six" else 150) and at.match.asks:
            at.wait(6.0)  # what is shown goes on by itself
            answer = people.answer(at.match)
            if answer.ask.kind is AskKind.DONE:  # the move of a bull player ends when the next player plays
                ended = at.match.propose(at.match.game.read(answer.ask, answer.seat, answer.text))
                following = people.answer(at.match.then(ended))  # type: ignore[arg-type] # it is legal
                answer = following if following.ask.kind is AskKind.PLAY else answer
            ask, given = answer.ask, list(players._give(answer, at.table))
            if game == "six" and ask.kind is AskKind.CHOOSE:
                badge = at.table.session.badge(people.owner(ask.card) or ask.seats[0])
                given = [Scanned(row_code(badge, ask.choices.index(answer.text)))]
            whole = game == "six" and len(ask.have) + 1 == ask.need
            turns += ask.kind in MOVES and (game != "six" or whole)
            acts += len(given) if ask.kind not in COUNTED else 0
            for act in given:
                at.give(act, 1.4)
            assert at.refused is None
        assert turns > 0
        assert acts / turns <= most


TURNS = 2_000
"""So many turns with `NIMMT_EXAMPLES=40`."""


def live(match: Match) -> list[int]:
    return [step.number for _, step, _ in match.live_steps()]


def hurry(at: Device, chance: Random) -> None:
    """Press any key of each new page before anybody can have read it, and check what that may not cost."""
    page = None
    while at.table.front != page and at.match.asks and chance.random() < 0.9:
        page, before = at.table.front, at.match
        key = chance.choice(list(page.keys(at.table.session)) or [Key.OK])
        if isinstance(key, Key):
            at.give(KeyPressed(key), chance.uniform(0.05, 0.3))
        newest, deals = at.match.newest, before.position.score_sheet.deals
        assert at.match.players == before.players
        if newest is None or newest.command.KIND != "claim":  # the owner of a card takes its points
            assert at.match.position.score_sheet.deals[: len(deals)] in (deals, deals[:-1])
        assert len(set(live(before)) - set(live(at.match))) <= 3
        if at.page == "deal_end":
            assert not cards_without_owner(at.match)


@pytest.mark.slow
@pytest.mark.parametrize("game", SEATS)
def test_a_group_that_presses_before_it_reads_loses_no_row_no_player_no_score_and_few_steps(
    tmp_path: Path, game: str
) -> None:
    chance = Random(game)
    players = SimulatedGroup(game, 4, chance)
    with device(tmp_path) as at:
        for _ in range(10 * round(TURNS * TIMES / 40)):
            try:
                act = players.next(at.table)
            except RuntimeError:  # a key has named another owner of a card than who has it
                at.do(Table.undo)
                continue
            if act is None:
                at.do(lambda table: table.session.suspend())
                continue
            at.give(act, 1.4)
            if at.runtime.session.match is not None:
                hurry(at, chance)
            at.do(Table.home)
            at.do(lambda table: table.say(NOTHING))
