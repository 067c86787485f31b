"""What was stored, sent, typed and configured with an earlier version still works as it did then.

The samples were made by an earlier version of the product, whose journals are of version 2. They are never
made again: where one of these tests fails, a word or a format that people have on their disks, in their
programs or on their printed sheets has changed its meaning.

`comparing` says what may differ: there may be more than there was, and sentences for people may be worded
better. `product` is the only file that imports the product.
"""

import csv
import io
import json
import shutil
import sqlite3
import sys
import tomllib
from contextlib import closing
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Any, Final

import pytest
from jsonschema import Draft202012Validator

from tests.compatibility import product
from tests.compatibility.comparing import (
    CHANGED_DEFAULTS,
    MISSING,
    NO_SENTENCES,
    RECOUNTED,
    REFUSED_STEPS,
    RETIRED,
    differences,
    narrower,
    retired,
)

SAMPLES: Final = Path(__file__).parent / "samples"
MATCHES: Final[dict[str, Any]] = json.loads((SAMPLES / "matches.json").read_text(encoding="utf-8"))
"""What each journal holds and where each match of it stands; `names` are those of the badges."""
WORDS: Final[dict[str, Any]] = json.loads((SAMPLES / "words.json").read_text(encoding="utf-8"))
"""Every word that people, programs or printed sheets may use."""
CONFIGURED: Final[dict[str, Any]] = json.loads(
    (SAMPLES / "configurations" / "configured.json").read_text(encoding="utf-8")
)
IMPORTED: Final[dict[str, Any]] = json.loads(
    (SAMPLES / "exports" / "imported.json").read_text(encoding="utf-8")
)
NOTES: Final = ("open", "joining", "group", "away")

every_journal = pytest.mark.parametrize("name", MATCHES["journals"])
SESSIONS: Final = sorted(file.stem for file in SAMPLES.glob("sessions/*.jsonl"))
every_game = pytest.mark.parametrize("game", WORDS["games"])


# ------------------------------------------------------------------------------------------------- journals


@pytest.fixture
def journal(name: str, tmp_path: Path) -> Path:
    """A copy of a stored journal."""
    path = tmp_path / "journal.sqlite"
    shutil.copyfile(SAMPLES / name, path)
    return path


@cache
def rows_of(name: str) -> list[dict[str, Any]]:
    """The matches in a stored file, read by SQL: the file has been as it is since it was stored."""
    with closing(sqlite3.connect(f"{(SAMPLES / name).as_uri()}?mode=ro&immutable=1", uri=True)) as db:
        assert db.execute("PRAGMA user_version").fetchone() == (2,)
        found = []
        for number, uid, header, started_at in db.execute(
            'SELECT id, uid, header, started_at FROM "match" ORDER BY id'
        ).fetchall():
            steps = db.execute(
                "SELECT record, at FROM step WHERE match_id = ? ORDER BY number", (number,)
            ).fetchall()
            records = [json.loads(header), *(json.loads(record) for record, _ in steps)]
            times = [at for _, at in steps]
            match = {"id": number, "uid": uid, "started_at": started_at, "records": records, "times": times}
            found.append(match)
    return found


def expected(name: str) -> Any:
    return MATCHES["journals"][name]


@every_journal
def test_a_stored_journal_opens_with_every_match_and_every_step(name: str, journal: Path) -> None:
    assert product.stored(journal) == rows_of(name)
    assert product.notes(journal, NOTES) == expected(name)["notes"]


@every_journal
def test_every_stored_match_stands_where_it_stood(name: str) -> None:
    for match, then in zip(rows_of(name), expected(name)["matches"], strict=True):
        now = product.standing(product.replayed(match["records"]))
        assert differences(then["standing"], now, f"match {then['id']}") == []


@every_journal
def test_every_stored_step_is_written_again_as_it_was(name: str) -> None:
    for match in rows_of(name):
        again = product.written_again(match["records"])
        assert differences(match["records"], again, f"match {match['id']}", NO_SENTENCES) == []


@every_journal
def test_the_commands_of_a_stored_match_are_judged_as_they_were(name: str) -> None:
    for match in rows_of(name):
        again = product.judged_again(match["records"])
        assert len(again) == len(match["records"])
        header = match["records"][0]
        for step in REFUSED_STEPS.get((name, match["id"]), ()):
            assert again[step]["refused"] == "H6-9"
            again[step] = match["records"][step]
        for step, then in enumerate(match["records"]):
            events, now = then.get("events", []), again[step].get("events", [])
            if header["game"] == "six" and len(now) > len(events):
                # Today nobody is asked who played a card if all others have played another one.
                assert now[: len(events)] == events
                again[step] = then
        if not retired(header["game"], header["options"]):
            assert differences(match["records"], again, f"match {match['id']}") == []


@every_journal
def test_the_people_and_deals_of_a_stored_match_are_told_as_they_were(name: str, journal: Path) -> None:
    told = product.told(journal, MATCHES["names"])
    assert differences([match["told"] for match in expected(name)["matches"]], told) == []


@every_journal
def test_a_device_goes_on_where_it_was_switched_off(name: str, journal: Path) -> None:
    then = expected(name)["session"]
    with product.Session.on(journal) as device:
        assert device.match_id == then["match_id"]
        assert device.suspended() == then["suspended"]
        assert differences(then["joining"], device.joining()) == []
        assert differences(then["group"], device.group()) == []
        if then["match_id"] is not None:
            assert device.match is not None
            match = next(one for one in expected(name)["matches"] if one["id"] == then["match_id"])
            assert differences(match["standing"], product.standing(device.match)) == []
            assert device.names() == then["names"]


@every_journal
def test_every_suspended_match_can_be_resumed(name: str, journal: Path) -> None:
    matches = {match["id"]: match for match in expected(name)["matches"]}
    assert expected(name)["session"]["suspended"]
    for number in expected(name)["session"]["suspended"]:
        with product.Session.on(journal) as device:
            if device.match is not None:
                device.suspend()
            device.resume(number)
        with product.Session.on(journal) as device:
            assert device.match is not None
            assert device.match_id == number
            assert differences(matches[number]["standing"], product.standing(device.match)) == []
            device.undo()
            device.redo()
            now = product.standing(device.match)
            assert differences(matches[number]["standing"]["state"], now["state"]) == []
            assert differences(matches[number]["standing"]["asks"], now["asks"]) == []


def test_the_open_match_is_played_on_and_kept(tmp_path: Path) -> None:
    # The last card was taken back before the device was switched off. It is brought back, and one more comes.
    path = tmp_path / "journal.sqlite"
    shutil.copyfile(SAMPLES / "journal.sqlite", path)
    with product.Session.on(path) as device:
        assert device.match is not None
        before = product.standing(device.match)
        assert before["redo_redoes"] is not None
        device.redo()
        state = product.standing(device.match)["state"]
        shown = [card["card"] for card in state["shown"]]
        assert len(shown) == len(before["state"]["shown"]) + 1
        lying = {card for row in (*state["rows"], *state["taken"], shown) for card in row}
        device.do({"kind": "play", "card": next(card for card in range(1, 105) if card not in lying)})
        after = product.standing(device.match)
        assert len(after["state"]["shown"]) == len(shown) + 1
    with product.Session.on(path) as device:
        assert device.match is not None
        assert product.standing(device.match) == after


def test_the_stored_journal_holds_every_kind_of_command_and_event() -> None:
    for game, words in WORDS["games"].items():
        logs = [
            match["records"] for match in rows_of("journal.sqlite") if match["records"][0]["game"] == game
        ]
        steps = [record for log in logs for record in log[1:]]
        assert {step["do"]["kind"] for step in steps if "do" in step} == words["commands"].keys()
        kinds = {event["kind"] for step in steps for event in step.get("events", ())}
        assert kinds == words["events"].keys()
        assert any("voids" in step for step in steps)
        assert any("redoes" in step for step in steps)


# -------------------------------------------------------------------------- commands about played matches


@pytest.fixture
def names(tmp_path: Path) -> Path:
    """A configuration with the names of the badges."""
    path = tmp_path / "table.toml"
    path.write_text(
        f"[table]\nnames = {json.dumps(MATCHES['names'], ensure_ascii=False)}\n", encoding="utf-8"
    )
    return path


@pytest.fixture
def played(tmp_path: Path, names: Path) -> list[str]:
    """The words that name a copy of the large stored journal, and the people in it."""
    path = tmp_path / "played.sqlite"
    shutil.copyfile(SAMPLES / "journal.sqlite", path)
    return ["--journal", str(path), "--config", str(names)]


@pytest.mark.parametrize("name", IMPORTED)
def test_a_stored_export_is_imported_and_exported_again(
    name: str, tmp_path: Path, names: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "journal.sqlite"
    where = ["--journal", str(journal), "--config", str(names)]
    assert product.command("import", str(SAMPLES / "exports" / name), *where) == 0
    stored = product.stored(journal)
    now = [
        {
            "uid": match["uid"],
            "started_at": match["started_at"],
            "standing": product.standing(product.replayed(match["records"])),
        }
        for match in stored
    ]
    assert differences(IMPORTED[name], now) == []
    capsys.readouterr()
    assert product.command("export", "--all", *where) == 0
    then = [
        json.loads(line) for line in (SAMPLES / "exports" / name).read_text(encoding="utf-8").splitlines()
    ]
    assert differences(then, [json.loads(line) for line in capsys.readouterr().out.splitlines()]) == []


@pytest.mark.parametrize("name", IMPORTED)
def test_a_stored_export_can_be_told(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert product.command("replay", str(SAMPLES / "exports" / name)) == 0
    assert capsys.readouterr().out


def test_the_numbers_of_everybody_are_the_same(played: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert product.command("stats", "--json", *played) == 0
    then = json.loads((SAMPLES / "exports" / "stats.json").read_text(encoding="utf-8"))
    for line in then:
        line["taken"] = RECOUNTED.get((line["badge"], line["game"]), line["taken"])
    assert differences(then, json.loads(capsys.readouterr().out)) == []


def test_spreadsheets_find_the_same_columns_and_values(
    played: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert product.command("export", "--all", "--format", "csv", *played) == 0
    then = list(csv.DictReader(io.StringIO((SAMPLES / "exports" / "deals.csv").read_text(encoding="utf-8"))))
    assert differences(then, list(csv.DictReader(io.StringIO(capsys.readouterr().out)))) == []


def test_bg_stats_gets_the_same_plays_under_the_same_identities(
    played: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert product.command("export", "--all", "--format", "bgstats", *played) == 0
    then = json.loads((SAMPLES / "exports" / "plays.bgsplay").read_text(encoding="utf-8"))
    assert differences(then, json.loads(capsys.readouterr().out)) == []


# ------------------------------------------------------------------------------------------------- protocol


@cache
def session(name: str) -> list[tuple[str, dict[str, Any]]]:
    """The lines that a program sent to `nimmt referee`, each with what it was answered."""
    lines = (SAMPLES / "sessions" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
    pairs = map(json.loads, lines)
    return [(pair["line"] if "line" in pair else json.dumps(pair["send"]), pair["answer"]) for pair in pairs]


def sent_today(name: str, number: int, line: str) -> str:
    """A line as it is sent today: a table that is refused now says how many cards are missing."""
    if (name, number) not in MISSING:
        return line
    request = json.loads(line)
    table = request["do"] if "do" in request else request["position"]
    return json.dumps({**request, next(iter(request)): {**table, "missing": MISSING[name, number]}})


@pytest.mark.parametrize("name", SESSIONS)
def test_a_stored_session_is_answered_as_it_was(name: str) -> None:
    answer = product.referee()
    by_rulings = False
    for number, (line, then) in enumerate(session(name), start=1):
        if (name, number) in MISSING:
            assert product.plain(answer(line.encode()))["rule"] == "H6-9"
        now = product.plain(answer(sent_today(name, number, line).encode()))
        if then["ok"] and '"new"' in line:
            begun = json.loads(line)
            by_rulings = bool(retired(begun["new"], begun.get("options", {})))
            assert now["ok"], line
        if not by_rulings:
            assert differences(then, now, f"answer {number}") == [], line


def test_a_stored_session_with_the_command_itself_is_answered_and_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    journal = tmp_path / "journal.sqlite"
    lines = [line for line, _ in session("six")]
    sent = "".join(f"{sent_today('six', number, line)}\n" for number, line in enumerate(lines, start=1))
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(sent.encode())))
    assert product.command("referee", "--journal", str(journal)) == 0
    answers = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert differences([then for _, then in session("six")], answers) == []
    begun = sum(1 for line, then in session("six") if then["ok"] and "new" in json.loads(line))
    assert len(product.stored(journal)) == begun


def test_stored_requests_and_answers_keep_to_the_schema_of_today() -> None:
    schema = product.protocol_schema()
    Draft202012Validator.check_schema(schema)
    request, answer = (
        Draft202012Validator({**schema, "anyOf": [{"$ref": f"#/$defs/{what}"}]})
        for what in ("request", "answer")
    )
    for line, then in chain.from_iterable(map(session, SESSIONS)):
        if then["ok"]:
            assert request.is_valid(json.loads(line)), line
        assert answer.is_valid(then), then


@pytest.mark.parametrize(
    ("game", "name", "value"),
    [
        (game, name, value)
        for game, names in RETIRED.items()
        for name, values in names.items()
        for value in values
    ],
)
def test_a_retired_option_is_accepted_and_changes_nothing(game: str, name: str, value: str | bool) -> None:
    assert value in WORDS["games"][game]["options"]["properties"][name]["enum"]
    begun = {"new": game, "seats": 4, "options": {}}
    plain, named = (
        product.plain(product.referee()(json.dumps({**begun, "options": options}).encode()))
        for options in ({}, {name: value})
    )
    assert plain["ok"]
    assert named == plain


def test_the_stored_sessions_try_every_option_and_every_value_of_it() -> None:
    for game, words in WORDS["games"].items():
        begun = [json.loads(line) for line, then in session(game) if then["ok"] and '"new"' in line]
        tried: dict[str, list[Any]] = {}
        for request in begun:
            for name, value in request.get("options", {}).items():
                tried.setdefault(name, []).append(value)
        assert tried.keys() == words["options"]["properties"].keys()
        for name, schema in words["options"]["properties"].items():
            assert all(value in tried[name] for value in schema.get("enum", ()))


# ---------------------------------------------------------------------------------------------------- words


def test_no_question_of_the_protocol_has_another_name() -> None:
    now = product.questions_and_waits()
    for what, words in WORDS["questions"].items():
        assert set(words) <= set(now[what])


def test_every_game_is_there_under_its_name() -> None:
    assert WORDS["games"].keys() <= set(product.game_keys())


@every_game
def test_the_box_of_a_game_is_the_same(game: str) -> None:
    then, now = WORDS["games"][game]["box"], product.box_of(game)
    assert now["code"] == then["code"]
    assert now["deck"] == then["deck"]
    assert now["seats"][0] <= then["seats"][0]
    assert now["seats"][1] >= then["seats"][1]


@every_game
def test_every_printed_card_means_the_same_card(game: str) -> None:
    words = WORDS["games"][game]
    code = words["box"]["code"]
    for number, text in enumerate(words["cards"], start=1):
        assert product.meaning(text) == ["card", code, str(number)]
        assert product.card_code(code, number) == text
        assert product.meaning(text, box=2) == ["foreign"]
    for text in words["second_box"]:
        assert product.meaning(text) == ["foreign"]
        assert product.meaning(text, box=2)[:2] == ["card", code]


def test_every_printed_badge_and_control_means_the_same() -> None:
    for number, text in enumerate(WORDS["badges"], start=1):
        assert product.meaning(text) == ["badge", number]
        assert product.badge_code(number)[:-1] == text  # a letter is printed behind it today
    for text in WORDS["controls"]:
        assert product.meaning(text) == ["control", text.removeprefix("6NC-")]
    assert set(WORDS["controls"]) <= set(product.controls())


@every_game
@pytest.mark.parametrize("what", ["commands", "events"])
def test_no_kind_of_record_has_gone_or_takes_less(game: str, what: str) -> None:
    now = product.kinds_of(game)[what]
    for kind, then in WORDS["games"][game][what].items():
        assert kind in now
        shapes = [
            {"type": "object", "properties": one["fields"], "required": one["required"]}
            for one in (then, now[kind])
        ]
        assert narrower(shapes[0], shapes[1], kind) == []


@every_game
def test_no_rule_has_another_key(game: str) -> None:
    assert set(WORDS["games"][game]["rules"]) <= set(product.rules_of(game))


@every_game
@pytest.mark.parametrize("what", ["options", "position"])
def test_no_option_of_a_game_and_no_part_of_a_position_has_gone_or_takes_less(game: str, what: str) -> None:
    now = {"options": product.options_schema, "position": product.position_schema}[what](game)
    assert narrower(WORDS["games"][game][what], now, f"{what} of {game}") == []


# --------------------------------------------------------------------------------------------- command line


def shortest(words: list[dict[str, Any]]) -> list[str]:
    """What must be typed behind a command."""
    return [
        one["choices"][0] if one["choices"] else "1"
        for one in words
        if not one["names"] and not one["optional"]
    ]


@pytest.mark.parametrize("command", WORDS["command_line"])
def test_every_word_of_a_command_can_still_be_typed(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    then = WORDS["command_line"][command]
    typed = [command, *shortest(then)] if command else []
    if command:
        assert product.understood(typed)
        optional = [one for one in then if not one["names"] and one["optional"]]
        assert product.understood([*typed, *(["1"] * len(optional))])
    for word in then:
        for choice in word["choices"] if not word["names"] and not word["optional"] else []:
            assert product.understood([command, choice])
        for name in word["names"]:
            for value in word["choices"] or ["1"] if word["value"] else [None]:
                assert product.understood([*typed, name, *([] if value is None else [value])]), (name, value)
    capsys.readouterr()


# -------------------------------------------------------------------------------------------- configuration


@pytest.mark.parametrize("name", CONFIGURED)
def test_a_stored_configuration_says_what_it_said(name: str) -> None:
    text = (SAMPLES / "configurations" / name).read_text(encoding="utf-8")
    then = CONFIGURED[name]
    for (section, key), today in CHANGED_DEFAULTS.items():
        if key not in tomllib.loads(text).get(section, {}):
            then = {**then, section: {**then[section], key: today}}
    assert differences(then, product.configured(text)) == []


def test_no_key_of_the_configuration_has_gone_or_takes_less() -> None:
    now = product.configuration_keys()
    assert WORDS["configuration"].keys() <= now.keys()
    for section, keys in WORDS["configuration"].items():
        for key, then in keys.items():
            here = now[section][key]
            assert not here["required"] or then["required"], key
            assert not here["among"] or (then["among"] and set(then["among"]) <= set(here["among"])), key
            assert here["low"] is None or (then["low"] is not None and here["low"] <= then["low"]), key
            assert here["high"] is None or (then["high"] is not None and here["high"] >= then["high"]), key


def test_every_board_is_there_under_its_name() -> None:
    assert set(WORDS["boards"]) <= set(product.boards())
