"""The end of a deal with its conservation check, and the end of a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from firmware.display.glyphs import CROWN, MEDIUM
from firmware.screens.base import Page, Result
from firmware.screens.edit import correct_deal, correct_score
from firmware.screens.graph import Graph
from firmware.screens.menu_page import Menu
from firmware.screens.player_names import draw_name, join_names
from firmware.screens.results import show_results
from firmware.screens.share import Share
from firmware.screens.views import draw_list, draw_standings, standings
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.screens.menu_page import Item
    from firmware.session.session import Session

_LINES_BELOW_WINNER = 3


@dataclass(frozen=True, slots=True)
class DealEnd(Page):
    """What the deal cost each player, and whether every card is accounted for."""

    NAME: ClassVar[str] = "deal_end"
    GOES_ON_WITH_OK: ClassVar[bool] = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Standings, cards seen and expected, bullheads taken and on the table."""
        t, match = session.translate, session.playing
        audit = match.game.audit(match.position.finished)
        deals = match.position.score_sheet.deals
        title = t("DEAL {deal} ENDS", deal=len(deals)) if audit.sound else t("CHECK FAILED")
        canvas.bar_title(title, f"{audit.cards}/{audit.cards_due}" if audit.cards_due else "")
        points = deals[-1] + (0,) * (len(match.totals) - len(deals[-1]))
        places = standings(session, points, match.totals)
        if len(places) <= 4:  # noqa: PLR2004 - four lines leave one for the check
            for index, side in enumerate(places):
                y_px = 11 + 9 * index
                canvas.text(2, y_px, str(side.rank))
                canvas.text(14, y_px, join_names(session, side.seats, 9))
                canvas.text_right(96, y_px, f"{side.plus:+}")
                canvas.text_right(126, y_px, str(side.total))
            canvas.text(2, 47, t.say(audit.says))
        else:
            draw_standings(canvas, session, points, match.totals)
        canvas.footer(t("OK=GO"), t("R2=EDIT"), middle=t("R1=GRAPH"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK goes on to the next deal or the end, R1 shows the totals as lines, R2 corrects this deal."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.ROW_1:
            controller.open(Graph())
            return True
        if action.key is Key.ROW_2:
            correct_deal(controller, len(controller.session.playing.position.score_sheet.deals))
            return True
        if action.key is Key.OK:
            controller.home()
            controller.acknowledge(Result.DEAL)
            return True
        return False


@dataclass(frozen=True, slots=True)
class MatchEnd(Page):
    """Who has won; a tie is shared, as no rulebook has a tie-break."""

    NAME: ClassVar[str] = "match_end"

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The winners, then the others."""
        t, match = session.translate, session.playing
        places = standings(session, (0,) * len(match.totals), match.totals)
        first, rest = places[0], [side for side in places if side.rank > 1]
        shared = len(places) - len(rest) > 1
        wins = t("HIGH WINS") if match.scoring.high_wins else t("LOW WINS")
        canvas.bar_title(t("SHARED WIN") if shared else t("GAME OVER"), wins)
        if shared or len(rest) > _LINES_BELOW_WINNER:
            draw_list(canvas, session, places, crowned=True)
        else:
            canvas.text(2, 12, CROWN, MEDIUM)
            left_px = canvas.text_right(126, 12, str(first.total), MEDIUM)
            draw_name(canvas, (20, 12), session, first.seats, left_px - 24)
            canvas.hline(2, 26, 124, dotted=True)
            for index, side in enumerate(rest):
                y_px = 29 + 9 * index
                canvas.text(2, y_px, str(side.rank))
                left_px = canvas.text_right(126, y_px, str(side.total))
                canvas.text(20, y_px, join_names(session, side.seats, (left_px - 20) // 6))
        canvas.footer(t("OK=AGAIN"), t("R2=MORE"), middle=t("R1=QR"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK plays again with the same players, R1 shares, R2 lists what else can be done."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        t, terms = controller.session.translate, controller.session.playing.terms
        if action.key is Key.OK:
            controller.session.begin(terms)
            controller.home()
            return True
        if action.key is Key.ROW_1:
            controller.open(Share())
            return True
        if action.key is Key.ROW_2:
            graph: Item = (t("GRAPH"), lambda at: at.open(Graph()))
            controller.open(
                Menu(
                    t("MATCH IS OVER"),
                    (
                        graph,
                        (t("CORRECT A SCORE"), correct_score),
                        (t("ANOTHER GAME"), _another_game),
                        (t("EARLIER RESULTS"), show_results),
                    ),
                )
            )
            return True
        return False


def _another_game(controller: Controller) -> None:
    controller.session.suspend()
    controller.home()
    controller.set_up(None)
