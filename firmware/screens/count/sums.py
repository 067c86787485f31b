"""Scoring without scanning: the points of every player are typed, corrected and closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.core.ask import TYPED, Ask, AskKind, Gives
from companion.core.cards import Seat
from companion.text.sentence import say
from companion.values import replace
from firmware.display.layout import Layout
from firmware.display.plan import for_list
from firmware.screens.parts.base import Controller, Page
from firmware.screens.parts.choice import step_cursor
from firmware.screens.parts.score_lines import can_be_negative, draw_scores, draw_steps, step_number
from firmware.session.actions import Action, BadgeAction, KeyAction, typed_number
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

_STEPS_Y_PX = 46
_ROOM_FOR_STEPS = 3


class Sums(Page):
    """A number is set for one player, who is lit: the first one without a score. OK takes it and goes on.

    A badge chooses another player, a number that is typed on a keyboard is taken at once. When all have a
    score, OK closes the deal; until then any of them can be chosen and corrected.
    """

    NAME: ClassVar[str] = "sums"
    SCORES_BY_BADGE: ClassVar[bool] = True
    asks: tuple[Ask, ...]
    seat: Seat | None = None
    number: int = 0
    typed: int | None = None
    """A number that was typed while nobody was chosen."""

    @property
    def closing(self) -> Ask | None:
        """The question whether this is all; None while scores are missing."""
        return self.asks[0] if self.asks[0].kind.gives is Gives.WORD else None

    @property
    def lit(self) -> Seat | None:
        """Whose points the keys set."""
        return self.seat if self.seat is not None or self.closing else self.asks[0].seats[0]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """All scores, those that are still open as dashes."""
        t, match = session.translate, session.playing
        layout = Layout(canvas, for_list(session.plan, len(match.players)))
        still = () if self.closing else self.asks[0].seats
        count = session.translate.digits(f"{len(match.players) - len(still)}/{len(match.players)}")
        layout.title(t.say(self.asks[0].says), count)
        closing = self.asks[0]
        if self.lit is not None:
            layout.hints(t("OK=NEXT"), t("R3=+1"))
        elif len(closing.labels) > 1:
            layout.hints(t("OK=CHECK"), t("R4=CLOSE"))
        else:
            layout.hints(t("OK={what}", what=closing.labels[0]))
        scores = []
        for seat in match.players:
            known = "–" if seat in still else session.translate.number(match.points[seat])
            scores.append((seat, session.translate.digits(f"[{self.number}]") if seat == self.lit else known))
        draw_scores(layout, session, scores, self.lit)
        if self.lit is not None and len(scores) <= _ROOM_FOR_STEPS and layout.plan.row_bar:
            draw_steps(canvas, _STEPS_Y_PX)

    def handle(self, action: Action, controller: Controller) -> bool:
        """Keys set a number, OK takes it or closes the deal, badges and up and down choose a player."""
        if isinstance(action, BadgeAction):
            return self._choose(controller.session.seat(action.badge), controller)
        if (number := typed_number(action)) is not None:
            if self.lit is not None:
                self._take(f"{TYPED}{number}", self.lit, controller)
            else:
                controller.show(replace(self, typed=number))
                controller.say(controller.session.translate("{number}: WHOSE BADGE?", number=number))
            return True
        if not isinstance(action, KeyAction):
            return False
        if self.lit is not None:
            negative = can_be_negative(controller.session)
            stepped = step_number(self.number, action, negative=negative)
            if stepped is not None:
                controller.show(replace(self, number=stepped))
                return True
        if action.press is not Press.SHORT:
            return False
        if self.lit is None:
            return self._when_closing(action, controller)
        if action.key in (Key.UP, Key.DOWN):
            return self._step(action, controller)
        if action.key is Key.OK:
            self._take(f"{TYPED}{self.number}", self.lit, controller)
            return True
        return False

    def choose(self, choice: str, controller: Controller) -> bool:
        """The points of the player who is lit, or a word that closes the deal."""
        if choice.startswith(TYPED) and self.lit is not None:
            self._take(choice, self.lit, controller)
        elif self.lit is None and choice in self.asks[0].choices:
            controller.answer(self.asks[0], None, choice)
        else:
            return False
        return True

    def _when_closing(self, action: KeyAction, controller: Controller) -> bool:
        choices = self.asks[0].choices
        if action.key is Key.OK and self.typed is not None:
            controller.decline(say("{number}: WHOSE BADGE?", number=self.typed))
            return True
        if action.key is Key.UNDO and self.typed is not None:
            controller.show(replace(self, typed=None))
            return True
        if action.key is Key.OK:
            return self.choose(choices[0], controller)
        if action.key is Key.ROW_4 and len(choices) > 1:
            return self.choose(choices[1], controller)
        return action.key in (Key.UP, Key.DOWN) and self._step(action, controller)

    def _step(self, action: KeyAction, controller: Controller) -> bool:
        """The next player is chosen."""
        players = controller.session.playing.players
        cursor = step_cursor(None if self.lit is None else players.index(self.lit), action, len(players))
        return cursor is not None and self._light(players[cursor], controller)

    def _choose(self, seat: Seat | None, controller: Controller) -> bool:
        """A badge: it chooses a player, or says whose the number is that was typed."""
        if seat is None or self.typed is None:
            return self._light(seat, controller)
        controller.show(replace(self, typed=None))
        self._take(f"{TYPED}{self.typed}", seat, controller)
        return True

    def _light(self, seat: Seat | None, controller: Controller) -> bool:
        if seat is None:
            controller.decline(say("NOT IN THIS MATCH"))
            return True
        number = controller.session.playing.points[seat] if self.typed is None else self.typed
        controller.show(replace(self, seat=seat, number=number, typed=None))
        return True

    def _take(self, points: str, seat: Seat, controller: Controller) -> None:
        controller.answer(next(ask for ask in self.asks if ask.kind is AskKind.HAND), seat, points)
