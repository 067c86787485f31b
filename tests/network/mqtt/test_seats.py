"""Seats of a tournament on their way from the broker to the table."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from firmware.extensions.tournament.messages import Seated
from firmware.extensions.tournament.round import RoundLog
from network.mqtt import topics
from network.mqtt.payloads import BoxState, Fault, Seating, encode
from tests.firmware.table_socket.at_table import RunningTable, table
from tests.network.mqtt.bridged import DEVICE, bridge
from tests.network.mqtt.mosquitto import Listener, needs_mosquitto
from tests.patience import comes

pytestmark = needs_mosquitto

SEATS = Seating(
    "Friday",
    2,
    3,
    "six",
    {"end": {"deals": 1}},
    (Seated(41, "Ali"), Seated(7, "Sara"), Seated(112, "سارا")),
    {"5": 4},
)
TOPIC = topics.table_topic(DEVICE.table, topics.SEATS)


def malformed(at: Listener) -> bool:
    found = at.newest(DEVICE.table, BoxState, topics.STATE)
    return found is not None and Fault("malformed", other=topics.SEATS) in found.faults


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
                assert [(one.badge, one.name) for one in seats.players] == [
                    (41, "Ali"), (7, "Sara"), (112, "سارا"),
                ]  # fmt: skip
                assert (seats.title, seats.round, seats.table) == ("Friday", 2, 3)
                assert (seats.options, seats.elsewhere) == ({"end": {"deals": 1}}, {"5": 4})
                if folder == "two":
                    at.say(TOPIC, b"")
                    until_page(box, "start")


def test_a_table_knows_where_all_others_of_the_largest_tournament_sit(tmp_path: Path, at: Listener) -> None:
    others = {str(badge): 250 + badge // 4 for badge in range(1, 1000) if badge not in (7, 41, 112)}
    many = replace(SEATS, elsewhere=others, seed="4 8 15")
    with bridge(tmp_path, at.port), table(tmp_path) as box:
        at.say(TOPIC, encode(many))
        until_page(box, "seated_here")
        seats = RoundLog(box.device.table.session.notes).seats
        assert seats is not None
        assert seats.badges == (41, 7, 112)
        assert seats.elsewhere == others
        assert seats.seed == "4 8 15"


@pytest.mark.parametrize(
    "wrong", [replace(SEATS, game="chess"), replace(SEATS, options={"x": ["y" * 4000] * 4})]
)
def test_seats_that_the_table_does_not_take_are_told(tmp_path: Path, at: Listener, wrong: Seating) -> None:
    long = replace(wrong, players=tuple(Seated(badge, "x" * 50) for badge in range(1, 5)))
    with bridge(tmp_path, at.port), table(tmp_path) as box:
        at.say(TOPIC, encode(long))
        at.until(lambda: malformed(at))
        assert RoundLog(box.device.table.session.notes).seats is None
        at.say(TOPIC, encode(SEATS))
        until_page(box, "seated_here")
        assert comes(lambda: not malformed(at))
