"""Who plays, with robots among them."""

from __future__ import annotations

from typing import Final

from companion import values
from companion.core import games
from companion.core.cards import Seat
from companion.match.match import Terms
from companion.robots import levels
from companion.text.sentence import NOTHING, as_it_is, say
from companion.values import replace
from firmware.screens.before.start import Players
from firmware.screens.parts.base import Controller, Keys, KeyUse
from firmware.session.session import Session
from hardware.ports import Key, Signal

LEVELS: Final = ("normal", "good", "hard", "easy")
"""The levels of robots in the order in which a key goes through them."""

_NAMES: Final = {"easy": say("EASY"), "normal": say("NORMAL"), "good": say("GOOD"), "hard": say("HARD")}


def can_play(game: str) -> bool:
    """Whether robots can play this game at a table: it must be able to know a hand that nobody sees."""
    return games.with_hands(game, ()) is not None


def with_robots(page: Players, session: Session) -> PlayersAndRobots:
    """The players with the robots among them that the journal has noted."""
    game, badges = session.notes.joining()
    noted = (game, badges) == (page.game, page.badges)
    robots = session.notes.joining_robots() if noted else ()
    return PlayersAndRobots(page.game, page.badges, robots=robots)


class PlayersAndRobots(Players):
    """Who plays. R3 adds a robot; once it is the last one, R3 changes its level, and R4 adds another one."""

    NAME = Players.NAME
    robots: tuple[str, ...] = ()
    """The level of the robot at each place; empty for a person. May be shorter than the badges."""

    def keys(self, session: Session) -> Keys:
        t, keys = session.translate, super().keys(session)
        if not can_play(self.game):
            none = say("NO ROBOTS IN THIS GAME")
            no = KeyUse(lambda at: at.decline(none), help=none)
            return {**keys, Key.ROW_3: no, Key.ROW_4: no}
        says = as_it_is(f"R3={t.say(_NAMES[self._last])}") if self._last else say("R3=ROBOT")
        few = not self._last and self.again is None and len(self.badges) < games.module(self.game).SEATS[0]
        robot: Keys = {
            Key.ROW_3: KeyUse(self._change_last, says, say("ROBOT")),
            Key.ROW_4: KeyUse(
                self._add_robot, say("R4=MORE") if self._last else NOTHING, say("ONE MORE ROBOT")
            ),
        }
        ok = KeyUse(keys.pop(Key.OK).do, NOTHING if few else say("OK=READY"), say("READY"))
        if few:
            return {**keys, **robot, Key.OK: ok}
        if self.again is not None:  # whom R2 takes out is told then, not what else could be done
            robot = {key: use._replace(hint=NOTHING) for key, use in robot.items()}
        row_2 = keys[Key.ROW_2]
        if not self._last and self.again is None and not session.plan.row_bar:
            # Large letters leave no room to say above the hints how the next player joins.
            return {**keys, **robot, Key.ROW_3: robot[Key.ROW_3]._replace(hint=NOTHING), Key.OK: ok}
        more = {key: KeyUse(use.do, help=say("ONE MORE")) for key, use in keys.items() if use.hint.template}
        return {**keys, **more, Key.ROW_2: row_2, **robot, Key.OK: ok}

    def take_badge(self, badge: int, controller: Controller) -> bool:
        """A person whose badge a robot has takes it: the robot gets another one."""
        place = self.badges.index(badge) if badge in self.badges else None
        if place is None or self.free is None or not self._levels[place]:
            return super().take_badge(badge, controller)
        others = (*self.badges[:place], self.free, *self.badges[place + 1 :])
        self._with((*others, badge), (*self._levels, ""), controller)
        return True

    def with_badges(self, badges: tuple[int, ...], controller: Controller) -> None:
        robots = dict(zip(self.badges, self.robots, strict=False))
        self._with(badges, tuple(robots.get(badge, "") for badge in badges), controller)

    def terms(self, session: Session) -> Terms:
        """What is settled with these players: the hands of robots are scanned."""
        terms = super().terms(session)
        those = tuple(Seat(seat) for seat, level in enumerate(self.robots) if level)
        if not those:
            return terms
        options = {**terms.options, **(games.with_hands(self.game, those) or {})}
        return values.replace(terms, options=options, robots=self.robots)

    @property
    def _last(self) -> str:
        """The level of the player who came last; empty for a person."""
        return self.robots[-1] if self.badges and len(self.robots) == len(self.badges) else ""

    @property
    def _levels(self) -> tuple[str, ...]:
        return (*self.robots, *("",) * (len(self.badges) - len(self.robots)))

    def _add_robot(self, controller: Controller) -> None:
        if self.free is None or len(self.badges) >= games.module(self.game).SEATS[-1]:
            self.decline_number(controller)
        else:
            self._with((*self.badges, self.free), (*self._levels, self._last or LEVELS[0]), controller)

    def _change_last(self, controller: Controller) -> None:
        """Change the level of the robot that came last; where a person did, add a robot."""
        if not self._last:
            self._add_robot(controller)
            return
        level = LEVELS[(LEVELS.index(self._last) + 1) % len(LEVELS)]
        self._with(self.badges, (*self._levels[:-1], LEVELS[0]), controller)  # if the level cannot be had
        levels.check(self.game, levels.Level(level))
        self._with(self.badges, (*self._levels[:-1], level), controller)

    def _with(self, badges: tuple[int, ...], robots: tuple[str, ...], controller: Controller) -> None:
        robots = robots if any(robots) else ()
        controller.session.notes.remember_joining(self.game, badges, robots)
        controller.set_up(replace(self, badges=badges, robots=robots, again=None))
        controller.signal(Signal.ACCEPTED)
