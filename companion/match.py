"""A match as the fold of its steps, with undo, redo and corrections after the end.

Theory of operation
-------------------
A match is its log. Each entry is a `Step`: the events that became true, with the command they came from and
the reasons that were given then. Where the match stands is computed from the steps and from nothing else:
`position = fold(events of the steps)`. So a stored log is enough to continue, and a replay needs no judge.

*Two halves.* `propose`, `undo` and `redo` say which step would come next, or why none does; they change
nothing. `then` gives the match after a step. Between the two the caller saves the step. If saving fails,
nobody holds a match that the disk does not know.

*Undo appends.* An undo is a step that names the newest live step in `voids`. It does not edit the log: a
log shows what was undone, and when. `before` is the match without its newest live step, so that an undo
takes constant time, however long the match is.

*Redo is the memory of undo.* `undone` holds the steps that were undone since the last ordinary step, the
latest first. A redo makes their events true again as a step of its own, without judging again: the position
is the one in which they were judged. Any other step empties `undone`.

*What the match adds to a game.* A game knows one deal. When a deal is over, `propose` adds `DealScored` to
the step that ended it, and the fold opens the next deal or ends the match (`_next`).

*Corrections after the end.* A score may be corrected at any time, also of a deal long ago and after the
match is over. A correction can end a match, or reopen it: see `_rescored`.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Final

from companion import games, match_commands
from companion.cards import Seat
from companion.errors import InvalidRecord, quoted
from companion.game import KeepsScore
from companion.match_commands import MatchEnded, ScoreCorrected, Standing
from companion.ruling import Refused, Rule
from companion.score_sheet import LOWEST_WINS, DealScored, ScoreSheet, Scoring
from companion.text import say

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.ask import Ask
    from companion.game import AnyGame
    from companion.ruling import Because

UNDO = Rule("M-UNDO", "this device", "UNDO", "Every step can be undone, back to the beginning of the match.")
FIRST_SEAT: Final = Seat(0)
OVER = Rule("M-OVER", "this device", "MATCH IS OVER", "Once a match is over, no more cards can be played.")


@dataclass(frozen=True, slots=True)
class Terms:
    """What was agreed before the first card; within a match only `badges` may change."""

    game: str
    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    first: Seat = FIRST_SEAT
    badges: tuple[int, ...] = ()
    """The badge number of each seat, where players joined with badges, as printed on them.

    After the players who started, there may be badges of seats that joined later, even if that was undone.
    """


@dataclass(frozen=True, slots=True)
class Position:
    """The state of a match: the deal in progress, the ledger, and the previous deal as it ended.

    After a match that the players ended early, `table` is the deal that was in progress.
    """

    table: Any
    score_sheet: ScoreSheet
    deal: int
    finished: Any = None
    over: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """One entry of the log.

    A step has either `events` (with the command they come from and the reasons given then,
    as pairs of rule key and sentence) or the number of the step it `voids`. `redoes` is the
    number of the voided step whose events it repeats.
    """

    number: int
    command: Any = None
    events: tuple[Any, ...] = ()
    because: tuple[tuple[str, str], ...] = ()
    voids: int | None = None
    redoes: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Match:
    """A match at one moment. `before` is the same match without its latest active step."""

    terms: Terms
    game: AnyGame
    position: Position
    steps: int = 0
    newest: Step | None = None
    before: Match | None = None
    undone: tuple[Step, ...] = ()

    @property
    def asks(self) -> tuple[Ask, ...]:
        """The open questions; none when the match is over."""
        return () if self.position.over else tuple(self.game.asks(self.position.table))

    @property
    def commands(self) -> tuple[type[Any], ...]:
        """The commands it accepts: those of the game and those about the score."""
        return (*self.game.commands, *match_commands.COMMANDS)

    @property
    def scoring(self) -> Scoring:
        """How totals are compared."""
        return self.position.score_sheet.scoring

    @property
    def box(self) -> str:
        """The game whose cards are on the table; empty where the match is about points only."""
        return self.game.box if isinstance(self.game, KeepsScore) else self.terms.game

    @property
    def players(self) -> tuple[Seat, ...]:
        """The seats that play now."""
        return self.game.players(self.position.table)

    @property
    def winners(self) -> tuple[Seat, ...] | None:
        """Who has won; several on a tie; None until the match is over."""
        return self.position.score_sheet.winners(self.players) if self.position.over else None

    @property
    def points(self) -> tuple[int, ...]:
        """The points of the deal in progress, by seat; all zero once the match is over."""
        if self.position.over:
            return (0,) * self.position.score_sheet.seats
        return self.game.points(self.position.table)

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of the finished deals, by seat; 0 for a seat that has just joined."""
        totals = self.position.score_sheet.totals
        return totals + (0,) * (len(self.points) - len(totals))

    def finished(self, deal: int) -> Any:  # noqa: ANN401 - a state of this game
        """The table at the end of a deal (1, 2, ...); None if that deal is not finished."""
        at: Match | None = self
        while at is not None:
            if at.position.finished is not None and len(at.position.score_sheet.deals) == deal:
                return at.position.finished
            at = at.before
        return None

    def propose(self, command: Any) -> Step | Refused:  # noqa: ANN401 - a command of this match
        """The step that a command makes, or why it is refused. Changes nothing."""
        if isinstance(command, match_commands.COMMANDS):
            return self._about_score(command)
        if self.position.over:
            fault = say("the match is over")
            return Refused(OVER, fault, say("undo the last step, or start a new match"))
        ruling = self.game.judge(self.position.table, command)
        if isinstance(ruling, Refused):
            return ruling
        table = self.position.table
        for event in ruling.events:
            table = self.game.apply(table, event)
        events = ruling.events
        if self.game.over(table):
            events = (*events, DealScored(self.game.points(table)))
        return self._step(command, events, ruling.because)

    def _about_score(self, command: match_commands.Command) -> Step | Refused:
        position = self.position
        ruling = match_commands.judge(position.score_sheet, len(self.totals), command, over=position.over)
        if isinstance(ruling, Refused):
            return ruling
        after = self._fold(ruling.events)
        so = match_commands.consequence(self._standing(position), self._standing(after))
        return self._step(command, ruling.events, (*ruling.because, *so))

    def _step(self, command: Any, events: tuple[Any, ...], because: tuple[Because, ...]) -> Step:  # noqa: ANN401
        reasons = tuple((reason.rule.key, str(reason.says)) for reason in because)
        return Step(self.steps + 1, command, events, reasons)

    def _standing(self, position: Position) -> Standing:
        score_sheet = position.score_sheet
        places = score_sheet.standings(self.game.players(position.table))
        return Standing(
            score_sheet.winners(self.game.players(position.table)),
            places[0].total,
            position.over,
            score_sheet.over(self.game.end),
            position.deal,
        )

    def undo(self) -> Step | Refused:
        """The step that undoes the latest active one."""
        if self.newest is None:
            return Refused(UNDO, say("there is nothing to undo"), say("play the first card"))
        return Step(self.steps + 1, voids=self.newest.number)

    def redo(self) -> Step | Refused:
        """The step that redoes what was undone last; possible only until another step is made."""
        if not self.undone:
            return Refused(UNDO, say("there is nothing to redo"), say("continue the match"))
        gone = self.undone[0]
        return Step(self.steps + 1, gone.command, gone.events, gone.because, redoes=gone.number)

    def then(self, step: Step) -> Match:
        """The match after a step. Raises `InvalidRecord` for a step that does not follow."""
        if step.number != self.steps + 1:
            raise InvalidRecord(
                f"step {step.number} cannot follow step {self.steps}", f"the next step is {self.steps + 1}"
            )
        if step.voids is not None:
            return self._without(step)
        corrects = step.events and all(isinstance(event, ScoreCorrected) for event in step.events)
        if self.position.over and not corrects:
            raise InvalidRecord(
                f"step {step.number} comes after the end of the match",
                "only an undo or a score correction can follow",
            )
        if step.redoes is not None and (not self.undone or self.undone[0].number != step.redoes):
            raise InvalidRecord(
                f"step {step.number} redoes step {step.redoes}, which is not the step undone last",
                "redo the step that was undone last",
            )
        # Only a redo keeps what else could be redone: after any other step the undone ones would follow
        # a position in which they were never judged.
        undone = self.undone[1:] if step.redoes is not None else ()
        return Match(self.terms, self.game, self._fold(step.events), step.number, step, self, undone)

    def _without(self, step: Step) -> Match:
        if self.newest is None or self.before is None or self.newest.number != step.voids:
            raise InvalidRecord(
                f"step {step.number} voids step {step.voids}, which is not the latest active step",
                f"void step {self.newest.number}" if self.newest else "nothing is left to void",
            )
        # The position of the match before is taken as it is: nothing is computed again. Only the number of
        # steps goes on counting, because the undo is a step of the log itself.
        earlier = self.before
        undone = (self.newest, *self.undone)
        return Match(
            self.terms, self.game, earlier.position, step.number, earlier.newest, earlier.before, undone
        )

    def _fold(self, events: tuple[Any, ...]) -> Position:
        position = self.position
        for event in events:
            position = self._after(position, event)
        return position

    def _after(self, position: Position, event: Any) -> Position:  # noqa: ANN401 - an event of this match
        match event:
            case DealScored(points):
                return self._next(position.table, position.score_sheet.scored(points), position.deal)
            case ScoreCorrected(deal, old, new):
                return self._rescored(position, position.score_sheet.corrected(deal, old, new))
            case MatchEnded():
                return replace(position, over=True)
            case _:
                return replace(position, table=self.game.apply(position.table, event))

    def _next(self, finished: Any, score_sheet: ScoreSheet, deal: int) -> Position:  # noqa: ANN401 - a state of this game
        """After deal number `deal`, which ended as `finished`: the end of the match, or the next deal."""
        if score_sheet.over(self.game.end):
            return Position(finished, score_sheet, deal, finished, over=True)
        starter = self.game.starter(deal + 1, self.terms.first, finished)
        table = self.game.start(score_sheet.seats, self.game.players(finished), starter)
        return Position(table, score_sheet, deal + 1, finished)

    def _rescored(self, position: Position, score_sheet: ScoreSheet) -> Position:
        """The position as if the new score had been there at first, unless something was played since.

        A deal that has begun is played to its end, as always; then it is decided whether the match is over.
        """
        finished, deals = position.finished, len(score_sheet.deals)
        # Equal to what the last deal led to: no card of the next deal was played and nobody has ended the
        # match by hand. Then the end of that deal is decided again, with the new score: the match may end, or
        # open again, or the next deal may get another starter. Otherwise only the score changes.
        if position == self._next(finished, position.score_sheet, deals):
            return self._next(finished, score_sheet, deals)
        return replace(position, score_sheet=score_sheet)


def begin(terms: Terms) -> Match:
    """A match before its first step. Raises `InvalidRecord` or `UnknownGame` for invalid terms."""
    game = games.module(terms.game).make(terms.seats, terms.options)
    if not 0 <= terms.first < terms.seats:
        raise InvalidRecord(
            f"seat {quoted(terms.first)} cannot be first", f"use a seat from 0 to {terms.seats - 1}"
        )
    table = game.start(terms.seats, tuple(Seat(seat) for seat in range(terms.seats)), terms.first)
    scoring = game.scoring if isinstance(game, KeepsScore) else LOWEST_WINS
    return Match(terms, game, Position(table, ScoreSheet(terms.seats, scoring=scoring), 1))
