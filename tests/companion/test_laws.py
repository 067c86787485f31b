"""What every game keeps to, tried on random matches with legal, illegal and nonsensical orders."""

import json
from collections.abc import Sequence
from functools import lru_cache
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.core import games
from companion.core.ask import AskKind, Gives
from companion.core.codec import decode, json_schema
from companion.core.ruling import Refused
from companion.core.score_sheet import DealScored
from companion.match.commands import CorrectScore, EndMatch
from companion.match.log import from_lines, header, read_step, replay, to_lines, write_step
from companion.match.match import Match, Step, begin
from companion.values import replace
from tests.companion.random_match import EXPECTED, agreed, legal, unasked, wild
from tests.examples import TIMES, examples

every_game = pytest.mark.parametrize("game", games.GAMES)
EVENINGS = 4
some = examples(EVENINGS)
seeds = st.integers(0, EVENINGS - 1 if TIMES <= 1 else 2**32 - 1)
"""By default all laws are tried on the same few evenings, which are played once."""


@lru_cache(maxsize=4 * EVENINGS)
def evening(game: str, seed: int) -> Sequence[tuple[Match, Step, Match]]:
    """A random match of up to 200 steps: the match before a step, the step, the match after."""
    random = Random(seed)
    match = agreed(game, random)
    opening = EXPECTED[game].opening(match, random)
    steps = []
    for _ in range(200):
        if not match.asks:
            break
        step: Step | Refused = legal(match, random) if opening is None else match.propose(opening)
        opening = None
        if random.random() < 0.2:
            odd = match.propose(wild(match, random))
            step = odd if isinstance(odd, Step) else step
        assert isinstance(step, Step)
        after = match.then(step)
        steps.append((match, step, after))
        match = after
    return steps


@pytest.mark.slow
@every_game
@some
@given(seed=seeds)
def test_a_nonsensical_order_is_refused_with_a_fix_or_can_be_carried_out(game: str, seed: int) -> None:
    random = Random(seed)
    for match, _, _ in evening(game, seed)[:60]:
        before = repr(match.position)
        for _ in range(6):
            command = wild(match, random)
            ruling = match.game.judge(match.position.table, command)
            if isinstance(ruling, Refused):
                assert str(ruling.fault)
                assert str(ruling.fix)
                assert match.game.rules[ruling.rule.key] is ruling.rule
            else:
                assert ruling.events
                assert all(match.game.rules[reason.rule.key] is reason.rule for reason in ruling.because)
                match.then(match.propose(command))  # type: ignore[arg-type] # it is allowed
        assert repr(match.position) == before


@every_game
@some
@given(seed=seeds)
def test_a_player_who_answers_what_is_not_asked_is_refused_with_a_fix(game: str, seed: int) -> None:
    random = Random(seed)
    for match, _, _ in evening(game, seed)[:60]:
        for command in unasked(match, random):
            ruling = match.game.judge(match.position.table, command)
            assert isinstance(ruling, Refused), (match.asks, command)
            assert str(ruling.fault)
            assert str(ruling.fix)


@every_game
@some
@given(seed=seeds)
def test_something_is_asked_exactly_until_the_deal_is_over(game: str, seed: int) -> None:
    for match, step, after in evening(game, seed):
        table = match.position.table
        for event in step.events:
            assert bool(match.game.asks(table)) is not match.game.over(table)
            if isinstance(event, DealScored):
                assert match.game.over(table)
            else:
                table = match.game.apply(table, event)
        assert match.game.over(table) is any(isinstance(event, DealScored) for event in step.events)
        assert bool(after.asks) is (after.winners is None)


@every_game
@some
@given(seed=seeds)
def test_no_order_stands_once_a_deal_is_over(game: str, seed: int) -> None:
    random = Random(seed)
    for _, step, after in evening(game, seed):
        if isinstance(step.events[-1], DealScored):
            later = getattr(after.game, "corrects_finished", ())
            for _ in range(20):
                command = wild(after, random)
                ruling = after.game.judge(after.position.finished, command)
                if isinstance(command, later) and not isinstance(ruling, Refused):
                    continue
                assert isinstance(ruling, Refused)
                assert str(ruling.fix)


@pytest.mark.slow
@every_game
@some
@example(seed=274)  # 11 nimmt!: a player with known cards leaves
@example(seed=29196)  # Ciao!: a card counted while all of its kind are elsewhere
@given(seed=seeds)
def test_cards_are_neither_lost_nor_doubled(game: str, seed: int) -> None:
    for _, step, after in evening(game, seed):
        for table in (after.position.table, after.position.finished):
            if table is None:
                continue
            audit = after.game.audit(table)
            assert audit.sound or EXPECTED[game].corrects, (step, audit)
            lying = list(EXPECTED[game].lying(after.game.view(table)))
            assert len(lying) == len(set(lying)), step
            board = after.game.board(table)
            assert sum(len(stack.cards) for stack in board.stacks) <= audit.cards


@every_game
@some
@given(seed=seeds)
def test_points_are_those_of_the_cards_and_totals_their_sums(game: str, seed: int) -> None:
    points = EXPECTED[game].points
    totals: list[int] = []
    for match, step, after in evening(game, seed):
        view = match.game.view(match.position.table)
        assert list(match.points) == points(view, match.terms.options)
        totals = totals or [0] * match.terms.seats
        for event in step.events:
            if isinstance(event, DealScored):
                finished = after.game.view(after.position.finished)
                assert list(event.points) == points(finished, match.terms.options)
                totals += [0] * (len(event.points) - len(totals))
                totals = [old + new for old, new in zip(totals, event.points, strict=True)]
        assert list(after.totals)[: len(totals)] == totals
        assert not any(list(after.totals)[len(totals) :])
        assert len(after.points) == len(after.totals)
        if after.winners is not None:
            best = min(totals[seat] for seat in after.players)
            assert list(after.winners) == [seat for seat in after.players if totals[seat] == best]


@pytest.mark.slow
@every_game
@some
@given(seed=seeds)
def test_the_log_tells_the_same_match_after_being_written_as_text_and_read(game: str, seed: int) -> None:
    random = Random(seed)
    match = agreed(game, random)
    records = [header(match.terms)]
    for _ in range(120):
        kind = random.random()
        step: Step | Refused = Refused  # type: ignore[assignment] # replaced below
        if kind < 0.15:
            step = match.undo()
        elif kind < 0.25:
            step = match.redo()
        elif match.asks:
            step = match.propose(wild(match, random)) if kind < 0.4 else legal(match, random)
        if not isinstance(step, Step):
            continue
        record = json.loads(json.dumps(write_step(step)))
        assert read_step(record, match.game) == step
        records.append(record)
        match = match.then(step)
    told = replay(from_lines(to_lines(records)))
    assert told.position == match.position
    assert told.steps == match.steps
    assert told.newest == match.newest
    assert told.lines == match.lines
    assert told.asks == match.asks


@pytest.mark.slow
@every_game
@some
@given(seed=seeds)
def test_a_step_leads_where_its_log_leads(game: str, seed: int) -> None:
    """A proposed step brings the position that the judge worked out; the log has its events only."""
    for match, step, after in evening(game, seed)[:100]:
        steps = [step]
        if match.position.score_sheet.deals:
            orders = (EndMatch(), CorrectScore(1, tuple(range(len(match.totals)))))
            steps += [made for order in orders if isinstance(made := match.propose(order), Step)]
        for proposed in steps:
            read = replace(proposed, outcome=None)
            assert match.then(proposed).position == match.then(read).position, proposed
        assert step.outcome is not None
        assert after.position is step.outcome.position


def followed(match: Match, step: Step | Refused) -> Match:
    assert isinstance(step, Step)
    return match.then(step)


@every_game
@some
@given(seed=seeds)
def test_everything_can_be_undone_and_brought_back_also_after_something_new_was_done(
    game: str, seed: int
) -> None:
    played = evening(game, seed)[:60]
    positions = [before.position for before, _, _ in played]
    match = played[-1][2]
    last = match.position
    for position in reversed(positions):
        step = match.undo()
        assert isinstance(step, Step)
        match = match.then(step)
        assert match.position == position
    assert isinstance(match.undo(), Refused)
    assert match.position == begin(match.terms).position
    gone = match.lines[0]
    other = match.then(legal(match, Random(seed)))
    refused = other.redo()
    assert isinstance(refused, Refused)
    assert str(refused.fix)
    match = followed(other, other.undo())
    assert match.lines == ((other.newest,), gone)
    for step in gone:
        match = followed(match, match.redo(step))
    assert match.position == last
    for position in reversed(positions):
        match = followed(match, match.undo())
        assert match.position == position
    assert [len(line) for line in match.lines] == [len(positions), 1]
    for position in [*positions[1:], last]:
        step = match.redo()
        assert isinstance(step, Step)
        match = match.then(step)
        assert match.position == position
    assert isinstance(match.redo(), Refused)


@every_game
@some
@given(seed=seeds)
def test_the_board_fits_what_is_asked_and_what_lies_and_its_texts_the_display(game: str, seed: int) -> None:
    for _, _, after in evening(game, seed)[:80]:
        board = after.game.board(after.position.table)
        audit = after.game.audit(after.position.table)
        columns: list[tuple[object, int]] = [(board.hint, 21), (audit.says, 21)]
        columns += [(fact, 21) for fact in board.facts]
        columns += [(tally.label, 5) for tally in board.tallies]
        columns += [(stack.fits, 14) for stack in board.stacks]
        columns += [(stack.name, 3) for stack in board.stacks]
        columns += [(line.outcome, 14) for line in board.newest]
        columns += [(line.place, 3) for line in board.newest]
        columns += [(ask.says, 21) for ask in after.asks]
        columns += [(label, 18) for ask in after.asks for label in ask.labels]
        assert [(str(text), room) for text, room in columns if len(str(text)) > room] == []
        assert board.turns == 0 or 1 <= board.turn <= board.turns
        choices = [stack.choice for stack in board.stacks]
        assert len(set(choices)) == len(choices)
        for stack in board.stacks:
            assert stack.room == 0 or len(stack.cards) <= stack.room
            assert stack.heads == sum(EXPECTED[game].heads(after.terms.options, card) for card in stack.cards)
        for line in board.newest:
            assert bool(line.takes) is bool(line.heads) is (line.taker is not None)
            assert str(line.because.says)
            chart = line.because.chart
            assert all(sum(len(cell) + 1 for cell in row) <= 22 for row in chart)
            assert not chart or 0 <= line.because.lit < len(chart[0])
        for numbers in (board.hands, *(tally.numbers for tally in board.tallies)):
            assert not numbers or len(numbers) == len(after.points)
        for ask in after.asks:
            assert set(ask.seats) <= set(after.players)
            if ask.choices and ask.kind.gives is Gives.STACK:
                assert set(ask.choices) <= set(choices)
    cards = after.game.cards(after.position.table)
    assert [card for card in cards if len(str(after.game.label(card))) > 4] == []


@pytest.mark.parametrize("game", ["six", "eleven", "ciao"])
@some
@given(seed=seeds)
def test_a_position_made_from_a_state_is_that_state(game: str, seed: int) -> None:
    for _, _, after in evening(game, seed)[:60]:
        module, table = after.game, after.position.table
        # Who has left is no part of a position.
        if len(module.players(table)) != len(after.points):
            continue
        adopt = next((command for command in module.commands if command.KIND == "adopt"), None)
        if adopt is None:
            return  # no table of this game can be set up
        view = json.loads(json.dumps(module.view(table)))
        fields = [name for name in json_schema(adopt)["properties"] if name in view]
        order = decode({"kind": "adopt", **{name: view[name] for name in fields}}, module.commands)
        empty = module.start(len(after.points), module.players(table), module.players(table)[0])
        ruling = module.judge(empty, order)
        # A table can be set up only as it is between two plays: not while rows are laid, a card takes effect,
        # or hands are counted.
        if isinstance(ruling, Refused):
            assert not after.asks or after.asks[0].kind not in (AskKind.PLAY, AskKind.RACE)
            continue
        for event in ruling.events:
            empty = module.apply(empty, event)
        again = json.loads(json.dumps(module.view(empty)))
        assert {name: again[name] for name in fields} == {name: view[name] for name in fields}
