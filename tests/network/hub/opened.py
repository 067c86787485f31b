"""A hub with its pages at a port of this machine, for a real browser."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.match.match import Terms
from network.hub.server import application
from network.hub.simulated import SimulatedBox
from network.hub.site import HubSetup, Site
from network.mqtt import topics
from network.mqtt.payloads import Seats, decode, encode
from network.web.server import listening, serving
from tests.network.hub.at_hub import AtHub, at_hub
from tests.network.web.asking import post
from tests.patience import PATIENCE_S

if TYPE_CHECKING:
    from starlette.types import ASGIApp


@dataclass
class Opened:
    """A hub whose pages are served; `cookie` is that of a director."""

    hub: AtHub
    site: Site
    app: ASGIApp
    base: str
    cookie: str

    def do(self, do: str, **fields: str) -> None:
        """Act as a director."""
        answer = post(self.app, "/tournament", {"do": do, **fields}, headers={"cookie": self.cookie})
        assert answer.status == 200, answer.text


OPEN = {
    "do": "open", "title": "Friday <b>", "seed": "4 8 15", "rounds": "2", "pairing": "swiss", "deals": "1",
    "target": "66", "largest": "5", "final": "4", "duplicate": "on",
}  # fmt: skip
NAMES = ("Ada", "Ben", "Cleo", "سارا", "Maximiliane-Josephine", "<i>Max</i>", "Ayşe", "Leila")


def begun(at: Opened) -> list[SimulatedBox]:
    """A tournament of two tables in its second round, and some faults; gives the boxes."""
    boxes = [at.hub.box(f"table-{number}", number) for number in (1, 2)]
    for number, box in enumerate(boxes, start=1):
        box.label = str(number)
        box.say_online()
    at.hub.intake.turned(True)
    at.hub.work()
    at.do(**OPEN)
    for badge, name in enumerate(NAMES, start=1):
        at.do("register", badge=str(badge), name=name)
    at.do("draw")
    for box in boxes:
        play(at, box)
    at.do("correct", round="1", table="2", heads="1 2 3 4", reason="wrong <cards>")
    at.do("close")
    at.do("draw")
    play(at, boxes[0])
    for topic, content in ((topics.STATE, b"rubbish"), (topics.EVENT, b"more rubbish " * 9)):
        at.hub.hear(topics.table_topic("table-2", topic), content)
    told = boxes[0].matches[-1].events[5]
    other = replace(told, record={"events": [], "because": []}, seal="0" * 16)
    at.hub.hear(topics.table_topic("table-1", topics.EVENT), encode(other))
    boxes[1].say_online(online=False)
    at.hub.work()
    return boxes


def play(at: Opened, box: SimulatedBox) -> None:
    """Play the round at a table to its end; all but one confirm."""
    seats = decode(Seats, at.hub.said[topics.table_topic(box.name, topics.SEATS)])
    badges = tuple(player.badge for player in seats.players)
    names = tuple(player.name for player in seats.players)
    terms = Terms(seats.game, len(badges), dict(seats.options), badges=badges)
    box.begin(terms, f"m{seats.round}{box.name}", names)
    while box.step():
        pass
    box.tell_result(seats.round, badges[1:])
    at.hub.work()


@contextmanager
def opened(folder: Path) -> Iterator[Opened]:
    hub, codes = at_hub(folder), list[str]()
    setting = HubSetup(folder / "directors.json", show_code=codes.append)
    site = Site(setting, hub.store, hub.matches, hub.evening, hub.intake)
    app, ready = application(site), threading.Event()
    [listener] = listening("127.0.0.1", [0], {})
    with listener:
        server = serving(app, ready.set, site.close)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        assert ready.wait(PATIENCE_S)
        try:
            paired = post(app, "/pair", {"code": codes[-1], "name": "Tablet"})
            cookie = paired.headers["set-cookie"].partition(";")[0]
            yield Opened(hub, site, app, f"http://127.0.0.1:{listener.getsockname()[1]}", cookie)
        finally:
            server.should_exit = True
            thread.join(PATIENCE_S)
            hub.store.close()
