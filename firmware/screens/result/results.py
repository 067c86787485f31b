"""The results of matches that are over: which one, and its standings."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from firmware.display.glyphs import SMALL, Font
from firmware.display.layout import Area, Layout
from firmware.screens.parts.base import Controller, Keys, KeyUse, Page, back
from firmware.screens.parts.choice import Menu
from hardware.ports import Key

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.earlier_matches import FinishedMatch
    from firmware.session.session import Session


def show_results(controller: Controller) -> None:
    """Ask which of the finished matches, the newest first; say so where there is none."""
    t, matches = controller.session.translate, controller.session.finished()
    if not matches:
        controller.say(t("NO FINISHED MATCH"))
        return
    items = tuple((_label(match, controller.session), partial(_open, match)) for match in matches)
    controller.open(Menu(t("WHICH MATCH?"), items))


def _label(match: FinishedMatch, session: Session) -> str:
    """Month, day and time; the title of the game is shortened to what is left of a line."""
    plan, head = session.plan, f"{match.at} ".lstrip()
    font = plan.text[-1]
    room_px = plan.choice_px() - font.width_px(f"{head}-") + font.width_px("-")
    t = session.translate
    return head + t.isolated(font.fit(t.title(match.title), room_px))


def _open(match: FinishedMatch, controller: Controller) -> None:
    controller.open(MatchResult(match))


class MatchResult(Page):
    """The standings at the end of a match: rank, name and total, best first."""

    NAME: ClassVar[str] = "match_result"
    result: FinishedMatch

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Lines below each other, or two columns of five where there are more."""
        layout, places = Layout(canvas, session.plan), self.result.places
        plan = layout.plan
        title, begun = session.translate.title(self.result.title), self.result.at[-5:]
        layout.title(plan.title[-1].fit(title, layout.title_room_px("", begun)), begun)
        layout.hints(*self.hints(session), f"#{self.result.id}")
        free = layout.free
        columns = 1 if len(places) <= free.height_px // plan.pitch_px else 2
        lines = -(-len(places) // columns)
        pitch_px, wide_px = min(plan.pitch_px, free.height_px // lines), free.width_px // columns
        font = SMALL if plan.row_bar or pitch_px < plan.pitch_px else plan.text[0]
        for index, (rank, total, badges) in enumerate(places):
            column, line = divmod(index, lines)
            area = Area(wide_px * column + 2, free.y_px + pitch_px * line, wide_px - 4, pitch_px)
            small_px = area.y_px + (pitch_px - 7) // 2 + (1 if plan.row_bar else 0)
            if rank == 1:
                canvas.icon(area.x_px, small_px, "crown")
            else:
                canvas.text(area.x_px, small_px, session.translate.number(rank))
            middle_px = area.y_px + (pitch_px - font.capital_px) // 2 + (1 if plan.row_bar else 0)
            left_px = canvas.text_right(area.right_px, middle_px, session.translate.number(total), font)
            name_px = area.x_px + 13
            canvas.text(name_px, middle_px, _names(session, badges, left_px - 3 - name_px, font), font)

    def keys(self, session: Session) -> Keys:
        """OK closes it."""
        return {Key.OK: KeyUse(back, session.translate("OK=BACK"))}


def _names(session: Session, badges: tuple[int, ...], width_px: int, font: Font) -> str:
    """A player, or a team, in so many pixels; a player who was erased is a guest."""
    each_px = (width_px - font.width_px("+") * (len(badges) - 1)) // len(badges)
    guest = font.fit(session.translate("GUEST"), each_px)
    return "+".join(session.names.fitting(badge, each_px, font) if badge else guest for badge in badges)
