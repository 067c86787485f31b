"""The Solar Hijri calendar of Iran: its year begins at the spring equinox, on 20 or 21 March.

Leap years follow the cycle of 33 years, which gives the days of the astronomical calendar from 1900 to 2123.
Six months have 31 days, then come five of 30, and the last one has 29, or 30 in a leap year.
"""

from datetime import date
from typing import Final

_EPOCH: Final = date(2025, 3, 21).toordinal() - (365 * 1403 + (8 * 1404 + 21) // 33)
"""The first day of the year 1, counted as Python counts days."""


def solar_hijri(day: date) -> tuple[int, int, int]:
    """Year, month and day of month of a Gregorian date, from the year 622 on."""
    days, year = day.toordinal(), day.year - 621
    if days < _new_year(year):
        year -= 1
    days -= _new_year(year)
    month, of_month = divmod(days, 31) if days < 6 * 31 else divmod(days - 6 * 31, 30)
    return year, month + (1 if days < 6 * 31 else 7), of_month + 1


def _new_year(year: int) -> int:
    """The first day of a year, counted as Python counts days."""
    return _EPOCH + 365 * (year - 1) + (8 * year + 21) // 33
