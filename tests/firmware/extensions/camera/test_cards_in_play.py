"""What can be laid, and what can lie on the table, as far as the referee knows."""

from pathlib import Path

import pytest

from companion.core import games
from companion.core.codes import card_code
from firmware.extensions.camera.cards_in_play import InPlay, codes, different, own_code
from tests.firmware.evening import EXAMPLE_1, FOUR, PLACED, ROWS, device
from tests.gallery.scripts import WON


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


def test_a_row_that_was_taken_lies_no_more_and_comes_no_more(tmp_path: Path) -> None:
    with device(tmp_path, PLACED + "21 36 26 30 b3 OK OK OK OK OK") as at:
        in_play = InPlay.of(at.match)
        lie = {card for stack in at.match.board.stacks for card in stack.cards}
        gone = {"12", "37", "43", "58", "14", "15", "44", "61", "21", "36", "26", "30"} - lie
        assert gone
        assert not gone & {*in_play.come}
        assert not gone - {line.card for line in at.match.board.newest} & in_play.lie


def test_nothing_comes_once_the_match_is_over(tmp_path: Path) -> None:
    with device(tmp_path, WON) as at:
        assert at.match.position.over
        assert InPlay.of(at.match) == InPlay()
