"""The connection to the broker. It comes back by itself; what was missed, the tables send again."""

from __future__ import annotations

import logging
import ssl
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion
from paho.mqtt.subscribeoptions import SubscribeOptions

from companion.values import Value
from network.mqtt import topics

if TYPE_CHECKING:
    from pathlib import Path

    from paho.mqtt.properties import Properties
    from paho.mqtt.reasoncodes import ReasonCode

KEEP_ALIVE_S: Final = 20
"""A broker that has not answered for so long, and half as long again, is taken for gone."""

_LOG: Final = logging.getLogger(__name__)
_AT_ONCE: Final = 0
_AT_LEAST_ONCE: Final = 1


class Address(Value):
    """Where the broker is, and how to log in there."""

    host: str
    port: int = 1883
    user: str = ""
    password: str = ""
    ca: Path | None = None
    """The file with the certificates of who may vouch for the broker; with it the connection is encrypted."""
    certificate: Path | None = None
    key: Path | None = None


class Broker:
    """The client of a hub.

    `heard` is called with topic, content, time and whether it was retained, in the thread of the
    connection; it must not block.
    `turned` is told in the same thread when the connection is there, or gone.
    """

    def __init__(
        self,
        address: Address,
        name: str,
        heard: Callable[[str, bytes, float, bool], None],
        turned: Callable[[bool], None],
        now_s: Callable[[], float] = time.time,
    ) -> None:
        self._address, self._heard, self._turned, self._now_s = address, heard, turned, now_s
        self._said = ""
        self._is_connected = False
        self._client = paho.Client(
            CallbackAPIVersion.VERSION2,
            client_id=f"hub-{name}",
            protocol=paho.MQTTv5,
            reconnect_on_failure=True,
        )
        self._client.reconnect_delay_set(1, 30)
        self._client.max_queued_messages_set(20_000)
        if address.user:
            self._client.username_pw_set(address.user, address.password)
        if address.ca is not None or address.certificate is not None:
            context = ssl.create_default_context(cafile=address.ca)
            if address.certificate is not None:
                context.load_cert_chain(address.certificate, address.key)
            self._client.tls_set_context(context)
        self._client.on_connect = self._on_connect
        self._client.on_connect_fail = self._on_connect_fail
        self._client.on_disconnect = self._on_disconnect
        self._client.on_message = self._on_message

    def start(self) -> None:
        """Begin to connect, in a thread of its own; it tries until `stop`."""
        self._client.connect_async(self._address.host, self._address.port, KEEP_ALIVE_S, clean_start=True)
        self._client.loop_start()

    def stop(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()

    def publish(self, topic: str, payload: bytes, *, retain: bool = True, sure: bool = True) -> None:
        """Send something; while there is no connection it waits. `sure`: at least once, else at most once."""
        self._client.publish(topic, payload, _AT_LEAST_ONCE if sure else _AT_ONCE, retain=retain)

    def _on_connect(
        self,
        client: paho.Client,
        _data: object,
        _flags: paho.ConnectFlags,
        reason: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        if reason.is_failure:
            self._say(f"the broker at {self._where} refuses: {reason}")
            return
        self._is_connected = True
        self._say(f"connected to the broker at {self._where}")
        # Events come to one of the hubs; the rest to all, for a shared subscription has no retained messages.
        client.subscribe([(topics.shared(topics.EVENT), SubscribeOptions(qos=_AT_ONCE))])
        every = (topics.ONLINE, topics.STATE, topics.RESULT, topics.REGISTERED, topics.HAVE)
        options = SubscribeOptions(qos=_AT_LEAST_ONCE, noLocal=True)
        client.subscribe([(topics.every_table(name), options) for name in every])
        self._turned(True)  # noqa: FBT003

    def _on_connect_fail(self, _client: paho.Client, _data: object) -> None:
        cause = sys.exception()  # paho calls this while it handles it
        self._say(f"no connection to the broker at {self._where}: {cause}; it is tried again and again")

    def _on_disconnect(
        self,
        _client: paho.Client,
        _data: object,
        _flags: paho.DisconnectFlags,
        reason: ReasonCode,
        _properties: Properties | None,
    ) -> None:
        if reason.is_failure and self._is_connected:
            self._say(f"the connection to the broker at {self._where} has ended: {reason}")
        self._is_connected = False
        self._turned(False)  # noqa: FBT003

    def _on_message(self, _client: paho.Client, _data: object, message: paho.MQTTMessage) -> None:
        self._heard(message.topic, bytes(message.payload), self._now_s(), message.retain)

    @property
    def _where(self) -> str:
        return f"{self._address.host}:{self._address.port}"

    def _say(self, what: str) -> None:
        """Log what is new; what repeats with every try is said once."""
        if what != self._said:
            self._said = what
            _LOG.warning("%s", what)
