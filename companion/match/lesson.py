"""Lessons and a played scene: positions with a question that the referee itself can answer.

A lesson is data. An exercise says what lies on the table, what is asked and what can be answered. Which
answers are right, and why the others are not, is not written down: every answer is played, and what the
referee does and says is what the learner is told. So a lesson cannot teach another rule than the one in play.

A game that has a lesson offers it as `LESSON` in its file `lesson`, and a turn to look at as `SCENE`.
`OPTIONS` are those with which people play who have just learned it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.core import games, score_sheet
from companion.core.ask import AskKind
from companion.core.cards import Card, Seat
from companion.core.ruling import Refused
from companion.core.score_sheet import ScoreSheet
from companion.match.match import Match, Terms, begin
from companion.text.sentence import NOTHING, Text, count, say
from companion.values import Value

if TYPE_CHECKING:
    from companion.core.board import Board, PlacedCard

LEARNER: Final = Seat(0)


class ExerciseKind(Enum):
    """What is asked."""

    PLACE = "place"
    """To which stack the card goes. The answers are the stacks."""

    PLAY = "play"
    """What may be played. Each answer is a card, or another thing that can be done."""

    COST = "cost"
    """How many heads the card costs. The answers are numbers."""

    CHEAPEST = "cheapest"
    """Which stack to take: any is legal, and the cheapest is asked for. The answers are the stacks."""

    WINNER = "winner"
    """Who wins. The answers are the totals of the players."""


class LessonChoice(NamedTuple):
    """An answer: its text as the question of this kind takes it, and what people read of another text."""

    text: str
    label: Text = NOTHING
    kind: AskKind = AskKind.PLAY


def numbers(*numbers: int) -> tuple[LessonChoice, ...]:
    """Numbers to choose from: heads, or the totals of the players."""
    return tuple(LessonChoice(str(number)) for number in numbers)


class Exercise(Value):
    """A question about a table. `stacks` lie there; `card` is the learner's, `others` those of the turn.

    `says` is the question in up to 21 columns, `hint` the rule by which it is answered.
    """

    kind: ExerciseKind
    says: Text
    hint: Text
    stacks: tuple[tuple[str, ...], ...] = ()
    card: str = ""
    others: tuple[str, ...] = ()
    choices: tuple[LessonChoice, ...] = ()
    seats: int = 2


class Scene(Value):
    """A turn that is played before the eyes of people: the stacks, and the cards in the order of seats."""

    stacks: tuple[tuple[str, ...], ...]
    cards: tuple[str, ...]


class Verdict(NamedTuple):
    """What the referee says about an answer, and the one thing in short that is right or wrong with it."""

    right: bool
    says: Text
    short: Text


class AnsweredExercise(NamedTuple):
    """An exercise with all its answers: `stacks` is the table before, `verdicts` one for each answer.

    `after` is the table once the right answer was played; None where nothing is played.
    """

    board: Board | None
    verdicts: tuple[Verdict, ...]
    after: Board | None


def lesson_of(game: str) -> tuple[Exercise, ...]:
    """The lesson of a game; empty where it has none."""
    return getattr(games.lesson_file(game), "LESSON", ())


def options_for_strangers(game: str) -> Mapping[str, Any]:
    """The options with which people play who have just learned the game; the usual ones if there are none."""
    return getattr(games.lesson_file(game), "OPTIONS", {})


def scene_of(game: str) -> Scene | None:
    """The turn of a game to look at; None where it has none."""
    return getattr(games.lesson_file(game), "SCENE", None)


def answered(game: str, exercise: Exercise) -> AnsweredExercise:
    """What the referee says about each answer to an exercise. Raises `ValueError` for one that it refuses."""
    if exercise.kind is ExerciseKind.WINNER:
        return AnsweredExercise(None, _who_wins(game, exercise), None)
    match = _set_up(game, exercise.stacks, exercise.seats)
    board = match.board
    if exercise.kind is ExerciseKind.PLAY:
        return _what_fits(match, exercise)
    if exercise.kind is ExerciseKind.CHEAPEST:
        return _cheapest(match, exercise)
    after = _played(match, (exercise.card, *exercise.others), "")
    line = _line_of(after, exercise.card)
    if exercise.kind is ExerciseKind.PLACE:
        short = _comparisons(board, line, exercise)
        verdicts = [Verdict(name == line.place, line.because.says, short[name]) for name in short]
    else:
        heads = count("{count} HEAD", "{count} HEADS", line.heads)
        right = {text: text == str(line.heads) for text in answers(exercise, board)}
        verdicts = [
            Verdict(is_right, line.because.says, heads if is_right else exercise.hint)
            for is_right in right.values()
        ]
    return AnsweredExercise(board, tuple(verdicts), after.board)


def answers(exercise: Exercise, board: Board | None) -> tuple[str, ...]:
    """The answers to an exercise: those it names, else the stacks on the table."""
    if exercise.choices or board is None:
        return tuple(choice.text for choice in exercise.choices)
    return tuple(stack.name for stack in board.stacks)


def _comparisons(board: Board, line: PlacedCard, exercise: Exercise) -> dict[str, Text]:
    """What is right or wrong with each stack for a card that goes where `line` says, by its last card."""
    ends = {stack.name: int(stack.cards[-1]) for stack in board.stacks}
    closer = say("{end} IS CLOSER", end=Card(ends[line.place]))
    wrong = {
        name: say("{end} IS HIGHER", end=Card(end)) if end > int(line.card) else closer
        for name, end in ends.items()
    }
    return {**wrong, line.place: say("THE SIXTH CARD TAKES THE ROW") if line.heads else exercise.hint}


def played_scene(game: str, scene: Scene) -> tuple[Board, Board]:
    """The table before and after a scene. Raises `ValueError` for one that the referee refuses."""
    match = _set_up(game, scene.stacks, len(scene.cards))
    return match.board, _played(match, scene.cards, "").board


def _set_up(game: str, stacks: tuple[tuple[str, ...], ...], seats: int) -> Match:
    match = begin(Terms(game, seats))
    return _after(match, match.game.adopt(stacks, None))


def _after(match: Match, command: Any) -> Match:  # noqa: ANN401 - a command of the game
    step = match.propose(command)
    if isinstance(step, Refused):
        raise ValueError(f"{step.fault}: {step.fix}")  # noqa: TRY004 - the data are wrong, not their type
    return match.then(step)


def _played(match: Match, cards: tuple[str, ...], taken: str) -> Match:
    """The match after a turn in which each seat plays a card; `taken` is the stack that is chosen."""
    for seat, card in enumerate(cards):
        match = _after(match, match.game.read(match.asks[0], Seat(seat), card))
    while match.asks and match.asks[0].kind is AskKind.CHOOSE:
        choice = next(stack.choice for stack in match.board.stacks if stack.name == taken)
        match = _after(match, match.game.read(match.asks[0], None, choice))
    return match


def _line_of(match: Match, card: str) -> PlacedCard:
    return next(line for line in match.board.newest if line.card == card)


def _what_fits(match: Match, exercise: Exercise) -> AnsweredExercise:
    verdicts, after = [], None
    for choice in exercise.choices:
        ask = next(ask for ask in match.asks if ask.kind is choice.kind)
        step = match.propose(match.game.read(ask, LEARNER, choice.text))
        if isinstance(step, Refused):
            verdicts.append(Verdict(right=False, says=step.fault, short=exercise.hint))
            continue
        after = match.then(step).board
        says = step.because[0].says if step.because else choice.label
        verdicts.append(Verdict(right=True, says=says, short=exercise.hint))
    return AnsweredExercise(match.board, tuple(verdicts), after)


def _cheapest(match: Match, exercise: Exercise) -> AnsweredExercise:
    turn = (exercise.card, *exercise.others)
    after = {stack.name: _played(match, turn, stack.name) for stack in match.board.stacks}
    lines = {name: _line_of(then, exercise.card) for name, then in after.items()}
    cheapest = min(lines, key=lambda name: lines[name].heads)
    end = next(stack.cards[-1] for stack in match.board.stacks if stack.name == cheapest)
    less = say("{end} COSTS LESS", end=Card(int(end)))
    verdicts = [
        Verdict(name == cheapest, line.because.says, exercise.hint if name == cheapest else less)
        for name, line in lines.items()
    ]
    return AnsweredExercise(match.board, tuple(verdicts), after[cheapest].board)


def _who_wins(game: str, exercise: Exercise) -> tuple[Verdict, ...]:
    totals = tuple(int(choice.text) for choice in exercise.choices)
    players = tuple(Seat(seat) for seat in range(len(totals)))
    sheet = ScoreSheet(len(totals)).scored(totals)
    made = games.module(game).make(len(totals), {})
    rules = getattr(made, "end_rules", score_sheet.USUAL)
    says = next(iter(score_sheet.why_won(sheet, players, rules))).says
    return tuple(Verdict(seat in sheet.winners(players), says, exercise.hint) for seat in players)
