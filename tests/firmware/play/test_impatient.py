"""How much a turn asks of a table, and a group that presses keys before it can have read anything."""

from itertools import product
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.core.ask import Answer, AskKind
from companion.core.codes import row_code
from companion.core.ruling import Refused
from companion.match.dealer import Group
from companion.match.match import Match, Step
from companion.robots.levels import Level, robots
from companion.text.sentence import NOTHING
from firmware.commands.players import SimulatedGroup
from firmware.config.configuration import load
from firmware.play.table import Table
from firmware.screens.menu import usual_keys
from firmware.screens.parts.base import Held
from firmware.screens.turn.questions import cards_without_owner
from hardware.ports import KeyPressed, Press, Scanned
from tests.examples import TIMES
from tests.firmware.evening import Device, device

GAMES = ("six", "eleven", "ciao")
MOVES = (AskKind.PLAY, AskKind.TAKE, AskKind.DRAW, AskKind.RACE)
COUNTED = (AskKind.HAND, AskKind.LAY)
"""Hands at the end of a deal and the first cards of the next one are no part of a turn."""


def shortest(people: Group, match: Match, answer: Answer) -> Answer:
    """The card of the next player, where it says the same as this answer and then that card."""

    def propose(at: Match, said: Answer) -> Step | Refused:
        return at.propose(at.game.read(said.ask, said.seat, said.text))

    given = propose(match, answer)
    if answer.ask.kind not in (AskKind.DONE, AskKind.DECIDE) or isinstance(given, Refused):
        return answer
    after = match.then(given)
    if not after.asks or (card := people.answer(after)).ask.kind is not AskKind.PLAY:
        return answer
    at_once, later = propose(match, card), propose(after, card)
    if isinstance(at_once, Refused) or isinstance(later, Refused):
        return answer
    return card if match.then(at_once).position == after.then(later).position else answer


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "seats", "most"),
    [("six", (10,), 13.0), ("eleven", (2, 3, 4, 5, 7), 1.5), ("ciao", (2, 3, 4, 5, 6), 1.6)],
)
def test_a_table_that_presses_no_ok_needs_few_acts_a_turn(
    tmp_path: Path, game: str, seats: tuple[int, ...], most: float
) -> None:
    """In 6 nimmt! a turn is that of all players; else a card that is played, or a pile or card that is taken.

    The back of a badge answers both, whose the lowest card is and which row.
    """
    acts = turns = 0
    for players, seed in product(seats, range(2)):
        more = acts_and_turns(tmp_path / f"{players}-{seed}", game, players, Random(seed))
        acts, turns = acts + more[0], turns + more[1]
    assert acts / turns <= most


def acts_and_turns(folder: Path, game: str, seats: int, chance: Random) -> tuple[int, int]:
    people, acts, turns = robots(game, [Level.NORMAL] * seats, chance), 0, 0
    players = SimulatedGroup(game, seats, chance, people)
    with device(folder, table=replace(load(None).table, ruling_s=4.0)) as at:
        while at.runtime.session.match is None:
            at.give(players.next(at.table), 1.4)  # type: ignore[arg-type] # the match is not over
        while turns < (10 if game == "six" else 75) and at.match.asks:
            at.wait(6.0)  # what is shown goes on by itself
            answer = shortest(people, at.match, people.answer(at.match))
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
    return acts, turns


def live(match: Match) -> set[tuple[int, str]]:
    """The steps that count, with the kind of each command."""
    return {(step.number, step.command.KIND) for _, step, _ in match.live_steps()}


def hurry(at: Device, chance: Random) -> None:
    """Press any key of each new page before anybody can have read it, and check what that may not cost."""
    page = None
    while at.table.front != page and chance.random() < 0.9:
        page, before = at.table.front, at.match
        key = chance.choice([*usual_keys(at.table), *page.keys(at.table.session)])
        press = KeyPressed(key.key, Press.LONG) if isinstance(key, Held) else KeyPressed(key)
        at.give(press, chance.uniform(0.05, 0.3))
        match = at.runtime.session.match
        if match is None or (match is not before and not match.steps):
            return  # back to the set-up, before any card
        deals, were, are = before.position.score_sheet.deals, live(before), live(match)
        gone = were - are
        assert len(gone) <= 3
        assert gone or set(before.players) <= set(match.players)
        if not any(kind in ("claim", "skip_owner") for _, kind in were ^ are):  # whose points they are
            assert match.position.score_sheet.deals[: len(deals)] in (deals, deals[: -1 if gone else None])
        newest = match.newest
        if newest is not None and newest.number > before.steps and not newest.redoes:
            places = newest.command.KIND in ("play", "play_card", "lay", "turn_up", "pick", "race", "give")
            assert page.NAME == "card_set" or not places or newest.command.card is None  # a gift is not shown
        if at.page == "deal_end":
            assert not cards_without_owner(match)
        if page.NAME in ("card_set", "choose_player", "unclaimed") and match.steps > before.steps:
            at.do(Table.undo)  # people see that a card or its owner is wrong; scripted ones could not play on


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES)
def test_a_group_that_presses_before_it_reads_loses_no_row_no_player_no_score_and_few_steps(
    tmp_path: Path, game: str
) -> None:
    chance, cards, acts = Random(game), 0, 0
    players = SimulatedGroup(game, 4, chance)
    due = round(50 * TIMES) * (4 if game == "six" else 1)  # NIMMT_EXAMPLES=40: 2,000 turns
    with device(tmp_path) as at:
        while cards < due:
            acts += 1
            assert acts < 10 * due, "the match does not go on"
            try:
                act = players.next(at.table)
            except RuntimeError:  # a key has named another owner of a card than who has it
                at.do(Table.undo)
                continue
            if act is None:
                at.do(lambda table: table.session.suspend())
                continue
            before = at.runtime.session.match
            at.give(act, 1.4)
            match = at.runtime.session.match
            if match is not None and match.asks:
                cards += isinstance(act, Scanned) and before is not None and match.steps > before.steps
                hurry(at, chance)
                at.do(Table.home)
                at.do(lambda table: table.say(NOTHING))
