"""A device in play with its page: the loop in one thread, the server in another, and watchers of it."""

from __future__ import annotations

import http.client
import json
import random
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from companion.match.match import Match
from firmware.commands.players import Act, SimulatedGroup
from firmware.config.sections import TableOptions
from firmware.extensions.phones.table import Pairing
from firmware.play.table import Table
from firmware.session.session import Session
from hardware.ports import Key, KeyPressed
from network.web.certificate import OwnCertificate
from network.web.server import listening, server
from network.web.site import SiteSetup, TableSite
from tests.firmware.extensions.phones.at_table import open_phones
from tests.firmware.table_socket.at_table import RunningTable
from tests.patience import PATIENCE_S, comes

NAMES: Final = ("Sara", "علی", "<b>Max</b>", "Leila")
QUICK: Final = TableOptions(names=NAMES, ruling_s=0.0, take_shown_s=0.0, extra_card_s=0.5, duplicate_s=0.0)


class Served:
    """A table and its page. `port` is that of the plain page; the table can be closed and opened again."""

    def __init__(
        self,
        folder: Path,
        certificate: OwnCertificate | None = None,
        address: Callable[[], str] = str,
        **sections: Any,
    ) -> None:
        self.folder, self._sections = folder, sections
        self.box = RunningTable(folder, "", **sections)
        journal = next(folder.glob("*.sqlite"))
        names = sections["table"].names if "table" in sections else ()
        listener, encrypted = listening("127.0.0.1", [0, 0], {})
        self.port: int = listener.getsockname()[1]
        self.encrypted_port: int = encrypted.getsockname()[1]
        setting = SiteSetup(
            self.box.path,
            journal,
            folder / "phones.json",
            players=names,
            certificate=certificate,
            encrypted_port=self.encrypted_port if certificate is not None else 0,
            address=address,
        )
        self.site = TableSite(setting)
        ready = threading.Event()
        self.server = server(self.site, ready.set, encrypted)
        # A busy machine needs more than a second.
        self.server.config.timeout_graceful_shutdown = int(PATIENCE_S)
        self._thread = threading.Thread(target=self.server.run, kwargs={"sockets": [listener]})
        self._thread.start()
        assert ready.wait(PATIENCE_S)
        assert comes(lambda: not self.site.link.away)

    @property
    def table(self) -> Table:
        return self.box.device.table

    @property
    def session(self) -> Session:
        return self.box.device.runtime.session

    @property
    def match(self) -> Match:
        """The match in play, while the loop waits for a message."""
        return self.box.device.match

    def begin(self, game: str, seats: int) -> SimulatedGroup:
        return SimulatedGroup(game, seats, random.Random(6))

    def next(self, players: SimulatedGroup) -> bool:
        """Let a player do the next thing, and wait until it is done; False when the match is over."""
        message = players.next(self.table)
        if message is None:
            return False
        self.do(message)
        return True

    def play_to(self, steps: int, players: SimulatedGroup | None = None) -> None:
        """Let players of 6 nimmt! play until the match has so many steps, or these players."""
        players = players or self.begin("six", 4)
        while self.session.match is None or self.match.steps < steps:
            self.next(players)

    def deal_a_turn(self) -> None:
        """Let players of 6 nimmt! play until everybody is to play a card."""
        players = self.begin("six", 4)
        while self.session.match is None or self.match.asks[0].wait.value != "all":
            self.next(players)

    def do(self, message: Act) -> None:
        """Give a message to the loop, and wait until it was answered and seen."""
        app = self.box.device.runtime.app
        answered = threading.Event()
        app.drawn = lambda _controller: answered.set() if app.waiting == 0 else None
        app.post(message)
        assert answered.wait(PATIENCE_S)
        app.drawn = lambda _controller: None

    def watch(self, language: str = "en") -> Watched:
        return Watched(self.port, f"/live?language={language}")

    def ask(
        self, method: str, path: str, what: object = None, client: str = "127.0.0.1", **headers: str
    ) -> tuple[int, Any, dict[str, str]]:
        """A request over the network: status, JSON or text, headers."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, PATIENCE_S, (client, 0))
        own = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
        body = None if what is None else json.dumps(what)
        connection.request(method, path, body, {**(own if what is not None else {}), **headers})
        answer = connection.getresponse()
        text = answer.read().decode(errors="replace")
        connection.close()
        kind = answer.headers.get_content_type()
        found = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, json.loads(text) if kind == "application/json" else text, found

    def read(self) -> None:
        """Let people have read the page in front, as if it had been there for long."""
        if self.table.front.WAITS[1]:
            self.table.update(since=(self.table.front, float("-inf")))

    def press(self, *keys: Key) -> None:
        for key in keys:
            self.read()
            self.do(KeyPressed(key))

    def code(self) -> str:
        """The code that the display shows for a new phone."""
        open_phones(self.table)
        self.press(Key.OK)
        page = self.table.front
        assert isinstance(page, Pairing)
        assert comes(lambda: (known := self.site.link.snapshot) is not None and known.page.name == "pairing")
        return page.code

    def pair(self, name: str = "phone", *, hosts: bool = False, **headers: str) -> str:
        """Pair a phone as its owner does, with the menu and the display; gives the cookie.

        `hosts`: it wants to be the phone of a host, and somebody at the display allows it.
        """
        asked = {"code": self.code(), "name": name, "hosts": hosts}
        status, _, headers = self.ask("POST", "/pair", asked, **headers)
        assert status == 200
        if hosts:
            self.press(Key.OK)
        self.table.home()
        return headers["set-cookie"].partition(";")[0]

    def close(self) -> None:
        self.server.should_exit = True
        self._thread.join(PATIENCE_S)
        self.box.close()


class Watched:
    """A page that is told of every change, at `path`; iterate over it for the views."""

    def __init__(self, port: int, path: str) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)
        self._connection.request("GET", path)
        self._lines = self._connection.getresponse()
        self.status = self._lines.status

    def until(self, number: int) -> dict[str, Any]:
        """The first view from that step on."""
        return next(view for view in self if view["step"] >= number)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        kind = ""
        while line := self._lines.readline().decode():
            if line.startswith("event: "):
                kind = line[7:].strip()
            elif line.startswith("data: ") and kind == "view":
                yield json.loads(line[6:])

    def close(self) -> None:
        self._lines.close()
        self._connection.close()


@contextmanager
def served(folder: Path, **more: Any) -> Iterator[Served]:
    at = Served(folder, **more)
    try:
        yield at
    finally:
        at.close()
