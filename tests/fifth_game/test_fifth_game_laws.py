"""The laws of every game, tried on a game that the product has never seen."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

import pytest

from companion.core import games
from companion.core.ask import AskKind
from tests.companion import test_laws
from tests.companion.random_match import EXPECTED, Expected


def _cards_in_sight(view: Mapping[str, Any]) -> Iterator[int]:
    for pile in view["taken"]:
        yield from pile
    for shown in view["shown"]:
        yield shown["card"]


HIGHEST = Expected(
    agreements=({}, {"deals": 1}),
    kinds=(AskKind.PLAY, AskKind.CLAIM),
    lying=_cards_in_sight,
    points=lambda view, _: [len(pile) for pile in view["taken"]],
    heads=lambda _options, _card: 1,
    opening=lambda _match, _random: None,
)
CHECKS: Final = {name: check for name, check in vars(test_laws).items() if name.startswith("test_")}


@pytest.mark.parametrize("law", CHECKS)
def test_it_keeps_to_every_law(law: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games.GAMES, "highest", "tests.fifth_game.take_the_highest")
    monkeypatch.setitem(EXPECTED, "highest", HIGHEST)
    check = CHECKS[law]
    check(game="highest")
