"""Before a match: which game (S04, S05), who plays (S06), who begins, what is agreed (S07, S08)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

from companion import games
from companion.cards import Seat
from companion.codes import BADGES
from companion.match import Terms
from companion.text import BULL
from firmware.display.glyphs import LARGE
from firmware.screens.dial import dial_number
from firmware.screens.player_names import draw_players
from firmware.screens.resume import resume_suspended
from firmware.screens.taking import moved
from firmware.session.actions import ROW_KEYS, Action, BadgeAction, CardAction, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.game import Question
    from firmware.display.canvas import Canvas
    from firmware.play.controller import Controller
    from firmware.session.session import Session


@dataclass(frozen=True, slots=True)
class Start:
    """S04, S05: nothing is going on, and the device asks which game is played."""

    NAME: ClassVar[str] = "start"
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The games, and the same people again."""
        t = session.translate
        canvas.bar_title(t("NIMMT COMPANION"))
        for place, key in enumerate(games.GAMES):
            y_px = 13 + 10 * place
            if place == self.cursor:
                canvas.cursor(0, y_px)
            canvas.hint(6, y_px, f"{place + 1}={games.module(key).TITLE}")
        canvas.text(96, 23, BULL, LARGE)
        again, away = session.group() is not None, session.has_suspended
        if self.cursor is not None:
            canvas.footer(t("OK=THIS GAME"))
        elif away:
            canvas.footer(t("OK=AGAIN") if again else t("SCAN A CARD"), t("UNDO=GO ON"))
        elif again:
            canvas.footer(t("SCAN A CARD"), t("OK=AGAIN"))
        else:
            canvas.footer(t("OR SCAN A CARD"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A row key, a card or the cursor names a game; OK plays again with the same people.

        UNDO goes on with a match that was put away.
        """
        last = controller.session.group()
        if isinstance(action, CardAction):
            key = _game_of(action.game)
            same = last is not None and last.game == key
            return self._choose(key, last.badges if last and same else (), controller)
        if isinstance(action, BadgeAction):
            return self._choose(last.game if last else games.first(), (action.badge,), controller)
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        keys = tuple(games.GAMES)
        if action.key in ROW_KEYS:
            place = ROW_KEYS.index(action.key)
            return place < len(keys) and self._choose(keys[place], (), controller)
        if action.key is Key.OK and self.cursor is not None:
            return self._choose(keys[self.cursor], (), controller)
        if action.key is Key.OK and last is not None:
            start(controller, last)
            return True
        if action.key is Key.UNDO and controller.session.has_suspended:
            resume_suspended(controller)
            return True
        cursor = moved(self.cursor, action, len(keys))
        if cursor is not None or action.key is Key.OK:
            controller.setup = Start(cursor or 0)
            return True
        return False

    @staticmethod
    def _choose(game: str, badges: tuple[int, ...], controller: Controller) -> bool:
        controller.setup = Players(game, badges)
        controller.signal(Signal.ACCEPTED)
        return True


def _game_of(code: str) -> str:
    """The game whose cards begin with these two characters; the first one for a bare number."""
    known = (key for key in games.GAMES if code and code == games.module(key).CODE)
    return next(known, games.first())


def start(controller: Controller, terms: Terms) -> None:
    """Begin the match."""
    controller.session.begin(terms)
    controller.setup = None
    controller.home()
    controller.notice = ""
    controller.signal(Signal.ACCEPTED)


@dataclass(frozen=True, slots=True)
class Players:
    """S06: who plays, by badge or just by number."""

    NAME: ClassVar[str] = "players"
    game: str
    badges: tuple[int, ...]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """As many places as the game has seats, in two columns."""
        t, module = session.translate, games.module(self.game)
        title = module.TITLE
        canvas.bar_title(t("{game} WHO?", game=title), t("{count} IN", count=len(self.badges)))
        names = [session.badge_name(badge) for badge in self.badges]
        names += ["–"] * (module.SEATS[-1] - len(names))
        draw_players(canvas, enumerate(names, start=1))
        canvas.footer(t("R1=ONE MORE"), t("OK=READY"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A badge joins or leaves; R1 or up adds one, R2 or down takes one away."""
        if isinstance(action, BadgeAction):
            inside = action.badge in self.badges
            badges = tuple(one for one in self.badges if one != action.badge)
            return self._with(badges if inside else (*badges, action.badge), controller)
        if isinstance(action, CardAction):
            if action.game and action.game != games.module(self.game).CODE:
                controller.setup = replace(self, game=_game_of(action.game))
            else:
                controller.say(controller.session.translate("FIRST: WHO PLAYS?"))
            return True
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key in (Key.ROW_1, Key.UP, Key.TURN_RIGHT):
            free = next((badge for badge in BADGES if badge not in self.badges), None)
            return self._with(self.badges if free is None else (*self.badges, free), controller)
        if action.key in (Key.ROW_2, Key.DOWN, Key.TURN_LEFT):
            return self._with(self.badges[:-1], controller)
        if action.key is Key.UNDO:
            return self._with(self.badges[:-1], controller) if self.badges else self._away(controller)
        if action.key is Key.OK:
            return self._ready(controller)
        return False

    def _with(self, badges: tuple[int, ...], controller: Controller) -> bool:
        controller.session.remember_players(self.game, badges)
        controller.setup = replace(self, badges=badges)
        controller.signal(Signal.ACCEPTED)
        return True

    def _away(self, controller: Controller) -> bool:
        controller.setup = None
        return True

    def _ready(self, controller: Controller) -> bool:
        module = games.module(self.game)
        seats = module.SEATS
        if len(self.badges) not in seats:
            controller.signal(Signal.REFUSED)
            controller.say(
                controller.session.translate("{low} TO {high} CAN PLAY", low=seats[0], high=seats[-1])
            )
            return True
        rules = controller.session.config.rules.get(self.game, {})
        terms = Terms(self.game, len(self.badges), rules, badges=self.badges)
        agree = Agree(terms, module.questions(len(self.badges)))
        controller.setup = Beginner(agree) if module.STARTER else agree
        return True


@dataclass(frozen=True, slots=True)
class Beginner:
    """Who begins, in games where somebody does."""

    NAME: ClassVar[str] = "beginner"
    then: Agree
    cursor: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Everybody who plays, one of them marked."""
        t, terms = session.translate, self.then.terms
        canvas.bar_title(t(games.module(terms.game).STARTER))
        draw_players(canvas, [(badge, session.badge_name(badge)) for badge in terms.badges], (self.cursor,))
        canvas.footer(t("OK=BEGINS"), t("UNDO=BACK"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A badge or OK names who begins; a row key does for the first four."""
        badges = self.then.terms.badges
        if isinstance(action, BadgeAction):
            if action.badge in badges:
                return self._begins(badges.index(action.badge), controller)
            controller.signal(Signal.REFUSED)
            controller.say(controller.session.translate("BADGE {badge} IS NOT IN", badge=action.badge))
            return True
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key in ROW_KEYS:
            place = ROW_KEYS.index(action.key)
            return place >= len(badges) or self._begins(place, controller)
        if action.key is Key.OK:
            return self._begins(self.cursor, controller)
        if action.key is Key.UNDO:
            controller.setup = Players(self.then.terms.game, badges)
            return True
        cursor = moved(self.cursor, action, len(badges))
        if cursor is not None:
            controller.setup = replace(self, cursor=cursor)
        return cursor is not None

    def _begins(self, place: int, controller: Controller) -> bool:
        terms = replace(self.then.terms, first=Seat(place))
        if self.then.questions:
            controller.setup = replace(self.then, terms=terms)
        else:
            start(controller, terms)
        return True


@dataclass(frozen=True, slots=True)
class Agree:
    """S07, S08: one question at a time, as the game asks them."""

    NAME: ClassVar[str] = "agree"
    terms: Terms
    questions: tuple[Question, ...]
    at: int = 0
    before: tuple[Agree, ...] = ()
    cursor: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The choices, the usual one under the cursor."""
        t, question = session.translate, self.questions[self.at]
        canvas.bar_title(t.say(question.ask))
        for place, choice in enumerate(question.choices):
            y_px = 13 + 10 * place
            if place == self.cursor:
                canvas.cursor(0, y_px)
            canvas.hint(6, y_px, f"{place + 1}={t.say(choice.text)}")
        canvas.footer(t("OK=CHOOSE"), t("UNDO=BACK"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A row key chooses; so does OK at the cursor."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        question = self.questions[self.at]
        if action.key in ROW_KEYS:
            index = ROW_KEYS.index(action.key)
            if index < len(question.choices):
                self._choose(index, controller)
            return True
        if action.key is Key.OK:
            self._choose(self.cursor, controller)
            return True
        if action.key is Key.UNDO:
            players = Players(self.terms.game, self.terms.badges)
            controller.setup = self.before[-1] if self.before else players
            return True
        cursor = moved(self.cursor, action, len(question.choices))
        if cursor is not None:
            controller.setup = replace(self, cursor=cursor)
        return cursor is not None

    def _choose(self, index: int, controller: Controller) -> None:
        question = self.questions[self.at]
        options = {**self.terms.options, **question.choices[index].options}
        if question.dial is None or index != len(question.choices) - 1:
            self._next(options, controller)
            return
        path, low, high, begin = question.dial
        head, _, leaf = path.partition(".")

        def take(number: int, at: Controller) -> None:
            self._next({**options, head: {**options[head], leaf: number} if leaf else number}, at)

        title = controller.session.translate.say(question.choices[index].text)
        dial_number(controller, title, range(low, high + 1), begin, take)

    def _next(self, options: Mapping[str, Any], controller: Controller) -> None:
        terms = replace(self.terms, options=options)
        for at in range(self.at + 1, len(self.questions)):
            if self.questions[at].only.items() <= options.items():
                controller.setup = replace(self, terms=terms, at=at, before=(*self.before, self), cursor=0)
                return
        start(controller, terms)
