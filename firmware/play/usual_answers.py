"""What an action means on every page, where the page in front makes nothing of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from companion.core.codes import Control
from companion.text.sentence import say
from firmware.screens import menu
from firmware.screens.parts.base import Controller, Page
from firmware.screens.result import views
from firmware.session.actions import KeyAction
from hardware.ports import Key, Press

VIEWS: Final[Mapping[Control, Callable[[], Page]]] = {
    Control.TOTALS: views.Standings,
    Control.ROWS: views.Rows,
}
"""Control codes that open a view on top of any page."""

_VIEW_NAMES: Final = (views.Standings.NAME, views.Rows.NAME)


def take_key(action: KeyAction, front: Page, controller: Controller, *, covered: bool) -> None:
    """Do what a key means everywhere; `covered` where a page lies over the open question."""
    match = controller.session.match
    if action.key is Key.OK and action.press is Press.LONG:
        controller.open(menu.main_menu(controller))
    elif covered and action.key in (Key.OK, Key.UNDO):
        controller.close()
    elif action.key is Key.UNDO:
        controller.undo()
    elif match is not None and action.key in (Key.LEFT, Key.TURN_LEFT):
        toggle(views.Standings(), front, controller)
    elif match is not None and action.key in (Key.RIGHT, Key.TURN_RIGHT):
        toggle(views.Rows(), front, controller)
    elif match is not None and action.key is Key.WHY:
        views.explain(controller)


def toggle(view: Page, front: Page, controller: Controller) -> None:
    """Open a view, in the place of the other one if that is in front; close it if it is open itself."""
    if front.NAME == view.NAME:
        controller.close()
    elif front.NAME in _VIEW_NAMES:
        controller.show(view)
    else:
        controller.open(view)


def run_control(control: Control, controller: Controller) -> None:
    """Do what a control code means everywhere."""
    if not menu.run_control(control, controller):
        controller.decline(say("NOT POSSIBLE NOW"))
