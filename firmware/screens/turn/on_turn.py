"""One player's turn, with what may be played, taken or drawn; and a race, in which the first card wins."""

from typing import Final

from companion.core.ask import Ask, Gives
from companion.core.board import Board, Stack
from companion.text.sentence import say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import LARGE
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.play.table import Table
from firmware.screens.parts import base
from firmware.screens.parts.base import Keys, KeyUse, Page
from firmware.screens.parts.numbers import dial_card, dial_keys
from firmware.screens.turn.piles import ORDER_PX, PilesPage, draw_order, draw_piles, frame, in_order
from firmware.screens.turn.table import BEATS_PX, draw_beats, draw_top
from firmware.session.session import Session
from hardware.ports import Key

_TOP_PX: Final = 17 + LARGE.capital_px
"""A card, and a line of words."""


class OnTurn(PilesPage):
    """A scan plays a card. Where piles may be taken, row keys take them; OK does the one other thing."""

    asks: tuple[Ask, ...]

    @property
    def takes(self) -> Ask | None:
        """The question whose answer is a pile."""
        return base.asked_for(Gives.STACK, self.asks)

    @property
    def other(self) -> Ask | None:
        """The question that OK answers: to draw, to keep, to end the move."""
        return base.asked_for(Gives.WORD, self.asks)

    def draw(self, canvas: Canvas, session: Session) -> None:
        board, title = session.playing.board, self._title(Layout(canvas, session.plan), session)
        if not any(stack.covered for stack in board.stacks):
            self._draw_top(frame(self, canvas, session, title, _TOP_PX), session, board)
            return
        layout = frame(self, canvas, session, title, self.lines_px(session))
        draw_piles(layout, session, self.piles(session), keys=self.takes is not None)
        draw_order(layout, session, self.asks[0].seats[0], bulls=True)

    def keys(self, session: Session) -> Keys:
        other, keys = self.other, dial_keys()
        if self.takes is not None:
            keys = self.pile_keys(session, self.asks[0].says, (say("TYPE A CARD"), dial_card))
        if other is not None:
            keys[Key.OK] = base.ok_answers(self, other)
        if session.playing.newest and not self.among:
            keys[Key.UNDO] = KeyUse(base.undo, say("UNDO=LAST"))
        return keys

    def choose(self, choice: str, table: Table) -> bool:
        asked = [ask for ask in (self.other, self.takes) if ask is not None]
        return any(base.answer_one_of(ask, ask.seats[0], choice, table) for ask in asked)

    def _title(self, layout: Layout, session: Session) -> str:
        """Who is asked, and what, as far as it has room."""
        t, ask = session.translate, self.asks[0]
        says = t.say(self.takes.says if self.among and self.takes else ask.says)
        names = session.name(ask.seats[0]), session.short_name(ask.seats[0], 8)
        titles = [t("{name}: {what}", name=name, what=says) for name in names]
        return next(filter(layout.title_holds, (*titles, says)), names[-1])

    def _draw_top(self, layout: Layout, session: Session, board: Board) -> None:
        """The card on top of the pile, what beats it, and all players."""
        t = session.translate
        free = draw_order(layout, session, self.asks[0].seats[0]) if board.hands else layout.free
        if board.top is None:
            layout.words(free, t.say(board.facts[0] if board.facts else self.asks[0].says), MAIN_WORDS)
            return
        beats = Area(free.right_px - BEATS_PX, free.y_px + 1, BEATS_PX, free.height_px - 1)
        draw_beats(layout, beats, session, board)
        draw_top(layout, replace(beats, x_px=1, width_px=beats.x_px - 3), session, board.top)


class InMove(OnTurn):
    """A move that may go on: with more cards of the same player, or with those of the next one."""

    NAME = OnTurn.NAME
    TITLE_IS_PROMPT = True


class ChoosePile(PilesPage):
    """On which of several piles a card goes."""

    NAME = "choose_stack"
    TITLE_IS_PROMPT = True
    ask: Ask

    def draw(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        layout = frame(self, canvas, session, t.say(self.ask.says), self.lines_px(session))
        draw_piles(layout, session, self.piles(session))
        free = layout.free
        side = Area(free.right_px - ORDER_PX, free.y_px, ORDER_PX, free.height_px)
        layout.stack(side, (Big(session.label(self.ask.card)), Big(t("PILE?"))))

    def keys(self, session: Session) -> Keys:
        """No pile is chosen beforehand: OK only says so."""
        first = say("CHOOSE ONE FIRST")
        return {
            Key.OK: KeyUse(lambda at: at.decline(first), help=first),
            **self.pile_keys(session, self.ask.says),
        }

    def piles(self, session: Session) -> tuple[Stack, ...]:
        return in_order(session, self.among or self.ask.choices)

    def choose(self, choice: str, table: Table) -> bool:
        return base.answer_one_of(self.ask, None, choice, table)


class RacePage(Page):
    """The first card that is accepted wins; a badge or a player's own key before it says whose it is."""

    TITLE_IS_PROMPT = True
    asks: tuple[Ask, ...]

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        ask, board = self.asks[0], match.board
        out = [seat for seat in match.players if seat not in ask.seats]
        without = t("NOT {name}", name=session.short_name(out[0], 8)) if out else ""
        if session.has_own_keys:
            says = (t("KEY, THEN CARD"), t("FIRST KEY WINS"))
        else:
            says = (t("SCAN A CARD"), t("FIRST SCAN WINS"))
        title, aside = t.say(ask.says), without
        if not layout.title_holds(title, aside, smallest=True):
            short = t("CHALLENGE!")
            title, aside = (short, aside) if layout.title_holds(short, aside, smallest=True) else (title, "")
        layout.frame(title, aside=aside, needs_px=_TOP_PX + layout.plan.hint_px)
        if without and not layout.bar_px:
            says = (says[-1], without)
        first, last = self.hint(Key.OK, session), self.hint(Key.UNDO, session)
        layout.hints(first, last if layout.hints_hold(first, last) else "")
        rest, beats = layout.split(layout.free.below(1), layout.free.width_px - BEATS_PX)
        draw_beats(layout, beats, session, board)
        if board.top is not None:
            draw_top(layout, Area(rest.x_px, rest.y_px, rest.width_px, 26), session, board.top)
        layout.stack(rest.below(27), says)

    def keys(self, session: Session) -> Keys:
        other, keys = base.asked_for(Gives.WORD, self.asks), dial_keys()
        keys[Key.UNDO] = KeyUse(base.undo, say("UNDO=LAST"))
        if other is not None:
            keys[Key.OK] = base.ok_answers(self, other)
        return keys

    def choose(self, choice: str, table: Table) -> bool:
        return base.answer_one_of(base.asked_for(Gives.WORD, self.asks), None, choice, table)
