"""What can be wrong with an order for a sheet; nothing is drawn before an order is known to fit."""

from __future__ import annotations

from companion.errors import CompanionError


class BadOrder(CompanionError, ValueError):
    """An order for a sheet that cannot be printed; the fix says what would work."""
