"""The same deals at all tables: the cards of every hand follow from the seed, as the seats do.

At each table the player of seat 1 gets hand 1, and so on; at a smaller table the last hands are not used. The
rows are the same everywhere. The cards are put into this order before the round, and the box registers each
hand by scan (option "hands"). What was dealt and played can then be compared with the list: `wrong_cards`.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

from companion.core.cards import HIGHEST, ROWS, TURNS
from companion.tournament.seating import MOST, Lots
from companion.values import Value, field

MAX_DEALS: Final = 6
"""Deals that are planned where a limit ends the match, and not a number of deals."""


class DealtCards(Value):
    """The cards of one deal of 6 nimmt!: the first card of each row, and the hands by seat, each in order."""

    rows: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]


@lru_cache(maxsize=32)  # a table looks at its hands for every picture
def deal(seed: str, round_: int, number: int) -> DealtCards:
    """Deal `number` (from 1) of a round."""
    cards = Lots(seed, "deal", round_, number).shuffled(range(1, HIGHEST + 1))
    hands = tuple(tuple(sorted(cards[ROWS + at * TURNS :][:TURNS])) for at in range(MOST))
    return DealtCards(tuple(sorted(cards[:ROWS])), hands)


def wrong_cards(
    planned: DealtCards, rows: Iterable[int], played: Sequence[Iterable[int]]
) -> tuple[tuple[int, int], ...]:
    """What does not belong: pairs of the seat (from 0; -1 for the rows) and a card not dealt there.

    `played` holds by seat the cards that are known to be this player's; it may be some of them only.
    """
    wrong = [(-1, card) for card in rows if card not in planned.rows]
    wrong += [
        (seat, card)
        for seat, (hand, cards) in enumerate(zip(planned.hands, played, strict=False))
        for card in cards
        if card not in hand
    ]
    return tuple(wrong)


class ObservedDeal(Struct):
    """What was seen of a deal: the first cards of the rows, and by seat the cards whose owner is known."""

    rows: set[int] = field(default_factory=set)
    cards: dict[int, set[int]] = field(default_factory=dict)


def played(records: Iterable[tuple[int, Mapping[str, Any]]]) -> list[ObservedDeal]:
    """The finished deals of a match of 6 nimmt!, from the records of its steps by number."""
    live: dict[int, Mapping[str, Any]] = {}
    for number, record in records:
        if "voids" in record:
            live.pop(record["voids"], None)
        else:
            live[number] = record
    found, now = [], ObservedDeal()
    for record in live.values():
        for event in record["events"]:
            seat = event.get("seat")
            match event["kind"]:
                case "row_begun":
                    now.rows.add(event["card"])
                case "card_shown" | "owner_named" | "card_placed" if seat is not None:
                    now.cards.setdefault(seat, set()).add(event["card"])
                case "deal_scored":
                    found.append(now)
                    now = ObservedDeal()
    return found
