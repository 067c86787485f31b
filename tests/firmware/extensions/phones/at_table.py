"""The paired phones of a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from firmware.extensions.phones.paired_phones import LISTED, KnownPhone, known
from firmware.extensions.phones.table import PairedPhones, open_list

if TYPE_CHECKING:
    from firmware.play.controller import TableController


def fingerprint_of(controller: TableController) -> str:
    """The fingerprint of the page, as the table knows it."""
    return controller.extension(PairedPhones).fingerprint


def known_at(controller: TableController) -> tuple[KnownPhone, ...]:
    """The phones that the table lists."""
    return known(controller.session.notes.recall(LISTED))


def open_phones(controller: TableController) -> None:
    """Open their list, as the menu does."""
    controller.do(lambda table: open_list(fingerprint_of(controller), table))
