"""The reasons that a match adds to those of its game: why a deal is scored, why it goes on or is over.

They are computed from the position, so that they can be told of any match at any time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from companion.core import score_sheet
from companion.core.cards import Seat
from companion.core.ruling import Because
from companion.core.score_sheet import EndRules
from companion.match import commands as match_commands
from companion.match.commands import Standing

if TYPE_CHECKING:
    from companion.core.game import AnyGame, ExplainsEnd
    from companion.match.position import Position


def end_rules(game: AnyGame) -> EndRules:
    """How deals and matches of a game end, and how it calls that."""
    explains = _explaining(game)
    return score_sheet.USUAL if explains is None else explains.end_rules


def why_scored(game: AnyGame, position: Position) -> tuple[Because, ...]:
    """Why the deal before is over, and what it cost each player; none before a deal is finished."""
    finished = position.finished
    if finished is None:
        return ()
    explains = _explaining(game)
    over = () if explains is None else explains.why_deal_over(finished)
    players = game.players(finished)
    return (*over, score_sheet.why_points(position.score_sheet, players, end_rules(game)))


def why_next(game: AnyGame, first: Seat, position: Position) -> tuple[Because, ...]:
    """Why the match is over and who has won, or why it goes on and who starts the deal in progress."""
    sheet, finished, rules = position.score_sheet, position.finished, end_rules(game)
    players = game.players(position.table)
    if position.over:
        if sheet.over(game.end):
            ended = tuple(score_sheet.why_over(sheet, game.end, players, rules))
        else:
            ended = (match_commands.why_early(len(sheet.deals)),)
        return (*ended, *score_sheet.why_won(sheet, players, rules))
    starter = first if finished is None else game.starter(position.deal, first, finished)
    explains = _explaining(game)
    starts = () if explains is None else explains.why_starts(starter, finished)
    # A corrected score can have reached the limit while a deal is played: then this deal is the last one.
    if sheet.last == position.deal:
        return (score_sheet.why_one_more(sheet), *starts)
    goes_on = () if sheet.over(game.end) else score_sheet.why_over(sheet, game.end, players, rules)
    return (*goes_on, *starts)


def standing(game: AnyGame, position: Position) -> Standing:
    """What the score says of a match, for the reasons of a correction."""
    score_sheet = position.score_sheet
    places = score_sheet.standings(game.players(position.table))
    return Standing(
        score_sheet.winners(game.players(position.table)),
        len(places) > 1 and places[1].rank == 1,
        places[0].total,
        position.over,
        score_sheet.over(game.end),
        position.deal,
    )


def _explaining(game: AnyGame) -> ExplainsEnd[Any] | None:
    """The game, if it gives the reasons for the end of its deals."""
    # Whether it has the member is what `isinstance` with `ExplainsEnd` asks, only much slower.
    return cast("ExplainsEnd[Any]", game) if hasattr(game, "why_deal_over") else None
