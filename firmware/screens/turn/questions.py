"""Questions that are answered with a player, a stack or a word; and cards whose owner nobody knows."""

from collections.abc import Callable
from typing import ClassVar, Final

from companion.core.ask import Ask, AskKind, Wait
from companion.core.board import Stack
from companion.core.cards import Seat
from companion.match.match import Match
from companion.text.sentence import NOTHING, Text, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import MEDIUM, SMALL
from firmware.display.layout import KEY_PX, Area, Big, Layout, wrap
from firmware.display.plan import LOW, LOW_PX, MAIN_WORDS
from firmware.play.page import StepResult
from firmware.play.table import Table
from firmware.screens.parts.base import OK_BACK, Keys, KeyUse, answer_one_of, back, read_badge, undo
from firmware.screens.parts.kinds import PER_PAGE, ChoiceList, ListPage, Menu, Message, without_views
from firmware.screens.parts.names import LONGEST_IN_LIST, PLAYERS_PER_PAGE, draw_players, name_badge
from firmware.screens.turn.corrections import PickPlayers
from firmware.screens.turn.table import BESIDE_HEADS_PX, big_card, draw_heads, draw_rows, row_area
from firmware.session.session import Session
from hardware.ports import Key, Signal


def owners_missing(match: Match, table: object) -> bool:
    """Whether a table of this match has cards whose owner is not known."""
    return bool(match.game.unclaimed(table))


def not_verified(match: Match) -> bool:
    """Whether cards of the deal in progress or of a finished one that was not corrected were left out."""
    if not match.position.over and match.game.unclaimed(match.position.table):
        return True
    deals = match.position.score_sheet.deals
    finished = ((points, match.finished(number)) for number, points in enumerate(deals, start=1))
    return any(
        table is not None and match.game.unclaimed(table) and match.game.points(table) == points
        for points, table in finished
    )


def cards_without_owner(match: Match) -> list[str]:
    """The cards whose owner can still be named: of the deal in progress, else of the one before it."""
    at, game = match.position, match.game
    cards = game.unclaimed(at.table)
    if not cards and match.can_correct_finished:
        cards = game.unclaimed(at.finished)
    return [card for card, _ in cards]


def ask_which_owner(table: Table) -> None:
    """Ask who played a card whose owner is not known; first which card, where there are several."""
    cards = cards_without_owner(table.session.playing)
    items = tuple((say("OWNER OF {card}", card=card), _asks_owner(card)) for card in cards)
    if len(items) == 1:
        items[0][1](table)
    else:
        table.open(Menu(say("OWNER OF A CARD"), items))


def _asks_owner(card: str) -> Callable[[Table], None]:
    def named(badges: tuple[int, ...], at: Table) -> None:
        seat = at.session.seat(badges[0])
        if seat is None:
            at.say(say("NOT IN THIS MATCH"))
        else:
            _name_owner(card, seat, at)

    def ask(table: Table) -> None:
        table.open(PickPlayers(say("WHO PLAYED {card}?", card=card), named, 1))

    return ask


def _name_owner(card: str, seat: Seat, table: Table) -> None:
    """Name the owner of a card that was placed before, and say which points move."""
    session, ruled = table.session, table.has_seen(StepResult.RULING)
    before = _points(session.playing, seat)
    if not table.propose(session.playing.game.claim(card, seat)):
        return
    if ruled:  # nobody has to see again where the cards go
        table.home()
        table.acknowledge(StepResult.RULING)
    moved = session.translate.digits(f"{_points(session.playing, seat) - before:+}")
    name = session.short_name(seat, 8)
    table.say(say("{card}: {name} {points}", card=session.label(card), name=name, points=moved))


def _points(match: Match, seat: Seat) -> int:
    """All points of a player, with those of the deal in progress."""
    return match.totals[seat] + (0 if match.position.over else match.points[seat])


_CARD_PX: Final = 54
"""Width of a card in LARGE."""
_CARD_HIGH_PX: Final = 25
"""Height of a card in LARGE."""
_QUESTION_PX: Final = 63
"""The same, with the question above it."""
_SIGN_PX: Final = 32
"""Height of a symbol above a word, both large."""
_MOST_ABOVE_HINTS: Final = 8
"""Names in two columns that leave room for what OK does."""
_PITCH_PX: Final = 16
"""From name to name where they have room."""


class ChoosePlayerPage(ListPage):
    """Which player, by badge or with the cursor."""

    TITLE_IS_PROMPT = True
    WITHOUT_OWNER: ClassVar[Text] = say("OK=LATER")
    """What `UNKNOWN_KEY` does where play can go on although nobody knows whose the card is."""
    UNKNOWN_KEY: ClassVar = Key.OK
    ask: Ask

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        seats = [Seat(int(choice)) for choice in self.ask.choices]
        few = len(seats) <= PER_PAGE
        says, hint = t.say(self.ask.says), self.hint(self.UNKNOWN_KEY, session)
        # Large names leave no room for a title but beside them, if its question is short or all is large.
        small = layout.plan.pitch_px < _PITCH_PX and LOW[-1].width_px(says) >= _QUESTION_PX - 2
        high = len(seats) * _PITCH_PX > layout.free.height_px - layout.plan.bar_px
        beside = says if few and self.ask.card and high and not small else ""
        how, hints_fit = t("BADGE OR KEY"), len(seats) <= _MOST_ABOVE_HINTS
        if few and not beside:
            layout.title(says, "" if self.ask.card or not layout.title_holds(says, how) else how)
        elif not few:
            layout.main_title(says, "" if hints_fit else hint)
        if few:
            side_px = self._draw_card(layout, session, beside, how, hint)
            self._draw_few(layout, session, seats, side_px)
        else:
            if hints_fit:
                layout.free = layout.hints_below(layout.free, hint)
            draw_players(
                layout,
                session,
                [session.badge(seat) for seat in seats],
                () if self.cursor is None else (self.cursor,),
            )

    def _draw_card(self, layout: Layout, session: Session, question: str, how: str, hint: str) -> int:
        """The card large beside the names, what is said with it, above it a question; its columns."""
        if not self.ask.card:
            return 0
        free, side_px = layout.free, _QUESTION_PX if question else _CARD_PX
        _, room = layout.split(free, free.width_px - side_px)
        if question:
            canvas, inner = layout.canvas, replace(room, x_px=room.x_px + 2, width_px=side_px - 4)
            canvas.note(question)
            canvas.notice_at = (room.x_px, room.y_px, room.width_px, room.height_px)
            high_px = LOW_PX * len(wrap(question, inner.width_px, LOW[-1:]))
            layout.words(replace(inner, height_px=high_px), question, LOW)
            canvas.light_key(room.x_px, room.y_px, room.width_px, high_px)
            room = room.below(high_px)
        room = layout.hints_below(room.below(1), hint)
        low = LOW[-1:] if LOW[-1].width_px(how) <= room.width_px else LOW  # in one line, if it has room there
        high_px = room.height_px - 2 * LOW_PX
        layout.words(room.below(high_px), how, low)
        in_line = (Big(session.label(self.ask.card)),)  # where a symbol above a word would be small
        card = in_line if high_px < _SIGN_PX else big_card(session, self.ask.card)
        layout.stack(replace(room, height_px=high_px), card)
        return side_px + 2

    def _draw_few(self, layout: Layout, session: Session, seats: list[Seat], side_px: int) -> None:
        """Each name beside the row key that chooses it."""
        canvas, plan, free = layout.canvas, layout.plan, layout.free
        high_px, columns = free.height_px // len(seats), 1
        if high_px < _PITCH_PX and not side_px and (plan.right_to_left or high_px < MEDIUM.capital_px + 1):
            columns = 2
        pitch_px = min(_PITCH_PX, high_px * columns)
        top_px = free.y_px + 1 + (free.height_px > pitch_px * len(seats))
        fonts = (MEDIUM, *plan.text, *LOW) if pitch_px < _PITCH_PX else (*MAIN_WORDS, MEDIUM, *LOW)
        for place, seat in enumerate(seats):
            line = Area(0, top_px + pitch_px * (place // columns), free.width_px, pitch_px - 1)
            line = layout.column(line, columns, place % columns)
            area, _ = layout.split(line, line.width_px - side_px - 2 * columns + 1)
            key, name = layout.split(area, KEY_PX, 3)
            layout.key(key, str(place + 1), SMALL)
            name_badge(layout, name, session, session.badge(seat), fonts)
            if place == self.cursor:
                _, lit = layout.split(area, KEY_PX + 1)
                canvas.invert(lit.x_px, lit.y_px, lit.width_px + 1, lit.height_px)

    def keys(self, session: Session) -> Keys:
        """A row key answers for the first four, and OK for the player under the cursor.

        OK without a cursor plays on: it is asked again when the deal is over.
        """
        choices = self.choices(session)
        keys = choices.keys(self.choose, self.moved)
        if self.cursor is None:
            later = self.WITHOUT_OWNER if self._may_be_unknown(session.playing) else NOTHING
            keys[Key.OK] = KeyUse(self._without_cursor, later, say("CHOOSE A PLAYER"))
        return without_views(keys, choices)

    def take_badge(self, badge: int, table: Table) -> bool:
        if (seat := read_badge(badge, table)) is not None:
            self._answer(seat, table)
        return True

    def take_row(self, badge: int, row: int, table: Table) -> bool:
        """The back of a badge names the player as well, and no row is asked for here."""
        return self.take_badge(badge, table)

    def _may_be_unknown(self, match: Match) -> bool:
        """Whether play can go on while nobody knows whose the card is."""
        claims = self.ask.kind is AskKind.CLAIM and bool(self.ask.card)
        return claims and match.game.without_owner(self.ask.card) is not None

    def _without_cursor(self, table: Table) -> None:
        if not self._may_be_unknown(table.session.playing):
            table.decline(say("CHOOSE A PLAYER"))
        elif table.propose(table.session.playing.game.without_owner(self.ask.card)):
            table.say(say("{card}: OWNER LATER", card=table.session.label(self.ask.card)))

    def choose(self, choice: str, table: Table) -> bool:
        if choice not in self.ask.choices:
            return False
        self._answer(Seat(int(choice)), table)
        return True

    def choices(self, session: Session) -> ChoiceList[str]:
        return ChoiceList(self.ask.choices, self.cursor, per_page=PLAYERS_PER_PAGE)

    def _refuse(self, seat: Seat, table: Table) -> None:
        """Say why this player cannot be chosen; the badge of the one who chooses is scanned most often."""
        name = table.session.short_name(seat, LONGEST_IN_LIST)
        chooses = seat == self.ask.seats[0]
        fault = say("{name} chooses another player", name=name) if chooses else say("not {name}", name=name)
        table.explain(fault, say("scan the badge of another player"), say("ANOTHER PLAYER"))

    def _answer(self, seat: Seat, table: Table) -> None:
        if self.ask.kind is AskKind.WHOM and str(seat) not in self.ask.choices:
            self._refuse(seat, table)
            return
        # Who played a card is answered by that player, whom to give one by the player who is asked.
        answers = seat if self.ask.kind is AskKind.CLAIM else self.ask.seats[0]
        table.answer(self.ask, answers, str(seat))


class UnclaimedPage(ChoosePlayerPage):
    """A deal is over, and a card of it has no owner. OK never leaves it so: WHY asks whether nobody knows."""

    UNKNOWN_KEY = Key.WHY

    def keys(self, session: Session) -> Keys:
        ask = KeyUse(lambda at: at.open(NobodyKnows(card=self.ask.card)), say("WHY=NOBODY"))
        return {**super().keys(session), Key.WHY: ask}

    def _without_cursor(self, table: Table) -> None:
        table.decline(say("CHOOSE A PLAYER"))

    def _answer(self, seat: Seat, table: Table) -> None:
        _name_owner(self.ask.card, seat, table)


class NobodyKnows(Message):
    """Whether a card stays without an owner; what decides it waits until people had the time to read it."""

    TITLE = say("NOBODY KNOWS?")
    WAITS = Key.ROW_4, 2.0
    card: str

    def sentences(self, session: Session) -> tuple[Text, ...]:
        return (say("Nobody gets the points of {card}. You can name the owner in the menu.", card=self.card),)

    def keys(self, session: Session) -> Keys:
        nobody = KeyUse(self._leave, say("R4=NOBODY"))
        return {Key.ROW_4: nobody, Key.OK: OK_BACK, Key.UNDO: KeyUse(back, help=say("BACK"))}

    def _leave(self, table: Table) -> None:
        table.close()
        table.acknowledge(StepResult.OWNER + self.card)


def unclaimed_page(match: Match, has_seen: Callable[[str], bool]) -> UnclaimedPage | None:
    """The page for the first card of a finished deal without an owner that people have not left so."""
    for card in cards_without_owner(match):
        if not has_seen(StepResult.OWNER + card):
            says, seats = say("WHO PLAYED {card}?", card=card), tuple(map(str, match.players))
            return UnclaimedPage(Ask(AskKind.CLAIM, (), Wait.ONE, says, seats, card=card))
    return None


class ChooseStack(ListPage):
    """One of the rows. The cheapest is marked, and none is chosen beforehand.

    Where it is not known who chooses, the back of a badge answers both: whose card it is, and which row. The
    badge itself may be scanned first; `owner` is its player.
    """

    TITLE_IS_PROMPT = True
    ask: Ask
    owner: Seat | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        stacks, choices = self._stacks(session), self.choices(session)
        layout.frame(self._title(session), needs_px=layout.plan.rows_px)
        draw_rows(layout, session, stacks)
        draw_heads(layout, session, stacks)
        fewest = min(stack.heads for stack in stacks)
        for row, place in enumerate(choices.shown):
            area = row_area(layout, row)
            if stacks[place].heads == fewest:
                canvas.invert(68, area.middle_px(9), 23, 9)
            if place == self.cursor:
                high_px = layout.plan.row_font.capital_px + 2
                canvas.invert(10, area.middle_px(high_px), 28, high_px)
        free = layout.free
        side = Area(BESIDE_HEADS_PX, free.y_px + 1, free.width_px - BESIDE_HEADS_PX, free.height_px - 1)
        if layout.bar_px:
            layout.stack(side, (Big(session.label(self.ask.card)), t.say(self.ask.says)))
        else:  # a notice covers all but the card
            card_px = layout.main(replace(side, height_px=_CARD_HIGH_PX), session.label(self.ask.card))
            side = side.below(card_px + 1)
            canvas.notice_at = (side.x_px, side.y_px, side.width_px, side.height_px)
            if self._asks_whose and self.owner is None:
                high_px = side.height_px - 2 * LOW_PX
                layout.words(side.below(high_px), t("BADGE, KEY"), LOW)
                side = replace(side, height_px=high_px)
            layout.stack(side, (Big(t("ROW?")),))

    def keys(self, session: Session) -> Keys:
        choices = self.choices(session)
        keys = choices.keys(self.choose, self.moved)
        if self.cursor is None:
            first = say("CHOOSE ONE FIRST")
            keys[Key.OK] = KeyUse(lambda at: at.decline(first), help=first)
        return without_views(keys, choices)

    def choose(self, choice: str, table: Table) -> bool:
        return answer_one_of(self.ask, self.owner, choice, table)

    def take_badge(self, badge: int, table: Table) -> bool:
        """A badge says whose card it is; that of nobody who plays is for the table."""
        session = table.session
        seat = session.seat(badge)
        if seat is None and not self._asks_whose:
            return False
        if seat is None:
            read_badge(badge, table)
        elif seat not in self.ask.seats:
            table.decline(say("{name} HAS PLAYED", name=session.short_name(seat, 8)))
        else:
            table.signal(Signal.ACCEPTED)
            table.show(replace(self, owner=seat))
        return True

    def take_row(self, badge: int, row: int, table: Table) -> bool:
        """The back of a badge says whose card it is, and which row; the referee knows whose it cannot be."""
        if (seat := read_badge(badge, table)) is not None:
            table.answer(self.ask, seat, self.ask.choices[row])
        return True

    def _title(self, session: Session) -> str:
        """Who chooses, or how anybody says whose the card is."""
        t, seats = session.translate, self.ask.seats
        owner = seats[0] if len(seats) == 1 else self.owner
        if owner is not None:
            return t("{name}: WHICH ROW?", name=session.short_name(owner, LONGEST_IN_LIST))
        return t("ROW: BACK OF BADGE, OR KEY")

    @property
    def _asks_whose(self) -> bool:
        """Whether it is not known who chooses."""
        return len(self.ask.seats) > 1

    def choices(self, session: Session) -> ChoiceList[str]:
        return ChoiceList(self.ask.choices, self.cursor)

    def _stacks(self, session: Session) -> tuple[Stack, ...]:
        board = session.playing.board
        by_choice = {stack.choice: stack for stack in board.stacks}
        return tuple(by_choice[choice] for choice in self.ask.choices)


LINE_PX: Final = 14
"""Height of the name of who answers, below the answers."""


class Decide(ListPage):
    """The answers as a list; none is chosen beforehand."""

    TITLE_IS_PROMPT = True
    OK_HINT = say("OK=THIS ONE")
    ask: Ask

    def draw(self, canvas: Canvas, session: Session) -> None:
        layout, choices = self.draw_list(canvas, session), self.choices(session)
        left = layout.free.below(layout.plan.choice_pitch_px * len(choices.shown) + 4)
        # Beside a question about another player it would seem to be the one who is asked about.
        alone = len(self.ask.seats) == 1 and not self.ask.says.facts
        if alone and left.height_px >= LINE_PX:
            name = Area(left.x_px + 2, left.y_px, left.width_px - 4, min(16, left.height_px))
            name_badge(layout, name, session, session.badge(self.ask.seats[0]), MAIN_WORDS)

    def heading(self, session: Session) -> str:
        return session.translate.say(self.ask.says)

    def offers(self, session: Session) -> list[tuple[Text, str]]:
        return list(zip(self.ask.labels, self.ask.choices, strict=False))

    def keys(self, session: Session) -> Keys:
        """The keys of the list; UNDO takes back what led here, as everywhere."""
        first, keys = say("CHOOSE ONE FIRST"), super().keys(session)
        if self.cursor is None:
            keys[Key.OK] = KeyUse(lambda at: at.decline(first), say("OK=THIS ONE"))
        return {**keys, Key.UNDO: KeyUse(undo, say("UNDO=BACK"))}

    def chosen(self, item: str, table: Table) -> None:
        self.choose(item, table)

    def choose(self, choice: str, table: Table) -> bool:
        seat = self.ask.seats[0] if len(self.ask.seats) == 1 else None
        return answer_one_of(self.ask, seat, choice, table)
