"""Catalogues are read, written and merged without a loss, and a translation that is wrong is told."""

from __future__ import annotations

import re
import subprocess
import sys
import time
from gettext import c2py
from pathlib import Path

import pytest

from companion.text.sentence import NOTHING, Text, count, in_context, say
from firmware.config.configuration import load
from firmware.text import catalogue, translation
from firmware.text.catalogue import Entry, read
from firmware.text.translation import LANGUAGES, Translator
from setup import compiled
from tools.texts import check, po_file
from tools.texts.__main__ import faults
from tools.texts.extract import Template

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
RUSSIAN = "Plural-Forms: nplurals=3; plural=(n%10==1 ? 0 : n%10<5 ? 1 : 2);"

BY_POEDIT = (
    HEADER
    + r"""
# a remark
#. What the program says about it.
#: companion/a.py
#, fuzzy, python-brace-format
msgctxt "verb"
msgid "takes {card}"
msgstr "nimmt {card}"

msgid ""
"a \"long\" text, "
"in two lines\n"
msgstr ""
"ein \"langer\" Text \\ "
"in zwei Zeilen\n"

msgid "{count} card"
msgid_plural "{count} cards"
msgstr[0] "{count} Karte"
msgstr[1] "{count} Karten"

#~ msgid "gone"
#~ msgstr "weg"
"""
)


def in_use(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Translator:
    monkeypatch.setattr(translation, "CATALOGUES", folder)
    file = translation.catalogue_of("xx")
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8")
    return Translator("xx")


def test_a_catalogue_is_read_as_gettext_reads_it() -> None:
    assert list(read(BY_POEDIT))[1:] == [
        Entry("takes {card}", "", "verb", ("nimmt {card}",), fuzzy=True),
        Entry('a "long" text, in two lines\n', forms=('ein "langer" Text \\ in zwei Zeilen\n',)),
        Entry("{count} card", "{count} cards", forms=("{count} Karte", "{count} Karten")),
    ]


def test_texts_are_said_in_the_words_of_the_catalogue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = BY_POEDIT.replace("fuzzy, ", "") + '\nmsgid "takes {card}"\nmsgstr "kostet {card}"\n'
    t = in_use(text, tmp_path, monkeypatch)
    assert t.say(in_context("verb", "takes {card}", card=5)) == "nimmt 5"
    assert t("takes {card}", card=5) == "kostet 5"
    assert t.say(count("{count} card", "{count} cards", 1)) == "1 Karte"
    assert t.say(count("{count} card", "{count} cards", 0)) == "0 Karten"
    assert t("gone") == "gone"


def test_what_is_not_translated_or_not_sure_is_said_in_english(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = BY_POEDIT.replace('[1] "{count} Karten"', '[1] ""') + '\nmsgid "row"\nmsgstr ""\n'
    t = in_use(text, tmp_path, monkeypatch)
    assert t.say(in_context("verb", "takes {card}", card=5)) == "takes 5"
    assert t.say(count("{count} card", "{count} cards", 1)) == "1 card"
    assert t("row") == "row"


def test_a_language_has_as_many_plural_forms_as_its_header_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    forms = "".join(f'msgstr[{number}] "{{count}} {word}"\n' for number, word in enumerate("abc"))
    header = HEADER.replace("UTF-8", f'UTF-8\\n"\n"{RUSSIAN}')
    t = in_use(f'{header}\nmsgid "card"\nmsgid_plural "cards"\n{forms}', tmp_path, monkeypatch)
    assert [t.say(count("card", "cards", number)) for number in (1, 3, 5, 21)] == [
        "1 a",
        "3 b",
        "5 c",
        "21 a",
    ]


@pytest.mark.parametrize(
    "text", ["\udcff", 'msgid "a"\nmsgstr "b"\n' + HEADER + '"Plural-Forms: nplurals=2; plural=n@;"']
)
def test_a_catalogue_that_cannot_be_read_leaves_everything_in_english(
    text: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(translation, "CATALOGUES", tmp_path)
    file = translation.catalogue_of("xx")
    file.parent.mkdir(parents=True)
    file.write_text(text, encoding="utf-8", errors="surrogateescape")
    assert Translator("xx")("a") == "a"


@pytest.mark.parametrize("language", [language for language in LANGUAGES if language != "en"])
def test_a_compiled_catalogue_says_the_same(language: str, tmp_path: Path) -> None:
    file = translation.catalogue_of(language)
    (tmp_path / "nimmt.mo").write_bytes(compiled(file.read_text(encoding="utf-8")))
    plain, built = catalogue.load(file), catalogue.load(tmp_path / "nimmt.mo")
    entries = [one for one in read(file.read_text(encoding="utf-8")) if one.template]
    assert len(entries) > 3000
    for one in (*entries, Entry("not there"), Entry("not there", "nor there", "a context")):
        for number in (0, 1, 2, 11) if one.plural else (1,):
            asked = (one.context, one.template, one.plural, number)
            assert built.template(*asked) == plain.template(*asked)


def test_compiled_are_texts_that_are_sure_and_a_catalogue_of_translators_counts_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(translation, "CATALOGUES", tmp_path)
    file = translation.catalogue_of("xx")
    file.parent.mkdir(parents=True)
    built = file.with_suffix(".mo")
    built.write_bytes(compiled(BY_POEDIT + '\nmsgid "row"\nmsgstr ""\n'))
    t = Translator("xx")
    assert t.say(in_context("verb", "takes {card}", card=5)) == "takes 5"
    assert (t.say(count("{count} card", "{count} cards", 2)), t("row")) == ("2 Karten", "row")
    built.write_bytes(compiled(BY_POEDIT)[:-40])
    assert Translator("xx").say(count("{count} card", "{count} cards", 2)) == "2 cards"
    file.write_text(BY_POEDIT.replace("Karten", "Blätter"), encoding="utf-8")
    assert Translator("xx").say(count("{count} card", "{count} cards", 2)) == "2 Blätter"


def test_the_game_starts_at_most_a_few_milliseconds_later_in_another_language(tmp_path: Path) -> None:
    """Counted in runs of the interpreter's own parser, so that a busy machine changes nothing."""
    file = tmp_path / "nimmt.po"
    file.write_text(
        po_file.pot([Template("a text of {count} words and some more " * 2 + str(n)) for n in range(1500)])
    )

    def quickest(work: object) -> float:
        assert callable(work)
        took = []
        for _ in range(5):
            begin = time.process_time()
            work()
            took.append(time.process_time() - begin)
        return min(took)

    source = Path(catalogue.__file__).read_text()
    assert quickest(lambda: catalogue.load(file)) < 12 * quickest(lambda: compile(source, "x", "exec"))


def test_in_english_languages_cost_less_than_two_megabytes_and_no_catalogue_is_read() -> None:
    program = (
        "import re, pathlib, sys, tracemalloc, companion.text.sentence; tracemalloc.start(); "
        "from firmware.text import translation; translation.Translator('en')('a'); "
        "print(tracemalloc.get_traced_memory()[1], 'gettext' in sys.modules); "
        "translation.Translator('de')('a'); print('gettext' in sys.modules)"
    )
    told = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    peak_bytes, read, read_in_german = told.stdout.split()
    assert int(peak_bytes) < 2_000_000
    assert (read, read_in_german) == ("False", "True")


def test_merging_keeps_what_translators_wrote_and_nothing_is_guessed() -> None:
    templates = [
        Template("takes {card}", "", "verb", ("companion/a.py",)),
        Template("{count} card", "{count} cards", "", ("companion/b.py",), ("On the display.",)),
        Template("takes {cards}", "", "verb", ("companion/a.py",)),
        Template("gone", "", "", ("companion/c.py",)),
    ]
    merged = po_file.merged(BY_POEDIT, templates, 2)
    assert list(read(merged))[1:] == [
        Entry("takes {card}", "", "verb", ("nimmt {card}",), fuzzy=True),
        Entry("{count} card", "{count} cards", forms=("{count} Karte", "{count} Karten")),
        Entry("takes {cards}", "", "verb"),
        Entry("gone", forms=("weg",)),
    ]
    assert "# a remark\n#: companion/a.py\n#, fuzzy, python-brace-format\nmsgctxt" in merged
    assert "#. On the display.\n#: companion/b.py\n" in merged
    assert merged.endswith(
        r"""
#~ msgid "a \"long\" text, in two lines\n"
#~ msgstr "ein \"langer\" Text \\ in zwei Zeilen\n"
"""
    )
    assert po_file.merged(merged, templates, 2) == merged


def test_a_translation_comes_back_with_its_template() -> None:
    before = po_file.merged(BY_POEDIT, [Template("{count} card", "{count} cards")], 2)
    without = po_file.merged(before, [], 2)
    assert len(list(read(without))) == 1
    again = po_file.merged(without, [Template("{count} card", "{count} cards")], 2)
    assert list(read(again)) == list(read(before))


@pytest.mark.parametrize(
    ("template", "plural", "forms", "fault"),
    [
        ("{card} to {row}", "", ("{card} in Reihe",), "other fields: row"),
        ("{card}", "", ("{crad}",), "other fields: card, crad"),
        ("{card}", "", ("{card} {",), "cannot be filled in"),
        ("{card}", "", ("{card!r}",), "nothing else in the braces"),
        ("{card}", "", ("{card.x}",), "nothing else in the braces"),
        ("{card}", "", ("{card:>9999}",), "nothing else in the braces"),
        ("{count} card", "{count} cards", ("{count} Karte", ""), "needs 2 plural forms, and has 1"),
        ("{count} card", "{count} cards", ("{count} Karte",), "needs 2 plural forms, and has 1"),
        ("{count} of {who}", "{count} of {who}", ("eine von {who}", "{count}"), "other fields: who"),
    ],
)
def test_a_translation_that_cannot_be_filled_in_is_a_fault(
    template: str, plural: str, forms: tuple[str, ...], fault: str
) -> None:
    entry = Entry(template, plural, forms=forms)
    for complete in (False, True):
        (told,) = check.faults(HEADER + "\n" + po_file.entry_lines(entry), complete=complete)
        assert fault in told


def test_a_complete_language_has_every_translation_and_a_fuzzy_one_is_none() -> None:
    po = BY_POEDIT + '\nmsgid "row"\nmsgstr ""\n'
    assert list(check.faults(po, complete=False)) == []
    assert list(check.faults(po, complete=True)) == [
        "'takes {card}': is fuzzy: somebody has to say whether the translation is right",
        "'row': has no translation",
    ]


@pytest.mark.parametrize("rule", ["nplurals=2; plural=(n @ 1);", "nplurals=1; plural=(n != 1);"])
def test_a_wrong_plural_rule_is_a_fault(rule: str) -> None:
    po = HEADER.replace("UTF-8", f'UTF-8\\n"\n"Plural-Forms: {rule}')
    assert len(list(check.faults(po, complete=False))) == 1


def test_the_catalogues_are_up_to_date_and_right() -> None:
    assert list(faults()) == []


def test_a_name_never_follows_the_word_player() -> None:
    # A person is a fact of its own, said as a name, or as "player 2" where no name is known.
    catalogue_file = Path(translation.__file__).parent / "catalogues" / "nimmt.pot"
    templates = [entry.template for entry in read(catalogue_file.read_text(encoding="utf-8"))]
    person = re.compile(r"\bplayers? \{(?!numbers?\}|seat\})", re.IGNORECASE)
    # The first is of numbers of seats in a log, the second of the number of one that nobody has.
    assert {one for one in templates if person.search(one)} == {
        "player {player}",
        "there is no player {player} here",
    }


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_empty_text_is_empty_in_every_language(language: str) -> None:
    # In a catalogue, the empty template is its header.
    t = Translator(language)
    assert (t.say(NOTHING), t(""), t.title(""), t.as_named("")) == ("", "", "", "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_configuration_accepts_every_language_that_has_a_catalogue(language: str, tmp_path: Path) -> None:
    file = tmp_path / "nimmt.toml"
    file.write_text(f'[screen]\nlanguage = "{language}"\n', encoding="utf-8")
    assert load(file).screen.language == language
    assert (language == "en") != translation.catalogue_of(language).exists()
    assert Translator(language).say(Text("6 NIMMT!")) == "6 NIMMT!"


def test_without_a_rule_a_language_has_two_plural_forms_like_english() -> None:
    forms, rule = catalogue.plural_rule("")
    assert forms == 2
    english = c2py("n != 1")
    assert [rule(number) for number in range(30)] == [english(number) for number in range(30)]
    assert str(say("{a}", a=1)) == "1"
