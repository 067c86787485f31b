"""What is printed on cards, badges and the control sheet, and what is never taken for it."""

import string
from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.core import games
from companion.core.codes import (
    BADGES,
    BOXES,
    PREFIX,
    ROWS,
    BadgeCode,
    CardCode,
    Control,
    ControlCode,
    RowCode,
    UnknownCode,
    badge_code,
    card_code,
    control_code,
    read,
    row_code,
)
from companion.text.sentence import say
from tests.examples import examples

PRINTABLE = string.digits + string.ascii_uppercase
CODES = [games.module(key).CODE for key in games.GAMES]

every_code = pytest.mark.parametrize("code", CODES)


@every_code
def test_every_card_code_is_read_back_in_capitals_and_small_letters(code: str) -> None:
    for number in range(1, 105):
        text = card_code(code, number)
        assert len(text) == 6
        for came in (text, text.lower(), f" {text}\r\n"):
            assert read(came) == read(came, plain_numbers=False) == CardCode(code, str(number))


def test_the_code_of_card_55_never_changes_because_it_is_printed() -> None:
    assert card_code("6N", 55) == "6N055Y"
    assert card_code("6N", 1) == "6N001V"
    assert card_code("6N", 104) == "6N104U"
    assert badge_code(3) == "6NC-P03Z"
    assert read(badge_code(412)) == BadgeCode(412)
    assert row_code(3, 1) == "6NC-P03R2D"
    assert row_code(412, 0) == "6NC-T412R1Z"
    assert control_code(Control.UNDO) == "6NC-UNDOL"


def ean(random: Random, digits: int) -> str:
    body = [random.randrange(10) for _ in range(digits - 1)]
    total = sum(digit * weight for digit, weight in zip(reversed(body), [3, 1] * digits, strict=False))
    return "".join(map(str, body)) + str(-total % 10)


def foreign_payload(random: Random) -> str:
    """What other people's codes hold: EAN-8, EAN-13, links and cards in QR codes, Code 128 of parcels."""
    match random.randrange(5):
        case 0:
            return ean(random, 8)
        case 1:
            return ean(random, 13)
        case 2:
            host = "".join(random.choices(string.ascii_lowercase, k=random.randint(3, 12)))
            return f"https://{host}.example/{random.randrange(10**6)}"
        case 3:
            return "".join(random.choices(PRINTABLE + "-.$/+% ", k=random.randint(1, 20)))
        case _:
            return "".join(random.choices(string.digits, k=random.randint(1, 20)))


def test_thousands_of_codes_of_other_things_are_no_cards() -> None:
    random = Random(104)
    for _ in range(3_000):
        payload = foreign_payload(random)
        assert isinstance(read(payload, plain_numbers=False), UnknownCode), payload


def test_a_bare_number_of_up_to_three_digits_is_a_card_only_where_that_is_agreed() -> None:
    assert read("55") == read("055") == CardCode("", "55")
    assert read("55", plain_numbers=False) == UnknownCode("55", say("a bare number"), say("type the number"))
    for text in ("1055", "-5", "5.5", "٥٥", "²", "", " "):
        assert isinstance(read(text), UnknownCode), text


ORDERS: dict[str, BadgeCode | RowCode | ControlCode] = {
    **{badge_code(number): BadgeCode(number) for number in BADGES},
    **{row_code(number, row): RowCode(number, row) for number in BADGES for row in ROWS},
    **{control_code(control): ControlCode(control) for control in Control},
}


def test_every_badge_and_command_is_read_back_and_without_its_check_letter_only_if_it_is_typed() -> None:
    for text, meaning in ORDERS.items():
        for came in (text, text.lower(), f" {text}\r\n"):
            assert read(came) == read(came, typed=True) == meaning
        assert read(text[:-1], typed=True) == meaning
        assert isinstance(read(text[:-1]), UnknownCode)


def with_one_mistake(text: str) -> set[str]:
    """Every text with one character wrong, missing or too many, with two swapped, or with one bit wrong."""
    found = set()
    for place in range(len(text) + 1):
        before, here, behind = text[:place], text[place : place + 1], text[place + 1 :]
        found |= {before + wrong + here + behind for wrong in PRINTABLE + "-"}
        if here:
            found |= {before + wrong + behind for wrong in PRINTABLE + "-"}
            found |= {before + chr(ord(here) ^ 1 << bit) + behind for bit in range(8)}
            found.add(before + behind)
        for other in range(place + 1, len(text)):
            found.add(before + text[other] + text[place + 1 : other] + here + text[other + 1 :])
    return found


CARDS = [{card_code(code, card): CardCode(code, str(card)) for card in range(1, 105)} for code in CODES]


@pytest.mark.slow
@pytest.mark.parametrize("printed", [ORDERS, *CARDS], ids=["orders", *CODES])
def test_one_mistake_in_a_code_never_gives_another_one(printed: Mapping[str, object]) -> None:
    for text, right in printed.items():
        for wrong in with_one_mistake(text):
            meaning = read(wrong, plain_numbers=False)
            assert isinstance(meaning, UnknownCode) or meaning == right, wrong


@pytest.mark.parametrize(
    "text", [f"{PREFIX}P00", f"{PREFIX}P11", f"{PREFIX}", f"{PREFIX}R5", f"{PREFIX}OK!!"]
)
def test_an_unknown_command_or_badge_is_nothing_of_ours(text: str) -> None:
    assert read(text) == UnknownCode(text, say("unknown command"))


def test_a_misread_card_and_a_card_of_another_game_are_told_apart() -> None:
    assert read("6N055A") == UnknownCode("6N055A", say("misread"), say("scan it again"))
    assert read(card_code("ZZ", 55)) == UnknownCode(card_code("ZZ", 55), say("another game"))
    assert read("4006381333931") == UnknownCode("4006381333931", say("unknown code"))
    other_keys = say("a card? Set the scanner to a US keyboard")
    for text in ("^;)%%:", "6055"):  # as on Bépo, and on a Persian keyboard, which has no such letters
        assert read(text) == UnknownCode(text, say("unknown code"), other_keys)


@examples(40)
@given(text=st.text(max_size=40), plain=st.booleans())
def test_reading_a_code_never_fails(text: str, *, plain: bool) -> None:
    meaning = read(text, plain_numbers=plain)
    assert isinstance(meaning, CardCode | BadgeCode | RowCode | ControlCode | UnknownCode)


@pytest.mark.parametrize("box", BOXES)
def test_the_cards_of_two_boxes_of_one_game_are_told_apart(box: int) -> None:
    for number in (1, 55, 104):
        code = card_code("6N", number, box)
        for other in BOXES:
            told = (
                CardCode("6N", str(number))
                if other == box
                else UnknownCode(code, say("from box {box}", box=box))
            )
            assert read(code, box=other) == told


AROUND = ("]d1{}", "]C0{}", "]Q1{}", "]d2 {}", "]z1{}", "[)> 06 {}", "SCAN:{};", "*{}*", "{},1", "{}[CR]")


@pytest.mark.parametrize("around", [*AROUND, "ABC{}", "{}#"])
def test_what_a_scanner_adds_to_a_code_is_taken_off(around: str) -> None:
    for text, meaning in [*ORDERS.items(), ("6N055Y", CardCode("6N", "55"))]:
        assert read(around.format(text), plain_numbers=False) == meaning
        assert isinstance(read(f"SHOP{text}"), UnknownCode)  # an article of a shop is no card
        assert isinstance(read(f"6N017P {text}"), UnknownCode)  # of two codes none is dropped
    for wrong in ("6N055A", "6NC-P03A", "40063813", "55"):
        assert isinstance(read(around.format(wrong), plain_numbers=False), UnknownCode)
