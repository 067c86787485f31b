"""Which game somebody learns, plays with the box or watches; and the lesson: questions, answered by keys.

A card that is held to the scanner before a game is chosen is shown with its number and what it costs.
"""

from collections.abc import Callable
from enum import Enum
from functools import lru_cache, partial
from typing import ClassVar, Final

from companion.core import games
from companion.core.board import Stack
from companion.core.cards import Card
from companion.core.codes import CardCode
from companion.match import lesson
from companion.text.sentence import BULL, NOTHING, Text, count, literal, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import CROSS, LARGE, MEDIUM, SMALL
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import LOW_PX, MAIN_WORDS, Plan, large_plan, with_small_titles, without_title
from firmware.play.effects import VisitorAction
from firmware.play.table import Item, Table
from firmware.screens.parts.base import ANY_KEY, KEYS, OK_BACK, Keys, KeyUse, Page, back
from firmware.screens.parts.kinds import ChoiceList, LargeList, ListPage
from firmware.screens.turn.table import CardsOfGame, are_rows, beside_rows, beside_words, light_row
from firmware.session.actions import ROW_KEYS
from firmware.session.session import Session
from hardware.ports import Key, Signal

_HEADS_PX: Final = 28
"""Height of cards and their heads."""
_LIST_PX: Final = 86
"""Width of the answers beside a card."""

_MOST_EXERCISES: Final = 32
"""Answers of the referee that are kept: the lessons of all games."""


@lru_cache(maxsize=_MOST_EXERCISES)
def _answered(game: str, place: int) -> lesson.AnsweredExercise:
    return lesson.answered(game, lesson.lesson_of(game)[place])


def begin_lesson(game: str, table: Table) -> None:
    """Put the first question on top."""
    table.count(VisitorAction.LESSON_BEGUN)
    table.signal(Signal.ACCEPTED)
    table.open(Lesson(game))


class Lesson(LargeList):
    """A question of the lesson, at place `at` (0-based).

    `wrong` are the answers that were given and are not right: then the page says in short why the newest one
    is not, and asks again.
    """

    HAS_TIME = True
    game: str
    at: int = 0
    wrong: tuple[int, ...] = ()

    @property
    def exercise(self) -> lesson.Exercise:
        return lesson.lesson_of(self.game)[self.at]

    @property
    def known(self) -> lesson.AnsweredExercise:
        """What the referee says about every answer."""
        return _answered(self.game, self.at)

    @property
    def part(self) -> str:
        return f"{self.at + 1}/{len(lesson.lesson_of(self.game))}"

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout, exercise = session.translate, Layout(canvas, session.plan), self.exercise
        cards, board, verdicts = CardsOfGame(self.game, t), self.known.board, self.known.verdicts
        wrong = bool(self.wrong)
        layout.crossed = self.wrong
        rule = t.say(verdicts[self.wrong[-1]].short if wrong else exercise.hint)
        title = t("NOT THIS ONE") if wrong else t.say(exercise.says)
        if self._has_rows and board is not None and are_rows(board.stacks):
            layout.costs = exercise.kind is lesson.ExerciseKind.CHEAPEST
            side = beside_rows(layout, cards, board.stacks, title)
            layout.stack(side, (Big(t("{card}?", card=Card(int(exercise.card)))), rule))
            return
        if exercise.kind is lesson.ExerciseKind.COST and board is not None:
            layout.frame(title, rule, aside=t.digits(self.part), needs_px=_HEADS_PX + 2 * LOW_PX)
            stack = next(stack for stack in board.stacks if len(stack.cards) == stack.room)
            _draw_heads(layout, cards, stack)
            layout.free = layout.free.below(_HEADS_PX)
            _draw_keys(layout, self.labels(session))
            return
        layout = Layout(canvas, self.plan(session))
        layout.crossed = self.wrong
        layout.title(rule if wrong else title, "" if wrong else t.digits(self.part))
        top = cards.label(board.stacks[0].cards[-1]) if board is not None else ""
        top = top if top.isdigit() else ""  # else the question names it
        self.draw_choices(layout, session, width_px=_LIST_PX if top else 0)
        if top:
            free = layout.free
            _, beside = layout.split(Area(0, free.y_px + 1, 128, free.height_px - 1), _LIST_PX, 2)
            _draw_card(layout, beside, top)

    def plan(self, session: Session) -> Plan:
        return with_small_titles(super().plan(session))

    def keys(self, session: Session) -> Keys:
        """The answers; after a wrong one WHY tells all that the referee says."""
        keys = super().keys(session)
        if self.wrong:
            plays = self.exercise.kind is not lesson.ExerciseKind.WINNER
            reason = LessonWrong(self.known.verdicts[self.wrong[-1]].says, plays=plays)
            keys[Key.WHY] = KeyUse(lambda at: at.open(reason), help=say("THE REASON"))
        return keys

    def take_card(self, action: CardCode, table: Table) -> bool:
        texts = lesson.answers(self.exercise, self.known.board)
        if self.exercise.kind is not lesson.ExerciseKind.PLAY or action.card not in texts:
            return False
        self.chosen(texts.index(action.card), table)
        return True

    def offers(self, session: Session) -> list[tuple[Text, int]]:
        return [(self._label(place, session), place) for place in range(len(self.known.verdicts))]

    def choices(self, session: Session) -> ChoiceList[int]:
        """The answers; beside rows there are four of them."""
        keys = len(ROW_KEYS) if self._has_rows else session.plan.choices
        return replace(super().choices(session), per_page=keys)

    def chosen(self, item: int, table: Table) -> None:
        """Say what the referee says about an answer."""
        verdict = self.known.verdicts[item]
        if not verdict.right:
            table.signal(Signal.REFUSED)
            table.show(replace(self, wrong=(*self.wrong, item)))
            return
        last = self.at + 1 == len(lesson.lesson_of(self.game))
        if last:
            table.count(VisitorAction.LESSON_FINISHED)
        table.signal(Signal.WON if last else Signal.ACCEPTED)
        table.show(LessonRight(self.game, self.at, item))

    def _label(self, place: int, session: Session) -> Text:
        t, exercise = session.translate, self.exercise
        if place >= len(exercise.choices):  # a row or a card of the picture
            return NOTHING
        choice = exercise.choices[place]
        in_heads = exercise.kind is lesson.ExerciseKind.WINNER and CardsOfGame(self.game, t).in_heads
        unit = f" {BULL}" if in_heads else ""
        label = t.say(choice.label).upper() if choice.label.template else t.number(int(choice.text))
        return literal(f"{label}{unit}")

    @property
    def _has_rows(self) -> bool:
        return self.exercise.kind in (lesson.ExerciseKind.PLACE, lesson.ExerciseKind.CHEAPEST)


def _draw_card(layout: Layout, area: Area, label: str) -> None:
    """The card that lies there, in the middle of an area."""
    canvas = layout.canvas
    high_px = min(area.height_px - 2, 40)
    y_px = area.middle_px(high_px)
    canvas.frame(area.x_px + 2, y_px, area.width_px - 4, high_px)
    layout.main(Area(area.x_px + 5, y_px + (high_px - 24) // 2, area.width_px - 10, 24), label)


def _draw_heads(layout: Layout, cards: CardsOfGame, stack: Stack) -> None:
    """The cards of a row, and below each its heads."""
    cell_px, y_px = layout.free.width_px // len(stack.cards), layout.free.y_px + 2
    for place, card in enumerate(stack.cards):
        middle_px = cell_px * place + cell_px // 2
        layout.canvas.text_centre(middle_px, y_px, cards.label(card), MEDIUM)
        heads = f"{cards.translate.number(cards.worth(card))}{BULL}"
        layout.canvas.text_centre(middle_px, y_px + MEDIUM.height_px + 4, heads, SMALL)


def _draw_keys(layout: Layout, labels: list[str]) -> None:
    """Answers side by side, each beside its key."""
    area = layout.free
    layout.canvas.note(
        *(f"{place + 1}={one}" for place, one in enumerate(labels) if place not in layout.crossed)
    )
    for place, label in enumerate(labels):
        cell = layout.column(area, len(labels), place)
        _, cell = layout.split(cell, 4)
        key, beside = layout.split(cell, 11, 4)
        if place in layout.crossed:
            layout.put(key, CROSS, SMALL, centre=True)
        else:
            layout.key(key, str(place + 1), SMALL)
        layout.put(beside, label, layout.plan.row_font)


class LessonWrong(Page):
    """All that the referee says about a wrong answer. `plays`: the learner is the first player."""

    KEYS: ClassVar = dict.fromkeys(ANY_KEY, OK_BACK)
    HAS_TIME = True
    says: Text
    plays: bool = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        named = t.calling((t("GUEST"),)) if self.plays else t
        layout.sentence(t("NOT THIS ONE"), named.say(self.says), *self.hints(session))


class LessonRight(Page):
    """The right answer, the row after it, and the rule; the next question follows by itself."""

    DISMISS_ON_OK = True
    CONTINUES_BY_ITSELF = True
    HAS_TIME = True
    game: str
    at: int
    answer: int

    @property
    def known(self) -> lesson.AnsweredExercise:
        """What the referee says about every answer."""
        return _answered(self.game, self.at)

    @property
    def stays_s(self) -> float:
        """For a short sentence."""
        return 5.0

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout, known = session.translate, Layout(canvas, session.plan), self.known
        right, says = Big(t("RIGHT!")), t.say(known.verdicts[self.answer].short)
        stacks = _rows_after(known, self.answer)
        if are_rows(stacks):
            side = beside_rows(layout, CardsOfGame(self.game, t), stacks, right.text)
            light_row(layout, self.answer)
            side = beside_words(layout, side, right.text, layout.plan.row_pitch_px)
            layout.words(side, says, MAIN_WORDS)
            return
        layout.hints(*self.hints(session))
        layout.stack(layout.free, (right, says))

    def following(self, session: Session) -> Page:
        """The next question, or the end."""
        last = self.at + 1 == len(lesson.lesson_of(self.game))
        return LessonEnd(self.game) if last else Lesson(self.game, self.at + 1)

    def keys(self, session: Session) -> Keys:
        """Any key but UNDO goes on at once; UNDO asks again."""
        again, on = Lesson(self.game, self.at), self.following(session)
        go_on = KeyUse(lambda at: at.show(on), say("OK=NEXT"))
        return {
            **dict.fromkeys(KEYS, go_on),
            Key.UNDO: KeyUse(lambda at: at.show(again), help=say("ASK AGAIN")),
        }


def _rows_after(known: lesson.AnsweredExercise, answer: int) -> tuple[Stack, ...]:
    """The rows with the card in the row that was answered; empty where the answer is no row."""
    before, after = known.board, known.after
    if before is None or after is None or len(known.verdicts) != len(before.stacks):
        return ()
    return (*before.stacks[:answer], after.stacks[answer], *before.stacks[answer + 1 :])


class LessonEnd(LargeList):
    """The lesson is over: play, watch, or the lesson again."""

    TITLE = say("THAT IS ALL!")
    game: str

    def offers(self, session: Session) -> list[Item]:
        again = (say("LESSON AGAIN"), partial(begin_lesson, self.game))
        if not session.can_deal:
            return [again]
        return [
            (say("PLAY"), lambda at: at.deal(self.game, visitors=1)),
            (say("WATCH"), lambda at: at.deal(self.game, visitors=0)),
            again,
        ]

    def chosen(self, item: Callable[[Table], object], table: Table) -> None:
        table.close()
        item(table)


class Wish(Enum):
    """What somebody who does not know a game can do with it."""

    LEARN = "learn"
    PLAY = "play"
    WATCH = "watch"


def taught() -> tuple[str, ...]:
    """The games that have a lesson, so that strangers can play them; the first one is the usual one."""
    return tuple(key for key in games.GAMES if lesson.lesson_of(key))


def taught_game(code: str) -> str | None:
    """The taught game whose card codes begin with these two characters; the first one for a bare number."""
    return next((game for game in taught() if code in ("", games.module(game).CODE)), None)


class CardShownPage(Page):
    """A card was held to the scanner: its name and what it costs, large. Any key goes on beneath it."""

    game: str
    card: str
    KEYS: ClassVar = dict.fromkeys(ANY_KEY, KeyUse(back, say("OK=LEARN AND PLAY")))

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        cards = CardsOfGame(self.game, t)
        worth = cards.worth(self.card)
        layout.hints(*self.hints(session))
        free = layout.free
        if cards.in_heads:
            canvas.text_centre(64, 4, f"{cards.label(self.card)}: {t.number(worth)}{BULL}", LARGE)
            words = t.say(count("{count} HEAD", "{count} HEADS", worth))
        else:
            layout.main(Area(0, 6, 128, 16), cards.named(self.card), MAIN_WORDS)
            words = t.say(count("{count} POINT", "{count} POINTS", worth))
        layout.words(free.below(30), words, MAIN_WORDS)

    def take_card(self, action: CardCode, table: Table) -> bool:
        shown = shown_card(action, table)
        if shown is not None:
            table.show(shown)
        return shown is not None


def shown_card(action: CardCode, table: Table) -> CardShownPage | None:
    """The page for a card; None for one of no game that is taught here."""
    if (game := taught_game(action.game)) is None:
        return None
    card = CardsOfGame(game, table.session.translate).card_of(action.card)
    return None if card is None else CardShownPage(game, card)


def show_card(action: CardCode, table: Table, beneath: Callable[[str], Page]) -> bool:
    """Show a card over the page in front, which remembers its game; False for one of no game taught here."""
    shown = shown_card(action, table)
    if shown is None:
        return False
    table.show(beneath(shown.game))
    table.open(shown)
    return True


def choose_game(wish: Wish, game: str, table: Table) -> None:
    """Ask which game, where there are several. `game` is under the cursor; empty: none."""
    known = taught()
    if len(known) == 1:
        _begin_with(wish, known[0], table)
        return
    table.signal(Signal.ACCEPTED)
    table.open(WhichGame(wish, cursor=known.index(game) if game else None))


class WhichGame(ListPage):
    """The games that are taught, the usual one first, and the way back."""

    OK_SELECTS_FIRST = True
    UNDO = KeyUse(back, help=say("BACK"))
    wish: Wish

    def plan(self, session: Session) -> Plan:
        """Large letters, and all the room."""
        return without_title(large_plan(session.plan))

    def offers(self, session: Session) -> list[tuple[Text, str]]:
        t = session.translate
        titles = [(literal(t.title(games.module(game).TITLE).upper()), game) for game in taught()]
        return [*titles, (say("BACK"), "")]

    def take_card(self, action: CardCode, table: Table) -> bool:
        """Show the card; its game is under the cursor then."""
        return show_card(action, table, lambda game: replace(self, cursor=taught().index(game)))

    def chosen(self, item: str, table: Table) -> None:
        table.close()
        if item:
            _begin_with(self.wish, item, table)


def _begin_with(wish: Wish, game: str, table: Table) -> None:
    match wish:
        case Wish.LEARN:
            begin_lesson(game, table)
        case Wish.PLAY:
            table.open(HowMany(game))
        case Wish.WATCH:
            table.deal(game, visitors=0)


class HowMany(LargeList):
    """Whether one visitor plays or two share the box."""

    OK_SELECTS_FIRST = True
    UNDO = KeyUse(back, help=say("BACK"))
    game: str

    def heading(self, session: Session) -> str:
        return session.translate.title(games.module(self.game).TITLE)

    def offers(self, session: Session) -> list[tuple[Text, int]]:
        return [(say("ONE PLAYER"), 1), (say("TWO PLAYERS"), 2), (say("BACK"), 0)]

    def take_card(self, action: CardCode, table: Table) -> bool:
        return show_card(action, table, lambda _game: self)

    def chosen(self, item: int, table: Table) -> None:
        table.close()
        if item:
            table.deal(self.game, item)
