"""The cards and rows that a camera sees, compared with those of the referee."""

import math
from collections.abc import Sequence
from pathlib import Path

import pytest

from companion.core import games
from companion.core.codes import card_code
from companion.match.match import Match
from firmware.extensions.camera.cards_in_play import InPlay, codes, different, own_code
from firmware.extensions.camera.seen import Corners, Seen
from firmware.extensions.camera.table_check import Misplaced, misplaced, named
from tests.firmware.evening import EXAMPLE_1, FOUR, PLACED, ROWS, device

LIE = [["12", "14", "15"], ["37"], ["43", "44"], ["58", "61"]]


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Match:
    with device(tmp_path_factory.mktemp("table"), PLACED) as at:
        assert [list(stack.cards) for stack in at.match.board.stacks] == LIE
        return at.match


def seen(rows: Sequence[Sequence[str]], *, across: bool = False, turn: float = 0.0) -> dict[str, Seen]:
    """Rows of cards of 100 × 150 pixels, side by side; `across`: as fans, below each other. In degrees."""
    found = {}
    for row, cards in enumerate(rows):
        for place, card in enumerate(cards):
            x, y = (row * 140.0, place * 45.0) if across else (place * 115.0, row * 180.0)
            found[card] = Seen(corners(x, y, turn))
    return found


def corners(x: float, y: float, turn: float = 0.0) -> Corners:
    c, s = math.cos(math.radians(turn)), math.sin(math.radians(turn))
    plain = ((x, y), (x + 100, y), (x + 100, y + 150), (x, y + 150))
    first, second, third, fourth = ((u * c - v * s, u * s + v * c) for u, v in plain)
    return first, second, third, fourth


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize("turn", [0, 5, 90, 180, 271])
def test_rows_agree_whatever_way_they_run(match: Match, across: bool, turn: int) -> None:
    assert misplaced(match, seen(LIE, across=across, turn=turn)) == []
    assert misplaced(match, seen(LIE[::-1], across=across, turn=turn)) == []


@pytest.mark.parametrize("across", [False, True])
@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        ([["12", "14", "15"], ["37", "44"], ["43"], ["58", "61"]], [Misplaced("44", 2, 1)]),
        ([["12", "14"], ["37"], ["43", "44", "15"], ["58", "61"]], [Misplaced("15", 0, 2)]),
        ([["12", "14"], ["15"], ["43", "44"], ["58", "61"]], [Misplaced("15", 0, 1)]),  # on 37
        ([["12", "14", "15"], ["37"], ["43", "44", "88"], ["58", "61"]], [Misplaced("88", None, 2)]),
        ([["12", "14"], ["37"], ["43", "44"], ["58", "61"]], [Misplaced("15", 0, None)]),
        ([["12", "15", "14"], ["37"], ["43", "44"], ["58", "61"]], [Misplaced("14", 0, 0)]),
        ([["12", "14", "15"], ["37"], ["44", "43"], ["58", "61"]], [Misplaced("43", 2, 2)]),
        ([["12", "14", "15"], [], ["43", "44"], ["58", "61"]], [Misplaced("37", 1, None)]),
        ([["12", "14", "15"], [], ["43", "37"], ["58", "61"]], [Misplaced("37", 1, 2)]),  # on 44
    ],
)
def test_a_card_that_lies_wrong_is_named(
    match: Match, across: bool, rows: list[list[str]], wrong: list[Misplaced]
) -> None:
    assert misplaced(match, seen(rows, across=across)) == wrong


def test_cards_before_players_lie_in_no_row(match: Match) -> None:
    assert misplaced(match, seen(LIE) | {"88": Seen(corners(1500, 20)), "90": Seen(corners(300, 1400))}) == []


def test_of_piles_the_top_card_is_enough(tmp_path: Path) -> None:
    with device(tmp_path, "R2 b1 b2 b3 OK OK R2 31 36 46 R1 23 87") as at:
        tops = [stack.cards[-1] for stack in at.match.board.stacks]
        lies = {card: Seen(corners(200.0 * place, 0)) for place, card in enumerate(tops)}
        assert misplaced(at.match, lies) == []
        del lies[tops[0]]
        assert misplaced(at.match, lies) == [Misplaced(tops[0], 0, None)]


def test_what_is_not_sure_counts_as_a_card_that_lies_there(match: Match) -> None:
    code = codes(match.box, 1)
    sure, either = Seen(corners(0, 0), code["14"]), Seen(corners(230, 360), "", (code["15"], code["14"]))
    strips = [Seen(corners(200, 0), "", (code["14"], code["55"], code["15"])), Seen(corners(400, 0))]
    assert [*named([*strips, Seen(corners(0, 0), "", (code["55"],)), sure], match, 1)] == ["14", "15"]
    assert named([either], match, 1) == {"15": either}
    assert named([either, sure], match, 1)["15"].candidates == ()
    lies = seen([["12", "14"], ["37"], ["43", "44"], ["58", "61"]])
    assert misplaced(match, lies | {"15": either}) == []
    assert misplaced(match, lies | {"15": Seen(either.corners)}) == [Misplaced("15", 0, 2)]


def test_copies_have_the_code_of_the_first_and_labels_of_their_own() -> None:
    deck = games.module("ciao").DECK
    copies = [name for name in deck if name.partition("#")[0] == "gR"]
    assert len(copies) > 1
    assert len({codes("ciao")[name] for name in copies}) == 1
    assert len({own_code("ciao", name) for name in copies}) == len(copies)
    assert len(different("ciao")) == len({name.partition("#")[0] for name in deck})
    assert different("six", 2)[0] == card_code("6N", 1, 2)


@pytest.mark.parametrize(
    ("script", "cannot_come"),
    [
        (FOUR, ()),
        (FOUR + "12 37", (12, 37)),
        (FOUR + ROWS + "14", (12, 37, 43, 58, 14)),
        (FOUR + ROWS + "14 UNDO", (12, 37, 43, 58)),
        (EXAMPLE_1, (12, 37, 43, 58, 14, 15, 44, 61)),
    ],
)
def test_what_was_laid_cannot_come_again(tmp_path: Path, script: str, cannot_come: tuple[int, ...]) -> None:
    with device(tmp_path, script) as at:
        in_play = InPlay.of(at.match)
        assert {str(number) for number in range(1, 105)} - {*in_play.come} == {*map(str, cannot_come)}
        assert {*map(str, cannot_come)} <= in_play.lie
