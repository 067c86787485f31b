"""Before a match: what to do (S04), who plays (S06), what is agreed (S07, S08)."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from companion import games
from companion.codes import BADGES
from companion.match import Terms
from firmware.acts import ROW_KEYS, Act, BadgeAct, CardAct, KeyAct
from firmware.glyphs import BULL, LARGE
from firmware.screens.dial import Dial
from firmware.screens.taking import moved
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from companion.game import Question
    from firmware.canvas import Canvas
    from firmware.desk import Desk
    from firmware.world import World


@dataclass(frozen=True, slots=True)
class Start:
    """S04: nothing is going on."""

    NAME: ClassVar[str] = "start"

    def draw(self, canvas: Canvas, world: World) -> None:
        """The two ways on."""
        t = world.words
        canvas.bar_title(t("NIMMT COMPANION"))
        canvas.text(4, 14, BULL, LARGE)
        canvas.text(42, 17, t("PUT A CARD"))
        canvas.text(42, 26, t("UNDER THE"))
        canvas.text(42, 35, t("SCANNER, OR"))
        again = bool(world.group()[0])
        canvas.footer(t("R1=NEW MATCH"), t("OK=AGAIN") if again else "")

    def on(self, act: Act, desk: Desk) -> bool:
        """A card, a badge or R1 begins to ask who plays; OK plays again with the same people."""
        badges, options = desk.world.group()
        game = games.first()
        if isinstance(act, CardAct):
            desk.setup = Players(game, badges)
            return True
        if isinstance(act, BadgeAct):
            desk.setup = Players(game, (act.badge,))
            return True
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        if act.key is Key.ROW_1 or (act.key is Key.OK and not badges):
            desk.setup = Players(game, ())
            return True
        if act.key is Key.OK:
            start(desk, game, badges, options)
            return True
        return False


def start(desk: Desk, game: str, badges: tuple[int, ...], options: Mapping[str, Any]) -> None:
    """Begin the match."""
    desk.world.begin(Terms(game, len(badges), options, badges=badges))
    desk.setup = None
    desk.home()
    desk.signal(Signal.ACCEPTED)


@dataclass(frozen=True, slots=True)
class Players:
    """S06: who plays, by badge or just by number."""

    NAME: ClassVar[str] = "players"
    game: str
    badges: tuple[int, ...]

    def draw(self, canvas: Canvas, world: World) -> None:
        """Ten places in two columns."""
        t = world.words
        canvas.bar_title(t("WHO PLAYS?"), t("{count} IN", count=len(self.badges)))
        for place in range(len(BADGES)):
            x_px, y_px = (2, 66)[place % 2], 11 + 9 * (place // 2)
            name = world.badge_name(self.badges[place]) if place < len(self.badges) else "–"
            canvas.text_right(x_px + 11, y_px, str(place + 1))
            canvas.text(x_px + 16, y_px, canvas.fit(name, 7))
        canvas.footer(t("R1=ONE MORE"), t("OK=READY"))

    def on(self, act: Act, desk: Desk) -> bool:
        """A badge joins or leaves; R1 or up adds one, R2 or down takes one away."""
        if isinstance(act, BadgeAct):
            inside = act.badge in self.badges
            badges = tuple(one for one in self.badges if one != act.badge)
            return self._with(badges if inside else (*badges, act.badge), desk)
        if isinstance(act, CardAct):
            desk.say(desk.world.words("FIRST: WHO PLAYS?"))
            return True
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        if act.key in (Key.ROW_1, Key.UP, Key.TURN_RIGHT):
            free = next((badge for badge in BADGES if badge not in self.badges), None)
            return self._with(self.badges if free is None else (*self.badges, free), desk)
        if act.key in (Key.ROW_2, Key.DOWN, Key.TURN_LEFT):
            return self._with(self.badges[:-1], desk)
        if act.key is Key.UNDO:
            return self._with(self.badges[:-1], desk) if self.badges else self._away(desk)
        if act.key is Key.OK:
            return self._ready(desk)
        return False

    def _with(self, badges: tuple[int, ...], desk: Desk) -> bool:
        desk.world.remember_players(badges)
        desk.setup = replace(self, badges=badges)
        desk.signal(Signal.ACCEPTED)
        return True

    def _away(self, desk: Desk) -> bool:
        desk.setup = None
        return True

    def _ready(self, desk: Desk) -> bool:
        seats = games.module(self.game).SEATS
        if len(self.badges) not in seats:
            desk.signal(Signal.REFUSED)
            desk.say(desk.world.words("{low} TO {high} CAN PLAY", low=seats[0], high=seats[-1]))
            return True
        desk.setup = Agree(self, games.module(self.game).questions(len(self.badges)))
        return True


@dataclass(frozen=True, slots=True)
class Agree:
    """S07, S08: one question at a time, as the game asks them."""

    NAME: ClassVar[str] = "agree"
    players: Players
    questions: tuple[Question, ...]
    options: Mapping[str, Any] = field(default_factory=dict)
    at: int = 0
    cursor: int = 0

    def draw(self, canvas: Canvas, world: World) -> None:
        """The choices, the usual one under the cursor."""
        t, question = world.words, self.questions[self.at]
        canvas.bar_title(t.say(question.ask))
        for place, choice in enumerate(question.choices):
            y_px = 13 + 10 * place
            if place == self.cursor:
                canvas.cursor(0, y_px)
            canvas.hint(6, y_px, f"{place + 1}={t.say(choice.text)}")
        canvas.footer(t("OK=CHOOSE"), t("UNDO=BACK"))

    def on(self, act: Act, desk: Desk) -> bool:
        """A row key chooses; so does OK at the cursor."""
        if not isinstance(act, KeyAct) or act.press is not Press.SHORT:
            return False
        question = self.questions[self.at]
        if act.key in ROW_KEYS:
            index = ROW_KEYS.index(act.key)
            if index < len(question.choices):
                self._choose(index, desk)
            return True
        if act.key is Key.OK:
            self._choose(self.cursor, desk)
            return True
        if act.key is Key.UNDO:
            desk.setup = replace(self, at=self.at - 1, cursor=0) if self.at else self.players
            return True
        cursor = moved(self.cursor, act, len(question.choices))
        if cursor is not None:
            desk.setup = replace(self, cursor=cursor)
        return cursor is not None

    def _choose(self, index: int, desk: Desk) -> None:
        question = self.questions[self.at]
        options = {**self.options, **question.choices[index].options}
        if question.dial is None or index != len(question.choices) - 1:
            self._next(options, desk)
            return
        path, low, high, begin = question.dial
        head, _, leaf = path.partition(".")

        def dialled(number: int, at: Desk) -> None:
            self._next({**options, head: {**options[head], leaf: number}}, at)

        title = desk.world.words.say(question.choices[index].text)
        desk.open(Dial(title, begin, low, high, dialled))

    def _next(self, options: Mapping[str, Any], desk: Desk) -> None:
        if self.at + 1 < len(self.questions):
            desk.setup = replace(self, options=options, at=self.at + 1, cursor=0)
        else:
            start(desk, self.players.game, self.players.badges, options)
