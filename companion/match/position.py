"""Where a match stands, where each event leads (the fold of a match), and the reasons that a match adds.

Nothing is judged here. What the events of a game do is said by its `apply`. The events of every match open
the next deal, correct a score, settle a tie or end the match. Why a deal is scored, why a match goes on or is
over is computed from the position, so that it can be told of any match at any time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from companion.core import score_sheet
from companion.core.cards import Seat
from companion.core.ruling import Because
from companion.core.score_sheet import DealScored, ScoreSheet, TieChoice
from companion.match import commands as match_commands
from companion.match.commands import (
    DealReopened,
    MatchEnded,
    ScoreCorrected,
    ScoreState,
    StartGiven,
    TieSettled,
)
from companion.values import Value, replace

if TYPE_CHECKING:
    from companion.core.game import Game


_OF_EVERY_MATCH: Final = (DealScored, *match_commands.EVENTS)
"""Events that are not those of a game."""


class Position(Value):
    """The state of a match: the deal in progress, the score sheet, and the previous deal as it ended.

    After a match that the players ended early, `table` is the deal that was in progress.
    """

    table: Any
    score_sheet: ScoreSheet
    deal: int
    finished: Any = None
    over: bool = False


class Course(Protocol):
    """What the fold asks a match for: its game, who was first, and how the deals before ended."""

    @property
    def game(self) -> Game:
        """The game with its options."""

    @property
    def first(self) -> Seat:
        """Who started the first deal."""

    def finished(self, deal: int) -> Any:  # noqa: ANN401 - a state of the game
        """The table at the end of a deal (1, 2, ...); None if that deal is not finished."""


def fold(course: Course, position: Position, events: tuple[Any, ...]) -> Position:
    """The position to which these events lead."""
    for event in events:
        position = after_event(course, position, event)
    return position


def after_event(course: Course, position: Position, event: Any) -> Position:  # noqa: ANN401 - an event of this match
    """The position to which an event leads."""
    if type(event) not in _OF_EVERY_MATCH:
        table = course.game.apply(position.table, event)
        return Position(table, position.score_sheet, position.deal, position.finished, position.over)
    match event:
        case DealScored(points):
            return next_deal(course, position.table, position.score_sheet.scored(points), position.deal)
        case ScoreCorrected(deal, old, new):
            return _rescored(course, position, position.score_sheet.corrected(deal, old, new))
        case DealReopened(deal):
            before = replace(position.score_sheet, deals=position.score_sheet.deals[:-1], settled=None)
            return Position(position.finished, before, deal, course.finished(deal - 1))
        case TieSettled(by):
            return _settled(course, position, TieChoice(by))
        case StartGiven(seat, points):
            return replace(position, score_sheet=position.score_sheet.joined(seat, points))
        case MatchEnded():
            return replace(position, over=True)
    raise TypeError(event)  # pragma: no cover - the match is exhaustive


def next_deal(course: Course, finished: Any, score_sheet: ScoreSheet, deal: int) -> Position:  # noqa: ANN401 - a state of this game
    """After deal number `deal`, which ended as `finished`: the end of the match, or the next deal."""
    if score_sheet.over(course.game.end):
        return Position(finished, score_sheet, deal, finished, over=True)
    starter = course.game.starter(deal + 1, course.first, finished)
    table = course.game.start(score_sheet.seats, course.game.players(finished), starter)
    return Position(table, score_sheet.settle(None), deal + 1, finished)


def _settled(course: Course, position: Position, choice: TieChoice) -> Position:
    """The position after players agreed on a tie: the next deal begins, or it is known who has won.

    The deal in progress of a match that was ended early is gone, and so is who joined in it.
    """
    score_sheet = position.score_sheet.settle(choice)
    if choice is not TieChoice.ONE_MORE:
        return replace(position, score_sheet=score_sheet)
    players = tuple(seat for seat in course.game.players(position.table) if seat < score_sheet.seats)
    starter = course.game.starter(score_sheet.last, course.first, position.finished)
    table = course.game.start(score_sheet.seats, players, starter)
    return Position(table, score_sheet, score_sheet.last, position.finished)


def _rescored(course: Course, position: Position, score_sheet: ScoreSheet) -> Position:
    """The position as if the new score had been there at first, unless something was played since.

    A deal that has begun is played to its end, as always; then it is decided whether the match is over.
    """
    game, finished, deals = course.game, position.finished, len(score_sheet.deals)
    players = game.players(position.table)
    if score_sheet.settled is not None and position.score_sheet.tied(players) != score_sheet.tied(players):
        score_sheet = score_sheet.settle(None)  # others are first now: they were not asked
    # Equal to what the last deal led to: no card of the next deal was played and nobody has ended the
    # match by hand. Then the end of that deal is decided again, with the new score: the match may end, or
    # open again, or the next deal may get another starter. It may end as well where players have only come
    # or gone since. Otherwise only the score changes.
    starter = game.starter(position.deal, course.first, finished)
    no_card = position.table == game.start(len(game.points(position.table)), players, starter)
    ends = no_card and not position.over and score_sheet.over(game.end)
    if ends or position == next_deal(course, finished, position.score_sheet, deals):
        return next_deal(course, finished, score_sheet, deals)
    return replace(position, score_sheet=score_sheet)


def why_scored(game: Game, position: Position) -> tuple[Because, ...]:
    """Why the deal before is over, and what it cost each player; none before a deal is finished."""
    finished = position.finished
    if finished is None:
        return ()
    points = score_sheet.why_points(position.score_sheet, game.players(finished), game.end_rules)
    return (*game.why_deal_over(finished), points)


def why_next(game: Game, first: Seat, position: Position) -> tuple[Because, ...]:
    """Why the match is over and who has won, or why it goes on and who starts the deal in progress."""
    sheet, finished, rules = position.score_sheet, position.finished, game.end_rules
    players = game.players(position.table)
    if position.over:
        if sheet.over(game.end):
            ended = tuple(score_sheet.why_over(sheet, game.end, players, rules))
        else:
            ended = (match_commands.why_early(len(sheet.deals)),)
        return (*ended, *score_sheet.why_won(sheet, players, rules))
    starter = first if finished is None else game.starter(position.deal, first, finished)
    starts = game.why_starts(starter, finished)
    # A corrected score can have reached the limit while a deal is played: then this deal is the last one.
    if sheet.last == position.deal:
        return (score_sheet.why_one_more(sheet), *starts)
    goes_on = () if sheet.over(game.end) else score_sheet.why_over(sheet, game.end, players, rules)
    return (*goes_on, *starts)


def standing(game: Game, position: Position) -> ScoreState:
    """What the score says of a match, for the reasons of a correction."""
    score_sheet = position.score_sheet
    places = score_sheet.standings(game.players(position.table))
    return ScoreState(
        score_sheet.winners(game.players(position.table)),
        len(places) > 1 and places[1].rank == 1,
        places[0].total,
        position.over,
        score_sheet.over(game.end),
        position.deal,
    )
