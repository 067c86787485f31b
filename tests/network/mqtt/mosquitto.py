"""A real mosquitto on loopback, and a client that listens and says what a hub would."""

import shutil
import signal
import socket
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest
from paho.mqtt.client import Client, MQTTMessage, MQTTv5
from paho.mqtt.enums import CallbackAPIVersion, MQTTErrorCode

from network.mqtt import payloads, topics
from tests.patience import PATIENCE_S, comes

MOSQUITTO = shutil.which("mosquitto") or shutil.which("mosquitto", path="/usr/sbin:/usr/local/sbin")

needs_mosquitto = pytest.mark.skipif(MOSQUITTO is None, reason="mosquitto is not installed")

Message = TypeVar("Message")


class Mosquitto:
    """A broker that can be killed and started again at the same port."""

    def __init__(self, folder: Path, *lines: str) -> None:
        self._folder = folder
        self._lines = lines or ("allow_anonymous true",)
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    def start(self) -> None:
        """Start it; at a port that is free, the first time."""
        while self._process is None:
            port = self.port or free_port()
            process = self._try(port)
            if process.poll() is None:
                self._process, self.port = process, port

    def _try(self, port: int) -> subprocess.Popen[bytes]:
        """Start it, and wait until it runs, or has ended because somebody else has the port."""
        log, conf = self._folder / "mosquitto.log", self._folder / "mosquitto.conf"
        user = ["user root"] if Path("/proc/self").owner() == "root" else []
        own = [f"listener {port} 127.0.0.1", "persistence false", f"log_dest file {log}"]
        conf.write_text("\n".join([*user, *own, *self._lines, ""]))
        log.unlink(missing_ok=True)
        with (self._folder / "mosquitto.out").open("wb") as output:
            process = subprocess.Popen([str(MOSQUITTO), "-c", str(conf)], stdout=output, stderr=output)
        assert comes(lambda: process.poll() is not None or (log.exists() and " running" in log.read_text()))
        assert process.poll() is None or "Address already in use" in log.read_text(), log.read_text()
        return process

    def read_again(self) -> None:
        """Let it read its access list again."""
        assert self._process is not None
        self._process.send_signal(signal.SIGHUP)

    def kill(self) -> None:
        """Let it die as in a power cut."""
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait(PATIENCE_S)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        found: int = probe.getsockname()[1]
        return found


@contextmanager
def mosquitto(folder: Path, *lines: str) -> Iterator[Mosquitto]:
    """A broker with these lines in its configuration."""
    broker = Mosquitto(folder, *lines)
    broker.start()
    try:
        yield broker
    finally:
        broker.kill()


class Listener:
    """A client of the broker that keeps everything it hears, and can speak."""

    def __init__(self, port: int, user: str = "", password: str = "") -> None:
        self.port = port
        self.heard: list[tuple[str, bytes]] = []
        self.last: dict[str, bytes] = {}
        self.on_message: list[Callable[[str, bytes], None]] = []
        self.granted = threading.Event()
        self._client = Client(
            CallbackAPIVersion.VERSION2, client_id=user and f"nimmt-{user}", protocol=MQTTv5
        )
        if user:
            self._client.username_pw_set(user, password)
        self._client.on_connect = self._connected
        self._client.on_message = self._message
        self._client.on_subscribe = lambda *_: self.granted.set()
        self._client.reconnect_delay_set(1, 1)
        self._client.connect_async("127.0.0.1", port)
        self._client.loop_start()
        assert self.granted.wait(PATIENCE_S)

    def _connected(self, client: Client, _data: object, _flags: object, reason: Any, _more: object) -> None:
        if not reason.is_failure:
            client.subscribe("#", qos=1)

    def _message(self, _client: Client, _data: object, message: MQTTMessage) -> None:
        payload = bytes(message.payload)
        self.heard.append((message.topic, payload))
        self.last[message.topic] = payload
        for one in self.on_message:
            one(message.topic, payload)

    def say(self, topic: str, payload: bytes, *, retain: bool = True) -> None:
        assert comes(self._client.is_connected)
        assert self._client.publish(topic, payload, 1, retain).rc in (0, MQTTErrorCode.MQTT_ERR_NO_CONN)

    def of(self, table: str, kind: type[Message], name: str) -> list[Message]:
        topic = topics.table_topic(table, name)
        return [payloads.decode(kind, data) for at, data in list(self.heard) if at == topic and data]

    def newest(self, table: str, kind: type[Message], name: str) -> Message | None:
        data = self.last.get(topics.table_topic(table, name), b"")
        return payloads.decode(kind, data) if data else None

    def until(self, holds: Callable[[], bool]) -> None:
        assert comes(holds), self.heard[-5:]

    def close(self) -> None:
        self._client.disconnect()
        self._client.loop_stop()


@contextmanager
def listener(port: int, user: str = "", password: str = "") -> Iterator[Listener]:
    """A client that hears everything that it may."""
    found = Listener(port, user, password)
    try:
        yield found
    finally:
        found.close()
