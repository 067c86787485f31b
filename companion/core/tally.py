"""The tally of a match: what it amounts to, in numbers. `companion.match.tally` makes it.

Lists, statistics and records read tallies and nothing else. So this file imports no rules: a command that
lists thousands of matches does not wait for them.
"""

from typing import Final

import msgspec

from companion.values import Value


class Taken(Value, array_like=True):
    """How many rows or piles a seat took, the card that cost it most and its points; "" and 0 without one."""

    number: int = 0
    card: str = ""
    points: int = 0


class Rank(Value, array_like=True):
    """A line of the standings: several seats are a team, several lines share a rank on a tie."""

    rank: int
    total: int
    seats: tuple[int, ...]


class MatchTally(Value):
    """A whole match, as JSON the same names.

    `game` is the title of the game, `high` whether most points win, `deal` the number of the deal in progress
    or of the last one. `seats` counts all players, with those who left; `winners` are their seats, none while
    the match is not over. `places` are the standings, best first. By seat: `points` of each deal that it
    played, and what it has `taken`, also in the deal in progress.
    """

    game: str
    high: bool
    over: bool
    deal: int
    seats: int
    winners: tuple[int, ...]
    places: tuple[Rank, ...]
    points: tuple[tuple[int, ...], ...]
    taken: tuple[Taken, ...]


_DECODER: Final = msgspec.json.Decoder(MatchTally)


def write_tally(tally: MatchTally) -> str:
    return msgspec.json.encode(tally).decode()


def read_tally(text: str) -> MatchTally:
    """The tally in the JSON that `write_tally` gives. Raises `ValueError` for anything else."""
    return _DECODER.decode(text)
