import asyncio
import http.client
import sqlite3
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from companion.core.codes import Control, badge_code, card_code, control_code
from firmware.config.sections import ScreenOptions
from firmware.extensions.phones.paired_phones import PhoneNotes
from firmware.extensions.phones.table import PhonesMenu
from firmware.journal.errors import JournalError
from firmware.table_socket.acts import LONGEST_LINE
from firmware.table_socket.server import MOST_OF_A_SENDER
from hardware.ports import Key, KeyPressed, Scanned
from network.web import live, site
from network.web.pairing import LASTS_S, Phones
from network.web.rate_limit import network_of
from tests.firmware.extensions.phones.at_table import known_at, open_phones
from tests.network.web.served import Served, served
from tests.patience import PATIENCE_S, comes


def test_who_has_not_seen_the_display_can_change_nothing(at: Served) -> None:
    for path, what in (
        ("/act", {"act": "key", "key": "undo"}),
        ("/scan", {"codes": [card_code("6N", 5)]}),
        ("/phones", {"id": "x"}),
    ):
        for cookie in ("", "nimmt_host=", "nimmt_host=guess", f"nimmt_host={'x' * 1000}"):
            status, answer, _ = at.ask("POST", path, what, Cookie=cookie)
            assert (status, answer["why"]) == (403, "unpaired")
    assert at.ask("GET", "/backup")[0] == at.ask("GET", "/phones")[0] == at.ask("GET", "/display")[0] == 403
    assert at.ask("POST", "/pair", {"code": "123456"})[0] == 403  # no code is shown


def test_the_code_on_the_display_pairs_one_phone_and_its_cookie_is_for_no_script(at: Served) -> None:
    cookie = at.pair("Sara's phone")
    status, answer, _ = at.ask("POST", "/act", {"act": "scan", "code": badge_code(1)}, Cookie=cookie)
    assert (status, answer["accepted"]) == (200, True)
    assert "badge 1" not in (at.folder / "phones.json").read_text()
    assert cookie.partition("=")[2] not in (at.folder / "phones.json").read_text()
    _, page, headers = at.ask("GET", "/host", Cookie=cookie)
    assert cookie.partition("=")[2] not in page
    assert "set-cookie" not in headers


PERSIAN = str.maketrans("0123456789", "۰۱۲۳۴۵۶۷۸۹")


def test_the_phone_of_a_host_is_allowed_with_the_keys_of_the_box_and_of_no_phone(at: Served) -> None:
    guest = at.pair("guest")
    asked = {"code": at.code(), "name": "wants more", "hosts": True}
    status, _, headers = at.ask("POST", "/pair", asked, Cookie=guest)
    assert status == 200
    wants = headers["set-cookie"].partition(";")[0]
    assert at.table.front.NAME == "confirm"
    for act in ({"act": "key", "key": "ok"}, {"act": "scan", "code": control_code(Control.OK)}):
        status, answer, _ = at.ask("POST", "/act", act, Cookie=wants)
        assert (status, answer["why"]) == (409, "refused")
        assert "at the box itself" in answer["fault"]
    assert at.ask("GET", "/phones", Cookie=wants)[0] == 403
    at.press(Key.UNDO)
    assert at.ask("GET", "/phones", Cookie=wants)[0] == 403  # it plays
    assert at.ask("POST", "/act", {"act": "key", "key": "ok"}, Cookie=wants)[0] == 200
    assert [phone.name for phone in known_at(at.table)] == ["wants more"]  # it was the same phone
    host = at.pair("host", hosts=True)
    assert at.ask("GET", "/phones", Cookie=host)[0] == 200
    open_phones(at.table)
    at.press(Key.ROW_2)
    assert at.table.front.labels(at.session)[0] == "HOST: host"  # type: ignore[attr-defined]
    at.press(Key.ROW_1, Key.OK)
    assert at.ask("GET", "/phones", Cookie=host)[0] == 403


def test_no_phone_opens_or_presses_what_is_about_phones(at: Served) -> None:
    host = at.pair(hosts=True)
    at.ask("POST", "/act", {"act": "key", "key": "ok", "press": "long"}, Cookie=host)
    for _ in range(40):
        status, answer, _ = at.ask("POST", "/act", {"act": "key", "key": "up"}, Cookie=host)
        menu = at.table.front
        if menu.labels(at.session)[menu.cursor or 0] == "PHONES":  # type: ignore[attr-defined]
            break
    status, answer, _ = at.ask("POST", "/act", {"act": "key", "key": "ok"}, Cookie=host)
    assert (status, "at the box itself" in answer["fault"]) == (409, True)
    assert not isinstance(at.table.front, PhonesMenu)
    code = at.code()
    assert at.ask("POST", "/act", {"act": "key", "key": "undo"}, Cookie=host)[0] == 409
    assert at.table.front.NAME == "pairing"
    assert at.ask("POST", "/act", {"act": "scan", "code": badge_code(1)}, Cookie=host)[0] == 200
    assert code not in str(at.site.link.snapshot)


def test_the_code_on_the_control_sheet_opens_phones_once_and_at_the_box_only(at: Served) -> None:
    cookie = at.pair()
    code = control_code(Control.PHONES)
    assert at.ask("POST", "/act", {"act": "scan", "code": code}, Cookie=cookie)[0] == 409
    assert not isinstance(at.table.front, PhonesMenu)
    at.do(Scanned(code))
    assert isinstance(at.table.front, PhonesMenu)
    at.do(Scanned(code))
    at.press(Key.UNDO)
    assert not isinstance(at.table.front, PhonesMenu)


def test_wrong_codes_slow_down_and_lock_nobody_else_out(at: Served) -> None:
    code = at.code()
    page = at.table.front
    wrong = f"{(int(code) + 1) % 1_000_000:06}"
    assert [at.ask("POST", "/pair", {"code": wrong})[0] for _ in range(6)] == [403] * 5 + [429]
    assert at.ask("POST", "/pair", {"code": code})[0] == 429  # of the same address, for a while
    assert at.site.pairing.guesses.allows("192.168.1.77")  # of another one
    assert at.table.front is page


def test_many_guesses_and_acts_of_one_phone_keep_no_other_phone_from_the_table(at: Served) -> None:
    greedy, other, app = at.pair(), at.pair(), at.box.device.runtime.app
    wrong, key = {"code": f"{(int(at.code()) + 1) % 1_000_000:06}"}, {"act": "key", "key": "why"}
    clients, goes_on, stands = at.box.socket._count, threading.Event(), threading.Event()

    def stand(_table: object) -> None:
        stands.set()
        goes_on.wait(PATIENCE_S)

    app.drawn = stand
    app.post(KeyPressed(Key.WHY))
    assert stands.wait(PATIENCE_S)
    with ThreadPoolExecutor(120) as pool:
        pressed = [pool.submit(at.ask, "POST", "/act", key, Cookie=greedy) for _ in range(60)]
        guessed = [
            pool.submit(at.ask, "POST", "/pair", wrong, f"127.0.{1 + number % 200}.1")
            for number in range(250)
        ]
        assert comes(lambda: sum(each.done() for each in pressed) == 60 - MOST_OF_A_SENDER)
        assert comes(lambda: sum(each.done() for each in guessed) == 250 - MOST_OF_A_SENDER)
        assert app.waiting == 2 * MOST_OF_A_SENDER
        last = pool.submit(at.ask, "POST", "/act", {"act": "type", "text": "?"}, Cookie=other)
        assert comes(lambda: app.waiting == 2 * MOST_OF_A_SENDER + 1)
        goes_on.set()
        assert last.result()[1]["why"] == "refused"  # the table has answered
        answers = [each.result()[1] for each in pressed]
    assert sum(answer["why"] == "busy" for answer in answers) == 60 - MOST_OF_A_SENDER
    assert at.box.socket._count == clients  # nobody was told that the table is away


def test_one_machine_is_one_guesser_whatever_its_address() -> None:
    assert (
        network_of("2001:db8:1:2:3::4") == network_of("2001:db8:1:2:ffff::1") != network_of("2001:db8:1:3::4")
    )
    assert network_of("fe80::1%eth0") == network_of("fe80::2")
    assert network_of("192.168.1.4") != network_of("192.168.1.5")
    assert network_of("::ffff:192.168.1.4") == network_of("192.168.1.4") != network_of("::ffff:192.168.1.5")


def test_phones_are_listed_and_forgotten_on_the_page_and_at_the_display(at: Served) -> None:
    one, other = at.pair("one", hosts=True), at.pair("<i>other</i>")
    long = at.pair("a very long name of a phone")
    table = at.table

    def named() -> list[str]:
        return [phone.name for phone in known_at(table)]

    assert named() == ["a very long name of a pho"[:24], "<i>other</i>", "one"]
    listed = at.ask("GET", "/phones", Cookie=one)[1]["phones"]
    assert [(phone["name"], phone["own"], phone["hosts"]) for phone in listed[1:]] == [
        ("<i>other</i>", False, False),
        ("one", True, True),
    ]
    assert at.ask("POST", "/phones", {"id": listed[2]["id"]}, Cookie=other)[0] == 403
    assert at.ask("POST", "/phones", {"id": listed[1]["id"]}, Cookie=one)[0] == 200
    assert "pair" in at.ask("GET", "/host", Cookie=other)[1]
    open_phones(table)
    at.press(Key.ROW_2, Key.ROW_1)
    assert str(table.front.title).startswith("a very long n")  # type: ignore[attr-defined]
    at.press(Key.OK)
    assert named() == ["one"]
    assert at.ask("GET", "/phones", Cookie=long)[0] == 403
    at.pair("third")
    assert len(Phones(at.folder / "phones.json", time.time).all()) == 2  # the forgotten ones are gone
    open_phones(table)
    at.press(Key.ROW_3, Key.OK)
    assert named() == []
    assert at.ask("GET", "/phones", Cookie=one)[0] == 403


def test_no_display_is_sent_to_a_phone_that_is_forgotten(at: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "BEAT_S", 0.02)
    one, other = at.pair("one", hosts=True), at.pair("other")
    with watching(at, one) as kept, watching(at, other) as ended:
        listed = at.ask("GET", "/phones", Cookie=one)[1]["phones"]
        other_id = next(phone["id"] for phone in listed if phone["name"] == "other")
        assert at.ask("POST", "/phones", {"id": other_id}, Cookie=one)[0] == 200
        assert b"event: forgotten\n" in ended.read().splitlines(keepends=True)  # to its end
        monkeypatch.setattr(site, "read_notes", lambda _journal: None)  # nobody can tell: nobody is sent away
        for _ in range(3):
            threading.Event().wait(0.05)
            at.site.mirror.change()
            assert b"event: view\n" in iter(kept.readline, b"")


@contextmanager
def watching(at: Served, cookie: str) -> Iterator[http.client.HTTPResponse]:
    """The pictures of the display, from the second one on."""
    with closing(http.client.HTTPConnection("127.0.0.1", at.port, timeout=PATIENCE_S)) as connection:
        connection.request("GET", "/display", headers={"Cookie": cookie})
        with connection.getresponse() as stream:
            assert stream.readline() == b"event: view\n"
            yield stream


def test_without_a_journal_nobody_acts_or_loses_a_phone(at: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    at.pair("before")
    open_phones(at.table)
    at.press(Key.ROW_3, Key.OK)  # forget all: phones from now on are of another era
    at.table.home()
    one = at.pair("one", hosts=True)

    def refuse(_: Path) -> None:
        raise JournalError("it is busy", "wait")

    with monkeypatch.context() as patched:
        patched.setattr("network.web.site.Journal.read", refuse)
        assert at.ask("GET", "/phones", Cookie=one)[0] == 403
        asyncio.run(at.site.send_phones())
    assert at.ask("GET", "/phones", Cookie=one)[0] == 200
    assert [phone.name for phone in known_at(at.table)] == ["one"]


def test_a_phone_that_cannot_be_removed_is_not_listed(at: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    one = at.pair("one")

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(at.site.phones, "remove_ended", full)
        at.table.home()
        open_phones(at.table)
        at.press(Key.ROW_2, Key.ROW_1, Key.OK)  # forget this one
        asyncio.run(at.site.send_phones())
        assert at.ask("GET", "/phones", Cookie=one)[0] == 403
    assert at.ask("GET", "/phones", Cookie=one)[0] == 403


def test_a_phone_that_is_not_used_is_forgotten(tmp_path: Path) -> None:
    now_s = [1_000_000.0]
    paired = Phones(tmp_path / "phones.json", lambda: now_s[0])
    token = paired.pair("phone", 0)
    now_s[0] += LASTS_S - 10
    assert paired.find(token, PhoneNotes()) is not None
    now_s[0] += LASTS_S - 10
    found = paired.find(token, PhoneNotes())
    assert found is not None  # it has been used since
    assert paired.find(token, PhoneNotes(1)) is paired.find(token, PhoneNotes(0, (found.id,))) is None
    now_s[0] += LASTS_S + 10
    assert paired.find(token, PhoneNotes()) is None
    assert (tmp_path / "phones.json").stat().st_mode & 0o777 == 0o600


def test_a_file_of_phones_that_makes_no_sense_lets_nobody_in(tmp_path: Path) -> None:
    file = tmp_path / "phones.json"
    for content in (b"", b"[]", b"{}", b'{"phones": 1}', b'{"phones": [{"id": 1}]}', b"\xff", b"[" * 90_000):
        file.write_bytes(content)
        assert Phones(file, lambda: 1.0).all() == ()


def test_a_photo_of_a_turn_is_that_turn_in_any_order_and_a_foreign_code_changes_nothing(at: Served) -> None:
    cookie = at.pair()
    at.deal_a_turn()
    lie = {int(card) for stack in at.match.board.stacks for card in stack.cards}
    free = [number for number in range(1, 105) if number not in lie]
    cards = [card_code("6N", number) for number in free[40:44]][::-1]
    steps = at.match.steps
    status, answer, _ = at.ask("POST", "/scan", {"codes": [*cards[:3], "4007396032"]}, Cookie=cookie)
    assert (status, answer["why"], at.match.steps) == (409, "foreign", steps)
    status, answer, _ = at.ask("POST", "/scan", {"codes": cards}, Cookie=cookie)
    assert (status, [one["accepted"] for one in answer["results"]]) == (200, [True] * 4)
    assert at.match.steps == steps + 4
    late = {"act": "key", "key": "undo", "expect": {"step": steps}}
    assert at.ask("POST", "/act", late, Cookie=cookie)[1]["why"] == "changed"
    status, answer, _ = at.ask("POST", "/act", {"act": "type", "text": str(free[40])}, Cookie=cookie)
    assert (status, answer["accepted"]) == (409, False)
    assert answer["fault"]


def test_an_act_that_no_table_reads_is_refused(at: Served) -> None:
    cookie = at.pair()
    for text in ("1" * LONGEST_LINE, "\ud800", "12\n"):
        status, answer, _ = at.ask("POST", "/act", {"act": "type", "text": text}, Cookie=cookie)
        assert (status, answer["why"]) == (409, "malformed")
    for name in ("{1}", "{name}", "{", "}}"):
        what = {"act": "name", "badge": 1, "name": name, "expect": name}
        for bad in (what, {**what, "name": "Ana"}, {**what, "expect": {}}):
            status, answer, headers = at.ask("POST", "/act", bad, Cookie=cookie)
            assert (status, headers["content-type"]) in ((409, "application/json"), (200, "application/json"))
            assert not any(field in answer["fault"] for field in ("name.name", "expect"))


@pytest.mark.parametrize(("digits", "most"), [("language", "۱۲"), ("latin", "12")])
def test_answers_for_a_phone_have_the_digits_of_the_display(tmp_path: Path, digits: str, most: str) -> None:
    with served(tmp_path, screen=ScreenOptions(language="fa", digits=digits)) as at:
        status, answer, _ = at.ask("POST", "/scan", {"codes": []}, Cookie=at.pair())
        assert (status, most in answer["fault"]) == (409, True)


def test_a_backup_is_a_whole_journal_for_a_host_who_is_told_that_it_has_all_hands(at: Served) -> None:
    cookie, guest = at.pair(hosts=True), at.pair("guest")
    at.play_to(3)
    assert at.ask("GET", "/backup", Cookie=guest)[0] == 403
    assert "/backup" not in at.ask("GET", "/host", Cookie=guest)[1]
    assert "whoever is playing should not look inside" in at.ask("GET", "/host", Cookie=cookie)[1]
    with closing(http.client.HTTPConnection("127.0.0.1", at.port)) as connection:
        connection.request("GET", "/backup", headers={"Cookie": cookie})
        (at.folder / "copy.sqlite").write_bytes(connection.getresponse().read())
    with closing(sqlite3.connect(at.folder / "copy.sqlite")) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
