"""A match of two players who play by chance, as the voice tells it: one utterance after the other."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from companion.core.cards import Seat
from companion.match.dealer import Dealer, by_chance
from companion.match.match import Step, Terms, begin
from companion.protocol.snapshot import TableSnapshot, public_step, table_snapshot
from companion.text.sentence import Text
from firmware.extensions.speech.moments import moment
from firmware.table_socket.messages import StepEvent

MATCHES: Final[Mapping[str, Mapping[str, object]]] = {
    "six": {"end": {"deals": 1}},
    "eleven": {"deals": 1},
    "ciao": {"end": {"deals": 1}},
}
"""The options of a match that is over after one deal."""


def utterances(game: str, level: str) -> Iterator[tuple[Text, ...]]:
    random = Random(1)
    people = Dealer(random, by_chance(random), named=True)
    match = begin(Terms(game, 2, MATCHES[game], Seat(0)))
    before: TableSnapshot | None = None
    while True:
        now = table_snapshot(match, [(1, ""), (2, "")], str, 1)
        events = [] if match.newest is None else [StepEvent(0, 1, public_step(match.newest, match, str))]
        if said := moment(before, now, events, level):
            yield said
        if match.position.over:
            return
        answer = people.answer(match)
        step = match.propose(match.game.read(answer.ask, answer.seat, answer.text))
        assert isinstance(step, Step)
        match, before = match.then(step), now
