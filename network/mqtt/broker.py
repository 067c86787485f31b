"""The connection to the broker: paho-mqtt in its own thread, which tries for ever.

What it hears is left for the thread of the bridge: the newest messages of each topic, so that nobody who
floods a topic fills the memory. A broker that does not answer, or is lost again and again, costs the table
nothing.
"""

from __future__ import annotations

import logging
import ssl
import stat
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from paho.mqtt.client import Client, ConnectFlags, DisconnectFlags, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.properties import Properties

from companion.text.errors import CompanionError
from companion.text.sentence import say
from companion.values import Value
from firmware.bounded_file import read_bounded
from network.mqtt.payloads import LONGEST_BYTES

if TYPE_CHECKING:
    from paho.mqtt.reasoncodes import ReasonCode

    from network.mqtt.config import MqttOptions

_LOG: Final = logging.getLogger(__name__)

KEEP_ALIVE_S: Final = 30
"""The broker tells the last will after one and a half of it. One that does not answer is left after one."""

TRIES_S: Final = (1, 60)
"""Pauses between tries: the first, and the longest."""

_PORT: Final = 1883
_TLS_PORT: Final = 8883
_PACKET_BYTES: Final = LONGEST_BYTES + 1024
_LONGEST_PASSWORD: Final = 1024
_KEPT: Final = 8
"""Messages of a topic that wait for the bridge; older ones are dropped."""


class Heard(Value):
    """A message; `old` says that the broker had kept it."""

    payload: bytes
    old: bool


class News(Value):
    """What has happened since the last time.

    `connections` counts them, so that one that was lost and is there again is noticed.
    """

    connections: int
    connected: bool
    heard: dict[str, deque[Heard]]


class Broker:
    """A connection as `client`, with a last will; `changed` is called from another thread when there is news.

    Raises `CompanionError` for certificates and passwords that cannot be used.
    """

    def __init__(
        self,
        options: MqttOptions,
        client: str,
        will: tuple[str, bytes],
        topics: Sequence[str],
        changed: Callable[[], None],
    ) -> None:
        self._changed = changed
        self._topics = topics
        self._lock = threading.Lock()
        self._connections = 0
        self._heard: dict[str, deque[Heard]] = {}
        self._said = ""
        self._refused = False
        self._options = options
        self._where = f"{options.host}:{options.port or (_TLS_PORT if options.tls else _PORT)}"
        self._client = Client(CallbackAPIVersion.VERSION2, client_id=client, protocol=MQTTv5)
        self._client.on_connect = self._connected
        self._client.on_connect_fail = self._unreachable
        self._client.on_disconnect = self._disconnected
        self._client.on_message = self._message
        self._client.will_set(will[0], will[1], qos=1, retain=True)
        self._client.reconnect_delay_set(*TRIES_S)
        self._client.max_queued_messages_set(100)
        if options.user:
            self._client.username_pw_set(options.user, _password(options.password_file))
        if options.tls:
            self._client.tls_set_context(_certificates(options))

    def start(self) -> None:
        """Begin to connect; this does not wait."""
        properties = Properties(PacketTypes.CONNECT)  # type: ignore[no-untyped-call]
        properties.MaximumPacketSize = _PACKET_BYTES
        options = self._options
        port = options.port or (_TLS_PORT if options.tls else _PORT)
        self._client.connect_async(
            options.host, port, keepalive=KEEP_ALIVE_S, clean_start=True, properties=properties
        )
        self._client.loop_start()

    def news(self) -> News:
        """What has happened since the last call."""
        with self._lock:
            heard, self._heard = self._heard, {}
            return News(self._connections, self.is_connected, heard)

    @property
    def is_connected(self) -> bool:
        """Whether there is a connection now."""
        return self._client.is_connected()

    def publish(self, topic: str, payload: bytes, *, retain: bool, qos: int = 1) -> bool:
        """Hand over a message; False if there is no connection, or too much is waiting. Does not wait."""
        return self._client.publish(topic, payload, qos, retain).rc == MQTTErrorCode.MQTT_ERR_SUCCESS

    def flush(self, topic: str, payload: bytes, wait_s: float) -> bool:
        """The same with a retained message, and wait until the broker has it."""
        message = self._client.publish(topic, payload, 1, retain=True)
        try:
            message.wait_for_publish(wait_s)
        except (RuntimeError, ValueError):  # it was not accepted
            return False
        return message.is_published()

    def close(self) -> None:
        """End the connection, without the last will, and its thread."""
        self._client.disconnect()
        self._client.loop_stop()

    # ---------------------------------------------------------------------------- the thread of paho

    def _connected(
        self,
        client: Client,
        data: object,
        flags: ConnectFlags,
        reason: ReasonCode,
        properties: Properties | None,
    ) -> None:
        self._refused = reason.is_failure
        if reason.is_failure:
            self._say(f"the broker at {self._where} refuses: {reason}")
            return
        self._say(f"connected to the broker at {self._where}")
        if self._topics:
            client.subscribe([(topic, 1) for topic in self._topics])
        with self._lock:
            self._connections += 1
        self._changed()

    def _unreachable(self, client: Client, data: object) -> None:
        cause = sys.exception()  # paho calls this while it handles it
        self._say(f"no connection to the broker at {self._where}: {cause}; it is tried again and again")

    def _disconnected(
        self,
        client: Client,
        data: object,
        flags: DisconnectFlags,
        reason: ReasonCode,
        properties: Properties | None,
    ) -> None:
        if reason.is_failure and not self._refused:
            self._say(f"the connection to {self._where} has ended: {reason}")
        self._changed()

    def _message(self, client: Client, data: object, message: MQTTMessage) -> None:
        with self._lock:
            heard = self._heard.setdefault(message.topic, deque(maxlen=_KEPT))
            heard.append(Heard(bytes(message.payload), message.retain))
        self._changed()

    def _say(self, what: str) -> None:
        """Log what is new; what repeats with every try is said once."""
        if what != self._said:
            self._said = what
            _LOG.warning("%s", what)


def _password(file: str) -> str | None:
    """The password in a file that not everybody may read. Raises `CompanionError`."""
    if not file:
        return None
    path = Path(file).expanduser()
    try:
        if path.stat().st_mode & (stat.S_IROTH | stat.S_IWOTH):
            raise CompanionError(
                say("everybody on this machine can read the password in {path}", path=path),
                say("type: chmod 640 {path}", path=path),
            )
        text = read_bounded(path, _LONGEST_PASSWORD).decode().strip("\r\n")
    except (OSError, UnicodeDecodeError) as bad:
        raise CompanionError(
            say("the password in {path} cannot be read: {cause}", path=path, cause=bad),
            say("write it into that file, and let the user of this program read it"),
        ) from bad
    if not text:
        raise CompanionError(say("the file {path} is empty", path=path), say("write the password into it"))
    return text


def _certificates(options: MqttOptions) -> ssl.SSLContext:
    """What the broker is checked with, and what this table shows. Raises `CompanionError`."""
    path = options.ca
    try:
        context = ssl.create_default_context(cafile=options.ca or None)
        if options.cert:
            path = options.cert
            context.load_cert_chain(options.cert, options.key)
    except (OSError, ValueError) as bad:  # ssl.SSLError is an OSError
        raise CompanionError(
            say("the certificate {path} cannot be used: {cause}", path=path, cause=bad),
            say("check ca, cert and key: PEM files that the user of this program may read"),
        ) from bad
    return context
