"""A `post` that cannot hurt the thread which calls it; what the messages mean is not known here."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from hardware.ports import Message

_LOG = logging.getLogger(__name__)


def unharmed(post: Callable[[Message], None]) -> Callable[[Message], None]:
    """`post`, with whatever it raises written to the log instead of ending a device's only thread.

    A reader thread that dies is a dead device and a live process: nobody restarts anything. The
    message is lost; the next one is tried again.
    """

    def posting(message: Message) -> None:
        try:
            post(message)
        except Exception:  # noqa: BLE001 - whatever it is, it is not the device's
            _LOG.exception("the program did not accept %r", message)

    return posting


def to_nobody(message: Message) -> None:
    """The `post` of a device that is not started."""
