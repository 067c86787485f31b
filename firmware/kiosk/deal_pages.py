"""The pages of a deal with robots: choose a card, see each card placed and why, the end, and again."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Final

from companion.ask import AskKind
from companion.match import Step
from companion.text import BULL, in_context
from firmware.display.glyphs import LARGE, TALL
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN_WORDS, large_plan, without_title
from firmware.kiosk.deal import Deal, Option, State, Told
from firmware.screens.base import Page
from firmware.screens.cards_of_game import CardsOfGame
from firmware.screens.choice import ChoiceList, Chosen, draw_choices
from firmware.screens.signs import draw_top
from firmware.screens.table import are_rows, beside_rows, draw_heads, draw_numbers, draw_rows
from firmware.session.actions import ROW_KEYS, Action, CardAction, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.board import Stack
    from companion.cards import Seat
    from companion.ruling import Refused
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import Session
    from firmware.translation import Translator

_THINK_S: Final = 0.3
_WATCHED_S: Final = 3.5
"""A placement in a deal that is only watched: it is told what happens and why."""

_SIDE_PX: Final = 72
_ROWS: Final = 4
_FORWARD: Final = (Key.DOWN, Key.RIGHT, Key.TURN_RIGHT, Key.ROW_3, Key.ROW_4)
_BACK: Final = (Key.UP, Key.LEFT, Key.TURN_LEFT, Key.ROW_1, Key.ROW_2)


def name_of(deal: Deal, seat: Seat, t: Translator) -> str:
    """What a player is called on the pages of a deal."""
    if not deal.is_visitor(seat):
        return t("ROBOT {number}", number=seat - deal.visitors + 1)
    return t("YOU") if deal.visitors == 1 else t("PLAYER {number}", number=seat + 1)


def names_of(deal: Deal, t: Translator) -> tuple[str, ...]:
    """What players are called in the sentences of the referee, by seat."""
    guest = t("GUEST")
    return tuple(
        name_of(deal, seat, t) if deal.visitors != 1 or seat else guest for seat in deal.match.players
    )


def next_page(deal: Deal, table: DealTable) -> Page:
    """The page that comes next; robots answer before it, as far as they have made up their minds."""
    match deal.advance():
        case State.TELL:
            return Placement(deal, table, deal.told[0])
        case State.OVER:
            if not deal.told_result:
                deal.told_result = True
                table.finished()
            return DealResult(deal, table)
        case State.THINK:
            return Thinking(deal, table)
        case State.ASK:
            seat = deal.asked
            assert seat is not None  # noqa: S101 - a visitor is asked
            if deal.shown_to != seat and deal.visitors > 1:
                return PassOn(deal, table, seat)
            return question(deal, table, seat)


def question(deal: Deal, table: DealTable, seat: Seat) -> Page:
    """The page on which a visitor answers."""
    options = deal.options(seat)
    if options[0].ask.kind is AskKind.CHOOSE and are_rows(deal.board.stacks):
        return WhichRow(deal, table, seat)
    if not any(option.is_card for option in options):
        return Decision(deal, table, seat)
    fitting = (place for place, option in enumerate(options) if deal.fits(option, seat))
    return Hand(deal, table, seat, next(fitting, 0))


@dataclass(frozen=True, slots=True)
class DealTable:
    """What the pages of a deal need beside it: their pace, and how another deal begins."""

    placement_s: float
    again: Callable[[Controller], None]
    finished: Callable[[], None]
    """Called once the deal is over."""


def _go_on(deal: Deal, table: DealTable, controller: Controller) -> None:
    """Show what comes next; where two share the box, the hand of who has just answered is covered."""
    if deal.visitors > 1:
        deal.shown_to = None
    controller.show(next_page(deal, table))


def _refuse(refused: Refused, controller: Controller) -> None:
    """Show why an answer is not allowed; the question stays beneath."""
    t = controller.session.translate
    controller.signal(Signal.REFUSED)
    controller.open(Sentence(t.say(refused.fault)), lasts_s=8.0)


@dataclass(frozen=True, slots=True)
class Sentence(Page):
    """Why a card goes where it goes, or cannot be played now, in the words of the referee."""

    NAME: ClassVar[str] = "sentence"
    HAS_TIME: ClassVar[bool] = True
    says: str
    title: str = ""

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The sentence."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.sentence(self.title or t("NOT NOW"), self.says, t("OK=BACK"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """Any key goes back."""
        if not isinstance(action, KeyAction):
            return False
        controller.close()
        return True


@dataclass(frozen=True, slots=True)
class Thinking(Page):
    """A robot thinks; the next page follows by itself."""

    NAME: ClassVar[str] = "thinking"
    GOES_ON_BY_ITSELF: ClassVar[bool] = True
    deal: Deal
    table: DealTable

    @property
    def stays_s(self) -> float:
        """Until it is asked again."""
        return _THINK_S

    def draw(self, canvas: Canvas, session: Session) -> None:
        """That it thinks."""
        layout = Layout(canvas, session.plan)
        layout.words(Area(0, 8, 128, 48), session.translate("ROBOTS THINK"), MAIN_WORDS)

    def following(self, session: Session) -> Page:
        """The next page; this one again while the robot thinks."""
        return next_page(self.deal, self.table)

    def handle(self, action: Action, controller: Controller) -> bool:
        """Nothing can be done meanwhile."""
        return isinstance(action, KeyAction)


@dataclass(frozen=True, slots=True)
class PassOn(Page):
    """The box goes to the other visitor: nobody sees a hand meanwhile."""

    NAME: ClassVar[str] = "pass_on"
    HAS_TIME: ClassVar[bool] = True
    deal: Deal
    table: DealTable
    seat: Seat

    def draw(self, canvas: Canvas, session: Session) -> None:
        """To whom."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.hints(t("OK=IT IS ME"))
        layout.stack(layout.free, (t("PASS THE BOX TO"), Big(name_of(self.deal, self.seat, t))))

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK shows the hand."""
        if not isinstance(action, KeyAction) or action.key is not Key.OK:
            return False
        self.deal.shown_to = self.seat
        controller.show(question(self.deal, self.table, self.seat))
        return True


@dataclass(frozen=True, slots=True)
class Hand(Page):
    """The table, and the visitor's cards one at a time."""

    NAME: ClassVar[str] = "hand"
    HAS_TIME: ClassVar[bool] = True
    deal: Deal
    table: DealTable
    seat: Seat
    cursor: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The stacks on the left, the card under the cursor large on the right."""
        t, layout = session.translate, Layout(canvas, session.plan)
        board, cards = self.deal.board, CardsOfGame(self.deal.game, t)
        options = self.deal.options(self.seat)
        chosen = options[self.cursor]
        turn = t.digits(f"{board.turn}/{board.turns}" if board.turns else f"{self.cursor + 1}/{len(options)}")
        if board.top is not None or not board.stacks:
            layout.title(t("YOUR TURN"), turn)
            layout.hints(*self._keys(t))
            free = layout.free
            left = Area(0, free.y_px + 1, 46, free.height_px - 1)
            if board.top is not None:
                draw_top(layout, left, session, board.top)
            self._draw_chosen(layout, Area(48, free.y_px, 80, free.height_px - 1), t, cards, chosen)
            return
        if are_rows(board.stacks):
            side = beside_rows(layout, cards, board.stacks, t("WHICH CARD?"), turn)
            if layout.plan.row_bar and not self.deal.knows_keys:
                draw_heads(layout, session, ())
        else:
            if layout.plan.row_bar:
                layout.title(t("WHICH CARD?"), turn)
            draw_rows(layout, cards, self._stacks(chosen))
            free = layout.free
            side = Area(_SIDE_PX, free.y_px + 1, free.width_px - _SIDE_PX, free.height_px - 1)
        high_px = 26 if layout.plan.row_bar or not are_rows(board.stacks) else 16
        self._draw_chosen(layout, Area(side.x_px, side.y_px, side.width_px, high_px), t, cards, chosen)
        rest = side.below(high_px + 2)
        if self.deal.knows_keys and are_rows(board.stacks):
            others = [cards.label(option.text) for option in options if option.is_card and option != chosen]
            draw_numbers(layout, rest, others)
            return
        fits = [] if are_rows(board.stacks) else [self._fits(t, chosen)]
        lines = [*fits, *self._keys(t)]
        canvas.note(*lines)
        for row, line in enumerate(lines):
            font = layout.fitted(line, rest.width_px - 7, layout.plan.detail[-2:])[0]
            layout.hint(Area(rest.x_px, rest.y_px + 8 * row, rest.width_px, 9), line, font)

    def handle(self, action: Action, controller: Controller) -> bool:
        """The knob and the row keys go through the cards, OK plays; so does a card that is scanned."""
        options = self.deal.options(self.seat)
        if isinstance(action, CardAction):
            card = CardsOfGame(self.deal.game, controller.session.translate).card_of(action.card)
            kind = (card or "").partition("#")[0]
            place = next(
                (
                    p
                    for p, one in enumerate(options)
                    if one.is_card and (one.text == card or one.text.partition("#")[0] == kind)
                ),
                None,
            )
            if place is None:
                return False
            self._play(options[place], controller)
            return True
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.OK:
            self._play(options[self.cursor], controller)
        elif action.key in _FORWARD:
            self.deal.knows_keys = True
            controller.show(replace(self, cursor=(self.cursor + 1) % len(options)))
        elif action.key in _BACK:
            self.deal.knows_keys = True
            controller.show(replace(self, cursor=(self.cursor - 1) % len(options)))
        elif action.key is Key.UNDO:
            controller.open(LeaveDeal())
        else:
            return False
        return True

    def _play(self, option: Option, controller: Controller) -> None:
        refused = self.deal.answer(option, self.seat)
        if refused is not None:
            _refuse(refused, controller)
            return
        controller.signal(Signal.ACCEPTED)
        _go_on(self.deal, self.table, controller)

    def _draw_chosen(
        self, layout: Layout, area: Area, t: Translator, cards: CardsOfGame, option: Option
    ) -> None:
        if option.label is not None:
            layout.words(area, t.say(option.label).upper(), MAIN_WORDS)
        elif cards.label(option.text).isdigit():
            layout.main(area, cards.label(option.text))
        else:
            name = cards.named(option.text)
            layout.stack(area, (*(Big(word) for word in name.split()), self._fits(t, option)))

    def _fits(self, t: Translator, option: Option) -> str:
        if not option.is_card:
            return ""
        return t("IT FITS") if self.deal.fits(option, self.seat) else t("DOES NOT FIT")

    def _stacks(self, option: Option) -> tuple[Stack, ...]:
        """Four stacks, those on which the card fits before the others."""
        stacks = self.deal.board.stacks
        if len(stacks) <= _ROWS or not option.is_card:
            return stacks
        match = self.deal.match
        step = match.propose(match.game.read(option.ask, self.seat, option.text))
        if not isinstance(step, Step):
            return stacks
        places = {line.place for line in match.then(step).board.newest}
        return tuple(sorted(stacks, key=lambda stack: stack.name not in places))

    @staticmethod
    def _keys(t: Translator) -> tuple[str, ...]:
        return (t("4=NEXT"), t("OK=PLAY IT"))


@dataclass(frozen=True, slots=True)
class WhichRow(Page):
    """The visitor's card fits nowhere and takes a row."""

    NAME: ClassVar[str] = "which_row"
    HAS_TIME: ClassVar[bool] = True
    deal: Deal
    table: DealTable
    seat: Seat

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The rows with their heads, and the card."""
        t, layout = session.translate, Layout(canvas, session.plan)
        board, cards = self.deal.board, CardsOfGame(self.deal.game, t)
        card = cards.label(self.deal.options(self.seat)[0].ask.card)
        bar = layout.plan.row_bar
        # Large letters have no room for this sentence beside the rows; the card and what to do say enough.
        says = t("{card} FITS NOWHERE", card=card) if bar else ""
        side = beside_rows(layout, cards, board.stacks, says)
        if bar:
            draw_heads(layout, session, board.stacks)
            side = Area(93, side.y_px, side.right_px - 93, side.height_px)
        canvas.note("1=", "2=", "3=", "4=")
        layout.stack(side, (Big(card), t("TAKE A ROW: 1-4")))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A row key takes that row."""
        if not isinstance(action, KeyAction) or action.key not in ROW_KEYS:
            return False
        stack = self.deal.board.stacks[ROW_KEYS.index(action.key)]
        option = next(one for one in self.deal.options(self.seat) if one.text == stack.choice)
        refused = self.deal.answer(option, self.seat)
        if refused is not None:
            _refuse(refused, controller)
        else:
            controller.signal(Signal.TAKING)
            _go_on(self.deal, self.table, controller)
        return True


@dataclass(frozen=True, slots=True)
class Decision(Page):
    """Anything else that a visitor is asked."""

    NAME: ClassVar[str] = "decision"
    HAS_TIME: ClassVar[bool] = True
    deal: Deal
    table: DealTable
    seat: Seat
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The question and its answers."""
        t, layout = session.translate, Layout(canvas, large_plan(session.plan))
        options = self.deal.options(self.seat)
        choices = self._choices(session)
        layout.title(t.say(options[0].ask.says).upper(), t.digits(choices.page_number))
        draw_choices(layout, choices, [self._label(option, t) for option in options])

    def handle(self, action: Action, controller: Controller) -> bool:
        """A key of the list."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        match self._choices(controller.session).key(action):
            case Chosen(option):
                refused = self.deal.answer(option, self.seat)
                if refused is not None:
                    _refuse(refused, controller)
                else:
                    controller.signal(Signal.ACCEPTED)
                    _go_on(self.deal, self.table, controller)
            case ChoiceList(cursor=int(cursor)):
                controller.show(replace(self, cursor=cursor))
            case None if action.key is Key.OK:
                controller.show(replace(self, cursor=0))
            case _:
                return False
        return True

    def _choices(self, session: Session) -> ChoiceList[Option]:
        per_page = large_plan(session.plan).choices
        return ChoiceList(self.deal.options(self.seat), self.cursor, per_page)

    def _label(self, option: Option, t: Translator) -> str:
        if option.ask.kind in (AskKind.CHOOSE, AskKind.TAKE):
            cards = CardsOfGame(self.deal.game, t)
            for stack in self.deal.board.stacks:
                if stack.choice == option.text:
                    return f"{stack.name}  {cards.label(stack.cards[-1])}"
        return t.say(option.label).upper() if option.label is not None else option.text


@dataclass(frozen=True, slots=True)
class Placement(Page):
    """A card that was placed: where, whose it is, and what it costs. The next one follows by itself."""

    NAME: ClassVar[str] = "placement"
    GOES_ON_WITH_OK: ClassVar[bool] = True
    GOES_ON_BY_ITSELF: ClassVar[bool] = True
    HAS_TIME: ClassVar[bool] = True
    deal: Deal
    table: DealTable
    told: Told

    @property
    def stays_s(self) -> float:
        """As it is configured; longer if people only watch."""
        return self.table.placement_s if self.deal.visitors else max(_WATCHED_S, self.table.placement_s)

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The card and its place large, the player, and the rule or what it takes."""
        t, layout, line = session.translate, Layout(canvas, session.plan), self.told.line
        cards = CardsOfGame(self.deal.game, t)
        label = cards.label(line.card)
        if label.isdigit():
            x_px = canvas.text(2, 1, label, LARGE)
            if line.place:
                x_px = canvas.text(x_px + 3, 1, "→", LARGE) + 4
                layout.key(Area(x_px, 0, 24, 26), line.place, LARGE)
        else:
            layout.words(Area(0, 0, 128, 26), cards.named(line.card), MAIN_WORDS)
        name = name_of(self.deal, self.told.seat, t)
        if line.taker is not None and line.heads and not line.covered:
            canvas.text_right(111, 6, t.number(line.heads), TALL)
            canvas.icon(113, 6, "bull", large=True)
        layout.main(Area(0, 28, 128, 16), name, MAIN_WORDS)
        layout.stack(Area(0, 46, 128, 18), (self._says(t),))

    def _says(self, t: Translator) -> str:
        """What happens, in short; who only watches reads the rule."""
        line = self.told.line
        if line.taker is not None or not line.place:
            return t.say(line.outcome).upper()
        return t.say(line.because.rule.title)

    def following(self, session: Session) -> Page:
        """The next card, or what comes after the last one."""
        if self.deal.told and self.deal.told[0] is self.told:
            self.deal.told.pop(0)
        return next_page(self.deal, self.table)

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK goes on at once; WHY tells the reason. Who only watches leaves with any other key."""
        if not isinstance(action, KeyAction):
            return False
        if action.key is Key.WHY:
            t, because = controller.session.translate, self.told.line.because
            controller.open(Sentence(t.say(because.says), t.say(because.rule.title)), lasts_s=12.0)
        elif action.key is Key.OK or self.deal.visitors:
            controller.show(self.following(controller.session))
        else:
            controller.close()
        return True


@dataclass(frozen=True, slots=True)
class LeaveDeal(Page):
    """Whether the visitor wants to leave the deal."""

    NAME: ClassVar[str] = "leave_deal"

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The question."""
        t, layout = session.translate, Layout(canvas, large_plan(session.plan))
        layout.title(t("LEAVE THE DEAL?"))
        draw_choices(layout, ChoiceList((0, 1), None), [t("GO ON"), t("LEAVE")])

    def handle(self, action: Action, controller: Controller) -> bool:
        """Key 1 goes on, key 2 leaves."""
        if not isinstance(action, KeyAction):
            return False
        controller.close()
        if action.key is Key.ROW_2:
            controller.close()
        return True


@dataclass(frozen=True, slots=True)
class DealResult(Page):
    """The points of the deal, best first."""

    NAME: ClassVar[str] = "deal_result"
    GOES_ON_WITH_OK: ClassVar[bool] = True
    deal: Deal
    table: DealTable

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Who has won, and all points."""
        t, layout = session.translate, Layout(canvas, session.plan)
        places, points = self.deal.places, self.deal.points
        winners = [seat for rank, seat in places if rank == 1]
        you = self.deal.visitors == 1 and self.deal.is_visitor(winners[0])
        winner = t("YOU WIN!") if you else t("{name} WINS", name=name_of(self.deal, winners[0], t))
        if layout.plan.row_bar:
            layout.title(winner)
            layout.hints(t("OK=NEXT"))
        else:  # four lines fill the display
            layout = Layout(canvas, without_title(layout.plan))
        unit = BULL if CardsOfGame(self.deal.game, t).in_heads else ""
        for row, (rank, seat) in enumerate(places):
            text = f"{t.number(rank)}. {name_of(self.deal, seat, t)}"
            end = f"{t.number(points[seat])}{unit}"
            layout.pair(row, text, end, lit=self.deal.is_visitor(seat))

    def handle(self, action: Action, controller: Controller) -> bool:
        """Any key goes on."""
        if not isinstance(action, KeyAction):
            return False
        controller.show(AfterDeal(self.deal, self.table))
        return True


_COSTLIEST: Final = in_context("to the player", "YOUR {card} TOOK {heads} HEADS IN TURN {turn}")


@dataclass(frozen=True, slots=True)
class AfterDeal(Page):
    """What cost most, and whether another deal is played."""

    NAME: ClassVar[str] = "after_deal"
    deal: Deal
    table: DealTable
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """One sentence, and two keys."""
        t, layout = session.translate, Layout(canvas, large_plan(session.plan))
        layout.words(Area(0, 0, 128, 32), self._says(session), MAIN_WORDS)
        plan = replace(layout.plan, bar_px=32)
        draw_choices(Layout(canvas, plan), ChoiceList((0, 1), self.cursor), [t("AGAIN"), t("BACK")])

    def _says(self, session: Session) -> str:
        t, cost = session.translate, self.deal.costliest
        if cost is not None:
            card = CardsOfGame(self.deal.game, t).label(cost.card)
            return t.say(_COSTLIEST.with_facts(card=card, heads=cost.heads, turn=cost.turn))
        return t("THANK YOU FOR PLAYING") if self.deal.visitors else t("YOUR TURN?")

    def handle(self, action: Action, controller: Controller) -> bool:
        """Key 1 plays again, key 2 goes back."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        match ChoiceList((0, 1), self.cursor).key(action):
            case Chosen(0):
                controller.close()
                self.table.again(controller)
            case Chosen():
                controller.close()
            case ChoiceList(cursor=int(cursor)):
                controller.show(replace(self, cursor=cursor))
            case None if action.key is Key.OK:
                controller.close()
                self.table.again(controller)
            case None if action.key is Key.UNDO:
                controller.close()
            case _:
                return False
        return True
