"""Every rule that cites a rulebook says where it is printed, and it is printed there.

`rulebook_quotes.json` has for each such rule the section, the number of the rule or paragraph, and some
words as they are printed there, in Persian. The rulebooks are not part of this repository. To look every
quotation up, name a folder with them in the environment variable NIMMT_RULEBOOKS: text files whose names
begin with the numbers in `booklets`, with one heading or one paragraph per line.
"""

import json
import os
import re
from itertools import dropwhile
from pathlib import Path
from typing import Any

import pytest

from companion.core import games
from companion.core.ruling import Rule

DATA: dict[str, Any] = json.loads((Path(__file__).parent / "rulebook_quotes.json").read_text("utf-8"))
QUOTES: dict[str, list[dict[str, Any]]] = DATA["quotes"]
FOLDER = os.environ.get("NIMMT_RULEBOOKS", "")
ORDINAL = {digit: str(number) for number, digit in enumerate("۰۱۲۳۴۵۶۷۸۹")}
NO_PARAGRAPHS = ("مثال", "شکل", "تصویر")
"""What an example and a picture begin with: they are not counted as paragraphs."""


def rules_of(game: str) -> list[Rule]:
    module = games.module(game)
    return list(module.make(module.SEATS[0], {}).rules.values())


RULES = {rule.key: rule for game in games.GAMES for rule in rules_of(game)}
PRINTED = [
    key for key, rule in RULES.items() if re.match(r"(6 nimmt!|11 nimmt!|Ciao!) rulebook, ", rule.source)
]


def as_source(places: list[dict[str, Any]]) -> str:
    """The places of a rule as its source names them: a game only where it is another one than before."""
    named, before = [], None
    for place in places:
        book = "" if place["game"] == before else f"{place['game']} rulebook, "
        number = f", {place['number']}" if place["number"] else ""
        named.append(f"{book}{place['section']}{number}")
        before = place["game"]
    return "; ".join(named)


@pytest.mark.parametrize("key", RULES)
def test_a_source_is_a_place_in_a_rulebook_a_house_rule_or_this_device(key: str) -> None:
    source = RULES[key].source
    assert (key in PRINTED) is (key in QUOTES), source
    if key not in PRINTED:
        assert source == "this device" or source.startswith("house rule")
    assert not key.startswith("H") or source.startswith("house rule")


@pytest.mark.parametrize("key", PRINTED)
def test_a_quotation_has_the_section_and_the_number_that_the_source_names(key: str) -> None:
    assert as_source(QUOTES[key]) == RULES[key].source
    for place in QUOTES[key]:
        assert place["section"] in DATA["headings"][place["game"]]
        assert place["quotes"]
        numbers = re.findall(r"\d+", place["number"])
        assert len(numbers) in (0, 1, len(place["quotes"]))


def test_the_section_that_a_house_rule_is_about_is_one_of_the_rulebook() -> None:
    about = [rule.source for rule in RULES.values() if rule.source.startswith("house rule on ")]
    for source in about:
        game, _, place = source.removeprefix("house rule on ").partition(" rulebook, ")
        section = re.sub(r", (paragraph|figure) \d$", "", place)
        assert any(f", {name}".endswith(f", {section}") for name in DATA["headings"][game]), source
    assert about


# ------------------------------------------------------------------------------------- with the rulebooks


def plain(line: str) -> str:
    """A line without marks of its layout, bullets and joiners, which transcriptions write in many ways."""
    return " ".join(re.sub("[*#\u200c]", "", line).split()).lstrip("-–• ")


def lines_of(game: str) -> list[str]:
    (book,) = Path(FOLDER).glob(f"{DATA['booklets'][game]}*")
    return [line for line in map(plain, book.read_text("utf-8").splitlines()) if line]


def section_lines(game: str, section: str) -> list[str]:
    """The lines of a section; the first is what its heading line has behind the heading."""
    heading = plain(DATA["headings"][game][section])
    others = [plain(one) for name, one in DATA["headings"][game].items() if name != section]
    first, *below = dropwhile(lambda line: not line.startswith(heading), lines_of(game))
    found = [first.removeprefix(heading).strip(" :!")]
    for line in below:
        if any(line.startswith(other) for other in others):
            break
        found.append(line)
    return [line for line in found if line]


def numbered(game: str, section: str, number: str) -> list[list[str]]:
    """The lines that one or more numbers of a section mean: "rule 3", "paragraphs 1 and 2"; "": all."""
    lines = section_lines(game, section)
    numbers = [int(digit) for digit in re.findall(r"\d+", number)]
    if number.startswith("rule"):
        marks = list(map(plain, DATA["rules_by_number"][game]))
        begun: dict[int, list[str]] = {}
        rule = 0
        for line in lines:
            rule = next((at for at, mark in enumerate(marks, start=1) if line.startswith(mark)), rule)
            begun.setdefault(rule, []).append(line)
        return [begun[one] for one in numbers]
    if number.startswith("paragraph"):
        paragraphs = [line for line in lines if not line.startswith(NO_PARAGRAPHS)]
        return [[paragraphs[one - 1]] for one in numbers]
    if number.startswith("figure"):
        begins = plain(DATA["headings"][game][section])
        heading = next(line for line in lines_of(game) if line.startswith(begins))
        assert str(numbers[0]) in re.sub("[۰-۹]", lambda digit: ORDINAL[digit[0]], heading)
    return [lines]


@pytest.mark.skipif(not FOLDER, reason="NIMMT_RULEBOOKS names no folder with the rulebooks as text")
@pytest.mark.parametrize("key", PRINTED)
def test_a_quotation_is_printed_at_its_place(key: str) -> None:
    for place in QUOTES[key]:
        parts = numbered(place["game"], place["section"], place["number"])
        parts *= len(place["quotes"]) if len(parts) == 1 else 1
        for quote, part in zip(place["quotes"], parts, strict=True):
            assert plain(quote) in " ".join(part), (place["section"], quote)
