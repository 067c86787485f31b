"""UNDO on a page that only tells something: it undoes the newest step, as it does without the page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.session.actions import KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from firmware.screens.parts.base import Controller
    from firmware.session.actions import Action


def undoes(action: Action, controller: Controller) -> bool:
    """Undo the newest step if UNDO was pressed; False for any other action, which changes nothing."""
    if isinstance(action, KeyAction) and action.key is Key.UNDO and action.press is Press.SHORT:
        controller.undo()
        return True
    return False
