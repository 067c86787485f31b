"""What a hub says in its log of the connection to the broker."""

import threading
from pathlib import Path

import pytest

from network.mqtt.broker import Broker
from network.mqtt.config import BrokerOptions
from tests.network.mqtt.mosquitto import mosquitto, needs_mosquitto
from tests.patience import comes


@needs_mosquitto
def test_the_log_says_whether_the_broker_is_there_and_why_not(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    turns: list[bool] = []

    def begun(port: int) -> Broker:
        options = BrokerOptions(f"127.0.0.1:{port}")
        made = Broker(options, "a", changed=lambda: turns.append(made.is_connected))
        made.start()
        return made

    def says(what: str) -> bool:
        return comes(lambda: any(what in message for message in caplog.messages))

    with mosquitto(tmp_path) as at:
        hub = begun(at.port)
        assert says(f"connected to the broker at 127.0.0.1:{at.port}")
        at.kill()
        assert says("has ended: ")
        assert says("Connection refused; it is tried again and again")
        hub.close()
    (tmp_path / "other").mkdir()
    with mosquitto(tmp_path / "other", "allow_anonymous false") as at:
        hub = begun(at.port)
        assert says(f"the broker at 127.0.0.1:{at.port} refuses: Not authorized")
        hub.close()
    assert turns[:2] == [True, False]
    assert True not in turns[1:]
    assert not any(thread.name.startswith("paho") for thread in threading.enumerate())
