"""Piles on one picture by their top cards, and beside them all players in the order of their seats.

Up to four piles have a row key each. More stand in four lines: a row key names the line, and then one of its
piles. They run from the lowest top card to the highest, with those in front that may get one more card.
"""

from functools import partial
from typing import Final

from companion.core.board import Stack
from companion.core.cards import Seat
from companion.text.sentence import COMMA, NOTHING, Text, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import CONDENSED, MEDIUM, NARROW, SLIM, SMALL, TALL
from firmware.display.layout import Area, Layout
from firmware.display.plan import LOW, LOW_PX, low_plan
from firmware.play.table import Item, Table
from firmware.screens.parts import base
from firmware.screens.parts.base import Keys, KeyUse, Page
from firmware.screens.parts.kinds import MOVES, PER_PAGE, Menu
from firmware.screens.parts.names import SHAPE_PX, draw_badge
from firmware.session.actions import ROW_KEYS
from firmware.session.session import Session
from hardware.ports import Key

ORDER_PX: Final = 44
"""Width of the players, each with the number of cards in hand and of bull cards."""
_BULLS_PX: Final = 2
"""What the bull cards take of it."""
_KEY_PX: Final = 11
_NUMBER_PX: Final = 25
"""Width of a top card beside what fits on it."""
_GAP_PX: Final = 2
_FONTS: Final = (TALL, MEDIUM, CONDENSED, SLIM, SMALL, NARROW)
_LINE_PX: Final = 13
"""From line to line of piles, at least, where letters are large; `_LOW_LINE_PX` where they are low."""
_LOW_LINE_PX: Final = 11
_MOST_PX: Final = 16
_LARGE_PX: Final = 15
"""From player to player, where shapes and numbers are large; at least `_LEAST_PX`."""
_LEAST_PX: Final = SHAPE_PX + 1
_ARROW_PX: Final = 8


class PilesPage(Page, kw_only=True):
    """A page with piles that row keys choose. `among` are those of one line, of which one is chosen next."""

    among: tuple[str, ...] = ()

    def piles(self, session: Session) -> tuple[Stack, ...]:
        """The piles that are shown, in order."""
        return in_order(session, self.among)

    def choose(self, choice: str, table: Table) -> bool:
        raise NotImplementedError

    def pile_keys(self, session: Session, title: Text, *more: Item) -> Keys:
        """Row keys choose a pile, or a line of them; the arrows show a list, for tables without row keys."""
        stacks, keys = self.piles(session), Keys()
        for key, line in zip(ROW_KEYS, _lines(stacks), strict=False):
            if len(stacks) <= PER_PAGE:
                keys[key] = KeyUse(partial(self.choose, line[0].choice), help=say("CHOOSE IT"))
            else:
                there = self.shows(among=tuple(stack.choice for stack in line))
                keys[key] = KeyUse(there, help=say("THE PILES OF THIS LINE"))
        items = [
            (say("PILE WITH {pile}", pile=stack.name), partial(self.choose, stack.choice)) for stack in stacks
        ]
        listed = KeyUse(lambda at: at.open(Menu(title, (*more, *items))), help=MOVES)
        keys |= dict.fromkeys((Key.UP, Key.DOWN, Key.TURN_LEFT, Key.TURN_RIGHT), listed)
        return {**keys, Key.UNDO: base.UNDO_BACK} if self.among else keys

    def lines_px(self, session: Session) -> int:
        """How much room the piles need."""
        low = session.plan.hint_px == LOW_PX
        return (_LOW_LINE_PX if low else _LINE_PX) * len(_lines(self.piles(session)))


def in_order(session: Session, choices: tuple[str, ...]) -> tuple[Stack, ...]:
    """The piles with these choices, or all: first those that may get a card, each part by the top cards."""
    match = session.playing
    chosen = [stack for stack in match.board.stacks if not choices or stack.choice in choices]
    cards = match.game.cards(match.position.table)
    return tuple(sorted(chosen, key=lambda stack: (stack.fits is NOTHING, cards.index(stack.cards[-1]))))


def _lines(stacks: tuple[Stack, ...]) -> list[tuple[Stack, ...]]:
    columns = 1 if len(stacks) <= PER_PAGE else max(PER_PAGE, -(-len(stacks) // PER_PAGE))
    return [stacks[first : first + columns] for first in range(0, len(stacks), columns)]


def frame(page: Page, canvas: Canvas, session: Session, title: str, lines_px: int) -> Layout:
    """What OK does, and the title, as far as lines and players leave room; the layout for all else."""
    layout, plan = Layout(canvas, session.plan), session.plan
    needs_px = max(lines_px, LOW_PX * len(session.playing.players))
    if ok := page.hint(Key.OK, session):
        layout.plan = plan if needs_px + plan.hint_px <= layout.free.height_px else low_plan(plan)
        layout.hints(ok, page.hint(Key.UNDO, session) if plan.hint_px == LOW_PX else "")
        layout.plan = plan
    layout.frame(title, needs_px=needs_px)
    return layout


def draw_piles(layout: Layout, session: Session, stacks: tuple[Stack, ...], *, keys: bool = True) -> None:
    """The top cards, `keys`: behind the row keys of their lines; lit if only some may get one more card."""
    canvas, lines, free, t = layout.canvas, _lines(stacks), layout.free, session.translate
    all_open = NOTHING not in [stack.fits for stack in session.playing.board.stacks]
    few, columns = len(stacks) <= PER_PAGE, max(map(len, lines))
    pitch_px = min(_MOST_PX, free.height_px // len(lines))
    top_px = free.y_px + (free.height_px - pitch_px * len(lines) + 1) // 2
    width_px = free.width_px - ORDER_PX - 2 - _KEY_PX
    room_px = (_NUMBER_PX if few else width_px // columns) - _GAP_PX
    fonts = [font for font in _FONTS if font.capital_px < pitch_px and font.width_px("88") <= room_px]
    for row, line in enumerate(lines):
        area = Area(_KEY_PX, top_px + pitch_px * row, width_px, pitch_px)
        if keys:
            canvas.key(0, area.middle_px(SMALL.capital_px), str(row + 1))
        if few:
            rest = replace(area, x_px=_KEY_PX + _NUMBER_PX, width_px=width_px - _NUMBER_PX)
            _draw_fits(layout, rest, t.say(line[0].fits).split(t.say(COMMA)))
        for column, stack in enumerate(line, start=1):
            top = session.label(stack.cards[-1])
            font = next((font for font in fonts if font.width_px(top) <= room_px), NARROW)
            end_px = _KEY_PX + (_NUMBER_PX if few else width_px * column // columns) - 1
            y_px = area.middle_px(font.capital_px)
            x_px = canvas.text_right(end_px, y_px, top, font)
            if stack.fits is not NOTHING and not all_open:
                canvas.invert(x_px - 1, y_px - 1, end_px - x_px + 2, font.capital_px + 2)


def _draw_fits(layout: Layout, area: Area, parts: list[str]) -> None:
    """Which cards go on a pile; beyond 100 they begin again with 1: such a range is two."""
    if len(parts) * LOW_PX > area.height_px + 2:
        parts = [",".join(parts)]
    high_px = area.height_px // len(parts)
    for place, part in enumerate(parts):
        line = replace(area, y_px=area.y_px + high_px * place, height_px=high_px)
        font, shown = layout.fitted(part, line.width_px, LOW)
        layout.canvas.text_right(line.right_px, line.middle_px(font.capital_px - 1), shown, font)


def draw_order(layout: Layout, session: Session, on_turn: Seat, *, bulls: bool = False) -> Area:
    """All players by seat with the cards in their hands, who is on turn lit; the area left of them.

    An arrow beside them shows the direction of play where it can change.
    """
    canvas, board, free = layout.canvas, session.playing.board, layout.free
    players, number_of = session.playing.players, session.translate.number
    width_px = ORDER_PX - (0 if bulls else _BULLS_PX)
    area = replace(free, x_px=free.right_px - width_px, width_px=width_px)
    canvas.vline(area.x_px, area.y_px + 1, area.height_px - 2, dotted=True)
    if not layout.bar_px and free.bottom_px == canvas.size_px[1]:  # a notice covers no card
        canvas.notice_at = (area.x_px, area.y_px, width_px, area.height_px)
    if board.direction:
        _draw_direction(canvas, area, down=board.direction > 0)
    left_px = area.x_px + (_ARROW_PX if board.direction else 3)
    pitch_px = min(_MOST_PX, (area.height_px + 1) // len(players))
    if pitch_px * len(players) < area.height_px:
        area = area.below(1)  # parts the first one from the title bar
    large = pitch_px >= _LARGE_PX
    font, end_px = (MEDIUM, left_px + 32) if large else (SMALL, left_px + 23)
    for place, seat in enumerate(players):
        line = Area(left_px, area.y_px + pitch_px * place, area.right_px - left_px, pitch_px)
        badge = session.badge(seat)
        if not draw_badge(canvas, replace(line, x_px=left_px + 1), badge, large=large):
            canvas.text(left_px + 1, line.middle_px(SMALL.capital_px), str(badge), NARROW)
        canvas.text_right(end_px, line.middle_px(font.capital_px), number_of(board.hands[seat]), font)
        number = board.tallies[0].numbers[seat] if bulls and board.tallies else 0
        if number:
            y_px = line.y_px + 1 if large else line.middle_px(SHAPE_PX)
            canvas.icon(line.right_px - SHAPE_PX - 1, y_px, "bull-card")
            right_px, y_px = (
                (line.right_px - 1, line.bottom_px - SHAPE_PX) if large else (line.right_px - 9, y_px)
            )
            canvas.text_right(right_px, y_px, number_of(number), NARROW)
        if seat == on_turn:
            above_px = 1 if pitch_px == _LEAST_PX else 0
            canvas.light_key(left_px, line.y_px - above_px, line.width_px, pitch_px + above_px)
    return replace(free, width_px=area.x_px - free.x_px - 1)


def _draw_direction(canvas: Canvas, area: Area, *, down: bool) -> None:
    """An arrow along the players."""
    x_px, top_px, bottom_px = area.x_px + 3, area.y_px + 1, area.bottom_px - 2
    canvas.vline(x_px, top_px, bottom_px - top_px + 1)
    for step in range(3):
        canvas.hline(x_px - step, bottom_px - step if down else top_px + step, 2 * step + 1)
