"""The paired phones of a table."""

from firmware.extensions.phones.paired_phones import KnownPhone, read
from firmware.extensions.phones.table import PairedPhones, open_list
from firmware.loop.react import do
from firmware.play.table import Table


def fingerprint_of(table: Table) -> str:
    """The fingerprint of the page, as the table knows it."""
    return table.extension(PairedPhones).fingerprint


def known_at(table: Table) -> tuple[KnownPhone, ...]:
    """The phones that the table lists."""
    return read(table.session.notes.recall).listed


def open_phones(table: Table) -> None:
    """Open their list, as the menu does."""
    do(table, lambda table: open_list(fingerprint_of(table), table))
