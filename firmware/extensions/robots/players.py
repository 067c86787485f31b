"""Who plays, with robots among them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion import values
from companion.core import games
from companion.core.cards import Seat
from companion.match.match import Terms
from companion.text.sentence import say
from companion.values import replace
from firmware.extensions.robots.thinking import check
from firmware.screens.before.start import Players
from firmware.screens.parts.base import Controller
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.session.session import Session

LEVELS: Final = ("normal", "easy", "hard")
"""The levels of robots in the order in which a key goes through them."""

_NAMES: Final = {"easy": say("EASY"), "normal": say("NORMAL"), "hard": say("HARD")}


def can_play(game: str) -> bool:
    """Whether robots can play this game at a table: it must be able to know a hand that nobody sees."""
    return games.with_hands(game, ()) is not None


def with_robots(page: Players, session: Session) -> PlayersAndRobots:
    """The players with the robots among them that the journal has noted."""
    game, badges = session.notes.joining()
    noted = (game, badges) == (page.game, page.badges)
    return PlayersAndRobots(page.game, page.badges, session.notes.joining_robots() if noted else ())


class PlayersAndRobots(Players):
    """Who plays. R3 adds a robot; once it is the last one, R3 changes its level, and R4 adds another one."""

    robots: tuple[str, ...] = ()
    """The level of the robot at each place; empty for a person. May be shorter than the badges."""

    def handle(self, action: Action, controller: Controller) -> bool:
        """R3 and R4 are about robots, everything else about people."""
        robot = isinstance(action, KeyAction) and action.key in (Key.ROW_3, Key.ROW_4)
        if isinstance(action, KeyAction) and robot and action.press is Press.SHORT:
            return self._robot(action.key, controller)
        return super().handle(action, controller)

    def hints(self, session: Session) -> tuple[str, ...]:
        """What the keys do."""
        t = session.translate
        if not can_play(self.game):
            return super().hints(session)
        if self._last:
            return f"R3={t.say(_NAMES[self._last])}", t("R4=MORE"), t("OK=READY")
        if len(self.badges) < games.module(self.game).SEATS[0]:
            return t("R1=ONE MORE"), t("R3=ROBOT")
        return t("R3=ROBOT"), t("OK=READY")

    def with_badges(self, badges: tuple[int, ...], controller: Controller) -> bool:
        """Show these players; robots stay at their badges."""
        levels = dict(zip(self.badges, self.robots, strict=False))
        return self._with(badges, tuple(levels.get(badge, "") for badge in badges), controller)

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

    def _robot(self, key: Key, controller: Controller) -> bool:
        if not can_play(self.game):
            controller.signal(Signal.REFUSED)
            controller.say(controller.session.translate("NO ROBOTS IN THIS GAME"))
            return True
        people = (*self.robots, *("",) * (len(self.badges) - len(self.robots)))
        last, free = self._last, self.free
        if key is Key.ROW_4 or not last:
            if free is None:
                return self._with(self.badges, people, controller)
            return self._with((*self.badges, free), (*people, last or LEVELS[0]), controller)
        level = LEVELS[(LEVELS.index(last) + 1) % len(LEVELS)]
        self._with(self.badges, (*people[:-1], LEVELS[0]), controller)  # if the level cannot be had
        check(self.game, level)
        return self._with(self.badges, (*people[:-1], level), controller)

    def _with(self, badges: tuple[int, ...], levels: tuple[str, ...], controller: Controller) -> bool:
        robots = levels if any(levels) else ()
        controller.session.notes.remember_joining(self.game, badges, robots)
        controller.set_up(replace(self, badges=badges, robots=robots))
        controller.signal(Signal.ACCEPTED)
        return True
