"""A hub with its pages and a director: without a network, or at a port of this machine for a browser."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any

from companion.match.match import Terms
from firmware.config.configuration import parse
from network.hub import pages, tournament_pages
from network.hub.demo import SimulatedBox
from network.hub.server import application
from network.hub.site import HubSite
from network.mqtt import topics
from network.mqtt.payloads import Seating, decode
from network.web.server import Server, listening
from tests.network.hub.at_hub import AtHub, at_hub
from tests.network.web.asking import post
from tests.patience import PATIENCE_S


class Opened:
    """A hub with its pages; `base` is where a browser finds them, if they are served, at `port`."""

    def __init__(self, folder: Path, url: str = "") -> None:
        self.hub: AtHub = AtHub(url) if url else at_hub(folder)
        self.codes: list[str] = []
        self.site = HubSite(parse("", ""), folder, self.hub.intake, self.codes.append)
        self.app = application(self.site)
        self.routes = [*tournament_pages.routes(self.site), *pages.routes(self.site)]
        self.base, self.port = "", 0

    @cached_property
    def director(self) -> dict[str, str]:
        """The headers of a director."""
        answer = post(self.app, "/pair", {"code": self.codes[-1], "name": "Tablet"})
        assert answer.status == 200
        return {"cookie": answer.headers["set-cookie"].partition(";")[0]}

    def do(self, do: str, **fields: str) -> dict[str, Any]:
        """Act as a director; gives the answer."""
        answer: dict[str, Any] = json.loads(
            post(self.app, "/tournament", {"do": do, **fields}, headers=self.director).body
        )
        return answer

    def must(self, do: str, **fields: str) -> None:
        """Act as a director, which is accepted."""
        answer = self.do(do, **fields)
        assert answer["accepted"], answer

    @contextmanager
    def working(self) -> Iterator[None]:
        """Let the intake work in its thread, as it does in a hub."""
        thread = threading.Thread(target=self.hub.intake.run)
        thread.start()
        try:
            yield
        finally:
            self.hub.intake.close()
            thread.join(PATIENCE_S)

    def seats(self, box: SimulatedBox) -> Seating:
        return decode(Seating, self.hub.said[topics.table_topic(box.name, topics.SEATS)])

    def begin(self, box: SimulatedBox, uid: str = "m") -> tuple[int, ...]:
        """Begin the match of the round at a table; gives the badges."""
        seats = self.seats(box)
        badges = tuple(player.badge for player in seats.players)
        terms = Terms(seats.game, len(badges), dict(seats.options), badges=badges)
        box.begin(terms, f"{uid}{seats.round}{box.name}", tuple(player.name for player in seats.players))
        return badges

    def play(self, box: SimulatedBox, silent: int = 0) -> tuple[int, ...]:
        """Play the round at a table to its end; all but so many confirm. Gives the badges."""
        badges = self.begin(box)
        box.play()
        box.send_result(self.seats(box).round, badges[silent:])
        self.hub.work()
        return badges

    def boxes(self, count: int, *, labels: bool = False) -> list[SimulatedBox]:
        """So many tables that are there."""
        made = [self.hub.box(f"table-{number}", number) for number in range(1, count + 1)]
        for number, box in enumerate(made, start=1):
            box.label = str(number) if labels else ""
            box.send_online()
        self.hub.work()
        return made


OPEN = {
    "do": "open", "title": "Friday <b>", "seed": "4 8 15", "rounds": "2", "pairing": "swiss", "deals": "1",
    "target": "66", "largest": "5", "final": "4", "duplicate": "on",
}  # fmt: skip


@contextmanager
def opened(folder: Path) -> Iterator[Opened]:
    """A hub with its pages at a port of this machine."""
    at, ready = Opened(folder), threading.Event()
    [listener] = listening("127.0.0.1", [0], {})
    with listener:
        at.port = listener.getsockname()[1]
        at.base = f"http://127.0.0.1:{at.port}"
        server = Server(at.app, ready.set, at.site.close)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        assert ready.wait(PATIENCE_S)
        try:
            yield at
        finally:
            server.should_exit = True
            thread.join(PATIENCE_S)
            at.hub.store.close()
