"""The menu that OK, held down, opens, and the orders of the control sheet: what is needed now and then."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from companion.cards import Seat
from companion.codes import Verb
from companion.ruling import Refused
from firmware.acts import ROW_KEYS, Act, BadgeAct, CardAct, KeyAct
from firmware.glyphs import MEDIUM
from firmware.screens import views
from firmware.screens.adopt import adopt
from firmware.screens.count import Counted
from firmware.screens.hello import Hello
from firmware.screens.taking import moved
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World

PER_PAGE = 4
Item = tuple[str, "Callable[[Desk], None]"]


def main(desk: Desk) -> Menu:
    """What can be done now."""
    t = desk.world.words
    sound: Item = (t("SOUND ON") if desk.muted else t("SOUND OFF"), _mute)
    if desk.world.match is None:
        return Menu(t("MENU"), (sound, (t("DEVICES"), lambda at: at.open(Hello()))))
    return Menu(
        t("MENU"),
        (
            (t("STANDINGS"), lambda at: at.open(views.Standings())),
            (t("ALL CARDS"), lambda at: at.open(views.Rows())),
            (t("CHECK THE TABLE"), lambda at: order_or_say(Verb.AUDIT, at)),
            (t("A CARD WAS WRONG"), lambda at: order_or_say(Verb.WRONG, at)),
            (t("SWAP TWO OWNERS"), lambda at: order_or_say(Verb.SWAP, at)),
            (t("PLAYER GOES/COMES"), lambda at: order_or_say(Verb.ABSENT, at)),
            (t("NEW PLAYER"), _new_player),
            (t("BRING BACK"), lambda at: order_or_say(Verb.REDO, at)),
            sound,
            (t("TABLE AS IT LIES"), adopt),
            (t("DEVICES"), lambda at: at.open(Hello())),
            (t("COUNT THE CARDS"), lambda at: at.open(Counted())),
            (t("END THIS DEAL"), lambda at: order_or_say(Verb.NEXT, at)),
            (t("PUT MATCH AWAY"), _away),
        ),
    )


def order_or_say(verb: Verb, desk: Desk) -> None:
    """Carry an order out, or say that it cannot be done now."""
    if not order(verb, desk):
        desk.say(desk.world.words("NOT NOW"))


def order(verb: Verb, desk: Desk) -> bool:
    """Carry an order of the control sheet out; False where it means nothing now."""
    from firmware.screens.audit import Audit

    t = desk.world.words
    if verb is Verb.MUTE:
        _mute(desk)
    elif desk.world.match is None:
        return False
    elif verb is Verb.REDO:
        result = desk.world.redo()
        if isinstance(result, Refused):
            desk.refuse(result)
        else:
            desk.home()
            desk.say(t("BROUGHT BACK"))
    elif verb is Verb.SWAP:
        desk.open(Pick(t("SWAP: WHO?"), _swap, 2))
    elif verb is Verb.ABSENT:
        desk.open(Pick(t("WHO GOES/COMES?"), _absent, 1))
    elif verb is Verb.WRONG:
        desk.open(Wrong())
    elif verb is Verb.AUDIT:
        desk.open(Audit())
    elif verb is Verb.NEXT:
        desk.propose(desk.world.playing.game.end_deal())
    elif verb is Verb.HELP:
        desk.open(main(desk))
    else:
        return False
    return True


def _mute(desk: Desk) -> None:
    desk.muted = not desk.muted
    desk.say(desk.world.words("SOUND OFF") if desk.muted else desk.world.words("SOUND ON"))


def _away(desk: Desk) -> None:
    desk.world.leave()
    desk.home()


def _new_player(desk: Desk) -> None:
    match = desk.world.playing
    desk.propose(match.game.join(Seat(len(match.totals))))


def _swap(badges: tuple[int, ...], desk: Desk) -> None:
    """Show what a swap would do to the two scores; nothing is done yet."""
    match = desk.world.playing
    one, other = (desk.world.seat(badge) for badge in badges)
    if one is None or other is None:
        desk.say(desk.world.words("THEY DO NOT PLAY"))
        return
    command = match.game.swap((one, other))
    step = match.propose(command)
    if isinstance(step, Refused):
        desk.refuse(step)
        return
    desk.open(Effect(command, (one, other), match.then(step).points))


def _absent(badges: tuple[int, ...], desk: Desk) -> None:
    match, badge = desk.world.playing, badges[0]
    seat = desk.world.seat(badge)
    if seat is not None:
        desk.propose(match.game.leave(seat))
        return
    seats = [Seat(number) for number in range(len(match.totals))]
    back = next((one for one in seats if desk.world.badge(one) == badge), Seat(len(seats)))
    desk.propose(match.game.join(back))


@dataclass(frozen=True, slots=True)
class Menu:
    """A list of things to do, four a page, with a cursor for boards without row keys."""

    NAME: ClassVar[str] = "menu"
    title: str
    items: tuple[Item, ...]
    cursor: int = 0

    def draw(self, canvas: Canvas, world: World) -> None:
        """The page of the list on which the cursor is."""
        t = world.words
        first = self.cursor // PER_PAGE * PER_PAGE
        pages = -(-len(self.items) // PER_PAGE)
        canvas.bar_title(self.title, f"{first // PER_PAGE + 1}/{pages}" if pages > 1 else "")
        for place, (label, _) in enumerate(self.items[first : first + PER_PAGE]):
            y_px = 13 + 10 * place
            if first + place == self.cursor:
                canvas.cursor(0, y_px)
            canvas.hint(6, y_px, f"{place + 1}={label}")
        canvas.footer(t("OK=DO IT"), t("UNDO=BACK"))

    def on(self, act: Act, desk: Desk) -> bool:
        """A row key does its line, OK the one under the cursor; left and right turn the page."""
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        first = self.cursor // PER_PAGE * PER_PAGE
        if act.key in ROW_KEYS:
            index = first + ROW_KEYS.index(act.key)
        elif act.key is Key.OK:
            index = self.cursor
        elif act.key in (Key.LEFT, Key.RIGHT):
            pages = -(-len(self.items) // PER_PAGE)
            step = 1 if act.key is Key.RIGHT else -1
            desk.swap(replace(self, cursor=(first // PER_PAGE + step) % pages * PER_PAGE))
            return True
        else:
            cursor = moved(self.cursor, act, len(self.items))
            if cursor is not None:
                desk.swap(replace(self, cursor=cursor))
            return cursor is not None
        if index < len(self.items):
            desk.close()
            self.items[index][1](desk)
        return True


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
        for place, badge in enumerate(self._all(world)):
            x_px, y_px = (2, 66)[place % 2], 11 + 9 * (place // 2)
            canvas.text_right(x_px + 11, y_px, str(badge))
            canvas.text(x_px + 16, y_px, canvas.fit(world.badge_name(badge), 7))
            if place == self.cursor or badge in self.badges:
                canvas.invert(x_px - 1, y_px - 1, 61, 9)
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
        seats: tuple[Seat, ...] = world.playing.players
        here = [world.badge(seat) for seat in seats]
        known = list(world.playing.terms.badges) or here
        return tuple(sorted({*known, *here}))

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
            canvas.text(2, 14 + 16 * place, MEDIUM.fit(world.name(seat), 60), MEDIUM)
            canvas.text_right(126, 14 + 16 * place, f"{points[seat]} → {self.points[seat]}", MEDIUM)
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
        if not self.card:
            desk.swap(replace(self, card=act.card))
            desk.signal(Signal.ACCEPTED)
            return True
        command = desk.world.playing.game.correct((self.card,), (act.card,))
        desk.close()
        desk.propose(command)
        return True
