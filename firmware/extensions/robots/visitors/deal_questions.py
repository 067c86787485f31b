"""The pages on which a visitor answers: which card, which row, and anything else that is asked."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from companion.core.ask import AskKind
from companion.core.cards import Seat
from companion.match.match import Step
from companion.values import replace
from firmware.display.glyphs import LARGE
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN_WORDS, large_plan
from firmware.extensions.robots.visitors.deal_table import DealTable, give_answer, name_of
from firmware.screens.parts.base import Controller, Page
from firmware.screens.parts.cards_of_game import CardsOfGame
from firmware.screens.parts.choice import ChoiceList, ChosenItem, draw_choices
from firmware.screens.parts.signs import draw_top
from firmware.screens.turn.table import are_rows, beside_rows, draw_heads, draw_numbers, draw_rows
from firmware.session.actions import ROW_KEYS, Action, CardAction, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from companion.core.board import Sign, Stack
    from firmware.display.canvas import Canvas
    from firmware.extensions.robots.visitors.deal import Option, VisitorDeal
    from firmware.session.session import Session
    from firmware.text.translation import Translator


_SIDE_PX: Final = 72
_TOP_PX: Final = 46
_SYMBOL_PX: Final = 26
_LINE_PX: Final = 18
_ROWS: Final = 4
_FORWARD: Final = (Key.DOWN, Key.RIGHT, Key.TURN_RIGHT, Key.ROW_3, Key.ROW_4)
_BACK: Final = (Key.UP, Key.LEFT, Key.TURN_LEFT, Key.ROW_1, Key.ROW_2)


def question(deal: VisitorDeal, table: DealTable, seat: Seat) -> Page:
    """The page on which a visitor answers."""
    options = deal.options(seat)
    if options[0].ask.kind is AskKind.CHOOSE and are_rows(deal.board.stacks):
        return WhichRow(deal, table, seat)
    if not any(option.is_card for option in options):
        return Decision(deal, table, seat)
    fitting = (place for place, option in enumerate(options) if deal.fits(option, seat))
    return VisitorHand(deal, table, seat, next(fitting, 0))


class PassOn(Page):
    """The box goes to the other visitor: nobody sees a hand meanwhile."""

    NAME: ClassVar[str] = "pass_on"
    HAS_TIME: ClassVar[bool] = True
    deal: VisitorDeal
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


class VisitorHand(Page):
    """The table, and the visitor's cards one at a time."""

    NAME: ClassVar[str] = "hand"
    HAS_TIME: ClassVar[bool] = True
    deal: VisitorDeal
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
            layout.hints(*self._keys(t, chosen))
            free = layout.free
            left = Area(0, free.y_px + 1, _TOP_PX, free.height_px - 1)
            if board.top is not None:
                _draw_top(layout, left, session, board.top)
            area = Area(_TOP_PX + 2, free.y_px + 2, free.width_px - _TOP_PX - 2, free.height_px - 2)
            self._draw_chosen(layout, area, t, cards, chosen)
            return
        if are_rows(board.stacks) and self.deal.knows_keys:
            side = self._beside_rows(layout, cards, turn, chosen)
        elif are_rows(board.stacks):
            side = beside_rows(layout, cards, board.stacks, t("WHICH CARD?"), turn)
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
        lines = [*fits, *self._keys(t, chosen)]
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
        give_answer(self.deal, self.table, option, self.seat, controller, Signal.ACCEPTED)

    def _draw_chosen(
        self, layout: Layout, area: Area, t: Translator, cards: CardsOfGame, option: Option
    ) -> None:
        top = _top_of(self.deal, option)
        if top:
            layout.stack(area, (Big(cards.label(top)), t("TAKE IT")))
        elif option.label is not None:
            layout.words(area, t.say(option.label).upper(), MAIN_WORDS)
        elif cards.label(option.text).isdigit():
            layout.main(area, cards.label(option.text))
        else:
            name = cards.named(option.text)
            low = area.height_px < 2 * _LINE_PX
            words = (name,) if low else name.split()
            layout.stack(area, (*map(Big, words), self._fits(t, option)))

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

    def _beside_rows(self, layout: Layout, cards: CardsOfGame, turn: str, option: Option) -> Area:
        """The rows, where the other cards are listed: the keys stand in the place of the question."""
        keys = self._keys(cards.translate, option)
        layout.canvas.note(*keys)
        if layout.plan.row_bar:
            return beside_rows(layout, cards, self.deal.board.stacks, " ".join(keys), turn)
        side = beside_rows(layout, cards, self.deal.board.stacks, "")
        layout.hint(Area(side.x_px, side.y_px, side.width_px, 14), keys[1], layout.plan.detail[-1])
        return side.below(16)

    @staticmethod
    def _keys(t: Translator, option: Option) -> tuple[str, str]:
        return (t("4=NEXT"), t("OK=PLAY IT") if option.is_card else t("OK=CHOOSE"))


def _top_of(deal: VisitorDeal, option: Option) -> str:
    """The card on top of the pile that an option takes or chooses; empty where it does neither."""
    if option.ask.kind not in (AskKind.CHOOSE, AskKind.TAKE):
        return ""
    return next((stack.cards[-1] for stack in deal.board.stacks if stack.choice == option.text), "")


def _draw_top(layout: Layout, area: Area, session: Session, top: Sign) -> None:
    """The card on top: its colour below the symbol where the height allows it, else beside it."""
    if not top.symbol or area.height_px < _SYMBOL_PX + MAIN_WORDS[0].capital_px:
        draw_top(layout, area, session, top)
        return
    layout.canvas.text_centre(area.x_px + area.width_px // 2, area.y_px + 2, top.symbol, LARGE)
    layout.stack(area.below(_SYMBOL_PX), (Big(session.translate.say(top.word)),))


class WhichRow(Page):
    """The visitor's card fits nowhere and takes a row."""

    NAME: ClassVar[str] = "which_row"
    HAS_TIME: ClassVar[bool] = True
    deal: VisitorDeal
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
        give_answer(self.deal, self.table, option, self.seat, controller, Signal.TAKING)
        return True


class Decision(Page):
    """Anything else that a visitor is asked."""

    NAME: ClassVar[str] = "decision"
    HAS_TIME: ClassVar[bool] = True
    deal: VisitorDeal
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
            case ChosenItem(option):
                give_answer(self.deal, self.table, option, self.seat, controller, Signal.ACCEPTED)
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
        if top := _top_of(self.deal, option):
            return CardsOfGame(self.deal.game, t).label(top)
        return t.say(option.label).upper() if option.label is not None else option.text


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
