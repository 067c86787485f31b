"""The spoken form of each text, in pieces: a sentence on a display and one to listen to are two.

A spoken sentence is short, has no capitals, no list of what was compared, and in Persian the vowels that are
not written otherwise. The catalogues have it by the template of the written one, also the English catalogue.
A text without a spoken form is said as it is written: it is a sentence, also in a game of another package.
Here are the questions, which are the same in every game, and how a deal and a match ended.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from gettext import GNUTranslations
from typing import Final

from companion.core.ask import AskKind, Wait
from companion.text.sentence import NOTHING, Players, Text, Who, in_context
from firmware.text.translation import DEFAULT, Translator, catalogue_of

SPEECH: Final = ("speech in short", "speech")
"""The contexts of the spoken forms, without the reason and with it. A form may leave facts out."""

_SILENT: Final = "–"
"""The spoken form of a text that is not said, because another sentence of the same step says it."""

_QUESTIONS: Final[Mapping[tuple[AskKind, Wait | None], Text]] = {
    (AskKind.LAY, None): in_context("speech", "lay out the rows"),
    (AskKind.TURN_UP, None): in_context("speech", "turn up a card for a new pile"),
    (AskKind.PICK, None): in_context("speech", "{asked} picks a card"),
    (AskKind.HOLD, None): in_context("speech", "scan the cards in your hands"),
    (AskKind.PLAY, Wait.ALL): in_context("speech", "everybody plays a card"),
    (AskKind.PLAY, None): in_context("speech", "your turn, {asked}"),
    (AskKind.GIVE, None): in_context("speech", "{asked} gives a card away"),
    (AskKind.HAND, Wait.ONE): in_context("speech", "scan the cards that {asked} has left"),
    (AskKind.HAND, None): in_context("speech", "scan the cards that are left in the hands"),
    (AskKind.CHOOSE, Wait.ONE): in_context("speech", "which row does {asked} take?"),
    (AskKind.CHOOSE, None): in_context("speech", "who played {card}, and which row is taken?"),
    (AskKind.TAKE, None): in_context("speech", "which pile does {asked} take?"),
    (AskKind.CLAIM, None): in_context("speech", "who played {card}?"),
    (AskKind.WHOM, None): in_context("speech", "{asked} chooses a player"),
    (AskKind.DECIDE, None): in_context("speech", "{asked} decides"),
}

UNDONE: Final = in_context("speech", "taken back")
DEAL_OVER: Final = in_context("speech", "deal {deal} is over")
TOTAL: Final = in_context("speech", "{players}: {total}")
MATCH_OVER: Final = in_context("speech", "the match is over")
WINNER: Final = in_context("speech", "{players} wins")
TWO_WINNERS: Final = in_context("speech", "{one} and {other} win")
WINNERS: Final = in_context("speech", "{players} win")
TRY: Final = in_context("speech", "{card} goes to row {row}: {end} is the closest", card=44, row=3, end=43)
PLAYER: Final = in_context("speech", "player {number}")

_PHRASES: Final = (
    *_QUESTIONS.values(), UNDONE, DEAL_OVER, TOTAL, MATCH_OVER, WINNER, TWO_WINNERS, WINNERS, PLAYER
)  # fmt: skip

_EDGE: Final = "\x1f"
"""Stands on both sides of a fact in a sentence that is taken apart. No text of people has it."""

_UNSPOKEN: Final = dict.fromkeys((*range(0x2066, 0x206A), 0x200E, 0x200F, *range(0xE000, 0xE100)))
"""Directions of writing, and the signs of our display: `str.translate` removes them."""

_SIGNS: Final = " .,;:!?()«»،؛؟…–-"

_EZAFE: Final = "\u0650"
"""The vowel of Persian between two facts; nobody could record it alone."""


def voice(language: str, *, short: bool = False, names: Sequence[str] | None = None) -> Translator:
    """The spoken texts of a language, for `pieces`; `short`: without reasons.

    Without `names`, by seat, players are numbers. Numbers are in Latin digits, which every voice reads.
    """
    t = Translator(language, "latin", "language", *(SPEECH if short else SPEECH[1:]))
    t.edge, t.signs = _EDGE, _UNSPOKEN
    if names is None:
        t.naming = lambda seat: t.say(PLAYER.with_facts(number=seat + 1))
    else:
        t.naming = lambda seat: names[seat] if seat < len(names) else None
    return t


def pieces(t: Translator, text: Text) -> tuple[str, ...]:
    """What a sentence of a `voice` consists of, in order: words that stand together, numbers, signs."""
    sentence = t.say(text)
    if sentence.isupper():  # a line of the display without a spoken form: a voice may spell its words
        sentence = sentence.lower()
    return tuple(piece for piece in sentence.split(_EDGE) if piece not in ("", _SILENT))


def is_spoken(text: Text, *, short: bool = False) -> bool:
    """Whether a text is said at all: not if another sentence of the same step says it. English decides."""
    return bool(pieces(voice(DEFAULT, short=short), text))


def question(written: Text, kind: AskKind, wait: Wait, seats: tuple[int, ...], card: str | None) -> Text:
    """The text to say for an open question; NOTHING for one that nobody has to hear, such as how to go on."""
    text = written
    if voice(DEFAULT).in_contexts(written) is None:
        text = _QUESTIONS.get((kind, wait)) or _QUESTIONS.get((kind, None), NOTHING)
    asked = Who(seats[0]) if len(seats) == 1 else Players(seats)
    facts = {"card": card or "", **written.facts, "asked": asked}
    return Text(text.template, facts, text.plural, text.context)


def words(language: str) -> Iterator[str]:
    """Every piece that can come in a spoken sentence, but numbers and names: what a speaker records."""
    with catalogue_of(language).with_suffix(".mo").open("rb") as file:
        known: Mapping[str | tuple[str, int], str] = vars(GNUTranslations(file))["_catalog"]
    t = Translator(language)
    phrases = [t.template(text, 1) for text in _PHRASES]
    for key, template in known.items():
        context, _, _ = (key if isinstance(key, str) else key[0]).partition("\x04")
        phrases += [template] if context in SPEECH else []
    for phrase in phrases:
        yield from filter(None, map(spoken_words, re.split(r"{\w+}", phrase)))


def spoken_words(piece: str) -> str:
    """The words of a piece, without the signs at its ends and what nobody hears; empty for a sign alone."""
    found = piece.translate(_UNSPOKEN).strip(_SIGNS)
    return found if found != _EZAFE else ""
