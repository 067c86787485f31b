"""A sentence as a template with named facts, so that it can be said in any language.

The core holds English templates only. `str(text)` is the English sentence. Who says it in another language
gives a `Locale`: it looks the template up and knows how facts are said. Each kind of fact is a type:

    a number        int               in the digits of the language
    with decimals   `Decimals`        with the decimal separator of the language, too
    a card          `CardNumber`      the same digits as on the card, in every language
    a player        `Who`             "player 3", or a name
    some players    `Players`         "players 1, 3", or their names
    a list          tuple             with the comma of the language between its parts
    some sentences  `Sentences`       with the semicolon of the language between them
    a sentence      `Text`
    anything else   str               as it is: a label, a name, what people typed
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, Protocol

from companion.values import Value, field

_NO_FACTS: Mapping[str, object] = MappingProxyType({})

_NOT_IN_A_LINE: Final = ("Cc", "Cs", "Zl", "Zp")
"""Control characters, halves of a character, and ends of a line or a paragraph (Unicode categories)."""


def is_one_line(text: str) -> bool:
    """Whether a text that people wrote fits a line: nothing in it controls or ends one.

    This is not `str.isprintable`: some scripts need invisible characters, such as U+200C in Persian.
    """
    return not any(unicodedata.category(letter) in _NOT_IN_A_LINE for letter in text)


def can_be_seen(text: str) -> bool:
    """Whether all of a name can be seen: nothing in it ends a line or turns the direction of what follows.

    Only U+200C may be in it, which parts two letters in Persian names.
    """
    return text.replace("\u200c", "").isprintable()


class CardNumber(int):
    """The number printed on a card. It is no count: it looks as on the card in every language."""

    __slots__ = ()


class Decimals(Value):
    """A number as a fact, to so many places after the point: 3.25."""

    number: float
    places: int

    def __str__(self) -> str:
        """In English."""
        return f"{self.number:.{self.places}f}"


class Who(Value):
    """The player of a seat (0-based) as a fact, with the word for it: "player 3", or a known name.

    With a `prefix` it is short, for the display: `P3`.
    """

    seat: int
    prefix: str = ""

    def __str__(self) -> str:
        """In English, without a name."""
        return f"{self.prefix or 'player '}{self.seat + 1}"


class Players(Value):
    """The players of some seats (0-based) as a fact, with the word for them: "players 1, 3", or names."""

    seats: tuple[int, ...]

    def __str__(self) -> str:
        """In English, without names."""
        numbers = ", ".join(str(seat + 1) for seat in self.seats)
        return f"player {numbers}" if len(self.seats) == 1 else f"players {numbers}"


class Sentences(Value):
    """Several sentences as one fact, one after the other."""

    said: tuple[Text, ...]

    def __str__(self) -> str:
        """In English."""
        return "; ".join(map(str, self.said))


class Locale(Protocol):
    """How sentences are said: in a language, with its digits and the names of the players."""

    def template(self, text: Text, count: int) -> str:
        """The template of a text to fill in; `count` decides about its plural."""

    def number(self, number: int) -> str:
        """A number in the digits of the language."""

    def decimals(self, number: Decimals) -> str:
        """A number with the digits and the decimal separator of the language."""

    def name(self, seat: int) -> str | None:
        """The name of the player at a seat; None if players are told by their numbers."""


class Text(Value):
    """An English template with `{named}` facts; `plural` is used unless the fact `count` is 1.

    The kinds of facts stand at the head of this file. `context` tells templates apart that are the same in
    English, but not in every language.
    """

    template: str
    facts: Mapping[str, object] = field(default_factory=lambda: _NO_FACTS)
    plural: str = ""
    context: str = ""

    def __str__(self) -> str:
        """The English sentence."""
        # Not `render`: the referee writes every sentence in English, and this is the short way.
        facts, template = self.facts, self.template
        if self.plural:
            count = facts.get("count", 1)
            template = self.plural if isinstance(count, int) and count != 1 else template
        if tuple in map(type, facts.values()):
            facts = {name: _joined(fact) if type(fact) is tuple else fact for name, fact in facts.items()}
        return template.format_map(facts)

    def __hash__(self) -> int:
        return hash((self.template, self.plural, self.context))

    def render(self, locale: Locale) -> str:
        """The sentence in the words of a locale."""
        if not self.facts:
            return locale.template(self, 1).format()
        count = self.facts.get("count", 1)
        template = locale.template(self, count if isinstance(count, int) else 1)
        return template.format_map({name: _fact(fact, locale) for name, fact in self.facts.items()})

    def with_facts(self, **facts: object) -> Text:
        """The same templates with these facts instead."""
        return Text(self.template, facts, self.plural, self.context)


BULL: Final = "\ue000"
"""A bullhead, the points of 6 nimmt!: a private-use character that the display draws."""

NOTHING: Final = Text("")
"""An empty text."""


def say(template: str, /, **facts: object) -> Text:
    """A `Text` from its template and facts."""
    return Text(template, facts)


def in_context(context: str, template: str, /, **facts: object) -> Text:
    """A `Text` whose template means something else elsewhere, for which other languages have another word."""
    return Text(template, facts, context=context)


def literal(sentence: str) -> Text:
    """A text that is known as a sentence only: it has no facts, and is the same in every language."""
    return Text(sentence.replace("{", "{{").replace("}", "}}"))


def count(single: str, many: str, count: int, /, **facts: object) -> Text:
    """A `Text` that depends on a number, which both templates may name as `{count}`."""
    return Text(single, {"count": count, **facts}, plural=many)


class CardSign(Value):
    """A sign that is printed on cards, a private-use `character` in texts; `letter` is in names of cards."""

    character: str
    drawing: str
    word: Text
    capitals: Text = NOTHING
    letter: str = ""
    emoji: str = ""


ROCK: Final = CardSign("\ue008", "rock", say("rock"), say("ROCK"), "R", "✊")
PAPER: Final = CardSign("\ue009", "paper", say("paper"), say("PAPER"), "P", "✋")
SCISSORS: Final = CardSign("\ue00a", "scissors", say("scissors"), say("SCISSORS"), "S", "✌")
SIGNS: Final = (CardSign(BULL, "bull", in_context("a sign on a card", "heads")), ROCK, PAPER, SCISSORS)

EMOJI: Final = str.maketrans({sign.character: sign.emoji for sign in SIGNS if sign.emoji})
"""For `str.translate`: the symbols of Ciao! where nothing can be drawn."""

_FIRST_WORD: Final = "[a-zäöüß]+(?= [^=])"  # compiled at the first use
"""Not a key of a configuration, a path or a command: these stay as they are."""
_ENDS: Final = (".", "!", "?", "…", ":", "؟")


def in_sentences(*texts: str) -> str:
    """These texts, one after the other: each begins with a capital and ends with a full stop.

    The one way in which a fault and what to do about it stand in a line. Both are kept without a full stop.
    """
    return " ".join(_sentence(text) for text in texts if text)


def _sentence(text: str) -> str:
    whole = text if text.endswith(_ENDS) else f"{text}."
    return f"{whole[0].upper()}{whole[1:]}" if re.match(_FIRST_WORD, whole) else whole


def _joined(facts: tuple[object, ...]) -> str:
    return ", ".join([_joined(fact) if type(fact) is tuple else str(fact) for fact in facts])


_PLAYER: Final = say("player {number}")
_PLAYERS: Final = count("player {numbers}", "players {numbers}", 1)
# Translators: what stands between the parts of a list, with its space. Persian: "، "
COMMA: Final = in_context("between the parts of a list", ", ")
# Translators: what stands between several sentences in one, with its space. Persian: "؛ "
_SEMICOLON: Final = in_context("between sentences", "; ")


def _fact(fact: object, locale: Locale) -> str:
    # A truth is an int for Python, and a card as well; neither is a number for people.
    if type(fact) is int:
        return locale.number(fact)
    if type(fact) is str:  # nearly every fact is one of these two
        return fact
    if isinstance(fact, Text):
        return fact.render(locale)
    if isinstance(fact, Decimals):
        return locale.decimals(fact)
    if isinstance(fact, Who):
        return _who(fact, locale)
    if isinstance(fact, Players):
        return _players(fact, locale)
    if isinstance(fact, Sentences):
        return locale.template(_SEMICOLON, 1).join(text.render(locale) for text in fact.said)
    if isinstance(fact, tuple):
        return locale.template(COMMA, 1).join(_fact(part, locale) for part in fact)
    return str(fact)


def _who(who: Who, locale: Locale) -> str:
    name = locale.name(who.seat)
    if name is None and who.prefix:
        return f"{who.prefix}{who.seat + 1}"
    return _PLAYER.with_facts(number=who.seat + 1).render(locale) if name is None else name


def _players(players: Players, locale: Locale) -> str:
    names = [locale.name(seat) for seat in players.seats]
    known = [name for name in names if name is not None]
    if known and len(known) == len(names):
        return locale.template(COMMA, 1).join(known)
    numbers = tuple(seat + 1 for seat in players.seats)
    return _PLAYERS.with_facts(count=len(numbers), numbers=numbers).render(locale)
