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

*Redo is the memory of undo.* `lines` holds the ways on from here that were undone, the newest first. A redo
makes the events of a step true again as a step of its own, without judging again: the position is the one in
which they were judged. After any other step these lines stay at the match before it, so an undo finds them.

*Each event is applied once.* To rule on a command is to know where its events lead, so a step of `propose`
carries its `Outcome`, and `then` takes the position from there. It does so only for the same events after the
same match: any other step, such as one that was read from a log, is folded.

*What the match adds to a game.* A game knows one deal. When a deal is over, `propose` adds `DealScored` to
the step that ended it, and the fold opens the next deal or ends the match (`position`). The reasons for
this are computed from the position, so they can be told of any match at any time.

*A tie.* Several with the best total share the win, unless they agree on anything else while the match is
over: then `TieSettled` says so, and the better last deal decides, or one more deal is played.

*Corrections after the end.* A score may be corrected at any time, also of a deal long ago and after the
match is over. A correction can end a match, or reopen it: see `position`. A game may let its last turn
be corrected until something of the next deal was played: then `DealReopened` makes the finished deal the one
in progress again, in the same step as what follows from the correction.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from companion.core import games
from companion.core.cards import Seat
from companion.core.game import Game
from companion.core.ruling import Allowed, Because, Join, Reason, Refused, Rule
from companion.core.score_sheet import DealScored, Place, ScoreSheet, Scoring
from companion.match import commands as match_commands
from companion.match import position as positions
from companion.match.commands import AtTable, DealReopened, ScoreCorrected, TieSettled
from companion.match.position import Position, after_event, fold, next_deal
from companion.text.errors import InvalidRecord, quoted
from companion.text.sentence import say
from companion.values import Value, cached_property, field, replace

if TYPE_CHECKING:
    from companion.core.ask import Ask, AskKind
    from companion.core.board import Board

UNDO = Rule("M-UNDO", "this device", "UNDO", "Every step can be undone, back to the beginning of the match.")
FIRST_SEAT: Final = Seat(0)
OVER = Rule("M-OVER", "this device", "MATCH OVER", "Once a match is over, no more cards can be played.")


class Terms(Value):
    """What was agreed before the first card; within a match only `badges` may change."""

    game: str
    seats: int
    options: Mapping[str, Any] = field(default_factory=dict)
    first: Seat = FIRST_SEAT
    badges: tuple[int, ...] = ()
    """The badge number of each seat, where players joined with badges, as printed on them.

    After the players who started, there may be badges of seats that joined later, even if that was undone.
    """
    robots: tuple[str, ...] = ()
    """By seat, the level of the robot that plays there; empty for a person. Seats after it are people's."""


class Step(Value, eq=False):
    """One entry of the log.

    A step has either `events` (with the command they come from and the reasons given then)
    or the number of the step it `voids`. `redoes` is the number of the voided step whose
    events it repeats. `outcome` is no part of the log: it is known only for a step that was
    just proposed.
    """

    number: int
    command: Any = None
    events: tuple[Any, ...] = ()
    because: tuple[Reason, ...] = ()
    voids: int | None = None
    redoes: int | None = None
    outcome: Outcome | None = None

    def __eq__(self, other: object) -> bool:
        """Whether the log of both is the same; `outcome` does not count."""
        return isinstance(other, Step) and self._logged() == other._logged()

    def __hash__(self) -> int:
        """The hash of its number: commands may hold mappings."""
        return hash(self.number)

    def _logged(self) -> tuple[Any, ...]:
        return (self.number, self.command, self.events, self.because, self.voids, self.redoes)


class Outcome(Value, eq=False):
    """The position to which `events` lead after `match`, as it was worked out while they were judged."""

    match: Match
    events: tuple[Any, ...]
    position: Position

    def __repr__(self) -> str:
        """Short: a match holds all its steps."""
        return f"Outcome({self.position!r})"


class Match(Value, eq=False, dict=True):
    """A match at one moment. `before` is the same match without its latest active step."""

    terms: Terms
    game: Game
    position: Position
    steps: int = 0
    newest: Step | None = None
    before: Match | None = None
    lines: tuple[tuple[Step, ...], ...] = ()
    """The steps that can be redone here, each line with the next one first: what was undone last is first."""

    @cached_property
    def asks(self) -> tuple[Ask, ...]:
        """The open questions; none when the match is over."""
        return () if self.position.over else tuple(self.game.asks(self.position.table))

    @property
    def first(self) -> Seat:
        """Who started the first deal."""
        return self.terms.first

    @property
    def commands(self) -> tuple[type[Any], ...]:
        """The commands it accepts: those of the game and those about the score."""
        return (*self.game.commands, *match_commands.COMMANDS)

    @property
    def scoring(self) -> Scoring:
        return self.position.score_sheet.scoring

    @property
    def box(self) -> str:
        """The game whose cards are on the table; empty where the match is about points only."""
        return self.game.box

    @property
    def title(self) -> str:
        """The title of the game, as on its box."""
        return games.module(self.box).TITLE if self.box else self.game.title

    @property
    def players(self) -> tuple[Seat, ...]:
        return self.game.players(self.position.table)

    @property
    def winners(self) -> tuple[Seat, ...] | None:
        """Who has won; several on a tie; None until the match is over."""
        return self.position.score_sheet.winners(self.players) if self.position.over else None

    @property
    def tied(self) -> tuple[Place, ...]:
        """Who shares the best total of a match that is over, until it is agreed on what that means."""
        score_sheet = self.position.score_sheet
        if not self.position.over or score_sheet.settled is not None:
            return ()
        return score_sheet.tied(self.players)

    @cached_property
    def board(self) -> Board:
        """The table, for drawing; that of the deal in progress."""
        return self.game.board(self.position.table)

    @cached_property
    def points(self) -> tuple[int, ...]:
        """The points of the deal in progress, by seat; all zero once the match is over."""
        if self.position.over:
            return (0,) * self.position.score_sheet.seats
        return self.game.points(self.position.table)

    @cached_property
    def score_sheet(self) -> ScoreSheet:
        """The points of the finished deals, also of a seat that has joined in the deal in progress."""
        sheet, seats = self.position.score_sheet, len(self.points)
        return sheet if sheet.seats >= seats else replace(sheet, seats=seats)

    @property
    def totals(self) -> tuple[int, ...]:
        """The points of the finished deals, by seat; 0 for a seat that has just joined."""
        return self.score_sheet.totals

    @property
    def places(self) -> tuple[Place, ...]:
        """The standings of those who play, best first, without the deal in progress."""
        return self.score_sheet.standings(self.players)

    @property
    def why_scored(self) -> tuple[Because, ...]:
        """Why the deal before is over, and what it cost each player; none before a deal is finished."""
        return positions.why_scored(self.game, self.position)

    @property
    def why_next(self) -> tuple[Because, ...]:
        """Why the match is over and who has won, or why it goes on and who starts the deal in progress."""
        return positions.why_next(self.game, self.first, self.position)

    @property
    def can_correct_finished(self) -> bool:
        """Whether the cards of the deal that has just ended can still be corrected.

        Nothing was played since, and the score is that of the cards: a score that was corrected by hand
        would be lost.
        """
        position, deals = self.position, self.position.score_sheet.deals
        if not deals or position.finished is None or deals[-1] != self.game.points(position.finished):
            return False
        return position == next_deal(self, position.finished, position.score_sheet, len(deals))

    def finished(self, deal: int) -> Any:  # noqa: ANN401 - a state of this game
        """The table at the end of a deal (1, 2, ...); None if that deal is not finished."""
        at: Match | None = self if deal <= len(self.position.score_sheet.deals) else None
        while at is not None:
            if at.position.finished is not None and len(at.position.score_sheet.deals) == deal:
                return at.position.finished
            at = at.before
        return None

    def play(self, text: str, seat: int | None = None, kind: AskKind | None = None) -> Match | Refused:
        """The match after an answer to an open question, or why the answer is refused.

        `text` is the name of a card, or one of the choices of the question. `seat` (from 0) is who answers;
        None if nobody knows. `kind` says which of several open questions is answered, None the first one: "2"
        may be a card and a pile. It is `read`, `propose` and `then` in one for programs that store no steps.
        Raises `UnknownCard` for a text that is no answer, `ValueError` where no such question is open.
        """
        if self.position.over:
            return self._refused_as_over()
        ask = next((ask for ask in self.asks if kind in (None, ask.kind)), None)
        if ask is None:
            raise ValueError(f"no question of the kind {kind} is open")
        step = self.propose(self.game.read(ask, None if seat is None else Seat(seat), text))
        return step if isinstance(step, Refused) else self.then(step)

    def _refused_as_over(self) -> Refused:
        return Refused(OVER, say("the match is over"), say("undo the last step, or start a new match"))

    def live_steps(self) -> list[tuple[Match, Step, Match]]:
        """The steps that were not undone, oldest first: the match before, the step, the match after."""
        found = []
        at = self
        while at.before is not None and at.newest is not None:
            found.append((at.before, at.newest, at))
            at = at.before
        return found[::-1]

    def propose(self, command: Any) -> Step | Refused:  # noqa: ANN401 - a command of this match
        """The step that a command makes, or why it is refused. Changes nothing."""
        # By its type: `isinstance` takes several times as long for a struct that is of another class.
        if type(command) in match_commands.COMMANDS:
            return self._about_score(command)
        reopened = self._reopened_by(command)
        if self.position.over and not reopened:
            return self._refused_as_over()
        start = fold(self, self.position, reopened)
        ruling = self.game.judge(start.table, command)
        if not isinstance(ruling, Allowed):
            return ruling
        events, because, known = (*reopened, *ruling.events), ruling.because, ruling.after
        if isinstance(command, Join):
            begun = match_commands.start_of(self.position.score_sheet, self.players, command)
            if not isinstance(begun, Allowed):
                return begun
            events, because, known = (*events, *begun.events), (*because, *begun.because), None
        after = fold(self, self.position, events) if known is None else replace(start, table=known)
        if self.game.over(after.table):
            scored = DealScored(self.game.points(after.table))
            events, after = (*events, scored), after_event(self, after, scored)
            because = (
                *because,
                *positions.why_scored(self.game, after),
                *positions.why_next(self.game, self.first, after),
            )
            return self._step(command, events, because, after)
        return self._step(command, events, because, after)

    def _reopened_by(self, command: Any) -> tuple[DealReopened, ...]:  # noqa: ANN401 - a command of this match
        """The event that a command needs first because it corrects the deal that has just ended; or none."""
        if type(command) not in self.game.corrects_finished or not self.can_correct_finished:
            return ()
        return (DealReopened(len(self.position.score_sheet.deals)),)

    def _about_score(self, command: match_commands.Command) -> Step | Refused:
        position, rules = self.position, self.game.end_rules
        table = AtTable(len(self.totals), self.players, position.over, rules)
        ruling = match_commands.judge(position.score_sheet, table, command)
        if isinstance(ruling, Refused):
            return ruling
        after = fold(self, self.position, ruling.events)
        if isinstance(ruling.events[0], TieSettled):  # its reasons say already what it means for the match
            return self._step(command, ruling.events, ruling.because, after)
        so = match_commands.consequence(
            positions.standing(self.game, position), positions.standing(self.game, after), rules
        )
        return self._step(command, ruling.events, (*ruling.because, *so), after)

    def _step(
        self,
        command: Any,  # noqa: ANN401 - a command of this match
        events: tuple[Any, ...],
        because: tuple[Because, ...],
        after: Position,
    ) -> Step:
        reasons = tuple([Reason(reason.rule.key, reason.says) for reason in because])
        return Step(self.steps + 1, command, events, reasons, outcome=Outcome(self, events, after))

    def undo(self) -> Step | Refused:
        """The step that undoes the latest active one."""
        if self.newest is None:
            return Refused(UNDO, say("there is nothing to undo"), say("continue the match"))
        return Step(self.steps + 1, voids=self.newest.number)

    def redo(self, gone: Step | None = None) -> Step | Refused:
        """The step that redoes what was undone last, or another one with which a line begins."""
        if not self.lines:
            return Refused(UNDO, say("there is nothing to redo"), say("continue the match"))
        gone = gone or self.lines[0][0]
        return Step(self.steps + 1, gone.command, gone.events, gone.because, redoes=gone.number)

    def then(self, step: Step) -> Match:
        """The match after a step. Raises `InvalidRecord` for a step that does not follow."""
        if step.number != self.steps + 1:
            raise InvalidRecord(
                f"step {step.number} cannot follow step {self.steps}",
                f"the next step is {self.steps + 1}",
            )
        if step.voids is not None:
            return self._without(step)
        if self.position.over and not _corrects(step.events):
            raise InvalidRecord(
                f"step {step.number} comes after the end of the match",
                "only an undo, a correction or what was agreed about a tie can follow",
            )
        before, lines = self, list[tuple[Step, ...]]()
        if step.redoes is not None:
            redone = [line for line in self.lines if line[0].number == step.redoes]
            if not redone:
                raise InvalidRecord(
                    f"step {step.number} redoes step {step.redoes}, which was not undone here",
                    "redo a step that was undone at this point of the match",
                )
            # What is redone is live again: an undo of it makes a line of it once more.
            others = [line for line in self.lines if line[0].number != step.redoes]
            before = replace(self, lines=tuple(others))
            lines = [line[1:] for line in redone if line[1:]]
        return Match(self.terms, self.game, self._leads_to(step), step.number, step, before, tuple(lines))

    def _leads_to(self, step: Step) -> Position:
        known = step.outcome
        # Both by identity: a copy of the step with other events, or a step of another match, is folded.
        if known is not None and known.match is self and known.events is step.events:
            return known.position
        return fold(self, self.position, step.events)

    def _without(self, step: Step) -> Match:
        if self.newest is None or self.before is None or self.newest.number != step.voids:
            raise InvalidRecord(
                f"step {step.number} voids step {step.voids}, which is not the latest active step",
                f"void step {self.newest.number}" if self.newest else "nothing is left to void",
            )
        # The position of the match before is taken as it is: nothing is computed again. Only the number of
        # steps goes on counting, because the undo is a step of the log itself.
        earlier = self.before
        lines = [(self.newest, *line) for line in self.lines or ((),)]
        return replace(earlier, terms=self.terms, steps=step.number, lines=(*lines, *earlier.lines))


def _corrects(events: tuple[Any, ...]) -> bool:
    """Whether these events can follow the end of a match.

    A score is corrected, or the last turn, or players agree on what a tie means.
    """
    if not events:
        return False
    first = events[0]
    if isinstance(first, DealReopened | TieSettled):
        return isinstance(first, DealReopened) or len(events) == 1
    return all(isinstance(event, ScoreCorrected) for event in events)


def begin(terms: Terms) -> Match:
    """A match before its first step. Raises `InvalidRecord` or `UnknownGame` for invalid terms."""
    game = games.module(terms.game).make(terms.seats, terms.options)
    if not 0 <= terms.first < terms.seats:
        raise InvalidRecord(
            f"seat {quoted(terms.first)} cannot be first",
            f"use a seat from 0 to {terms.seats - 1}",
        )
    table = game.start(terms.seats, tuple(Seat(seat) for seat in range(terms.seats)), terms.first)
    return Match(terms, game, Position(table, ScoreSheet(terms.seats, scoring=game.scoring), 1))
