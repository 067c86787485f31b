"""What players look up and close again: standings, all deals, the graph, all cards of the rows."""

from collections.abc import Sequence
from functools import partial
from itertools import accumulate, pairwise
from typing import ClassVar, Final

from companion.core.cards import Seat
from companion.core.score_sheet import ScoreSheet
from companion.text.sentence import NOTHING, count, say
from companion.values import Value, replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import MEDIUM, NARROW, SMALL, Font
from firmware.display.layout import Area, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.play.table import Table
from firmware.screens.parts.base import OK_BACK, Keys, KeyUse, Page
from firmware.screens.parts.kinds import PER_PAGE, TURNS, page_number
from firmware.screens.parts.names import SHAPE_PX, draw_badge, name_seats
from firmware.screens.turn.questions import not_verified
from firmware.screens.turn.table import is_last_deal
from firmware.session.session import Session
from hardware.ports import Key

_COLUMNS: Final = 4
_FIRST_PX: Final = 15
"""Width of the column with the numbers of the deals: two digits."""


class Deals(Page):
    """Four players and as many deals as there is room for; `down` and `across` are pages, newest first."""

    down: int = 0
    across: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        minutes = session.about.played_min
        minutes_told = "" if minutes is None else t("{count} MIN", count=minutes)
        layout.title(t("ALL DEALS"), minutes_told, "OK")
        free, pitch_px = layout.free, layout.plan.pitch_px
        seats = _seats(session)[_COLUMNS * self.across :][:_COLUMNS]
        deals = match.position.score_sheet.deals
        first, last = _shown(self.down, len(deals), free.height_px // pitch_px - 2)
        rows = [(session.translate.number(number + 1), deals[number]) for number in range(first, last)]
        self._heads(layout, session, seats)
        for place, (label, points) in enumerate((*rows, ("", match.totals)), start=1):
            line = Area(free.x_px, free.y_px + 1 + pitch_px * place, free.width_px, pitch_px)
            known = (points[seat] if seat < len(points) else 0 for seat in seats)
            _row(layout, line, label, [session.translate.number(number) for number in known])
        canvas.invert(0, free.y_px + 1 + pitch_px * (len(rows) + 1), canvas.size_px[0], pitch_px)

    def _heads(self, layout: Layout, session: Session, seats: Sequence[Seat]) -> None:
        free, plan = layout.free, layout.plan
        for column, seat in enumerate(seats):
            badge = session.badge(seat)
            cell = _cell(layout, Area(free.x_px, free.y_px + 1, free.width_px, plan.pitch_px), column)
            font = plan.detail[0]
            shape = Area(cell.right_px - font.width_px(str(badge)) - 10, cell.y_px, 0, cell.height_px)
            draw_badge(layout.canvas, shape, badge)
            layout.canvas.text_right(cell.right_px, cell.middle_px(font.capital_px), str(badge), font)

    def keys(self, session: Session) -> Keys:
        deals, players = say("OTHER DEALS"), say("OTHER PLAYERS")
        return {
            Key.ROW_1: KeyUse(change_order, help=say("ANOTHER ORDER")),
            **dict.fromkeys((Key.DOWN, Key.TURN_RIGHT), KeyUse(partial(self._turn, 1, 0), help=deals)),
            **dict.fromkeys((Key.UP, Key.TURN_LEFT), KeyUse(partial(self._turn, -1, 0), help=deals)),
            Key.RIGHT: KeyUse(partial(self._turn, 0, 1), help=players),
            Key.LEFT: KeyUse(partial(self._turn, 0, -1), help=players),
        }

    def _turn(self, down: int, across: int, table: Table) -> None:
        session = table.session
        free_lines = session.plan.whole_lines - 2
        pages = max(1, -(-len(session.playing.position.score_sheet.deals) // free_lines))
        sides = max(1, -(-len(session.playing.players) // _COLUMNS))
        table.show(replace(self, down=(self.down + down) % pages, across=(self.across + across) % sides))


def change_order(table: Table) -> None:
    """Sort players by seat, or by rank again, and say which."""
    session = table.session
    session.notes.toggle_order()
    table.say(say("SORTED BY SEAT") if session.notes.by_seat else say("SORTED BY RANK"))


def _seats(session: Session) -> list[Seat]:
    """The players in the order that was chosen."""
    match = session.playing
    if session.notes.by_seat:
        return list(match.players)
    ranked = [seat for place in match.places for seat in place.seats]
    return ranked + [seat for seat in match.players if seat not in ranked]


def _shown(page: int, deals: int, lines: int) -> tuple[int, int]:
    """The first deal of a page and the one behind its last, from 0; page 0 ends with the newest deal."""
    last = max(min(deals, lines), deals - page * lines)
    return max(0, last - lines), last


def _cell(layout: Layout, line: Area, column: int) -> Area:
    cell = layout.column(layout.split(line, _FIRST_PX)[1], _COLUMNS, column)
    return replace(cell, width_px=cell.width_px - 2)


def _row(layout: Layout, line: Area, label: str, points: Sequence[str]) -> None:
    canvas, fonts = layout.canvas, layout.plan.detail

    def put(cell: Area, text: str) -> None:
        font, text = layout.fitted(text, cell.width_px, fonts)
        canvas.text_right(cell.right_px, cell.middle_px(font.capital_px), text, font)

    put(replace(layout.split(line, _FIRST_PX)[0], width_px=_FIRST_PX - 2), label)
    for column, value in enumerate(points):
        put(_cell(layout, line, column), value)


MARGIN_PX: Final = 2
RIGHT_PX: Final = 108
BOTTOM_PX: Final = 61
_LETTER_PX: Final = 8
_BADGE_PX: Final = 13
_ONE_COLUMN: Final = 6
"""As many badges have room below each other."""


class Graph(Page):
    """Deals from left to right, points upwards; the limit dotted; the badges of the players at the end."""

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        lines = {seat: _totals_of(match.position.score_sheet, seat) for seat in match.players}
        deals, end = len(match.position.score_sheet.deals), match.game.end
        layout.title(t("TOTALS"), t.say(count("{count} DEAL", "{count} DEALS", deals)), "OK")
        top_px = layout.free.y_px + 3
        limit = end.target
        low = min(0, *(min(line) for line in lines.values()))
        high = max(limit, low + 1, *(max(line) for line in lines.values()))

        def y_px(total: int) -> int:
            return BOTTOM_PX - round((total - low) * (BOTTOM_PX - top_px) / (high - low))

        left_px = MARGIN_PX + max(SMALL.width_px(t.number(low)), SMALL.width_px(t.number(high)))
        columns = 1 if len(lines) <= _ONE_COLUMN else 2
        right_px = RIGHT_PX - _BADGE_PX * (columns - 1)

        def x_px(deal: int) -> int:
            return round(left_px + deal * (right_px - left_px) / max(1, deals))

        canvas.vline(left_px, top_px, BOTTOM_PX - top_px + 1)
        canvas.text_right(left_px - 1, top_px, t.number(high))
        canvas.text_right(left_px - 1, BOTTOM_PX - 6, t.number(low))
        if limit:
            canvas.hline(left_px, y_px(limit), right_px - left_px, dotted=True)
        for line in lines.values():
            for deal, (before, after) in enumerate(pairwise(line)):
                canvas.line(x_px(deal), y_px(before), x_px(deal + 1), y_px(after))
        for column in range(columns):
            seats = sorted(lines, key=lambda seat: lines[seat][-1])[column::columns]
            wanted = [y_px(lines[seat][-1]) - 3 for seat in seats]
            for seat, at_px in zip(seats, _spread(wanted, top_px), strict=True):
                canvas.text(right_px + 3 + _BADGE_PX * column, at_px, str(session.badge(seat)))


def _spread(wanted: list[int], top_px: int) -> list[int]:
    """Heights of labels that should be at `wanted`, from the lowest up: within the display, and apart."""
    found: list[int] = []
    lowest_px = BOTTOM_PX - 6
    for at_px in wanted:
        found.append(min(at_px, lowest_px))
        lowest_px = found[-1] - _LETTER_PX
    highest_px = top_px
    for place in range(len(found) - 1, -1, -1):
        found[place] = max(found[place], highest_px)
        highest_px = found[place] + _LETTER_PX
    return found


def _totals_of(score_sheet: ScoreSheet, seat: Seat) -> list[int]:
    """The totals of a seat, from its starting score to the newest deal."""
    first = score_sheet.scoring.start[seat] if seat < len(score_sheet.scoring.start) else 0
    deals = (deal[seat] if seat < len(deal) else 0 for deal in score_sheet.deals)
    return list(accumulate(deals, initial=first))


_LARGE_PITCH_PX: Final = 13
_SMALL_PITCH_PX: Final = 8
_MOST_JOINED: Final = 4
"""Leaders whose names have room in one line."""
_LINE_PX: Final = 8
_MANY_COLUMNS: Final = 3
_SHOWN = 5


class Side(Value):
    """A line of the standings: a player, or a team."""

    rank: int
    seats: tuple[Seat, ...]
    plus: int
    total: int


def standings(session: Session, sheet: ScoreSheet, plus: tuple[int, ...]) -> list[Side]:
    """All who play, as teams if there are teams, best first; `plus` are the points of a deal."""
    return [
        Side(place.rank, place.seats, sum(plus[seat] for seat in place.seats), place.total)
        for place in sheet.standings(session.playing.players)
    ]


def in_order(session: Session, places: list[Side]) -> list[Side]:
    """The standings in the order that players chose: of the ranks, or of the seats."""
    return sorted(places, key=lambda side: side.seats) if session.notes.by_seat else places


def who_wins(session: Session) -> str:
    """Whether the lowest or the highest score wins, in up to 11 columns."""
    t = session.translate
    return t("HIGHEST WINS") if session.playing.scoring.high_wins else t("LOWEST WINS")


def draw_standings(layout: Layout, session: Session, places: Sequence[Side]) -> None:
    """Rank, name, points of the deal and total, best first: who leads large, for all around the table.

    Several who share the lead have one size: a large line each, or one for all of them if that has no room.
    The others stand below as large as there is room, and in two columns where they are many; so do all where
    the leaders do not stand first.
    """
    high_px, left = max(15, layout.plan.pitch_px), layout.free.below(layout.plan.below_bar_px)
    large = [place for place in places if place.rank == 1]
    if large != list(places[: len(large)]):
        large = []
    rest = places[len(large) :]
    if len(large) > 1 and len(large) * high_px + len(rest) * _SMALL_PITCH_PX > left.height_px:
        seats = tuple(seat for place in large for seat in place.seats)
        rest, large = (rest, [replace(large[0], seats=seats)]) if len(large) <= _MOST_JOINED else (places, [])
    for lead in large:
        same = all(other.plus == lead.plus for other in places if other.rank == 1)
        top = Area(left.x_px, left.y_px, left.width_px, high_px)
        draw_side(layout, session, top, lead, Look(MAIN_WORDS, plus=same or lead in places))
        left = left.below(high_px)
    if not rest:
        return
    if left.height_px // len(rest) >= _LARGE_PITCH_PX:
        fonts: Sequence[Font] = (MEDIUM, SMALL, NARROW)
        pitch_px = min(16, left.height_px // len(rest))
    elif left.height_px // len(rest) >= _SMALL_PITCH_PX:
        fonts, pitch_px = (SMALL, NARROW), min(9, left.height_px // len(rest))
    else:
        draw_columns(layout, left, session, rest)
        return
    for place, side in enumerate(rest):
        area = Area(left.x_px, left.y_px + pitch_px * place, left.width_px, pitch_px)
        draw_side(layout, session, area, side, Look(fonts))


class Look(Value):
    """How a line of the standings is set, and what stands in it beside the name and the total."""

    fonts: Sequence[Font]
    plus: bool = True
    rank: bool = True


def draw_side(layout: Layout, session: Session, area: Area, side: Side, look: Look) -> None:
    """A line: the rank, the name with its badge, the points of the deal, the total."""
    t, line = session.translate, Area(area.x_px + 2, area.y_px, area.width_px - 4, area.height_px)
    if look.rank:
        rank, line = layout.split(line, 8 if side.rank < 10 else 14)  # noqa: PLR2004 - one digit or two
        layout.put(rank, t.number(side.rank), SMALL)
    font = next((font for font in look.fonts if font.capital_px <= area.height_px), look.fonts[-1])
    line = layout.put_end(line, t.number(side.total), font, 4)
    if look.plus:
        line = layout.put_end(line, "=", SMALL, SMALL.width_px(" "))
        line = layout.put_end(line, t.digits(f"{side.plus:+}"), SMALL, 4)
    name_seats(layout, line, session, side.seats, look.fonts)


def draw_columns(layout: Layout, area: Area, session: Session, sides: Sequence[Side]) -> None:
    """Names and totals in two columns; shapes and numbers of badges in three where there are more players."""
    columns = max(2, -(-len(sides) // max(1, area.height_px // _LINE_PX)))
    lines = -(-len(sides) // columns)
    for place, side in enumerate(sides):
        column, row = divmod(place, lines)
        cell = layout.column(
            Area(area.x_px, area.y_px + _LINE_PX * row, area.width_px, _LINE_PX), columns, column
        )
        cell = replace(cell, width_px=cell.width_px - 1)
        if columns < _MANY_COLUMNS:
            draw_side(layout, session, cell, side, Look((SMALL, NARROW), plus=False, rank=False))
            continue
        badge = session.badge(side.seats[0])
        shape, rest = layout.split(replace(cell, width_px=cell.width_px - 1), SHAPE_PX, 3)
        rest = rest if draw_badge(layout.canvas, shape, badge) else cell
        rest = layout.put_end(rest, session.translate.number(side.total), NARROW, 2)
        if NARROW.width_px(str(badge)) <= rest.width_px:
            layout.put(rest, str(badge), NARROW)


class Standings(Page):
    """Who has how many points; the title says whether the lowest or the highest wins."""

    KEYS: ClassVar = {
        Key.ROW_1: KeyUse(change_order, help=say("ANOTHER ORDER")),
        Key.ROW_2: KeyUse(lambda at: at.show(Deals()), help=say("ALL DEALS")),
    }

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Best first, the points of this deal included."""
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        places = standings(session, match.score_sheet.scored(match.points), match.points)
        says = t("LAST DEAL") if is_last_deal(match) else t.say(match.game.end.short())
        says = t("NOT VERIFIED") if not_verified(match) else says
        layout.frame(who_wins(session), aside=says, key="OK", needs_px=PER_PAGE * layout.plan.pitch_px)
        draw_standings(layout, session, in_order(session, places))


class Rows(Page):
    """The cards of every stack, of a long one the last five."""

    first: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """A stack in each line with its heads; of a covered stack only the last card, and what goes on it."""
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        board = match.board
        page = t.digits(page_number(self.first, len(board.stacks)))
        turn = t("TURN {turn}", turn=board.turn) if board.turns else ""
        heads = sum(stack.heads for stack in board.stacks if not stack.covered)
        shown = "" if page or not heads else t("HEADS {heads}", heads=heads)
        needs_px = PER_PAGE * layout.plan.pitch_px
        aside = layout.frame(
            t("ALL CARDS"), *self.hints(session), shown, aside=page or turn, needs_px=needs_px
        )
        pitch_px = layout.free.height_px // PER_PAGE
        for index, stack in enumerate(board.stacks[self.first : self.first + PER_PAGE]):
            y_px = layout.free.y_px + (pitch_px - 7) // 2 + 1 + pitch_px * index
            if not stack.covered:  # a pile has no number: it is called by its last card
                canvas.key(0, y_px, str(self.first + index + 1))
            seen = stack.cards[-1:] if stack.covered else stack.cards[-_SHOWN:]
            for place, card in enumerate(seen):
                label = session.label(card)
                canvas.text_right(max(30, 11 + SMALL.width_px(label)) + 20 * place, y_px, label)
            heads_here = t.number(stack.heads) if stack.heads else ""  # cards of Ciao! have none
            canvas.text_right(126, y_px, t.say(stack.fits) if stack.covered else heads_here)
        if aside == page:  # piles leave the middle free
            layout.put(Area(40, 0, 40, pitch_px), page, MEDIUM, centre=True)

    def keys(self, session: Session) -> Keys:
        pages, page = max(1, -(-len(session.playing.board.stacks) // PER_PAGE)), self.first // PER_PAGE
        on, before = ((page + step) % pages * PER_PAGE for step in (1, -1))
        more = say("DOWN=MORE") if pages > 1 else NOTHING
        return {
            Key.OK: OK_BACK,
            Key.DOWN: KeyUse(self.shows(first=on), more, TURNS),
            Key.UP: KeyUse(self.shows(first=before), help=TURNS),
        }
