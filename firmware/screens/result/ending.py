"""The end of a deal with its conservation check, and the end of a match."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from companion.core.ask import AskKind, Wait
from firmware.display.glyphs import LARGE, NARROW, SMALL, TALL
from firmware.display.layout import Area, Layout
from firmware.display.plan import MAIN, MAIN_WORDS
from firmware.screens.before.naming import name_players
from firmware.screens.parts.base import Controller, Item, Keys, KeyUse, Page, StepResult
from firmware.screens.parts.choice import Menu
from firmware.screens.parts.player_names import name_seats
from firmware.screens.result.ceremony import Awards, celebrate
from firmware.screens.result.deals import Deals
from firmware.screens.result.edit import correct_deal, correct_score
from firmware.screens.result.graph import Graph
from firmware.screens.result.records import Records
from firmware.screens.result.results import show_results
from firmware.screens.result.share import share
from firmware.screens.result.views import (
    Look,
    Side,
    draw_columns,
    draw_side,
    draw_standings,
    in_order,
    standings,
    who_wins,
)
from firmware.screens.turn.owner_not_known import not_verified, owners_missing
from firmware.session.actions import Action, BadgeAction, NumberAction
from hardware.ports import Key

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

_LINES_BELOW_WINNER: Final = 3
_PITCH_PX: Final = 9
_MOST_NAMED: Final = 3
"""Names of winners that have room in one line."""
_ROOM_FOR_CHECK: Final = 3
"""Players whose lines leave one for the check of the cards."""


class DealEnd(Page):
    """What the deal cost each player, and whether every card is accounted for."""

    NAME: ClassVar[str] = "deal_end"
    GOES_ON_WITH_OK: ClassVar[bool] = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Standings, cards seen and expected, bullheads taken and on the table."""
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        audit = match.game.audit(match.position.finished)
        deals = match.position.score_sheet.deals
        title = t("DEAL {deal} ENDS", deal=len(deals)) if audit.sound else t("CHECK FAILED")
        layout.title(title, t.digits(f"{audit.cards}/{audit.cards_due}") if audit.cards_due else "")
        if layout.plan.row_bar:
            layout.hints(*self.hints(session))
        points = deals[-1] + (0,) * (len(match.totals) - len(deals[-1]))
        places = standings(session, points, match.totals)
        free, line_px = layout.free, layout.plan.pitch_px
        if layout.plan.row_bar and (not audit.sound or len(places) <= _ROOM_FOR_CHECK):
            check = Area(2, free.bottom_px - line_px, free.width_px - 4, line_px)
            says = audit.faults[0] if owners_missing(match, match.position.finished) else audit.says
            font, shown = layout.fitted(t.say(says), check.width_px, layout.plan.text)
            layout.put(check, shown, font)
            layout.free = Area(free.x_px, free.y_px, free.width_px, free.height_px - line_px)
        draw_standings(layout, session, in_order(session, places))

    def keys(self, session: Session) -> Keys:
        """OK goes on to the next deal or the end, R1 shows the totals as lines, R2 corrects this deal."""
        t, deals = session.translate, len(session.playing.position.score_sheet.deals)
        return {
            Key.OK: KeyUse(self._go_on, t("OK=GO")),
            Key.ROW_1: KeyUse(lambda at: at.open(Graph()), t("R1=GRAPH")),
            Key.ROW_2: KeyUse(lambda at: correct_deal(at, deals), t("R2=EDIT")),
        }

    def take_number(self, number: int, controller: Controller) -> bool:
        """Where only points are kept, a number is the first one of the next deal."""
        return _begin_next_sums(NumberAction(number), controller)

    def take_badge(self, badge: int, controller: Controller) -> bool:
        """So is a badge."""
        return _begin_next_sums(BadgeAction(badge), controller)

    @staticmethod
    def _go_on(controller: Controller) -> None:
        controller.home()
        controller.acknowledge(StepResult.DEAL)
        celebrate(controller)


def _begin_next_sums(action: Action, controller: Controller) -> bool:
    """Pass an action on to the sums of the next deal; False where they are not asked for."""
    asks = controller.session.playing.asks
    if not asks or asks[0].kind is not AskKind.HAND or asks[0].wait is not Wait.ALL or asks[0].need:
        return False
    controller.home()
    controller.acknowledge(StepResult.DEAL)
    controller.act(action)
    return True


class MatchEnd(Page):
    """Who has won; a tie is shared, as no rulebook has a tie-break."""

    NAME: ClassVar[str] = "match_end"

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The winners, then the others."""
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        places = standings(session, (0,) * len(match.totals), match.totals)
        first = [side for side in places if side.rank == 1]
        rest = [side for side in places if side.rank > 1]
        if layout.plan.row_bar:
            wins = t("NOT VERIFIED") if not_verified(match) else who_wins(session)
            layout.title(t("SHARED WIN") if len(first) > 1 else t("MATCH OVER"), wins)
        layout.hints(*self.hints(session))
        winners = [seat for side in first for seat in side.seats]
        named = len(winners) <= _MOST_NAMED
        left = _draw_winner(layout, session, first, wide=named and len(rest) < _LINES_BELOW_WINNER)
        below = rest if named else places
        if len(below) * _PITCH_PX > left.height_px:
            draw_columns(layout, left, session, below)
            return
        for place, side in enumerate(below):
            area = Area(left.x_px, left.y_px + _PITCH_PX * place, left.width_px, _PITCH_PX)
            draw_side(layout, session, area, side, Look((SMALL, NARROW), plus=False))

    def keys(self, session: Session) -> Keys:
        """OK plays again with the same players, R1 shares, R2 lists what else can be done."""
        t = session.translate
        return {
            Key.OK: KeyUse(_play_again, t("OK=AGAIN")),
            Key.ROW_1: KeyUse(share, t("R1=QR")),
            Key.ROW_2: KeyUse(_list_more, t("R2=MORE")),
        }


def _draw_winner(layout: Layout, session: Session, first: list[Side], *, wide: bool) -> Area:
    """The crown, who has won and the total, as large as there is room; what is left below them.

    Of many who share a win only the total is told here; their names stand below.
    """
    canvas, free = layout.canvas, layout.free
    high_px = LARGE.capital_px + 2 if wide else 15
    line = Area(2, free.y_px + 1, free.width_px - 4, high_px)
    total = session.translate.number(first[0].total)
    canvas.text_right(line.right_px, line.y_px + (line.height_px - TALL.capital_px) // 2, total, TALL)
    canvas.note_main(TALL.capital_px)
    canvas.icon(line.x_px, line.y_px + (line.height_px - 14) // 2, "crown", large=True)
    seats = [seat for side in first for seat in side.seats]
    if len(seats) <= _MOST_NAMED:
        left_px = line.x_px + 18
        name = Area(left_px, line.y_px, line.right_px - left_px - 6 - TALL.width_px(total), line.height_px)
        name_seats(layout, name, session, seats, MAIN if wide else MAIN_WORDS)
    return free.below(line.bottom_px + 1 - free.y_px)


def _play_again(controller: Controller) -> None:
    controller.session.begin(controller.session.playing.terms)
    controller.home()


def _list_more(controller: Controller) -> None:
    t = controller.session.translate
    items: tuple[Item, ...] = (
        (t("GRAPH"), lambda at: at.open(Graph())),
        (t("CORRECT A SCORE"), correct_score),
        (t("ANOTHER GAME"), _another_game),
        (t("EARLIER RESULTS"), show_results),
        (t("ALL DEALS"), lambda at: at.open(Deals())),
        (t("RECORDS"), lambda at: at.open(Records())),
        (t("AWARDS"), lambda at: at.open(Awards())),
        (t("NAMES"), name_players),
    )
    controller.open(Menu(t("MATCH OVER"), items))


def _another_game(controller: Controller) -> None:
    controller.session.suspend()
    controller.home()
    controller.set_up(None)
