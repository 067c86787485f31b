"""The owner's programs read and change the configuration of the game; nobody else does."""

import json
from pathlib import Path

import pytest

from firmware.table_socket import server
from firmware.table_socket.acts import SettingsRequest
from firmware.table_socket.messages import line
from firmware.table_socket.settings import Settings
from tests.firmware.table_socket.at_table import table
from tests.firmware.table_socket.test_protocol import validator

OLD = '[table]   # at home\nnames = ["Ana"]\n'
TYPED = OLD.replace('"Ana"', "„Ana“")


def test_a_change_is_written_as_the_file_is_and_the_one_before_stays(tmp_path: Path) -> None:
    sent, read = validator("sent"), validator("read")
    with table(tmp_path) as at:
        at.settings.write_text(TYPED, newline="\r\n")
        at.settings.chmod(0o640)
        client = at.client()
        first = client.ask(kind="settings")
        change = {"kind": "settings", "id": "1", "of": first["of"], "set": {"table": {"choice_s": 20}}}
        read.validate(change)
        second = client.ask(**{key: value for key, value in change.items() if key != "id"})
        for answer in (first, second):
            sent.validate(answer)
        assert (first["accepted"], first["text"], first["can_restart"]) == (True, OLD, True)
        assert (second["accepted"], second["in_use"]) == (True, False)
        assert second["text"] == at.settings.read_text() == f"{OLD}choice_s = 20\n"
        assert at.settings.read_bytes().count(b"\r\n") == 3
        previous = at.settings.with_name("nimmt.toml.previous")
        assert previous.read_text() == TYPED
        assert at.settings.stat().st_mode & 0o777 == previous.stat().st_mode & 0o777 == 0o640
        assert at.restarts == 0
        assert client.ask(kind="settings", restart=True)["accepted"]
        assert client.ask(kind="settings")["accepted"]
        assert at.restarts == 1


def test_a_file_that_was_faulty_at_the_start_is_not_in_use_and_says_why(tmp_path: Path) -> None:
    file = tmp_path / "nimmt.toml"
    file.write_text("[table]\nchoice_s = -1\n")
    answer, _ = Settings(file, is_used=False).answer(SettingsRequest())
    assert (answer.accepted, answer.in_use) == (True, False)
    assert [one.path for one in answer.problems or ()] == ["table.choice_s"]
    validator("sent").validate(json.loads(line(answer)))
    change = SettingsRequest(of=answer.of or "", new={"table": {"choice_s": 5}})
    answer, _ = Settings(file, is_used=False).answer(change)
    assert (answer.accepted, answer.in_use, answer.problems) == (True, False, ())


def test_what_would_not_be_accepted_at_the_next_start_changes_nothing(tmp_path: Path) -> None:
    with table(tmp_path) as at:
        client = at.client()
        assert client.ask(kind="settings")["accepted"] is False  # the game was started without a file
        at.settings.write_text(OLD)
        known = client.ask(kind="settings")
        wrong = client.ask(kind="settings", of=known["of"], set={"table": {"choice_s": -1, "nams": []}})
        assert (wrong["accepted"], wrong["why"]) == (False, "refused")
        assert [one["path"] for one in wrong["problems"]] == ["table.nams", "table.choice_s"]
        validator("sent").validate(wrong)
        late = client.ask(kind="settings", of="another", set={"table": {"choice_s": 1}})
        assert (late["accepted"], late["why"]) == (False, "changed")
        for sent in ({"set": 1}, {"set": {"table": 1}}, {"write": "x"}):
            assert client.ask(kind="settings", of=known["of"], **sent)["why"] == "malformed"
        assert at.settings.read_text() == OLD
        assert [one.name for one in tmp_path.glob("nimmt.toml*")] == ["nimmt.toml"]


def test_who_may_only_act_learns_nothing_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "is_owner", lambda _peer: False)
    with table(tmp_path) as at:
        at.settings.write_text(OLD)
        client = at.client()
        assert client.ask(kind="settings")["why"] == "not allowed"
        assert client.ask(kind="settings", restart=True)["why"] == "not allowed"
        assert client.act("key", key="why")["accepted"]
        assert at.restarts == 0


def test_a_file_that_cannot_be_written_is_left_as_it_is(tmp_path: Path) -> None:
    file = tmp_path / "nimmt.toml"
    file.write_text(OLD)
    (tmp_path / "nimmt.toml.previous").mkdir()  # so that the file before cannot be kept
    settings = Settings(file)
    of = settings.answer(SettingsRequest())[0].of or ""
    answer, _ = settings.answer(SettingsRequest(of=of, new={"table": {"choice_s": 20}}))
    assert (answer.accepted, file.read_text()) == (False, OLD)
    assert answer.fault
    assert "cannot be written" in answer.fault.says
