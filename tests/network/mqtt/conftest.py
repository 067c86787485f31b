"""A broker, and a client that hears all that it says."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.network.mqtt.bridged import hasty
from tests.network.mqtt.mosquitto import Listener, Mosquitto, listener, mosquitto


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    hasty(monkeypatch)


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    with mosquitto(tmp_path) as made:
        yield made


@pytest.fixture
def at(broker: Mosquitto) -> Iterator[Listener]:
    with listener(broker.port) as made:
        yield made
