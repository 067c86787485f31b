"""The connection of a bridge or a hub to a broker: paho-mqtt in its own thread, which tries for ever.

A broker that does not answer, or is lost again and again, costs nothing but what is said to it.
"""

import logging
import ssl
import sys
import time
from collections.abc import Callable, Mapping
from typing import Final

from paho.mqtt.client import Client, ConnectFlags, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties
from paho.mqtt.reasoncodes import ReasonCode
from paho.mqtt.subscribeoptions import SubscribeOptions

from companion.text.errors import CompanionError
from companion.values import Value
from firmware.bounded_file import read_secret
from network.mqtt.config import BrokerOptions
from network.mqtt.payloads import LONGEST_BYTES

_LOG: Final = logging.getLogger(__name__)

TRIES_S: Final = (1, 30)
"""Pauses between tries: the first, and the longest."""

_KEEP_ALIVE_S: Final = 20  # the broker tells the last will after one and a half of it
_SESSION_S: Final = 24 * 3600  # the broker keeps the session of a client that is away for so long
_MAX_RECEIVED: Final = 1000  # messages before the first of them is acknowledged
_LONGEST_PACKET: Final = LONGEST_BYTES + 1024


class Received(Value):
    """A message, and when it came (s since 1970). `retained`: the broker had kept it.

    `mid` is its number there, for `Broker.acknowledge`.
    """

    topic: str
    payload: bytes
    at_s: float
    retained: bool = False
    mid: int = 0


class Broker:
    """A connection as `client`, which begins with `start` and comes back by itself until `close`.

    The broker keeps a session for `client`: what is said to it while it is away, it hears when it comes back.
    Two programs with the same `client` would take the connection from each other. `topics` are subscribed,
    each with its QoS.

    `receive` is called with each message, `changed` when the connection or `refused` may be another: in the
    thread of the connection, which does nothing else meanwhile. With `acknowledges`, a message comes again
    with each connection until `acknowledge` is called with it.

    Raises `CompanionError` where a certificate or the password cannot be used.
    """

    def __init__(  # noqa: PLR0913 - what a client of a broker is made of
        self,
        options: BrokerOptions,
        client: str,
        receive: Callable[[Received], None] = lambda _: None,
        changed: Callable[[], None] = lambda: None,
        topics: Mapping[str, int] | None = None,
        *,
        will: tuple[str, bytes] | None = None,
        most_waiting: int = 100,
        acknowledges: bool = False,
    ) -> None:
        self._receive, self._changed = receive, changed
        self._topics = [(topic, SubscribeOptions(qos=qos)) for topic, qos in (topics or {}).items()]
        self.is_connected = False
        self.connections = 0
        self.is_resumed = False
        """Whether the broker still had the session at the newest connection."""
        self.refused: frozenset[str] = frozenset()
        """The topics of which the broker has refused what was published last."""
        self._sent: dict[int, str] = {}
        """By the number of a message that waits for its answer: its topic."""
        self._answers: dict[int, bool] = {}
        """The answers to messages: whether they are refused. One may come before `_sent` has its message."""
        self._place = options.place
        self._where = ":".join(map(str, self._place))
        self._said = ""
        self._client = Client(
            CallbackAPIVersion.VERSION2, client_id=client, protocol=MQTTv5, manual_ack=acknowledges
        )
        self._client.on_connect = self._on_connect
        self._client.on_connect_fail = self._on_connect_fail
        self._client.on_disconnect = self._on_disconnect
        self._client.on_message = self._on_message
        self._client.on_publish = self._on_publish
        if will is not None:
            self._client.will_set(*will, qos=1, retain=True)
        self._client.reconnect_delay_set(*TRIES_S)
        self._client.max_queued_messages_set(most_waiting)
        if options.user:
            self._client.username_pw_set(options.user, read_secret(options.password_file))
        if options.tls:
            self._client.tls_set_context(authorities(options.ca))

    def start(self) -> None:
        """Begin to connect; this does not wait."""
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.SessionExpiryInterval = _SESSION_S
        properties.MaximumPacketSize = _LONGEST_PACKET
        properties.ReceiveMaximum = _MAX_RECEIVED
        self._client.connect_async(*self._place, _KEEP_ALIVE_S, clean_start=False, properties=properties)
        self._client.loop_start()

    def publish(self, topic: str, payload: bytes, *, retain: bool = True, wait_s: float = 0.0) -> bool:
        """Hand over a message; False if there is no connection, or too much is waiting.

        With `wait_s` it waits so long for the broker to have it; False if it has not.
        """
        if not self.is_connected:
            return False
        message = self._client.publish(topic, payload, 1, retain)
        if message.rc == MQTTErrorCode.MQTT_ERR_QUEUE_SIZE:
            return False
        self._sent[message.mid] = topic
        self._take_answer(message.mid)
        if not wait_s:
            return True
        try:
            message.wait_for_publish(wait_s)
            return message.is_published() and topic not in self.refused
        except RuntimeError:  # the connection was lost meanwhile
            return False

    def acknowledge(self, received: Received) -> None:
        self._client.ack(received.mid, int(received.mid > 0))

    def close(self) -> None:
        """End the connection; the broker publishes the last will, if there is one."""
        self._client.disconnect(ReasonCode(PacketTypes.DISCONNECT, "Disconnect with will message"))
        self._client.loop_stop()

    # ---------------------------------------------------------------------------- the thread of paho

    def _on_connect(
        self, client: Client, _data: object, flags: ConnectFlags, reason: ReasonCode, _properties: object
    ) -> None:
        if reason.is_failure:
            self._say(f"the broker at {self._where} refuses: {reason}")
            return
        self._say(f"connected to the broker at {self._where}")
        if self._topics:
            client.subscribe(self._topics)
        self.is_connected, self.is_resumed = True, flags.session_present
        self.connections += 1
        self._changed()

    def _on_connect_fail(self, _client: Client, _data: object) -> None:
        cause = sys.exception()  # paho calls this while it handles it
        self._say(f"no connection to the broker at {self._where}: {cause}; it is tried again and again")

    def _on_disconnect(
        self, _client: Client, _data: object, _flags: object, reason: ReasonCode, _properties: object
    ) -> None:
        if reason.is_failure and not self._said.startswith("the broker"):
            self._say(f"the connection to the broker at {self._where} has ended: {reason}")
        self.is_connected = False
        self._changed()

    def _on_message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        mid = message.mid if message.qos else 0
        self._receive(Received(message.topic, bytes(message.payload), time.time(), message.retain, mid))

    def _on_publish(
        self, _client: Client, _data: object, number: int, reason: ReasonCode, _properties: object
    ) -> None:
        self._answers[number] = reason.is_failure
        self._take_answer(number)

    def _take_answer(self, number: int) -> None:
        """Note what became of a message, once it is known which one it was.

        Both threads come here, without a lock: paho holds one of its own while it tells the answer, and wants
        it while it publishes.
        """
        if number not in self._answers or (topic := self._sent.pop(number, None)) is None:
            return
        is_refused = self._answers.pop(number)
        if is_refused != (topic in self.refused):
            self.refused ^= {topic}
            if is_refused:
                _LOG.warning("the broker at %s refuses what is published on %s", self._where, topic)
            self._changed()

    def _say(self, what: str) -> None:
        if what != self._said:
            self._said = what
            _LOG.warning("%s", what)


def authorities(ca: str) -> ssl.SSLContext:
    """What the broker is checked with; empty: those of the system. Raises `CompanionError`."""
    try:
        return ssl.create_default_context(cafile=ca or None)
    except (OSError, ValueError) as bad:  # ssl.SSLError is an OSError
        fix = "check ca: a PEM file that the user of this program may read"
        raise CompanionError(f"the certificate {ca} cannot be used: {bad}", fix) from bad
