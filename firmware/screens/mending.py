"""Pages of what was wrong in the newest turn: two owners to be swapped, a card that was another one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from companion.cards import Seat
from firmware.acts import ROW_KEYS, Act, BadgeAct, CardAct, KeyAct
from firmware.glyphs import MEDIUM
from firmware.screens.people import draw_name, draw_people
from firmware.screens.shown_card import shown_card
from firmware.screens.taking import moved
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World


@dataclass(frozen=True, slots=True)
class Pick:
    """S25 and its like: one or two players, by badge or with the cursor."""

    NAME: ClassVar[str] = "pick"
    title: str
    chosen: Callable[[tuple[int, ...], Desk], None]
    need: int
    badges: tuple[int, ...] = ()
    cursor: int | None = None

    def draw(self, canvas: Canvas, world: World) -> None:
        """All badges of the match."""
        t = world.words
        canvas.bar_title(self.title, f"{len(self.badges)}/{self.need}")
        badges = self._all(world)
        lit = {place for place, badge in enumerate(badges) if place == self.cursor or badge in self.badges}
        draw_people(canvas, [(badge, world.badge_name(badge)) for badge in badges], lit)
        canvas.footer(t("OK=THIS ONE"), t("UNDO=BACK"))

    def on(self, act: Act, desk: Desk) -> bool:
        """A badge or OK names a player; with enough of them it is done."""
        if isinstance(act, BadgeAct):
            self._name(act.badge, desk)
            return True
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        everybody = self._all(desk.world)
        if act.key in ROW_KEYS and ROW_KEYS.index(act.key) < len(everybody):
            self._name(everybody[ROW_KEYS.index(act.key)], desk)
            return True
        if act.key is Key.OK and self.cursor is not None:
            self._name(everybody[self.cursor], desk)
            return True
        cursor = moved(self.cursor, act, len(everybody))
        if cursor is not None:
            desk.swap(replace(self, cursor=cursor))
        return cursor is not None or act.key is Key.OK

    def _all(self, world: World) -> tuple[int, ...]:
        """Also of those who have gone, who may come again."""
        return tuple(sorted({world.badge(Seat(seat)) for seat in range(len(world.playing.totals))}))

    def _name(self, badge: int, desk: Desk) -> None:
        badges = (*self.badges, badge) if badge not in self.badges else self.badges
        if len(badges) < self.need:
            desk.swap(replace(self, badges=badges))
            return
        desk.close()
        self.chosen(badges, desk)


@dataclass(frozen=True, slots=True)
class Effect:
    """S25: a swap and what it does to the two scores, before it is done."""

    NAME: ClassVar[str] = "effect"
    command: object
    seats: tuple[Seat, Seat]
    points: tuple[int, ...]

    def draw(self, canvas: Canvas, world: World) -> None:
        """The heads of this deal before and after."""
        t, points = world.words, world.playing.points
        canvas.bar_title(t("SWAP THESE TWO?"))
        for place, seat in enumerate(self.seats):
            y_px = 14 + 16 * place
            left_px = canvas.text_right(126, y_px, f"{points[seat]} → {self.points[seat]}", MEDIUM)
            draw_name(canvas, 2, y_px, (world.name(seat),), left_px - 6)
        canvas.footer(t("OK=SWAP"), t("UNDO=NO"))

    def on(self, act: Act, desk: Desk) -> bool:
        """OK does it."""
        if isinstance(act, KeyAct) and act.key is Key.OK and act.press is Press.SHORT:
            desk.close()
            desk.propose(self.command)
            return True
        return False


@dataclass(frozen=True, slots=True)
class Wrong:
    """A card of the newest turn was wrong: first that one is scanned, then the right one."""

    NAME: ClassVar[str] = "wrong"
    card: str = ""

    def draw(self, canvas: Canvas, world: World) -> None:
        """Which of the two is awaited."""
        t = world.words
        canvas.bar_title(t("A CARD WAS WRONG"))
        canvas.text_centre(64, 16, t("SCAN THE WRONG CARD") if not self.card else t("NOW THE RIGHT ONE"))
        if self.card:
            canvas.card(50, 30, world.label(self.card))
        canvas.footer(t("UNDO=BACK"))

    def on(self, act: Act, desk: Desk) -> bool:
        """Two scans make the correction."""
        if not isinstance(act, CardAct):
            return False
        if (card := shown_card(act, desk)) is None:
            return True
        if not self.card:
            desk.swap(replace(self, card=card))
            desk.signal(Signal.ACCEPTED)
            return True
        command = desk.world.playing.game.correct((self.card,), (act.card,))
        desk.close()
        desk.propose(command)
        return True
