"""Names as people sort them, and names and numbers whatever keyboard they were typed on."""

import pytest

from companion.text.names import in_order, one_spelling


@pytest.mark.parametrize(
    "sorted_by_people",
    [
        "Alva Älvo Bert Ina jens Jürgen Maß Mast Zoë",
        "آرش احمد بابک پریسا چنگیز ژاله کیان گلناز نیما واله هما یاسمن",
        "راما رئوف رضا روزبه",
        "Max Zoë آرش یاسمن",
    ],
)
def test_names_stand_in_the_order_of_the_alphabet(sorted_by_people: str) -> None:
    names = sorted_by_people.split()
    assert sorted(sorted(names), key=in_order) == names


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("علي", "علی"),
        ("كيان", "کیان"),
        ("فاطمة", "فاطمه"),
        ("عـلی", "علی"),
        ("Zoe\u0308", "Zoë"),
        ("رئوف", "رئوف"),
    ],
)
def test_a_name_of_an_arabic_keyboard_is_the_same_name(typed: str, kept: str) -> None:
    assert one_spelling(typed) == kept
    assert in_order(typed) == in_order(kept)


def test_a_half_space_and_vowel_signs_do_not_count_in_the_order() -> None:
    assert in_order("سید\u200cعلی") == in_order("سیدعلی") == in_order("سیّدعلی")
