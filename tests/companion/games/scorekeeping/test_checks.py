"""The slips that people make, put into random deals: which of them a check names, and which none can see."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from companion.core.ask import AskKind
from tests.companion.games.scorekeeping.score_match import ScoreMatch
from tests.companion.games.six.naive_six import heads
from tests.companion.told import told

ROUNDS = 4
"""Random deals for each slip and each way of counting."""


@dataclass
class Deal:
    """A deal as it really lies: what everybody took, what lies in the rows."""

    piles: list[list[int]]
    rows: list[int]

    @property
    def sums(self) -> list[int]:
        return [sum(map(heads, pile)) for pile in self.piles]


def dealt(random: Random, players: int, *, known: bool) -> Deal:
    """Everybody has taken something."""
    due = 10 * players + 4
    box = random.sample(range(1, (due if known else 104) + 1), due)
    rows = [box.pop() for _ in range(random.randrange(5, 20))]
    piles: list[list[int]] = [[box.pop()] for _ in range(players)]
    for card in box:
        random.choice(piles).append(card)
    return Deal(piles, sorted(rows))


def skip_one(deal: Deal, random: Random) -> None:
    """A card is not scanned; somebody has at least two, so that nobody is left with an empty pile."""
    random.choice([pile for pile in deal.piles if len(pile) > 1]).pop()


def skip_a_row_card(deal: Deal, random: Random) -> None:
    deal.rows.pop(random.randrange(len(deal.rows)))


def wrong_player(deal: Deal, random: Random) -> None:
    """A card lies on the wrong pile."""
    one, other = random.sample(range(len(deal.piles)), 2)
    deal.piles[other].append(deal.piles[one].pop())


def swap_piles(deal: Deal, random: Random) -> None:
    one, other = random.sample(range(len(deal.piles)), 2)
    deal.piles[one], deal.piles[other] = deal.piles[other], deal.piles[one]


def no_slip(_deal: Deal, _random: Random) -> None:
    """Nothing is wrong."""


SLIPS: Mapping[str, Callable[[Deal, Random], None]] = {
    "nothing": no_slip,
    "a card skipped": skip_one,
    "a row card skipped": skip_a_row_card,
    "a card with the wrong player": wrong_player,
    "two piles swapped": swap_piles,
}

WAYS: Mapping[str, tuple[int, dict[str, Any], bool]] = {
    "known deck": (4, {"entry": "piles", "deck": "known"}, True),
    "ten players": (10, {"entry": "piles"}, True),
    "104 cards": (4, {"entry": "piles"}, True),
    "104 cards, no rows": (4, {"entry": "piles"}, False),
    "known deck, as taken": (4, {"entry": "takes", "deck": "known"}, True),
    "104 cards, as taken": (4, {"entry": "takes"}, True),
}
"""How many play, what is agreed, and whether the rows are scanned."""

NAMED, COUNTED, UNSEEN = {"K4", "K1"}, {"K1"}, set[str]()

SCANNED = {
    "nothing": [UNSEEN] * 6,
    "a card skipped": [NAMED, NAMED, COUNTED, UNSEEN, NAMED, COUNTED],
    "a row card skipped": [NAMED, NAMED, COUNTED, UNSEEN, NAMED, COUNTED],
    "a card with the wrong player": [UNSEEN] * 6,
    "two piles swapped": [UNSEEN] * 6,
}
"""The checks that see a slip, one column for each of `WAYS`. No check sees whose a card is."""


def scanned(deal: Deal, players: int, options: dict[str, Any], *, rows: bool) -> ScoreMatch:
    """The deal, counted card by card and about to be closed."""
    game = ScoreMatch(players, of="six", **options)
    for seat, pile in enumerate(deal.piles):
        game.pile(seat, *pile)
    if rows:
        game.scan(*deal.rows)
        if game.table.loose:
            game.ok()
    return game


def found(game: ScoreMatch) -> set[str]:
    """The checks that fail when the deal is closed."""
    ask = game.ask(AskKind.DONE)
    step = game.give(AskKind.DONE, ask.choices[-1])
    return {rule for rule, _ in told(step) if rule.startswith("K")}


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_while_scanning_is_seen_by_the_checks_that_can_see_it(slip: str, way: str) -> None:
    players, options, rows = WAYS[way]
    for seed in range(ROUNDS):
        random = Random(f"{slip} {way} {seed}")
        deal = dealt(random, players, known=options.get("deck") == "known")
        SLIPS[slip](deal, random)
        game = scanned(deal, players, options, rows=rows)
        assert found(game) == SCANNED[slip][list(WAYS).index(way)], (slip, way, seed)


TYPED = {
    "nothing": [UNSEEN, UNSEEN, UNSEEN],
    "one head too few": [{"K3"}, {"K3"}, UNSEEN],
    "one head too many": [{"K3"}, {"K3"}, UNSEEN],
    "one up, another down": [UNSEEN, UNSEEN, UNSEEN],
    "two sums swapped": [UNSEEN, UNSEEN, UNSEEN],
    "a row card skipped": [{"K3"}, {"K3"}, UNSEEN],
    "a sum without its tens": [{"K3"}, {"K3"}, UNSEEN],
    "more than there can be": [{"K3"}, {"K3"}, {"K6"}],
}
"""The checks that see a slip with typed sums and scanned rows: known deck, ten players, 104 cards."""


def typed_wrong(slip: str, deal: Deal, random: Random) -> list[int]:
    """The sums as they are typed."""
    sums = deal.sums
    one, other = random.sample(range(len(sums)), 2)
    most = max(range(len(sums)), key=lambda seat: sums[seat])
    match slip:
        case "one head too few":
            sums[one] -= 1
        case "one head too many":
            sums[one] += 1
        case "one up, another down":
            sums[one], sums[other] = sums[one] + 1, sums[other] - 1
        case "two sums swapped":
            sums[one], sums[other] = sums[other], sums[one]
        case "a row card skipped":
            skip_a_row_card(deal, random)
        case "a sum without its tens":
            sums[most] -= 10
        case "more than there can be":
            sums[one] += 200
        case _:
            assert slip == "nothing"
    return sums


@pytest.mark.slow
@pytest.mark.parametrize("slip", TYPED)
@pytest.mark.parametrize(("column", "players", "deck"), [(0, 4, "known"), (1, 10, "full"), (2, 4, "full")])
def test_a_slip_while_typing_is_seen_by_the_checks_that_can_see_it(
    slip: str, column: int, players: int, deck: str
) -> None:
    for seed in range(ROUNDS):
        random = Random(f"{slip} {column} {seed}")
        deal = dealt(random, players, known=deck == "known")
        sums = typed_wrong(slip, deal, random)
        game = ScoreMatch(players, of="six", deck=deck)
        game.scan(*deal.rows)
        for seat, points in enumerate(sums):
            game.type(seat, points)
        assert found(game) == TYPED[slip][column], (slip, column, seed)
