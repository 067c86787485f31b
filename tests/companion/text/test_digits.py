"""Numbers are read in the digits of every script."""

import pytest

from companion.text.digits import in_latin_digits


@pytest.mark.parametrize(
    ("typed", "read"),
    [
        ("42", "42"),
        ("۰۱۲۳۴۵۶۷۸۹", "0123456789"),
        ("٠١٢٣٤٥٦٧٨٩", "0123456789"),
        ("−۲٫۵", "-2.5"),
        ("۲²", "2²"),
    ],
)
def test_digits_of_other_scripts_are_those_from_0_to_9(typed: str, read: str) -> None:
    assert in_latin_digits(typed) == read
