"""Pages of what was wrong in the newest turn: two owners to be swapped, a card that was another one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from companion.cards import Seat
from firmware.display.glyphs import MEDIUM
from firmware.screens.player_names import draw_name, draw_players
from firmware.screens.scanned_card import read_card
from firmware.screens.taking import moved
from firmware.session.actions import ROW_KEYS, Action, BadgeAction, CardAction, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.display.canvas import Canvas
    from firmware.play.controller import Controller
    from firmware.session.session import Session


@dataclass(frozen=True, slots=True)
class PickPlayers:
    """S25 and its like: one or two players, by badge or with the cursor."""

    NAME: ClassVar[str] = "pick_players"
    title: str
    chosen: Callable[[tuple[int, ...], Controller], None]
    need: int
    badges: tuple[int, ...] = ()
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """All badges of the match."""
        t = session.translate
        canvas.bar_title(self.title, f"{len(self.badges)}/{self.need}")
        badges = self._all(session)
        lit = {place for place, badge in enumerate(badges) if place == self.cursor or badge in self.badges}
        draw_players(canvas, [(badge, session.badge_name(badge)) for badge in badges], lit)
        canvas.footer(t("OK=THIS ONE"), t("UNDO=BACK"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A badge or OK names a player; with enough of them it is done."""
        if isinstance(action, BadgeAction):
            self._name(action.badge, controller)
            return True
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        everybody = self._all(controller.session)
        if action.key in ROW_KEYS and ROW_KEYS.index(action.key) < len(everybody):
            self._name(everybody[ROW_KEYS.index(action.key)], controller)
            return True
        if action.key is Key.OK and self.cursor is not None:
            self._name(everybody[self.cursor], controller)
            return True
        cursor = moved(self.cursor, action, len(everybody))
        if cursor is not None:
            controller.swap(replace(self, cursor=cursor))
        return cursor is not None or action.key is Key.OK

    def _all(self, session: Session) -> tuple[int, ...]:
        """Also of those who have gone, who may come again."""
        return tuple(sorted({session.badge(Seat(seat)) for seat in range(len(session.playing.totals))}))

    def _name(self, badge: int, controller: Controller) -> None:
        badges = (*self.badges, badge) if badge not in self.badges else self.badges
        if len(badges) < self.need:
            controller.swap(replace(self, badges=badges))
            return
        controller.close()
        self.chosen(badges, controller)


@dataclass(frozen=True, slots=True)
class SwapPreview:
    """S25: a swap and what it does to the two scores, before it is done."""

    NAME: ClassVar[str] = "swap_preview"
    command: object
    seats: tuple[Seat, Seat]
    points: tuple[int, ...]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The heads of this deal before and after."""
        t, points = session.translate, session.playing.points
        canvas.bar_title(t("SWAP THESE TWO?"))
        for place, seat in enumerate(self.seats):
            y_px = 14 + 16 * place
            left_px = canvas.text_right(126, y_px, f"{points[seat]} → {self.points[seat]}", MEDIUM)
            draw_name(canvas, 2, y_px, (session.name(seat),), left_px - 6)
        canvas.footer(t("OK=SWAP"), t("UNDO=NO"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK does it."""
        if isinstance(action, KeyAction) and action.key is Key.OK and action.press is Press.SHORT:
            controller.close()
            controller.propose(self.command)
            return True
        return False


@dataclass(frozen=True, slots=True)
class WrongCard:
    """A card of the newest turn was wrong: first that one is scanned, then the right one."""

    NAME: ClassVar[str] = "wrong_card"
    card: str = ""

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Which of the two is awaited."""
        t = session.translate
        canvas.bar_title(t("A CARD WAS WRONG"))
        canvas.text_centre(64, 16, t("SCAN THE WRONG CARD") if not self.card else t("NOW THE RIGHT ONE"))
        if self.card:
            canvas.card(50, 30, session.label(self.card))
        canvas.footer(t("UNDO=BACK"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """Two scans make the correction."""
        if not isinstance(action, CardAction):
            return False
        if (card := read_card(action, controller)) is None:
            return True
        if not self.card:
            controller.swap(replace(self, card=card))
            controller.signal(Signal.ACCEPTED)
            return True
        command = controller.session.playing.game.correct((self.card,), (action.card,))
        controller.close()
        controller.propose(command)
        return True
