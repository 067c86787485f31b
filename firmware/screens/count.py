"""Counting: hands and piles of cards, typed points, all cards of a deal, and a check of the table."""

from functools import partial
from typing import ClassVar

from companion.core.ask import DIALLED, TYPED, Ask, AskKind, Gives, Wait
from companion.core.cards import Seat
from companion.core.codes import CardCode
from companion.match.match import Match
from companion.text.sentence import COMMA, NOTHING, Text, count, say
from companion.values import replace
from firmware.display.canvas import BAR_PX, CARD_HEIGHT_PX, Canvas
from firmware.display.glyphs import LARGE, NARROW, SMALL
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN_WORDS, for_list, low_plan
from firmware.play.table import Table
from firmware.screens.parts import base, numbers
from firmware.screens.parts.base import Keys, KeyUse, Page
from firmware.screens.parts.kinds import PER_PAGE, Message, cursor_moves, first_of_page, page_number
from firmware.screens.parts.names import LONGEST_IN_LIST, name_badge
from firmware.screens.turn.history import UNASKED, ask_to_go
from firmware.screens.turn.questions import ChoosePlayerPage
from firmware.screens.turn.step_names import named
from firmware.session.session import Session, ends_of, steps_to_ends
from hardware.ports import Key, Signal

_MOST_POINTS = 300
_ROOM = 4
_PILE_PX = LARGE.capital_px + 4
"""A card and a fact."""


class Hands(Page):
    """One hand after the other: its cards are scanned in any order, or its points are typed."""

    asks: tuple[Ask, ...]

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, ask, layout = session.translate, self.asks[0], Layout(canvas, session.plan)
        scanned = t.digits(f"{len(ask.have)}/{ask.need}" if ask.need else str(len(ask.have)))
        layout.hint_lines(*self.hints(session))
        scanned = layout.frame(t.say(ask.says), aside=scanned, needs_px=15 + CARD_HEIGHT_PX + 2)
        free = layout.free
        name = Area(2, free.y_px + min(2, free.height_px - 15 - CARD_HEIGHT_PX), free.width_px - 4, 15)
        if scanned:
            name = layout.put_end(name, scanned, layout.plan.text[0], 4)
        name_badge(layout, name, session, session.badge(ask.seats[0]), MAIN_WORDS)
        shown = ask.have[-_ROOM:]
        if shown and session.sign(shown[-1]) is not None:
            room = Area(0, name.bottom_px, free.width_px, free.bottom_px - name.bottom_px)
            layout.stack(room, (Big(session.label(shown[-1])),))
            return
        y_px = name.bottom_px + (free.bottom_px - name.bottom_px - CARD_HEIGHT_PX) // 2
        for place in range(min(_ROOM, max(ask.need, len(shown)))):
            label = session.label(shown[place]) if place < len(shown) else None
            canvas.card(3 + 32 * place, y_px, label, emphasised=place == len(shown) - 1)

    def keys(self, session: Session) -> Keys:
        other = base.asked_for(Gives.WORD, self.asks)
        missing = KeyUse(self._show_missing, say("OK=MISSING?"))
        type_points = KeyUse(self._type_points, say("R1=TYPE POINTS"))
        dial = KeyUse(numbers.dial_card, help=numbers.BY_KEYS)
        return {
            **dict.fromkeys((Key.ROW_1, Key.UP, Key.TURN_RIGHT), type_points),
            **dict.fromkeys((Key.ROW_2, Key.DOWN, Key.TURN_LEFT), dial),
            Key.OK: missing if other is None else base.ok_answers(self, other),
        }

    def _type_points(self, table: Table) -> None:
        name = table.session.short_name(self.asks[0].seats[0], 8)
        numbers.dial_points(table, say("POINTS FOR {name}", name=name), _MOST_POINTS, self)

    def choose(self, choice: str, table: Table) -> bool:
        seat = self.asks[0].seats[0]
        if choice.startswith(TYPED):
            table.answer(self.asks[0], seat, choice)
            return True
        return base.answer_one_of(base.asked_for(Gives.WORD, self.asks), seat, choice, table)

    def _show_missing(self, table: Table) -> None:
        """How many cards are not scanned yet, and that the last one ends the hand without a key."""
        left = self.asks[0].need - len(self.asks[0].have)
        table.explain(
            count("{count} card is missing", "{count} cards are missing", left),
            say("keep scanning; the last card ends the hand. Or go back and type points"),
            count("{count} CARD TO GO", "{count} CARDS TO GO", left),
        )


class CountedHands(Message):
    """The cards of hands that nobody had to count, for all of them were known, and what they cost."""

    TITLE = say("HANDS COUNTED")
    DISMISS_ON_OK = True
    LAST = base.OK_NEXT
    hands: tuple[tuple[Seat, tuple[str, ...]], ...]

    def sentences(self, session: Session) -> tuple[Text, ...]:
        points = session.playing.position.score_sheet.deals[-1]
        return tuple(
            count(
                "{name}: {cards} =\N{NO-BREAK SPACE}{count}\N{NO-BREAK SPACE}POINT",
                "{name}: {cards} =\N{NO-BREAK SPACE}{count}\N{NO-BREAK SPACE}POINTS",
                points[seat],
                name=session.short_name(seat, LONGEST_IN_LIST),
                cards=session.translate.say(COMMA).join(
                    session.label(card).replace(" ", "\N{NO-BREAK SPACE}") for card in cards
                ),
            )
            for seat, cards in self.hands
        )

    def take_card(self, action: CardCode, table: Table) -> bool:
        """A card that somebody scans to be counted does not begin the next deal."""
        is_counted = any(base.read_card(action, table) in cards for _, cards in self.hands)
        if is_counted:
            table.decline(self.TITLE)
        return is_counted


def hands_counted_alone(match: Match) -> tuple[tuple[Seat, tuple[str, ...]], ...]:
    """The hands of the deal that has just ended that were known, so that nobody had to count them."""
    if not match.game.board(match.position.finished).hands:
        return ()
    at, by_people = match, set()
    while at.before is not None and at.before.asks[0].kind is AskKind.HAND:
        by_people.add(at.before.asks[0].seats[0])
        at = at.before
    known = match.game.dealing(match.position.finished).known
    return tuple((seat, known[seat]) for seat in match.players if known[seat] and seat not in by_people)


class CardCount(Page):
    """Where all cards of the deal are: the conservation check, and the hands in games that follow them."""

    KEYS: ClassVar = {Key.OK: base.OK_BACK}

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, match, plan = session.translate, session.playing, session.plan
        table = match.position.table
        audit, board = match.game.audit(table), match.game.board(table)
        lists = bool(board.hands) and not audit.faults
        layout = Layout(canvas, for_list(plan, len(match.players)) if lists else plan)
        cards = t.digits(f"{audit.cards}/{audit.cards_due}")
        verdict = t("CHECK OK") if audit.sound else t("CHECK FAILED")
        needs_px = (3 if lists else 2) * layout.plan.pitch_px  # high lines are worth more than hints
        layout.frame(t("CARDS COUNTED"), *self.hints(session), verdict, aside=cards, needs_px=needs_px)
        if audit.faults:
            layout.paragraph(t.say(audit.says), t.say(audit.faults[0]))
            return
        layout.line(0, t.say(audit.says))
        if lists:
            counted = (board.hands, *(tally.numbers for tally in board.tallies[:1]))
            scores = [(seat, t.digits("+".join(str(of[seat]) for of in counted))) for seat in match.players]
            layout.free = layout.free.below(layout.plan.pitch_px)
            numbers.draw_scores(layout, session, scores, None)


class PilePage(Page):
    """Every scan adds a card; a badge says whose the pile is, OK that all is counted."""

    asks: tuple[Ask, ...]

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        ask, board = self.asks[0], match.board
        layout.title(t.say(ask.says))
        done = self.hint(Key.OK, session) or t("BADGE=DONE")
        last = self.hint(Key.ROW_3, session) or self.hint(Key.ROW_1, session)
        if layout.free.height_px >= 3 * layout.plan.hint_px + _PILE_PX:
            layout.hints(done)
            layout.hints(self.hint(Key.ROW_2, session), self.hint(Key.ROW_4, session))
            layout.hints(last)
        else:
            layout.hint_lines(done, last)
        free = layout.free
        facts = tuple(t.say(fact) for fact in board.facts[:1])
        if ask.have:
            cards = count("{count} CARD", "{count} CARDS", len(ask.have))
            layout.stack(free, (Big(t.say(board.hint if str(board.hint) else cards)), *facts))
        elif ask.wait is Wait.ALL:
            name = Area(2, free.y_px + 2, free.width_px - 4, 15)
            name_badge(layout, name, session, session.badge(ask.seats[0]), MAIN_WORDS)
            layout.stack(free.below(18), facts)
        else:
            why = t("THE CARDS IN THE ROWS COMPLETE THE SUM")
            room = ask.kind is AskKind.LAY and free.height_px >= 3 * layout.plan.pitch_px
            layout.paragraph(*(why,) * room, *facts)

    def keys(self, session: Session) -> Keys:
        whose, other = self._whose, base.asked_for(Gives.WORD, self.asks)
        keys: Keys = {Key.ROW_2: KeyUse(self._type_sum, say("R2=TYPE SUM"))}
        if other is not None:
            keys[Key.OK] = base.ok_answers(self, other)
        if whose is not None:
            who = KeyUse(lambda at: at.open(ChoosePlayerPage(whose)), say("R4=WHO?"))
            keys |= dict.fromkeys((Key.ROW_4, Key.DOWN), who)
        if other is not None and len(other.choices) > 1:
            second = say("R3={what}", what=other.labels[1]) if len(other.labels) > 1 else NOTHING
            keys[Key.ROW_3] = KeyUse(partial(self.choose, other.choices[1]), second)
        return keys | dict.fromkeys((Key.ROW_1, Key.UP), KeyUse(_type_card, say("R1=TYPE A CARD")))

    def take_badge(self, badge: int, table: Table) -> bool:
        if self._whose is None:
            return False
        if (seat := base.read_badge(badge, table)) is not None:
            table.answer(self._whose, seat, str(seat))
        return True

    def _type_sum(self, table: Table) -> None:
        session = table.session
        title = say("SUM OF THE ROWS")
        if self._whose is not None:
            title = say("SUM FOR {name}", name=session.short_name(self.asks[0].seats[0], 8))
        numbers.dial_points(table, title, numbers.HIGHEST, self)

    def choose(self, choice: str, table: Table) -> bool:
        if choice.startswith(TYPED):
            ask = self.asks[0]
            table.answer(ask, None if self._whose is None else ask.seats[0], choice)
            return True
        return base.answer_one_of(base.asked_for(Gives.WORD, self.asks), None, choice, table)

    @property
    def _whose(self) -> Ask | None:
        return next((ask for ask in self.asks if ask.kind is AskKind.CLAIM), None)


def _type_card(table: Table) -> None:
    numbers.dial_card(table, mark=DIALLED)


_SCORES_PX = 68
"""Width of the names and scores, beside the keys that choose a number."""


_UNDO = base.TAKE_BACK._replace(hint=say("UNDO=BACK"))


class Sums(Page):
    """A number is chosen for one player, who is lit: the first one without a score. Row keys narrow it down.

    OK takes the number that is shown in brackets, which the knob changes; without it that is 0.

    A badge chooses another player, a number that is typed on a keyboard is taken at once. When all have a
    score, OK closes the deal; until then any of them can be chosen and corrected.
    """

    SCORES_BY_BADGE = True
    asks: tuple[Ask, ...]
    seat: Seat | None = None
    number: int = 0
    span: numbers.Span = numbers.Span()
    typed: int | None = None
    """A number that was typed while nobody was chosen."""

    @property
    def closing(self) -> Ask | None:
        """The question whether this is all; None while scores are missing."""
        return self.asks[0] if self.asks[0].kind.gives is Gives.WORD else None

    @property
    def lit(self) -> Seat | None:
        return self.seat if self.seat is not None or self.closing else self.asks[0].seats[0]

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, match = session.translate, session.playing
        plan, still = for_list(session.plan, len(match.players)), () if self.closing else self.asks[0].seats
        count = t.digits(f"{len(match.players) - len(still)}/{len(match.players)}")
        scores = []
        for seat in match.players:
            known = "–" if seat in still else t.number(match.points[seat])
            scores.append((seat, t.digits(f"[{self.number}]") if seat == self.lit else known))
        if self.lit is not None and session.plan.lines < len(self.span.says):  # no room for names beside them
            layout = Layout(canvas, session.plan)
            number = f" [{self.number}]" if self.number else ""
            layout.title(session.name(self.lit) + t.digits(number), count, "OK")
            self.span.draw(layout, layout.free, session)
            return
        asked = self.asks[0].says if self.typed is None else self._whose
        layout = self.framed(canvas, session, t.say(asked), count, plan)
        if self.lit is None:
            numbers.draw_scores(layout, session, scores, None)
            return
        free = layout.free
        layout.free, right = layout.split(free, _SCORES_PX, 4)
        lines = max(1, free.height_px // plan.pitch_px)
        first = max(0, min(match.players.index(self.lit) - 1, len(scores) - lines))
        numbers.draw_scores(layout, session, scores[first : first + lines], self.lit)
        self.span.draw(layout, right, session)

    def keys(self, session: Session) -> Keys:
        lit, players = self.lit, session.playing.players
        moves = cursor_moves(None if lit is None else players.index(lit), len(players))
        others: Keys = {
            key: KeyUse(partial(self._light, players[moves[key]]), help=say("CHOOSE A PLAYER"))
            for key in (Key.UP, Key.DOWN)
        }
        if lit is not None:
            knob = numbers.number_keys(session, self.number, self._set)
            take = partial(self._take, f"{TYPED}{self.number}", lit)
            undo = KeyUse(self.shows(span=numbers.Span()), say("UNDO=BACK"))
            if self.span == numbers.Span():
                undo = _UNDO
            return {
                Key.OK: KeyUse(take, say("OK={what}", what=self.number)),
                Key.UNDO: undo,
                **{key: knob[key] for key in (Key.TURN_LEFT, Key.TURN_RIGHT)},
                **self.span.keys(
                    lambda number, at: self._take(f"{TYPED}{number}", lit, at),
                    self._narrow,
                    negative=session.playing.scoring.negative,
                ),
                **others,
            }
        choices, labels = self.asks[0].choices, self.asks[0].labels
        first, *second = (partial(self.choose, choice) for choice in choices)
        says = say("OK=CHECK") if len(labels) > 1 else say("OK=YES")
        keys: Keys = {Key.OK: KeyUse(first, says), Key.UNDO: _UNDO, **others}
        if second:
            keys[Key.ROW_4] = KeyUse(second[0], say("R4=CLOSE"))
        if self.typed is not None:
            keys[Key.OK] = KeyUse(lambda at: at.decline(self._whose), help=self._whose)
            keys[Key.UNDO] = KeyUse(self.shows(typed=None), say("UNDO=BACK"), say("FORGET THE NUMBER"))
        return keys

    @property
    def _whose(self) -> Text:
        """The question whose the number is that was typed."""
        return say("{number}: WHOSE BADGE?", number=self.typed)

    def take_badge(self, badge: int, table: Table) -> bool:
        """A badge chooses a player, or says whose the number is that was typed."""
        seat = table.session.seat(badge)
        if seat is None and self.typed is None:
            return False
        if seat is None:
            table.decline(say("NOT IN THIS MATCH"))
        elif self.typed is None:
            self._light(seat, table)
        else:
            table.show(replace(self, typed=None))
            self._take(f"{TYPED}{self.typed}", seat, table)
        return True

    def take_number(self, number: int, table: Table) -> bool:
        """A number is taken at once; where nobody is chosen, it is asked whose it is."""
        if self.lit is not None:
            self._take(f"{TYPED}{number}", self.lit, table)
        else:
            table.show(replace(self, typed=number))
            table.say(say("{number}: WHOSE BADGE?", number=number))
        return True

    def choose(self, choice: str, table: Table) -> bool:
        """The points of the player who is lit, or a word that closes the deal."""
        if choice.startswith(TYPED) and self.lit is not None:
            self._take(choice, self.lit, table)
            return True
        return self.lit is None and base.answer_one_of(self.asks[0], None, choice, table)

    def _narrow(self, span: numbers.Span, table: Table) -> None:
        table.show(replace(self, span=span))

    def _set(self, number: int, table: Table) -> None:
        table.show(replace(self, number=number))

    def _light(self, seat: Seat, table: Table) -> None:
        number = table.session.playing.points[seat] if self.typed is None else self.typed
        table.show(replace(self, seat=seat, number=number, span=numbers.Span(), typed=None))

    def _take(self, points: str, seat: Seat, table: Table) -> None:
        table.answer(next(ask for ask in self.asks if ask.kind is AskKind.HAND), seat, points)


_PAIR = 2
_NAMED_COLUMNS = 9


class AuditPage(Page):
    """The last cards that were scanned so far. Rows lie in no order for people: any order of them will do."""

    scanned: tuple[str, ...] = ()

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, ends = session.translate, ends_of(session.playing)
        page = t.digits(page_number(min(len(self.scanned), max(0, len(ends) - 1)), len(ends)))
        layout = Layout(canvas, session.plan)
        layout.title(self._heading(session), page)
        layout.plan = low_plan(session.plan)  # four lines need the room
        layout.hints(*self.hints(session))
        missing = [end for end in ends if end not in self.scanned]
        first = first_of_page(min(len(self.scanned), max(0, len(ends) - 1)))
        pitch_px = layout.free.height_px // PER_PAGE
        for place in range(len(ends[first : first + PER_PAGE])):
            area = Area(0, layout.free.y_px + 1 + pitch_px * place, layout.free.width_px, pitch_px)
            y_px = area.y_px + (pitch_px - 7) // 2
            if pitch_px > BAR_PX:
                canvas.key(0, y_px, str(first + place + 1))
            else:
                canvas.text(2, y_px, str(first + place + 1))
            if first + place < len(self.scanned):
                card = self.scanned[first + place]
                canvas.text_right(40, y_px, session.label(card))
                agrees = t("OK") if card in ends else "!!"
                if card not in ends and len(self.scanned) == len(ends):
                    here = ends[first + place]
                    due = missing.pop(missing.index(here) if here in missing else 0)
                    agrees = t("!! EXPECTED {card}", card=session.label(due))
                font, agrees = layout.fitted(agrees, area.width_px - 46, (SMALL, NARROW))
                layout.put(Area(44, area.y_px, area.width_px - 46, pitch_px), agrees, font)

    def _heading(self, session: Session) -> str:
        """What to do, or what the cards have shown: another order of the rows, or since when they differ."""
        t, match, ends = session.translate, session.playing, ends_of(session.playing)
        if len(self.scanned) < len(ends) or self.scanned == ends:
            return t("SCAN THE LAST CARDS")
        steps = steps_to_ends(match, self.scanned)
        if steps is None:
            return t("LAY WHAT IS EXPECTED")
        if not steps:
            moved = [place + 1 for place, end in enumerate(ends) if self.scanned[place] != end]
            if len(moved) == _PAIR:
                return t("ROWS {one} AND {two} SWAPPED", one=moved[0], two=moved[1])
            return t("ROWS IN ANOTHER ORDER")
        apart = match
        for _ in range(steps - 1):
            apart = apart.before or apart
        if apart.before is not None and (board := apart.before.board).turns:
            return t("CHANGED SINCE TURN {turn}", turn=board.turn)
        before = apart.before or apart
        what = "" if apart.newest is None else named(apart.newest, before, session, _NAMED_COLUMNS)
        return t("CHANGED SINCE {what}", what=what) if what else t("SCAN THE LAST CARDS")

    def keys(self, session: Session) -> Keys:
        """R1 goes back to the moment at which table and device agree; UNDO takes a card away."""
        ends = ends_of(session.playing)
        shorter = self.shows(scanned=self.scanned[:-1])
        undo = KeyUse(shorter if self.scanned else base.back, help=say("THE LAST CARD"))
        if len(self.scanned) < len(ends):
            return {
                Key.UNDO: undo._replace(hint=say("UNDO=BACK")),
                Key.OK: KeyUse(base.back, help=say("BACK")),
            }
        steps = steps_to_ends(session.playing, self.scanned)
        if steps == 0:
            return {Key.OK: KeyUse(base.back, say("OK=ALL CORRECT")), Key.UNDO: undo}
        if steps is None:
            return {Key.OK: KeyUse(base.back, say("OK=DONE")), Key.UNDO: undo}
        go_back = KeyUse(partial(ask_to_go, steps, unasked=UNASKED), say("R1=UNDO {steps}×", steps=steps))
        return {Key.ROW_1: go_back, Key.OK: base.OK_BACK, Key.UNDO: undo}

    def take_card(self, action: CardCode, table: Table) -> bool:
        ends = ends_of(table.session.playing)
        if len(self.scanned) < len(ends) and (card := base.read_card(action, table)) is not None:
            scanned = (*self.scanned, card)
            table.signal(Signal.ACCEPTED if card in ends else Signal.REFUSED)
            table.show(replace(self, scanned=scanned))
        return True
