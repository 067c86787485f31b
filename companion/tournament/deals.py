"""The same deals at all tables: the cards of every hand follow from a secret seed (`Opened.seed_of_deals`).

At each table the player of seat 1 gets hand 1, and so on; at a smaller table the last hands are not used. The
rows are the same everywhere. The cards are put into this order before the round, and the box registers each
hand by scan (option "hands"). What was dealt and played can then be compared with the list: `wrong_cards`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from companion.tournament.lots import Lots
from companion.tournament.sizes import MOST
from companion.values import Value, field

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

CARDS: Final = 104
HAND: Final = 10
ROWS: Final = 4


class Deal(Value):
    """The cards of one deal of 6 nimmt!: the first card of each row, and the hands by seat, each in order."""

    rows: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]


def deal(seed: str, round_: int, number: int) -> Deal:
    """Deal `number` (from 1) of a round."""
    cards = Lots(seed, "deal", round_, number).shuffled(range(1, CARDS + 1))
    hands = tuple(tuple(sorted(cards[ROWS + at * HAND :][:HAND])) for at in range(MOST))
    return Deal(tuple(sorted(cards[:ROWS])), hands)


def wrong_cards(
    planned: Deal, rows: Iterable[int], played: Sequence[Iterable[int]]
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


class Played(Struct):
    """What was seen of a deal: the first cards of the rows, and by seat the cards whose owner is known."""

    rows: set[int] = field(default_factory=set)
    cards: dict[int, set[int]] = field(default_factory=dict)


def played(records: Iterable[tuple[int, Mapping[str, Any]]]) -> list[Played]:
    """The finished deals of a match of 6 nimmt!, from the records of its steps by number."""
    live: dict[int, Mapping[str, Any]] = {}
    for number, record in records:
        if "voids" in record:
            live.pop(record["voids"], None)
        else:
            live[number] = record
    found, now = [], Played()
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
                    now = Played()
    return found
