"""What other people's codes hold is never taken for a card, a badge or a command."""

import string
from collections.abc import Callable
from random import Random

import pytest

from companion.core import games
from companion.core.codes import CardCode, UnknownCode, card_code, read
from firmware.paper import scanner

pytestmark = pytest.mark.slow

TYPED = string.digits + string.ascii_uppercase
PRINTED = TYPED + "-.$/+% "


def ean(rng: Random, digits: int) -> str:
    body = [rng.randrange(10) for _ in range(digits - 1)]
    total = sum(digit * weight for digit, weight in zip(reversed(body), [3, 1] * digits, strict=False))
    return "".join(map(str, body)) + str(-total % 10)


def goods(rng: Random) -> str:
    """EAN-8 and EAN-13: groceries and books."""
    return ean(rng, rng.choice((8, 13)))


def qr(rng: Random) -> str:
    """Links, Wi-Fi passwords, visiting cards, payments, plain words and numbers."""
    word = "".join(rng.choices(string.ascii_lowercase, k=rng.randint(3, 12)))
    number = str(rng.randrange(10 ** rng.randint(1, 12)))
    return rng.choice(
        (
            f"https://{word}.example/{number}",
            f"WIFI:T:WPA;S:{word};P:{number};;",
            f"BEGIN:VCARD\nN:{word}\nTEL:{number}\nEND:VCARD",
            f"BCD\n002\n1\nSCT\n{word.upper()}\nEUR{number}",
            f"tel:+{number}",
            word,
            number,
        )
    )


def code128(rng: Random) -> str:
    """Parcels, stock numbers, tickets: any length, also the very form of a card code."""
    return rng.choice(
        (
            "".join(rng.choices(PRINTED, k=rng.randint(1, 20))),
            "".join(rng.choices(string.digits, k=rng.randint(1, 20))),
            "".join(rng.choices(TYPED, k=6)),
            "".join((*rng.choices(TYPED, k=2), *rng.choices(string.digits, k=3), rng.choice(TYPED))),
        )
    )


MAKERS: list[Callable[[Random], str]] = [goods, qr, code128]
every_maker = pytest.mark.parametrize("maker", MAKERS, ids=lambda maker: maker.__name__)


@every_maker
def test_of_ten_thousand_foreign_codes_only_bare_numbers_are_cards_and_only_where_these_count(
    maker: Callable[[Random], str],
) -> None:
    """Groceries never are; a ticket, a parcel or a QR code that holds nothing but such a number is."""
    rng = Random(66)
    accepted = 0
    for _ in range(10_000):
        text = maker(rng)
        assert isinstance(read(text, plain_numbers=False), UnknownCode), text
        bare = text.strip().isdigit() and len(text.strip()) <= 3
        assert isinstance(read(text), CardCode if bare else UnknownCode), text
        accepted += bare
    assert bool(accepted) is (maker is not goods)


def test_the_test_page_is_no_card_of_any_game() -> None:
    assert scanner.NO_GAME not in {games.module(key).CODE for key in games.GAMES}
    for one in scanner.TRIALS:
        for plain in (False, True):
            assert isinstance(read(one.text, plain_numbers=plain), UnknownCode)


@pytest.mark.parametrize("key", games.GAMES)
def test_a_card_of_one_game_is_no_card_of_another(key: str) -> None:
    code = games.module(key).CODE
    others = {games.module(other).CODE for other in games.GAMES if other != key}
    assert code not in others
    assert read(card_code(code, 7)) == CardCode(code, "7")
