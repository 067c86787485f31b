"""A group that presses keys before it can have read anything."""

from pathlib import Path
from random import Random

import pytest

from companion.match.match import Match
from companion.text.sentence import NOTHING
from firmware.commands.players import SimulatedGroup
from firmware.play.table import Table
from firmware.screens.menu import usual_keys
from firmware.screens.parts.base import Held
from firmware.screens.turn.questions import cards_without_owner
from hardware.ports import KeyPressed, Press, Scanned
from tests.examples import TIMES
from tests.firmware.evening import Device, device


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
@pytest.mark.parametrize("game", ["six", "eleven", "ciao"])
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
