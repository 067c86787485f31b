"""What the voice says in whole matches, in every language: for docs/speech.md."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from companion.core.cards import Seat
from companion.match.dealer import Dealer, by_chance
from companion.match.match import Match, Step, Terms, begin
from companion.protocol.snapshot import TableSnapshot, public_step, table_snapshot
from companion.text.sentence import Text
from firmware.extensions.speech.moments import moment
from firmware.extensions.speech.phrases import SpeechTranslator
from firmware.extensions.speech.voices import as_line
from firmware.table_socket.messages import StepEvent
from firmware.text.translation import LANGUAGES

_SEED: Final = 1
MATCHES: Final[Mapping[str, Mapping[str, object]]] = {
    "six": {"end": {"deals": 1}},
    "eleven": {"deals": 1},
    "ciao": {"end": {"deals": 1}},
}
"""The options of a match that is over after one deal."""


def utterances(game: str, level: str) -> Iterator[tuple[Text, ...]]:
    """What is said in one match of two players who play by chance, one utterance after the other."""
    random = Random(_SEED)  # noqa: S311 - a match for a page
    people = Dealer(random, by_chance(random), named=True)
    match = begin(Terms(game, 2, MATCHES[game], Seat(0)))
    before: TableSnapshot | None = None
    while True:
        now = _snapshot(match)
        events = [] if match.newest is None else [StepEvent(0, 1, public_step(match.newest, match, str))]
        if said := moment(before, now, events, level):
            yield said
        if match.position.over:
            return
        answer = people.answer(match)
        step = match.propose(match.game.read(answer.ask, answer.seat, answer.text))
        if not isinstance(step, Step):
            raise TypeError(step)
        match, before = match.then(step), now


def _snapshot(match: Match) -> TableSnapshot:
    return table_snapshot(match, [(seat + 1, "") for seat in range(2)], str, 1)


def tables(level: str = "rulings") -> str:
    """A table for each game: what is said, in a column for each language."""
    translators = [SpeechTranslator(language) for language in LANGUAGES]
    lines: list[str] = []
    for game, options in MATCHES.items():
        lines += ["", f"### {begin(Terms(game, 2, options)).game.title}", ""]
        lines += [f"| {' | '.join(one.title for one in LANGUAGES.values())} |", f"|{'---|' * len(LANGUAGES)}"]
        for said in utterances(game, level):
            told = [as_line([t.pieces(text) for text in said]) for t in translators]
            lines.append(f"| {' | '.join(told)} |")
    return "\n".join(lines[1:]) + "\n"
