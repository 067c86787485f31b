"""Catalogues are read, written and merged without a loss, and a translation that is wrong is told."""

import io
import re
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from companion.text.sentence import Text, count, in_context
from firmware.config.configuration import load
from firmware.text import translation
from firmware.text.translation import LANGUAGES, Translator
from tests.whole.catalogues import translations
from tools.texts import add_spoken, faults

HEADER = 'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset=UTF-8\\n"\n'
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


def catalogue(text: str) -> Catalog:
    return read_po(io.BytesIO(text.encode()), "de")


def in_use(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Translator:
    monkeypatch.setattr(translation, "CATALOGUES", folder)
    file = translation.catalogue_of("xx").with_suffix(".mo")
    file.parent.mkdir(parents=True)
    with file.open("wb") as opened:
        write_mo(opened, catalogue(text))
    return Translator("xx")


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
    assert t.say(count("{count} card", "{count} cards", 2)) == "2 cards"
    assert t("row") == "row"


@pytest.mark.parametrize("content", [b"", b"\xde\x12\x04\x95", b"cut"])
def test_a_catalogue_that_cannot_be_read_leaves_everything_in_english(
    content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(translation, "CATALOGUES", tmp_path)
    file = translation.catalogue_of("xx").with_suffix(".mo")
    file.parent.mkdir(parents=True)
    file.write_bytes(content)
    assert Translator("xx").say(count("a", "b", 2)) == "b"


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
    made = Catalog("de")
    made.add((template, plural) if plural else template, forms if plural else forms[0])
    for complete in (False, True):
        (told,) = faults(made, complete=complete)
        assert fault in told


def test_a_complete_language_has_every_translation_and_a_fuzzy_one_is_none() -> None:
    made = catalogue(BY_POEDIT + '\nmsgid "row"\nmsgstr ""\n')
    assert list(faults(made, complete=False)) == []
    assert list(faults(made, complete=True)) == [
        "'takes {card}': is fuzzy: somebody has to say whether the translation is right",
        "'row': has no translation",
    ]


def test_a_spoken_form_may_leave_facts_out_and_its_translations_have_the_same_facts() -> None:
    english, german = Catalog("en"), Catalog("de")
    english.add("{card} fits nowhere ({tops})", "{card} fits no pile", context="speech")
    english.add("WHICH SYMBOL?", "rock or paper, {asked}?", context="speech")
    german.add("{card} fits nowhere ({tops})", "{card} passt nicht auf {tops}", context="speech")
    german.add("WHICH SYMBOL?", "Stein oder Papier, {asked}?", context="speech")
    assert list(faults(english, complete=True)) == []
    (fault,) = faults(german, complete=True, english=english)
    assert "other fields: tops" in fault
    english.add("{card}", "{crad}", context="speech")
    assert "other fields: crad" in next(faults(english, complete=True))


def test_a_spoken_form_whose_text_was_reworded_is_named_and_kept() -> None:
    texts, english = Catalog(), Catalog("en")
    texts.add("{card} does not fit", locations=[("companion/a.py", 0)])
    for text in ("{card} fits nowhere", "{card} does not fit"):
        english.add(text, "{card} fits no pile", context="speech")
    (fault,) = add_spoken(texts, english)
    assert fault.startswith("'{card} fits nowhere' is no text")
    assert texts.get("{card} fits nowhere", "speech") is not None


def test_a_wrong_plural_rule_is_a_fault() -> None:
    header = HEADER.replace("UTF-8", 'UTF-8\\n"\n"Plural-Forms: nplurals=1; plural=(n != 1);')
    assert len(list(faults(catalogue(header), complete=False))) == 1


def test_a_name_never_follows_the_word_player() -> None:
    # A person is a fact of its own, said as a name, or as "player 2" where no name is known.
    templates = [texts[0] for texts, _ in translations("de")]
    person = re.compile(r"\bplayers? \{(?!numbers?\}|seat\})", re.IGNORECASE)
    # Of numbers of seats in a log.
    assert {one for one in templates if person.search(one)} == {"player {player}"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_configuration_accepts_every_language_that_has_a_catalogue(language: str, tmp_path: Path) -> None:
    file = tmp_path / "nimmt.toml"
    file.write_text(f'[screen]\nlanguage = "{language}"\n', encoding="utf-8")
    assert load(file).screen.language == language
    assert translation.catalogue_of(language).exists()
    assert Translator(language).say(Text("6 NIMMT!")) == "6 NIMMT!"
