"""The page of settings: what its fields hold becomes the file, or is refused with the words of the file."""

from pathlib import Path
from typing import Any, Final

import pytest

from firmware.config.editing import described
from firmware.table_socket.acts import LONGEST_LINE, SettingsRequest
from firmware.table_socket.settings import Settings
from firmware.text.translation import LANGUAGES, translator
from network.web.settings import facts, shown, value_of
from tests.firmware.config.test_config_faults import problems_of
from tests.network.web.served import Served
from tests.patience import comes

(SOON,) = problems_of('[table]\nchoice_s = "soon"\n')
SAID = f"{SOON.fault} ({SOON.fix})"
FILE = """\
# ours
[table]
names = ["<b>Ana</b>", "Bo"]

[buttons]
driver = "gpio"
pins = {ok = 5, undo = 6}
"""


def test_the_phone_of_a_host_changes_the_file_and_nobody_else(at: Served) -> None:
    at.box.settings.write_text(FILE)
    assert "data-key" not in at.ask("GET", "/settings")[1]
    assert at.ask("POST", "/settings", {"restart": True})[0] == 403
    guest = at.pair("guest")
    assert "data-hosts" in at.ask("GET", "/settings", Cookie=guest)[1]
    assert at.ask("POST", "/settings", {"restart": True}, Cookie=guest)[0] == 403
    cookie = at.pair(hosts=True)
    page = at.ask("GET", "/settings", Cookie=cookie)[1]
    assert "&lt;b&gt;Ana&lt;/b&gt;\nBo</textarea>" in page
    of = page.partition('data-of="')[2].partition('"')[0]
    table = {"names": "Ana\n\n Cem ", "choice_s": "12.5"}
    sent = {"table": table, "buttons": {"pins": "{ok = 5, undo = 13}"}}
    status, answer, _ = at.ask("POST", "/settings", {"of": of, "set": sent}, Cookie=cookie)
    assert (status, answer["accepted"], answer["in_use"]) == (200, True, False)
    assert at.box.settings.read_text() == FILE.replace('["<b>Ana</b>", "Bo"]', '["Ana", "Cem"]').replace(
        "\n\n[buttons]", "\nchoice_s = 12.5\n\n[buttons]"
    ).replace("undo = 6", "undo = 13")
    status, answer, _ = at.ask("POST", "/settings", {"of": of, "set": sent}, Cookie=cookie)
    assert (status, "Load this page again" in answer["fault"]) == (409, True)
    of = at.ask("GET", "/settings", Cookie=cookie)[1].partition('data-of="')[2].partition('"')[0]
    wrong = {"table": {"choice_s": "soon"}, "screen": {"language": "xx"}}
    status, answer, _ = at.ask("POST", "/settings", {"of": of, "set": wrong}, Cookie=cookie)
    paths = ["table.choice_s", "screen.language"]
    assert (status, [one["path"] for one in answer["problems"]]) == (409, paths)
    german = {"Cookie": cookie, "Accept-Language": "de"}
    answer = at.ask("POST", "/settings", {"of": of, "set": wrong}, **german)[1]
    place = 'table.choice_s = "soon"'
    assert answer["problems"][0] == {"path": "table.choice_s", "place": place, "says": SAID}
    senseless: tuple[Any, ...] = (None, [], {"table": 1}, {"table": {"x": "x"}}, {"table": {"names": 3}})
    for bad in senseless:
        assert at.ask("POST", "/settings", {"of": of, "set": bad}, Cookie=cookie)[0] == 409
    long = {"table": {"names": "x" * LONGEST_LINE}}
    assert "too much" in at.ask("POST", "/settings", {"of": of, "set": long}, Cookie=cookie)[1]["fault"]
    assert at.ask("POST", "/settings", {"restart": True}, Cookie=cookie)[0] == 200
    assert comes(lambda: at.box.restarts == 1)  # the answer comes first


WITH_FILE: Final = """\
[mqtt]
broker = "broker.local"
user = "3"
password_file = "/etc/nimmt/mqtt.password"
"""


@pytest.mark.parametrize(
    ("text", "section", "key", "value"),
    [
        ("", "mqtt", "password_file", "/var/lib/nimmt-web/certificate.pem"),
        ("", "mqtt", "ca", "/etc/shadow"),
        ("", "journal", "path", "/var/lib/nimmt/other.sqlite"),
        ("", "hub", "database", "sqlite:////tmp/x"),
        ("", "socket", "act_group", "users"),
        (WITH_FILE, "mqtt", "broker", "evil.example"),
        (WITH_FILE, "mqtt", "tls", "false"),
        (WITH_FILE, "mqtt", "password_file", ""),
    ],
)
def test_no_file_and_no_place_for_a_password_is_set_over_the_network(
    at: Served, text: str, section: str, key: str, value: str
) -> None:
    at.box.settings.write_text(text)
    cookie = at.pair(hosts=True)
    page = at.ask("GET", "/settings", Cookie=cookie)[1]
    field = page.partition(f'id="{section}.{key}"')[2].partition(">")[0]
    assert " disabled" in field
    of = page.partition('data-of="')[2].partition('"')[0]
    sent = {"of": of, "set": {section: {key: value}}}
    status, answer, _ = at.ask("POST", "/settings", sent, Cookie=cookie)
    assert (status, f"{section}.{key}" in answer["fault"]) == (409, True)
    assert at.box.settings.read_text() == text
    driver = {"display": {"driver": "png", "folder": "/etc"}}
    assert at.ask("POST", "/settings", {"of": of, "set": driver}, Cookie=cookie)[0] == 409


def test_a_broker_is_named_where_no_password_would_be_sent_to_it(at: Served) -> None:
    at.box.settings.write_text("")
    cookie = at.pair(hosts=True)
    of = at.ask("GET", "/settings", Cookie=cookie)[1].partition('data-of="')[2].partition('"')[0]
    sent = {"of": of, "set": {"mqtt": {"broker": "broker.local", "table": "3"}}}
    assert at.ask("POST", "/settings", sent, Cookie=cookie)[0] == 200
    assert at.box.settings.read_text() == '[mqtt]\nbroker = "broker.local"\ntable = "3"\n'


def test_a_field_that_nobody_touches_holds_what_the_file_says() -> None:
    for text in (FILE, 'board = "hand-wired"\n[rules.six]\nend = {target = 66}\ndraft = false\n'):
        given = [one for section in described(text) for one in section.settings if one.given is not None]
        assert len(given) > 2
        assert [value_of(one, shown(one, one.given)) for one in given] == [one.given for one in given]


def test_a_number_of_the_file_may_be_typed_in_the_digits_of_any_keyboard() -> None:
    numbers = [
        one for section in described(FILE) for one in section.settings
        if one.key.item in (int, float) and one.key.shape is object
    ]  # fmt: skip
    assert {value_of(one, "۱٫۵") for one in numbers} == {1.5}
    assert {value_of(one, "−٣") for one in numbers} == {-3}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_file_that_is_no_toml_is_shown_as_its_fault(language: str, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("[table\n")
    t = translator(language, "language")
    used, waiting = (
        Settings(tmp_path / "f", is_used=is_used).answer(SettingsRequest())[0] for is_used in (True, False)
    )
    assert "line 1" in facts(used, t)["unreadable"]
    found = facts(waiting, t)
    assert "sections" not in found
    (problem,) = problems_of("[table\n")
    assert [line["says"] for line in found["problems"]] == [f"{problem.fault} ({problem.fix})"]
