"""What a client does at the table is what a device would do, and it is told what came of it."""

from pathlib import Path
from typing import Any

import pytest

from companion.core.codes import badge_code, card_code
from firmware.config.sections import ScreenOptions, TableOptions
from firmware.extensions.phones.table import Pairing
from firmware.play import table as table_module
from hardware.ports import Key, KeyPressed, Light
from tests.firmware.evening import FOUR, ROWS
from tests.firmware.extensions.phones.at_table import open_phones
from tests.firmware.table_socket.at_table import table
from tests.patience import comes


@pytest.mark.parametrize("text", ["44", "۴۴", "٤٤"], ids=["Latin", "Persian", "Arabic"])
def test_an_answer_names_the_steps_that_it_led_to(tmp_path: Path, text: str) -> None:
    with table(tmp_path, FOUR + ROWS) as at:
        client = at.client()
        assert client.act("scan", code=card_code("6N", 14))["accepted"]
        answer = client.act("type", text=text)
        assert answer == {"kind": "answer", "id": "a2", "accepted": True, "steps": [6]}
        assert at.device.match.asks[0].have == ("14", "44")


def test_a_refused_card_is_answered_with_the_rule_the_fault_and_the_fix(tmp_path: Path) -> None:
    with table(tmp_path, FOUR + ROWS) as at:
        client = at.client()
        answer = client.act("type", text="12")
        assert not answer["accepted"]
        assert answer["why"] == "refused"
        assert answer["rule"].startswith("6N-")
        assert answer["fault"]["says"] == "card 12 is already in row 1"
        assert answer["fault"]["facts"]
        assert answer["fix"]["says"]
        client.until(lambda: client.known["page"]["refusal"] != "")
        assert client.known["page"]["refusal"].startswith("Card 12 is already in row 1. ")
        assert client.known["page"]["refusal"].endswith(".")
        refused = [event for event in client.events if event["kind"] == "refused"]
        assert [event["fault"] for event in refused] == [answer["fault"]]


@pytest.mark.parametrize(
    ("more", "act", "says"),
    [
        ("", {"act": "scan", "code": "4006381333931"}, "{why}: {text}"),
        ("", {"act": "scan", "code": card_code("11", 7)}, "this card belongs to {game}"),
        ("", {"act": "answer", "choice": "7"}, "NOT POSSIBLE NOW"),
        (" 3 13 45 62 R1", {"act": "scan", "code": badge_code(9)}, "BADGE {badge} NOT PLAYING"),
        (" 3 13 45 62 R1", {"act": "scan", "code": card_code("CI", 1)}, "this card belongs to {game}"),
    ],
)
def test_what_a_page_does_not_take_is_refused_with_a_reason_for_every_language(
    tmp_path: Path, more: str, act: dict[str, str], says: str
) -> None:
    with table(tmp_path, FOUR + ROWS + more) as at:
        client, steps = at.client(), at.device.match.steps
        assert client.known["page"]["name"] == ("choose_player" if more else "home")
        answer = client.act(**act)
        assert (answer["accepted"], answer["why"], answer["fault"]["text"]) == (False, "refused", says)
        assert "{" not in answer["fault"]["says"]
        assert at.device.match.steps == steps


def test_the_same_scan_again_is_not_answered_twice(tmp_path: Path) -> None:
    with table(tmp_path, FOUR + ROWS, table=TableOptions(duplicate_s=10.0)) as at:
        client = at.client()
        assert client.act("scan", code=card_code("6N", 14))["accepted"]
        assert client.act("scan", code=card_code("6N", 14))["why"] == "repeated"


def test_an_act_for_a_moment_that_is_over_does_nothing(tmp_path: Path) -> None:
    with table(tmp_path, FOUR + ROWS) as at:
        client = at.client()
        step, page = client.known["table"]["steps"], client.known["page"]["name"]
        expect = {"step": step, "page": page}
        assert client.act("type", text="14", expect=expect)["accepted"]
        late = client.act("type", text="44", expect=expect)
        assert (late["accepted"], late["why"]) == (False, "changed")
        assert at.device.match.steps == step + 1
        assert client.act("key", key="undo", expect={"page": "somewhere"})["why"] == "changed"


@pytest.mark.slow
def test_a_key_counts_while_the_display_is_dark(tmp_path: Path) -> None:
    dark = ScreenOptions(hide_after_s=0.01)
    with table(tmp_path, screen=dark) as at:
        client = at.client()
        assert comes(lambda: at.device.table.state.light is Light.OFF)
        client.until(lambda: client.known["picture"]["light"] == "off")
        assert client.act("key", key="ok", press="long")["accepted"]
        client.until(lambda: client.known["page"]["name"] == "menu")


def test_an_answer_can_be_given_by_the_name_of_its_choice(tmp_path: Path) -> None:
    with table(tmp_path, FOUR + ROWS + "3 68 93 94 ") as at:
        client = at.client()
        asks = client.known["table"]["asks"]
        refused = client.act("answer", choice="nothing")
        assert (refused["accepted"], refused["why"]) == (False, "refused")
        given = []
        while asks[0]["gives"] in ("player", "stack"):
            answer = client.act(
                "answer", choice=asks[0]["choices"][0], expect={"step": at.device.match.steps}
            )
            assert answer["accepted"]
            given.append(asks[0]["gives"])
            client.until_step(answer["steps"][-1])
            asks = client.known["table"]["asks"]
        assert given == ["stack", "player"]


def test_the_code_on_the_display_is_compared_there_and_never_sent(tmp_path: Path) -> None:
    with table(tmp_path, FOUR + ROWS) as at:
        client = at.client()
        assert not client.act("pair", code="123456")["accepted"]  # none is shown
        open_phones(at.device.table)
        assert not client.act("key", key="ok")["accepted"]  # only at the box itself
        at.device.runtime.app.post(KeyPressed(Key.OK))
        assert comes(lambda: isinstance(at.device.table.front, Pairing))
        page = at.device.table.front
        assert isinstance(page, Pairing)
        wrong = f"{(int(page.code) + 1) % 1_000_000:06}"
        assert not client.act("pair", code=wrong)["accepted"]
        assert page.code not in repr({**client.known, "picture": None})
        assert client.act("pair", code=page.code)["accepted"]
        assert not client.act("pair", code=page.code)["accepted"]  # it counts once


def test_a_long_press_does_not_leave_the_key_down(tmp_path: Path) -> None:
    with table(tmp_path, FOUR + ROWS) as at:
        client = at.client()
        for key in ("row_1", "row_3"):
            client.act("key", key=key, press="long")
        assert not at.device.table.state.chord.held
        assert client.act("key", key="ok", press="long")["accepted"]
        client.until(lambda: client.known["page"]["name"] == "menu")


@pytest.mark.parametrize(
    "what",
    [
        {"act": "shout"},
        {"act": ["scan"]},
        {"act": "scan"},
        {"act": "scan", "code": "6N014\n6N015"},
        {"act": "scan", "code": "ü"},
        {"act": "scan", "code": "1", "key": "ok"},
        {"act": "key", "key": "ok", "press": "for ever"},
        {"act": "name", "badge": 11, "name": "Ana"},
        {"act": "name", "badge": 1, "name": "123"},
        {"act": "name", "badge": 1, "name": "A\x1b[2J"},
        {"act": "key", "key": "ok", "expect": 3},
        {"act": "phones", "phones": [{"id": 1, "name": "Ana"}]},
        {"act": "phones", "phones": [], "fingerprint": "AB"},
        {"act": "phones", "phones": [], "address": "javascript:alert(1)"},
        {"act": "phones", "phones": [], "address": "http://192.168.1.20:8066/page"},
        {"act": "phones", "phones": [], "address": "http://" + "1" * 61},
        {"act": "broker", "refused": ["a b"]},
    ],
)
def test_what_is_no_act_is_not_done(one_table: Any, what: dict[str, Any]) -> None:
    steps = one_table.device.match.steps
    client = one_table.client()
    answer = client.act(**what)
    assert (answer["accepted"], answer["why"]) == (False, "malformed")
    assert answer["fault"]["says"]
    assert answer["fix"]["says"]
    assert one_table.device.match.steps == steps
    client.close()


@pytest.mark.parametrize("act", ["broker", "pair", "phones", "seats"])
def test_an_act_of_a_part_that_is_not_installed_is_unknown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: str
) -> None:
    monkeypatch.setattr(table_module, "installed", tuple)
    with table(tmp_path) as at:
        client = at.client()
        answer = client.act(act)
        assert (answer["why"], answer["fault"]["says"]) == ("malformed", f"'act' is '{act}'")
        assert not {"result", "registered"} & client.known.keys()


@pytest.fixture(scope="module")
def one_table(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with table(tmp_path_factory.mktemp("table"), FOUR + ROWS) as at:
        yield at


def seats_of(*badges: int) -> dict[str, Any]:
    players = [{"badge": badge, "name": f"N{badge}"} for badge in badges]
    options = {"end": {"deals": 1}}
    return {"title": "Friday", "round": 1, "table": 2, "game": "six", "options": options, "players": players}


@pytest.mark.parametrize("badges", [(1, 2, 3, 4), (41, 42, 43, 44)])
def test_a_phone_plays_for_its_player_who_then_chooses_a_row_with_one_answer(
    tmp_path: Path, badges: tuple[int, ...]
) -> None:
    with table(tmp_path) as at:
        client = at.client()
        assert client.act("play", badge=badges[0], card="5")["why"] == "refused"
        client.act("seats", seats=seats_of(*badges))
        for badge in badges:
            client.act("scan", code=badge_code(badge))
        client.act("key", key="ok")
        for text in ("12", "37", "43", "58", "5", "45", "61", "71"):
            assert client.act("type", text=text)["accepted"]
        # Nobody has said whose the 5 is.
        assert client.act("play", badge=badges[1], row=2)["accepted"]
        assert at.device.match.points == (0, 1, 0, 0)
        for key in ("ok", "ok"):
            client.act("key", key=key)
        assert client.act("play", badge=badges[2], card="۴")["accepted"]
        again = client.act("play", badge=badges[2], card="30")
        assert (again["why"], again["fault"]["text"]) == ("refused", "{name} HAS PLAYED")
        assert not client.act("play", badge=badges[3], card="5")["accepted"]  # it lies there
        assert client.act("type", text="100")["accepted"]  # and this one is anybody's
        assert list(at.device.match.asks[0].seats) == [0, 1, 3]
        for number, badge in ((101, badges[0]), (102, badges[1])):
            assert client.act("play", badge=badge, card=str(number))["accepted"]
        assert list(at.device.match.asks[0].seats) == [2]  # the 4 fits nowhere, and it is known whose it is
        assert client.act("answer", choice="0")["accepted"]
        assert at.device.match.points[2] > 0
