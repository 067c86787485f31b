"""Numbers and cards that are set with keys, and a score for each player, one of which is being set."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from companion.core.ask import TYPED, AskKind, Gives
from companion.core.cards import Seat
from companion.core.score_sheet import points_range
from companion.text.sentence import Text, say
from companion.values import Value, replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import ELLIPSIS, LARGE, RIGHT_TO_LEFT, SMALL
from firmware.display.layout import KEY_PX, Area, Big, Layout
from firmware.display.plan import LOW
from firmware.play.cards import play
from firmware.play.table import Table
from firmware.screens.parts import base
from firmware.screens.parts.base import UNDO_BACK, Held, Keys, KeyUse, Page, asked_for, forward_keys
from firmware.screens.parts.names import name_badge
from firmware.session.actions import ROW_KEYS
from firmware.session.session import Session
from firmware.text.translation import Translator
from hardware.ports import Key

_ROW_STEPS: Final[Mapping[Key | Held, int]] = {
    Key.ROW_1: -10,
    Key.ROW_2: -1,
    Key.ROW_3: 1,
    Key.ROW_4: 10,
    Key.TURN_LEFT: -1,
    Key.TURN_RIGHT: 1,
}
_FAR: Final[Mapping[Key, int]] = {Key.ROW_1: -1000, Key.ROW_2: -100, Key.ROW_3: 100, Key.ROW_4: 1000}
STEPS: Final[dict[Key | Held, int]] = {
    **_ROW_STEPS,
    **{Held(key): far for key, far in _FAR.items()},
}
"""What a key does to the points that are set."""

_FOUR: Final = 4
_ROOM_PX: Final = 12
"""Width of a row key with the gap behind it."""
_SPAN: Final = 16
_HALF_PX: Final = 60
"""Width of a number beside them."""


class Span(Value):
    """Where a number is looked for, in three presses of row keys: sixteen, then four, then one.

    From `low` on, each row key stands for `step` numbers; the last one of the widest leads to those behind.
    With `minus` they are below zero.
    """

    low: int = 0
    step: int = _SPAN
    minus: bool = False

    @property
    def says(self) -> tuple[str, ...]:
        """What each row key stands for."""
        lows = [self.low + self.step * place for place in range(_FOUR)]
        sign, to = ("-", f"{ELLIPSIS}-") if self.minus else ("", "–")
        if self.step == 1:
            return tuple(f"{sign}{low}" for low in lows)
        spans = [f"{sign}{low}{to}{low + self.step - 1}" for low in lows]
        return (*spans[:-1], f"{sign}{lows[-1]}+") if self.step == _SPAN else tuple(spans)

    def keys(
        self,
        chosen: Callable[[int, Table], object],
        narrowed: Callable[[Span, Table], object],
        *,
        negative: bool = False,
    ) -> Keys:
        """Row keys narrow it down, and choose a number at last; held down they go far.

        Where points can be `negative`, the first one leads below zero and back.
        """
        keys: Keys = {}
        for place, key in enumerate(ROW_KEYS):
            low = self.low + self.step * place
            if self.step == 1:
                keys[key] = KeyUse(partial(chosen, -low if self.minus else low), help=say("THIS NUMBER"))
            else:
                further = self.step == _SPAN and place == _FOUR - 1
                span = Span(low, _SPAN if further else self.step // _FOUR, self.minus)
                keys[key] = KeyUse(partial(narrowed, span), help=say("NEARBY NUMBERS"))
        for held, far in _FAR.items():
            span = Span(max(0, self.low + far), minus=self.minus)
            keys[Held(held)] = KeyUse(partial(narrowed, span), help=say("DISTANT NUMBERS"))
        if negative:
            says = say("HOLD 1: +") if self.minus else say("HOLD 1: -")
            other = partial(narrowed, Span(minus=not self.minus))
            keys[Held(Key.ROW_1)] = KeyUse(other, says, say("BELOW OR ABOVE ZERO"))
        return keys

    def draw(self, layout: Layout, area: Area, session: Session, number: str = "") -> None:
        """The four parts, each beside its key, and `number` large; two and two where the area is low."""
        area = Area(area.x_px, area.y_px + 1, area.width_px, area.height_px - 1)
        columns = 1 if area.height_px >= _FOUR * layout.plan.pitch_px else 2
        if number and columns == 1:
            left, area = layout.split(area, _HALF_PX, 4)
            layout.stack(left, (Big(number),))
        pitch_px = area.height_px * columns // _FOUR
        for place, words in enumerate(self.says):
            row, column = divmod(place, columns)
            line = layout.column(
                replace(area, y_px=area.y_px + pitch_px * row, height_px=pitch_px), columns, column
            )
            fonts, room_px = layout.plan.text, line.width_px - _ROOM_PX
            if fonts[-1].width_px(words) > room_px:
                words = f"{words.partition(ELLIPSIS)[0].partition('–')[0]} .."  # noqa: PLW2901 - as it has room
            shown = session.translate.digits(words)  # from left to right in every language
            shown = f"\u2066{shown}\u2069" if layout.plan.right_to_left else shown
            font, shown = layout.fitted(shown, room_px, fonts)
            key, beside = layout.split(line, KEY_PX, _ROOM_PX - KEY_PX)
            layout.key(key, str(place + 1), SMALL)
            layout.put(beside, shown, font)


HIGHEST: Final = 999
"""The most points of a pile or of rows that can be dialled."""
CHANGES: Final = say("CHANGE THE NUMBER")
_PLACES: Final = 5


def step_keys(steps: Mapping[Key | Held, int], stepped: Callable[[int, Table], object]) -> Keys:
    """Keys that change a number; `stepped` is given by how much."""
    return {key: KeyUse(partial(stepped, step), help=CHANGES) for key, step in steps.items()}


class Points(Page):
    """Points up to `most`, which are given to `chosen`: row keys narrow them down, the knob sets `number`."""

    title: Text
    most: int
    chosen: Callable[[int, Table], object]
    number: int = 0
    span: Span = Span()

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        needs_px = 3 * layout.plan.pitch_px
        layout.frame(t.say(self.title), *self.hints(session), key="OK", needs_px=needs_px)
        self.span.draw(layout, layout.free, session, t.number(self.number))

    def keys(self, session: Session) -> Keys:
        knob: Keys = {
            key: KeyUse(self.shows(number=max(0, min(self.most, self.number + step))), help=CHANGES)
            for key, step in _DIAL_STEPS.items()
            if isinstance(key, Key) and key not in ROW_KEYS
        }
        undo = KeyUse(base.back if self.span == Span() else self.shows(span=Span()), say("UNDO=BACK"))
        return {
            Key.OK: KeyUse(partial(self._take, self.number), say("OK={what}", what=self.number)),
            Key.UNDO: undo,
            **knob,
            **self.span.keys(self._take, self._narrow),
        }

    def take_number(self, number: int, table: Table) -> bool:
        self._take(number, table)
        return True

    def _narrow(self, span: Span, table: Table) -> None:
        table.show(replace(self, span=replace(span, low=max(0, min(span.low, self.most)))))

    def _take(self, number: int, table: Table) -> None:
        if not 0 <= number <= self.most:
            table.decline(say("FROM {first} TO {last}", first=0, last=self.most))
            return
        self.chosen(number, table)  # an answer that stands closes the page


def number_keys(session: Session, number: int, changed: Callable[[int, Table], object]) -> Keys:
    """Keys that set the points of a deal; `changed` is given the number that they lead to."""
    lowest, most = points_range(negative=session.playing.scoring.negative)

    def stepped(step: int, table: Table) -> None:
        changed(max(lowest, min(most, number + step)), table)

    return step_keys(STEPS, stepped)


def draw_scores(
    layout: Layout, session: Session, scores: Sequence[tuple[Seat, str]], lit: Seat | None
) -> None:
    """Name and score, up to five below each other, else two columns; the line of `lit` is inverted.

    Where the lines of the plan have no room, they are lower.
    """
    plan, free, canvas = layout.plan, layout.free, layout.canvas
    columns = 1 if len(scores) <= min(_PLACES, free.height_px // plan.pitch_px) else 2
    lines = -(-len(scores) // columns)
    pitch_px = min(plan.pitch_px, free.height_px // max(1, lines))
    fonts = plan.text if pitch_px >= plan.pitch_px else LOW
    top_px = free.y_px + (1 if pitch_px * lines < free.height_px else 0)
    for place, (seat, score) in enumerate(scores):
        column, row = divmod(place, lines)
        area = layout.column(
            Area(free.x_px, top_px + pitch_px * row, free.width_px, pitch_px), columns, column
        )
        area = replace(area, width_px=area.width_px - (columns - 1))
        inner = Area(area.x_px + 2, area.y_px, area.width_px - 4, area.height_px)
        font, score = layout.fitted(score, inner.width_px, fonts)  # noqa: PLW2901 - as it is set
        layout.put(inner, score, font, end=True)
        name, _ = layout.split(inner, inner.width_px - font.width_px(score) - 4)
        name_badge(layout, name, session, session.badge(seat), fonts)
        if seat == lit:
            canvas.invert(area.x_px, area.y_px, area.width_px, area.height_px)


def change(t: Translator, before: int, after: int) -> str:
    """Points before and after they are corrected; the arrow points on where people read."""
    if t.right_to_left:
        return t.digits(f"{RIGHT_TO_LEFT}{before} ← {after}")
    return t.digits(f"{before} → {after}")


def draw_steps(canvas: Canvas, y_px: int) -> None:
    """The effects of the row keys on the number."""
    for place, step in enumerate(("-10", "-1", "+1", "+10")):
        x_px = 2 + 32 * place
        canvas.text(canvas.key(x_px, y_px, str(place + 1)), y_px, step)


_DIAL_STEPS: Final[dict[Key | Held, int]] = {
    **_ROW_STEPS,
    Key.UP: 1,
    Key.DOWN: -1,
    Key.LEFT: -10,
    Key.RIGHT: 10,
    # Held down: with these any card is four presses away on average.
    Held(Key.ROW_1): -50,
    Held(Key.ROW_2): -5,
    Held(Key.ROW_3): 5,
    Held(Key.ROW_4): 50,
}

_MANY: Final = 999
"""Above it a key that is held down goes as far as in the points of a deal."""
BY_KEYS: Final = say("SET A CARD BY KEYS")
_PLAYED: Final = (AskKind.PLAY, AskKind.RACE)
"""The questions that a card answers by being played; others are about cards that are laid out or counted."""

_OPENS = (*ROW_KEYS, Key.UP, Key.DOWN)


def dial_number(
    table: Table, title: Text, numbers: range, begin: int, chosen: Callable[[int, Table], object]
) -> None:
    """Ask for one of some numbers, starting at `begin`; they wrap around."""
    names = tuple(map(str, numbers))
    at = numbers.index(begin)
    table.open(Dial(title, names, at, lambda name, to: chosen(int(name), to), counts=True))


def dial_points(table: Table, title: Text, most: int, page: Page) -> None:
    """Ask for points up to a limit, which are the answer to the question of a page."""
    table.open(Points(title, most, lambda points, to: page.choose(f"{TYPED}{points}", to)))


def dial_card(table: Table, begin: str = "", mark: str = "") -> None:
    """Ask for a card of the game in play, starting at one of them.

    It is played, with the mark before it, once OK has said so on a page of its own.
    """
    match = table.session.playing
    cards = match.game.cards(match.position.table)
    if not cards:
        table.say(say("NO CARDS KNOWN HERE"))
        return
    at = cards.index(begin) if begin in cards else (len(cards) - 1) // 2
    table.open(Dial(say("WHICH CARD?"), cards, at, lambda card, to: to.open(CardSet(card, mark))))


def dial_keys() -> Keys:
    """The keys that open the dial for a card that cannot be scanned."""
    return {key: KeyUse(partial(dial_beside, key), help=BY_KEYS) for key in _OPENS}


def dial_beside(key: Key, table: Table) -> None:
    """Open the dial for a card that cannot be scanned.

    A row key begins beside the end of its row: the card that is played is most often one that fits there.
    Cards that were scanned in this turn are passed over.
    """
    match = table.session.playing
    stacks = match.board.stacks
    begin = ""
    if key in ROW_KEYS and ROW_KEYS.index(key) < len(stacks):
        cards = match.game.cards(match.position.table)
        end = stacks[ROW_KEYS.index(key)].cards[-1]
        scanned = match.asks[0].have if match.asks else ()
        above = cards[cards.index(end) + 1 :] if end in cards else ()
        begin = next((card for card in above if card not in scanned), end)
    dial_card(table, begin)


def _sets_hidden_card(session: Session) -> bool:
    """Whether a card of a hand is set that nobody else may know."""
    match = session.match
    return match is not None and bool(match.asks) and match.asks[0].kind is AskKind.HOLD


def _draw_name(layout: Layout, area: Area, session: Session, name: str) -> None:
    """A card, or a number, as large as there is room, with what else is on the card."""
    sign = None if name.isdigit() else session.sign(name)
    shown = (Big(name if name.isdigit() else session.label(name)),)
    layout.stack(area, shown if sign is None else (*shown, session.translate.say(sign.mark)))


_NAME_PX: Final = LARGE.capital_px + 12
"""A card, and the keys that change it."""


class Dial(Page):
    """One of `names`, which wrap around; OK passes it to `chosen`. `counts`: they are numbers, not cards."""

    title: Text
    names: tuple[str, ...]
    at: int
    chosen: Callable[[str, Table], object]
    counts: bool = False

    def is_secret(self, session: Session) -> bool:
        return _sets_hidden_card(session)

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, name, layout = session.translate, self.names[self.at], Layout(canvas, session.plan)
        layout.frame(t.say(self.title), *self.hints(session), key="OK", needs_px=_NAME_PX)
        free = layout.free
        steps_px = free.bottom_px - 10
        room = Area(free.x_px, free.y_px + 1, free.width_px, steps_px - free.y_px - 2)
        _draw_name(layout, room, session, name)
        draw_steps(canvas, steps_px)

    def keys(self, session: Session) -> Keys:
        """Keys change it, OK takes it; a scan is answered by the page below."""
        return {
            Key.OK: KeyUse(partial(self._take, self.names[self.at]), say("OK=CONFIRM")),
            Key.UNDO: UNDO_BACK,
            **step_keys(_DIAL_STEPS | (STEPS if len(self.names) > _MANY else {}), self._step),
        }

    def take_number(self, number: int, table: Table) -> bool:
        """A number that is typed is taken, where numbers are asked for."""
        if self.counts and str(number) in self.names:
            self._take(str(number), table)
        elif self.counts:
            first, last = int(self.names[0]), int(self.names[-1])
            table.decline(say("FROM {first} TO {last}", first=first, last=last))
        return self.counts

    def _step(self, step: int, table: Table) -> None:
        table.show(replace(self, at=(self.at + step) % len(self.names)))

    def _take(self, name: str, table: Table) -> None:
        table.close()
        self.chosen(name, table)


class CardSet(Page):
    """Whether a card that was set with keys is meant: two keys that somebody plays with must not play one.

    UNDO, and every key of the dial, goes back to it. `mark` stands before the card that is played.
    """

    card: str
    mark: str = ""

    def is_secret(self, session: Session) -> bool:
        return _sets_hidden_card(session)

    def draw(self, canvas: Canvas, session: Session) -> None:
        ask = asked_for(Gives.CARD, session.playing.asks)
        played, card = ask is not None and ask.kind in _PLAYED, session.label(self.card)
        title = say("PLAY {card}?", card=card) if played else say("CARD {card}?", card=card)
        layout = self.framed(canvas, session, session.translate.say(title))
        _draw_name(layout, layout.free, session, self.card)

    def keys(self, session: Session) -> Keys:
        steps = [key for key in _DIAL_STEPS if isinstance(key, Key)]
        return {
            Key.OK: KeyUse(self._play, say("OK=YES")),
            Key.UNDO: KeyUse(self._set_again, say("UNDO=NO")),
            **forward_keys(steps, self._set_again),
        }

    def _play(self, table: Table) -> None:
        table.close()
        play(table, f"{self.mark}{self.card}")

    def _set_again(self, table: Table) -> None:
        table.close()
        dial_card(table, self.card, self.mark)
