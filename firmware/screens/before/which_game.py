"""Which game somebody learns, plays with the box or watches, and how many play it."""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from companion.core import games
from companion.match.lesson import lesson_of
from companion.text.sentence import say
from firmware.display.plan import Plan, large_plan, without_title
from firmware.screens.before.lesson import begin_lesson
from firmware.screens.parts.base import Controller, Keys, KeyUse, back
from firmware.screens.parts.choice import ChoiceList, LargeList, ListPage
from firmware.session.actions import CardAction
from hardware.ports import Key, Signal

if TYPE_CHECKING:
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
    controller.open(WhichGame(wish, cursor=known.index(game) if game else None))


class WhichGame(ListPage):
    """The games that are taught, the usual one first, and the way back."""

    NAME: ClassVar[str] = "which_game"
    wish: Wish

    def plan(self, session: Session) -> Plan:
        """Large letters, and all the room."""
        return without_title(large_plan(session.plan))

    def choices(self, session: Session) -> ChoiceList[str]:
        """The games; empty for the way back."""
        return ChoiceList((*taught(), ""), self.cursor, self.plan(session).choices)

    def label(self, item: str, session: Session) -> str:
        """The title of a game."""
        t = session.translate
        return t.title(games.module(item).TITLE).upper() if item else t("BACK")

    def keys(self, session: Session) -> Keys:
        """The keys of the list; OK alone is the first game."""
        first = KeyUse(partial(self.chosen, taught()[0]), help=say("THE FIRST ONE"))
        keys = self.choices(session).keys(self.chosen, self.moved)
        return {Key.OK: first, **keys, Key.UNDO: KeyUse(back, help=say("BACK"))}

    def take_card(self, action: CardAction, controller: Controller) -> bool:
        """A card names its game."""
        known = (game for game in taught() if action.game in ("", games.module(game).CODE))
        game = next(known, None)
        if game is not None:
            self.chosen(game, controller)
        return game is not None

    def chosen(self, item: str, controller: Controller) -> None:
        """Do with it what is wished."""
        controller.close()
        if item:
            _begin(self.wish, item, controller)


def _begin(wish: Wish, game: str, controller: Controller) -> None:
    match wish:
        case Wish.LEARN:
            begin_lesson(game, controller)
        case Wish.PLAY:
            controller.open(HowMany(game))
        case Wish.WATCH:
            controller.deal(game, visitors=0)


class HowMany(LargeList):
    """Whether one visitor plays or two share the box."""

    NAME: ClassVar[str] = "how_many"
    game: str

    def heading(self, session: Session) -> str:
        """The game."""
        return session.translate.title(games.module(self.game).TITLE)

    def choices(self, session: Session) -> ChoiceList[int]:
        """One, or two; 0 for the way back."""
        return ChoiceList((1, 2, 0), self.cursor)

    def label(self, item: int, session: Session) -> str:
        """In words."""
        t = session.translate
        return {1: t("I PLAY ALONE"), 2: t("WE ARE TWO"), 0: t("BACK")}[item]

    def keys(self, session: Session) -> Keys:
        """The keys of the list; OK alone is one visitor."""
        first = KeyUse(partial(self.chosen, 1), help=say("THE FIRST ONE"))
        keys = self.choices(session).keys(self.chosen, self.moved)
        return {Key.OK: first, **keys, Key.UNDO: KeyUse(back, help=say("BACK"))}

    def chosen(self, item: int, controller: Controller) -> None:
        """Deal."""
        controller.close()
        if item:
            controller.deal(self.game, item)
