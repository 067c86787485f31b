"""Correcting the score of a finished deal: which deal, whose points, and what they should be."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from companion.core.cards import Seat
from companion.match.commands import CorrectScore
from companion.text.sentence import say
from companion.values import replace
from firmware.display.layout import Layout
from firmware.display.plan import for_list
from firmware.screens.parts.base import Change, Controller, Keys, KeyUse, Page, back
from firmware.screens.parts.choice import Menu, cursor_moves
from firmware.screens.parts.score_lines import can_be_negative, draw_scores, number_keys
from hardware.ports import Key

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


def correct_score(controller: Controller) -> None:
    """Ask which finished deal is to be corrected, the newest first; where there is one, it is that."""
    t, deals = controller.session.translate, controller.session.playing.position.score_sheet.deals
    if not deals:
        controller.say(t("NO FINISHED DEAL YET"))
        return
    if len(deals) == 1:
        correct_deal(controller, 1)
        return
    items = tuple((t("DEAL {deal}", deal=deal), partial(_open, deal)) for deal in range(len(deals), 0, -1))
    controller.open(Menu(t("WHICH DEAL?"), items))


def correct_deal(controller: Controller, deal: int) -> None:
    """Correct the scores of a finished deal, counted from 1."""
    match = controller.session.playing
    points = match.position.score_sheet.deals[deal - 1]
    controller.open(EditDeal(deal, points + (0,) * (len(match.totals) - len(points))))


def _open(deal: int, controller: Controller) -> None:
    correct_deal(controller, deal)


class EditDeal(Page):
    """The points of the deal; those of `seat` are changed with keys or typed. OK keeps them all at once."""

    NAME: ClassVar[str] = "edit_deal"
    SCORES_BY_BADGE: ClassVar[bool] = True
    deal: int
    points: tuple[int, ...]
    seat: Seat | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The points of all players; changed ones with their old value."""
        t, match = session.translate, session.playing
        layout = Layout(canvas, for_list(session.plan, len(match.players)))
        layout.title(t("CORRECT DEAL {deal}", deal=self.deal))
        layout.hints(*self.hints(session))
        old = match.position.score_sheet.deals[self.deal - 1]
        few = len(match.players) * layout.plan.pitch_px <= layout.free.height_px  # one column: room for both
        scores = []
        for seat in match.players:
            was = old[seat] if seat < len(old) else 0
            new = self.points[seat]
            scores.append((seat, t.digits(f"{was} → {new}") if new != was and few else t.number(new)))
        draw_scores(layout, session, scores, self.seat)

    def changes(self, session: Session) -> tuple[Change, ...]:
        """The points of this deal that differ from those that count."""
        old = session.playing.position.score_sheet.deals[self.deal - 1]
        both = [
            Change(Seat(seat), old[seat] if seat < len(old) else 0, new)
            for seat, new in enumerate(self.points)
        ]
        return tuple(one for one in both if one.before != one.after)

    def keys(self, session: Session) -> Keys:
        """Up and down choose a player, keys change the points, OK saves."""
        t, players, nobody = session.translate, session.playing.players, self.seat is None
        moves = cursor_moves(None if self.seat is None else players.index(self.seat), len(players))
        hint, says = t("DOWN=CHOOSE") if nobody else "", say("CHOOSE A PLAYER")
        points = 0 if self.seat is None else self.points[self.seat]
        return {
            Key.OK: KeyUse(self._save, t("OK=SAVE")),
            **{
                key: KeyUse(partial(self._choose, players[moves[key]]), hint, says)
                for key in (Key.DOWN, Key.UP)
            },
            Key.UNDO: KeyUse(back, "" if nobody else t("UNDO=CANCEL"), say("BACK")),
            **number_keys(points, self._set, negative=can_be_negative(session)),
        }

    def take_badge(self, badge: int, controller: Controller) -> bool:
        """A badge chooses a player."""
        controller.show(replace(self, seat=controller.session.seat(badge)))
        return True

    def take_number(self, number: int, controller: Controller) -> bool:
        """A number is the points of the player who is chosen."""
        self._set(number, controller)
        return True

    def _choose(self, seat: Seat, controller: Controller) -> None:
        controller.show(replace(self, seat=seat))

    def _save(self, controller: Controller) -> None:
        controller.close()
        controller.propose(CorrectScore(self.deal, self.points))

    def _set(self, number: int, controller: Controller) -> None:
        if self.seat is None:
            controller.say(controller.session.translate("CHOOSE A PLAYER"))
            return
        points = tuple(number if seat == self.seat else one for seat, one in enumerate(self.points))
        controller.show(replace(self, points=points))
