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
from firmware.display.glyphs import MEDIUM, NARROW, SMALL
from firmware.display.layout import Area, Layout
from firmware.display.plan import LOW, LOW_PX, MAIN_WORDS
from firmware.play.table import Table
from firmware.screens.parts.base import OK_BACK, Keys, KeyUse, Page
from firmware.screens.parts.kinds import PER_PAGE, TURNS, page_number
from firmware.screens.parts.names import SHAPE_PX, draw_badge, join_names, name_seats
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
            number = session.translate.number(badge)
            cell = _cell(layout, Area(free.x_px, free.y_px + 1, free.width_px, plan.pitch_px), column)
            font = plan.detail[0]
            shape = Area(cell.right_px - font.width_px(number) - 10, cell.y_px, 0, cell.height_px)
            draw_badge(layout.canvas, shape, badge)
            layout.canvas.text_right(cell.right_px, cell.middle_px(font.capital_px), number, font)

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
                badge = Area(right_px + 3 + _BADGE_PX * column, at_px, SHAPE_PX, SHAPE_PX)
                if not draw_badge(canvas, badge, session.badge(seat)):
                    canvas.text(badge.x_px, badge.y_px, session.translate.number(session.badge(seat)))


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


_MOST_LINES: Final = 5
"""Lines of standings in one column, beside a title and hints."""
_LEADER_PX: Final = 15
_MOST_JOINED: Final = 4
"""Leaders whose names have room in one line."""
_MOST_PX: Final = 16
_RANK_PX: Final = 8
"""Width of a crown, or of a rank in low letters, and a column more."""
_LEAST_NAME_PX: Final = 13
"""Width of P10: less tells nobody who that is."""
_SHORT_NAME_PX: Final = 18
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


def draw_standings(layout: Layout, session: Session, places: Sequence[Side], *, plus: bool = True) -> None:
    """Rank, name, points of the deal and total, a line each; who leads has a crown, and the largest letters.

    Where the lines would be too low, they stand in two columns.
    """
    free = layout.free.below(layout.plan.below_bar_px)
    lead, leading = [side for side in places if side.rank == 1], 0
    for leading in (len(lead), 1, 0):
        if leading * _LEADER_PX + (len(places) - len(lead)) * LOW_PX <= free.height_px:
            break
    alike = len({side.plus for side in lead}) == 1 and len(lead) <= _MOST_JOINED
    if lead != list(places[: len(lead)]) or not (leading == len(lead) or alike):
        leading = 0
    if 0 < leading < len(lead):  # one line for all of them
        seats = tuple(seat for side in lead for seat in side.seats)
        places = (replace(lead[0], seats=seats), *places[len(lead) :])
    rest = len(places) - leading
    pitch_px = min(_MOST_PX, (free.height_px - leading * _LEADER_PX) // rest) if rest else _LEADER_PX
    if pitch_px < LOW_PX:
        _draw_columns(layout, free, session, places, plus=plus)
        return
    for place, side in enumerate(places):
        high_px = max(pitch_px, _LEADER_PX if place < leading else 0)
        _draw_side(layout, session, replace(free, height_px=high_px), side, plus=plus)
        free = free.below(high_px)


def standings_px(places: Sequence[Side]) -> int:
    """How much room the standings need at least."""
    return LOW_PX * (len(places) if len(places) <= _MOST_LINES else -(-len(places) // 2))


def _draw_side(layout: Layout, session: Session, area: Area, side: Side, *, plus: bool) -> None:
    """A line, in letters as large as it is high."""
    t, fonts = session.translate, [font for font in (*MAIN_WORDS, MEDIUM) if font.capital_px < area.height_px]
    fonts = [*(MAIN_WORDS if MAIN_WORDS[0] in fonts else fonts), *LOW]
    high_px = area.height_px - (area.height_px == _LEADER_PX)  # a dark row parts it from what is below
    line = _draw_rank(layout, Area(area.x_px + 2, area.y_px, area.width_px - 4, high_px), session, side)
    line = layout.put_end(line, t.number(side.total), fonts[0], 4)
    if plus:
        line = layout.put_end(line, "=", SMALL, SMALL.width_px(" "))
        line = layout.put_end(line, t.digits(f"{side.plus:+}"), SMALL, 4)
    name_seats(layout, line, session, side.seats, fonts)


def _draw_rank(layout: Layout, area: Area, session: Session, side: Side) -> Area:
    """The rank at the beginning of a line, for the first a crown; the rest of the line."""
    rank, rest = layout.split(area, _RANK_PX, 3)
    if side.rank == 1:
        layout.canvas.icon(rank.x_px, rank.middle_px(_RANK_PX), "crown")
    else:
        layout.put(rank, session.translate.number(side.rank), NARROW)
    return rest


def _draw_columns(layout: Layout, area: Area, session: Session, sides: Sequence[Side], *, plus: bool) -> None:
    """The same in two columns: shapes give way to whole names, points of the deal to long totals."""
    t, lines = session.translate, -(-len(sides) // 2)
    pitch_px, width_px = min(_MOST_PX, area.height_px // lines), area.width_px // 2 - 6
    totals = [t.number(side.total) for side in sides]
    points = [t.digits(f"{side.plus:+}") if plus else "" for side in sides]
    names = [join_names(session, side.seats, area.width_px, NARROW) for side in sides]
    total_px, points_px, longest_px = (max(map(NARROW.width_px, texts)) for texts in (totals, points, names))
    room_px = width_px - _RANK_PX - 3 - total_px - 3
    if room_px - points_px - 5 < _LEAST_NAME_PX:
        plus = False
    room_px -= points_px + 5 if plus else 0
    shapes = room_px - SHAPE_PX - 3 >= min(longest_px, _SHORT_NAME_PX)
    layout.canvas.vline(area.width_px // 2, area.y_px, area.height_px, dotted=True)
    for place, side in enumerate(sides):
        column, row = divmod(place, lines)
        cell = layout.column(replace(area, y_px=area.y_px + pitch_px * row, height_px=pitch_px), 2, column)
        line = _draw_rank(layout, replace(cell, x_px=cell.x_px + 3, width_px=width_px), session, side)
        name, ends = layout.split(line, room_px, 3)
        layout.put(ends, totals[place], NARROW, end=True)
        if plus:
            layout.put(layout.split(ends, points_px)[0], points[place], NARROW, end=True)
        shown = join_names(session, side.seats, room_px, NARROW)
        if shapes or shown.isdigit():  # a number alone is a rank or points
            name_seats(layout, name, session, side.seats, (NARROW,))
        else:
            layout.put(name, shown, NARROW)


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
        needs_px = max(standings_px(places), PER_PAGE * layout.plan.pitch_px)
        layout.frame(who_wins(session), aside=says, key="OK", needs_px=needs_px)
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
