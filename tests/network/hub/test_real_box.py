"""A round of a tournament on its whole way: hub, broker, bridge, box, the people at it, and back."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from companion.core.codes import Control, badge_code, control_code
from companion.tournament import acts
from companion.tournament.course import Tournament
from companion.tournament.course import TournamentTable as Seated
from firmware.commands.players import SimulatedGroup
from hardware.ports import ChoiceMade, KeyPressed
from network.hub.config import HubOptions
from network.hub.server import Hub
from network.mqtt import topics
from network.mqtt.device import TableDevice
from network.mqtt.payloads import NewBadges, RoundResult, encode
from tests.firmware.table_socket.at_table import Client, RunningTable, table
from tests.network.hub.servers import working_hub
from tests.network.mqtt.bridged import bridge, hasty
from tests.network.mqtt.mosquitto import Listener, Mosquitto, listener, mosquitto, needs_mosquitto
from tests.patience import comes

pytestmark = needs_mosquitto

BOX = TableDevice("0123456789ab", "table-1", "Table 1")
PLAYERS = {41: "Ali", 7: "Sara", 112: "سارا", 5: "Mina"}


@contextmanager
def whole_way(folder: Path) -> Iterator[tuple[Mosquitto, Listener, Hub, RunningTable]]:
    """A broker, who listens there, a hub, and a box with its bridge."""
    with (
        mosquitto(folder) as broker,
        listener(broker.port) as at,
        working_hub(folder, HubOptions(f"127.0.0.1:{broker.port}")) as hub,
        table(folder) as box,
        bridge(folder, broker.port, BOX),
    ):
        yield broker, at, hub, box


def held(hub: Hub) -> Tournament:
    """The tournament, as the hub knows it."""
    found = hub.site.conductor.held
    assert found is not None
    return found.state


def seated(hub: Hub) -> Seated:
    """The only table of its round."""
    return held(hub).rounds[0].tables[0]


def reported(at: Listener) -> RoundResult | None:
    """What the box has told of the result, as far as it has come."""
    return at.newest(BOX.table, RoundResult, topics.RESULT)


def scan(client: Client, *badges: int) -> None:
    for badge in badges:
        assert client.act("scan", code=badge_code(badge))["accepted"]


def play(box: RunningTable, client: Client) -> None:
    """Let people play the match until the box asks them to confirm its result."""
    table, people = box.device.table, SimulatedGroup("six", len(PLAYERS), Random(3))
    while (message := people.next(table)) is not None:
        if isinstance(message, KeyPressed):
            client.act("key", key=message.key.value, press=message.press.value)
        elif isinstance(message, ChoiceMade):
            assert client.act("answer", choice=message.choice)["accepted"]
        else:
            assert client.act("scan", code=message.text)["accepted"]
    confirmed_at(box, client)


def confirmed_at(box: RunningTable, client: Client) -> None:
    """Go on to the page where the result is confirmed."""
    while box.device.table.front.NAME != "confirm_result":
        client.act("key", key="ok")


def test_a_round_is_played_at_a_box_that_is_cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hasty(monkeypatch)
    with whole_way(tmp_path) as (broker, at, hub, box):
        conductor = hub.site.conductor
        conductor.act(acts.Opened("Friday", "4 8 15", 1, options={"end": {"deals": 1}}, final=0), "Tablet")
        for badge, name in PLAYERS.items():
            conductor.act(acts.Registered(badge, name), "Tablet")
        conductor.draw("Tablet")
        client = box.client()
        client.until(lambda: client.known["page"]["name"] == "seated_here")
        scan(client, *PLAYERS)
        client.until(lambda: client.known["table"] is not None)
        assert [one["badge"] for one in client.known["table"]["players"]] == list(seated(hub).badges)
        broker.kill()  # so the result comes before the steps that led to it
        play(box, client)
        scan(client, *PLAYERS)
        broker.start()
        match = box.device.match
        uid = box.device.table.session.about.uid
        assert comes(lambda: hub.site.matches.get(uid).steps == match.steps)
        at.until(lambda: seated(hub).is_confirmed)
        result = seated(hub).result
        assert result is not None
        heads = dict(zip(match.terms.badges, match.totals, strict=True))
        assert result.heads == tuple(heads[badge] for badge in seated(hub).badges)
        at.until(lambda: (came := reported(at)) is not None and set(came.confirmed) == set(PLAYERS))
        told = reported(at)
        assert told is not None
        assert (told.match, told.steps, told.round) == (uid, match.steps, 1)

        client.act("key", key="undo")
        at.until(lambda: seated(hub).result is None)
        at.until(lambda: at.last[topics.table_topic(BOX.table, topics.RESULT)] == b"")
        client.act("scan", code=control_code(Control.REDO))
        confirmed_at(box, client)
        at.until(lambda: (now := seated(hub).result) is not None and now.confirmed == ())
        scan(client, *PLAYERS)
        at.until(lambda: seated(hub).is_confirmed)
        conductor.act(acts.Closed(1), "Tablet")
        client.until(lambda: client.known["result"] is None)
        at.until(lambda: at.last[topics.table_topic(BOX.table, topics.RESULT)] == b"")
        assert seated(hub).is_confirmed


def test_a_box_that_is_cut_off_registers_badges_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    hasty(monkeypatch)
    with whole_way(tmp_path) as (broker, at, hub, box):
        conductor = hub.site.conductor

        def registered() -> dict[int, str]:
            return {player.badge: player.name for player in held(hub).players}

        conductor.act(acts.Opened("Friday", "4 8 15", 1, final=0), "Tablet")
        client = box.client()
        client.until(lambda: client.known["page"]["name"] == "registration")
        scan(client, 41, 7)
        assert comes(lambda: registered() == {41: "P41", 7: "P7"})
        conductor.act(acts.Renamed(41, "Ali"), "Tablet")
        conductor.act(acts.Withdrew(7), "Tablet")
        broker.kill()
        scan(client, 112, 41, 7)
        broker.start()
        assert comes(lambda: 112 in registered())
        assert registered() == {41: "Ali", 7: "P7", 112: "P112"}
        where = topics.table_topic(BOX.table, topics.REGISTERED)
        at.say(where, encode(NewBadges(2, (5,))))  # kept by the broker since another tournament
        at.say(where, encode(NewBadges(1, (0, 41, 5000, 113))))
        assert comes(lambda: 113 in registered())
        assert set(registered()) == {41, 7, 112, 113}
        assert [player.badge for player in held(hub).playing] == [41, 112, 113]
        conductor.act(acts.Registered(5, "Mina"), "Tablet")
        conductor.draw("Tablet")
        client.until(lambda: client.known["page"]["name"] == "seated_here")
        client.until(lambda: client.known["registered"] is None)
        at.until(lambda: at.last[where] == b"")
