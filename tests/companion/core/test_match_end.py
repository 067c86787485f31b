"""When a match ends, who has won it, and the way back from there."""

from companion.core.cards import Card
from companion.games.six.records import Adopt, Play
from companion.match.commands import CorrectScore
from tests.companion.games.six.six_match import SixMatch, cards
from tests.companion.games.six.test_rulebook_examples import piles


def deal(game: SixMatch, *points: int) -> None:
    """A whole deal that brings these points, also more than its cards have."""
    number = game.match.position.deal
    rows, taken = piles(list(points))
    if sum(map(len, taken)) <= 10 * len(points):
        game.adopt(rows, 10, taken)
    else:
        game.adopt(rows, 10)
        game.do(CorrectScore(number, points))


def test_a_match_that_is_over_takes_nothing_but_an_undo() -> None:
    game = SixMatch(2, end={"deals": 1})
    deal(game, 5, 6)
    for command in (Play(Card(1)), Adopt(tuple(cards(card) for card in (1, 2, 3, 4)))):
        assert game.rule(command) == "M-OVER"
    assert game.match.points == (0, 0)
    game.undo()
    assert game.match.winners is None
