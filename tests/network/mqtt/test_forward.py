"""Whatever happens on the way, a hub gets every step whole and once, and histories are never mixed."""

from dataclasses import dataclass, field
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from network.mqtt.forward import Forward
from network.mqtt.payloads import Event, Fault, Have
from network.mqtt.records import PublishedMatch
from tests.examples import examples


@dataclass
class StoringHub:
    """Stores steps that follow, once each; those that do not follow are named."""

    matches: dict[str, list[Event]] = field(default_factory=dict)
    headers: dict[str, Event] = field(default_factory=dict)
    foreign: set[tuple[str, int]] = field(default_factory=set)
    again: str = ""

    def hear(self, event: Event) -> None:
        if event.number == 0:
            self.headers[event.match] = event
            return
        events = self.matches.setdefault(event.match, [])
        if event.number > len(events) + 1:
            return
        if event.number <= len(events):
            belongs = events[event.number - 1] == event
        else:
            belongs = event.after == (events[-1].at if events else "")
        if not belongs:
            self.foreign.add((event.match, event.number))
        elif event.number == len(events) + 1:
            events.append(event)

    def have(self) -> Have:
        return Have({uid: len(self.matches.get(uid, ())) for uid in self.headers}, self.again)


@dataclass
class Way:
    """A table, a hub, and what lies between them: messages can be lost, come twice and in another order."""

    matches: dict[str, list[Event]] = field(default_factory=dict)
    players: dict[str, int] = field(default_factory=dict)
    forward: Forward = field(default_factory=Forward)
    hub: StoringHub = field(default_factory=StoringHub)
    up: list[Event] = field(default_factory=list)
    connected: bool = False
    retained: Have | None = None
    room: int = 1000
    """So many messages the broker takes at a time."""
    clock: int = 0
    sent: int = 0

    def play(self, uid: str, number: int) -> None:
        events = self.matches.setdefault(uid, [])
        for _ in range(number):
            self.clock += 1
            after = events[-1].at if events else ""
            events.append(Event(uid, len(events) + 1, str(self.clock), after, {"events": [self.clock]}))

    def header(self, uid: str) -> Event:
        return Event(uid, 0, "", "", {"players": self.players.get(uid, 3)})

    def join(self, uid: str, players: int) -> None:
        self.players[uid] = players

    def pump(self) -> None:
        """Let the table send what is due."""
        known = [PublishedMatch(uid, len(steps), self.header(uid)) for uid, steps in self.matches.items()]
        self.forward.journal(known[::-1])
        if self.connected:
            full = len(self.up) + self.room

            def publish(event: Event) -> bool:
                if len(self.up) < full:
                    self.up.append(event)
                    self.sent += 1
                    return True
                return False

            self.forward.send(lambda uid, sent: self.matches[uid][sent:], publish)

    def follow(self, plan: list[tuple[Any, ...]]) -> None:
        """Let happen what a plan says, act by act."""
        for act, *what in plan:
            getattr(self, act)(*what)
            self.pump()

    def connect(self) -> None:
        if not self.connected:
            self.connected = True
            self.forward.connected()
            self.tell()

    def cut(self) -> None:
        self.connected = False
        self.up.clear()

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
        self.retained = self.hub.have()
        self.tell()

    def tell(self) -> None:
        if self.connected and self.retained is not None:
            self.forward.have(self.retained)

    def ask(self) -> None:
        self.hub.again += "!"
        self.publish()

    def hub_loses_all(self) -> None:
        self.hub.matches.clear()
        self.hub.headers.clear()

    def bridge_again(self) -> None:
        self.cut()
        self.forward = Forward()
        self.pump()

    def settle(self) -> None:
        """From now on nothing is lost, and the hub asks for what has been."""
        self.connect()
        self.ask()
        for _ in range(4):
            self.pump()
            self.hear(len(self.up))
            self.publish()


UIDS = st.sampled_from(["a", "b"])
PLAN = st.lists(
    st.one_of(
        st.tuples(st.just("play"), UIDS, st.integers(1, 30)),
        st.tuples(st.just("join"), UIDS, st.integers(2, 5)),
        st.tuples(st.just("hear"), st.integers(1, 10)),
        *(st.tuples(st.just(act), st.integers(0, 5)) for act in ("twice", "swap", "lose")),
        *(
            st.tuples(st.just(act))
            for act in ("connect", "cut", "publish", "ask", "hub_loses_all", "bridge_again")
        ),
    ),
    max_size=60,
)


@given(PLAN, st.integers(1, 50))
@examples(30)
def test_a_hub_gets_every_step_whole_and_once(plan: list[tuple[Any, ...]], room: int) -> None:
    way = Way(room=room)
    way.follow(plan)
    way.room = 10_000
    way.settle()
    assert {uid: events for uid, events in way.hub.matches.items() if events} == way.matches
    assert all(way.hub.headers[uid] == way.header(uid) for uid in way.matches)
    assert not way.hub.foreign
    assert not way.forward.faults
    before = way.sent
    way.settle()
    assert way.sent <= before + 2 * len(way.matches), "it gets the last step again, no more"


def test_a_hub_that_has_lost_a_match_or_wants_it_anew_gets_all_of_it_at_once() -> None:
    way = Way()
    way.play("a", 5)
    way.settle()
    way.hub.matches["a"] = []
    way.publish()
    way.pump()
    assert [one.number for one in way.up] == [0, 1, 2, 3, 4, 5]


def test_what_the_broker_has_lost_is_sent_again_when_the_hub_says_the_same_twice() -> None:
    way = Way()
    way.play("a", 5)
    way.settle()
    way.play("a", 3)
    way.pump()
    way.publish()
    way.pump()
    assert [one.number for one in way.up] == [6, 7, 8], "it may still be on its way"
    way.up.clear()
    way.publish()
    way.pump()
    assert [one.number for one in way.up] == [0, 5, 6, 7, 8]
    way.hear(5)
    for _ in range(3):
        way.publish()
        way.pump()
    assert not way.up


def test_a_step_is_sent_at_once_even_if_no_hub_has_said_anything() -> None:
    way = Way()
    way.pump()
    way.connect()
    for number in (1, 2):
        way.play("a", 1)
        way.pump()
        assert [one.number for one in way.up] == list(range(number + 1))


def test_an_older_journal_is_sent_as_it_is_played_on() -> None:
    way = Way()
    way.play("a", 5)
    way.settle()
    del way.matches["a"][3:]
    way.pump()
    assert not way.up
    way.play("a", 1)
    way.pump()
    assert [one.number for one in way.up] == [4]


def test_steps_that_cannot_be_read_are_named_and_those_before_them_are_sent() -> None:
    way, sent = Way(), list[int]()

    def publish(event: Event) -> bool:
        sent.append(event.number)
        return True

    way.play("a", 5)
    way.pump()
    way.forward.have(Have())
    for _ in range(2):
        way.forward.send(lambda uid, after: way.matches[uid][after:3], publish)
    assert sent == [0, 1, 2, 3]
    assert way.forward.faults == (Fault("damaged", "a", 4),)
