"""The journal as messages: nothing hidden in them, in order; what is sent of it, and what is sent again.

That every step arrives whole and once, whatever happens on the way: tests/network/hub/test_intake.py.
"""

import itertools
import json
from contextlib import closing
from pathlib import Path

import pytest
from jinja2 import Template

from companion.match import log
from companion.match.match import begin
from companion.protocol.snapshot import public_events
from firmware.history.exported import matches_in
from firmware.journal.store import Journal
from firmware.journal.writes import Append
from network.mqtt import payloads
from network.mqtt.config import MqttOptions
from network.mqtt.device import TableDevice, device_id, discovery
from network.mqtt.forward import Forward
from network.mqtt.payloads import Fault, Have, MatchEvent
from network.mqtt.records import JournalRecords, PublishedMatch
from tests.network.mqtt.test_payloads import STATE

SAMPLES = Path(__file__).parents[2] / "companion" / "samples"
LOGS = sorted(path for path in SAMPLES.glob("*.jsonl") if path.read_text().startswith('{"log"'))


def stored(folder: Path, *logs: Path) -> Path:
    """A journal with these matches."""
    path = folder / "journal.sqlite"
    with closing(Journal.open(path, wall=lambda: "2026-03-01T20:15:00Z")[0]) as journal:
        journal.import_matches(
            [match for one in logs for match in matches_in(one.read_text(encoding="utf-8"))]
        )
    return path


@pytest.mark.parametrize("sample", LOGS, ids=lambda path: path.stem)
def test_the_steps_of_every_game_are_told_as_people_may_see_them(tmp_path: Path, sample: Path) -> None:
    records = JournalRecords(stored(tmp_path, sample))
    ((known),) = records.look()
    assert payloads.decode(payloads.MatchEvent, payloads.encode(known.header)) == known.header
    events = records.events(known.uid, 0)
    lines = list(log.from_lines(sample.read_text(encoding="utf-8").splitlines()))
    assert len(events) == known.steps == len(lines) - 1
    game = begin(log.read_header({k: v for k, v in lines[0].items() if k != "match"})).game
    for told, line in zip(events, lines[1:], strict=True):
        sent = payloads.encode(told)
        assert len(sent) < payloads.LONGEST_BYTES / 4
        event = payloads.decode(payloads.MatchEvent, sent)
        step = log.read_step(line, game)
        if step.voids is not None:
            assert event.record == {"voids": step.voids}
            continue
        assert event.record["events"] == public_events(game, step)
        assert event.record.keys() <= {"events", "because", "redoes"}


def test_each_step_names_the_time_of_the_one_before(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    header, *steps = log.from_lines(
        (SAMPLES / "match-of-four.jsonl").read_text(encoding="utf-8").splitlines()
    )
    times = itertools.count(1)
    records = JournalRecords(path)
    assert records.look() == []
    with closing(Journal.open(path, wall=lambda: f"at {next(times)}")[0]) as journal:
        number = journal.begin(header)
        for count, step in enumerate(steps[:20], start=1):
            journal.write([Append(number, count, log.without_sentences(step))])
    (known,) = records.look()
    events = records.events(known.uid, 0)
    assert [one.number for one in events] == list(range(1, 21))
    assert [one.after for one in events] == ["", *(one.at for one in events[:-1])]
    for sent in range(21):
        assert records.events(known.uid, sent) == events[sent:]


def test_a_copy_of_a_card_in_another_box_has_another_identity(tmp_path: Path) -> None:
    machine, serial = tmp_path / "machine-id", tmp_path / "serial"
    machine.write_text("0123456789abcdef0123456789abcdef\n")
    found = set()
    for number in ("10000000aaaaaaaa\0", "10000000bbbbbbbb\0"):
        serial.write_text(number)
        found.add(device_id(machine, serial))
        found.add(device_id(machine, serial))
    serial.unlink()
    found.add(device_id(machine, serial))
    assert len(found) == 3
    assert not any("0123456789" in one for one in found)


@pytest.mark.parametrize("control", [False, True])
@pytest.mark.parametrize("language", ["en", "de", "fa"])
def test_home_assistant_gets_one_device_with_all_parts(language: str, control: bool) -> None:
    device, options = TableDevice("0123456789ab", "3", "Table 3"), MqttOptions(control=control)
    message = json.loads(discovery(device, options, language, "http://192.168.1.20:8066"))
    assert message["dev"]["ids"] == ["nimmt-0123456789ab"]
    parts = message["cmps"]
    own = [one["unique_id"] for one in parts.values() if "unique_id" in one]
    assert len(set(own)) == len(own) == (8 if control else 6)
    assert ("command_topic" in parts["undo"]) == control
    assert message["dev"]["cu"] == "http://192.168.1.20:8066"
    said = {name: part["value_template"] for name, part in parts.items() if "value_template" in part}
    state = json.loads(payloads.encode(STATE))
    shown = [Template(template).render(value_json=state) for template in said.values()]
    assert shown == ["", "2", "Sara plays a card", "ON", "51", "ON"]
    state["health"][0]["severity"] = "note"
    assert Template(said["problem"]).render(value_json=state) == "OFF"
    other = json.loads(discovery(TableDevice("ba", "3", "Table 3"), options, language))
    assert {one["unique_id"] for one in other["cmps"].values() if "unique_id" in one}.isdisjoint(own)


def sent(forward: Forward, steps: int, *, players: int = 3, readable: int = 1000) -> list[int]:
    """The numbers of the events that are sent of a match; those after step `readable` are damaged."""
    found: list[int] = []

    def read(_uid: str, after: int) -> list[MatchEvent]:
        return [MatchEvent("a", number, "", "", {}) for number in range(after + 1, min(steps, readable) + 1)]

    def publish(event: MatchEvent) -> bool:
        found.append(event.number)
        return True

    forward.journal([PublishedMatch("a", steps, MatchEvent("a", 0, "", "", {"seats": players}))])
    forward.send(read, publish)
    return found


def has(steps: int) -> Have:
    return Have({"a": steps})


def settled() -> Forward:
    """The hub has all five steps of the match."""
    forward = Forward()
    assert sent(forward, 5) == [], "what was played before waits until a hub says what it has"
    forward.have(Have())
    assert sent(forward, 5) == [0, 1, 2, 3, 4, 5]
    forward.have(has(5))
    assert sent(forward, 5) == []
    return forward


def test_a_step_is_sent_at_once_even_if_no_hub_has_said_anything() -> None:
    forward = Forward()
    forward.journal([])
    forward.connected()
    assert sent(forward, 1) == [0, 1]
    assert sent(forward, 2) == [2]


def test_with_a_new_connection_what_the_hub_does_not_have_is_sent_with_its_last_step() -> None:
    forward = settled()
    forward.connected()
    assert sent(forward, 7) == [6, 7]
    forward.have(has(5))
    assert sent(forward, 7) == [0, 5, 6, 7]


def test_what_the_broker_has_lost_is_sent_again_when_the_hub_says_the_same_twice() -> None:
    forward = settled()
    assert sent(forward, 8) == [6, 7, 8]
    forward.have(has(5))
    assert sent(forward, 8) == [], "it may still be on its way"
    forward.have(has(5))
    assert sent(forward, 8) == [0, 5, 6, 7, 8]
    for _ in range(3):
        forward.have(has(8))
        assert sent(forward, 8) == []


def test_who_joins_is_told_in_the_header() -> None:
    assert sent(settled(), 5, players=4) == [0]


def test_steps_that_cannot_be_read_are_named_and_those_before_them_are_sent() -> None:
    forward = settled()
    assert sent(forward, 9, readable=7) == [6, 7]
    assert sent(forward, 9, readable=7) == []
    assert forward.faults == (Fault("damaged", "a", 8),)
