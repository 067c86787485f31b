"""The points of all deals as a table: a column for each player, a line for each deal, the totals below."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from companion.text.sentence import say
from companion.values import replace
from firmware.display.layout import Area, Layout
from firmware.screens.parts.base import Controller, Keys, KeyUse, Page
from firmware.screens.parts.player_names import draw_badge
from hardware.ports import Key

if TYPE_CHECKING:
    from companion.core.cards import Seat
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

_COLUMNS: Final = 4
_FIRST_PX: Final = 15
"""Width of the column with the numbers of the deals: two digits."""


class Deals(Page):
    """Four players and as many deals as there is room for; `down` and `across` are pages, the newest first.

    It is a table: it runs from left to right in every language.
    """

    NAME: ClassVar[str] = "deals"
    down: int = 0
    across: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The badges, the deals, the totals; the title says how long the match has taken."""
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        minutes = session.about.played_min
        layout.title(t("ALL DEALS"), "" if minutes is None else t("{count} MIN", count=minutes))
        free, pitch_px = layout.free, layout.plan.pitch_px
        seats = _seats(session)[_COLUMNS * self.across :][:_COLUMNS]
        deals = match.position.score_sheet.deals
        first, last = _shown(self.down, len(deals), free.height_px // pitch_px - 2)
        rows = [(session.translate.number(number + 1), deals[number]) for number in range(first, last)]
        self._heads(layout, session, seats)
        for place, (label, points) in enumerate((*rows, ("", match.totals)), start=1):
            line = Area(free.x_px, free.y_px + 1 + pitch_px * place, free.width_px, pitch_px)
            known = (points[seat] if seat < len(points) else 0 for seat in seats)
            _row(layout, line, label, [session.translate.number(one) for one in known])
        canvas.invert(0, free.y_px + 1 + pitch_px * (len(rows) + 1), canvas.size_px[0], pitch_px)

    def _heads(self, layout: Layout, session: Session, seats: Sequence[Seat]) -> None:
        free, plan = layout.free, layout.plan
        for column, seat in enumerate(seats):
            badge = session.badge(seat)
            cell = _cell(Area(free.x_px, free.y_px + 1, free.width_px, plan.pitch_px), column)
            font = plan.detail[0]
            shape = Area(cell.right_px - font.width_px(str(badge)) - 10, cell.y_px, 0, cell.height_px)
            draw_badge(layout.canvas, shape, badge)
            layout.canvas.text_right(
                cell.right_px, cell.y_px + (cell.height_px - font.capital_px) // 2, str(badge), font
            )

    def keys(self, session: Session) -> Keys:
        """Up and down show other deals, left and right other players; the first key changes their order."""
        deals, players = say("OTHER DEALS"), say("OTHER PLAYERS")
        return {
            Key.ROW_1: KeyUse(change_order, help=say("ANOTHER ORDER")),
            **dict.fromkeys((Key.DOWN, Key.TURN_RIGHT), KeyUse(partial(self._turn, 1, 0), help=deals)),
            **dict.fromkeys((Key.UP, Key.TURN_LEFT), KeyUse(partial(self._turn, -1, 0), help=deals)),
            Key.RIGHT: KeyUse(partial(self._turn, 0, 1), help=players),
            Key.LEFT: KeyUse(partial(self._turn, 0, -1), help=players),
        }

    def _turn(self, down: int, across: int, controller: Controller) -> None:
        session = controller.session
        free_lines = session.plan.whole_lines - 2
        pages = max(1, -(-len(session.playing.position.score_sheet.deals) // free_lines))
        sides = max(1, -(-len(session.playing.players) // _COLUMNS))
        controller.show(replace(self, down=(self.down + down) % pages, across=(self.across + across) % sides))


def change_order(controller: Controller) -> None:
    """Sort players by seat, or by rank again, and say which."""
    t, session = controller.session.translate, controller.session
    session.notes.toggle_order()
    controller.say(t("SORTED BY SEAT") if session.notes.by_seat else t("SORTED BY RANK"))


def _seats(session: Session) -> list[Seat]:
    """The players in the order that was chosen."""
    match = session.playing
    if session.notes.by_seat:
        return list(match.players)
    places = match.position.score_sheet.standings(match.players)
    ranked = [seat for place in places for seat in place.seats]
    return ranked + [seat for seat in match.players if seat not in ranked]


def _shown(page: int, deals: int, lines: int) -> tuple[int, int]:
    """The first deal of a page and the one behind its last, from 0; page 0 ends with the newest deal."""
    last = max(min(deals, lines), deals - page * lines)
    return max(0, last - lines), last


def _cell(line: Area, column: int) -> Area:
    width_px = (line.width_px - _FIRST_PX) // _COLUMNS
    return Area(line.x_px + _FIRST_PX + width_px * column, line.y_px, width_px - 2, line.height_px)


def _row(layout: Layout, line: Area, label: str, points: Sequence[str]) -> None:
    canvas, fonts = layout.canvas, layout.plan.detail

    def put(cell: Area, text: str) -> None:
        font, text = layout.fitted(text, cell.width_px, fonts)
        canvas.text_right(cell.right_px, cell.y_px + (cell.height_px - font.capital_px) // 2, text, font)

    put(Area(line.x_px, line.y_px, _FIRST_PX - 2, line.height_px), label)
    for column, value in enumerate(points):
        put(_cell(line, column), value)
