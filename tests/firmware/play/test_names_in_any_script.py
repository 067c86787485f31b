"""Names in any script: every dot of a Persian word is there, and no two players look alike."""

import re
import subprocess
import sys
from itertools import combinations
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firmware.cli.main import main
from firmware.display.bitmap import Bitmap
from firmware.display.canvas import Canvas
from firmware.display.glyphs import MEDIUM, PERSIAN, RIGHT_TO_LEFT, SMALL, TALL, UNKNOWN, Font
from firmware.display.names import not_drawn, short_name, shown_names
from firmware.display.persian import in_display_order, sheet
from tests.whole.catalogues import translations

ALL_SHEETS = pytest.mark.parametrize(
    "font", [pytest.param(font, id=font.name) for font in (SMALL, MEDIUM, TALL)]
)
DOTS: Final = {
    **dict.fromkeys("بجخذزضظغفنآأإؤئگۀ", 1),
    **dict.fromkeys("تقة", 2),
    **dict.fromkeys("پثچژش", 3),
}
"""What stands apart from the body of a letter: dots, hamza, madda and the upper stroke of gaf."""
LAST_IN_A_RUN: Final = "ادذرزژوآأإؤةۀء"
"""Letters that do not join the next one."""


def pieces(picture: Bitmap) -> int:
    """The separate parts of a picture; pixels that touch at a corner belong together."""
    rows, found = list(picture.rows), 0
    for first in range(len(rows)):
        while rows[first]:
            found += 1
            _remove_from(rows, first)
    return found


def _remove_from(rows: list[int], first: int) -> None:
    """Remove one part of a picture, which has the lowest pixel of the first row that is lit."""
    waiting = {first: rows[first] & -rows[first]}
    while waiting:
        at, lit = waiting.popitem()
        rows[at] &= ~lit
        near = lit | lit << 1 | lit >> 1
        for beside in range(max(0, at - 1), min(len(rows), at + 2)):
            if more := rows[beside] & near:
                waiting[beside] = waiting.get(beside, 0) | more


def parts(word: str) -> int:
    """How many separate parts a word has by its letters: joined runs, and all that stands apart."""
    found, joined = 0, False
    for char, following in zip(word, [*word[1:], ""], strict=True):
        if not char.isalpha():
            found += {"\u200c": 0, **dict.fromkeys("؟؛«»", 2), "٪": 3}.get(char, 1)
            joined = False
            continue
        joins = char not in LAST_IN_A_RUN and following.isalpha() and following != "ء"
        found += DOTS.get(char, 0) + (2 if char == "ی" and joins else 0) + (not joined)
        joined = joins
    return found


@pytest.mark.parametrize("word", ["پُر", "بُر", "ببُرید"])
def test_the_vowel_sign_that_decides_stands_above_its_letter(word: str) -> None:
    plain = word.replace("\u064f", "")
    assert pieces(MEDIUM.bitmap(word)) == pieces(MEDIUM.bitmap(plain)) + 1
    assert MEDIUM.width_px(word) == MEDIUM.width_px(plain)
    assert SMALL.bitmap(word) == SMALL.bitmap(plain)


@pytest.mark.parametrize("word", ["دستِ", "سنگِ", "ردیفِ"])
def test_the_vowel_sign_that_joins_two_words_stands_below_its_letter(word: str) -> None:
    plain = word.replace("\u0650", "")
    assert pieces(MEDIUM.bitmap(word)) == pieces(MEDIUM.bitmap(plain)) + 1
    assert MEDIUM.width_px(word) == MEDIUM.width_px(plain)
    for no_room, font in ((word, SMALL), ("آخرِ", MEDIUM)):
        assert font.bitmap(no_room) == font.bitmap(no_room.replace("\u0650", ""))


@ALL_SHEETS
@pytest.mark.parametrize("word", ["قبلاً", "بعداً", "دقیقاً"])
def test_tanwin_is_two_strokes_beside_its_letter(word: str, font: Font) -> None:
    plain = word.replace("\u064b", "")
    assert pieces(font.bitmap(word)) == pieces(font.bitmap(plain)) + 2
    assert len(font.bitmap(word).rows) == len(font.bitmap(plain).rows)


# --------------------------------------------------------------------------------------------------- letters


def words_of_the_catalogue() -> set[str]:
    """Every Persian word of the translations, with the signs beside it, without vowel signs."""
    texts = " ".join(" ".join(forms) for _, forms in translations("fa"))
    told = re.sub(r"[\u064b-\u0652]", "", re.sub(r"\{\w+\}", " ", texts))
    return set(re.findall(r"«?[\u0600-\u06ff\u200c]+[،؛؟»]?", told))


@pytest.mark.slow
@ALL_SHEETS
def test_every_dot_of_every_word_of_the_translations_stands_alone(font: Font) -> None:
    found = words_of_the_catalogue()
    assert len(found) > 1000
    assert {word: font.lacks(word) for word in found if font.lacks(word)} == {}
    assert [word for word in sorted(found) if pieces(font.bitmap(word)) != parts(word)] == []
    assert font.persian is not None
    assert {word for word in found if len(font.bitmap(word).rows) > font.persian.drawn_px} == set()


@ALL_SHEETS
def test_every_dot_stands_alone_between_any_two_neighbours(font: Font) -> None:
    letters = "بپتثجچحخدذرزژسشصضطظعغفقکگلمنوهی"
    wrong = [
        word
        for middle in letters
        for word in (f"ت{middle}ی", f"ش{middle}ن", f"م{middle}ژ", f"ر{middle}پ", f"چ{middle}ث")
        if pieces(font.bitmap(word)) != parts(word)
    ]
    assert wrong == []


@ALL_SHEETS
def test_no_two_forms_are_the_same_picture(font: Font) -> None:
    assert font.persian is not None
    forms = sheet(font.persian)
    same = [(ord(one), ord(other)) for one, other in combinations(forms, 2) if forms[one] == forms[other]]
    assert same == []


@ALL_SHEETS
def test_every_persian_letter_has_a_picture_wherever_it_stands(font: Font) -> None:
    assert font.persian is not None
    forms = sheet(font.persian)
    words = [
        before + letter + after for letter in sorted(PERSIAN) for before in ("", "ب") for after in ("", "ب")
    ]
    assert set(in_display_order(" ".join([*words, "لا", "بلا", "لآ"]))) - {" "} <= set(forms)


@ALL_SHEETS
@given(
    st.text(
        st.sampled_from("".join(sorted(PERSIAN)) + "aZ 7(\u200c\u200f\u2068\u2069\u064b\u0640\u05d0猫"),
        max_size=20,
    )
)
def test_any_mixture_of_scripts_can_be_drawn_and_shortened(font: Font, text: str) -> None:
    Canvas().text(3, 3, text, font)
    assert font.width_px(font.fit(text, 40)) <= 40


def test_persian_letters_stand_on_the_display_from_right_to_left() -> None:
    assert in_display_order("\u2068سرا\u2069 12") == in_display_order("سرا") + " 12"
    assert in_display_order("اب") == "\ufe8f\ufe8d"
    assert in_display_order("Ana اب Bo") == "Ana \ufe8f\ufe8d Bo"


def test_a_text_that_begins_with_a_mark_runs_from_right_to_left() -> None:
    assert in_display_order(f"{RIGHT_TO_LEFT}اب 104 Bo") == "Bo 104 \ufe8f\ufe8d"
    assert in_display_order(f"{RIGHT_TO_LEFT}ا (ب) \u2066+3\u2069") == "+3 (\ufe8f) \ufe8d"
    assert in_display_order(f"{RIGHT_TO_LEFT}«ا» «ب") == "\ufe8f» «\ufe8d»"
    assert in_display_order(f"{RIGHT_TO_LEFT}ا» «ب»") == "«\ufe8f» «\ufe8d"


def test_letters_of_two_scripts_stand_on_one_line() -> None:
    both, latin = SMALL.bitmap("A سارا"), SMALL.bitmap("A")
    lit = [row >> both.width_px - latin.width_px for row in both.rows]
    assert tuple(lit[both.above_px : both.above_px + latin.height_px]) == latin.rows


@ALL_SHEETS
@pytest.mark.parametrize("mark", [".", ":", "!"])
def test_a_mark_stands_close_to_the_persian_word_before_it(font: Font, mark: str) -> None:
    both = font.bitmap(f"{RIGHT_TO_LEFT}سرا{mark}")
    lit = 0
    for row in both.rows:
        lit |= row
    columns = f"{lit:0{both.width_px}b}"
    gap = re.match("1+(0*)", columns)
    assert gap is not None, columns
    assert 1 <= len(gap[1]) <= font.gap_px + 1


def test_a_persian_word_stays_in_its_line() -> None:
    canvas = Canvas()
    canvas.text(2, 11, "آگچپی")
    lit = [y for y in range(64) if any(canvas.image().getpixel((x, y)) for x in range(128))]
    assert (min(lit), max(lit)) == (10, 18)


def test_arabic_letters_and_digits_are_taken_for_their_persian_ones() -> None:
    assert SMALL.bitmap("كريمي ٤") == SMALL.bitmap("کریمی ۴")


def test_russian_and_ukrainian_names_can_be_written() -> None:
    for font in (SMALL, MEDIUM):
        assert font.lacks("АБВГҐДЕЁЄЖЗИІЇЙКЛМНОПРСТУЎФХЦЧШЩЪЫЬЭЮЯ Юлія Щорс") == ""
        cyrillic = [font.glyphs[char] for char in "БГДЖЗИЙЛПУФЦЧШЩЪЫЬЭЮЯЄҐЇЁABEO3"]
        assert len(set(cyrillic)) == len(cyrillic)


@pytest.mark.slow
def test_in_english_nothing_of_the_persian_letters_is_imported() -> None:
    program = (
        "import sys; from tests.gallery.pictures import pictures; next(pictures()); "
        "from firmware.display.glyphs import SMALL; SMALL.bitmap('Jürgen Ирина …'); "
        "print([name for name in sys.modules if 'arabic' in name or 'bidi' in name or 'persian' in name]); "
        "SMALL.bitmap('علی'); print('firmware.display.persian' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["[]", "True"]


# ----------------------------------------------------------------------------------------------------- names


def test_a_name_is_shown_in_capitals_and_without_what_cannot_be_drawn() -> None:
    assert shown_names(("Ana", "سارا", "Ирина", "Jürgen", "Bo ☺")) == ("ANA", "سارا", "ИРИНА", "JÜRGEN", "BO")


def test_players_whose_names_cannot_be_drawn_are_told_apart_by_their_badges() -> None:
    assert shown_names(("王", "李", "Ana", "☺ !")) == ("P1", "P2", "ANA", "P4")


def test_two_names_that_would_look_alike_are_told_apart() -> None:
    assert shown_names(("Ana", "ANA", "Âna")) == ("ANA", "P2", "P3")


@pytest.mark.parametrize("columns", range(3, 12))
def test_shortened_names_never_look_alike(columns: int) -> None:
    names = (
        "Maximilian A",
        "Maximilian B",
        "Maximiliane",
        "محمدرضا",
        "محمدرسول",
        "محمد",
        "Max",
        "P9",
        "Александр",
        "Александра",
    )
    short = [short_name(names, badge, columns) for badge in range(1, 11)]
    assert len({SMALL.bitmap(text) for text in short}) == len(names)
    assert max(SMALL.width_px(text) for text in short) <= 6 * columns - 1


def test_a_name_is_shortened_with_dots_and_by_its_badge_where_another_becomes_the_same() -> None:
    names = ("Maximilian", "Maximiliane", "Wolfgang")
    assert [short_name(names, badge, 6) for badge in (1, 2, 3, 4)] == ["MAXI…1", "MAXI…2", "WOLFG…", "P4"]
    assert short_name(names, 2, 20) == "MAXIMILIANE"


def test_what_cannot_be_drawn_is_told_with_its_letters() -> None:
    assert not_drawn(("Ana", "سارا", "Ирина")) == []
    assert [str(said) for said in not_drawn(("王 Wang", "Ana", "ANA"))] == [
        "the display has no picture of 王 (U+738B) in the name 王 Wang; it shows WANG",
        "on the display the name ANA cannot be told from another one; it shows P3",
    ]
    assert UNKNOWN not in "".join(shown_names(("王 Wang",)))


@pytest.mark.parametrize("command", [("config", "check"), ("doctor", "--config")])
def test_the_checks_say_which_letters_the_display_lacks(
    command: tuple[str, ...],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    file = tmp_path / "nimmt.toml"
    file.write_text('[table]\nnames = ["سارا", "王"]\n')
    main([*command, str(file)])
    assert "no picture of 王 (U+738B) in the name 王; it shows P2" in capsys.readouterr().out
    file.write_text('[table]\nnames = ["سارا", "Ирина"]\n')
    main([*command, str(file)])
    assert "no picture" not in capsys.readouterr().out
