"""The program of a table: follows its socket and its journal, and tells a broker.

One thread does everything here, woken by the socket, by the broker's thread and by time. It waits for
nobody: a broker that is away, slow or hostile holds up nothing but what is said to it.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import convert

from companion.core.codes import Control, control_code
from companion.protocol.snapshot import TableSnapshot
from companion.values import replace
from firmware import __version__
from firmware.extensions.broker import MOST_TOPICS, TellBroker
from firmware.extensions.tournament import messages
from firmware.extensions.tournament.messages import GiveSeats
from firmware.journal.errors import JournalError
from firmware.play.extension import SocketAct
from firmware.service.machine import Machine
from firmware.table_socket.acts import PressKey, Scan
from firmware.table_socket.link import Link
from firmware.text.translation import translator
from hardware.ports import Key
from network.mqtt import payloads, topics
from network.mqtt.broker import Broker, Received
from network.mqtt.device import Device, discovery
from network.mqtt.forward import Forward
from network.mqtt.payloads import Event, Fault, Have, Malformed, Online, Result, Seats, State, encode
from network.mqtt.records import Records
from network.mqtt.state import health_of, match_of

if TYPE_CHECKING:
    from network.mqtt.config import MqttOptions

_LOG: Final = logging.getLogger(__name__)

LOOK_S: Final = 30.0
"""The journal is looked at so often even if the socket tells of no step, for matches can be imported; and so
is the temperature."""

_LATER_S: Final = 0.2  # of several changes within this time the last state is told
_ROOM_S: Final = 0.1  # until a broker that takes no more messages for now is tried again
_AGAIN_S: Final = 1.0  # until something is passed on again that the table had no time for
_GOODBYE_S: Final = 3.0

_CHANGES: Final = frozenset(
    {"snapshot", "step", "table", "health", "result", "registered", "website", "language", "away"}
)
"""What of the socket changes what is published."""

_KEYS: Final[Mapping[str, SocketAct]] = {
    "undo": PressKey(kind="act", key=Key.UNDO),
    "mute": Scan(kind="act", code=control_code(Control.MUTE)),
}


class Bridge:
    """What runs beside the table at the socket `table` until `stop`. `names` are those of the configuration.

    Everything but `stop` and `_receive` belongs to the thread of the event loop, which makes it. Raises
    `CompanionError` for certificates and passwords that cannot be used.
    """

    def __init__(  # noqa: PLR0913 - where everything is, and who this is
        self,
        table: Path,
        journal: Path,
        options: MqttOptions,
        device: Device,
        *,
        names: Sequence[str] = (),
        language: str = "en",
    ) -> None:
        self.connections = 0  # to the broker, as far as they were noticed
        self._options, self._device, self._language = options, device, language
        self._records = Records(journal, names if options.names else None)
        self._forward = Forward()
        self._link = Link(table, self._table_changed)
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()
        self._stopped = False
        self._look_at_s = 0.0
        self._tell_at_s = math.inf
        self._told: State | None = None
        self._kept: dict[str, bytes] = {}
        """What the broker was told to keep on this connection, by topic."""
        self._twin = ""
        """Another box with the same name."""
        self._damaged: tuple[Fault, ...] = ()
        self._malformed: set[str] = set()
        self._refused: frozenset[str] = frozenset()
        self._for_table: dict[str, SocketAct] = {"broker": TellBroker(kind="act", refused=())}
        """By its name, the newest act that tells the table something: its seats, and what is refused."""
        self._passed: dict[str, SocketAct] = {}
        """Those that the table has answered on this connection to it."""
        self._passing: asyncio.Task[None] | None = None
        self._result: Result | None = None
        self._result_message: bytes | None = None
        """What the broker is to keep as the result; None: whatever it has."""
        subscribed = [self._topic(name) for name in (topics.ONLINE, topics.HAVE, topics.SEATS)]
        press = self._topic(topics.PRESS)
        if options.control:
            subscribed.append(press)
        if options.home_assistant:
            subscribed.append(topics.HOME_ASSISTANT_STATUS)
        self._broker = Broker(
            options,
            device.client,
            self._receive,
            self._wake,
            # A key that is pressed while the table is away must not be kept until it is back.
            {topic: int(topic != press) for topic in subscribed},
            will=(self._topic(topics.ONLINE), encode(self._online(here=False))),
        )

    async def run(self) -> None:
        self._broker.start()
        async with asyncio.TaskGroup() as self._tasks:
            link = self._tasks.create_task(self._link.run())
            try:
                while not self._stopped:
                    pause_s = self._do()
                    with suppress(TimeoutError):
                        async with asyncio.timeout(pause_s):
                            await self._woken.wait()
                    self._woken.clear()
            finally:
                link.cancel()
                await asyncio.to_thread(self._leave)

    def stop(self) -> None:
        """End, from any thread: the broker is told that the table has gone."""
        self._stopped = True
        self._wake()

    # ------------------------------------------------------------------------------- what wakes it

    def _wake(self) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._woken.set)

    def _receive(self, received: Received) -> None:
        """Wait until a message is handled: so nobody who floods a topic fills the memory."""

        async def handle() -> None:
            self._handle(received)

        asyncio.run_coroutine_threadsafe(handle(), self._loop).result()

    def _table_changed(self, kind: str) -> None:
        if kind in ("step", "snapshot"):
            self._look_at_s = 0.0
        if kind == "away":
            self._passed.clear()
            self._forward.start_over()  # when it is back, its journal may be an older one
        if kind in _CHANGES:
            self._tell_soon()

    def _tell_soon(self, in_s: float = _LATER_S) -> None:
        self._tell_at_s = min(self._tell_at_s, time.monotonic() + in_s)
        self._woken.set()

    # ------------------------------------------------------------------------------- one turn

    def _do(self) -> float:
        now_s = time.monotonic()
        self._note_connection()
        busy = False
        try:
            if now_s >= self._look_at_s:
                self._look(now_s)
            if self._broker.is_connected:
                busy = not self._forward.send(self._records.events, self._publish_event)
        except JournalError as bad:
            _LOG.warning("%s", bad)
        if self._forward.faults != self._damaged:
            self._damaged = self._forward.faults
            self._tell_soon()
        if self._new_acts() and (self._passing is None or self._passing.done()):
            self._passing = self._tasks.create_task(self._pass_on())
        if now_s >= self._tell_at_s:
            self._tell_at_s = math.inf
            self._tell()
        return _ROOM_S if busy else max(0.0, min(self._look_at_s, self._tell_at_s) - now_s)

    def _note_connection(self) -> None:
        if self.connections != self._broker.connections:
            self.connections = self._broker.connections
            self._forward.connected()
            self._tell_all()
        if self._broker.refused != self._refused:
            self._refused = self._broker.refused
            self._for_table["broker"] = TellBroker(
                kind="act", refused=tuple(self._refused_names()[:MOST_TOPICS])
            )
            self._tell_soon()

    def _look(self, now_s: float) -> None:
        self._look_at_s = now_s + LOOK_S
        self._tell_soon()
        for topic in self._refused:  # it is tried again: the access list may be another one
            self._kept.pop(topic, None)
            if topic == self._topic(topics.EVENT):
                self._forward.start_over()
        self._forward.journal(self._records.look())

    def _publish_event(self, event: Event) -> bool:
        return self._broker.publish(self._topic(topics.EVENT), encode(event), retain=False)

    # ------------------------------------------------------------------------------- what is said

    def _topic(self, name: str) -> str:
        return topics.table_topic(self._device.table, name)

    def _online(self, *, here: bool) -> Online:
        refused = here and self._topic(topics.STATE) in self._refused
        return Online(self._device.id, here, self._device.name, __version__, refused)

    def _tell_all(self) -> None:
        self._kept.clear()
        self._tell_soon(0.0)

    def _tell(self) -> None:
        if not self._broker.is_connected:
            return
        self._keep(self._topic(topics.ONLINE), encode(self._online(here=True)))
        self._tell_result()
        if not self._link.away:
            told = self._link.parts.get("registered")  # nothing once that is over
            message = b"" if told is None else encode(convert(told, payloads.Registered))
            self._keep(self._topic(topics.REGISTERED), message)
        state = self._state()
        if self._told is None or replace(state, at=self._told.at) != self._told:
            self._told = state
        self._keep(self._topic(topics.STATE), encode(self._told))
        if self._options.home_assistant:
            website, control = self._link.parts.get("website", ""), self._options.control
            message = discovery(self._device, state.language, website, control=control)
            self._keep(topics.discovery_topic(self._device.table), message)

    def _keep(self, topic: str, message: bytes) -> None:
        """Publish what the broker is to keep, unless it has it; what cannot be said now is said later."""
        if self._kept.get(topic) != message:
            if self._broker.publish(topic, message):
                self._kept[topic] = message
            else:
                self._tell_soon(1.0)

    def _tell_result(self) -> None:
        snapshot = self._link.snapshot
        if snapshot is not None and not self._link.away:
            told = self._link.parts.get("result")  # a table without tournaments has none
            if told is not None:
                self._result = convert(told, Result)
                self._result_message = encode(self._result)
            elif self._result is not None and self._is_taken_back(self._result, snapshot.table):
                self._result, self._result_message = None, b""
        if self._result_message is not None:
            self._keep(self._topic(topics.RESULT), self._result_message)

    def _is_taken_back(self, result: Result, table: TableSnapshot | None) -> bool:
        """Whether a result that the table no longer tells was undone, or its round is over.

        Else another match is in play there, and the hub may not have heard the result yet.
        """
        act = self._for_table.get(topics.SEATS)
        if isinstance(act, GiveSeats) and (act.seats is None or act.seats.round != result.round):
            return True
        if table is None or table.over or table.match is None:
            return False
        return self._records.uid(table.match) == result.match

    def _state(self) -> State:
        snapshot, match = self._link.snapshot, None
        if snapshot is not None and snapshot.table is not None:
            uid = self._records.uid(snapshot.table.match or 0)
            if uid is not None:
                t = translator(snapshot.language, snapshot.digits)
                match = match_of(snapshot.table, uid, t, names=self._options.names)
        return State(
            device=self._device.id,
            name=self._device.name,
            running=not self._link.away,
            at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            language=self._language if snapshot is None else snapshot.language,
            match=match,
            health=() if snapshot is None else health_of(snapshot),
            temperature_c=Machine(Path("/")).celsius(),
            faults=(
                *([Fault("same name", other=self._twin)] if self._twin else []),
                *self._forward.faults,
                *(Fault("malformed", other=name) for name in sorted(self._malformed)),
                *(Fault("refused", other=name) for name in self._refused_names()),
            ),
        )

    def _refused_names(self) -> list[str]:
        own = self._topic("")
        return [topic.removeprefix(own) for topic in sorted(self._refused)]

    def _leave(self) -> None:
        if self._broker.is_connected:
            gone = encode(self._online(here=False))
            self._broker.flush(self._topic(topics.ONLINE), gone, _GOODBYE_S)
        self._broker.close()

    # ------------------------------------------------------------------------------- what is heard

    def _handle(self, received: Received) -> None:
        topic, payload = received.topic, received.payload
        if topic == topics.HOME_ASSISTANT_STATUS:
            if payload == b"online" and not received.retained:
                self._tell_all()
            return
        name = topic.removeprefix(self._topic(""))
        try:
            message = payloads.decode(payloads.OF_TOPIC[name], payload) if payload else None
            self._take(name, message, is_new=not received.retained)
            self._malformed.discard(name)
        except Malformed as bad:
            if name not in self._malformed:
                _LOG.warning("%s: %s", topic, bad)
            self._malformed.add(name)
            self._tell_soon()

    def _take(self, name: str, message: object, *, is_new: bool) -> None:
        match message:
            case Have():
                self._forward.have(message)
            case None | Seats() if name == topics.SEATS:
                seats = convert(message, messages.Seats | None, from_attributes=True)
                self._for_table[topics.SEATS] = GiveSeats(kind="act", seats=seats)
                self._tell_soon()
            case Online(device, online):
                twin = device[:40] if online else ""
                if device != self._device.id and twin != self._twin:
                    if twin:
                        _LOG.warning("another box, %s, has the name of this table", twin)
                    self._twin = twin
                    self._tell_soon()
                if not online:  # an old last will, or a twin that has gone
                    self._tell_all()
            case payloads.Press(key) if key in _KEYS and is_new:
                self._tasks.create_task(self._press(_KEYS[key]))
            case payloads.Press(key) if is_new:
                raise Malformed(f"there is no key {key[:40]}")

    def _new_acts(self) -> list[str]:
        if self._link.away:
            return []
        return [name for name, act in self._for_table.items() if self._passed.get(name) != act]

    async def _pass_on(self) -> None:
        """Tell the table what is new; for which it has no time, that is tried again after a pause."""
        while names := self._new_acts():
            name, act = names[0], self._for_table[names[0]]
            try:
                answer = await self._link.act(act)
                is_busy, refused = answer.why == "busy", "" if answer.accepted else str(answer)
            except ConnectionError:
                is_busy, refused = True, ""
            except ValueError:
                is_busy, refused = False, "it is longer than the table reads"
            if is_busy:
                await asyncio.sleep(_AGAIN_S)
                continue
            if not self._link.away:
                self._passed[name] = act
            if refused:
                _LOG.warning("the table does not take its %s: %s", name, refused)
                if name == topics.SEATS:
                    self._malformed.add(name)
                    self._tell_soon()

    async def _press(self, act: SocketAct) -> None:
        with suppress(ConnectionError):  # the game is not running: nothing to press
            answer = await self._link.act(act)
            if not answer.accepted:
                _LOG.warning("not done: %s (%s)", act, answer.why)
