"""The program of a table: follows its socket and its journal, and tells a broker.

One thread does everything here, woken by the socket, by the broker's thread and by time. It waits for
nobody: a broker that is away, slow or hostile holds up nothing but what is said to it.
"""

import asyncio
import logging
import math
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import Final

from msgspec import convert

from companion.core.codes import Control, control_code
from companion.protocol.snapshot import TableSnapshot
from companion.values import replace
from firmware import __version__
from firmware.extensions.broker import MAX_TOPICS, TellBroker
from firmware.extensions.tournament import messages
from firmware.extensions.tournament.messages import GiveSeats
from firmware.journal.errors import JournalError
from firmware.play.acts import SocketAct
from firmware.service.machine import Machine
from firmware.table_socket.acts import PressKey, Scan
from firmware.table_socket.link import Link
from firmware.text.translation import translator
from hardware.ports import Key
from network.mqtt import payloads, topics
from network.mqtt.broker import Broker, Received
from network.mqtt.config import MqttOptions
from network.mqtt.device import TableDevice, discovery
from network.mqtt.forward import Forward
from network.mqtt.payloads import BoxState, Fault, Have, Malformed, Online, encode
from network.mqtt.records import JournalRecords
from network.mqtt.state import health_of, match_of

_LOG: Final = logging.getLogger(__name__)

READ_S: Final = 30.0
"""The pause before journal and temperature are read again without a new step: matches can be imported."""

_LATER_S: Final = 0.2  # of several changes within this time the last state is told
_ROOM_S: Final = 0.1  # until a broker that takes no more messages for now is tried again
_AGAIN_S: Final = 1.0  # until something is passed on again that the table had no time for

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
        device: TableDevice,
        *,
        names: Sequence[str] = (),
        language: str = "en",
    ) -> None:
        self._options, self._device, self._language = options, device, language
        self._records = JournalRecords(journal, names if options.names else None)
        self._forward = Forward()
        self._link = Link(table, self._table_changed)
        self._loop = asyncio.get_running_loop()
        self._woken = asyncio.Event()
        self._stopped = False
        self._read_at_s = 0.0
        self._publish_at_s = math.inf
        self._connections = 0
        """To the broker, as far as they were noticed."""
        self._wanted: dict[str, bytes] = {}
        """What the broker is to retain, by topic."""
        self._retained: dict[str, bytes] = {}
        """What it was sent of that on this connection."""
        self._state: BoxState | None = None
        self._result: payloads.RoundResult | None = None
        self._other_device = ""
        """Another box with the same name."""
        self._malformed: set[str] = set()
        self._refused: list[str] = []
        """The names of the topics on which the broker refuses what is published."""
        self._acts: dict[str, SocketAct] = {"broker": TellBroker(kind="act", refused=())}
        """The newest acts that tell the table something: who sits there, and what is refused."""
        self._new_acts = dict(self._acts)
        """Those that the table has not answered on this connection to it."""
        self._acting: asyncio.Task[None] | None = None
        subscribed = {self._topic(name): 1 for name in (topics.ONLINE, topics.HAVE, topics.SEATS)}
        subscribed[topics.table_topic("+", topics.ONLINE)] = 1  # of this box under another name, too
        if options.control:  # a key that is pressed while the table is away must not be kept until it is back
            subscribed[self._topic(topics.PRESS)] = 0
        will = self._topic(topics.ONLINE), encode(self._online(here=False))
        self._broker = Broker(options, device.client, self._receive, self._wake, subscribed, will=will)

    async def run(self) -> None:
        async with asyncio.TaskGroup() as self._tasks:
            self._broker.start()
            link = self._tasks.create_task(self._link.run())
            try:
                while not self._stopped:
                    pause_s = self._work()
                    with suppress(TimeoutError):
                        await asyncio.wait_for(self._woken.wait(), pause_s)
                    self._woken.clear()
            finally:
                link.cancel()
                await asyncio.to_thread(self._broker.close)

    def stop(self) -> None:
        """End, from any thread: the broker is told that the table has gone."""
        self._stopped = True
        self._wake()

    # ------------------------------------------------------------------------------- what wakes it

    def _wake(self) -> None:
        with suppress(RuntimeError):  # the loop has ended
            self._loop.call_soon_threadsafe(self._note_connection)

    def _receive(self, received: Received) -> None:
        """Wait until a message is handled: so nobody who floods a topic fills the memory."""

        async def handle() -> None:
            await self._tasks.create_task(self._handle(received))

        asyncio.run_coroutine_threadsafe(handle(), self._loop).result()

    def _table_changed(self, kind: str) -> None:
        if kind in ("step", "snapshot"):
            self._read_at_s = 0.0
        if kind == "away":
            self._new_acts = dict(self._acts)
            self._forward.start_over()  # when it is back, its journal may be an older one
        if kind != "picture":  # they can come all the time, and nothing of them is published
            self._publish_soon()

    def _publish_soon(self, in_s: float = _LATER_S) -> None:
        self._publish_at_s = min(self._publish_at_s, time.monotonic() + in_s)
        self._woken.set()

    def _publish_again(self) -> None:
        """Publish all that is to be retained: whoever kept it may have lost it."""
        self._retained.clear()
        self._publish_soon(0.0)

    # ------------------------------------------------------------------------------- one turn

    def _work(self) -> float:
        """Do what is due; returns the time until there is more (s)."""
        now_s, is_full = time.monotonic(), False
        try:
            if now_s >= self._read_at_s:
                self._read_journal(now_s)
            if self._broker.is_connected:
                publish = partial(self._broker.publish, self._topic(topics.EVENT), retain=False)
                is_full = not self._forward.send(self._records.events, lambda event: publish(encode(event)))
        except JournalError as bad:
            _LOG.warning("%s", bad)
        if self._new_acts and not self._link.away and (self._acting is None or self._acting.done()):
            self._acting = self._tasks.create_task(self._tell_table())
        if now_s >= self._publish_at_s:
            self._publish_at_s = math.inf
            self._publish_retained()
        return _ROOM_S if is_full else max(0.0, min(self._read_at_s, self._publish_at_s) - now_s)

    def _note_connection(self) -> None:
        self._woken.set()
        if self._connections != self._broker.connections:
            self._connections = self._broker.connections
            self._forward.connected()
            self._publish_again()
        own = self._topic("")
        lacking = (
            topic for topic in sorted(self._broker.refused) if topic.startswith(own) or self._wanted[topic]
        )
        refused = [topic.removeprefix(own) for topic in lacking]
        if refused != self._refused:
            self._refused = refused
            self._set_act("broker", TellBroker(kind="act", refused=tuple(refused[:MAX_TOPICS])))

    def _read_journal(self, now_s: float) -> None:
        self._read_at_s = now_s + READ_S
        self._publish_soon()
        for name in self._refused:  # it is tried again: the access list may be another one
            self._retained.pop(self._topic(name), None)
        if topics.EVENT in self._refused:
            self._forward.start_over()
        self._forward.journal(self._records.look())

    # ------------------------------------------------------------------------------- what is published

    def _topic(self, name: str) -> str:
        return topics.table_topic(self._device.table, name)

    def _publish_retained(self) -> None:
        """Publish what the broker does not have; what cannot be published now follows later."""
        if not self._broker.is_connected:
            return
        self._want(topics.ONLINE, self._online(here=True))
        if self._link.snapshot is not None and not self._link.away:
            self._want_parts(self._link.snapshot.table)
        state = self._state_now()
        if self._state is None or replace(state, at=self._state.at) != self._state:
            self._state = state
        self._want(topics.STATE, self._state)
        message = discovery(self._device, self._options, state.language, self._link.parts.get("website", ""))
        topic = topics.discovery_topic(self._options.discovery_prefix, self._device.client)
        self._wanted[topic] = message
        for topic, message in self._wanted.items():
            if self._retained.get(topic) != message:
                if self._broker.publish(topic, message):
                    self._retained[topic] = message
                else:
                    self._publish_soon(1.0)

    def _want(self, name: str, message: object) -> None:
        self._wanted[self._topic(name)] = b"" if message is None else encode(message)

    def _want_parts(self, table: TableSnapshot | None) -> None:
        """Take what the optional part for tournaments says, if the table has one."""
        registered, result = (self._link.parts.get(name) for name in ("registered", "result"))
        self._want(topics.REGISTERED, registered and convert(registered, payloads.NewBadges))
        if result is not None:
            self._result = convert(result, payloads.RoundResult)
            self._want(topics.RESULT, self._result)
        elif self._result is not None and self._is_taken_back(self._result, table):
            self._result = None
            self._want(topics.RESULT, None)

    def _is_taken_back(self, result: payloads.RoundResult, table: TableSnapshot | None) -> bool:
        """Whether a result that the table no longer says was undone, or its round is over.

        Else another match is in play there, and the hub may not have received the result yet.
        """
        act = self._acts.get(topics.SEATS)
        if isinstance(act, GiveSeats) and (act.seats is None or act.seats.round != result.round):
            return True
        if table is None or table.over or table.match is None:
            return False
        return self._records.uid(table.match) == result.match

    def _online(self, *, here: bool) -> Online:
        refused = here and topics.STATE in self._refused
        return Online(self._device.id, here, self._device.name, __version__, refused)

    def _state_now(self) -> BoxState:
        snapshot, match = self._link.snapshot, None
        if snapshot is not None and snapshot.table is not None:
            t = translator(snapshot.language, snapshot.digits)
            if uid := self._records.uid(snapshot.table.match or 0):
                match = match_of(snapshot.table, uid, t, names=self._options.names)
        return BoxState(
            device=self._device.id,
            name=self._device.name,
            running=not self._link.away,
            at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
            language=self._language if snapshot is None else snapshot.language,
            match=match,
            health=() if snapshot is None else health_of(snapshot),
            temperature_c=Machine(Path("/")).celsius(),
            faults=(
                *([Fault("same name", other=self._other_device)] if self._other_device else []),
                *self._forward.faults,
                *(Fault("malformed", other=name) for name in sorted(self._malformed)),
                *(Fault("refused", other=name) for name in self._refused),
            ),
        )

    # ------------------------------------------------------------------------------- what is received

    async def _handle(self, received: Received) -> None:
        table, name = topics.of_table(received.topic) or ("", "")
        if table != self._device.table:
            if (
                self._device.id.encode() in received.payload
            ):  # it had this name: nobody else empties what is left
                self._wanted |= {topics.table_topic(table, each): b"" for each in topics.RETAINED}
                self._publish_soon()
            return
        try:
            message = payloads.decode(payloads.OF_TOPIC[name], received.payload) if received.payload else None
            self._take(name, message, is_new=not received.retained)
            self._malformed.discard(name)
        except Malformed as bad:
            if name not in self._malformed:
                _LOG.warning("%s: %s", received.topic, bad)
            self._malformed.add(name)
            self._publish_soon()

    def _take(self, name: str, message: object, *, is_new: bool) -> None:
        match message:
            case Have():
                self._forward.have(message)
                self._woken.set()
            case None | payloads.Seating() if name == topics.SEATS:
                seats = convert(message, messages.Seats | None, from_attributes=True)
                self._set_act(topics.SEATS, GiveSeats(kind="act", seats=seats))
            case Online(device, online):
                other = device[:40] if online else ""
                if device != self._device.id and other != self._other_device:
                    if other:
                        _LOG.warning("another box, %s, has the name of this table", other)
                    self._other_device = other
                    self._publish_soon()
                if not online:  # an old last will, or another box that has gone
                    self._publish_again()
            case payloads.KeyPress(key) if is_new:
                self._tasks.create_task(self._press(key))

    # ------------------------------------------------------------------------------- acts at the table

    def _set_act(self, name: str, act: SocketAct) -> None:
        self._acts[name] = self._new_acts[name] = act
        self._publish_soon()

    async def _tell_table(self) -> None:
        """Tell the table what is new; for which it has no time, that is tried again after a pause."""
        while self._new_acts and not self._link.away:
            name, act = next(iter(self._new_acts.items()))
            why = refused = ""
            try:
                answer = await self._link.act(act)
                why, refused = answer.why or "", "" if answer.accepted else str(answer)
            except ConnectionError:
                why = "busy"
            except ValueError:
                refused = "it is longer than the table reads"
            if why == "busy":
                await asyncio.sleep(_AGAIN_S)
                continue
            if self._new_acts.get(name) is act:
                del self._new_acts[name]
            if refused:
                _LOG.warning("the table does not take its %s: %s", name, refused)
                if name == topics.SEATS:
                    self._malformed.add(name)
                    self._publish_soon()

    async def _press(self, key: str) -> None:
        if key == "undo" and self._link.snapshot and self._link.snapshot.page.name == "hello":
            return  # it would suspend the match, for somebody who does not see that page
        with suppress(ConnectionError):  # the game is not running: nothing to press
            answer = await self._link.act(_KEYS[key])
            if not answer.accepted:
                _LOG.warning("not done: %s (%s)", key, answer.why)
