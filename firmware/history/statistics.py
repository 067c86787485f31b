"""Statistics per badge and game, added up from the tallies of the matches each time."""

from collections.abc import Hashable, Iterable, Sequence
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import asdict

from companion.core.tally import MatchTally
from companion.text.names import in_order
from companion.text.sentence import Decimals
from companion.values import field
from firmware.history.players import NOBODY, Person, shown_name
from firmware.history.portions import Portions, done
from firmware.text.columns import columns, cut, left, right
from firmware.text.translation import Translator

MATCHES_AT_ONCE: Final = 1000
"""So many matches are counted in one portion, which takes about 20 ms on a desktop."""

Played = tuple[Sequence[Person], MatchTally]

_WIDTHS: Final = (7, 5, 6, 6, 6, 11, 5, 6)
"""Columns of the numbers, where their heads are not wider."""


class Statistics(Struct):
    """The results of one player in all matches of a game.

    `matches` and `wins` are of matches that were played to their end, `deals` of all. `taken` counts rows or
    piles, `worst_card` is the dearest card that ever brought points. `best` and `worst` are points of a deal;
    whether few or many are better depends on the game.
    """

    badge: int
    name: str
    game: str
    matches: int = 0
    wins: int = 0
    deals: list[int] = field(default_factory=list)
    taken: int = 0
    worst_card: str = ""
    worst_card_points: int = 0
    high_wins: bool = False

    @property
    def mean(self) -> float | None:
        """Average points per deal; None before the first deal."""
        return sum(self.deals) / len(self.deals) if self.deals else None

    @property
    def best(self) -> int | None:
        """The points of the best deal."""
        return (max if self.high_wins else min)(self.deals, default=None)

    @property
    def worst(self) -> int | None:
        """The points of the worst deal."""
        return (min if self.high_wins else max)(self.deals, default=None)

    def add(self, seat: int, tally: MatchTally) -> None:
        """Count a match in which this player had that seat."""
        self.deals += tally.points[seat]
        self.matches += tally.over
        self.wins += seat in tally.winners
        for taken in tally.taken[seat : seat + 1]:  # a tally may not say it
            self.taken += taken.number
            if taken.points > self.worst_card_points:
                self.worst_card, self.worst_card_points = taken.card, taken.points

    def record(self) -> dict[str, Any]:
        found = asdict(self)
        del found["high_wins"]
        mean = None if self.mean is None else round(self.mean, 2)
        return {**found, "deals": len(self.deals), "mean": mean, "best": self.best, "worst": self.worst}


def count_results(results: Iterable[Played]) -> list[Statistics]:
    """A line for every badge and game, by badge; of each match its players and its tally.

    Players without a badge in the log are left out: those who were erased, or joined without a badge.
    """
    return done(count_in_portions(results))


def count_in_portions(results: Iterable[Played]) -> Portions[list[Statistics]]:
    """The same in portions of `MATCHES_AT_ONCE` matches."""
    found: dict[tuple[int, str, bool], Statistics] = {}
    for number, (people, tally) in enumerate(results, start=1):
        game, high = tally.game, tally.high
        for person in people:
            if person.badge != NOBODY and not person.joined:
                new = Statistics(person.badge, person.name, game, high_wins=high)
                found.setdefault((person.badge, game, high), new).add(person.seat, tally)
        if number % MATCHES_AT_ONCE == 0:
            yield
    return [found[key] for key in sorted(found)]


Player = tuple[int, Hashable, Statistics]
"""Somebody in a match: the seat, who it is, and a line for a match in which nobody has this name yet."""


def count_players(matches: Iterable[tuple[Iterable[Player], MatchTally]]) -> list[Statistics]:
    """A line for everybody and each game: who has won most first, then who has the better mean."""
    found: dict[Hashable, Statistics] = {}
    for players, tally in matches:
        for seat, who, new in players:
            new.game, new.high_wins = tally.game, tally.high
            found.setdefault((who, tally.game, tally.high), new).add(seat, tally)
    return sorted(found.values(), key=_rank)


def _rank(line: Statistics) -> tuple[Any, ...]:
    mean = line.mean if line.mean is not None else 0.0
    return (line.game, -line.wins, -mean if line.high_wins else mean, in_order(line.name))


def name_of(statistics: Statistics, t: Translator) -> str:
    """What people read as the name of a player."""
    return shown_name(statistics.name, statistics.badge, 0, t)


def in_lines(lines: Sequence[Statistics], translate: Translator) -> Iterable[str]:
    t = translate
    # Translators: the heads of the table of `nimmt stats`. "worst": the most points of a deal, or the fewest.
    numbers = (
        t("matches"), t("wins"), t("deals"), t("mean"), t("taken"), t("worst card"), t("best"), t("worst"),
    )  # fmt: skip
    widths = [max(columns(head), width) for head, width in zip(numbers, _WIDTHS, strict=True)]

    def line(name: str, game: str, cells: Iterable[str]) -> str:
        told = (right(cell, width) for cell, width in zip(cells, widths, strict=True))
        return f"{left(cut(name, 12), 12)} {left(cut(game, 12), 12)} {' '.join(told)}"

    yield line(t("badge"), t("game"), numbers)
    for person in lines:
        card = f"{person.worst_card} ({t.number(person.worst_card_points)})" if person.worst_card else "-"
        mean = "-" if person.mean is None else t.decimals(Decimals(person.mean, 1))
        best, worst = ("-" if number is None else t.number(number) for number in (person.best, person.worst))
        nameless = person.name == f"P{person.badge}"
        name = name_of(person, t) if nameless else f"{person.badge} {person.name}"
        counts = map(t.number, (person.matches, person.wins, len(person.deals)))
        yield line(name, t.title(person.game), (*counts, mean, t.number(person.taken), card, best, worst))
