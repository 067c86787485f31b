"""The journal as messages: nothing hidden in them, sealed, and what is damaged or another one is noticed."""

import json
import shutil
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from msgspec.structs import asdict

from companion.core.codec import encode
from companion.match import log
from companion.match.match import begin
from companion.protocol.snapshot import public_events
from firmware.history.exported import matches_in
from firmware.journal.store import Journal
from firmware.journal.writes import Append
from network.mqtt import payloads
from network.mqtt.device import Device, device_id, discovery
from network.mqtt.payloads import Event, first_seal, follows, is_whole
from network.mqtt.records import Records
from tools.pages import mqtt_schema

SAMPLES = Path(__file__).parents[2] / "companion" / "samples"
SEALS = {
    "ciao-of-four": "aadd007d3c684b3c",
    "eleven-of-four": "350ca23fcc6d0c15",
    "match-of-four": "1d0d41fbe0f1e290",
    "match-with-draft": "3dcb97bb2a29b869",
}
"""Of the last step of these matches."""

LOGS = sorted(path for path in SAMPLES.glob("*.jsonl") if path.read_text().startswith('{"log"'))


def stored(folder: Path, *logs: Path) -> Path:
    """A journal with these matches."""
    path = folder / "journal.sqlite"
    with closing(Journal.open(path, wall=lambda: "2026-03-01T20:15:00Z")[0]) as journal:
        journal.import_matches(
            [match for one in logs for match in matches_in(one.read_text(encoding="utf-8"))]
        )
    return path


def events_of(records: Records, uid: str, steps: int) -> list[Event]:
    found = [records.event(uid, number) for number in range(1, steps + 1)]
    return [one for one in found if one is not None]


@pytest.mark.parametrize("sample", LOGS, ids=lambda path: path.stem)
def test_the_steps_of_every_game_are_told_without_hidden_cards_and_sealed(
    tmp_path: Path, sample: Path
) -> None:
    records = Records(stored(tmp_path, sample))
    ((known),) = records.look()
    header = records.event(known.uid, 0)
    assert header is not None
    assert is_whole(payloads.decode(payloads.Event, payloads.encode(header)))
    events = events_of(records, known.uid, known.steps)
    lines = list(log.from_lines(sample.read_text(encoding="utf-8").splitlines()))
    assert len(events) == known.steps == len(lines) - 1
    game = begin(log.read_header({k: v for k, v in lines[0].items() if k != "match"})).game
    seal, hides = first_seal(known.uid), False
    for told, line in zip(events, lines[1:], strict=True):
        sent = payloads.encode(told)
        assert len(sent) < payloads.LONGEST_BYTES / 4
        event = payloads.decode(payloads.Event, sent)
        assert follows(seal, event)
        seal = event.seal
        step = log.read_step(line, game)
        if step.voids is not None:
            assert event.record == {"voids": step.voids}
            continue
        assert event.record["events"] == public_events(game, step)
        assert event.record.keys() <= {"events", "because", "redoes"}
        whole, public = [encode(one) for one in step.events], event.record["events"]
        hidden = set(_numbers(whole)) - set(_numbers(public))
        hides |= whole != public
        cards = {fact["card"] for one in event.record["because"] for fact in _cards(one)}
        assert not cards & hidden
    assert hides is (game.title in ("11 NIMMT!", "CIAO!"))


def _numbers(value: Any) -> Iterator[Any]:
    if isinstance(value, dict):
        for part in value.values():
            yield from _numbers(part)
    elif isinstance(value, list):
        for part in value:
            yield from _numbers(part)
    else:
        yield value


def _cards(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, dict):
        if value.keys() == {"card"} and not isinstance(value["card"], dict):
            yield value
        for part in value.values():
            yield from _cards(part)
    elif isinstance(value, list):
        for part in value:
            yield from _cards(part)


def test_the_seals_of_stored_matches_never_change(tmp_path: Path) -> None:
    """A program that sealed them in another way would take every match for another history."""
    names = tuple(SEALS)
    records = Records(stored(tmp_path, *[SAMPLES / f"{name}.jsonl" for name in names]))
    seals = [records.seal(one.uid, one.steps) for one in records.look()[::-1]]
    assert dict(zip(names, seals, strict=True)) == SEALS


def test_steps_are_read_once_and_later_ones_are_added(tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    header, *steps = log.from_lines(
        (SAMPLES / "match-of-four.jsonl").read_text(encoding="utf-8").splitlines()
    )
    records = Records(path)
    assert records.look() == []
    with closing(Journal.open(path, wall=lambda: "now")[0]) as journal:
        number = journal.begin(header)
        for count, step in enumerate(steps[:20], start=1):
            journal.write([Append(number, count, log.without_sentences(step))])
            (known,) = records.look()
            assert known.steps == count
            assert records.seal(known.uid, count) is not None
    again = Records(path)
    (known,) = again.look()
    assert events_of(again, known.uid, 20) == events_of(records, known.uid, 20)


def test_another_journal_in_its_place_is_noticed(tmp_path: Path) -> None:
    """An older copy is restored and played on: the same match and numbers, another history."""
    path, copy = tmp_path / "journal.sqlite", tmp_path / "copy.sqlite"
    header, *steps = log.from_lines(
        (SAMPLES / "match-of-four.jsonl").read_text(encoding="utf-8").splitlines()
    )
    records = Records(path)
    with closing(Journal.open(path, wall=lambda: "then")[0]) as journal:
        number = journal.begin(header)
        for count, step in enumerate(steps[:10], start=1):
            journal.write([Append(number, count, log.without_sentences(step))])
    shutil.copy(path, copy)
    with closing(Journal.open(path, wall=lambda: "then")[0]) as journal:
        for count, step in enumerate(steps[10:20], start=11):
            journal.write([Append(number, count, log.without_sentences(step))])
    (known,) = records.look()
    before = events_of(records, known.uid, 20)
    assert len(before) == 20
    shutil.copy(copy, path)
    (known,) = records.look()
    assert events_of(records, known.uid, known.steps) == before[:10]
    for more in (5, 10, 15):  # fewer steps, as many, and more than before
        with closing(Journal.open(path, wall=lambda: "later")[0]) as journal:
            for count, step in enumerate(steps[known.steps : 10 + more], start=known.steps + 1):
                journal.write([Append(number, count, log.without_sentences(step))])
        (known,) = records.look()
        after = events_of(records, known.uid, known.steps)
        assert len(after) == 10 + more
        assert after[:10] == before[:10]
        assert all(one.seal != other.seal for one, other in zip(after[10:], before[10:], strict=False))
        assert all(follows(one.seal, other) for one, other in pairwise(after))


def test_a_damaged_step_is_named_and_those_before_it_are_told(tmp_path: Path) -> None:
    path = stored(tmp_path, SAMPLES / "match-of-four.jsonl")
    with closing(sqlite3.connect(path)) as db:
        db.execute("UPDATE step SET at = 'x' WHERE number = 7")
        db.commit()
    records = Records(path)
    (known,) = records.look()
    assert len(events_of(records, known.uid, known.steps)) == 6
    assert records.fault(known.uid) == 7
    assert records.seal(known.uid, 7) is None


def test_names_are_in_the_header_only_if_they_are_to_be_told(tmp_path: Path) -> None:
    path = stored(tmp_path, SAMPLES / "match-of-four.jsonl")
    for names in (None, ("Sara", "Ali", "Mina", "Reza")):
        records = Records(path, names)
        (known,) = records.look()
        header = records.event(known.uid, 0)
        assert header is not None
        assert ("Sara" in json.dumps(asdict(header))) == (names is not None)


def test_the_schema_is_one() -> None:
    Draft202012Validator.check_schema(mqtt_schema())


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
    device = Device("0123456789ab", "3", "Table 3")
    message = json.loads(discovery(device, language, "http://192.168.1.20:8066", control=control))
    assert message["dev"]["ids"] == ["nimmt-0123456789ab"]
    parts = message["cmps"]
    own = [one["unique_id"] for one in parts.values() if "unique_id" in one]
    assert len(set(own)) == len(own) == (8 if control else 6)
    assert ("command_topic" in parts["undo"]) == control
    assert message["dev"]["cu"] == "http://192.168.1.20:8066"
    other = json.loads(discovery(Device("ba", "3", "Table 3"), language, control=control))
    assert {one["unique_id"] for one in other["cmps"].values() if "unique_id" in one}.isdisjoint(own)
