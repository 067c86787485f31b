"""A tournament on one machine: a broker, simulated boxes at which players play by chance, and the hub.

A director does what is due, and tables play where people are seated. Tests and measurements use the simulated
boxes as well.
"""

from __future__ import annotations

import logging
import random
import shutil
import signal
import socket
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from companion.core.game import RandomSource
from companion.match.dealer import Group, players_by_chance
from companion.match.log import header, write_step
from companion.match.match import Match as Played
from companion.match.match import Terms, begin
from companion.protocol.snapshot import table_snapshot
from companion.text.errors import CompanionError
from companion.tournament import acts
from companion.tournament.standing import standing
from companion.values import field
from firmware.commands.declared import counted
from firmware.text.translation import translator
from firmware.worker import Worker
from network.mqtt import payloads, topics
from network.mqtt.broker import Broker, Received
from network.mqtt.config import BrokerOptions
from network.mqtt.forward import Forward
from network.mqtt.payloads import BoxState, Have, MatchEvent, Online, decode, encode
from network.mqtt.records import NEWEST, PublishedMatch
from network.mqtt.state import match_of

if TYPE_CHECKING:
    from network.hub.tournament import Conductor

_LOG: Final = logging.getLogger(__name__)


class SimulatedMatch(Struct):
    """A match as a box sends it: the header with number 0, then the steps."""

    uid: str
    match: Played
    events: list[MatchEvent]
    people: list[tuple[int, str]]
    """Badge and name by seat."""
    players: Group


class SimulatedBox(Struct):
    """A box by the name of its table: what it sends, and sends again, is decided as at a real one.

    `publish` sends a message, with its topic and whether it is retained; False: it cannot be sent now. `now`
    is the clock of the box, as ISO 8601. Without `online` nothing is sent.
    """

    name: str
    publish: Callable[[str, bytes, bool], bool]
    rng: RandomSource
    device: str = ""
    label: str = ""
    now: Callable[[], str] = lambda: ""
    online: bool = True
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
        badges = terms.badges or range(1, terms.seats + 1)
        people = [(badge, name or f"P{badge}") for badge, name in zip_longest(badges, names)]
        players = players_by_chance(terms.game, self.rng)
        begun = SimulatedMatch(uid, begin(terms), [MatchEvent(uid, 0, "", "", record)], people, players)
        self.matches.append(begun)
        self.send()
        self.send_state()
        return begun

    def play(self, steps: int = -1) -> None:
        """Play this many steps of the newest match, or all."""
        while steps != 0 and self.step():
            steps -= 1

    def step(self) -> bool:
        """Let a player do the next thing in the newest match; False when it is over."""
        played = self.matches[-1]
        if played.match.asks:
            answer = played.players.answer(played.match)
            self.add(played.match.propose(played.match.game.read(answer.ask, answer.seat, answer.text)))
            return True
        return False

    def add(self, step: Any) -> None:  # noqa: ANN401 - a step
        """Add a step to the newest match, and send it."""
        played = self.matches[-1]
        played.match = played.match.then(step)
        record = payloads.step_record(played.match.game, write_step(step, sentences=False))
        after = played.events[-1].at if step.number > 1 else ""
        played.events.append(MatchEvent(played.uid, step.number, self.now(), after, record))
        self.send()
        self.send_state()

    def send_online(self, *, online: bool = True) -> None:
        self._publish(topics.ONLINE, Online(self.device, online, self.label))

    def send_state(self) -> None:
        match = None
        if self.matches:
            played = self.matches[-1]
            snapshot = table_snapshot(played.match, played.people, str, len(self.matches))
            match = match_of(snapshot, played.uid, translator("en", "latin"), names=True)
        state = BoxState(self.device, self.label, running=True, at=self.now(), language="en", match=match)
        self._publish(topics.STATE, state)

    def send_result(self, round_: int, confirmed: Sequence[int] = ()) -> None:
        """Send how the newest match has ended, as the match of a round of a tournament."""
        played = self.matches[-1]
        match, badges = played.match, played.match.terms.badges
        result = payloads.RoundResult(played.uid, match.steps, round_, match.totals, badges, tuple(confirmed))
        self._publish(topics.RESULT, result)

    def connected(self) -> None:
        self.forward.connected()
        self.send_online()
        self.send_state()

    def receive(self, have: Have) -> None:
        """Send what the hub lacks."""
        self.forward.have(have)
        self.send()

    def send(self) -> None:
        """Send the steps that are due."""
        newest = self.matches[: -NEWEST - 1 : -1]
        self.forward.journal(
            [PublishedMatch(match.uid, len(match.events) - 1, match.events[0]) for match in newest]
        )
        events = {match.uid: match.events for match in newest}
        self.forward.send(
            lambda uid, sent: events[uid][sent + 1 :],
            lambda event: self._publish(topics.EVENT, event, retain=False),
        )

    def _publish(self, name: str, message: object, *, retain: bool = True) -> bool:
        return self.online and self.publish(topics.table_topic(self.name, name), encode(message), retain)


class _SilentBroker(Broker):
    """A connection that says nothing: the log is for that of the hub."""

    def _say(self, what: str) -> None:
        pass


class SimulatedTable:
    """A simulated box with a connection of its own, as a real one has.

    `lock` is for whoever uses the box: what the hub sends comes in another thread. `seats` says who is to
    play here in a tournament.
    """

    def __init__(self, options: BrokerOptions, name: str, label: str, seed: int) -> None:
        self.lock = threading.RLock()
        self.seats: payloads.Seating | None = None
        self._broker = _SilentBroker(
            options,
            name,
            self._receive,
            self._changed,
            {topics.table_topic(name, topic): 1 for topic in (topics.HAVE, topics.SEATS)},
            will=(topics.table_topic(name, topics.ONLINE), encode(Online(name, online=False, name=label))),
        )
        self.box = SimulatedBox(
            name,
            lambda topic, payload, retain: self._broker.publish(topic, payload, retain=retain),
            random.Random(seed),  # noqa: S311 - it is a game
            label=label,
            now=lambda: datetime.now(UTC).isoformat(timespec="milliseconds"),
        )
        self._broker.start()  # it comes back by itself until `leave`

    def leave(self) -> None:
        self._broker.close()

    def _changed(self) -> None:
        if self._broker.is_connected:
            with self.lock:
                self.box.connected()

    def _receive(self, received: Received) -> None:
        if received.topic.endswith(topics.SEATS):
            self.seats = decode(payloads.Seating, received.payload) if received.payload else None
        elif received.payload:
            with self.lock:
                self.box.receive(decode(Have, received.payload))


NAMES: Final = (
    "Ada", "Ben", "Cleo", "Dario", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kian", "Leyla",
    "Mara", "Nils", "Olga", "Parisa", "Quentin", "Rosa", "Sara", "Tom", "Uta", "Vera", "Willi", "Yara",
    "Zeno",
)  # fmt: skip

WHO: Final = "demo"


def people(tables: int) -> list[acts.Registered]:
    """Four players for each table; the second with a name is called by a number too."""
    turns = (divmod(at, len(NAMES)) for at in range(4 * tables))
    names = (f"{NAMES[name]} {again + 1}" if again else NAMES[name] for again, name in turns)
    return [acts.Registered(badge, name) for badge, name in enumerate(names, start=1)]


def direct(conductor: Conductor, opened: acts.Opened, players: Sequence[acts.Registered]) -> bool:
    """Do what a director would do now, and log what is drawn; False once the tournament is over."""
    held = conductor.held
    if held is None:
        conductor.act(opened, WHO)
        for player in players:
            conductor.act(player, WHO)
        return True
    state, round_ = held.state, held.state.open_round
    if state.finished:
        return False
    if round_ is not None:
        if all(table.is_confirmed for table in round_.tables):
            conductor.act(acts.Closed(round_.number), WHO)
    elif state.rounds and state.rounds[-1].final:
        conductor.act(acts.Finished(), WHO)
        _LOG.warning("the tournament is over; first: %s", standing(state)[0].name)
    else:
        drawn = conductor.draw(WHO).rounds[-1]
        what = "the final" if drawn.final else f"round {drawn.number}"
        _LOG.warning("%s is drawn: %s", what, counted(len(drawn.tables), "table"))
    return True


def play(box: SimulatedBox, seats: payloads.Seating | None) -> None:
    """Let one table do the next thing: begin where people are seated, play, send the result."""
    if seats is None or not seats.players:
        return
    uid = f"{box.name}-{seats.round}"
    if not box.matches or box.matches[-1].uid != uid:
        badges = tuple(player.badge for player in seats.players)
        names = tuple(player.name for player in seats.players)
        box.begin(Terms(seats.game, len(badges), dict(seats.options), badges=badges), uid, names)
    elif not box.step():
        box.send_result(seats.round, tuple(player.badge for player in seats.players))


@contextmanager
def broker(folder: Path) -> Iterator[BrokerOptions]:
    """A mosquitto of our own, for this machine alone. Raises `CompanionError` if there is none."""
    program = shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
    if program is None:
        raise CompanionError("the program mosquitto is not installed", "on Debian: apt install mosquitto")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    settings = folder / "mosquitto.conf"
    quiet = "allow_anonymous true\nlog_dest none"
    settings.write_text(f"listener {port} 127.0.0.1\n{quiet}\nmax_queued_messages 100000\n")
    # Ctrl-C goes to a whole group of processes, and the tables leave before the broker.
    with subprocess.Popen([program, "-c", settings], process_group=0) as running:  # noqa: S603
        try:
            _wait_for(port, running)
            yield BrokerOptions(f"127.0.0.1:{port}")
        finally:
            running.terminate()


def _wait_for(port: int, running: subprocess.Popen[bytes]) -> None:
    while running.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1.0):
            return
        threading.Event().wait(0.02)
    raise CompanionError("mosquitto does not start", "try it by hand: mosquitto -v")


@contextmanager
def evening(tables: int, step_s: float) -> Iterator[tuple[BrokerOptions, Path, Callable[[Conductor], None]]]:
    """A broker and tables that are there, a folder that is removed at the end, and what begins a tournament.

    At each table somebody acts every `step_s` seconds on average.
    """
    signal.signal(signal.SIGTERM, signal.default_int_handler)  # folder and broker go as they do after Ctrl-C
    signal.signal(signal.SIGHUP, lambda *_: signal.raise_signal(signal.SIGTERM))
    stopped, player = threading.Event(), Worker("players")
    player.start()
    with tempfile.TemporaryDirectory(prefix="nimmt-hub-") as name, broker(Path(name)) as options:
        simulated = [SimulatedTable(options, f"t{n}", f"{n}", n) for n in range(1, tables + 1)]

        def lead(conductor: Conductor) -> None:
            chance = random.Random(6)  # noqa: S311 - it is a game
            opened = acts.Opened("Demo", "6", 3, options={"end": {"deals": 1}})
            players, goes_on = people(tables), True
            while not stopped.wait(step_s / tables):
                goes_on = goes_on and direct(conductor, opened, players)
                table = chance.choice(simulated)
                with table.lock:
                    play(table.box, table.seats)

        try:
            yield options, Path(name), lambda conductor: player.do(partial(lead, conductor))
        finally:
            stopped.set()
            player.close()
            for table in simulated:
                table.leave()
