"""Tables without boxes: players play by chance, and what a box would send is sent.

For tests, measurements and the demonstration. What a simulated box sends, and sends again, is decided as at a
real one, by `network.mqtt.forward`.
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
from network.mqtt.forward import Forward
from network.mqtt.payloads import Event, Have, Match, Online, Result, State, encode
from network.mqtt.records import NEWEST, PublishedMatch
from network.mqtt.state import match_of


class SimulatedMatch(Struct):
    """A match as a box tells it: the header with number 0, then the steps."""

    uid: str
    match: Played
    events: list[Event]
    names: tuple[str | None, ...]
    players: Players


class SimulatedBox(Struct):
    """A box by the name of its table.

    `publish` sends a message, with its topic and whether it is retained; False: it cannot take it now.
    """

    name: str
    publish: Callable[[str, bytes, bool], bool]
    rng: RandomSource
    device: str = ""
    label: str = ""
    now: Callable[[], str] = lambda: ""
    """The clock of the box, as ISO 8601."""
    online: bool = True
    """Whether the network is there; nothing is sent without it."""
    matches: list[SimulatedMatch] = field(default_factory=list)
    forward: Forward = field(default_factory=Forward)

    def __post_init__(self) -> None:
        self.device = self.device or self.name
        self.forward.journal([])

    def begin(self, terms: Terms, uid: str, names: Sequence[str | None] = ()) -> SimulatedMatch:
        record = {**header(terms), "started_at": self.now()}
        del record["log"]
        if any(names):
            record["names"] = list(names)
        first = Event(uid, 0, "", "", record)
        players = players_by_chance(terms.game, self.rng)
        told = SimulatedMatch(uid, begin(terms), [first], tuple(names), players)
        self.matches.append(told)
        self.send()
        self.tell_state()
        return told

    def play(self, steps: int | None = None) -> None:
        """Play so many steps of the newest match, or all."""
        while steps != 0 and self.step():
            steps = None if steps is None else steps - 1

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

    def add(self, told: SimulatedMatch, step: Any) -> None:  # noqa: ANN401 - a step
        """Add a step to a match, and tell it."""
        told.match = told.match.then(step)
        record = payloads.step_record(told.match.game, write_step(step, sentences=False))
        after = told.events[-1].at if step.number > 1 else ""
        told.events.append(Event(told.uid, step.number, self.now(), after, record))
        self.send()
        self.tell_state()

    def say_online(self, *, online: bool = True) -> None:
        self._send(topics.ONLINE, Online(self.device, online, self.label), retain=True)

    def tell_state(self) -> None:
        match = self._now(self.matches[-1]) if self.matches else None
        state = State(self.device, self.label, running=True, at=self.now(), language="en", match=match)
        self._send(topics.STATE, state, retain=True)

    def tell_result(self, round_: int, confirmed: Sequence[int] = ()) -> None:
        """Tell how the newest match has ended, as one of a round of a tournament."""
        told = self.matches[-1]
        match = told.match
        totals, badges = tuple(match.totals), match.terms.badges
        result = Result(told.uid, match.steps, round_, totals, badges, tuple(confirmed))
        self._send(topics.RESULT, result, retain=True)

    def connected(self) -> None:
        self.forward.connected()
        self.say_online()
        self.tell_state()

    def hear(self, have: Have) -> None:
        """Take what the hub has, and send what it lacks."""
        self.forward.have(have)
        self.send()

    def send(self) -> None:
        """Send the steps that are due."""
        told = self.matches[: -NEWEST - 1 : -1]
        self.forward.journal([PublishedMatch(one.uid, len(one.events) - 1, one.events[0]) for one in told])
        steps = {one.uid: one.events for one in told}
        self.forward.send(
            lambda uid, sent: steps[uid][sent + 1 :],
            lambda event: self._send(topics.EVENT, event, retain=False),
        )

    def _send(self, name: str, message: object, *, retain: bool) -> bool:
        return self.online and self.publish(topics.table_topic(self.name, name), encode(message), retain)

    def _now(self, told: SimulatedMatch) -> Match:
        badges = told.match.terms.badges or range(1, len(told.match.totals) + 1)
        names = told.names or (None,) * len(badges)
        people = [(badge, name or f"P{badge}") for badge, name in zip(badges, names, strict=True)]
        t = translator("en", "latin")
        calling = t.calling([name for _, name in people])
        table = table_snapshot(told.match, people, calling.say, len(self.matches))
        return match_of(table, told.uid, t, names=True)
