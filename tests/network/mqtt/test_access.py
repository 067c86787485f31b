"""The access list that comes with the program, and certificates, tried at a real mosquitto."""

import re
import shutil
import subprocess
import threading
from contextlib import ExitStack
from pathlib import Path

import pytest

from companion.text.errors import CompanionError
from companion.tournament import acts
from firmware.bounded_file import read_secret
from network.hub import certificates, intake
from network.hub import faults as hub_faults
from network.hub.config import HubOptions
from network.mqtt import bridge as bridge_
from network.mqtt import broker as mqtt_broker
from network.mqtt import payloads, topics
from network.mqtt.broker import Broker
from network.mqtt.config import BrokerOptions, MqttOptions
from network.mqtt.payloads import BoxState, Fault
from tests.firmware.table_socket.at_table import table
from tests.network.hub.servers import working_hub
from tests.network.mqtt.bridged import bridge
from tests.network.mqtt.mosquitto import listener, mosquitto, needs_mosquitto
from tests.network.mqtt.test_bridge import START, faults, play
from tests.patience import PATIENCE_S, comes

DOCS = Path(__file__).parents[3] / "docs"
EXAMPLE, MQTT_MD = DOCS / "examples" / "mosquitto", DOCS / "mqtt.md"

USERS = ("3", "4", "hub", "homeassistant")


def users(folder: Path) -> tuple[str, ...]:
    """A broker for these users, with the access list of the documentation."""
    file, acl = folder / "users", folder / "nimmt.acl"
    file.write_text("".join(f"{user}:word-{user}\n" for user in USERS))
    shutil.copy(EXAMPLE / "nimmt.acl", acl)
    for one in (file, acl):
        one.chmod(0o600)
    subprocess.run(["mosquitto_passwd", "-U", str(file)], check=True, timeout=PATIENCE_S)
    return "allow_anonymous false", f"password_file {file}", f"acl_file {acl}"


def password(folder: Path, user: str) -> str:
    """A file with the password of a user."""
    path = folder / f"password-{user}"
    path.write_text(f"word-{user}\n")
    path.chmod(0o600)
    return str(path)


def documented() -> dict[str, tuple[str, str]]:
    """By the name of a topic, as the documentation has them: the user that publishes, and one that reads."""
    rows = re.findall(r"^\| `nimmt/<table>/(\w+)` \| (\w+)", MQTT_MD.read_text(), re.MULTILINE)
    users_of = {"table": ("3", "hub"), "hub": ("hub", "3"), "anybody": ("homeassistant", "3")}
    return {name: users_of[who] for name, who in rows}


@needs_mosquitto
def test_each_documented_topic_passes_the_access_list_and_no_other_publisher(tmp_path: Path) -> None:
    assert documented().keys() == payloads.OF_TOPIC.keys()
    with mosquitto(tmp_path, *users(tmp_path)) as broker, ExitStack() as stack:
        at = {one: stack.enter_context(listener(broker.port, one, f"word-{one}")) for one in USERS}
        for name, (writer, reader) in documented().items():
            topic = topics.table_topic("3", name)
            for other in USERS:
                if other != writer:
                    at[other].say(topic, b"rubbish")
            at[writer].say(topic, name.encode())
            at[reader].until(lambda: at[reader].last.get(topic) == name.encode())  # noqa: B023 - at once
        discovery = topics.discovery_topic("homeassistant", "nimmt-3")
        at["4"].say(discovery, b"rubbish")
        at["3"].say(discovery, b"own")
        at["homeassistant"].until(lambda: at["homeassistant"].last.get(discovery) == b"own")
        at["hub"].say(topics.table_topic("4", topics.HAVE), b"own")
        at["4"].until(lambda: bool(at["4"].last))
        assert set(at["4"].last) == {topics.table_topic("4", topics.HAVE)}, "of others it hears nothing"
        assert all(data != b"rubbish" for one in at.values() for _, data in one.heard)


@needs_mosquitto
@pytest.mark.parametrize("names", [(topics.EVENT, topics.REGISTERED), (topics.STATE,)])
def test_what_the_broker_refuses_is_a_fault_of_the_table_and_of_the_hub_until_it_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, names: tuple[str, ...]
) -> None:
    monkeypatch.setattr(bridge_, "READ_S", 0.1)
    monkeypatch.setattr(intake, "REFUSED_S", 0.1)
    lines = users(tmp_path)
    acl = tmp_path / "nimmt.acl"
    whole = acl.read_text()
    lacking = (*(f"write nimmt/%u/{name}" for name in names), "topic write nimmt/+/seats")
    acl.write_text("".join(line for line in whole.splitlines(True) if not line.strip().endswith(lacking)))
    word = password(tmp_path, "hub")
    with (
        mosquitto(tmp_path, *lines) as broker,
        listener(broker.port, "hub", "word-hub") as at,
        table(tmp_path, START) as box,
        working_hub(tmp_path, HubOptions(f"127.0.0.1:{broker.port}", "hub", word)) as hub,
        bridge(tmp_path, broker.port, user="3", password_file=password(tmp_path, "3")),
    ):

        def told() -> set[tuple[str, str]]:
            with hub.store.reading() as db:
                return {(one.kind, one.about) for one in hub_faults.listed(db) if one.settled_s is None}

        def at_the_box() -> str:
            fault = box.device.table.session.faults.get("broker")
            return "" if fault is None else fault.fault

        hub.intake.conductor.act(acts.Opened("Friday", "4 8 15", 1), "Tablet")
        play(box, "14")
        refused = {Fault("refused", other=name) for name in names}
        if topics.STATE not in names:
            at.until(lambda: refused <= set(faults(at)))
        seen = {("refused", name) for name in names} | {("hub refused", topics.SEATS)}
        assert comes(lambda: seen <= told()), told()
        assert comes(lambda: at_the_box().endswith(f"sends: {', '.join(names)}")), at_the_box()
        acl.write_text(whole)
        broker.read_again()
        at.until(lambda: at.newest("3", BoxState, topics.STATE) is not None and not refused & set(faults(at)))
        assert comes(lambda: not seen & told()), told()
        assert comes(lambda: not at_the_box()), at_the_box()


@needs_mosquitto
# paho forgets to close the socket of a broker whose certificate is false.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_false_broker_is_refused_by_its_certificate(tmp_path: Path) -> None:
    for folder in ("own", "other"):
        certificates.make(tmp_path / folder, ["127.0.0.1"], 1)
    own = tmp_path / "own"
    lines = [f"certfile {own / 'server.crt'}", f"keyfile {own / 'server.key'}", "allow_anonymous true"]
    with (
        mosquitto(tmp_path, *lines) as broker,
        bridge(tmp_path, broker.port, tls=True, ca=str(tmp_path / "other" / "ca.crt")) as at,
    ):
        assert comes(lambda: "certificate verify failed" in at._broker._said)


def test_files_of_passwords_and_certificates_that_cannot_be_used_are_named(tmp_path: Path) -> None:
    file = tmp_path / "word"
    file.write_text("secret\n")
    file.chmod(0o644)
    with pytest.raises(CompanionError, match="everybody on this machine can read"):
        read_secret(str(file))
    file.chmod(0o640)
    assert read_secret(str(file)) == "secret"
    file.write_text("\n")
    with pytest.raises(CompanionError, match="is empty"):
        read_secret(str(file))
    with pytest.raises(CompanionError, match="word cannot be used"):
        mqtt_broker.authorities(str(file))
    file.unlink()
    with pytest.raises(CompanionError, match="cannot be read"):
        read_secret(str(file))


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"table": "Table 3"}, "cannot be the name of a table"),
        ({"table": "a" * 33}, "cannot be the name of a table"),
        ({"broker": "mqtt://broker"}, "is not the address of a broker"),
        ({"broker": "broker:70000"}, "is not the address of a broker"),
        ({"ca": "a"}, "not encrypted"),
        ({"discovery_prefix": "ha/#"}, "cannot begin a topic"),
        ({"discovery_prefix": "$SYS"}, "cannot begin a topic"),
        ({"password_file": "a"}, "without user"),
    ],
)
def test_a_configuration_that_cannot_work_is_refused(options: dict[str, str | bool], said: str) -> None:
    with pytest.raises(CompanionError, match=said):
        MqttOptions(**options)  # type: ignore[arg-type]
    assert MqttOptions("broker.local:70").place == ("broker.local", 70)
    assert MqttOptions("[fd00::1]", tls=True).place == ("fd00::1", 8883)


@needs_mosquitto
def test_the_log_says_if_the_broker_is_there_or_why_not(
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
