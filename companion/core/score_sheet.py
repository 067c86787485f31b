"""When a match ends and why, and its score sheet: the points of each deal, who wins and who ties."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from typing import Annotated, Final

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import force_setattr

from companion.core.cards import Seat, listed_players, who
from companion.core.codec import Number, Record
from companion.core.ruling import Because, Rule
from companion.text.errors import InvalidRecord, quoted
from companion.text.sentence import Text, count, say
from companion.values import Value, cached_property, replace

POINTS: Final = Rule(
    "M-POINTS",
    "this device",
    "POINTS OF THE DEAL",
    "When a deal is over, its points are added to the totals.",
)
END: Final = Rule(
    "M-END",
    "this device",
    "WHEN A MATCH ENDS",
    "A match ends after the deal in which a total reaches or passes the limit, or after the last deal.",
)
WIN: Final = Rule(
    "M-WIN",
    "this device",
    "BEST TOTAL WINS",
    "When a match is over, the best total of those still playing wins.",
)
SHARED: Final = Rule(
    "M-SHARED",
    "house rule: no rulebook has a tie-break",
    "SHARED VICTORY",
    "All with the best total share the victory.",
)
LAST_DEAL: Final = Rule(
    "M-LAST-DEAL",
    "house rule: no rulebook has a tie-break",
    "BETTER LAST DEAL",
    "If the players agree on it, the better last deal decides a tie for the best total.",
)
ONE_MORE: Final = Rule(
    "M-ONE-MORE",
    "house rule: no rulebook has a tie-break",
    "ONE MORE DEAL",
    (
        "If the players agree on it, a tie for the best total is decided by one more deal, which "
        "everybody plays."
    ),
)
RULES: Final = (POINTS, END, WIN, SHARED, LAST_DEAL, ONE_MORE)


class EndRules(Value):
    """The rules of a game about the end: what a deal costs, when a match is over, who wins.

    `limit` decides where a total is exactly the limit, if editions of the rulebook differ about it. `shared`
    is for several with the best total, `left` for a player who has left and whose points end the match.
    """

    points: Rule = POINTS
    end: Rule = END
    win: Rule = WIN
    shared: Rule = SHARED
    limit: Rule | None = None
    left: Rule = WIN


USUAL: Final = EndRules()
"""For a game that names none."""


def why_points(score_sheet: ScoreSheet, players: Iterable[Seat], rules: EndRules) -> Because:
    """What the newest deal cost each player."""
    points = score_sheet.deals[-1]
    each = tuple(
        say("{player} gets {points}", player=who(seat), points=points[seat])
        for seat in players
        if seat < len(points)
    )
    return Because(rules.points, say("deal {deal}: {each}", deal=len(score_sheet.deals), each=each))


def why_over(
    score_sheet: ScoreSheet, end: EndRule, players: tuple[Seat, ...], rules: EndRules
) -> Iterator[Because]:
    """Why the match is over after the newest deal, or not yet although somebody has reached the limit."""
    if score_sheet.last == len(score_sheet.deals) > 0:
        yield Because(
            ONE_MORE, say("the match is over: deal {deal} was the extra one", deal=score_sheet.last)
        )
        return
    if end.deals:
        if score_sheet.over(end):
            yield Because(rules.end, say("the match is over: deal {deal} was the last", deal=end.deals))
        return
    over = score_sheet.over(end)
    least = end.target + (1 if over and end.when is When.PASSED else 0)
    reached = [(side, total) for side, total in score_sheet.side_totals if total >= least]
    if not reached:
        return
    facts = {"each": tuple(map(_has, reached)), "limit": end.target}
    if not over:
        says = say("the match continues: {each}; it ends only above {limit}", **facts)
        yield Because(rules.limit or rules.end, says)
        return
    if end.when is When.PASSED:
        yield Because(rules.end, say("the match is over: {each}; it ends above {limit}", **facts))
    else:
        yield Because(rules.end, say("the match is over: {each}; it ends at {limit} or more", **facts))
    if rules.limit and max(total for _, total in reached) == end.target:
        says = say('exactly {limit} is enough here; with "more than {limit}" the match would go on', **facts)
        yield Because(rules.limit, says)
    gone = [seat for side, _ in reached for seat in side if not set(side) & set(players)]
    if gone:
        says = count(
            "{who} has left: these points can end the match, but not win it",
            "{who} have left: these points can end the match, but not win it",
            len(gone),
            who=listed_players(gone),
        )
        yield Because(rules.left, says)


def why_won(score_sheet: ScoreSheet, players: tuple[Seat, ...], rules: EndRules) -> Iterator[Because]:
    """Who has won, and on a tie why it is shared."""
    first = score_sheet.standings(players)[0]
    places = score_sheet.tied(players)
    tied = bool(places)
    winners = score_sheet.winners(players)
    best = tuple(sorted(seat for place in places for seat in place.seats)) if tied else winners
    facts = {"who": listed_players(best), "best": first.total}
    if tied and score_sheet.scoring.high_wins:
        says = say("{who} have the most: {best}", **facts)
    elif tied:
        says = say("{who} have the fewest: {best}", **facts)
    elif score_sheet.scoring.high_wins:
        says = count(
            "{who} wins with {best}: nobody has more",
            "{who} win with {best}: nobody has more",
            len(winners),
            **facts,
        )
    else:
        says = count(
            "{who} wins with {best}: nobody has fewer",
            "{who} win with {best}: nobody has fewer",
            len(winners),
            **facts,
        )
    yield Because(rules.win, says)
    if tied:
        yield from why_settled(score_sheet, players, rules)


def why_settled(score_sheet: ScoreSheet, players: tuple[Seat, ...], rules: EndRules) -> Iterator[Because]:
    """What becomes of several with the best total: as players agreed, else they share the victory."""
    winners = score_sheet.winners(players)
    if score_sheet.settled is TieChoice.LAST_DEAL:
        each = tuple(
            count(
                "{who} has {points}",
                "{who} have {points}",
                len(place.seats),
                who=listed_players(place.seats),
                points=score_sheet.in_last_deal(place),
            )
            for place in score_sheet.tied(players)
        )
        says = count(
            "deal {deal} decides: {each}, so {who} wins",
            "deal {deal} decides: {each}, so {who} win",
            len(winners),
            deal=len(score_sheet.deals),
            each=each,
            who=listed_players(winners),
        )
        yield Because(LAST_DEAL, says)
    if sum(place.rank == 1 for place in score_sheet.standings(players)) > 1:
        yield why_shared(winners, rules)


def why_one_more(score_sheet: ScoreSheet) -> Because:
    """Why a match goes on although its end rule says that it is over."""
    says = say("the match continues: deal {deal} breaks the tie and is the last", deal=score_sheet.last)
    return Because(ONE_MORE, says)


def why_shared(winners: tuple[Seat, ...], rules: EndRules) -> Because:
    return Because(rules.shared, say("{who} share the victory", who=listed_players(winners)))


def _has(team: tuple[tuple[Seat, ...], int]) -> Text:
    side, total = team
    return count("{who} has {total}", "{who} have {total}", len(side), who=listed_players(side), total=total)


MAX_TARGET = 99_999
MAX_DEALS = 99
MAX_POINTS = 999
"""The most points of a seat in one deal where the cards are known."""
MAX_POINTS_OF_ANY_GAME = 99_999
"""The same where nobody knows the cards. Points can be negative there: the fewest is the negative of this."""


def points_range(*, negative: bool) -> tuple[int, int]:
    """The fewest and the most points of a seat in one deal; `negative` where the cards are not known."""
    return (-MAX_POINTS_OF_ANY_GAME, MAX_POINTS_OF_ANY_GAME) if negative else (0, MAX_POINTS)


class When(Enum):
    """When a total ends a match."""

    REACHED = "reached"
    PASSED = "passed"


class EndRule(Value, forbid_unknown_fields=True, omit_defaults=True):
    """After which deal a match ends, as the option "end" has it: `{"target": 66, "when": "passed"}`.

    Either the deal in which a total reaches (>=) or passes (>) a target, or a fixed number of `deals`; the
    other one is 0.
    """

    target: Annotated[int, Meta(ge=1, le=MAX_TARGET)] = 0
    when: When | UnsetType = UNSET
    """`REACHED` unless something else is said."""
    deals: Annotated[int, Meta(ge=1, le=MAX_DEALS)] = 0

    def __post_init__(self) -> None:
        """Raises `InvalidRecord` unless there is one of the two."""
        if self.target and not self.deals:
            if self.when is UNSET:
                force_setattr(self, "when", When.REACHED)
            return
        if self.deals and not self.target and self.when is UNSET:
            return
        raise InvalidRecord(
            say("the option 'end' names both a target and a number of deals")
            if self.deals
            else say("the option 'end' has no target"),
            'use {"target": 66, "when": "passed"} or {"deals": 3}',
        )

    def ends(self, totals: tuple[int, ...], deals: int) -> bool:
        """Whether the match is over after `deals` whole deals with these totals of all sides."""
        if self.deals:
            return deals >= self.deals
        return max(totals) > self.target - (self.when is When.REACHED)

    def short(self) -> Text:
        """The rule in up to 8 columns for the display."""
        if self.deals:
            return count("{count} DEAL", "{count} DEALS", self.deals)
        reached, long = self.when is When.REACHED, self.target > 999  # noqa: PLR2004 - three digits have room
        if long:
            return say("{number}+" if reached else ">{number}", number=self.target)
        return say("END {number}+" if reached else "END >{number}", number=self.target)


def why_limit(number: int) -> Text:
    """What a limit means, for people who agree on one."""
    return say(
        "≥ {number}: {number} ENDS THE MATCH. > {number}: IT TAKES {more}. THE DEAL IS PLAYED TO ITS END.",
        number=number,
        more=number + 1,
    )


class Scoring(Value):
    """How totals are compared; by default as in the rulebooks: from 0, no teams, lowest wins.

    `teams` are seats whose points are added up; a seat in no team plays for itself.
    `start` is what the seats begin with, by seat; those beyond it begin with 0. `negative`
    says that a deal can bring points below 0.
    """

    high_wins: bool = False
    teams: tuple[tuple[Seat, ...], ...] = ()
    start: tuple[int, ...] = ()
    negative: bool = False


LOWEST_WINS: Final = Scoring()


class TieChoice(Enum):
    """What players can agree on when several have the best total at the end: no rulebook says."""

    SHARED = "shared"
    """They share the win. This is what counts until players agree on anything else."""

    LAST_DEAL = "last_deal"
    """The better last deal decides; those who are equal there too share the win."""

    ONE_MORE = "one_more"
    """One more deal is played."""


class DealScored(Record, tag="deal_scored"):
    """A deal is over: its points by seat."""

    points: tuple[Number, ...]


class Place(Value):
    """A line of the standings: a team or a seat that plays for itself; several share a `rank` on a tie."""

    rank: int
    seats: tuple[Seat, ...]
    total: int


class ScoreSheet(Value, dict=True):
    """The points of the finished deals, oldest first. A seat that joined later has 0 in the deals before.

    `settled` is what players agreed on about a tie after the newest deal; None until they do. `last` is the
    deal that they agreed to play after a tie, with which the match ends; 0 if there is none.
    """

    seats: int
    deals: tuple[tuple[int, ...], ...] = ()
    scoring: Scoring = LOWEST_WINS
    settled: TieChoice | None = None
    last: int = 0

    @cached_property
    def totals(self) -> tuple[int, ...]:
        """The start points plus the points of the finished deals, by seat."""
        rows = (self.scoring.start, *self.deals)
        return tuple(sum(row[seat] for row in rows if seat < len(row)) for seat in range(self.seats))

    @cached_property
    def sides(self) -> tuple[tuple[Seat, ...], ...]:
        """The teams, then every seat that plays for itself."""
        named = {seat for team in self.scoring.teams for seat in team}
        return (*self.scoring.teams, *((Seat(seat),) for seat in range(self.seats) if seat not in named))

    @cached_property
    def side_totals(self) -> tuple[tuple[tuple[Seat, ...], int], ...]:
        """Each side with its total, in the order of `sides`."""
        return tuple((side, sum(self.totals[seat] for seat in side)) for side in self.sides)

    def total_to_join(self, begins: str, players: tuple[Seat, ...]) -> int:
        """The total with which a new player begins: the "worst" one of these players, or their "mean"."""
        totals = [self.totals[seat] for seat in players if seat < self.seats]
        if begins == "mean":
            return (2 * sum(totals) + len(totals)) // (2 * len(totals))
        return min(totals) if self.scoring.high_wins else max(totals)

    def joined(self, seat: Seat, total: int) -> ScoreSheet:
        """The score sheet with one more seat, which begins with this total."""
        start = (*self.scoring.start, *(0,) * (seat - len(self.scoring.start)), total)
        return replace(self, seats=seat + 1, scoring=replace(self.scoring, start=start))

    def scored(self, points: tuple[int, ...]) -> ScoreSheet:
        """The score sheet with one more deal."""
        return replace(self, seats=max(self.seats, len(points)), deals=(*self.deals, points), settled=None)

    def settle(self, choice: TieChoice | None) -> ScoreSheet:
        """The score sheet after players agreed on a tie; None: nothing is agreed any more."""
        if choice is self.settled:
            return self
        if choice is TieChoice.ONE_MORE:
            return replace(self, settled=None, last=len(self.deals) + 1)
        return replace(self, settled=choice)

    def corrected(self, deal: int, old: tuple[int, ...], new: tuple[int, ...]) -> ScoreSheet:
        """The score sheet with other points in a finished deal, counted from 1. Raises `InvalidRecord`."""
        if not 1 <= deal <= len(self.deals) or self.deals[deal - 1] != old:
            raise InvalidRecord(
                say("the points of deal {deal} were not {old}", deal=deal, old=quoted(old)),
                say("check which deals are finished and their points"),
            )
        deals = (*self.deals[: deal - 1], new, *self.deals[deal:])
        return replace(self, seats=max(self.seats, len(new)), deals=deals)

    def over(self, end: EndRule) -> bool:
        """Whether the match has ended; judged on whole deals only."""
        if not self.deals:
            return False
        if 0 < self.last <= len(self.deals):
            return True
        return end.ends(tuple([total for _, total in self.side_totals]), len(self.deals))

    def tied(self, players: tuple[Seat, ...]) -> tuple[Place, ...]:
        """The sides that share the best total, whatever was agreed about them; none if one side has it."""
        first = [place for place in self._by_total(players) if place.rank == 1]
        return tuple(first) if len(first) > 1 else ()

    def in_last_deal(self, place: Place) -> int:
        """The points of a side in the newest deal, with those of players who have left it."""
        row = self.deals[-1]
        side = next(side for side in self.sides if place.seats[0] in side)
        return sum(row[seat] for seat in side if seat < len(row))

    def standings(self, players: tuple[Seat, ...]) -> tuple[Place, ...]:
        """All sides with at least one of `players`, best first; equal ones in seat order.

        A player who has left is not listed with the team any more; the points stay with the team.
        Where players agreed on it, the better last deal decides who of the first is first.
        """
        places = self._by_total(players)
        tied = self.tied(players) if self.settled is TieChoice.LAST_DEAL else ()
        if not tied:
            return places
        of_seat = {place.seats[0]: place for place in tied}
        points = {seat: self.in_last_deal(place) for seat, place in of_seat.items()}
        again = ranked(points, high_wins=self.scoring.high_wins)
        return (
            *(Place(rank, of_seat[seat].seats, of_seat[seat].total) for rank, seat in again),
            *places[len(tied) :],
        )

    def _by_total(self, players: tuple[Seat, ...]) -> tuple[Place, ...]:
        sides = {min(side): (side, total) for side, total in self.side_totals if set(side) & set(players)}
        order = ranked({seat: total for seat, (_, total) in sides.items()}, high_wins=self.scoring.high_wins)
        places = ((rank, *sides[seat]) for rank, seat in order)
        return tuple(
            Place(rank, tuple(at for at in side if at in players), total) for rank, side, total in places
        )

    def winners(self, players: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """The players with the best total, or of the teams with it, in the order of seats.

        Several share the win, unless players agreed on anything else: no rulebook has a tie-break.
        """
        first = [place for place in self.standings(players) if place.rank == 1]
        return tuple(sorted(seat for place in first for seat in place.seats))


def ranked(score: Mapping[Seat, int], *, high_wins: bool = False) -> list[tuple[int, Seat]]:
    """Rank (1, 1, 3, ...) and seat, best first; equal scores share a rank and stand in seat order."""
    cost = {seat: -points if high_wins else points for seat, points in score.items()}
    order = sorted(cost, key=lambda seat: (cost[seat], seat))
    return [(1 + sum(cost[other] < cost[seat] for other in order), seat) for seat in order]
