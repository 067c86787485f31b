"""The table as pages draw it: rows, the top of a pile, names of cards; and pages of turns of all players."""

from functools import lru_cache, partial
from typing import Final, Protocol

from companion.core import games
from companion.core.ask import Ask, AskKind
from companion.core.board import Board, Sign, Stack
from companion.core.cards import Seat
from companion.core.game import Game
from companion.core.score_sheet import Place
from companion.match.match import Match
from companion.text.sentence import BULL, Text, say
from companion.values import Value, replace
from firmware.display.canvas import CARD_HEIGHT_PX, Canvas
from firmware.display.glyphs import CROSS, LARGE, MEDIUM, NARROW, SMALL
from firmware.display.layout import Area, Big, Layout, wrap
from firmware.display.plan import LOW, MAIN, MAIN_WORDS, Plan
from firmware.play.table import Table
from firmware.screens.parts.base import Keys, KeyUse, Page, answer_one_of, undo
from firmware.screens.parts.kinds import PER_PAGE
from firmware.screens.parts.names import draw_badge, join_names, name_badge, name_seats
from firmware.screens.parts.numbers import dial_keys
from firmware.session.session import Session
from firmware.text.translation import Translator
from hardware.ports import Key

# A panel keeps its pixels in strips of 8 rows: what begins at a multiple of 8 touches as few as it can.
LARGE_Y_PX: Final = 16
BESIDE_PX: Final = 72
"""Where what a page says begins, right of the rows; there are 56 px for it."""
BESIDE_HEADS_PX: Final = 93
"""The same where the heads of each row stand there as well."""
_NUMBER_PX: Final = 36
_PAIR_PX: Final = 14
_IN_LINE: Final = 3
"""Numbers in SMALL beside each other."""
_BOXES_PX: Final = 41
_NUMBERS_GAP_PX: Final = 2
_EDGE_PX: Final = 2
"""Between the numbers and the edge of the display."""
_NAMES_PX: Final = 64
"""For names in a title, beside a word and how many cards have come."""
_ABOVE_PX: Final = 4
"""Between a large number and the smaller ones below it."""


def are_rows(stacks: tuple[Stack, ...]) -> bool:
    """Whether these are rows that have room beside them."""
    return 0 < len(stacks) <= PER_PAGE and all(stack.room for stack in stacks)


class Labels(Protocol):
    """Who knows how the cards of a game are called, such as the session of a match in play."""

    @property
    def translate(self) -> Translator:
        """The texts of the table."""

    def label(self, card: str) -> str:
        """A card in up to 4 columns."""


@lru_cache(maxsize=8)
def _made(game: str) -> Game:
    module = games.module(game)
    return module.make(module.SEATS[0], {})


class CardsOfGame(Value):
    """The cards of the game named `game`, in a language."""

    game: str
    translate: Translator

    def label(self, card: str) -> str:
        """A card in up to 4 columns."""
        return self.translate.say(_made(self.game).label(card))

    def named(self, card: str) -> str:
        """A card in words, in capitals."""
        return self.translate.say(_made(self.game).named(card))

    def card_of(self, text: str) -> str | None:
        """The card that a scanned or typed text means, by its name or the number in its code; None: none."""
        deck = games.module(self.game).DECK
        if text in deck:
            return text
        return deck[int(text) - 1] if text.isdigit() and 0 < int(text) <= len(deck) else None

    def worth(self, card: str) -> int:
        return games.module(self.game).worth(card)

    @property
    def in_heads(self) -> bool:
        """Whether points are bullheads: they are where the cards are numbers."""
        return games.module(self.game).DECK[0].isdigit()


def draw_rows(layout: Layout, session: Labels, stacks: tuple[Stack, ...], first: int = 0) -> None:
    """Four stacks in the left 67 px: key, last card, places or number of cards, or what they cost.

    They are at the same place on all pages of a turn: what stays the same is not sent to the panel again, and
    nobody has to look for it. Of a covered stack the last card alone: nobody may know how many cards it has.
    """
    rows = tuple(
        [
            (
                session.label(stack.cards[-1]) if stack.cards else "–",
                None if stack.covered else len(stack.cards),
                0 if layout.costs else stack.room,
                session.translate.digits(f"{stack.heads}{BULL}" if layout.costs else f"×{len(stack.cards)}"),
            )
            for stack in stacks[first : first + PER_PAGE]
        ]
    )
    line = (layout.free.y_px + 2, layout.free.height_px - 3) if are_rows(stacks) else None
    layout.canvas.kept(
        _draw_rows, layout.plan, rows, line, layout.crossed
    )  # the same for every card of a turn


def _draw_rows(
    canvas: Canvas,
    plan: Plan,
    rows: tuple[tuple[str, int | None, int, str], ...],
    line: tuple[int, int] | None,
    crossed: tuple[int, ...],
) -> None:
    """Rows by the last card as shown, the number of cards if it may be known, the room, and "×4" without.

    `line` is where a line right of them begins, and how long it is, in pixels.
    """
    font = plan.row_font
    if line is not None:
        canvas.vline(BESIDE_PX - 3, *line, dotted=True)
    for place, (end, cards, room, many) in enumerate(rows):
        top_px, height_px = plan.row_top_px + plan.row_pitch_px * place, plan.row_pitch_px
        y_px = top_px + (height_px - 7) // 2
        if place in crossed:
            canvas.text(2, y_px, CROSS)
        else:
            canvas.key(0, y_px, str(place + 1))
        if end.isdigit():
            canvas.text_right(_NUMBER_PX, top_px + (height_px - font.capital_px) // 2, end, font)
        else:
            canvas.text_right(_NUMBER_PX, y_px, end)
        if cards is None:
            continue
        if room:
            canvas.boxes(_BOXES_PX, y_px, min(cards, room), room)
        else:
            canvas.text(44, y_px, many)


def row_area(layout: Layout, place: int) -> Area:
    """Where a row stands, from the left edge to the right one."""
    plan = layout.plan
    top_px = plan.row_top_px + plan.row_pitch_px * place
    return Area(0, top_px, layout.canvas.size_px[0], plan.row_pitch_px)


def light_row(layout: Layout, place: int) -> None:
    """Light the row at a place, from 0, without its key."""
    area = row_area(layout, place)
    layout.canvas.invert(10, area.y_px, BESIDE_PX - 14, area.height_px)


def draw_heads(layout: Layout, session: Session, stacks: tuple[Stack, ...], first: int = 0) -> None:
    """The heads of each stack right of it, unless they are hidden."""
    for place, stack in enumerate(stacks[first : first + PER_PAGE]):
        if not stack.covered:
            area = row_area(layout, place)
            y_px = area.middle_px(7)
            layout.canvas.text_right(81, y_px, session.translate.number(stack.heads))
            layout.canvas.icon(82, y_px, "bull")


def beside_rows(
    layout: Layout, session: Labels, stacks: tuple[Stack, ...], title: str, aside: str = ""
) -> Area:
    """Draw the title and the rows; the area for all else, below the title where a game has no rows.

    Four high rows leave no room for a title bar: see `beside_words`.
    """
    if not are_rows(stacks):
        layout.title(title, aside)
        return layout.free
    layout.frame(title, aside=aside, needs_px=layout.plan.rows_px)
    draw_rows(layout, session, stacks)
    free = layout.free
    side = Area(BESIDE_PX, free.y_px + 1, free.width_px - BESIDE_PX, free.height_px - 1)
    if not layout.bar_px:
        layout.canvas.notice_at = (BESIDE_PX - 2, 0, side.width_px + 2, free.height_px)
    return side


def beside_words(layout: Layout, side: Area, words: str, high_px: int) -> Area:
    """Where there is no title bar, write words in the first rows beside the rows of cards; what is left."""
    if layout.bar_px:
        return side
    room = replace(side, width_px=side.width_px - _EDGE_PX, height_px=high_px)
    layout.words(room, words, layout.plan.detail)
    return side.below(high_px)


def beside_heads(layout: Layout, session: Session, stacks: tuple[Stack, ...], side: Area) -> Area:
    """Draw the heads as well, where a title bar says what else would stand beside the rows; what is left."""
    if not (layout.bar_px and are_rows(stacks)):
        return side
    draw_heads(layout, session, stacks)
    return Area(BESIDE_HEADS_PX, side.y_px, side.right_px - BESIDE_HEADS_PX, side.height_px)


def big_card(session: Session, card: str) -> tuple[Big, ...]:
    """A card as large as it can be, for a stack: its number, or its symbol above a word."""
    sign = session.sign(card)
    if sign is None:
        return (Big(session.label(card)),)
    return tuple(Big(part) for part in (sign.symbol, session.translate.say(sign.word)) if part)


BEATS_PX: Final = 46
"""Width of what beats the card."""
_SYMBOL_PX: Final = 24


def draw_top(layout: Layout, area: Area, session: Session, top: Sign) -> None:
    """The symbol, and beside it or below it the colour, both in letters for all around the table."""
    if top.symbol:
        symbol, rest = layout.split(area, _SYMBOL_PX, 4)
        if area.height_px >= LARGE.capital_px + MAIN_WORDS[0].capital_px:
            x_px = area.x_px + (area.width_px - LARGE.width_px(top.symbol)) // 2
            symbol, rest = replace(area, x_px=x_px, height_px=_SYMBOL_PX), area.below(_SYMBOL_PX)
        layout.canvas.text(symbol.x_px, symbol.middle_px(_SYMBOL_PX), top.symbol, LARGE)
        layout.canvas.note_main(_SYMBOL_PX)
        area = rest
    layout.stack(area, (Big(session.translate.say(top.word)),))


def draw_beats(layout: Layout, area: Area, session: Session, board: Board) -> None:
    """What may be played on the card, a symbol or word in each line."""
    t, canvas = session.translate, layout.canvas
    if not board.beats:
        return
    pitch_px = min(16, area.height_px // len(board.beats))
    large = pitch_px >= MEDIUM.capital_px + 1
    edge, inner = layout.split(replace(area, width_px=area.width_px - 1), 1, 3)
    canvas.vline(edge.x_px, area.y_px + 1, area.height_px - 2, dotted=True)
    for place, sign in enumerate(board.beats):
        line = replace(inner, y_px=area.y_px + pitch_px * place, height_px=pitch_px)
        word = t.say(sign.word)
        if sign.symbol:
            font = MEDIUM if large else SMALL
            if font.width_px(sign.symbol) + 3 + NARROW.width_px(word) > line.width_px:
                font = SMALL  # the word needs the room
            symbol, line = layout.split(line, font.width_px(sign.symbol), 3)
            canvas.text(symbol.x_px, symbol.middle_px(font.capital_px), sign.symbol, font)
        font, word = layout.fitted(word, line.width_px, (SMALL, NARROW))
        layout.put(line, word, font)


def is_last_deal(match: Match) -> bool:
    """Whether the match, after others, is over with the deal in progress, whatever is played in it."""
    sheet, end, deal = match.score_sheet, match.game.end, match.position.deal
    return deal > 1 and bool(match.asks) and (deal in (end.deals, sheet.last) or sheet.over(end))


_CARDS_PX: Final = CARD_HEIGHT_PX + 18
"""Cards, and below them what is asked."""


class LayCards(Page):
    """Cards that are laid out or picked before play goes on, one scan each."""

    NAME = "deal"
    ask: Ask

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        have, need = self.ask.have, self.ask.need
        count, hints = t.digits(f"{len(have)}/{need}"), self.hints(session)
        if self.ask.kind is AskKind.PICK:
            layout.frame(t("OPEN DRAFT"), *hints, aside=count, needs_px=_CARDS_PX)
            free = layout.free
            name = Area(2, free.y_px + 4, free.width_px - 4, min(24, free.height_px - 20))
            name_badge(layout, name, session, session.badge(self.ask.seats[0]), MAIN)
            layout.stack(free.below(name.height_px + 5), (t.say(self.ask.says),))
            return
        deal = t("LAST DEAL") if is_last_deal(match) else t("DEAL {deal}", deal=match.position.deal)
        dealt = "" if have else t.say(match.board.hint)
        layout.frame(dealt or deal, *hints, aside=deal if dealt else count, needs_px=_CARDS_PX)
        left_px = 64 - 16 * min(need, PER_PAGE) + 3
        y_px = layout.free.middle_px(_CARDS_PX)
        for place in range(need):
            label = session.label(have[place]) if place < len(have) else None
            canvas.card(left_px + 32 * place, y_px, label, emphasised=place == len(have) - 1)
        layout.stack(layout.free.below(y_px + 17 - layout.free.y_px), (Big(t.say(self.ask.says)),))

    def keys(self, session: Session) -> Keys:
        """Keys set a card that cannot be scanned; UNDO takes back what was done before."""
        keys = dial_keys()
        if session.playing.newest:
            keys[Key.UNDO] = KeyUse(undo, say("UNDO=LAST CARD"))
        elif session.has_result_before:
            keys[Key.UNDO] = KeyUse(undo, say("UNDO=LAST RESULT"))
        return keys


class Reveal(Value):
    """The key that shows hidden cards once all have chosen, and how a page tells it, also in short."""

    key: KeyUse
    says: Text
    short: Text


class _CardsOfTurn(Page):
    """A page on which the cards of a turn are expected. Keys set a card that cannot be scanned."""

    ask: Ask
    reveal: Reveal | None = None
    whose: Seat | None = None
    """Who opens the next card, where players open one after the other although any order is read."""

    def whose_card(self, session: Session, columns: int) -> str:
        """Who plays the next card, the name cut to `columns` characters; empty where every player may."""
        seat = session.next_in_order(self.ask) if self.whose is None else self.whose
        if seat is None:
            return ""
        name = session.short_name(seat, columns)
        first = self.whose is not None and not self.ask.have
        return session.translate("FIRST CARD: {name}" if first else "{name}'S CARD", name=name)

    def keys(self, session: Session) -> Keys:
        return {**dial_keys(), **({} if self.reveal is None else {Key.OK: self.reveal.key})}

    def prompts(self, session: Session) -> tuple[str, str]:
        """What to press when all have chosen, and the same in short; empty where cards are only scanned."""
        if self.reveal is None:
            return "", ""
        return session.translate.say(self.reveal.says), session.translate.say(self.reveal.short)


class Home(_CardsOfTurn):
    """The table between two turns, waiting for the cards of the next one."""

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        board, chosen = match.board, True
        says = self.whose_card(session, 8) or t("CHOOSE, REVEAL, SCAN")
        if session.waits_for_ready:
            ready, need = len(session.ready), self.ask.need - session.shown_by_box()
            chosen = ready >= need
            says = t("ALL READY: REVEAL") if chosen else t("READY {ready}/{need}", ready=ready, need=need)
        prompt, short = self.prompts(session) if chosen else ("", "")
        side = beside_rows(layout, session, board.stacks, prompt or says)
        side = beside_words(layout, side, short or says, side.height_px - _LEADER_PX)
        _draw_turn(layout, beside_heads(layout, session, board.stacks, side), session)


_MOST_PX: Final = 27
"""Of what costs a row, which stands in the help as well."""
_LEADER_PX: Final = 16
_MOST_LEADING: Final = 3
"""Badges that have room in a line."""
_SHAPE_PX: Final = 18
"""A large shape beside a name."""
_CROWN_PX: Final = 14


def _leading(match: Match) -> tuple[Place, ...]:
    """Who has the best total, with the points of this deal; nobody while many have it."""
    places = match.score_sheet.scored(match.points).standings(match.players)
    first = tuple(place for place in places if place.rank == 1)
    return first if len(first) < len(places) and len(first) <= _MOST_LEADING else ()


def _draw_leaders(layout: Layout, area: Area, session: Session, first: tuple[Place, ...]) -> None:
    """The name of who leads, with the shape of the badge where there is room; the shapes alone of several."""
    if len(first) > 1:
        for place in first:
            taken_px = draw_badge(layout.canvas, area, session.badge(place.seats[0]))
            area = Area(area.x_px + taken_px, area.y_px, area.width_px - taken_px, area.height_px)
    elif MAIN_WORDS[-1].width_px(session.name(first[0].seats[0])) + _SHAPE_PX <= area.width_px:
        name_seats(layout, area, session, first[0].seats, MAIN_WORDS)
    else:
        layout.main(area, join_names(session, first[0].seats, area.width_px, MAIN_WORDS[-1]), MAIN_WORDS)


def _draw_turn(layout: Layout, side: Area, session: Session) -> None:
    """Which turn it is, and who leads, or what costs a row; in one line where there is no room for more."""
    t, match, plan = session.translate, session.playing, layout.plan
    first, turn = _leading(match), t("TURN {turn}", turn=match.board.turn)
    line_px = plan.pitch_px
    low = side.height_px < 2 * (line_px + 2 + _LEADER_PX)
    if not first:
        hint, fonts = t.say(match.board.hint), plan.detail[:2]
        hint_px = line_px * len(wrap(hint, side.width_px, fonts[-1:]))
        high_px = side.height_px - (0 if low or hint_px > _MOST_PX else hint_px)
        items = (turn,) if low else (t("TURN"), Big(t.number(match.board.turn)))
        layout.stack(replace(side, height_px=high_px), items)
        if high_px < side.height_px:
            layout.words(side.below(high_px), hint, fonts)
        return
    side, total = replace(side, width_px=side.width_px - _EDGE_PX), t.number(first[0].total)
    if low:
        line = Area(side.x_px, side.middle_px(_LEADER_PX), side.width_px, _LEADER_PX)
        crown, line = layout.split(layout.put_end(line, total, plan.row_font, 5), _CROWN_PX, 3)
        layout.canvas.icon(crown.x_px, crown.y_px, "crown", large=True)
        _draw_leaders(layout, line, session, first)
        return
    for words in (turn, t("LEADS") if len(first) == 1 else t("LEAD")):
        font, shown = layout.fitted(words, side.width_px, plan.detail)
        high_px = max(layout.height_px(shown, font), line_px)
        layout.put(replace(side, height_px=high_px), shown, font)
        side = side.below(high_px + 2)
    _draw_leaders(layout, replace(side, height_px=_LEADER_PX), session, first)
    layout.main(side.below(_LEADER_PX + 1), total, MAIN_WORDS)


def _seats_missing(ask: Ask, session: Session) -> tuple[Seat, ...]:
    """Whose cards are missing; empty where nobody knows, as a card without an owner may be anybody's."""
    known = 0 < ask.need - len(ask.have) == len(ask.seats) < ask.need
    return tuple(seat for seat in ask.seats if known and not session.is_robot(seat))


class Collecting(_CardsOfTurn):
    """The cards of a turn come in, in any order."""

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        board = match.board
        have, need = self.ask.have, self.ask.need
        whose = self.whose_card(session, 4)
        to_go = whose or t("{left} TO GO", left=need - len(have))
        prompt, short = self.prompts(session)
        title = prompt or t("TURN {turn}/{turns}", turn=board.turn, turns=board.turns)
        missing = () if whose or prompt else _seats_missing(self.ask, session)
        if missing:
            to_go = t.digits(f"{len(have)}/{need}")
            title = t("{names} MISSING", names=join_names(session, missing, _NAMES_PX, layout.plan.title[-1]))
        side = beside_rows(layout, session, board.stacks, title, to_go)
        if missing:
            names = join_names(session, missing, side.width_px - _EDGE_PX, LOW[-1])
            short = t("{names} MISSING", names=names)
        side = beside_words(layout, side, short or to_go, layout.plan.row_pitch_px)
        order = match.game.cards(match.position.table)
        others = [session.label(card) for card in sorted(have[:-1], key=order.index)]
        side = replace(side, width_px=side.width_px - _EDGE_PX)
        top_px = max(side.y_px, LARGE_Y_PX)
        free_px = side.bottom_px - top_px - -(-len(others) // _IN_LINE) * (SMALL.capital_px + 1)
        high_px = layout.main(
            Area(side.x_px, top_px, side.width_px, min(LARGE.capital_px, free_px)), session.label(have[-1])
        )
        draw_numbers(layout, side.below(top_px + high_px - side.y_px), others)


def draw_numbers(layout: Layout, area: Area, numbers: list[str]) -> None:
    """Cards in lines, two side by side where all have room in MEDIUM, else three in SMALL."""
    canvas = layout.canvas
    large = -(-len(numbers) // 2) * _PAIR_PX + _ABOVE_PX <= area.height_px + 1
    font, columns, pitch_px = (MEDIUM, 2, _PAIR_PX) if large else (SMALL, _IN_LINE, SMALL.height_px)
    cell_px = area.width_px // columns
    if any(font.width_px(number) > cell_px - _NUMBERS_GAP_PX for number in numbers):
        font = NARROW
    top_px = area.y_px + (_ABOVE_PX if large else 1)
    if numbers:
        lines, gap_px = -(-len(numbers) // columns), pitch_px - font.capital_px
        pitch_px = min(pitch_px, (area.bottom_px - top_px + gap_px) // lines)
    for place, number in enumerate(numbers):
        line, column = divmod(place, columns)
        canvas.text_right(area.x_px + cell_px * (column + 1), top_px + pitch_px * line, number, font)


class DealtHand(Page):
    """Whose hand is scanned, and how many of its cards were."""

    asks: tuple[Ask, ...]

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        ask = self.asks[0]
        layout.title(self.heading(session), t("DEAL {deal}", deal=match.position.deal))
        layout.hints(*self.hints(session))
        free = layout.free
        name = Area(2, free.y_px + 1, free.width_px - 4, min(24, free.height_px - 16))
        name_badge(layout, name, session, session.badge(ask.seats[0]), MAIN)
        count = session.translate.digits(f"{len(ask.have)}/{ask.need}")
        layout.stack(free.below(name.height_px + 3), (Big(count),))

    def heading(self, session: Session) -> str:
        return session.translate.say(self.asks[0].says)

    def keys(self, session: Session) -> Keys:
        """R4 plays this deal without known hands; UNDO brings them back."""
        without = self.asks[1]
        says = say("R4={what}", what=without.labels[0])
        return {Key.ROW_4: KeyUse(partial(self.choose, without.choices[0]), says)}

    def choose(self, choice: str, table: Table) -> bool:
        return answer_one_of(self.asks[1], None, choice, table)
