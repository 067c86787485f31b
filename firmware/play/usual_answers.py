"""What an action means on every page, where the page in front makes nothing of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

from companion.core.codes import Control
from companion.text.sentence import say
from firmware.screens.before.naming import keep_name
from firmware.screens.menu import menu
from firmware.screens.parts.base import Controller
from firmware.screens.result import views
from firmware.screens.turn.refusal import UnknownCodePage
from firmware.session.actions import (
    BadgeAction,
    CardAction,
    ChoiceAction,
    ControlAction,
    KeyAction,
    NameAction,
    NumberAction,
    RowAction,
    UnknownCodeAction,
)
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from firmware.play.observer import Observer
    from firmware.play.page_stack import PageStack
    from firmware.play.turn_input import TurnInput
    from firmware.screens.parts.base import Page
    from firmware.session.actions import Action

SHOWN_S: Final = 5.0
"""For how long a page about an unknown code is shown."""

_VIEWS: Final[Mapping[Control, Callable[[], Page]]] = {
    Control.TOTALS: views.Standings,
    Control.ROWS: views.Rows,
}
"""Control codes that open a view on top of any page."""

_VIEW_NAMES: Final = (views.Standings.NAME, views.Rows.NAME)


class AnsweringTable(Controller, Protocol):
    """What these answers need of the controller beside what pages need."""

    @property
    def front(self) -> Page:
        """The page that players see."""

    @property
    def stack(self) -> PageStack:
        """The open pages."""

    @property
    def turn(self) -> TurnInput:
        """What takes cards and badges."""

    @property
    def observer(self) -> Observer:
        """Who watches the table."""


def view_of(action: Action) -> Page | None:
    """The view that an action opens on top of any page; None for any other action."""
    view = _VIEWS.get(action.control) if isinstance(action, ControlAction) else None
    return None if view is None else view()


def answer(action: Action, table: AnsweringTable) -> None:
    """Do what an action means where the page in front makes nothing of it."""
    match action:
        case CardAction(card, game):
            table.play(card, game)
        case BadgeAction():
            table.turn.take_badge(action)
        case RowAction():
            table.decline(say("NO ROW TO CHOOSE NOW"))
        case KeyAction():
            _take_key(action, table)
        case ControlAction(control):
            _run_control(control, table)
        case NameAction(badge, name):
            keep_name(badge, name, table)
        case ChoiceAction(choice):
            if not table.front.choose(choice, table):
                table.decline(say("NOT POSSIBLE NOW"))
        case NumberAction(number):
            _refuse_code(UnknownCodePage(str(number), say("no card")), table)
        case UnknownCodeAction(text, why, fix):
            _refuse_code(UnknownCodePage(text, why, fix), table)


def _take_key(action: KeyAction, table: AnsweringTable) -> None:
    if action.key is Key.OK and action.press is Press.LONG:
        table.open(menu.main_menu(table))
    elif table.stack.pages and action.key in (Key.OK, Key.UNDO):
        table.close()
    elif action.key is Key.UNDO:
        table.undo()
    elif table.session.match is not None and action.key in (Key.LEFT, Key.TURN_LEFT):
        toggle(views.Standings(), table)
    elif table.session.match is not None and action.key in (Key.RIGHT, Key.TURN_RIGHT):
        toggle(views.Rows(), table)
    elif table.session.match is not None and action.key is Key.WHY:
        views.explain(table)


def toggle(view: Page, table: AnsweringTable) -> None:
    """Open a view, in the place of the other one if that is open; close it if it is open itself."""
    if table.front.NAME == view.NAME:
        table.close()
    elif table.front.NAME in _VIEW_NAMES:
        table.show(view)
    else:
        table.open(view)


def _run_control(control: Control, table: AnsweringTable) -> None:
    if not menu.run_control(control, table):
        table.decline(say("NOT POSSIBLE NOW"))


def _refuse_code(page: UnknownCodePage, table: AnsweringTable) -> None:
    table.signal(Signal.REFUSED)
    table.observer.refused("", page.why, page.fix)
    table.open(page, lasts_s=SHOWN_S)
