"""The end of a deal with its conservation check, and the end of a match: a tie, the winner, the awards."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar, Final

from companion.core.ask import AskKind, Wait
from companion.core.cards import Seat
from companion.core.score_sheet import TieChoice
from companion.match.commands import SettleTie
from companion.text.sentence import Text, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import LARGE
from firmware.display.layout import Area, Layout
from firmware.display.plan import HEIGHT_PX, MAIN, MAIN_WORDS, Plan
from firmware.play.page import StepResult
from firmware.play.table import Item, Table
from firmware.screens.before.start import PlayersPage, suspend
from firmware.screens.parts import base
from firmware.screens.parts.base import Keys, KeyUse, Page
from firmware.screens.parts.kinds import ListPage, Menu
from firmware.screens.parts.names import NameWhom, join_names, name_seats
from firmware.screens.result import views
from firmware.screens.result.results import Records, correct_deal, correct_score, show_results
from firmware.screens.result.share import Share, codes
from firmware.screens.turn.questions import not_verified, owners_missing
from firmware.session.actions import Action, BadgeAction, NumberAction
from firmware.session.session import Session
from hardware.ports import Key, Signal

WINNER_S: Final = 6.0
AWARDS_S: Final = 8.0
"""For how long the awards stay, after the winner."""

_CROWN: Final = (
    "...............##...............",
    "..............####..............",
    "..............####..............",
    "##.............##.............##",
    "###...........####...........###",
    "####..........####..........####",
    ".####........######........####.",
    ".######......######......######.",
    ".#######....########....#######.",
    ".#########..########..#########.",
    "..############################..",
    "..############################..",
    "..############################..",
    "...##########################...",
    "...##########################...",
    "................................",
    "...##########################...",
    "...#.####.####.####.####.###.#..",
    "...##########################...",
)
_BULL: Final = (
    "##..............##",
    "##..............##",
    "###............###",
    ".###..######..###.",
    ".################.",
    "..##############..",
    "...############...",
    "...##.######.##...",
    "...############...",
    "....##########....",
    "....##########....",
    ".....########.....",
    ".....#.####.#.....",
    ".....########.....",
    "......######......",
)


def celebrate(table: Table) -> None:
    """Show who has won, and what else there was to win, over the result; sound it.

    Nothing is shown while the match is not over, or nobody has agreed on what a tie means.
    """
    match = table.session.playing
    if not match.position.over or match.tied:
        return
    table.open(Awards(), lasts_s=WINNER_S + AWARDS_S)
    table.open(Winner(), lasts_s=WINNER_S)
    table.signal(Signal.WON)


_MOST_NAMED: Final = 3
"""Names of winners that have room in one line."""


class _Ceremony(Page):
    """OK and UNDO close the page in front; another key is for the result beneath all of them."""

    DISMISS_ON_OK = True

    def keys(self, session: Session) -> Keys:
        """All keys but WHY, which tells the reason on every page."""
        others = [key for key in base.KEYS if key is not Key.WHY]
        on = KeyUse(base.back, help=say("GO ON"))
        return {**base.forward_keys(others, lambda at: at.home()), Key.OK: on, Key.UNDO: on}


def _picture(canvas: Canvas, x_px: int, y_px: int, rows: Sequence[str]) -> None:
    for down, row in enumerate(rows):
        for across, dot in enumerate(row):
            if dot == "#":
                canvas.fill(x_px + across, y_px + down, 1, 1)


_WINNER_PX: Final = 6 + len(_CROWN) + LARGE.capital_px
"""The crown, and who has won."""


class Winner(_Ceremony):
    """Who has won, as large as the display is."""

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        winners = list(match.winners or ())
        places = match.places
        first = [place for place in places if place.rank == 1]  # a team is one
        game = layout.plan.title[-1].fit(t.title(match.game.title).upper(), layout.aside_room_px("OK"))
        title = t("SHARED WIN") if winners and len(first) > 1 else t("THE WINNER")
        layout.frame(title, aside=game, key="OK", needs_px=_WINNER_PX)
        free = layout.free
        crown_px = len(_CROWN[0])
        top = Area(free.x_px, free.y_px + 3, free.width_px, len(_CROWN))
        if not layout.bar_px:
            canvas.notice_at = (0, 0, free.width_px, top.bottom_px)
        x_px = (free.width_px - crown_px) // 2
        _picture(canvas, x_px, top.y_px, _CROWN)
        line = Area(2, top.y_px, free.width_px - 4, top.height_px)
        _, beside = layout.split(line, x_px + crown_px - 2, 4)
        layout.main(beside, t.number(first[0].total), MAIN_WORDS, align="end")
        below = free.below(top.bottom_px + 3 - free.y_px)
        room = Area(2, below.y_px, free.width_px - 4, below.height_px)
        if len(winners) <= _MOST_NAMED:
            name_seats(layout, room, session, winners, MAIN)
        else:
            layout.main(room, t("{count} PLAYERS", count=len(winners)))


class Awards(_Ceremony):
    """Who has the most points, the costliest card, the best deal."""

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout, honours = session.translate, Layout(canvas, session.plan), session.about.honours()
        plan = layout.plan
        row = 0
        if honours.most is not None:
            most = t("BULL KING") if honours.heads else t("MOST POINTS")
            layout.title(most, t.number(honours.most.points), "OK")
            free = layout.free
            row = -(-15 // plan.pitch_px)
            line = Area(2, free.y_px + row * plan.pitch_px - 16, free.width_px - 4, 16)
            bull, name = layout.split(line, len(_BULL[0]), 6)
            _picture(canvas, bull.x_px, line.y_px, _BULL)
            name_seats(layout, name, session, honours.most.seats, MAIN_WORDS)
        else:
            layout.title(t("AWARDS"), key="OK")
        long, short = (_lines(session, wide=wide) for wide in (True, False))
        for text, end in long if len(long) <= plan.whole_lines - row else short:
            layout.pair(row, text, end)
            row += 1


def _lines(session: Session, *, wide: bool) -> list[tuple[str, str]]:
    """What was won, and by whom; `wide`: with words for it."""
    t, honours = session.translate, session.about.honours()
    found: list[tuple[str, str]] = []
    if honours.card is not None:
        card = f"{session.label(honours.card.card)} ({t.number(honours.card.points)})"
        who = _who(session, honours.card.seats)
        found += [(t("WORST CARD"), card), ("", who)] if wide else [(card, who)]
    if honours.best is not None:
        deal = t("DEAL {deal}", deal=honours.best.deal) if honours.best.deal else ""
        who = _who(session, honours.best.seats)
        points = t.digits(f"{honours.best.points:+}")  # without a sign it reads as the number of a deal
        short = t("BEST {points}", points=honours.best.points)
        found += [(t("BEST DEAL"), points), (deal, who)] if wide else [(short, who)]
    return found


def _who(session: Session, seats: Sequence[Seat]) -> str:
    """One player by name; of several how many they are."""
    if len(seats) == 1:
        return session.short_name(seats[0], _NAME_COLUMNS)
    return session.translate("{count} PLAYERS", count=len(seats))


_NAME_COLUMNS: Final = 10


_GAP_PX: Final = 6
"""Between the title and the names."""


class Tie(ListPage):
    """Who is first together, and what the players make of it; the cursor stands on the shared victory."""

    BEGINS_AT = 0

    def plan(self, session: Session) -> Plan:
        """The three choices are for all around the table: they need all the room."""
        plan, pitch_px = session.plan, (HEIGHT_PX - session.plan.bar_px) // len(TieChoice)
        fonts = MAIN_WORDS if pitch_px > MAIN_WORDS[0].capital_px + 2 else MAIN_WORDS[plan.right_to_left :]
        return replace(plan, text=fonts, choice_pitch_px=pitch_px)

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, plan = session.translate, self.plan(session)
        layout, title = Layout(canvas, plan), t("TIE FOR FIRST")
        seats = [seat for place in session.playing.tied for seat in place.seats]
        room_px = max(0, layout.title_room_px(title) - _GAP_PX)
        layout.title(title, join_names(session, seats, room_px, plan.title[-1]))
        self.draw_choices(layout, session)

    def offers(self, session: Session) -> list[tuple[Text, TieChoice]]:
        return [
            (say("SHARED WIN"), TieChoice.SHARED),
            (say("BETTER LAST DEAL"), TieChoice.LAST_DEAL),
            (say("ONE MORE DEAL"), TieChoice.ONE_MORE),
        ]

    def chosen(self, item: TieChoice, table: Table) -> None:
        """Settle it; UNDO takes back what led here, as everywhere."""
        table.home()
        if table.propose(SettleTie(item.value)):
            celebrate(table)


_LEADER_PX: Final = 15


class DealEnd(Page):
    """What the deal cost each player, and whether every card is accounted for."""

    DISMISS_ON_OK = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        audit = match.game.audit(match.position.finished)
        deals = match.position.score_sheet.deals
        title = t("DEAL {deal} ENDS", deal=len(deals)) if audit.sound else t("CHECK FAILED")
        counted = t.digits(f"{audit.cards}/{audit.cards_due}")
        needs_px = 3 * layout.plan.pitch_px
        if layout.has_hints(needs_px):  # else OK stands beside the number
            counted = t("{cards} CARDS", cards=counted)
        aside = counted if audit.cards_due else ""
        layout.frame(title, *self.hints(session), aside=aside, key="OK", needs_px=needs_px)
        points = deals[-1] + (0,) * (len(match.totals) - len(deals[-1]))
        places = views.standings(session, match.score_sheet, points)
        free, line_px = layout.free, layout.plan.pitch_px
        if not audit.sound or len(places) * line_px + _LEADER_PX <= free.height_px:
            check = Area(2, free.bottom_px - line_px, free.width_px - 4, line_px)
            says = audit.faults[0] if owners_missing(match, match.position.finished) else audit.says
            font, shown = layout.fitted(t.say(says), check.width_px, layout.plan.text)
            layout.put(check, shown, font)
            layout.free = Area(free.x_px, free.y_px, free.width_px, free.height_px - line_px)
        views.draw_standings(layout, session, views.in_order(session, places))

    def keys(self, session: Session) -> Keys:
        deals = len(session.playing.position.score_sheet.deals)
        return {
            Key.OK: KeyUse(self._go_on, say("OK=GO")),
            Key.ROW_1: KeyUse(lambda at: at.open(views.Graph()), say("R1=GRAPH")),
            Key.ROW_2: KeyUse(partial(correct_deal, deals), say("R2=EDIT")),
        }

    def take_number(self, number: int, table: Table) -> bool:
        """Where only points are kept, a number is the first one of the next deal."""
        return _begin_next_sums(NumberAction(number), table)

    def take_badge(self, badge: int, table: Table) -> bool:
        return _begin_next_sums(BadgeAction(badge), table)

    @staticmethod
    def _go_on(table: Table) -> None:
        table.home()
        table.acknowledge(StepResult.DEAL)
        celebrate(table)


def _begin_next_sums(action: Action, table: Table) -> bool:
    """Pass an action on to the sums of the next deal; False where they are not asked for."""
    asks = table.session.playing.asks
    if not asks or asks[0].kind is not AskKind.HAND or asks[0].wait is not Wait.ALL or asks[0].need:
        return False
    table.home()
    table.acknowledge(StepResult.DEAL)
    table.act(action)
    return True


def _play_again(table: Table) -> None:
    """Begin another match of the same group; ask who plays where somebody was to join with the next deal."""
    session = table.session
    joins, terms = session.joining_next_match, session.playing.terms
    if joins:
        badges = terms.badges[: terms.seats]
        suspend(table)
        table.set_up(PlayersPage(terms.game, (*badges, *(new for new in joins if new not in badges))))
        return
    table.set_up(None)
    session.begin(terms)
    table.home()


def _list_more(table: Table) -> None:
    deals: tuple[Item, ...] = (
        (say("GRAPH"), lambda at: at.open(views.Graph())),
        (say("CORRECT A SCORE"), correct_score),
    )
    more: tuple[Item, ...] = (
        (say("ALL DEALS"), lambda at: at.open(views.Deals())),
        (say("RECORDS"), lambda at: at.open(Records())),
        (say("AWARDS"), lambda at: at.open(Awards())),
    )
    if not table.session.playing.position.score_sheet.deals:
        deals = more = ()
    others: tuple[Item, ...] = ((say("ANOTHER GAME"), suspend), (say("EARLIER RESULTS"), show_results))
    names = (say("NAMES"), lambda at: at.open(NameWhom()))
    table.open(Menu(say("MATCH OVER"), (*deals, *others, *more, names)))


class MatchEnd(Page):
    """Who has won; a tie is shared, as no rulebook has a tie-break."""

    WAITS = Key.OK, 2.0
    KEYS: ClassVar = {
        Key.OK: KeyUse(_play_again, say("OK=AGAIN")),
        Key.ROW_1: KeyUse(lambda at: at.open(Share(codes(at.session))), say("R1=QR")),
        Key.ROW_2: KeyUse(_list_more, say("R2=MORE")),
    }

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        places = views.standings(session, match.score_sheet, (0,) * len(match.totals))
        layout.hints(*self.hints(session))
        wins = t("NOT VERIFIED") if not_verified(match) else views.who_wins(session)
        title = t("SHARED WIN") if sum(side.rank == 1 for side in places) > 1 else t("MATCH OVER")
        layout.frame(title, aside=wins, needs_px=views.standings_px(places))
        views.draw_standings(layout, session, places, plus=False)
