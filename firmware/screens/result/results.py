"""Results of finished matches and of their players, and correcting the score of a finished deal."""

from functools import partial
from typing import ClassVar, Final

from companion.core.cards import Seat
from companion.match.commands import CorrectScore
from companion.text.sentence import NOTHING, Text, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import SMALL, Font
from firmware.display.layout import Area, Layout
from firmware.display.plan import LOW_PX, for_list
from firmware.play.page import Change
from firmware.play.table import Table
from firmware.screens.parts.base import OK_BACK, Held, Keys, KeyUse, Page, back, read_badge
from firmware.screens.parts.kinds import PER_PAGE, TURNS, Menu, cursor_moves, with_title
from firmware.screens.parts.numbers import change, draw_scores, draw_steps, number_keys
from firmware.session.matches import FinishedMatch
from firmware.session.session import Session
from hardware.ports import Key


def show_results(table: Table) -> None:
    """Ask which of the finished matches, the newest first; say so where there is none."""
    matches = table.session.finished()
    if not matches:
        table.say(say("NO FINISHED MATCH"))
        return
    items = tuple((_label(match, table.session), partial(_open_result, match)) for match in matches)
    table.open(Menu(say("WHICH MATCH?"), items))


def _label(match: FinishedMatch, session: Session) -> Text:
    """Month, day and time, and the game."""
    return with_title(f"{match.at} ".lstrip(), session.translate.title(match.title), session)


def _open_result(match: FinishedMatch, table: Table) -> None:
    table.open(MatchResult(match))


class MatchResult(Page):
    """The standings at the end of a match: rank, name and total, best first."""

    KEYS: ClassVar = {Key.OK: OK_BACK}
    result: FinishedMatch

    def draw(self, canvas: Canvas, session: Session) -> None:
        layout, places = Layout(canvas, session.plan), self.result.places
        plan = layout.plan
        title, begun = session.translate.title(self.result.title), self.result.at[-5:]
        title = plan.title[-1].fit(title, layout.title_room_px("", begun))
        needs_px = -(-len(places) // 2) * LOW_PX
        layout.frame(title, *self.hints(session), f"#{self.result.id}", aside=begun, needs_px=needs_px)
        free = layout.free
        columns = 1 if len(places) <= free.height_px // plan.pitch_px else 2
        lines = -(-len(places) // columns)
        pitch_px = min(plan.pitch_px, free.height_px // lines)
        font = SMALL if pitch_px < plan.pitch_px else plan.text[0]
        for index, (rank, total, badges) in enumerate(places):
            column, line = divmod(index, lines)
            top_px = free.y_px + pitch_px * line + plan.below_bar_px
            area = layout.column(Area(0, top_px, free.width_px, pitch_px), columns, column)
            before, rest = layout.split(
                replace(area, x_px=area.x_px + 2, width_px=area.width_px - 4), _RANK_PX, 2
            )
            if rank == 1:
                canvas.icon(
                    before.x_px if not plan.right_to_left else before.right_px - 7,
                    before.middle_px(7),
                    "crown",
                )
            else:
                layout.put(before, session.translate.number(rank), SMALL)
            rest = layout.put_end(rest, session.translate.number(total), font, 3)
            layout.put(rest, _names(session, badges, rest.width_px, font), font)


_RANK_PX: Final = 11


def _names(session: Session, badges: tuple[int, ...], width_px: int, font: Font) -> str:
    """A player, or a team, in so many pixels; a player who was erased is a guest."""
    each_px = (width_px - font.width_px("+") * (len(badges) - 1)) // len(badges)
    guest = font.fit(session.translate("GUEST"), each_px)
    return "+".join(session.names.fitting(badge, each_px, font) if badge else guest for badge in badges)


class Records(Page):
    """Two lines for each player: the best total before this match or that this is one; wins and matches."""

    page: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout, records = session.translate, Layout(canvas, session.plan), session.about.records()
        each, pages = _pages(session, len(records))
        page = t.digits(f"{self.page + 1}/{pages}") if pages > 1 else ""
        layout.frame(t("RECORDS"), *self.hints(session), aside=page, needs_px=2 * layout.plan.pitch_px)
        if not records:
            layout.paragraph(t("NOBODY PLAYED WITH A BADGE."))
        for place, record in enumerate(records[each * self.page : each * (self.page + 1)]):
            name = session.names.short(record.badge, 12)
            layout.pair(2 * place, name, _best(session, each * self.page + place))
            layout.pair(
                2 * place + 1, "", t("WON {wins} OF {matches}", wins=record.wins, matches=record.matches)
            )

    def keys(self, session: Session) -> Keys:
        _, pages = _pages(session, len(session.about.records()))
        keys: Keys = {Key.OK: OK_BACK}
        more = say("DOWN=MORE") if pages > 1 else NOTHING
        for key, page in cursor_moves(self.page, pages).items():
            hint = more if key is Key.DOWN else NOTHING
            keys[key] = KeyUse(self.shows(page=page), hint, TURNS)
        return keys


def _pages(session: Session, players: int) -> tuple[int, int]:
    """Players on a page, and how many pages there are."""
    each = max(1, session.plan.lines // 2)
    return each, max(1, -(-players // each))


def _best(session: Session, place: int) -> str:
    t, record = session.translate, session.about.records()[place]
    if record.table:
        return t("TABLE RECORD: {total}", total=record.total)
    if record.is_best:
        return t("BEST EVER: {total}", total=record.total)
    if record.best is None:
        return t("FIRST: {total}", total=record.total)
    return t("BEST: {best}", best=record.best)


def correct_score(table: Table) -> None:
    """Ask which finished deal is to be corrected, the newest first; where there is one, it is that."""
    deals = table.session.playing.position.score_sheet.deals
    if not deals:
        table.say(say("NO FINISHED DEAL YET"))
        return
    if len(deals) == 1:
        correct_deal(1, table)
        return
    items = tuple(
        (say("DEAL {deal}", deal=deal), partial(correct_deal, deal)) for deal in range(len(deals), 0, -1)
    )
    table.open(Menu(say("WHICH DEAL?"), items))


def correct_deal(deal: int, table: Table) -> None:
    """Correct the scores of a finished deal, counted from 1."""
    match = table.session.playing
    points = match.position.score_sheet.deals[deal - 1]
    table.open(EditDeal(deal, points + (0,) * (len(match.totals) - len(points)), match.players[0]))


class EditDeal(Page):
    """The points of the deal; those of `seat` are changed with keys or typed. OK keeps them all at once."""

    SCORES_BY_BADGE = True
    WAITS = Key.OK, 1.0
    deal: int
    points: tuple[int, ...]
    seat: Seat

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The points of all players; changed ones with their old value."""
        t, match = session.translate, session.playing
        plan = for_list(session.plan, len(match.players))
        layout = Layout(canvas, plan)
        lines = len(match.players) if len(match.players) <= PER_PAGE else -(-len(match.players) // 2)
        title, needs_px = t("CORRECT DEAL {deal}", deal=self.deal), (lines + 1) * LOW_PX
        layout.frame(title, *self.hints(session), key="OK", needs_px=needs_px)
        draw_steps(canvas, layout.free.bottom_px - LOW_PX + 1)
        layout.free = replace(layout.free, height_px=layout.free.height_px - LOW_PX)
        old = match.position.score_sheet.deals[self.deal - 1]
        few = len(match.players) * layout.plan.pitch_px <= layout.free.height_px  # one column: room for both
        scores = []
        for seat in match.players:
            was = old[seat] if seat < len(old) else 0
            new = self.points[seat]
            scores.append((seat, change(t, was, new) if new != was and few else t.number(new)))
        draw_scores(layout, session, scores, self.seat)

    def changes(self, session: Session) -> tuple[Change, ...]:
        """The points of this deal that differ from those that count."""
        old = session.playing.position.score_sheet.deals[self.deal - 1]
        both = [
            Change(Seat(seat), old[seat] if seat < len(old) else 0, new)
            for seat, new in enumerate(self.points)
        ]
        return tuple(total for total in both if total.before != total.after)

    def keys(self, session: Session) -> Keys:
        """Boxes without arrows go on to the next player with UNDO, held down."""
        players, says = session.playing.players, say("ANOTHER PLAYER")
        moves = cursor_moves(players.index(self.seat), len(players))
        others: Keys = {
            key: KeyUse(self.shows(seat=players[moves[key]]), help=says) for key in (Key.DOWN, Key.UP)
        }
        return {
            Key.OK: KeyUse(self._save, say("OK=SAVE")),
            Key.UNDO: KeyUse(back, say("UNDO=CANCEL")),
            **others,
            Held(Key.UNDO): others[Key.DOWN],
            **number_keys(session, self.points[self.seat], self._set),
        }

    def explains(self, session: Session) -> tuple[Text, ...]:
        return (say("TYPE THE POINTS OF THE MARKED PLAYER, OR USE THE ROW KEYS. HOLD ONE FOR 100×."),)

    def take_badge(self, badge: int, table: Table) -> bool:
        if (seat := read_badge(badge, table)) is not None:
            table.show(replace(self, seat=seat))
        return True

    def take_number(self, number: int, table: Table) -> bool:
        self._set(number, table)
        return True

    def _save(self, table: Table) -> None:
        table.close()
        table.propose(CorrectScore(self.deal, self.points))

    def _set(self, number: int, table: Table) -> None:
        points = tuple(number if seat == self.seat else known for seat, known in enumerate(self.points))
        table.show(replace(self, points=points))
