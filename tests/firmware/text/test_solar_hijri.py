"""The calendar of Iran, by days that its almanacs name."""

from datetime import date, timedelta

import pytest

from firmware.text.solar_hijri import solar_hijri

NOWRUZ = {  # the first day of spring in Iran, from the calendar of the University of Tehran
    1348: date(1969, 3, 21),
    1358: date(1979, 3, 21),
    1375: date(1996, 3, 20),
    1379: date(2000, 3, 20),
    1399: date(2020, 3, 20),
    1403: date(2024, 3, 20),
    1404: date(2025, 3, 21),
    1408: date(2029, 3, 20),
}


@pytest.mark.parametrize(("year", "day"), NOWRUZ.items())
def test_the_year_begins_on_nowruz(year: int, day: date) -> None:
    assert solar_hijri(day) == (year, 1, 1)
    assert solar_hijri(day - timedelta(days=1))[:2] == (year - 1, 12)


@pytest.mark.parametrize(
    ("gregorian", "said"),
    [
        (date(1979, 2, 11), (1357, 11, 22)),
        (date(2025, 9, 22), (1404, 6, 31)),
        (date(2025, 9, 23), (1404, 7, 1)),
        (date(2025, 12, 21), (1404, 9, 30)),
    ],
)
def test_days_that_almanacs_name(gregorian: date, said: tuple[int, int, int]) -> None:
    assert solar_hijri(gregorian) == said


def test_each_day_follows_the_day_before() -> None:
    day, before = date(1920, 1, 1), solar_hijri(date(1919, 12, 31))
    while day < date(2120, 1, 1):
        year, month, of_month = before
        after = solar_hijri(day)
        assert after in ((year, month, of_month + 1), (year, month + 1, 1), (year + 1, 1, 1))
        assert 1 <= after[1] <= 12
        assert 1 <= after[2] <= (31 if after[1] <= 6 else 30)
        before, day = after, day + timedelta(days=1)
