"""What tables are told of the hands of the same deals at all tables: a salt, and a digest of each hand."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from companion.tournament.deals import deal
from companion.tournament.hand_digest import digest_of

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
