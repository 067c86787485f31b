"""Every text of the program is found, and a text that no translation could reach is a fault."""

from pathlib import Path

import pytest
from babel.messages.catalog import Message

from tools.texts import template

IMPORTS = """\
from companion.core.ruling import Rule
from companion.text.sentence import count, in_context, say
from hardware.errors import sentence
from hardware.options import option
"""


def found_in(folder: Path, *sources: str) -> list[Message]:
    package = folder / "firmware"
    package.mkdir()
    for name, source in zip("abc", sources, strict=False):
        (package / f"{name}.py").write_text(IMPORTS + source, encoding="utf-8")
    return [message for message in template(folder) if message.id]


@pytest.mark.parametrize(
    ("source", "template"),
    [
        ('say("{card} goes to row {row}", card=1, row=2)', (None, "{card} goes to row {row}")),
        ('say("a" " and b")', (None, "a and b")),
        ('count("{count} card", "{count} cards", 3)', (None, ("{count} card", "{count} cards"))),
        ('in_context("verb", "TAKES")', ("verb", "TAKES")),
        ('t("OK=NEXT")', (None, "OK=NEXT")),
        ('table.say(table.session.translate("UNDONE"))', (None, "UNDONE")),
        ('translate("{name} picked", name=name)', (None, "{name} picked")),
        ('sentence("no scanner")', (None, "no scanner")),
        ('option("the speed", low=3)', (None, "the speed")),
    ],
)
def test_a_text_is_found_however_it_is_made(
    source: str, template: tuple[str | None, object], tmp_path: Path
) -> None:
    assert [(one.context, one.id) for one in found_in(tmp_path, source)] == [template]


def test_both_texts_of_a_condition_are_found(tmp_path: Path) -> None:
    found = found_in(tmp_path, 't("SOUND ON" if on else "SOUND OFF")')
    assert [one.id for one in found] == ["SOUND ON", "SOUND OFF"]


def test_the_place_the_title_and_the_sentence_of_a_rule_are_found_and_explained(tmp_path: Path) -> None:
    rule = 'Rule("X-1", "house rule", "SHORT", full="A full sentence.")'
    source, short, full = found_in(tmp_path, rule)
    assert (source.id, short.id, full.id) == ("house rule", "SHORT", "A full sentence.")
    assert "rulebook" in source.auto_comments[0]
    assert "21 letters" in short.auto_comments[0]
    assert full.auto_comments == ["A rule, in full."]


def test_what_is_no_text_is_left_alone(tmp_path: Path) -> None:
    source = 'numbers.count(3)\nshown.translate(_TABLE)\nview.say(other)\nsay("")'
    assert found_in(tmp_path, source, "def say(word): ...\nview.count(say)") == []


@pytest.mark.parametrize(
    "source",
    [
        "say(word)",
        'say(f"{card} goes to row {row}")',
        'say("row " + word)',
        'say("row {}".format(3))',
        'say("a" if one else word)',
        "say(*words)",
        'count("{count} card", many, 3)',
        'count("{count} card")',
        'count("a" if one else "b", "c", 3)',
        'in_context(where, "TAKES")',
        'Rule("X-1", "house rule", "SHORT", sentence)',
        "t(device.upper())",
    ],
)
def test_a_text_that_no_translation_could_reach_is_a_fault(source: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"firmware/a\.py:5: this text is not a literal"):
        found_in(tmp_path, source)


def test_the_texts_of_a_template_are_found_and_each_is_a_literal(tmp_path: Path) -> None:
    page = tmp_path / "network" / "templates" / "page.html"
    page.parent.mkdir(parents=True)
    page.write_text(
        '<p>{{ t("{count} deals", count=n) }}</p>\n{# Translators: a column #}\n'
        '{{ t.say(in_context("of a card", "heads")) }}\n'
    )
    deals, heads = (message for message in template(tmp_path) if message.id)
    assert (deals.id, deals.auto_comments) == ("{count} deals", [])
    assert (heads.context, heads.id, heads.auto_comments) == ("of a card", "heads", ["a column"])
    page.write_text("<p>\n{{ t(word) }}</p>")
    with pytest.raises(ValueError, match=r"network/templates/page\.html:2: this text is not a literal"):
        template(tmp_path)


def test_the_same_text_in_several_files_is_one_template_with_all_that_is_said_about_it(
    tmp_path: Path,
) -> None:
    (found,) = found_in(
        tmp_path,
        "# Translators: a game\n# of cards\nsay('a')\n",
        "say('a')\ncount('a', 'b', 2)\n# A remark for programmers.\n",
    )
    assert (found.id, found.auto_comments) == (("a", "b"), ["a game of cards"])
    assert [file for file, _ in found.locations] == ["firmware/a.py", "firmware/b.py"]


@pytest.mark.slow
def test_what_speaks_english_alone_has_no_texts(tmp_path: Path) -> None:
    (tmp_path / "firmware" / "journal").mkdir(parents=True)
    source = IMPORTS + 'raise JournalError(say("the disk is full"), "free some space")'
    (tmp_path / "firmware" / "journal" / "errors.py").write_text(source)
    with pytest.raises(ValueError, match=r"firmware/journal/errors\.py:5: .* write it in English"):
        template(tmp_path)
