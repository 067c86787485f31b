"""A hub without a network: messages go in as the broker would give them, and what it says comes out."""

import itertools
import random
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import select

from companion.match.match import Terms
from network.hub import faults, schema
from network.hub.demo import SimulatedBox
from network.hub.evening import TablesNow
from network.hub.intake import Intake
from network.hub.matches import Matches
from network.hub.store import Store
from network.mqtt import topics
from network.mqtt.broker import Received
from network.mqtt.payloads import Have, decode

NOW_S = 1_790_000_000.0
"""Some evening in 2026."""


@dataclass
class AtHub:
    """A hub on a database that outlives it: `again` kills it and starts another one."""

    url: str
    now_s: float = NOW_S
    said: dict[str, bytes] = field(default_factory=dict)
    acknowledged: list[Received] = field(default_factory=list)
    store: Store = field(init=False)
    matches: Matches = field(init=False)
    evening: TablesNow = field(init=False)
    intake: Intake = field(init=False)

    def __post_init__(self) -> None:
        self._begin()

    def again(self) -> None:
        """Lose everything that is not on disk."""
        self.store.close()
        self._begin()

    def _begin(self) -> None:
        self.store = Store(self.url)
        self.intake = Intake(
            self.store,
            self.said.__setitem__,
            self.acknowledged.append,
            now_s=lambda: self.now_s,
            clock_s=lambda: self.now_s,
        )
        self.matches, self.evening = self.intake.matches, self.intake.tables

    def box(self, name: str, seed: int = 1, *, device: str = "") -> SimulatedBox:
        """A box whose messages come here at once. Each of its steps has a time of its own."""
        clock = itertools.count(1)
        return SimulatedBox(
            name,
            lambda topic, payload, _retain: self.hear(topic, payload),
            random.Random(seed),
            device=device,
            now=lambda: datetime.fromtimestamp(self.now_s + next(clock) / 1e4, UTC).isoformat(),
        )

    def hear(self, topic: str, payload: bytes) -> bool:
        self.intake.receive(Received(topic, payload, self.now_s))
        return True

    def work(self, after_s: float = 1.0) -> None:
        """Let some time pass and do what is due."""
        self.intake.work()
        self.now_s += after_s
        self.intake.work()

    def have(self, table: str) -> Have:
        """What the table was told last."""
        return decode(Have, self.said[topics.table_topic(table, topics.HAVE)])

    def settle(self, box: SimulatedBox) -> None:
        """Let a box and the hub talk until nothing is missing."""
        for _ in range(12):
            self.work()
            box.receive(self.have(box.name))
        self.work()

    def kept(self, uid: str) -> list[tuple[int, str]]:
        return kept(self.store, uid)

    def faults(self, *, settled: bool = False) -> list[tuple[str, str]]:
        """What is told: kind and table."""
        with self.store.reading() as db:
            return sorted(
                (one.kind, one.box) for one in faults.listed(db) if settled or one.settled_s is None
            )


def kept(store: Store, uid: str) -> list[tuple[int, str]]:
    """The steps of a match that are on disk: number and time."""
    at = schema.step.c
    with store.reading() as db:
        rows = db.execute(select(at.number, at.at).where(at.uid == uid).order_by(at.number))
        return [(row.number, row.at) for row in rows]


def at_hub(folder: Path) -> AtHub:
    return AtHub(f"sqlite:///{folder / 'hub.sqlite'}")


def six(seats: int = 4) -> Terms:
    return Terms("six", seats, badges=tuple(range(1, seats + 1)))


def whole(box: SimulatedBox) -> list[tuple[int, str]]:
    """The steps of the newest match as the box has them."""
    return [(one.number, one.at) for one in box.matches[-1].events[1:]]
