"""The same deals at all tables: the cards of every hand follow from a secret seed (`Opened.seed_of_deals`).

At each table the player of seat 1 gets hand 1, and so on; at a smaller table the last hands are not used. The
rows are the same everywhere. The cards are put into this order before the round, and the box registers each
hand by scan (option "hands"). What was dealt and played can then be compared with the list: `wrong_cards`.
"""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final

from msgspec import Struct

from companion.core.cards import HIGHEST, ROWS, TURNS
from companion.tournament.seating import MOST, Lots
from companion.values import Value, field

MOST_DEALS: Final = 6
"""Deals that are planned where a limit ends the match, and not a number of deals."""

MOST_CHECKED: Final = 10
"""Of the first so many deals of a match the hands can be checked before play."""


def salt_of(secret: str, round_: int) -> str:
    """The salt of a round.

    It follows from the secret, so that all hubs at one database say the same, also after a restart. Who does
    not know the secret cannot know it before, and nobody learns the secret from it.
    """
    return sha256(f"{secret}\nsalt of the hands\n{round_}\n".encode()).hexdigest()[:32]


def digests_of(secret: str, round_: int, deals: int, seats: int) -> tuple[tuple[str, ...], ...]:
    """The digests of the hands of a round, by deal and in each by seat; each takes about 50 ms."""
    salt = salt_of(secret, round_)
    return tuple(
        tuple(
            digest_of(salt, number, seat, hand)
            for seat, hand in enumerate(deal(secret, round_, number).hands[:seats])
        )
        for number in range(1, deals + 1)
    )


# A fast hash would tell the hand. Of 26 million million hands of 10 of 104 cards a graphics card tries all
# within the hour. Whoever has a hand and sees the rows and some plays of another player has far fewer to try:
# 5 million when half of a hand is played. So each try has to cost: 16 MB and about 50 ms with these numbers.
# The memory keeps graphics cards from trying thousands at a time. The last three cards of a hand can be found
# within minutes even so: that is why the topic of a table is not for everybody to read.
_COST: Final = 2**14
_BLOCK: Final = 8
_PARALLEL: Final = 1
_MOST_MEMORY_BYTES: Final = 2**25
_LENGTH_BYTES: Final = 8


def digest_of(salt: str, deal: int, seat: int, cards: Iterable[int]) -> str:
    """The digest of a hand in a deal (from 1) at a seat (from 0): 16 hexadecimal digits.

    It takes 16 MB and about 50 ms, on a small board several times as long, and lets other threads run.
    """
    hand = f"{deal}\n{seat}\n{' '.join(map(str, sorted(cards)))}\n"
    return hashlib.scrypt(
        hand.encode(),
        salt=salt.encode(),
        n=_COST,
        r=_BLOCK,
        p=_PARALLEL,
        maxmem=_MOST_MEMORY_BYTES,
        dklen=_LENGTH_BYTES,
    ).hex()


class DealtCards(Value):
    """The cards of one deal of 6 nimmt!: the first card of each row, and the hands by seat, each in order."""

    rows: tuple[int, ...]
    hands: tuple[tuple[int, ...], ...]


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
