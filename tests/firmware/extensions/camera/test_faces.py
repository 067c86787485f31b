import numpy as np
import pytest

from firmware.extensions.camera.seen import Seen
from tests.firmware.extensions.camera.drawn_decks import BEAST, CIAO, Drawn
from tests.firmware.extensions.camera.photos import Truth, grid, photo
from tests.firmware.extensions.camera.taught import taught

pytestmark = pytest.mark.slow


def at(card: Truth, seen: list[Seen]) -> Seen | None:
    """What was seen where a card lies."""
    near = [one for one in seen if np.linalg.norm(np.mean(one.corners, 0) - card.centre) < 60]
    return near[0] if near else None


@pytest.mark.parametrize("drawn", [BEAST, CIAO], ids=lambda drawn: drawn.name)
def test_a_deck_that_was_shown_is_read_whatever_way_its_cards_lie(drawn: Drawn) -> None:
    deck = taught(drawn.name)
    kinds = drawn.kinds
    cards = [kinds[at * 7 % len(kinds)] for at in range(10)]
    shown = photo(grid(cards, 5, turn=180), 5, drawn.face)
    seen = deck.read(shown.picture)
    for card in shown.cards:
        one = at(card, seen)
        assert one is not None
        assert one.code in ("", drawn.code(card.number))


def test_a_card_that_cannot_come_is_doubtful() -> None:
    shown = photo(grid([55], 3), 3, BEAST.face)
    code = BEAST.code(55)
    assert [one.code for one in taught("beast").read(shown.picture)] == [code]
    assert [one.code for one in taught("beast").read(shown.picture, {BEAST.code(54)})] == [""]
