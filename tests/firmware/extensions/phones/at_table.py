"""The paired phones of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.extensions.phones.pages import open_list
from firmware.extensions.phones.paired_phones import Phones
from firmware.extensions.phones.table import PairedPhones

if TYPE_CHECKING:
    from firmware.play.controller import TableController


def phones_of(controller: TableController) -> Phones:
    return controller.extension(PairedPhones).phones


def open_phones(controller: TableController) -> None:
    """Open their list, as the menu does."""
    open_list(phones_of(controller), controller)
