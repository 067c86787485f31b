"""What people see of an evening, and who may act."""

import asyncio
import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from companion.match.match import Terms
from firmware.config.configuration import parse
from firmware.history.played_match import PlayedMatch
from firmware.history.portions import Portions
from firmware.history.stored_time import day, shown
from firmware.text.translation import Translator, translator
from network.hub import view
from network.hub.evening import matches
from network.hub.server import application
from network.hub.site import HubSite
from network.mqtt import topics
from network.web.job_queue import UNPAIRED_SHARE, JobQueue
from tests.network.hub.at_hub import six
from tests.network.hub.opened import OPEN, Opened
from tests.network.web.asking import Answer, ask, asked, post
from tests.network.web.test_hosting import PERSIAN
from tests.patience import comes

HOSTILE = '<script>alert("1")</script>'


@pytest.fixture
def at(tmp_path: Path) -> Opened:
    return Opened(tmp_path)


def test_the_hall_shows_every_table_with_its_standing(at: Opened) -> None:
    for number in (2, 10, 1):
        box = at.hub.box(f"t{number}", number)
        box.label = str(number)
        box.send_online()
        box.begin(six(), f"m{number}", ("Ada", "Ben", None, "Cleo"))
        box.play(30)
    at.hub.work()
    boxes = at.hub.evening.boxes()
    assert [box.name for box in boxes] == ["t1", "t2", "t10"]
    assert [box.name for box in at.hub.evening.page(2, 2)[0]] == ["t10"]
    assert at.hub.evening.page(9, 2) == at.hub.evening.page(2, 2)
    t = translator("de")
    first = view.hall_entry(boxes[0], at.hub.matches.get(boxes[0].uid), t)
    assert first["title"] == "Tisch 1"
    assert first["heading"][0] == "6 NIMMT!"
    assert {one["name"] for one in first["places"]} == {"Ada", "Ben", "Spieler 3", "Cleo"}
    match = at.hub.matches.get("m1").match
    assert match is not None
    assert sum(int(one["total"]) for one in first["places"]) == sum(match.totals) + sum(match.points)


@pytest.mark.parametrize("game", ["six", "eleven", "ciao"])
def test_a_table_is_drawn_in_every_language_whether_cards_are_public_or_not(at: Opened, game: str) -> None:
    box = at.hub.box("t1", 3)
    box.send_online()
    box.begin(Terms(game, 3, badges=(4, 2, 7)), "m1")
    box.play(40)
    at.hub.work()
    found = at.hub.evening.box("t1")
    assert found is not None
    for language, called in (("en", "P{}"), ("de", "Spieler {}"), ("fa", "بازیکن {}")):
        drawn = view.table(found, at.hub.matches.get("m1"), translator(language), "")
        assert {one["name"] for one in drawn["places"]} == {
            called.format(translator(language).number(badge)) for badge in (4, 2, 7)
        }
        assert drawn["layout"] == ("rows" if game == "six" else "score")
        if game != "six":  # whose position the hub knows
            says = view.hall_entry(found, at.hub.matches.get("m1"), translator(language))["says"]
            asked = [translator(language).say(ask.says) for ask in box.matches[-1].match.asks]
            assert says == translator(language).in_a_sentence(" · ".join(asked))
        assert not drawn["away"]


def test_who_has_no_name_is_called_in_the_language_of_the_reader_and_by_the_table(at: Opened) -> None:
    for name, label in (("t1", "1"), ("t2", "Window")):
        box = at.hub.box(name)
        box.label = label
        box.send_online()
        match = box.begin(six(), f"m{name}", ("Ada", "P2", None, "Cleo"))  # a table may send P2 for no name
        while not match.match.position.score_sheet.deals:
            box.step()
    at.hub.work()
    for language, called, table in (
        ("en", "P{}", "Table 1"),
        ("de", "Spieler {}", "Tisch 1"),
        ("fa", "بازیکن {}", "میز \u2068۱\u2069"),
    ):
        text, number = ask(at.app, f"/standing?language={language}").text, translator(language).number
        for badge in (2, 3):
            shown = called.format(number(badge))
            assert all(f"<bdi>{shown} ({one})</bdi>" in text for one in (table, "Window"))
        assert text.count("<bdi>Ada</bdi>") == 1, "who has a name is the same person at both tables"
        assert (">P2" in text) is (language == "en")
        for path in ("/history", "/match/mt1"):
            told = ask(at.app, f"{path}?language={language}").text
            assert called.format(number(2)) in told
            assert (">P2<" in told) is (language == "en")


def test_language_digits_and_calendar_of_pages_are_those_of_the_screen(at: Opened, tmp_path: Path) -> None:
    box = at.hub.box("t1")
    box.begin(six(), "m1")
    box.step()
    at.hub.work()
    with at.hub.store.reading() as db:
        (match,) = matches(db)
    began = datetime.fromtimestamp(match.begun_s, UTC)
    for calendar in ("language", "gregorian"):
        toml = f'[screen]\nlanguage = "fa"\ndigits = "latin"\ncalendar = "{calendar}"\n'
        site = HubSite(parse(toml, "nimmt.toml"), tmp_path, at.hub.intake, at.codes.append)
        assert shown(began, Translator("fa", "latin", calendar)) in ask(application(site), "/history").text
    assert day(began, Translator("fa", "latin")) != day(began, Translator("fa", "latin", "gregorian"))


def test_every_page_answers_and_a_name_can_be_anything(at: Opened) -> None:
    box = at.hub.box("t1", 1)
    box.label = HOSTILE
    box.send_online()
    for uid, game in (("m1", "six"), ("m2", "ciao")):
        match = box.begin(Terms(game, 3), uid, (HOSTILE, "Ben", "Cleo"))
        while not match.match.position.score_sheet.deals:
            box.step()
    at.hub.hear(topics.table_topic("t1", topics.EVENT), b"<script>")
    at.hub.work()
    paths = ("/", "/tv", "/table/t1", "/table/t1/tv", "/standing", "/history", "/match/m1", "/match/m2")
    texts = ask(at.app, "/?language=fa").text.partition('id="texts">')[2].partition("</script>")[0]
    assert json.loads(texts)["gone"]
    for path in (*paths, "/director", "/faults", "/log"):
        for language in ("en", "fa"):
            answer = ask(at.app, f"{path}?language={language}", at.director)
            assert answer.status == 200, path
            assert "<script>alert" not in answer.text
            assert f'lang="{language}"' in answer.text
    assert "Ben" in ask(at.app, "/standing").text
    for path in ("/table/t2", "/match/none", "/table/t2/live", "/tournament/standing.csv"):
        assert ask(at.app, path).status == 404
    nothing = ask(at.app, "/nothing?language=de")
    assert (nothing.status, "<h1>Unter dieser Adresse gibt es nichts.</h1>" in nothing.text) == (404, True)


def test_a_match_is_told_once_for_all_who_look_while_it_is_the_same_and_keeps_nobody_waiting(
    at: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    box = at.hub.box("t1")
    box.begin(six(), "m1")
    box.play(60)
    at.hub.work()
    made, portions, played = list[str](), list[float](), at.hub.matches.played

    def counted(uid: str) -> Portions[PlayedMatch | None]:
        made.append(uid)
        return played(uid)

    monkeypatch.setattr(at.hub.matches, "played", counted)
    at.site.reading = JobQueue(UNPAIRED_SHARE, portions.append)
    with asyncio.Runner() as loop:

        async def crowd() -> list[Answer]:
            paths = ("/match/m1", "/match/m1?language=de") * 15
            return await asyncio.gather(*(asked(at.app, path) for path in paths))

        assert {answer.status for answer in loop.run(crowd())} == {200}
        assert made == ["m1", "m1"], "once in each language"
        assert comes(lambda: len(portions) > 5), "others have their turn in between"
        box.step()
        at.hub.work()
        assert ask(at.app, "/match/m1", loop=loop).status == 200
        assert len(made) == 3
        rendered, answer = list[str](), at.site.answer

        def count_rendered(request: Request, template: str, *more: int, **facts: Any) -> Response:
            rendered.append(template)
            return answer(request, template, *more, **facts)

        monkeypatch.setattr(at.site, "answer", count_rendered)
        for opens in (False, True):
            if opens:
                at.must(**OPEN)
            for number in range(4):
                page = ask(at.app, f"/tournament?n={number}", loop=loop)
                assert ("Friday" in page.text) is opens
        assert rendered == ["tournament.html"] * 2, "once while the tournament is the same"


def test_who_is_no_director_sees_no_faults_and_changes_nothing(at: Opened) -> None:
    at.hub.hear(topics.table_topic("t1", topics.EVENT), b"rubbish")
    at.hub.work()
    assert at.hub.faults() == [("rubbish", "t1")]
    assert "rubbish" not in ask(at.app, "/faults").text
    assert 'name="code"' in ask(at.app, "/faults").text
    assert ask(at.app, "/faults/live").status == 403
    assert post(at.app, "/faults", {"id": 1}).status == 403
    assert ask(at.app, "/", {"host": "evil.example"}).status == 421
    assert at.hub.faults() == [("rubbish", "t1")]


def test_a_director_dismisses_a_fault_and_that_is_written_down(at: Opened) -> None:
    at.hub.hear(topics.table_topic("t1", topics.EVENT), b"rubbish")
    at.hub.work()
    assert 'data-fault="1"' in ask(at.app, "/faults", at.director).text
    assert post(at.app, "/faults", {"id": 1}, at.director).json == {"accepted": True}
    assert at.hub.faults() == []
    assert "Tablet" in ask(at.app, "/log", at.director).text
    mistakes: tuple[object, ...] = ({"id": 2}, {"id": "1"}, {"id": 2**70}, {"id": True}, {}, [])
    for rubbish in mistakes:
        assert post(at.app, "/faults", rubbish, at.director).status == 409
    at.hub.hear(topics.table_topic("t1", topics.EVENT), b"rubbish")
    at.hub.work()
    assert at.hub.faults() == [("rubbish", "t1")], "it happened again, so it is open again"


def test_a_code_pairs_once_and_cannot_be_guessed(at: Opened) -> None:
    (code,) = at.codes
    assert at.director
    assert len(at.codes) == 2
    assert post(at.app, "/pair", {"code": code, "name": ""}, client="192.168.1.21").status == 403
    statuses = [
        post(at.app, "/pair", {"code": "x", "name": ""}, client="192.168.1.22").status for _ in range(8)
    ]
    assert statuses == [403] * 5 + [429] * 3
    right = {"code": at.codes[-1].translate(PERSIAN), "name": ""}
    assert post(at.app, "/pair", right, client="192.168.1.22").status == 429, "who has been wrong waits"
    assert post(at.app, "/pair", right, client="192.168.3.1").status == 200, "a director can still come"
    assert post(at.app, "/pair", {"code": 5}).status == 400
