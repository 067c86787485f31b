"""Which game somebody learns, plays with the box or watches, and how many play it."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, ClassVar

from companion.core import games
from companion.match.lesson import lesson_of
from companion.values import replace
from firmware.display.layout import Layout
from firmware.display.plan import large_plan, without_title
from firmware.screens.before.lesson import begin_lesson
from firmware.screens.parts.base import Controller, Page
from firmware.screens.parts.choice import ChoiceList, ChosenItem, draw_choices
from firmware.session.actions import Action, CardAction, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


class Wish(Enum):
    """What somebody who does not know a game can do with it."""

    LEARN = "learn"
    PLAY = "play"
    WATCH = "watch"


def taught() -> tuple[str, ...]:
    """The games that have a lesson, so that strangers can play them; the first one is the usual one."""
    return tuple(key for key in games.GAMES if lesson_of(key))


def choose_game(wish: Wish, game: str, controller: Controller) -> None:
    """Ask which game, where there are several. `game` is under the cursor; empty: none."""
    known = taught()
    if len(known) == 1:
        _begin(wish, known[0], controller)
        return
    controller.signal(Signal.ACCEPTED)
    controller.open(WhichGame(wish, known.index(game) if game else None))


class WhichGame(Page):
    """The games that are taught."""

    NAME: ClassVar[str] = "which_game"
    wish: Wish
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The games, the usual one first, and the way back."""
        t, layout = session.translate, Layout(canvas, without_title(large_plan(session.plan)))
        labels = [t.title(games.module(game).TITLE).upper() if game else t("BACK") for game in self._items()]
        draw_choices(layout, self._choices(session), labels)

    def handle(self, action: Action, controller: Controller) -> bool:
        """A key of the list, or a card of the game; OK alone is the first game."""
        if isinstance(action, CardAction):
            known = (game for game in taught() if action.game in ("", games.module(game).CODE))
            game = next(known, None)
            if game is not None:
                self._choose(game, controller)
            return game is not None
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        match self._choices(controller.session).key(action):
            case ChosenItem(game):
                self._choose(game, controller)
            case ChoiceList(cursor=int(cursor)):
                controller.show(replace(self, cursor=cursor))
            case None if action.key is Key.OK:
                self._choose(taught()[0], controller)
            case None if action.key is Key.UNDO:
                controller.close()
            case _:
                return False
        return True

    def _choose(self, game: str, controller: Controller) -> None:
        controller.close()
        if game:
            _begin(self.wish, game, controller)

    @staticmethod
    def _items() -> tuple[str, ...]:
        return (*taught(), "")

    def _choices(self, session: Session) -> ChoiceList[str]:
        return ChoiceList(self._items(), self.cursor, without_title(large_plan(session.plan)).choices)


def _begin(wish: Wish, game: str, controller: Controller) -> None:
    match wish:
        case Wish.LEARN:
            begin_lesson(game, controller)
        case Wish.PLAY:
            controller.open(HowMany(game))
        case Wish.WATCH:
            controller.deal(game, visitors=0)


class HowMany(Page):
    """Whether one visitor plays or two share the box."""

    NAME: ClassVar[str] = "how_many"
    game: str
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """One, or two."""
        t, layout = session.translate, Layout(canvas, large_plan(session.plan))
        layout.title(t.title(games.module(self.game).TITLE))
        draw_choices(layout, self._choices(), [t("I PLAY ALONE"), t("WE ARE TWO"), t("BACK")])

    def handle(self, action: Action, controller: Controller) -> bool:
        """A key of the list."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        match self._choices().key(action):
            case ChosenItem(visitors):
                controller.close()
                if visitors:
                    controller.deal(self.game, visitors)
            case ChoiceList(cursor=int(cursor)):
                controller.show(replace(self, cursor=cursor))
            case None if action.key is Key.OK:
                controller.close()
                controller.deal(self.game, visitors=1)
            case None if action.key is Key.UNDO:
                controller.close()
            case _:
                return False
        return True

    def _choices(self) -> ChoiceList[int]:
        return ChoiceList((1, 2, 0), self.cursor)
