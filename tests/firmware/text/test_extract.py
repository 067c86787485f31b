"""Every text of the program is found, and a text that no translation could reach is a fault."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from firmware.text.catalogue import read
from tools.texts.__main__ import ROOT
from tools.texts.extract import Found, Template, add_file, extract

if TYPE_CHECKING:
    from pathlib import Path

IMPORTS = """\
from companion.core.ruling import Rule
from companion.text.sentence import Text, count, in_context, say
from companion.text.sentence import count as counted
from firmware.text.translation import Translator
"""


def found_in(source: str, name: str = "firmware/some.py") -> Found:
    found = Found()
    errors = frozenset({"CompanionError", "InvalidRecord", "UnknownCard"})
    add_file(found, name, IMPORTS + source, errors, frozenset({"Translator", "spoken"}))
    return found


def templates(source: str) -> list[tuple[str, str, str]]:
    found = found_in(source)
    assert found.faults == []
    return [(one.context, one.template, one.plural) for one in found.templates.values()]


@pytest.mark.parametrize(
    ("source", "template"),
    [
        ('say("{card} goes to row {row}", card=1, row=2)', ("", "{card} goes to row {row}", "")),
        ('Text("a" " and b")', ("", "a and b", "")),
        ('count("{count} card", "{count} cards", 3)', ("", "{count} card", "{count} cards")),
        ('counted("{count} card", "{count} cards", 3)', ("", "{count} card", "{count} cards")),
        ('Text("a", {}, "many", "verb")', ("verb", "a", "many")),
        ('Text("a", {"x": 1}, context="verb")', ("verb", "a", "")),
        ('in_context("verb", "TAKES")', ("verb", "TAKES", "")),
        ('t("OK=NEXT")', ("", "OK=NEXT", "")),
        ('controller.say(controller.session.translate("UNDONE"))', ("", "UNDONE", "")),
        ('translate("{name} picked", name=name)', ("", "{name} picked", "")),
        ('words = session.translate\nwords("UNDONE")', ("", "UNDONE", "")),
        ('hint, words = "", session.translate\nwords("UNDONE")', ("", "UNDONE", "")),
        ('words = Translator("de")\nwords("UNDONE")', ("", "UNDONE", "")),
        ('def tell(args: Translator): args("recorded")', ("", "recorded", "")),
        ('def f(self, words: Translator): self._words = words\ndef g(self): self._words("a")', ("", "a", "")),
        ('spoken(None)("{rounds} rounds", rounds=3)', ("", "{rounds} rounds", "")),
        ('words = spoken(file)\nwords("UNDONE")', ("", "UNDONE", "")),
        ('Translator("de")("UNDONE")', ("", "UNDONE", "")),
        ('from hardware.errors import sentence\nsentence("no scanner")', ("", "no scanner", "")),
        ('parser.add_argument("--json", help="the findings")', ("", "the findings", "")),
    ],
)
def test_a_text_is_found_however_it_is_made(source: str, template: tuple[str, str, str]) -> None:
    assert templates(source) == [template]


def test_both_texts_of_a_condition_are_found() -> None:
    assert templates('t("SOUND ON" if on else "SOUND OFF")') == [("", "SOUND ON", ""), ("", "SOUND OFF", "")]


def test_the_place_the_title_and_the_sentence_of_a_rule_are_found_and_explained() -> None:
    found = found_in('Rule("X-1", "house rule", "SHORT", full="A full sentence.")')
    (source, short, full) = found.templates.values()
    assert (source.template, short.template, full.template) == ("house rule", "SHORT", "A full sentence.")
    assert "rulebook" in source.comments[0]
    assert "21 letters" in short.comments[0]
    assert full.comments == ("A rule, in full.",)


def test_a_command_to_type_is_the_same_in_every_language() -> None:
    assert len(templates('say("run {tool} x", tool="sudo apt install")')) == 1


def test_what_is_no_text_is_left_alone() -> None:
    assert templates('numbers.count(3)\nshown.translate(_TABLE)\nview.say(other)\nsay("")') == []


@pytest.mark.parametrize(
    "source",
    [
        "say(word)",
        'say(f"{card} goes to row {row}")',
        'say("row " + word)',
        'say("row {}".format(3))',
        'HardwareError("scanner", "it is gone", check)',
        'DeviceFault("scanner", fault, f"look at {port}")',
        'say("a" if one else word)',
        "say(*words)",
        "Text(rule.short)",
        'Text("a", {}, many)',
        'count("{count} card", many, 3)',
        'count("{count} card")',
        'count("a" if one else "b", "c", 3)',
        'in_context(where, "TAKES")',
        'Rule("X-1", "house rule", "SHORT", sentence)',
        't(device.upper())',
        "session.translate(word)",
        "self.session.translate(word)",
        "words = session.translate\nwords(word)",
        "def tell(words: Translator): words(word)",
        "tuple(map(say, WORDS))",
        'say("{what} is broken", what="the disk" if disk else "the card reader")',
        'who = f"process {pid}" if pid else "another process"\nsay("{who} has it", who=who)',
        "tell = say",
        "spoken(None)(word)",
        "words = spoken(file)\nwords(word)",
        'raise CompanionError("no badge", fix)',
        'fix = "use one of these"\nraise CompanionError(say("no badge"), fix)',
        'HOW: Final = f"use 1 to {MOST}"\nraise CompanionError(say("no badge"), HOW)',
        'raise CompanionError(say("no badge"), say("use it") if one else "leave it out")',
        'def refuse(fix: str): raise CompanionError(say("no badge"), fix)',
        'class UnknownCard(CompanionError):\n def __init__(self): super().__init__(say("a"), "b")',
        'raise InvalidRecord(fault, f"use {number}")',
        'raise errors.UnknownCard(fault, "use " + words)',
        'parser.add_argument("--wide", help=f"{about}, in mm")',
    ],
)  # fmt: skip
def test_a_text_that_no_translation_could_reach_is_a_fault(source: str) -> None:
    assert len(found_in(source).faults) == 1


def test_one_singular_with_two_plurals_is_a_fault() -> None:
    assert found_in('count("one", "many", 1)\ncount("one", "two", 2)').faults == [
        "firmware/some.py:6: 'one' has another plural elsewhere: 'many'"
    ]


def test_the_same_text_in_several_files_is_one_template_with_all_that_is_said_about_it() -> None:
    found = Found()
    add_file(found, "firmware/a.py", IMPORTS + "# Translators: a game\n# of cards\nsay('a')\n")
    add_file(found, "firmware/b.py", IMPORTS + "say('a')\ncount('a', 'b', 2)\n# A remark for programmers.\n")
    assert list(found.templates.values()) == [
        Template("a", "b", "", ("firmware/a.py", "firmware/b.py"), ("a game of cards",))
    ]


def test_every_text_of_the_program_can_be_translated() -> None:
    # `test_catalogues` extracts them all: there is no fault, and this file has what is found.
    catalogue = (ROOT / "firmware" / "text" / "catalogues" / "nimmt.pot").read_text(encoding="utf-8")
    found = {(entry.context, entry.template): entry for entry in read(catalogue)}
    assert found["", "{count} DEAL"].plural == "{count} DEALS"
    assert ("", "SHARED VICTORY") in found
    assert ("between the parts of a list", ", ") in found
    assert found["", "player {numbers}"].plural == "players {numbers}"


def test_every_error_that_people_meet_is_known_by_what_it_is_made_of(tmp_path: Path) -> None:
    package = tmp_path / "firmware"
    package.mkdir()
    (package / "errors.py").write_text("class Odd(CompanionError, ValueError): ...\nclass Odder(Odd): ...\n")
    (package / "sheet.py").write_text('raise errors.Odder(f"no sheet {name}", say("use another one"))\n')
    assert extract(tmp_path).faults == [
        "firmware/sheet.py:1: this error cannot be translated: write say(...)"
    ]


def test_whatever_gives_a_translator_is_known_wherever_it_is_defined(tmp_path: Path) -> None:
    package = tmp_path / "network"
    package.mkdir()
    (package / "a.py").write_text("class Site:\n    def texts(self, request) -> Translator: ...\n")
    (package / "b.py").write_text('site.texts(request)("Live")\n')
    assert ("", "Live") in extract(tmp_path).templates
