"""Whatever happens on the way, a hub gets every step whole and once, and no foreign history."""

from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from network.mqtt.forward import LONGEST_PAUSE_S, WINDOW, Forward, Number
from network.mqtt.payloads import Event, Fault, Had, first_seal, header_seal, next_seal
from network.mqtt.records import PublishedMatch
from tests.examples import examples
from tests.network.mqtt.bridged import StoringHub


@dataclass
class Box:
    """A table: matches with their steps as they were played, and what decides what is sent."""

    matches: dict[str, list[Event]] = field(default_factory=dict)
    players: dict[str, int] = field(default_factory=dict)
    forward: Forward = field(default_factory=Forward)

    def play(self, uid: str, *played: int) -> None:
        """Play these steps, one after the other."""
        for what in played:
            self.store(uid, what)
            self.look()

    def store(self, uid: str, what: int) -> None:
        events = self.matches.setdefault(uid, [])
        before = events[-1].seal if events else first_seal(uid)
        record = {"events": [what]}
        seal = next_seal(before, len(events) + 1, "", record)
        events.append(Event(uid, len(events) + 1, "", seal, record))

    def look(self) -> None:
        known = [
            PublishedMatch(uid, len(events), self.header(uid).seal) for uid, events in self.matches.items()
        ]
        self.forward.journal(known[::-1])

    def header(self, uid: str) -> Event:
        record = {"players": self.players.get(uid, 3)}
        return Event(uid, 0, "", header_seal(uid, record), record)

    def seal(self, uid: str, number: int) -> str:
        return self.matches[uid][number - 1].seal

    def event(self, one: Number) -> Event:
        uid, number = one
        return self.matches[uid][number - 1] if number else self.header(uid)


class Way:
    """What lies between a box and a hub: messages can be cut off, come twice, late and in another order."""

    def __init__(self, hub: StoringHub | None = None) -> None:
        self.box, self.hub, self.now_s = Box(), hub or StoringHub(), 0.0
        self.up: list[Event] = []
        self.retained: dict[str, Had] | None = None
        self.before: dict[str, Had] | None = None
        """What the hub had said before that."""
        self.connected = False
        self.sent = 0

    def pump(self) -> None:
        while self.box.forward.check_one(self.box.seal):
            pass
        if self.connected:
            taken = self.box.forward.take(self.now_s)
            self.sent += len(taken)
            self.up += map(self.box.event, taken)

    def tell(self) -> None:
        if self.connected and self.retained is not None:
            self.box.forward.have(self.retained, self.now_s)

    def settle(self) -> None:
        """From now on nothing is lost."""
        self.cut()
        self.connect()
        self.publish()
        for _ in range(12):
            self.pump()
            self.hear(len(self.up))
            self.publish()
            self.now_s += LONGEST_PAUSE_S

    def follow(self, plan: list[tuple[Any, ...]]) -> None:
        """Let happen what a plan says, act by act."""
        for act, *what in plan:
            getattr(self, act)(*what)
            self.pump()

    def play(self, uid: str, number: int) -> None:
        self.box.play(uid, *range(number))

    def join(self, uid: str, players: int) -> None:
        self.box.players[uid] = players
        self.box.look()

    def connect(self) -> None:
        if not self.connected:
            self.connected = True
            self.box.forward.connected(self.now_s)
            self.tell()

    def cut(self) -> None:
        self.connected = False
        self.up.clear()
        self.box.forward.disconnected()

    def hear(self, number: int) -> None:
        for event in self.up[:number]:
            self.hub.hear(event)
        del self.up[:number]

    def twice(self, at: int) -> None:
        self.up[at:at] = self.up[at : at + 2]

    def swap(self, at: int) -> None:
        self.up[at : at + 2] = self.up[at : at + 2][::-1]

    def lose(self, at: int) -> None:
        del self.up[at : at + 1]

    def publish(self) -> None:
        self.before, self.retained = self.retained, self.hub.have()
        self.tell()

    def an_older_word(self) -> None:
        self.retained = self.before
        self.tell()

    def wait(self, seconds: int) -> None:
        self.now_s += seconds

    def hub_loses_all(self) -> None:
        self.hub.matches.clear()
        self.hub.headers.clear()

    def bridge_again(self) -> None:
        self.cut()
        self.box.forward = Forward()
        self.box.look()


UIDS = st.sampled_from(["a", "b"])
PLAN = st.lists(
    st.one_of(
        st.tuples(st.just("play"), UIDS, st.integers(1, 30)),
        st.tuples(st.just("join"), UIDS, st.integers(2, 5)),
        st.tuples(st.just("hear"), st.integers(1, 10)),
        *(st.tuples(st.just(act), st.integers(0, 5)) for act in ("twice", "swap", "lose")),
        st.tuples(st.just("wait"), st.integers(1, 90)),
        *(
            st.tuples(st.just(act))
            for act in ("connect", "cut", "publish", "an_older_word", "hub_loses_all", "bridge_again")
        ),
    ),
    max_size=60,
)


@given(PLAN)
@examples(30)
def test_a_hub_gets_every_step_whole_and_once(plan: list[tuple[Any, ...]]) -> None:
    way = Way()
    way.follow(plan)
    way.settle()
    assert {uid: events for uid, events in way.hub.matches.items() if events} == way.box.matches
    assert all(way.hub.headers[uid] == way.box.header(uid) for uid in way.box.matches)
    assert not way.hub.foreign
    assert not way.box.forward.faults
    before = way.sent
    way.settle()
    assert way.sent == before, "what the hub has is not sent again"


@given(PLAN, st.integers(0, 20), st.lists(st.integers(100, 120), min_size=0, max_size=8))
@examples(30)
def test_a_box_with_an_older_journal_is_named_and_nothing_is_merged(
    plan: list[tuple[Any, ...]], kept: int, played: list[int]
) -> None:
    way = Way()
    way.box.play("a", *range(21))
    way.follow(plan)
    way.settle()
    whole = list(way.hub.matches["a"])

    way.cut()
    way.box.matches["a"] = way.box.matches["a"][:kept]  # nimmt restore; the program starts again
    way.bridge_again()
    way.connect()
    for what in played:
        way.box.play("a", what)
        way.pump()
        way.hear(len(way.up))
    way.settle()

    assert way.hub.matches["a"] == whole
    assert [one.match for one in way.box.forward.faults] == ["a"]
    (fault,) = way.box.forward.faults
    assert fault.kind == ("behind" if kept + len(played) < len(whole) else "differs")
    if played:
        assert (("a", kept + 1) in way.hub.foreign) or kept + 1 > len(whole)

    # The director takes the history of the box: the hub says that it has nothing of this match.
    way.hub.matches["a"], way.hub.foreign = [], set()
    way.settle()
    assert way.hub.matches["a"] == way.box.matches["a"] or not way.box.matches["a"]
    assert not way.box.forward.faults


def test_a_step_is_sent_at_once_even_if_no_hub_has_said_anything() -> None:
    way = Way()
    way.connect()
    way.box.look()
    way.box.play("a", 1)
    way.pump()
    assert [one.number for one in way.up] == [0, 1]
    way.box.play("a", 2)
    way.pump()
    assert [one.number for one in way.up] == [0, 1, 2]


def test_a_step_of_now_does_not_wait_for_a_long_backlog() -> None:
    way = Way()
    way.box.play("a", *range(3 * WINDOW))
    way.publish()
    way.connect()
    way.pump()
    assert len(way.up) == WINDOW
    way.box.play("a", 7)
    way.pump()
    assert [one.number for one in way.up[WINDOW:]] == [3 * WINDOW + 1, WINDOW]
    way.settle()
    assert way.hub.matches == way.box.matches


def test_matches_that_were_imported_are_no_steps_of_now() -> None:
    way = Way()
    way.connect()
    way.box.play("a", 1)
    way.pump()
    way.up.clear()
    for what in range(50):
        way.box.store("b", what)
    way.box.look()
    way.pump()
    assert not way.up


def test_a_hub_that_is_gone_is_tried_less_and_less_often() -> None:
    way = Way()
    way.box.play("a", 1)
    way.publish()
    way.connect()
    way.pump()
    sent_at: list[float] = []
    while way.now_s < 3600:
        before = way.sent
        way.now_s += 0.5
        way.pump()
        if way.sent != before:
            sent_at.append(way.now_s)
    assert sent_at[0] < 5
    assert 50 < len(sent_at) < 80


def test_a_match_that_a_hub_never_takes_does_not_hold_up_the_others() -> None:
    class Deaf(StoringHub):
        def hear(self, event: Event) -> None:
            if event.match != "b":
                super().hear(event)

    way = Way(Deaf())
    for what in range(WINDOW + 10):
        way.box.play("a", what)
        way.box.play("b", what)
    way.settle()
    assert way.hub.matches["a"] == way.box.matches["a"]


def test_steps_that_cannot_be_read_are_named_and_those_before_them_are_sent() -> None:
    way = Way()
    way.box.play("a", *range(5))
    way.publish()
    way.connect()
    while way.box.forward.check_one(way.box.seal):
        pass
    taken = way.box.forward.take(0)
    assert ("a", 4) in taken
    way.box.forward.unreadable("a", 4)
    assert way.box.forward.faults == (Fault("damaged", "a", 4),)
    way.now_s = 100
    assert max(way.box.forward.take(way.now_s)) == ("a", 3)


@pytest.mark.parametrize("steps", [2, 9])
def test_a_hub_with_another_history_gets_nothing_in_order(steps: int) -> None:
    box = Box()
    box.play("a", *range(5))
    box.forward.connected(0)
    box.forward.have({"a": Had(steps, "0" * 16, "")}, 0)
    while box.forward.check_one(box.seal):
        pass
    assert box.forward.take(1000) == []
    kind, number, other = ("differs", 2, "0" * 16) if steps == 2 else ("behind", 5, "9")
    assert box.forward.faults == (Fault(kind, "a", number, other),)
