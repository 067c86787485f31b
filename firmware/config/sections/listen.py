"""The address on which pages are served: what sections for servers have in common."""

from __future__ import annotations

import ipaddress

from companion.text.errors import CompanionError, quoted
from companion.text.sentence import say


def check_listen(listen: str) -> None:
    """Raises `CompanionError` for what is no address of a machine."""
    try:
        ipaddress.ip_address(listen)
    except ValueError as error:
        raise CompanionError(
            say("listen = {listen} is no address", listen=quoted(listen)),
            say('write "127.0.0.1", "0.0.0.0" or another address of this machine'),
        ) from error
