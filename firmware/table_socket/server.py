"""The server of the table's socket: one thread that listens, reads lines and sends what was handed over.

Nobody at the other end can hold it up: every socket is non-blocking, every queue has a limit. What goes wrong
with a client costs that client its connection and nothing else.
"""

import logging
import math
import os
import selectors
import socket
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from msgspec import Struct

from companion.core.codec import read
from companion.text.errors import InvalidRecord
from companion.values import field
from firmware import __version__
from firmware.loop.app import App
from firmware.play.effects import Act
from firmware.service.health import Issue
from firmware.table_socket import acts, messages
from firmware.table_socket.access import SocketListener, is_owner, may_act, peer_of
from firmware.table_socket.acts import LONGEST_LINE
from firmware.table_socket.events import EventWriter
from firmware.table_socket.feed import Feed
from firmware.table_socket.messages import LineError, SettingsAnswer, TableAnswer, Why, in_english, line
from firmware.table_socket.settings import Settings
from hardware.background import WakePipe

_LOG: Final = logging.getLogger(__name__)

PROTOCOL: Final = 1
"""Raised when a client could misunderstand what is sent; new kinds and new keys do not raise it."""

MOST_CLIENTS: Final = 64
MOST_OF_A_USER: Final = 16
"""Connections of a user other than root and the one of this program, so that nobody keeps the others out."""

MOST_QUEUED_BYTES: Final = 256_000
"""What waits for a client at most; it misses what comes then, and gets a snapshot later."""

PATIENCE_S: Final = 10.0
"""A client to which nothing could be sent for so long is dropped."""

PICTURE_FIRST_S: Final = 0.02
"""The pause before work on what was handed over, so that the display has its picture first."""

ALIVE_S: Final = 5.0

MOST_FAULTS: Final = 20
"""Lines of a client that are no request; after them it is dropped."""

MOST_OF_A_SENDER: Final = 8
"""Acts of a sender that wait for the game thread, so that those of others have their turn soon."""

MOST_FAILURES: Final = 10
"""Failures of the server itself, after which it is not tried again."""


class _Client(Struct, eq=False):
    """A connection: what waits to be sent, what was read of a line, and what it may do."""

    number: int
    connection: socket.socket
    user: int
    acts: bool
    owns: bool
    sent_s: float
    """When something could be sent to it, or nothing waited."""
    out: deque[memoryview] = field(default_factory=deque)
    queued: int = 0
    behind: bool = True
    """Whether it lacks something, and so gets a snapshot once nothing waits for it."""
    read: bytes = b""
    faults: int = 0
    waiting: Counter[str] = field(default_factory=Counter)
    """Its acts that are not answered yet, by their senders."""


class TableSocket:
    """The socket of one app, from `start` to `close`.

    `issues` gives what is wrong with the device. Members of the group `readers` may follow the table, if this
    program may give them the file; those of `actors` may act. None: only the user of this program and root.
    """

    def __init__(
        self,
        app: App,
        path: Path,
        issues: Callable[[], Sequence[Issue]] = tuple,
        readers: int | None = None,
        actors: int | None = None,
    ) -> None:
        self._path = path
        self.settings = Settings(None)
        """The configuration that programs of its owner may change; set before `start`."""
        self._readers, self._actors = readers, actors
        self._pipe = WakePipe()
        self._woken = False
        """Whether there is a byte in the pipe. One is enough; a full pipe would make the game wait."""
        self._feed = Feed(app, issues, self._wake)
        self._app = app
        self._writer = EventWriter()
        self._selector = selectors.DefaultSelector()
        self._clients: dict[int, _Client] = {}
        self._listener: SocketListener | None = None
        self._thread: threading.Thread | None = None
        self._closing = False
        self._count = 0
        self._due_s = math.inf
        self._alive_s = 0.0
        self._turns = -1
        self._lost = 0

    # ------------------------------------------------------------------------------- the game thread

    def start(self) -> bool:
        """Listen, and watch the table from now on; False, with a line in the log, if that cannot be."""
        try:
            self._listener = SocketListener(self._path, self._readers)
        except OSError as error:
            _LOG.warning(
                "other programs cannot follow the table: %s: %s", self._path, error.strerror or error
            )
            return False
        self._selector.register(self._listener.socket, selectors.EVENT_READ)
        self._selector.register(self._pipe.file, selectors.EVENT_READ)
        self._app.observe(self._feed.looked)
        self._thread = threading.Thread(target=self._run, name="table socket", daemon=True)
        self._thread.start()
        return True

    def close(self) -> None:
        """End all connections and remove the file. More than once does no harm."""
        if self._closing:
            return
        self._closing = True
        if self._thread is not None:
            self._wake()
            self._thread.join(timeout=2.0)
        for client in list(self._clients.values()):
            self._drop(client)
        self._selector.close()
        if self._listener is not None:
            self._listener.close()
        self._pipe.close()

    def _wake(self) -> None:
        if not self._woken:
            self._woken = True
            self._pipe.wake()

    # ------------------------------------------------------------------------------- the thread

    def _run(self) -> None:
        for _ in range(MOST_FAILURES):
            try:
                while not self._closing:
                    self._turn()
            except Exception:  # noqa: BLE001 - a table without this socket is still a table
                # The game goes on, whatever it is. The clients come again.
                _LOG.exception("the table's socket failed; all connections are closed")
                for client in list(self._clients.values()):
                    self._drop(client)
            else:
                return
        _LOG.error("the table's socket failed too often, and is not tried again")

    def _turn(self) -> None:
        due_s = min(self._due_s, self._alive_s + ALIVE_S)
        ready = self._selector.select(max(0.0, due_s - time.monotonic()))
        now_s = time.monotonic()
        for key, events in ready:
            if key.fd == self._pipe.file:
                os.read(self._pipe.file, 1)
                self._woken = False
                self._due_s = min(self._due_s, now_s + PICTURE_FIRST_S)
            elif key.data is None and self._listener is not None:
                self._accept(self._listener.socket, now_s)
            elif events & selectors.EVENT_READ:
                self._read(key.data, now_s)
        if now_s >= self._due_s:
            self._due_s = math.inf
            self._tell(now_s)
        if now_s >= self._alive_s + ALIVE_S:
            self._alive_s = now_s
            self._say_alive(now_s)
        for client in list(self._clients.values()):
            self._send(client, now_s)

    def _tell(self, now_s: float) -> None:
        """Tell all clients what was handed over."""
        up_to_date = any(not client.behind for client in self._clients.values())
        lost, self._lost = self._feed.lost - self._lost, self._feed.lost
        events, answers = self._writer.write(self._feed.taken(), events=up_to_date)
        for client in self._clients.values():
            if lost:
                client.behind = True
                client.waiting.clear()
            self._queue_event(client, events, now_s)
        for act, answer in answers:
            if (asked := self._clients.get(act.client)) is not None:
                asked.waiting -= Counter([act.request.sender])
                self._queue(asked, answer, now_s)

    def _say_alive(self, now_s: float) -> None:
        """Say that the loop of the game turns, if it does."""
        if self._feed.turns != self._turns:
            self._turns = self._feed.turns
            alive = line(messages.Alive(self._writer.number))
            for client in self._clients.values():
                self._queue_event(client, alive, now_s)

    # ------------------------------------------------------------------------------- clients

    def _accept(self, listener: socket.socket, now_s: float) -> None:
        try:
            connection, _ = listener.accept()
        except OSError:  # it is gone again, or there are too many files
            return
        try:
            connection.setblocking(False)  # noqa: FBT003 - Python's own
            peer = peer_of(connection)
        except OSError:
            connection.close()
            return
        same = sum(client.user == peer.user for client in self._clients.values())
        if len(self._clients) >= MOST_CLIENTS or (
            same >= MOST_OF_A_USER and peer.user not in (0, os.geteuid())
        ):
            with suppress(OSError):
                connection.send(
                    line(LineError("there are too many connections", "close one, or come again later"))
                )
            connection.close()
            return
        self._count += 1
        acts, owns = may_act(peer, self._actors), is_owner(peer)
        client = _Client(self._count, connection, peer.user, acts, owns, now_s)
        self._clients[client.number] = client
        self._feed.followed = True
        self._due_s = now_s + PICTURE_FIRST_S  # to take what was handed over while nobody followed
        self._selector.register(connection, selectors.EVENT_READ, client)
        hello = messages.SocketHello(PROTOCOL, "nimmt-companion", __version__, client.acts, client.number)
        self._queue(client, line(hello), now_s)

    def _drop(self, client: _Client) -> None:
        if self._clients.pop(client.number, None) is not None:
            self._feed.followed = bool(self._clients)
            self._selector.unregister(client.connection)
            client.connection.close()

    def _queue_event(self, client: _Client, lines: bytes, now_s: float) -> None:
        """Send it what all are told; one that is behind gets a snapshot instead."""
        if client.queued + len(lines) > MOST_QUEUED_BYTES:
            client.behind = True
        if lines and not client.behind:
            self._queue(client, lines, now_s)

    def _queue(self, client: _Client, lines: bytes, now_s: float) -> None:
        if not client.out:
            client.sent_s = now_s
        client.out.append(memoryview(lines))
        client.queued += len(lines)

    def _send(self, client: _Client, now_s: float) -> None:
        """Send what can be sent without waiting; drop it if that is nothing for too long."""
        while True:
            if not client.out and client.behind and (snapshot := self._writer.snapshot()) is not None:
                client.behind = False
                self._queue(client, snapshot, now_s)
            if not client.out:
                break
            try:
                sent = client.connection.send(client.out[0])
            except BlockingIOError:
                break
            except OSError:
                self._drop(client)
                return
            client.sent_s = now_s
            client.queued -= sent
            if sent == len(client.out[0]):
                client.out.popleft()
            else:
                client.out[0] = client.out[0][sent:]
        if client.out and (now_s - client.sent_s > PATIENCE_S or client.queued > 2 * MOST_QUEUED_BYTES):
            self._drop(client)
            return
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if client.out else 0)
        if self._selector.get_key(client.connection).events != wanted:
            self._selector.modify(client.connection, wanted, client)

    def _read(self, client: _Client, now_s: float) -> None:
        try:
            came = client.connection.recv(LONGEST_LINE)
        except BlockingIOError:
            return
        except OSError:
            came = b""
        if not came:
            self._drop(client)
            return
        *lines, client.read = (client.read + came).split(b"\n")
        for given in lines:
            self._answer(client, given, now_s)
        if len(client.read) > LONGEST_LINE or client.faults > MOST_FAULTS:
            self._send(client, now_s)  # so that it learns why
            self._drop(client)

    def _answer(self, client: _Client, given: bytes, now_s: float) -> None:
        """Do what a line asks for, or say what is wrong with it."""
        if not given.strip() or client.faults > MOST_FAULTS:
            return
        head = None
        try:
            record = acts.read_line(given)
            head = read(record, acts.LineHead, "the line")
            if head.kind == "settings":
                self._answer_settings(client, head.id, record, now_s)
            elif why := self._act(client, record, now_s):
                self._queue(client, line(TableAnswer(head.id, accepted=False, steps=(), why=why)), now_s)
        except InvalidRecord as bad:
            told: LineError | TableAnswer = LineError(bad.fault, bad.fix)
            if head is None:
                client.faults += 1
            else:
                told = TableAnswer(head.id, False, (), "malformed", None, *in_english(bad))  # noqa: FBT003
            self._queue(client, line(told), now_s)

    def _answer_settings(self, client: _Client, name: str, record: Mapping[str, Any], now_s: float) -> None:
        """Read or change the configuration. Others wait meanwhile for the disk, but never the game."""
        if not client.owns:
            self._queue(client, line(SettingsAnswer(name, accepted=False, why="not allowed")), now_s)
            return
        answer, then = self.settings.answer(read(record, acts.SettingsRequest, "settings"))
        self._queue(client, line(answer), now_s)
        if then is not None:
            self._send(client, now_s)
            then()

    def _act(self, client: _Client, record: Mapping[str, Any], now_s: float) -> Why | None:
        """Hand an act over to the game thread; why not, if it is not."""
        kind = acts.act_of(record, self._feed.acts) if client.acts else None
        if kind is None or (kind.OWNED and not client.owns):
            return "not allowed"
        said = read(record, kind, acts.name_of(kind))
        act = Act(client.number, said, said.message(now_s))
        if client.waiting[said.sender] >= MOST_OF_A_SENDER or not self._feed.act(act):
            return "busy"
        client.waiting[said.sender] += 1
        return None
