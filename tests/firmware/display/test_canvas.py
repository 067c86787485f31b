"""What the display promises: every name can be drawn, every card is legible, nothing is cut in silence."""

import string
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from companion.text.sentence import BULL
from firmware.display import bitmap
from firmware.display.bitmap import Bitmap
from firmware.display.canvas import CARD_HEIGHT_PX, CARD_WIDTH_PX, Canvas, strictly
from firmware.display.glyphs import CONDENSED, LARGE, MEDIUM, NARROW, SLIM, SMALL, TALL, UNKNOWN, Font
from firmware.display.layout import Area, Big, Extra, Layout, paginate
from firmware.display.plan import LARGE_LATIN, NORMAL, Plan
from tests.firmware.display.read_canvas import ReadCanvas
from tests.whole.careful import CarefulCanvas

FONTS = [pytest.param(font, id=font.name) for font in (SMALL, MEDIUM, LARGE)]
ALL_FONTS = [
    pytest.param(font, id=font.name) for font in (SMALL, NARROW, MEDIUM, TALL, CONDENSED, SLIM, LARGE)
]
PLACES = st.integers(-150, 150)


def fitted(text: str, columns: int) -> str:
    """The text in so many columns of SMALL."""
    return SMALL.fit(text, columns * 6 - SMALL.gap_px)


def shown(canvas: Canvas) -> str:
    image = canvas.image()
    width, height = image.size
    return "\n".join(
        "".join("#" if image.getpixel((x, y)) else "." for x in range(width)) for y in range(height)
    )


def drawn(draw: Callable[[Canvas], object], width_px: int = 128, height_px: int = 64) -> str:
    canvas = Canvas(width_px, height_px)
    draw(canvas)
    return shown(canvas)


def differing_px(one: Bitmap, other: Bitmap) -> int:
    width_px = max(one.width_px, other.width_px)
    aligned = [[row << width_px - letter.width_px for row in letter.rows] for letter in (one, other)]
    return sum((a ^ b).bit_count() for a, b in zip(*aligned, strict=True))


# ------------------------------------------------------------------------------------------------- letters


def test_everything_on_a_keyboard_and_all_german_letters_can_be_written_small() -> None:
    typed = string.ascii_letters + string.digits + string.punctuation + " "
    assert not set(typed + "ÄÖÜßäöü·–…‹›×≥≤→↑↓←✓✗■□") - set(SMALL.glyphs)


@pytest.mark.parametrize(("font", "least_px"), [(SMALL, 4), (MEDIUM, 10), (LARGE, 28)])
def test_no_two_digits_are_taken_for_each_other(font: Font, least_px: int) -> None:
    for one, other in combinations(string.digits, 2):
        assert differing_px(font.glyphs[one], font.glyphs[other]) >= least_px, (one, other)


def lit_rows(font: Font, text: str) -> list[int]:
    """The rows with a lit pixel, counted from the top of capitals."""
    bits = font.bitmap(text)
    return [y - bits.above_px for y, row in enumerate(bits.rows) if row]


@pytest.mark.parametrize("font", ALL_FONTS)
def test_an_umlaut_is_as_large_as_the_capitals_beside_it_and_has_two_dots(font: Font) -> None:
    for umlaut, capital in zip("ÄÖÜ", "AOU", strict=True):
        rows = lit_rows(font, umlaut)
        assert rows[0] <= 0
        assert rows[-1] == lit_rows(font, capital)[-1] == font.capital_px - 1
        assert font.width_px(umlaut) == font.width_px(capital)
        bits = font.bitmap(umlaut)
        assert len(list(filter(None, f"{bits.rows[0]:b}".split("0")))) == 2
        if font not in (SMALL, NARROW):  # there is no row above these
            dark = rows.index(next(y for y in rows if y + 1 not in rows))
            body = len(rows) - dark - 1
            assert body >= font.capital_px * 5 / 6


@pytest.mark.parametrize("font", [MEDIUM, TALL, LARGE])
def test_persian_letters_and_digits_are_as_high_as_the_latin_ones_beside_them(font: Font) -> None:
    whole = [0, font.capital_px - 1]
    for text in ("ا", "ل", "ط", "۱", "۲", "۳", "۴", "۵", "۶", "۷", "۸", "۹"):
        rows = lit_rows(font, text)
        assert [rows[0], min(rows[-1], whole[1])] == whole, text


def test_a_picture_that_is_not_as_high_as_its_line_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = (bitmap.FONTS / "large.bdf").read_text()
    (tmp_path / "large.bdf").write_text(whole.replace("\nENDCHAR", "\n00\nENDCHAR", 1))
    monkeypatch.setattr(bitmap, "FONTS", tmp_path)
    with pytest.raises(ValueError, match="is not 24 px high"):
        bitmap.read_font("large")


# ------------------------------------------------------------------------------------------ names of people


def test_a_letter_we_cannot_draw_is_a_visible_box_and_not_a_crash() -> None:
    assert SMALL.spelled("A\u732bB\n") == f"A{UNKNOWN}B{UNKNOWN}"
    assert drawn(lambda c: c.text(0, 0, "\u732b"), 5, 7) == "\n".join(["#####", *["#...#"] * 5, "#####"])


def test_an_accent_we_lack_leaves_its_letter() -> None:
    assert SMALL.spelled("René Şahin Łukasz Søren") == "Rene Sahin Lukasz Soren"


def test_a_letter_typed_in_two_parts_is_one_letter() -> None:
    assert SMALL.spelled("Ju\u0308rgen") == "Jürgen"


@given(st.text(), st.integers(1, 30))
@example("\u064ft\u0659}", 2)  # vowel marks stand over other letters and have no width
def test_a_shortened_name_is_never_wider_than_it_may_be(name: str, columns: int) -> None:
    assert SMALL.width_px(fitted(name, columns)) <= columns * 6 - SMALL.gap_px


@pytest.mark.parametrize(
    ("name", "columns", "short"),
    [("MAXIMILIAN", 10, "MAXIMILIAN"), ("MAXIMILIAN", 4, "MAX…"), ("JO ANNE", 4, "JO…"), ("BOB", 1, "…")],
)
def test_a_shortened_name_ends_with_dots(name: str, columns: int, short: str) -> None:
    assert fitted(name, columns) == short


@given(st.text(), PLACES, PLACES, st.booleans())
def test_any_text_can_be_drawn_anywhere(text: str, x_px: int, y_px: int, invert: bool) -> None:
    for font in (SMALL, MEDIUM, LARGE):
        end_px = Canvas().text(x_px, y_px, text, font, invert=invert)
        assert end_px == x_px + font.width_px(text) + font.gap_px


def test_a_code_as_long_as_a_book_costs_no_more_than_a_line() -> None:
    assert SMALL.width_px("X" * 1_000_000) == SMALL.width_px("X" * 256)


# ------------------------------------------------------------------------------------------------- placing


@given(st.text(st.sampled_from("A8g" + BULL), max_size=12), PLACES, PLACES)
def test_what_is_over_the_edge_is_cut_and_does_not_come_back_on_the_other_side(
    text: str, x_px: int, y_px: int
) -> None:
    large = Canvas(600, 400)
    large.text(x_px + 200, y_px + 200, text, MEDIUM)
    cut = large.image().crop((200, 200, 328, 264))
    small = Canvas()
    small.text(x_px, y_px, text, MEDIUM)
    assert small.image().tobytes() == cut.tobytes()


def test_a_canvas_may_have_any_width() -> None:
    assert drawn(lambda c: c.fill(0, 0, 1, 1), 3, 2) == "#..\n..."
    with pytest.raises(ValueError, match="0x64"):
        Canvas(0, 64)


# -------------------------------------------------------------------------------------- what is too wide


TOO_WIDE: dict[str, tuple[Callable[[Canvas], object], Callable[[Canvas], object]]] = {
    "text": (lambda c: c.text(0, 0, c.shorten("X" * 22, 125)), lambda c: c.text(0, 0, "X" * 20 + "…")),
    "card": (lambda c: c.card(0, 0, "CARDS"), lambda c: c.card(0, 0, "CAR…")),
    "number on a card": (lambda c: c.card(0, 0, "10000"), lambda c: c.card(0, 0, "100…")),
}


@pytest.mark.parametrize("text", TOO_WIDE)
def test_a_text_that_is_too_wide_ends_in_dots_and_on_a_strict_canvas_it_is_an_error(text: str) -> None:
    too_wide, shortened = TOO_WIDE[text]
    with strictly(strict=False):
        assert drawn(too_wide) == drawn(shortened)
    with strictly(), pytest.raises(ValueError, match="wider"):
        drawn(too_wide)


@given(st.text(), st.integers(-3, 200))
@example("", 0)
@example("=" * 40, 4)
def test_no_text_is_an_error_on_the_display(text: str, width_px: int) -> None:
    with strictly(strict=False):
        canvas = Canvas()
        shortened = canvas.shorten(text, width_px)
        assert SMALL.width_px(shortened) <= max(0, width_px)
        canvas.text(0, 0, shortened)
        canvas.card(0, 0, text)
        canvas.key(100, 20, text)


# ---------------------------------------------------------------------------------------- things of the game


def test_every_number_fits_on_its_card() -> None:
    for number in range(1, 105):
        canvas = Canvas(CARD_WIDTH_PX + 2, CARD_HEIGHT_PX + 2)
        canvas.card(1, 1, str(number))
        rows = shown(canvas).splitlines()
        assert rows[1] == rows[16] == ".." + "#" * 25 + ".."
        assert {row[1:3] + row[26:28] for row in rows[2:16]} == {"#..#"}, number


def test_a_name_of_four_columns_fits_on_a_card_whatever_its_letters() -> None:
    rows = drawn(lambda c: c.card(0, 0, "WMWM"), 27, 16).splitlines()
    assert {row[0] + row[26] for row in rows[1:15]} == {"##"}
    assert {row[1:2] + row[25:26] for row in rows[1:15]} == {".."}


def test_more_cards_than_places_are_an_error() -> None:
    with pytest.raises(ValueError, match="not 6"):
        Canvas().boxes(0, 0, 6)


def test_what_is_kept_is_drawn_once_for_the_same_facts_and_each_time_on_a_canvas_that_listens() -> None:
    class Listening(Canvas):
        """A canvas of a test."""

    drawn: list[str] = []

    def draw(canvas: Canvas, text: str) -> None:
        drawn.append(text)
        canvas.text(3, 5, text)

    pictures = []
    for text, kind in (("12", Canvas), ("12", Canvas), ("13", Canvas), ("12", Listening), ("12", Listening)):
        canvas = kind()
        canvas.fill(0, 0, 9, 9)
        canvas.kept(draw, text)
        pictures.append(canvas.bits())
    assert drawn == ["12", "13", "12", "12"]
    by_hand = Canvas()
    by_hand.text(3, 5, "12")
    by_hand.fill(0, 0, 9, 9)
    assert pictures[0] == pictures[1] == pictures[3] == pictures[4] == by_hand.bits()
    assert pictures[2] != pictures[0]


@pytest.mark.parametrize("plan", [NORMAL, LARGE_LATIN])
@given(needs_px=st.integers(0, 64))
def test_a_frame_leaves_what_is_needed_and_may_give_the_aside_back(plan: Plan, needs_px: int) -> None:
    layout = Layout(Canvas(), plan)
    aside = layout.frame("TITLE", "OK=NEXT", aside="1/2", key="OK", needs_px=needs_px)
    assert layout.free.height_px >= needs_px
    assert (layout.bar_px > 0) == (aside == "") == (plan.bar_px + needs_px <= 64)


def test_extra_words_are_left_out_where_others_would_get_smaller_the_last_ones_first() -> None:
    for height_px, words in ((64, ["44", "ONE", "TWO"]), (30, ["44", "ONE"]), (14, ["ONE"])):
        canvas = CarefulCanvas()
        Layout(canvas, LARGE_LATIN).stack(Area(0, 0, 99, height_px), (Extra(Big("44")), "ONE", Extra("TWO")))
        assert canvas.texts == words


def test_no_word_stands_alone_on_the_last_page_and_none_is_lost() -> None:
    for length in range(1, 100):
        text = " ".join(("CARD", "31", "IS", "COVERED")[place % 4] for place in range(length))
        pages = paginate(NORMAL, text)
        assert " ".join(line for page in pages for line in page) == text
        assert len(pages) == 1 or len(pages[-1]) > 1 or " " in pages[-1][0]


def test_a_band_gets_wider_rather_than_break_a_word() -> None:
    canvas = ReadCanvas()
    canvas.notice_at = (92, 0, 36, 64)
    Layout(canvas, LARGE_LATIN).notice("31 IS ELSEWHERE")
    assert " ".join(canvas.words) == "31 IS ELSEWHERE"
