"""The results of matches that are over: which one, and its standings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from firmware.screens.base import Page
from firmware.screens.menu_page import Menu

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import FinishedMatch, Session

_IN_A_COLUMN: Final = 5
_COLUMN_PX: Final = 6


def show_results(controller: Controller) -> None:
    """Ask which of the finished matches, the newest first; say so where there is none."""
    t, matches = controller.session.translate, controller.session.finished()
    if not matches:
        controller.say(t("NO FINISHED MATCH"))
        return
    items = tuple((_label(match), partial(_open, match)) for match in matches)
    controller.open(Menu(t("WHICH MATCH?"), items))


def _label(match: FinishedMatch) -> str:
    """Month, day, time and as much of the game's title as there is room for, in up to 18 columns."""
    return f"{match.at} {match.title[:6]}".strip()


def _open(match: FinishedMatch, controller: Controller) -> None:
    controller.open(MatchResult(match))


@dataclass(frozen=True, slots=True)
class MatchResult(Page):
    """The standings at the end of a match: rank, name and total, best first."""

    NAME: ClassVar[str] = "match_result"
    result: FinishedMatch

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Five lines, or two columns of five."""
        t, places = session.translate, self.result.places
        canvas.bar_title(canvas.fit(self.result.title, 11), self.result.at[-5:])
        wide = len(places) <= _IN_A_COLUMN
        for index, (rank, total, badges) in enumerate(places):
            x_px, y_px = 2 + 65 * (index // _IN_A_COLUMN), 11 + 9 * (index % _IN_A_COLUMN)
            left_px = canvas.text_right(126 if wide or index >= _IN_A_COLUMN else 61, y_px, str(total))
            if rank == 1:
                canvas.icon(x_px, y_px, "crown")
            else:
                canvas.text(x_px, y_px, str(rank))
            columns = (left_px - x_px - 12) // _COLUMN_PX
            canvas.text(x_px + 12, y_px, _names(session, badges, columns))
        canvas.footer(t("OK=BACK"), f"#{self.result.id}")


def _names(session: Session, badges: tuple[int, ...], columns: int) -> str:
    """A player, or a team, in so many columns; a player who was erased is a guest."""
    each = max(1, (columns - len(badges) + 1) // len(badges))
    guest = session.translate("GUEST")[:each]
    return "+".join(session.short_badge_name(badge, each) if badge else guest for badge in badges)
