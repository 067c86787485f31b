"""What players look up and close again: the standings, and all cards of the rows."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from companion.board import Line
from companion.score_sheet import ranked
from companion.text import say
from firmware.display.glyphs import MEDIUM
from firmware.screens.base import Page
from firmware.screens.choice import PER_PAGE, page_number
from firmware.screens.player_names import draw_name, join_names
from firmware.screens.ruling import Why
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from collections.abc import Sequence

    from companion.cards import Seat
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import Session

_FEW = 4
_SHOWN = 5


def explain(controller: Controller) -> None:
    """Show the reasons for the newest turn, or say that there are none.

    Between two deals, and after a match, they are those for the result: who has won, or who starts, and the
    points. Those for the last turn follow.
    """
    match = controller.session.playing
    position = match.position
    lines = () if position.over else match.board.newest
    if not lines:
        because = (*match.why_next, *match.why_scored)
        lines = tuple(Line("", say("THIS RESULT"), one) for one in because)
        if position.finished is not None:
            lines += match.game.board(position.finished).newest
    if lines:
        controller.open(Why(lines))
    else:
        controller.say(controller.session.translate("NOTHING TO EXPLAIN"))


@dataclass(frozen=True, slots=True)
class Side:
    """A line of the standings: a player, or a team."""

    rank: int
    seats: tuple[Seat, ...]
    plus: int
    total: int


def standings(session: Session, plus: tuple[int, ...], totals: tuple[int, ...]) -> list[Side]:
    """All players, as teams if there are teams, best first; `plus` are the points of a deal."""
    match = session.playing
    present = [
        tuple(seat for seat in side if seat in match.players) for side in match.position.score_sheet.sides
    ]
    sides = {side[0]: side for side in present if side}
    sides.update({seat: (seat,) for seat in match.players if not any(seat in side for side in present)})
    sums = {first: sum(totals[seat] for seat in side) for first, side in sides.items()}
    return [
        Side(
            rank,
            sides[first],
            sum(plus[seat] for seat in sides[first]),
            sums[first],
        )
        for rank, first in ranked(sums, high_wins=match.scoring.high_wins)
    ]


def who_wins(session: Session) -> str:
    """Whether the lowest or the highest score wins, in up to 11 columns."""
    t = session.translate
    return t("HIGHEST WINS") if session.playing.scoring.high_wins else t("LOWEST WINS")


def draw_standings(canvas: Canvas, session: Session, plus: tuple[int, ...], totals: tuple[int, ...]) -> None:
    """Rank, name, points of the deal and total, best first."""
    places = standings(session, plus, totals)
    if len(places) <= _FEW:
        for index, side in enumerate(places):
            y_px = 12 + 13 * index
            canvas.text(2, y_px + 3, str(side.rank))
            left_px = canvas.text_right(126, y_px - 1, str(side.total), MEDIUM)
            left_px = canvas.text_right(min(97, left_px - 3), y_px + 3, f"{side.plus:+}")
            draw_name(canvas, (12, y_px - 1), session, side.seats, left_px - 14)
        return
    draw_list(canvas, session, places)


def draw_list(canvas: Canvas, session: Session, places: Sequence[Side], *, crowned: bool = False) -> None:
    """Names and totals, best first: five lines with ranks, or ten in two columns; winners may be crowned."""
    few = len(places) <= _SHOWN
    for index, side in enumerate(places):
        x_px, y_px = 2 + 65 * (index // _SHOWN), 11 + 9 * (index % _SHOWN)
        left_px = canvas.text_right(126 if few or index >= _SHOWN else 61, y_px, str(side.total))
        if crowned and side.rank == 1:
            canvas.icon(x_px, y_px, "crown")
        elif few:
            canvas.text(x_px, y_px, str(side.rank))
        name_px = x_px + (10 if crowned or few else 0)
        canvas.text(name_px, y_px, join_names(session, side.seats, (left_px - name_px) // 6))
    if len(places) > _SHOWN:
        canvas.vline(64, 11, 43, dotted=True)


@dataclass(frozen=True, slots=True)
class Standings(Page):
    """Who has how many points; the title says whether the lowest or the highest wins."""

    NAME: ClassVar[str] = "standings"

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Best first, the points of this deal included."""
        t, match = session.translate, session.playing
        points = match.points
        totals = tuple(total + plus for total, plus in zip(match.totals, points, strict=True))
        canvas.bar_title(who_wins(session), t.say(match.game.end.short()))
        draw_standings(canvas, session, points, totals)
        if len(match.players) > _FEW:
            canvas.footer(t("OK=BACK"))


@dataclass(frozen=True, slots=True)
class Rows(Page):
    """The cards of every stack, of a long one the last five."""

    NAME: ClassVar[str] = "rows"
    first: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """A stack in each line with its heads; of a covered stack only the last card, and what goes on it."""
        t, match = session.translate, session.playing
        board = match.board
        page = page_number(self.first, len(board.stacks))
        turn = t("TURN {turn}", turn=board.turn) if board.turns else ""
        canvas.bar_title(t("ALL CARDS"), page or turn)
        for index, stack in enumerate(board.stacks[self.first : self.first + PER_PAGE]):
            y_px = 13 + 10 * index
            canvas.key(0, y_px, str(self.first + index + 1))
            seen = stack.cards[-1:] if stack.covered else stack.cards[-_SHOWN:]
            for place, card in enumerate(seen):
                canvas.text_right(30 + 20 * place, y_px, session.label(card))
            canvas.text_right(126, y_px, t.say(stack.fits) if stack.covered else f"{stack.heads}")
        heads = sum(stack.heads for stack in board.stacks if not stack.covered)
        counted = t("HEADS {heads}", heads=heads) if heads else ""
        canvas.footer(t("OK=BACK"), t("DOWN=MORE") if page else counted)

    def handle(self, action: Action, controller: Controller) -> bool:
        """Up and down turn the page."""
        if (
            not isinstance(action, KeyAction)
            or action.press is not Press.SHORT
            or action.key not in (Key.UP, Key.DOWN)
        ):
            return False
        match = controller.session.playing
        pages = max(1, -(-len(match.board.stacks) // PER_PAGE))
        step = 1 if action.key is Key.DOWN else -1
        controller.show(replace(self, first=(self.first // PER_PAGE + step) % pages * PER_PAGE))
        return True
