"""Counting without scanning (S31): everybody's points of the deal are typed, put right and closed."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from companion.game import TYPED, Gives, KeepsScore, Verb
from firmware.acts import Act, BadgeAct, CardAct, KeyAct
from firmware.screens.score_lines import STEPS, dialled, draw_scores, draw_steps
from firmware.screens.taking import moved
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from companion.cards import Seat
    from companion.game import Ask
    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World

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
        return self.asks[0] if self.asks[0].verb.gives is Gives.WORD else None

    @property
    def lit(self) -> Seat | None:
        """Whose points are dialled."""
        return self.seat if self.seat is not None or self.closing else self.asks[0].seats[0]

    def draw(self, canvas: Canvas, world: World) -> None:
        """All scores, those that are open as dashes."""
        t, match = world.words, world.playing
        still = () if self.closing else self.asks[0].seats
        count = f"{len(match.players) - len(still)}/{len(match.players)}"
        canvas.bar_title(canvas.fit(t.say(self.asks[0].says), 20 - len(count)), count)
        scores = []
        for seat in match.players:
            known = "–" if seat in still else str(match.points[seat])
            scores.append((seat, f"[{self.number}]" if seat == self.lit else known))
        draw_scores(canvas, world, scores, self.lit)
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

    def on(self, act: Act, desk: Desk) -> bool:
        """Keys dial, OK takes or closes, badges and the cursor light somebody."""
        if isinstance(act, BadgeAct):
            return self._light(desk.world.seat(act.badge), desk)
        if isinstance(act, CardAct) and not act.game and self.lit is not None:
            self._take(int(act.card), desk)
            return True
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        if self.lit is None:
            return self._when_closing(act, desk)
        if act.key in STEPS:
            game = desk.world.playing.game
            negative = isinstance(game, KeepsScore) and game.scoring.negative
            self._show(replace(self, number=dialled(self.number, act.key, negative=negative)), desk)
            return True
        if act.key in (Key.UP, Key.DOWN):
            return self._step(act, desk)
        if act.key is Key.OK:
            self._take(self.number, desk)
            return True
        return False

    def _when_closing(self, act: KeyAct, desk: Desk) -> bool:
        closing, game = self.asks[0], desk.world.playing.game
        if act.key is Key.OK:
            desk.propose(game.read(closing, None, closing.choices[0]))
            return True
        if act.key is Key.ROW_4 and len(closing.choices) > 1:
            desk.propose(game.read(closing, None, closing.choices[1]))
            return True
        return act.key in (Key.UP, Key.DOWN) and self._step(act, desk)

    def _step(self, act: KeyAct, desk: Desk) -> bool:
        """The next player is lit."""
        players = desk.world.playing.players
        cursor = moved(None if self.lit is None else players.index(self.lit), act, len(players))
        return cursor is not None and self._light(players[cursor], desk)

    def _light(self, seat: Seat | None, desk: Desk) -> bool:
        if seat is None:
            desk.signal(Signal.REFUSED)
            desk.say(desk.world.words("THEY DO NOT PLAY"))
            return True
        self._show(replace(self, seat=seat, number=desk.world.playing.points[seat]), desk)
        return True

    def _take(self, number: int, desk: Desk) -> None:
        ask = next(ask for ask in self.asks if ask.verb is Verb.HAND)
        desk.propose(desk.world.playing.game.read(ask, self.lit, f"{TYPED}{number}"))

    def _show(self, page: Sums, desk: Desk) -> None:
        desk.swap(page) if desk.pages else desk.open(page)
