"""The ruling of a turn: where every card goes, and why; and who takes cards."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from companion.core.board import PlacedCard, Stack
from companion.core.cards import Seat
from companion.core.ruling import Because
from companion.core.score_sheet import DealScored
from companion.match.match import Match
from companion.text.sentence import BULL, NOTHING, Text, count, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import BULL_CARD, LARGE, MEDIUM, NARROW, SLIM, SMALL, TALL
from firmware.display.layout import Area, Big, Layout, paginate
from firmware.display.plan import HEIGHT_PX, LOW, LOW_PX, MAIN, MAIN_WORDS, Plan
from firmware.play.page import StepResult
from firmware.play.table import Table
from firmware.screens.parts import base
from firmware.screens.parts.base import Keys, KeyUse, Page
from firmware.screens.parts.kinds import TURNS, page_number
from firmware.screens.parts.names import name_badge, name_beside
from firmware.screens.turn.table import Labels, beside_rows, row_area
from firmware.session.actions import ROW_KEYS
from firmware.session.session import Session
from firmware.text.translation import Translator
from hardware.ports import Key

_CHART_GAP_PX: Final = 7
_KEY_PX: Final = 24
_PLACE_PX: Final = LARGE.capital_px + 4 + 12
"""The card and its row, apart, and the cards of the row below them."""
_TAKES_PX: Final = _PLACE_PX + 12
"""The same, and who takes."""
_NAME_PX: Final = TALL.capital_px + 1
"""A name, and a dark row above it."""
_FORWARD: Final = (Key.DOWN, Key.TURN_RIGHT)
_BACK: Final = (Key.UP, Key.TURN_LEFT)


def rows_then(
    stacks: tuple[Stack, ...], lines: tuple[PlacedCard, ...], at: int
) -> dict[str, tuple[str, ...]]:
    """The cards of each stack, by its name, when the card in line `at` had just been placed.

    `stacks` are those after the last line; what the later lines did is taken base.back.
    """
    rows = {stack.name: stack.cards for stack in stacks}
    for line in reversed(lines[at + 1 :]):
        if line.place in rows:
            rows[line.place] = line.takes if line.took else rows[line.place][:-1]
    return rows


class Ruling(Page):
    """One card of the newest turn at a time, in the order of play: its row as it is then, and who takes.

    OK goes on to the next card; on the last one it says that all are placed.
    """

    DISMISS_ON_OK = True
    HOLDS_EXTRA_CARD = True
    CONTINUES_BY_ITSELF = True
    table: Any
    at: int = 0

    def lines(self, session: Session) -> tuple[PlacedCard, ...]:
        return session.playing.game.board(self.table).newest

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout, lines = session.translate, Layout(canvas, session.plan), self.lines(session)
        board = session.playing.game.board(self.table)
        line, part = lines[self.at], session.translate.digits(f"{self.at + 1}/{len(lines)}")
        if not line.took:
            layout.hints(*self.hints(session))
        part = layout.frame(t("PLACE IN ORDER"), aside=part, needs_px=_TAKES_PX if line.took else _PLACE_PX)
        free = layout.free
        top = Area(2, free.y_px + 2, free.width_px - 4, LARGE.capital_px)
        self._draw_place(layout, top, session, part)
        below = Area(2, top.bottom_px + 2, free.width_px - 4, free.bottom_px - top.bottom_px - 2)
        if not line.took:
            cards = rows_then(board.stacks, lines, self.at).get(line.place, ())
            row = Area(below.x_px, below.middle_px(14), below.width_px, 14)
            draw_cards(layout, row, session, cards, newest=True)
            return
        cards_px = min(14, below.height_px - _NAME_PX - 3)
        row = Area(below.x_px, below.y_px, below.width_px, cards_px)
        draw_cards(layout, row, session, line.takes, newest=False)
        name = Area(2, below.y_px + cards_px, below.width_px, below.height_px - cards_px)
        heads = session.translate.digits(f"+{line.heads}")
        heads_px, y_px = TALL.width_px(heads), name.middle_px(TALL.capital_px)
        room, cost = layout.split(name, name.width_px - 23 - heads_px, 6)
        canvas.text(cost.x_px, y_px, heads, TALL)
        canvas.icon(cost.x_px + heads_px + 3, y_px, "bull", large=True)
        if line.taker is None:
            font, nobody = layout.fitted(t("NOBODY"), room.width_px, MAIN_WORDS)
            layout.put(room, nobody, font)
        else:
            name_badge(layout, room, session, session.badge(line.taker), MAIN_WORDS)

    def _draw_place(self, layout: Layout, area: Area, session: Session, part: str) -> None:
        """The card, an arrow, and the key of the row; `part` at the end of the line, if it has room.

        Where somebody takes, OK stands below it: the name and the points have the room of the hints.
        """
        canvas, line = layout.canvas, self.lines(session)[self.at]
        label = session.label(line.card)
        font = LARGE if label.isdigit() else TALL
        x_px = area.x_px + font.width_px(label) + 4
        y_px = area.middle_px(font.capital_px)
        canvas.text(area.x_px, y_px, label, font)
        layout.canvas.note_main(font.capital_px)
        canvas.text(x_px, area.y_px, "→", LARGE)
        x_px += LARGE.width_px("→") + 4
        layout.key(Area(x_px, area.y_px - 1, _KEY_PX, area.height_px + 2), line.place, LARGE)
        x_px += _KEY_PX + 2
        left = Area(x_px, area.y_px, area.right_px - x_px, area.height_px)
        if line.took:
            font, part = layout.fitted(part, left.width_px, LOW)
            canvas.text_right(left.right_px, left.y_px, part, font)
            key_px = SMALL.width_px("OK") + 4
            layout.key(Area(left.right_px - key_px, left.y_px + LOW_PX + 2, key_px, LOW_PX), "OK", SMALL)
        elif layout.plan.detail[0].width_px(part) <= left.width_px:
            canvas.text_right(left.right_px, left.y_px, part, layout.plan.detail[0])

    def keys(self, session: Session) -> Keys:
        lines = self.lines(session)
        on, before = min(self.at + 1, len(lines) - 1), max(0, self.at - 1)
        placed = KeyUse(acknowledge, say("OK=PLACED"))
        return {
            Key.OK: placed if on == self.at else KeyUse(self.shows(at=on), say("OK=NEXT")),
            Key.ROW_1: KeyUse(lambda at: at.open(RulingList(self.table)), say("R1=LIST")),
            Key.WHY: KeyUse(lambda at: at.open(Why(lines, self.at)), say("WHY"), say("THE REASON")),
            **dict.fromkeys(_FORWARD, KeyUse(self.shows(at=on), help=say("THE NEXT CARD"))),
            **dict.fromkeys(_BACK, KeyUse(self.shows(at=before), help=say("PREVIOUS CARD"))),
        }

    def following(self, session: Session) -> Ruling | None:
        """The next card; the last one stays: players place by it."""
        return replace(self, at=self.at + 1) if self.at + 1 < len(self.lines(session)) else None


def acknowledge(table: Table) -> None:
    """Say that the cards of the turn are placed."""
    table.home()
    table.acknowledge(StepResult.RULING)


def draw_cards(layout: Layout, area: Area, session: Labels, cards: tuple[str, ...], *, newest: bool) -> None:
    """The cards of a row from left to right, the newest one lit."""
    font = MEDIUM if area.height_px >= MEDIUM.capital_px + 1 else SMALL
    labels = [session.label(card) for card in cards]
    if sum(font.width_px(label) + 7 for label in labels) > area.width_px + 7:
        font = SMALL
    x_px, y_px = area.x_px, area.middle_px(font.capital_px)
    for place, label in enumerate(labels):
        last = newest and place == len(labels) - 1
        layout.canvas.text(x_px + (1 if last else 0), y_px, label, font, invert=last)
        x_px += font.width_px(label) + 7


class RulingList(Page):
    """All cards of the newest turn in the order of play, four per page."""

    DISMISS_ON_OK = True
    HOLDS_EXTRA_CARD = True
    table: Any
    first: int = 0

    def lines(self, session: Session) -> tuple[PlacedCard, ...]:
        return session.playing.game.board(self.table).newest

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, board, layout = (
            session.translate,
            session.playing.game.board(self.table),
            Layout(canvas, session.plan),
        )
        more = t.digits(page_number(self.first, len(board.newest)))  # only a title bar has room for it
        title = t("PLACE IN ORDER {part}", part=more) if more else t("PLACE IN ORDER")
        does = t("OK=NEXT") if self.following(session) is not None else t("OK=PLACED")
        shown = does if layout.title_holds(title, does, smallest=True) else "OK"
        side = beside_rows(layout, session, board.stacks, title, shown)
        if not layout.bar_px:
            layout.hints_below(side, does)
        for place, line in enumerate(board.newest[self.first : self.first + _lines_of_list(session.plan)]):
            area = row_area(layout, place)
            y_px = area.middle_px(7)
            card = session.label(line.card)
            font = layout.plan.row_font if card.isdigit() else SMALL
            canvas.text_right(side.x_px + 28, area.middle_px(font.capital_px), card, font)
            if not line.took:
                canvas.text(side.x_px + 32, y_px, "→")
            else:
                canvas.icon(side.x_px + 31, y_px, "bull")
            canvas.key(side.x_px + 41, y_px, line.place)

    def keys(self, session: Session) -> Keys:
        lines, following = self.lines(session), self.following(session)
        keys: Keys = {
            Key.OK: KeyUse(acknowledge, help=say("ALL ARE PLACED")),
            Key.WHY: KeyUse(lambda at: at.open(Why(lines, self.first)), help=say("THE REASON")),
        }
        if following is not None:
            keys[Key.OK] = KeyUse(lambda at: at.show(following), help=TURNS)
        lines_of_page = _lines_of_list(session.plan)
        if self.first > lines_of_page:
            keys[Key.UNDO] = KeyUse(self.shows(first=self.first - lines_of_page), help=TURNS)
        elif self.first:
            keys[Key.UNDO] = KeyUse(base.back, help=TURNS)  # the first page lies below
        return keys

    def following(self, session: Session) -> RulingList | None:
        """The next cards of a long ruling. The last ones stay: players place by them."""
        first = self.first + _lines_of_list(session.plan)
        return replace(self, first=first) if first < len(self.lines(session)) else None


def _lines_of_list(plan: Plan) -> int:
    """Cards of a ruling beside the rows: what OK does stands above or below them."""
    return (HEIGHT_PX - max(plan.row_top_px, LOW_PX)) // plan.row_pitch_px


def _draw_chart(layout: Layout, area: Area, because: Because, t: Translator) -> None:
    """The facts as a small table, the column that decided lit. A column is as wide as its widest cell."""
    chart = because.chart_in(t.say)
    if not chart:
        return
    canvas = layout.canvas
    columns = range(len(chart[0]))
    font, widths, gap_px = SMALL, [0], 0
    for font in (SMALL, NARROW):
        widths = [max(font.width_px(row[column]) for row in chart) for column in columns]
        gap_px = (area.width_px - sum(widths)) // max(1, len(widths) - 1)
        if gap_px >= _CHART_GAP_PX:
            break
    gap_px = max(_CHART_GAP_PX, min(gap_px, 3 * _CHART_GAP_PX))
    pitch_px = min(9, area.height_px // len(chart))
    cells, rest = [], replace(area, height_px=pitch_px * len(chart))
    for wide_px in widths:
        cell, rest = layout.split(rest, wide_px, gap_px)
        cells.append(cell)
    for place, row in enumerate(chart):
        y_px = area.y_px + 1 + pitch_px * place
        head = replace(cells[0], y_px=y_px, height_px=font.capital_px)
        layout.put(head, canvas.shorten(row[0], widths[0], font), font)
        for cell, text in zip(cells[1:], row[1:], strict=True):
            canvas.text_right(cell.right_px, y_px, text, font)
    if because.lit:
        lit = cells[because.lit]
        canvas.invert(lit.x_px - 1, lit.y_px, lit.width_px + 2, lit.height_px)


def outcome_of(line: PlacedCard, session: Session) -> Text:
    """A card and what it did; for a line without a card what was done."""
    card = session.label(line.card)
    return say("{card} {outcome}", card=card, outcome=line.outcome) if card else line.outcome


class Why(Page):
    """The reason for one placement, with the gaps in figures; `part` (0-based) of it, if it is long."""

    lines: tuple[PlacedCard, ...]
    at: int = 0
    part: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout, line = session.translate, Layout(canvas, session.plan), self.lines[self.at]
        because = line.because
        outcome = outcome_of(line, session)
        # Where all does not fit, the last word gives way, or it stands alone: two long names have no room.
        titles = [t("{outcome}: WHY?", outcome=outcome), t("{outcome}?", outcome=outcome), t("WHY?")]
        parts = len(self._text(session))
        part = t.digits(f"{self.part + 1}/{parts}") if parts > 1 else ""
        title, rule_px = next(filter(layout.title_holds, titles), titles[-1]), layout.plan.pitch_px
        layout.frame(title, *self.hints(session), aside=part, needs_px=_lines(layout.plan) * rule_px)
        free = layout.free
        _draw_chart(
            layout, Area(2, free.y_px + 1, free.width_px - 4, free.height_px - rule_px - 1), because, t
        )
        if not because.cells:
            layout.lines(self._text(session)[self.part])
        last, rule = _lines(layout.plan) - 1, t.say(because.rule.title)
        layout.line(last, rule, lit=not because.cells)  # a sentence would seem to go on with it

    def keys(self, session: Session) -> Keys:
        if self.part + 1 < len(self._text(session)):
            on = self.shows(part=self.part + 1)
        else:
            on = self.shows(at=self.at + 1, part=0) if self.at + 1 < len(self.lines) else base.back
        go_on = KeyUse(on, say("OK=NEXT"))
        return {Key.OK: go_on, Key.UNDO: base.UNDO_BACK, Key.WHY: go_on}

    def _text(self, session: Session) -> list[list[str]]:
        """The reason in words, four lines a page; none where there is a chart, which says the same."""
        because = self.lines[self.at].because
        if because.cells:
            return [[]]
        return paginate(session.plan, session.translate.say(because.says), lines=_lines(session.plan) - 1)


def _lines(plan: Plan) -> int:
    """Lines of a reason: the hints give way for three, because they are the same on every page."""
    return max(plan.lines, 3)


def _ends_deal(match: Match) -> bool:
    """Whether the newest step has ended a deal."""
    return match.newest is not None and isinstance(match.newest.events[-1], DealScored)


def _scores(match: Match, seat: Seat) -> tuple[int, int]:
    """The points of a player in the deal of the newest step, and the total with them."""
    if _ends_deal(match):
        return match.position.score_sheet.deals[-1][seat], match.totals[seat]
    return match.points[seat], match.totals[seat] + match.points[seat]


class WhoTakes(Page):
    """Who takes what. It costs points, or, in games that follow the hands, the cards go to the hand."""

    KEYS: ClassVar = {
        Key.OK: base.OK_NEXT,
        Key.UNDO: base.TAKE_BACK,
        **base.forward_keys(ROW_KEYS, lambda at: at.home()),
    }
    """UNDO undoes the taking itself; a row key is meant for the question that comes next."""
    NAME = "taken"
    DISMISS_ON_OK = True
    line: PlacedCard
    seat: Seat

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        # With the last card of a deal the next deal has begun: the taking is on the table of the old one.
        board = match.game.board(match.position.finished) if _ends_deal(match) else match.board
        label, lines = session.label(self.line.card), 0 if self.line.gets is NOTHING else 2
        needs_px = _NAME_PX + max(LARGE.capital_px, lines * layout.plan.pitch_px) + 2
        layout.frame(t.say(self.line.outcome), *self.hints(session), aside=label, key="OK", needs_px=needs_px)
        free = layout.free
        apart_px = max(0, min(2, (free.height_px - needs_px) // 2))
        name = Area(2, free.y_px + 1 + apart_px, free.width_px - 4, _NAME_PX - 1)
        aside = NOTHING
        if self.line.gets is not NOTHING:  # the picture of the bull card takes the room of the number
            aside = count("{count} CARD", "{count} CARDS", board.hands[self.seat])
        name_beside(layout, name, session, self.seat, t.say(aside))
        below = replace(
            name, y_px=name.bottom_px + apart_px, height_px=free.bottom_px - name.bottom_px - apart_px
        )
        if board.hands:
            self._draw_hand(layout, below, session, board.hands)
        else:
            self._draw_heads(layout, below, session)

    def _draw_heads(self, layout: Layout, area: Area, session: Session) -> None:
        """The heads large, and the scores after it."""
        t, match = session.translate, session.playing
        y_px = area.y_px + 1
        x_px = layout.canvas.text(area.x_px, y_px, session.translate.digits(f"+{self.line.heads}"), LARGE)
        layout.canvas.text(x_px + 1, y_px, BULL, LARGE)
        x_px += LARGE.width_px(BULL) + 5
        here, total = _scores(match, self.seat)
        told = (t("DEAL {points}", points=t.digits(f"{here:+}")), t("TOTAL {total}", total=total))
        scores = [score.replace(" ", "\N{NO-BREAK SPACE}") for score in told]
        layout.stack(Area(x_px, y_px, area.right_px - x_px, area.bottom_px - y_px), scores, align="end")

    def _draw_hand(self, layout: Layout, area: Area, session: Session, hands: tuple[int, ...]) -> None:
        """The cards in hand, and how many of them are new; large, what the taker has to take besides.

        The cards in hand can be counted by all. How many were taken is told only where that is not hidden.
        """
        t, in_hand, gets = session.translate, hands[self.seat], session.translate.say(self.line.gets)
        if gets:
            x_px = layout.canvas.text(area.x_px, area.middle_px(LARGE.capital_px), BULL_CARD, LARGE) + 4
            room = Area(x_px, area.y_px + 1, area.right_px - x_px, area.height_px - 2)
            layout.words(room, gets, (TALL, MEDIUM, SLIM))
            return
        text = t.number(in_hand) if self.line.covered else t.digits(f"+{len(self.line.takes)}")
        x_px = layout.canvas.text(area.x_px, area.y_px + 1, text, LARGE) + 3
        cards = t("CARDS IN HAND") if self.line.covered else t("TAKEN, NOW {cards}", cards=in_hand)
        layout.stack(Area(x_px, area.y_px, area.right_px - x_px, area.height_px), (cards,), align="end")


class OutOfCards(Page):
    """Who has no cards left, and that the deal is over with that; before the other hands are counted."""

    KEYS: ClassVar = WhoTakes.KEYS
    DISMISS_ON_OK = True
    seat: Seat

    def draw(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        layout = self.framed(canvas, session, t("THE DEAL IS OVER"))
        free = layout.free
        name = Area(2, free.y_px + 1, free.width_px - 4, min(24, free.height_px - 17))
        name_badge(layout, name, session, session.badge(self.seat), MAIN)
        layout.stack(free.below(name.height_px + 1), (Big(t("HAS NO CARDS LEFT")),))
