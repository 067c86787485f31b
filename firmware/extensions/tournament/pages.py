"""A table of a tournament: who is to sit here, a badge of another table, and the result that all confirm."""

from typing import ClassVar, Final

from companion.core.codes import CardCode
from companion.text.sentence import Text, literal, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import TALL
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.extensions.tournament.hand_checks import HandChecks, WholeHand
from firmware.extensions.tournament.messages import Seats
from firmware.extensions.tournament.round import RoundLog
from firmware.play.table import Table
from firmware.screens.before.start import Start
from firmware.screens.parts.base import OK_BACK, Keys, KeyUse, Page
from firmware.screens.parts.names import name_badge
from firmware.session.session import Session, steps_to_no_hand
from hardware.ports import Key, Signal

SHOWN_S: Final = 5.0
"""For how long a badge is sent to its table."""


class SeatedHere(Page):
    """Who is to play at this table: the badges that were scanned are lit, and with the last one it begins."""

    seats: Seats
    here: tuple[int, ...] = ()

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout, seats = session.translate, Layout(canvas, session.plan), self.seats
        layout.title(t("TABLE {table}", table=seats.table), t("ROUND {round}", round=seats.round))
        layout.hints(t("SCAN YOUR BADGE"), *self.hints(session))
        for cell, badge in zip(_cells(layout, len(seats.badges)), seats.badges, strict=True):
            name_badge(layout, cell, session, badge, MAIN_WORDS)
            if badge in self.here:
                canvas.invert(cell.x_px - 1, cell.y_px, cell.width_px + 2, cell.height_px)

    def keys(self, session: Session) -> Keys:
        return {Key.OK: KeyUse(self._begin, say("OK=BEGIN"))}

    def take_badge(self, badge: int, table: Table) -> bool:
        """A badge says that its player is here; with the last one the match begins."""
        here = (*self.here, badge) if badge not in self.here else self.here
        table.set_up(replace(self, here=here))
        table.signal(Signal.ACCEPTED)
        if set(here) == set(self.seats.badges):
            self._begin(table)
        return True

    def take_card(self, action: CardCode, table: Table) -> bool:
        table.say(say("FIRST: SCAN YOUR BADGES"))
        return True

    def _begin(self, table: Table) -> None:
        table.session.begin(self.seats.terms())
        RoundLog(table.session.notes).note_begun(table.session.match_id)
        table.set_up(None)
        table.home()
        table.signal(Signal.ACCEPTED)


def _cells(layout: Layout, players: int) -> list[Area]:
    """A place for each player, two side by side, as high as there is room."""
    free, columns = layout.free, 2
    high_px = free.height_px // -(-players // columns)
    cells = []
    for at in range(players):
        row, column = divmod(at, columns)
        line = Area(free.x_px, free.y_px + high_px * row, free.width_px, high_px)
        cell = layout.column(line, columns, column)
        cells.append(Area(cell.x_px + 2, cell.y_px, cell.width_px - 4, cell.height_px))
    return cells


class Registration(Page):
    """Before the first round: everybody who scans a badge takes part. `badge` is the newest."""

    KEYS: ClassVar = {Key.OK: KeyUse(lambda at: at.set_up(Start()), say("OK=GAMES"))}
    """OK goes to the games, which can be played meanwhile."""
    badge: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("TOURNAMENT"), t.number(len(RoundLog(session.notes).registered)))
        if self.badge is None:
            layout.hints(*self.hints(session))
            layout.stack(layout.free, (t("TO TAKE PART:"), t("SCAN YOUR BADGE")))
        else:
            layout.hints(t("SCAN YOUR BADGE"), *self.hints(session))
            badge = Big(t("BADGE {badge}", badge=self.badge))
            layout.stack(layout.free, (badge, t("IS REGISTERED")))

    def take_badge(self, badge: int, table: Table) -> bool:
        RoundLog(table.session.notes).register(badge)
        table.set_up(replace(self, badge=badge))
        table.signal(Signal.ACCEPTED)
        return True


class BadgeRegistered(Page):
    """A badge was registered while something else was in front, such as a match."""

    KEYS: ClassVar = {Key.OK: OK_BACK}
    NAME = "registered"
    badge: int

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, players = session.translate, len(RoundLog(session.notes).registered)
        layout = self.framed(canvas, session, t("TOURNAMENT"), t.number(players))
        layout.stack(layout.free, (Big(t("BADGE {badge}", badge=self.badge)), t("IS REGISTERED")))


class AnotherTable(Page):
    """A badge that does not belong to this table, and where its player sits."""

    KEYS: ClassVar = {Key.OK: OK_BACK}
    badge: int
    table: int | None
    in_round: bool = True
    """Whether there is a round in which it could have a seat."""

    @property
    def refusal(self) -> tuple[Text, ...]:
        """For programs that follow the table."""
        seat = f"sits at table {self.table}" if self.table else "has no seat"
        return (literal(f"badge {self.badge} {seat if self.in_round else 'is for tournaments'}"),)

    def draw(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        layout = self.framed(canvas, session, t("BADGE {badge}", badge=self.badge))
        if not self.in_round:
            layout.stack(layout.free, (t("NO TOURNAMENT NOW"), t("USE BADGES 1 TO 10")))
        elif self.table is None:
            layout.stack(layout.free, (t("NO SEAT IN THIS ROUND"), t("ASK THE DIRECTOR")))
        else:
            layout.stack(layout.free, (t("THIS BADGE SITS AT"), Big(t("TABLE {table}", table=self.table))))


class WrongHand(Page):
    """A hand that was scanned is not the one of the list, where all tables play the same deals.

    No card is named: everybody looks at the display.
    """

    checks: HandChecks
    hand: WholeHand

    @property
    def refusal(self) -> tuple[Text, ...]:
        """For programs that follow the table."""
        return (literal(f"this is not the hand of seat {self.hand.seat + 1} in deal {self.hand.deal}"),)

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The seat, as it is on the sheet, and where the right cards can be seen."""
        t = session.translate
        layout = self.framed(canvas, session, t("WRONG HAND"), t("DEAL {deal}", deal=self.hand.deal))
        seat = Big(t("SEAT {seat}", seat=self.hand.seat + 1))
        layout.stack(layout.free, (seat, t("LOOK AT THE SHEET")))

    def keys(self, session: Session) -> Keys:
        """OK takes the hand back, to be scanned again; UNDO its last card; R4 plays on with it."""
        return {
            Key.OK: KeyUse(self._scan_again, say("OK=SCAN AGAIN")),
            Key.ROW_4: KeyUse(self._play_on, say("R4=PLAY ON")),
        }

    def take_card(self, action: CardCode, table: Table) -> bool:
        """No card is taken before that is settled."""
        table.decline(say("FIRST: PRESS OK OR R4"))
        return True

    def take_number(self, number: int, table: Table) -> bool:
        table.decline(say("FIRST: PRESS OK OR R4"))
        return True

    def _scan_again(self, table: Table) -> None:
        table.go(steps_to_no_hand(table.session.playing, self.hand.seat))
        table.say(say("SCAN THE HAND AGAIN"))

    def _play_on(self, table: Table) -> None:
        self.checks.play_on(self.hand)
        table.signal(Signal.ACCEPTED)


class ConfirmResult(Page):
    """The result of the match of the round. Everybody who agrees scans the badge."""

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Place, name and total of each player, the best first; who has confirmed is lit."""
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        confirmed, badges = RoundLog(session.notes).confirmed(match), match.terms.badges
        count = t.digits(f"{len(confirmed)}/{len(badges)}")
        done = len(confirmed) == len(badges)
        layout.title(t("RESULT"), count)
        layout.hints(t("THANK YOU!") if done else t("ALL AGREE? SCAN BADGES"))
        places = match.places
        order = [seat for place in places for seat in place.seats]
        for cell, seat in zip(_cells(layout, len(order)), order, strict=True):
            total = t.number(match.totals[seat])
            font = TALL if cell.height_px > TALL.capital_px else layout.plan.text[-1]
            total_px = font.width_px(total)
            name, beside = layout.split(cell, cell.width_px - total_px - 3, 3)
            canvas.text(beside.x_px, cell.middle_px(font.capital_px), total, font)
            name_badge(layout, name, session, badges[seat], MAIN_WORDS)
            if badges[seat] in confirmed:
                canvas.invert(cell.x_px - 1, cell.y_px, cell.width_px + 2, cell.height_px)

    def take_badge(self, badge: int, table: Table) -> bool:
        if badge not in table.session.playing.terms.badges:
            return False
        RoundLog(table.session.notes).confirm(badge, table.session.playing)
        table.signal(Signal.ACCEPTED)
        return True
