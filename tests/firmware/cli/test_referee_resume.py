"""`nimmt referee --journal`: a match that was left, by whatever end, is listed and continued."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.match.log import header, replay
from companion.match.match import Terms
from firmware.commands.referee import with_journal
from firmware.journal.store import Journal
from firmware.journal.writes import Append
from tests.companion.protocol_client import ProtocolClient
from tests.firmware.cli.test_referee_command import LAY, NEW, SHOW, Program, told

PLAY = b'{"do": {"kind": "play", "card": 44, "seat": 1}}'


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "journal.sqlite"


@pytest.fixture
def journal(path: Path) -> Iterator[Journal]:
    clock = iter(range(10_000))
    opened, _ = Journal.open(path, wall=lambda: f"2026-02-21 19:30:{next(clock):02}")
    with closing(opened):
        yield opened


@pytest.fixture
def client(journal: Journal) -> ProtocolClient:
    """A program whose requests and answers keep to the schema."""
    return ProtocolClient(with_journal(journal))


def stored(path: Path, number: int) -> Any:
    """Where a match stands in the journal, replayed from it."""
    with closing(Journal.read(path)) as reader:
        entry = reader.matches()[number - 1]
        return replay([entry.header, *reader.steps(entry.id)])


@pytest.mark.slow
def test_a_match_goes_on_after_the_program_was_killed_and_what_was_undone_can_be_redone(path: Path) -> None:
    with Program(path) as referee:
        laid, last, _ = [referee.ask(line) for line in (NEW, LAY, PLAY, b'{"undo": true}')][1:]
    lines = (SHOW, b'{"list": true}', b'{"resume": 1}', b'{"redo": true}', PLAY)
    (unknown, listed, resumed, redone, again), status, complaints = told(b"\n".join(lines), path)
    assert (status, complaints) == (0, b"")
    assert unknown["fault"] == "no match has been started"
    assert '{"list": true}' in unknown["fix"]
    assert [one["number"] for one in listed["matches"]] == [1]
    assert resumed["state"] == laid["state"]
    assert redone == last
    assert again["rule"] == "6N-ONE-OF-EACH"
    assert stored(path, 1).steps == 4


def test_the_newest_match_is_the_first_of_the_list(client: ProtocolClient, journal: Journal) -> None:
    journal.begin(header(Terms("ciao", 3, badges=(4, 1, 2))))
    for game in ("six", "eleven"):
        client.send(new=game, seats=2)
    client.send(do={"kind": "turn_up", "cards": [31]})
    listed = client.send(list=True)["matches"]
    assert [one["number"] for one in listed] == [3, 2, 1]
    assert listed[0] == {
        "number": 3,
        "game": "eleven",
        "seats": 2,
        "badges": [],
        "begun": "2026-02-21 19:30:02",
        "last": "2026-02-21 19:30:03",
        "steps": 1,
    }
    assert listed[2]["badges"] == [4, 1, 2]
    assert listed[2]["last"] is None
    assert client.send(list=2)["matches"] == listed[:2]
    assert client.send(list=10**30)["matches"] == listed


def test_every_answer_about_a_match_has_its_number(client: ProtocolClient) -> None:
    assert client.send(new="six", seats=2)["match"] == 1
    assert client.send(new="six", seats=3)["match"] == 2
    assert client.send(resume=1)["match"] == 1
    assert client.send(do={"kind": "lay", "card": 5})["match"] == 1
    assert client.send(undo=True)["match"] == 1
    assert client.send(hello=True)["journal"] is True


def test_names_are_given_again(client: ProtocolClient) -> None:
    client.send(new="six", seats=2, names=["Ana", "Bo"])
    assert client.send(resume=1)["state"]["names"] == [None, None]
    assert client.send(resume=1, names=["Cem"])["state"]["names"] == ["Cem", None]


@pytest.mark.parametrize(
    ("line", "fault", "fix"),
    [
        ('{"resume": 3}', "there is no match 3 in the journal", "use a number from 1 to 2"),
        ('{"resume": -1}', "there is no match -1", "1 to 2"),
        ('{"resume": %s}' % ("9" * 4000), "there is no match 999", "1 to 2"),
        ('{"resume": true}', "'resume' is True", '{"list": true}'),
        ('{"resume": 1, "names": [1]}', "the name of seat 0 is 1", "1 to 40 characters"),
        ('{"resume": 1, "seats": 2}', "unknown key 'seats'", "names"),
        ('{"list": 0}', "'list' is 0", "1 or more"),
        ('{"list": false}', "'list' is False", '{"list": true}'),
    ],
)
def test_what_cannot_be_resumed_is_refused_and_the_match_in_play_stays(
    client: ProtocolClient, path: Path, line: str, fault: str, fix: str
) -> None:
    client.send(new="six", seats=2)
    client.send(new="six", seats=3)
    answer = client.fault(line)
    assert fault in answer["fault"]
    assert fix in answer["fix"]
    assert len(answer["fault"]) < 200
    assert client.send(do={"kind": "lay", "card": 5})["match"] == 2
    assert stored(path, 2).steps == 1


def test_in_an_empty_journal_there_is_nothing_to_list_or_resume(client: ProtocolClient) -> None:
    assert client.send(list=True) == {"ok": True, "matches": []}
    assert client.raw(b'{"resume": 1}')["fix"] == "start one with new"


def test_a_match_that_cannot_be_read_is_refused_and_the_one_in_play_goes_on(
    client: ProtocolClient, journal: Journal, path: Path
) -> None:
    nowhere = journal.begin({"log": 1, "game": "tarot", "seats": 3})
    odd = journal.begin(header(Terms("six", 2)))
    journal.write([Append(odd, 1, {"step": 1, "voids": 7})])
    damaged = journal.begin(header(Terms("six", 2)))
    journal.write([Append(damaged, 1, {"step": 1, "events": []})])
    with closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE step SET record = x'00' WHERE match_id = ?", (damaged,))
    client.send(new="six", seats=2)
    for number, fault in ((nowhere, "no game 'tarot'"), (odd, "cannot be resumed"), (damaged, "is damaged")):
        answer = client.fault(f'{{"resume": {number}}}')
        assert fault in answer["fault"]
        assert f"match {number}" in answer["fault"]
    assert client.send(do={"kind": "lay", "card": 5})["match"] == 4
    assert [one["number"] for one in client.send(list=True)["matches"]] == [4, 3, 2, 1]
