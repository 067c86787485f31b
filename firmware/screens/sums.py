"""Counting without scanning (S31): everybody's points of the deal are typed, put right and closed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from companion.game import TYPED, AskKind, Gives, KeepsScore
from firmware.screens.score_lines import STEPS, draw_scores, draw_steps, step_number
from firmware.screens.taking import moved
from firmware.session.actions import Action, BadgeAction, CardAction, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from companion.cards import Seat
    from companion.game import Ask
    from firmware.display.canvas import Canvas
    from firmware.play.controller import Controller
    from firmware.session.session import Session

_STEPS_Y_PX = 46
_ROOM_FOR_STEPS = 3


@dataclass(frozen=True, slots=True)
class Sums:
    """A number is dialled for the lit player, the first one without a score; OK takes it and goes on.

    A badge lights its player, a number that is typed on a keyboard is taken at once. When all
    have a score, OK closes the deal, and until then any of them can be lit and put right.
    """

    NAME: ClassVar[str] = "sums"
    asks: tuple[Ask, ...]
    seat: Seat | None = None
    number: int = 0

    @property
    def closing(self) -> Ask | None:
        """The question whether that is all; None while scores are open."""
        return self.asks[0] if self.asks[0].kind.gives is Gives.WORD else None

    @property
    def lit(self) -> Seat | None:
        """Whose points are dialled."""
        return self.seat if self.seat is not None or self.closing else self.asks[0].seats[0]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """All scores, those that are open as dashes."""
        t, match = session.translate, session.playing
        still = () if self.closing else self.asks[0].seats
        count = f"{len(match.players) - len(still)}/{len(match.players)}"
        canvas.bar_title(canvas.fit(t.say(self.asks[0].says), 20 - len(count)), count)
        scores = []
        for seat in match.players:
            known = "–" if seat in still else str(match.points[seat])
            scores.append((seat, f"[{self.number}]" if seat == self.lit else known))
        draw_scores(canvas, session, scores, self.lit)
        if self.lit is not None:
            if len(scores) <= _ROOM_FOR_STEPS:
                draw_steps(canvas, _STEPS_Y_PX)
            canvas.footer(t("OK=NEXT"), t("R3=+1"))
            return
        closing = self.asks[0]
        if len(closing.labels) > 1:
            canvas.footer(t("OK=CHECK"), t("R4=CLOSE"))
        else:
            canvas.footer(t("OK={what}", what=closing.labels[0]))

    def handle(self, action: Action, controller: Controller) -> bool:
        """Keys dial, OK takes or closes, badges and the cursor light somebody."""
        if isinstance(action, BadgeAction):
            return self._light(controller.session.seat(action.badge), controller)
        if isinstance(action, CardAction) and not action.game and self.lit is not None:
            self._take(int(action.card), controller)
            return True
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if self.lit is None:
            return self._when_closing(action, controller)
        if action.key in STEPS:
            game = controller.session.playing.game
            negative = isinstance(game, KeepsScore) and game.scoring.negative
            self._show(
                replace(self, number=step_number(self.number, action.key, negative=negative)), controller
            )
            return True
        if action.key in (Key.UP, Key.DOWN):
            return self._step(action, controller)
        if action.key is Key.OK:
            self._take(self.number, controller)
            return True
        return False

    def _when_closing(self, action: KeyAction, controller: Controller) -> bool:
        closing, game = self.asks[0], controller.session.playing.game
        if action.key is Key.OK:
            controller.propose(game.read(closing, None, closing.choices[0]))
            return True
        if action.key is Key.ROW_4 and len(closing.choices) > 1:
            controller.propose(game.read(closing, None, closing.choices[1]))
            return True
        return action.key in (Key.UP, Key.DOWN) and self._step(action, controller)

    def _step(self, action: KeyAction, controller: Controller) -> bool:
        """The next player is lit."""
        players = controller.session.playing.players
        cursor = moved(None if self.lit is None else players.index(self.lit), action, len(players))
        return cursor is not None and self._light(players[cursor], controller)

    def _light(self, seat: Seat | None, controller: Controller) -> bool:
        if seat is None:
            controller.signal(Signal.REFUSED)
            controller.say(controller.session.translate("THEY DO NOT PLAY"))
            return True
        self._show(replace(self, seat=seat, number=controller.session.playing.points[seat]), controller)
        return True

    def _take(self, number: int, controller: Controller) -> None:
        ask = next(ask for ask in self.asks if ask.kind is AskKind.HAND)
        controller.propose(controller.session.playing.game.read(ask, self.lit, f"{TYPED}{number}"))

    def _show(self, page: Sums, controller: Controller) -> None:
        controller.swap(page) if controller.pages else controller.open(page)
