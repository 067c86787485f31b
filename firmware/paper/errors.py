"""What can be wrong with a request for sheets; nothing is drawn before the whole request is valid."""

from __future__ import annotations

from companion.text.errors import CompanionError


class InvalidRequest(CompanionError, ValueError):
    """An order for a sheet that cannot be printed; the fix says what would work."""
