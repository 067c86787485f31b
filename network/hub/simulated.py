"""Tables without boxes: players play by chance, and what a box would send is sent.

For tests, measurements and the demonstration. A simulated box stores and forwards as a real one: it keeps its
steps until the hub has confirmed them, and sends again what is above.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from companion.core.game import RandomSource
from companion.match.dealer import Players, players_by_chance
from companion.match.log import header
from companion.match.match import Match as Played
from companion.match.match import Step, Terms, begin
from companion.protocol.snapshot import public_events
from companion.text.codec import encode_text
from companion.values import field
from network.mqtt import topics
from network.mqtt.payloads import Event, Had, Have, Match, Online, Place, Player, Result, State, encode
from network.mqtt.records import first_seal, header_seal, next_seal

WINDOW = 200
"""Steps that are sent again at a time."""


class SimulatedMatch(Struct):
    """A match as a box tells it: the header with number 0, then the steps."""

    uid: str
    number: int
    match: Played
    events: list[Event]
    names: tuple[str | None, ...]
    players: Players

    @property
    def over(self) -> bool:
        return not self.match.asks


class SimulatedBox(Struct):
    """A box by the name of its table. `publish` sends a message: topic, content, whether it is retained."""

    name: str
    publish: Callable[[str, bytes, bool], None]
    rng: RandomSource
    device: str = ""
    label: str = ""
    now: Callable[[], str] = lambda: ""
    """The clock of the box, as ISO 8601."""
    online: bool = True
    """Whether the network is there; what is sent without it is lost."""
    matches: list[SimulatedMatch] = field(default_factory=list)

    def begin(
        self, terms: Terms, uid: str, names: Sequence[str | None] = (), players: Players | None = None
    ) -> SimulatedMatch:
        record = {**header(terms), "started_at": self.now()}
        del record["log"]
        if any(names):
            record["names"] = list(names)
        first = Event(uid, 0, "", header_seal(uid, record), record)
        made = players or players_by_chance(terms.game, self.rng)
        told = SimulatedMatch(uid, len(self.matches) + 1, begin(terms), [first], tuple(names), made)
        self.matches.append(told)
        self._send(topics.EVENT, first, retain=False)
        self.tell_state()
        return told

    def step(self) -> bool:
        """Let a player do the next thing in the newest match; False when it is over."""
        told = self.matches[-1]
        match = told.match
        if not match.asks:
            return False
        answer = told.players.answer(match)
        found = match.propose(match.game.read(answer.ask, answer.seat, answer.text))
        self.add(told, found)
        return True

    def undo(self) -> None:
        told = self.matches[-1]
        self.add(told, told.match.undo())

    def add(self, told: SimulatedMatch, step: Any) -> None:  # noqa: ANN401 - a step, or a mistake of the simulation
        """Add a step to a match, and tell it."""
        told.match = told.match.then(step)
        record = _record(step, told.match)
        before = told.events[-1].seal if step.number > 1 else first_seal(told.uid)
        at = self.now()
        event = Event(told.uid, step.number, at, next_seal(before, step.number, at, record), record)
        told.events.append(event)
        self._send(topics.EVENT, event, retain=False)
        self.tell_state()

    def say_online(self, *, online: bool = True) -> None:
        """Tell that the box is there."""
        self._send(topics.ONLINE, Online(self.device or self.name, online, self.label), retain=True)

    def tell_state(self) -> None:
        told = self.matches[-1] if self.matches else None
        now = None if told is None else _now(told)
        self._send(
            topics.STATE,
            State(
                self.device or self.name, self.label, running=True, at=self.now(), language="en", match=now
            ),
            retain=True,
        )

    def tell_result(self, round_: int, confirmed: Sequence[int] = ()) -> None:
        """Tell how the newest match has ended, as one of a round of a tournament."""
        told = self.matches[-1]
        match = told.match
        result = Result(
            told.uid,
            match.steps,
            told.events[-1].seal,
            round_,
            tuple(match.totals),
            match.terms.badges,
            tuple(confirmed),
        )
        self._send(topics.RESULT, result, retain=True)

    def hear(self, have: Have) -> int:
        """Send again what the hub has not; gives how many events that were."""
        sent = 0
        for told in self.matches[-topics.NEWEST :]:
            had = have.matches.get(told.uid, Had(0))
            if had.header != told.events[0].seal:
                self._send(topics.EVENT, told.events[0], retain=False)
                sent += 1
            missing = told.events[1 + had.steps :][:WINDOW]
            for event in missing:
                self._send(topics.EVENT, event, retain=False)
            sent += len(missing)
        return sent

    def _send(self, name: str, message: object, *, retain: bool) -> None:
        if self.online:
            self.publish(topics.table_topic(self.name, name), encode(message), retain)


def _record(step: Step, match: Played) -> dict[str, Any]:
    if step.voids is not None:
        return {"voids": step.voids}
    record: dict[str, Any] = {"events": public_events(match.game, step)}
    if step.redoes is not None:
        record["redoes"] = step.redoes
    record["because"] = [{"rule": one.rule, **encode_text(one.says)} for one in step.because]
    return record


def _now(told: SimulatedMatch) -> Match:
    match = told.match
    badges = match.terms.badges
    seats = range(len(match.totals))
    names = {seat: told.names[seat] if seat < len(told.names) else None for seat in seats}
    players = tuple(
        Player(seat, badges[seat] if seat < len(badges) else seat + 1, names[seat], seat in match.players)
        for seat in seats
    )
    places = tuple(
        Place(one.rank, tuple(one.seats), one.total)
        for one in match.position.score_sheet.standings(match.players)
    )
    asked = match.asks[0] if match.asks else None
    return Match(
        told.uid,
        told.number,
        match.terms.game,
        match.game.title,
        match.position.over,
        match.position.deal,
        match.board.turn,
        match.board.turns,
        match.steps,
        players,
        tuple(match.totals),
        tuple(match.points),
        places,
        None if match.winners is None else tuple(match.winners),
        tuple(asked.seats) if asked else (),
        str(asked.says) if asked else "",
        (),
    )
