"""A table, its bridge and a real broker: what is said, what survives, and what the game notices: nothing."""

import socket
from contextlib import closing
from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware import __version__
from firmware.config.sections import ScreenOptions, TableOptions
from firmware.extensions.tournament.messages import Seated
from firmware.extensions.tournament.round import RoundLog
from firmware.journal.store import Journal
from network.mqtt import topics
from network.mqtt.command import forget
from network.mqtt.config import MqttOptions
from network.mqtt.device import TableDevice
from network.mqtt.payloads import BoxState, Fault, Have, KeyPress, MatchEvent, Online, Seating, encode
from tests.firmware.table_socket.at_table import RunningTable, started_again, table
from tests.network.mqtt.bridged import DEVICE, bridge
from tests.network.mqtt.mosquitto import Listener, listener, needs_mosquitto

pytestmark = needs_mosquitto

START = "R1 b1 b2 b3 OK R1 R1 12 37 43 58"
NAMES = ("Sara", "Ali", "Mina")
TURN = ("14", "44", "15")


def steps_of(folder: Path) -> list[int]:
    """How many steps each match of the journal has."""
    with closing(Journal.read(folder / "journal.sqlite")) as reader:
        return [one.steps for one in reader.matches()]


def state(at: Listener) -> BoxState | None:
    return at.newest(DEVICE.table, BoxState, topics.STATE)


def steps_told(at: Listener) -> int:
    found = state(at)
    return found.match.steps if found is not None and found.match is not None else -1


def online(at: Listener) -> bool:
    found = at.newest(DEVICE.table, Online, topics.ONLINE)
    return found is not None and found.online


def faults(at: Listener) -> tuple[Fault, ...]:
    found = state(at)
    return () if found is None else found.faults


def play(box: RunningTable, *cards: str) -> None:
    """Type cards; each is accepted."""
    client = box.client()
    for card in cards:
        assert client.act("type", text=card)["accepted"]


def test_a_table_tells_that_it_comes_its_state_each_step_and_that_it_goes(
    tmp_path: Path, at: Listener
) -> None:
    with table(tmp_path, START) as box:
        with bridge(tmp_path, at.port):
            at.until(lambda: steps_told(at) > 0)
            play(box, *TURN)
            (steps,) = steps_of(tmp_path)
            at.until(lambda: steps_told(at) == steps)
            found = state(at)
            assert found is not None
            assert found.match is not None
            assert (found.running, found.device, found.name) == (True, DEVICE.id, "Table 3")
            assert [one.name for one in found.match.players] == [None] * 3
            assert found.match.standing == "P1 0 · P2 0 · P3 0"
            assert found.match.waiting == "Everybody plays a card: 0 of 3 so far"
            assert found.match.stacks[0].cards == ("12", "14", "15")
            events = at.of(DEVICE.table, MatchEvent, topics.EVENT)
            assert [one.number for one in events] == [0, *range(steps - 2, steps + 1)]
            here = at.newest(DEVICE.table, Online, topics.ONLINE)
            assert here == Online(DEVICE.id, True, "Table 3", __version__)
        at.until(lambda: not online(at))


def test_a_bridge_that_is_cut_off_is_told_by_its_last_will(tmp_path: Path, at: Listener) -> None:
    with bridge(tmp_path, at.port) as own:
        at.until(lambda: online(at))
        own._broker._client.reconnect_delay_set(1000, 1000)
        wire = own._broker._client.socket()
        assert isinstance(wire, socket.socket)
        wire.shutdown(socket.SHUT_RDWR)
        at.until(lambda: not online(at))


@pytest.mark.parametrize("names", [False, True])
def test_names_are_told_only_if_the_configuration_says_so(tmp_path: Path, at: Listener, names: bool) -> None:
    with (
        table(tmp_path, START, table=TableOptions(names=NAMES), screen=ScreenOptions(language="de")) as box,
        bridge(tmp_path, at.port, players=NAMES, names=names),
    ):
        at.until(lambda: steps_told(at) > 0)
        play(box, "14", "90", "1")  # the lowest card asks who played it, and its owner for a row
        steps = steps_of(tmp_path)[0]
        at.until(lambda: steps_told(at) == steps)
        said = b"".join(data for _, data in at.heard)
        assert [name.encode() in said for name in NAMES] == [names] * 3
        called = NAMES if names else [f"Spieler {badge}" for badge in (1, 2, 3)]
        found = state(at)
        assert found is not None
        assert found.match is not None
        assert all(one in found.match.standing for one in called)


def test_the_game_does_not_know_that_the_broker_never_answers(tmp_path: Path) -> None:
    with (
        table(tmp_path, START) as box,
        socket.create_server(("127.0.0.1", 0), backlog=1) as silent,
        bridge(tmp_path, silent.getsockname()[1]) as at,
    ):
        wire, _ = silent.accept()
        with wire:
            before = steps_of(tmp_path)[0]
            play(box, *TURN)
            assert steps_of(tmp_path) == [before + 3]
            assert not at._broker.is_connected


def test_two_boxes_with_the_same_name_are_told(tmp_path: Path, at: Listener) -> None:
    device = replace(DEVICE, id="ba9876543210")
    (tmp_path / "other").mkdir()
    with bridge(tmp_path, at.port):
        at.until(lambda: state(at) is not None)
        with bridge(tmp_path / "other", at.port, device):
            at.until(lambda: {one.other for one in _all_faults(at)} == {DEVICE.id, device.id})
            assert {one.kind for one in _all_faults(at)} == {"same name"}
        at.until(lambda: online(at) and faults(at) == ())


def _all_faults(at: Listener) -> set[Fault]:
    return {fault for one in at.of(DEVICE.table, BoxState, topics.STATE) for fault in one.faults}


def test_rubbish_is_named_and_does_no_harm(tmp_path: Path, at: Listener) -> None:
    wrong = (b'{"version":1,"matches":[1]}', b'{"version":9}')
    rubbish = (b"\xff", b"{", b"[]", *wrong, b"[" * 50_000, b"x" * 60_000)
    with table(tmp_path, START) as box, bridge(tmp_path, at.port, control=True):
        for name in (topics.HAVE, topics.SEATS, topics.PRESS, topics.ONLINE):
            for data in rubbish:
                at.say(topics.table_topic(DEVICE.table, name), data, retain=name != topics.PRESS)
        at.until(lambda: Fault("malformed", other=topics.HAVE) in faults(at))
        at.say(topics.table_topic(DEVICE.table, topics.SEATS), b"")
        play(box, *TURN)
        at.say(topics.table_topic(DEVICE.table, topics.HAVE), encode(Have()))
        (steps,) = steps_of(tmp_path)
        at.until(
            lambda: (
                {one.number for one in at.of(DEVICE.table, MatchEvent, topics.EVENT)} == set(range(steps + 1))
            )
        )
        at.until(lambda: Fault("malformed", other=topics.HAVE) not in faults(at))


@pytest.mark.parametrize("control", [False, True])
def test_keys_are_pressed_from_afar_only_if_configured(tmp_path: Path, at: Listener, control: bool) -> None:
    press = topics.table_topic(DEVICE.table, topics.PRESS)
    with table(tmp_path, START) as box:
        at.say(press, encode(KeyPress("undo")))  # one that the broker kept is not of now
        play(box, "14")
        with bridge(tmp_path, at.port, control=control):
            at.until(lambda: steps_told(at) == steps_of(tmp_path)[0])
            before = steps_of(tmp_path)[0]
            at.say(press, encode(KeyPress("mute")), retain=False)
            at.say(press, encode(KeyPress("undo")), retain=False)
            if control:
                at.until(lambda: steps_of(tmp_path) == [before + 1] and box.device.table.state.muted)
            else:
                play(box, "44")
                assert steps_of(tmp_path) == [before + 1]
                assert not box.device.table.state.muted


def retained(at: Listener) -> set[str]:
    """The topics of which the broker keeps a message, among those of this box."""
    with listener(at.port) as late:
        late.say("done", b"1")
        late.until(lambda: "done" in late.last)
        return set(late.last) - {"done"}


def test_home_assistant_is_told_at_its_start_and_all_can_be_taken_back(tmp_path: Path, at: Listener) -> None:
    where = topics.discovery_topic("ha", DEVICE.client)
    with bridge(tmp_path, at.port, discovery_prefix="ha"):
        at.until(lambda: bool(at.last.get(where)))
        with listener(at.port) as started:
            started.until(lambda: bool(started.last.get(where)))
    with bridge(tmp_path, at.port, home_assistant=False, discovery_prefix="ha"):
        at.until(lambda: not at.last[where])
    forget(MqttOptions(broker=f"127.0.0.1:{at.port}", table=DEVICE.table), DEVICE)
    assert not retained(at)


def test_another_name_of_the_table_leaves_nothing_under_the_one_before(tmp_path: Path, at: Listener) -> None:
    where = topics.discovery_topic("homeassistant", DEVICE.client)
    with bridge(tmp_path, at.port), bridge(tmp_path, at.port, TableDevice("other", "5", "Table 5")):
        at.until(lambda: bool(at.last.get(where)) and online(at))
    with bridge(tmp_path, at.port, replace(DEVICE, table="4")):
        at.until(lambda: b"nimmt/4/state" in at.last[where] and not at.last["nimmt/3/state"])
        at.until(lambda: not at.last["nimmt/3/online"])
        tables = {topic.split("/")[1] for topic in retained(at) if topic.startswith("nimmt")}
        assert tables == {"4", "5"}


def test_a_table_that_is_away_is_told_and_comes_back(tmp_path: Path, at: Listener) -> None:
    with bridge(tmp_path, at.port):
        at.until(lambda: (found := state(at)) is not None and not found.running)
        with table(tmp_path, START):
            at.until(lambda: (found := state(at)) is not None and found.running and found.match is not None)
        at.until(lambda: (found := state(at)) is not None and not found.running)


def test_undo_over_the_broker_suspends_no_match(tmp_path: Path, at: Listener) -> None:
    press = topics.table_topic(DEVICE.table, topics.PRESS)
    with table(tmp_path, START, made=started_again) as box, bridge(tmp_path, at.port, control=True):
        at.until(lambda: steps_told(at) > 0)
        for key in ("undo", "mute"):
            at.say(press, encode(KeyPress(key)), retain=False)
        at.until(lambda: box.device.table.state.muted)
        assert box.device.page == "hello"


SEATS = Seating(
    "Friday", 2, 3, "six", {"end": {"deals": 1}},
    (Seated(41, "Ali"), Seated(7, "Sara"), Seated(112, "سارا")),
    {str(badge): 250 + badge // 4 for badge in range(1, 1000) if badge not in (7, 41, 112)},
    seed="4 8 15",
)  # fmt: skip
"""Of the largest tournament."""
TOPIC = topics.table_topic(DEVICE.table, topics.SEATS)


def until_page(box: RunningTable, name: str) -> None:
    client = box.client()
    client.until(lambda: client.known["page"]["name"] == name)


def test_the_table_is_told_who_sits_there_and_when_it_is_free_again(tmp_path: Path, at: Listener) -> None:
    with bridge(tmp_path, at.port):
        at.say(TOPIC, encode(SEATS))
        for folder in ("one", "two"):  # the second is another box at the same socket, which knows nothing
            (tmp_path / "journal.sqlite").unlink(missing_ok=True)
            with table(tmp_path) as box:
                until_page(box, "seated_here")
                seats = RoundLog(box.device.table.session.notes).seats
                assert seats is not None, folder
                assert (seats.title, seats.round, seats.table) == ("Friday", 2, 3)
                assert (seats.players, seats.options) == (SEATS.players, SEATS.options)
                assert (seats.elsewhere, seats.seed) == (SEATS.elsewhere, SEATS.seed)
                if folder == "two":
                    at.say(TOPIC, b"")
                    until_page(box, "start")


@pytest.mark.parametrize(
    "wrong", [replace(SEATS, game="chess"), replace(SEATS, options={"x": ["y" * 4000] * 4})]
)
def test_seats_that_the_table_does_not_take_are_told(tmp_path: Path, at: Listener, wrong: Seating) -> None:
    long = replace(wrong, players=tuple(Seated(badge, "x" * 50) for badge in range(1, 5)))
    with bridge(tmp_path, at.port), table(tmp_path) as box:
        at.say(TOPIC, encode(long))
        malformed = Fault("malformed", other=topics.SEATS)
        at.until(lambda: malformed in faults(at))
        assert RoundLog(box.device.table.session.notes).seats is None
        at.say(TOPIC, encode(SEATS))
        until_page(box, "seated_here")
        at.until(lambda: malformed not in faults(at))
