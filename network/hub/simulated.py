"""Tables without boxes: players play by chance, and what a box would send is sent.

For tests, measurements and the demonstration. A simulated box stores and forwards as a real one: it keeps its
steps until the hub has confirmed them, and sends again what is above.
"""

from collections.abc import Callable, Sequence
from typing import Any

from msgspec import Struct

from companion.core.game import RandomSource
from companion.match.dealer import Players, players_by_chance
from companion.match.log import header, write_step
from companion.match.match import Match as Played
from companion.match.match import Terms, begin
from companion.protocol.snapshot import table_snapshot
from companion.values import field
from firmware.text.translation import translator
from network.mqtt import payloads, topics
from network.mqtt.payloads import Event, Had, Have, Match, Online, Result, State, encode
from network.mqtt.state import match_of

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
        first = Event(uid, 0, "", payloads.header_seal(uid, record), record)
        made = players or players_by_chance(terms.game, self.rng)
        told = SimulatedMatch(uid, len(self.matches) + 1, begin(terms), [first], tuple(names), made)
        self.matches.append(told)
        self._send(topics.EVENT, first, retain=False)
        self.tell_state()
        return told

    def play(self, steps: int | None = None) -> None:
        """Play so many steps of the newest match, or all, and tell the state of the table once."""
        while steps != 0 and self.step(quietly=True):
            steps = None if steps is None else steps - 1
        self.tell_state()

    def step(self, *, quietly: bool = False) -> bool:
        """Let a player do the next thing in the newest match; False when it is over.

        `quietly`: the step is told, but not the state of the table.
        """
        told = self.matches[-1]
        match = told.match
        if not match.asks:
            return False
        answer = told.players.answer(match)
        found = match.propose(match.game.read(answer.ask, answer.seat, answer.text))
        self.add(told, found, quietly=quietly)
        return True

    def undo(self) -> None:
        told = self.matches[-1]
        self.add(told, told.match.undo())

    def add(self, told: SimulatedMatch, step: Any, *, quietly: bool = False) -> None:  # noqa: ANN401 - a step
        """Add a step to a match, and tell it."""
        told.match = told.match.then(step)
        record = payloads.step_record(told.match.game, write_step(step, sentences=False))
        before = told.events[-1].seal if step.number > 1 else payloads.first_seal(told.uid)
        at = self.now()
        event = Event(told.uid, step.number, at, payloads.next_seal(before, step.number, at, record), record)
        told.events.append(event)
        self._send(topics.EVENT, event, retain=False)
        if not quietly:
            self.tell_state()

    def say_online(self, *, online: bool = True) -> None:
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
            match=told.uid,
            steps=match.steps,
            seal=told.events[-1].seal,
            round=round_,
            totals=tuple(match.totals),
            badges=match.terms.badges,
            confirmed=tuple(confirmed),
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


def _now(told: SimulatedMatch) -> Match:
    badges = told.match.terms.badges
    people = []
    for seat in range(len(told.match.totals)):
        badge = badges[seat] if seat < len(badges) else seat + 1
        people.append((badge, (told.names[seat] if seat < len(told.names) else None) or f"P{badge}"))
    t = translator("en", "latin")
    table = table_snapshot(told.match, people, t.calling([name for _, name in people]).say, told.number)
    return match_of(table, told.uid, t, names=True)
