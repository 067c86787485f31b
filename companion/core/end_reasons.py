"""Why a match is over or goes on, and who has won: all games share the sentences, and each has its rules.

A game names its rules as `EndRules`. Nothing is decided here: the score sheet says who has what and who wins,
the end rule when a match is over.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.core.cards import Seat, listed_players, who
from companion.core.ruling import Because, Rule
from companion.core.score_sheet import TieChoice, When
from companion.text.sentence import Text, count, say
from companion.values import Value

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from companion.core.score_sheet import EndRule, ScoreSheet

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
    "When a match is over, the best total of those who still play wins.",
)
SHARED: Final = Rule(
    "M-SHARED",
    "house rule: no rulebook has a tie-break",
    "SHARED VICTORY",
    "Several with the best total share the victory.",
)
LAST_DEAL: Final = Rule(
    "M-LAST-DEAL",
    "house rule: no rulebook has a tie-break",
    "BETTER LAST DEAL",
    "If the players agree on it, the better last deal decides who of several with the best total wins.",
)
ONE_MORE: Final = Rule(
    "M-ONE-MORE",
    "house rule: no rulebook has a tie-break",
    "ONE MORE DEAL",
    "If the players agree on it, several with the best total play one more deal, together with all others.",
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
        yield Because(ONE_MORE, say("the match is over: deal {deal} was the one more", deal=score_sheet.last))
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
        says = say("the match goes on: {each}, and only more than {limit} end it", **facts)
        yield Because(rules.limit or rules.end, says)
        return
    if end.when is When.PASSED:
        yield Because(rules.end, say("the match is over: {each}, and more than {limit} end it", **facts))
    else:
        yield Because(rules.end, say("the match is over: {each}, and {limit} or more end it", **facts))
    if rules.limit and max(total for _, total in reached) == end.target:
        says = say('exactly {limit} is enough here; by "more than {limit}" the match would go on', **facts)
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
    says = say("the match goes on: deal {deal} is played for the tie and is the last", deal=score_sheet.last)
    return Because(ONE_MORE, says)


def why_shared(winners: tuple[Seat, ...], rules: EndRules) -> Because:
    """Why several win."""
    return Because(rules.shared, say("{who} share the victory", who=listed_players(winners)))


def _has(one: tuple[tuple[Seat, ...], int]) -> Text:
    side, total = one
    return count("{who} has {total}", "{who} have {total}", len(side), who=listed_players(side), total=total)
