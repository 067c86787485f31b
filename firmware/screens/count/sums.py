"""Scoring without scanning: the points of every player are typed, corrected and closed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from companion.core.ask import TYPED, Ask, AskKind, Gives
from companion.core.cards import Seat
from companion.text.sentence import say
from companion.values import replace
from firmware.display.layout import Layout
from firmware.display.plan import for_list
from firmware.screens.parts.base import Controller, Keys, KeyUse, Page
from firmware.screens.parts.choice import cursor_moves
from firmware.screens.parts.score_lines import (
    can_be_negative,
    draw_scores,
    draw_steps,
    number_keys,
)
from hardware.ports import Key

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
        layout.hints(*self.hints(session))
        scores = []
        for seat in match.players:
            known = "–" if seat in still else session.translate.number(match.points[seat])
            scores.append((seat, session.translate.digits(f"[{self.number}]") if seat == self.lit else known))
        draw_scores(layout, session, scores, self.lit)
        if self.lit is not None and len(scores) <= _ROOM_FOR_STEPS and layout.plan.row_bar:
            draw_steps(canvas, _STEPS_Y_PX)

    def keys(self, session: Session) -> Keys:
        """Keys set a number, OK takes it or closes the deal, up and down choose a player."""
        t, lit, players = session.translate, self.lit, session.playing.players
        moves = cursor_moves(None if lit is None else players.index(lit), len(players))
        others: Keys = {
            key: KeyUse(partial(self._light, players[moves[key]]), help=say("CHOOSE A PLAYER"))
            for key in (Key.UP, Key.DOWN)
        }
        if lit is not None:
            numbers = number_keys(self.number, self._set, negative=can_be_negative(session))
            plus_one = KeyUse(numbers[Key.ROW_3].do, t("R3=+1"))
            take = KeyUse(partial(self._take, f"{TYPED}{self.number}", lit), t("OK=NEXT"))
            return {Key.OK: take, **numbers, Key.ROW_3: plus_one, **others}
        choices, labels = self.asks[0].choices, self.asks[0].labels
        first, *second = (partial(self._close, choice) for choice in choices)
        says = t("OK=CHECK") if len(labels) > 1 else t("OK={what}", what=labels[0])
        keys: Keys = {Key.OK: KeyUse(first, says), **others}
        if second:
            keys[Key.ROW_4] = KeyUse(second[0], t("R4=CLOSE"))
        if self.typed is not None:
            whose = say("{number}: WHOSE BADGE?", number=self.typed)
            keys[Key.OK] = KeyUse(lambda at: at.decline(whose), says)
            keys[Key.UNDO] = KeyUse(
                lambda at: at.show(replace(self, typed=None)), help=say("FORGET THE NUMBER")
            )
        return keys

    def take_badge(self, badge: int, controller: Controller) -> bool:
        """A badge chooses a player, or says whose the number is that was typed."""
        seat = controller.session.seat(badge)
        if seat is None:
            controller.decline(say("NOT IN THIS MATCH"))
        elif self.typed is None:
            self._light(seat, controller)
        else:
            controller.show(replace(self, typed=None))
            self._take(f"{TYPED}{self.typed}", seat, controller)
        return True

    def take_number(self, number: int, controller: Controller) -> bool:
        """A number is taken at once; where nobody is chosen, it is asked whose it is."""
        if self.lit is not None:
            self._take(f"{TYPED}{number}", self.lit, controller)
        else:
            controller.show(replace(self, typed=number))
            controller.say(controller.session.translate("{number}: WHOSE BADGE?", number=number))
        return True

    def choose(self, choice: str, controller: Controller) -> bool:
        """The points of the player who is lit, or a word that closes the deal."""
        if choice.startswith(TYPED) and self.lit is not None:
            self._take(choice, self.lit, controller)
        elif self.lit is None and choice in self.asks[0].choices:
            controller.answer(self.asks[0], None, choice)
        else:
            return False
        return True

    def _close(self, choice: str, controller: Controller) -> None:
        self.choose(choice, controller)

    def _set(self, number: int, controller: Controller) -> None:
        controller.show(replace(self, number=number))

    def _light(self, seat: Seat, controller: Controller) -> None:
        number = controller.session.playing.points[seat] if self.typed is None else self.typed
        controller.show(replace(self, seat=seat, number=number, typed=None))

    def _take(self, points: str, seat: Seat, controller: Controller) -> None:
        controller.answer(next(ask for ask in self.asks if ask.kind is AskKind.HAND), seat, points)
