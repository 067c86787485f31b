"""One player's turn, with what may be played, taken or drawn; and a race, in which the first card wins."""

from typing import Final

from companion.core.ask import Ask, Gives
from companion.core.board import Board
from companion.text.sentence import COMMA, count, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import LARGE, MEDIUM, NARROW, SMALL
from firmware.display.layout import Area, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.play.table import Table
from firmware.screens.parts import base
from firmware.screens.parts.base import Keys, KeyUse, Page
from firmware.screens.parts.kinds import PER_PAGE, ChoiceList, ListPage, turns_leaf
from firmware.screens.parts.names import draw_badge, name_badge, name_beside
from firmware.screens.parts.numbers import dial_card, dial_keys
from firmware.screens.turn.table import BEATS_PX, draw_beats, draw_top
from firmware.session.session import Session
from hardware.ports import Key

_BULL_PX: Final = 12
_TURN_PX: Final = 17 + LARGE.capital_px
"""Who is on turn, and the card."""


class OnTurn(ListPage):
    """A scan plays a card. Where stacks may be taken, their keys take them; OK does the one other thing.

    With the cursor behind the last stack, OK sets a card with keys that cannot be scanned.
    """

    asks: tuple[Ask, ...]
    leaf: int = 0
    """Which page of the stacks is shown without a cursor."""

    @property
    def takes(self) -> Ask | None:
        """The question whose answer is a stack."""
        return base.asked_for(Gives.STACK, self.asks)

    @property
    def other(self) -> Ask | None:
        """The question that OK answers: to draw, to keep, to end the move."""
        return base.asked_for(Gives.WORD, self.asks)

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        board, ask = session.playing.board, self.asks[0]
        number = t.digits(self.choices(session).page_number) if _are_piles(board) else ""
        number = layout.frame(t.say(ask.says), aside=number, needs_px=_TURN_PX + layout.plan.hint_px)
        if _are_piles(board):
            self._piles(layout, session, board, number)
        else:
            self._top(layout, session, board)

    def keys(self, session: Session) -> Keys:
        other, choices = self.other, self.choices(session)
        if self.takes is None:
            keys = dial_keys()
        else:
            at_card = self.cursor is not None and self.cursor >= len(choices.items) - 1
            hint = say("OK=TYPE A CARD") if at_card else say("OK=TAKE PILE")
            keys = choices.keys(self.chosen, self.moved, hint)
            # They show the standings and all cards, here as on every page of a turn.
            keys = {key: use for key, use in keys.items() if key not in (Key.LEFT, Key.RIGHT)}
        # OK goes through all pages first: the newest pile is on the last one.
        if self.cursor is None and choices.page_number and (other is None or choices.following):
            keys[Key.OK] = turns_leaf(self, choices)
        elif self.cursor is None and other is not None:
            keys[Key.OK] = base.ok_answers(self, other)
        if session.playing.newest:
            keys[Key.UNDO] = KeyUse(base.undo, say("UNDO=LAST"))
        return keys

    def chosen(self, item: str | None, table: Table) -> None:
        if item is None:
            table.close()
            dial_card(table)
        else:
            self.choose(item, table)

    def choose(self, choice: str, table: Table) -> bool:
        asked = [ask for ask in (self.other, self.takes) if ask is not None]
        return any(base.answer_one_of(ask, ask.seats[0], choice, table) for ask in asked)

    def choices(self, session: Session) -> ChoiceList[str | None]:
        """The stacks that may be taken, and behind them, without a row, a card that is set with keys."""
        items = (*(self.takes.choices if self.takes else ()), None)
        return ChoiceList(items, self.cursor, without_row=1, leaf=self.leaf)

    def _in_hand(self, session: Session, board: Board) -> str:
        if not board.hands:
            return ""
        return session.translate.say(
            count("{count} CARD", "{count} CARDS", board.hands[self.asks[0].seats[0]])
        )

    def _top(self, layout: Layout, session: Session, board: Board) -> None:
        """The card on top of the pile, what beats it, and how many cards may be drawn."""
        t = session.translate
        first = self.hint(Key.OK, session) or t("SCAN THE CARD")
        # Where a title has no room, the line is for what OK does.
        rest = _beside_beats(layout, session, first, self.hint(Key.UNDO, session) if layout.titled else "")
        name = Area(rest.x_px, rest.y_px, rest.width_px, 16)
        name_badge(layout, name, session, session.badge(self.asks[0].seats[0]), MAIN_WORDS)
        cards = self._in_hand(session, board)
        if board.top is not None:
            draw_top(layout, rest.below(17), session, board.top, cards)
            return
        layout.stack(rest.below(17), (*(t.say(fact) for fact in board.facts[:1]), cards))

    def _piles(self, layout: Layout, session: Session, board: Board, page: str) -> None:
        """Every pile with what fits on it, four on a page in two columns, and the tally of each player."""
        t, canvas, free = session.translate, layout.canvas, layout.free
        name = Area(2, free.y_px + 1, free.width_px - 4, 15)
        name_beside(layout, name, session, self.asks[0].seats[0], page or self._in_hand(session, board))
        by_choice = {stack.choice: stack for stack in board.stacks}
        takeable = [by_choice[choice] for choice in self.takes.choices] if self.takes else None
        stacks = takeable or board.stacks
        shown = self.choices(session).shown if self.takes else range(min(len(stacks), PER_PAGE))
        pitch_px = (free.bottom_px - layout.plan.hint_px - name.bottom_px - 1) // 2
        for row, place in enumerate(shown):
            stack = stacks[place]
            cell = Area(64 * (row % 2), name.bottom_px + 1 + pitch_px * (row // 2), 63, pitch_px)
            small_px = cell.middle_px(7)
            if self.takes:
                canvas.key(cell.x_px, small_px, str(row + 1))
            top = session.label(stack.cards[-1])
            fits_px = canvas.text(cell.x_px + 11, cell.y_px + (pitch_px - 12) // 2, top, MEDIUM) + 1
            fits = Area(fits_px, cell.y_px, cell.right_px - fits_px, cell.height_px)
            # Cards above 100 begin again with 1: such a range is two.
            parts = t.say(stack.fits).split(t.say(COMMA))
            high_px = fits.height_px // len(parts)
            for number, part in enumerate(parts):
                font, says = layout.fitted(part, fits.width_px, (SMALL, NARROW))
                y_px = fits.y_px + high_px * number + (high_px - 7) // 2
                canvas.text_right(fits.right_px - 1, y_px, says, font)
            if place == self.cursor:
                canvas.invert(cell.x_px + 10, cell.y_px, cell.width_px - 10, cell.height_px - 1)
        last = Area(0, free.bottom_px - 9, free.width_px, 9)
        if hint := self.hint(Key.OK, session):
            layout.hints(hint)
        elif board.tallies:
            self._tally(layout, last, session, board)

    def _tally(self, layout: Layout, area: Area, session: Session, board: Board) -> None:
        """The shape of every badge with a number and a bull."""
        players = session.playing.players
        wide_px = area.width_px // len(players)
        for place, seat in enumerate(players):
            cell = Area(wide_px * place, area.y_px, wide_px, area.height_px)
            x_px = cell.x_px + draw_badge(layout.canvas, cell, session.badge(seat))
            x_px = layout.canvas.text(
                x_px, cell.y_px + 1, session.translate.number(board.tallies[0].numbers[seat])
            )
            if cell.right_px - x_px >= _BULL_PX:
                layout.canvas.icon(x_px + 1, cell.y_px + 1, "bull-card")


class InMove(OnTurn):
    """A move that may go on: with more cards of the same player, or with those of the next one."""

    NAME = OnTurn.NAME
    TITLE_IS_PROMPT = True


def _beside_beats(layout: Layout, session: Session, first: str, last: str) -> Area:
    """Draw what stands in the last line and what may be played on the card; the area that is left."""
    layout.hints(first, last if layout.hints_hold(first, last) else "")
    free = layout.free
    rest, beats = layout.split(free.below(1), free.width_px - BEATS_PX)
    draw_beats(layout, beats, session, session.playing.board)
    return replace(rest, x_px=rest.x_px + 2, width_px=rest.width_px - 4)


def _are_piles(board: Board) -> bool:
    return any(stack.covered for stack in board.stacks)


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
        layout.frame(title, aside=aside, needs_px=_TURN_PX + layout.plan.hint_px)
        last = "" if layout.titled else without
        rest = _beside_beats(
            layout, session, self.hint(Key.OK, session), last or self.hint(Key.UNDO, session)
        )
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
