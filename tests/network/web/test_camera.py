"""A phone as a camera: the box reads the faces of a deck that it was taught; a host looks after its decks."""

from __future__ import annotations

import http.client
import io
import json
import os
import pkgutil
import signal
import subprocess
import sys
import threading
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
import pytest

import network.web
from companion.core.codes import card_code
from companion.games.ciao.cards import higher
from firmware.extensions.camera import deck_files
from firmware.extensions.camera.cards_in_play import InPlay, asked, codes, own_code
from firmware.journal.store import Journal
from firmware.journal.writes import Note
from network.web import camera, photo_process, photo_reader
from network.web.bodies import DECK, PHOTO, Body
from tests.network.web.decks import jpeg, packed, taught
from tests.network.web.served import Served
from tests.patience import PATIENCE_S, comes


def send(at: Served, path: str, body: bytes, cookie: str = "", kind: Body = PHOTO) -> tuple[int, Any]:
    """Send a photo or a file; gives the status and the answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", at.port, timeout=PATIENCE_S)) as connection:
        own = {"Origin": f"http://127.0.0.1:{at.port}", "Content-Type": kind.media, "Cookie": cookie}
        connection.request("POST", path, body, own)
        answer = connection.getresponse()
        text = answer.read().decode()
        is_json = answer.headers.get_content_type() == "application/json"
        return answer.status, json.loads(text) if is_json else text


def deal(at: Served) -> list[int]:
    """Let players play until everybody is to play a card, and the page knows it; gives cards in no row."""
    at.deal_a_turn()

    def is_known() -> bool:
        snapshot = at.site.link.snapshot
        return snapshot is not None and snapshot.table is not None and snapshot.table.steps == at.match.steps

    assert comes(is_known)
    lie = {int(card) for stack in at.match.board.stacks for card in stack.cards}
    return [number for number in range(1, 105) if number not in lie][5::12]  # spread over the deck


def ready(at: Served) -> tuple[str, bytes]:
    """Deal, and teach a deck; gives the cookie of a paired phone, and a photo that it can send."""
    free = deal(at)
    taught(at.folder / "decks", [*free, int(at.match.board.stacks[0].cards[0])])
    return at.pair(), jpeg(free[:2])


def test_the_box_reads_the_faces_in_a_photo_of_a_paired_phone(at: Served) -> None:
    free = deal(at)
    lies = int(at.match.board.stacks[0].cards[0])
    taught(at.folder / "decks", [*free, lies])
    cookie = at.pair()
    status, answer = send(at, "/photo", jpeg([free[0], lies, free[2]]), cookie)
    assert (status, answer["width"], answer["height"]) == (200, 1280, 960)
    cards = sorted((one["card"]["code"], one["lies"]) for one in answer["cards"])
    assert cards == sorted((card_code("6N", n), n == lies) for n in (free[0], lies, free[2]))
    assert all(len(one["corners"]) == 4 for one in answer["cards"])
    assert {one["card"]["label"] for one in answer["cards"]} == {str(free[0]), str(lies), str(free[2])}
    assert not list(at.folder.rglob("*.jp*"))


def test_what_is_no_photo_is_told_and_the_next_one_is_read(at: Served) -> None:
    cookie, good = ready(at)
    huge = bytearray(good)
    start = huge.index(b"\xff\xc0") + 5
    huge[start : start + 4] = b"\xff\xff\xff\xff"  # a head that claims 65,535 x 65,535 pixels
    narrow = cv2.imencode(".jpg", np.full((1, 65_000), 200, np.uint8))[1].tobytes()
    for bad in (b"", b"GIF89a", good[:2000], bytes(huge), b"\xff\xd8\xff\xc0\x00", narrow):
        status, answer = send(at, "/photo", bad, cookie)
        assert (status, answer["fault"]) == (409, "That is not a photo.")
    assert send(at, "/photo", b"x" * (PHOTO.largest + 1), cookie)[0] == 413
    assert send(at, "/photo", good, cookie)[0] == 200


def test_without_a_match_or_a_deck_of_its_game_nothing_is_read(at: Served) -> None:
    cookie = at.pair()
    status, answer = send(at, "/photo", b"", cookie)
    assert (status, answer["fault"]) == (409, "No match is being played")
    deal(at)
    status, answer = send(at, "/photo", b"", cookie)
    assert (status, answer["why"]) == (409, "no deck")
    assert send(at, "/photo", b"")[1]["why"] == "unpaired"


def test_of_several_decks_of_a_game_the_chosen_one_is_read_with(tmp_path: Path) -> None:
    file = tmp_path / "journal.sqlite"
    for name in ("First", "Second", "Third"):
        taught(tmp_path / "decks", [1, 2, 3], name)
    decks = camera.PhotoDecks(file, 1)
    assert (decks.deck_of("six"), decks.deck_of("ciao")) == ("First", "")
    with closing(Journal.open(file)[0]) as journal:
        journal.write([Note(deck_files.CHOSEN, {"six": "Third"})])
    assert decks.deck_of("six") == "Third"
    decks.close()


def test_a_process_that_ends_or_works_long_starts_again(at: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    cookie, photo = ready(at)
    assert send(at, "/photo", photo, cookie)[0] == 200
    process = at.site.camera._reader._process
    assert process is not None
    process.kill()
    assert comes(lambda: process.poll() is not None)
    assert send(at, "/photo", photo, cookie)[0] == 200
    monkeypatch.setattr(photo_reader, "WORK_S", 0)  # it ends at the next whole second of its work
    while (answered := send(at, "/photo", photo, cookie))[0] == 200:
        pass
    assert answered[0] == 409
    assert answered[1]["fault"] == "This photo takes too long to read. Take another one."
    monkeypatch.undo()
    assert send(at, "/photo", photo, cookie)[0] == 200


def test_a_photo_that_takes_its_time_holds_up_nobody_but_its_phone_which_has_one_read_at_a_time(
    at: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    cookie, photo = ready(at)
    assert send(at, "/photo", photo, cookie)[0] == 200
    process, asked = at.site.camera._reader._process, threading.Event()
    assert process is not None
    exchanged = photo_reader.PhotoReader._exchanged

    def noted(reader: photo_reader.PhotoReader, message: bytes) -> dict[str, Any]:
        asked.set()
        return exchanged(reader, message)

    monkeypatch.setattr(photo_reader.PhotoReader, "_exchanged", noted)
    process.send_signal(signal.SIGSTOP)
    found = list[tuple[int, Any]]()
    waiting = threading.Thread(target=lambda: found.append(send(at, "/photo", photo, cookie)))
    waiting.start()
    assert asked.wait(PATIENCE_S)
    assert send(at, "/photo", photo, cookie)[1]["why"] == "busy"
    for _ in range(20):
        assert at.ask("GET", "/")[0] == 200  # the page does all its other work meanwhile
    assert process.poll() is None
    process.send_signal(signal.SIGCONT)
    waiting.join(PATIENCE_S)
    assert found[0][0] == 200
    assert at.site.camera._reader._process is process


def test_the_process_gives_its_memory_back_when_nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photo_process, "IDLE_S", 0.0)
    reading, writing = os.pipe()
    with open(reading, "rb") as questions, open(writing, "wb"):  # noqa: PTH123 - they are no paths
        photo_process.main(questions, io.BytesIO())


def test_a_host_teaches_a_deck_with_a_phone_group_by_group_and_one_card_again(at: Served) -> None:
    host, guest = at.pair(hosts=True), at.pair("guest")
    assert '<select name="game">' in at.ask("GET", "/teach?deck=Club", Cookie=host)[1]
    page = at.ask("GET", "/teach?deck=Club&game=six", Cookie=host)[1]
    assert 'data-deck="Club" data-game="six"' in page
    for cookie in ("", guest):
        assert "data-deck" not in at.ask("GET", "/teach?deck=Club&game=six", Cookie=cookie)[1]
        assert send(at, "/lesson?deck=Club&game=six", b"", cookie)[0] == 403

    def shown(photo: bytes, query: str = "deck=Club&game=six") -> dict[str, Any]:
        status, answer = send(at, f"/lesson?{query}", photo, host)
        assert status == 200
        return dict(answer["progress"])

    def labels(cards: list[dict[str, Any]]) -> list[int]:
        return [int(card["label"]) for card in cards]

    first = shown(b"")
    assert (first["advice"], labels(first["lay"])) == ("lay", list(range(1, 13)))
    assert (first["taught"], first["of"]) == (0, 104)
    assert shown(jpeg(range(1, 12), turn=4))["advice"] == "count"
    assert [shown(jpeg(range(1, 13), seed, 4))["showing"] for seed in (5, 6)] == [1, 2]
    assert not (at.folder / "decks").exists()
    after = shown(jpeg(range(1, 13), 7, 4))
    assert (after["taught"], labels(after["read"])[:3]) == (12, [1, 2, 3])
    assert len(deck_files.load(at.folder / "decks", "Club").codes) == 12
    assert "12 of 104 cards" in at.ask("GET", "/decks", Cookie=host)[1]
    code = card_code("6N", 7)
    alone = shown(b"", f"deck=Club&game=six&card={code}")
    assert labels(alone["lay"]) == [7]
    # Another host shows one card meanwhile, and this one goes on where it was.
    again = f"deck=Club&game=six&card={card_code('6N', 8)}"
    assert shown(jpeg([7], 5, 4), f"deck=Club&game=six&card={code}")["showing"] == 1
    assert shown(jpeg([8], 5, 4), again)["showing"] == 1
    assert shown(b"", f"deck=Club&game=six&card={code}")["showing"] == 1
    assert len(deck_files.load(at.folder / "decks", "Club").codes) == 12
    for bad in ("", "deck=Club", "deck=Club&game=x", "deck=&game=six", "deck=Club&game=six&card=x"):
        assert send(at, f"/lesson?{bad}", b"", host)[0] == 409
    assert send(at, "/lesson?deck=Club&game=six", b"GIF", host)[1]["fault"] == "That is not a photo."


def test_a_host_sees_renames_removes_gives_away_and_takes_decks(at: Served) -> None:
    host, guest, folder = at.pair(hosts=True), at.pair("guest"), at.folder / "decks"
    assert "No deck has been taught yet." in at.ask("GET", "/decks", Cookie=host)[1]
    taught(folder, [1, 2, 3], "Klub <b>")
    page = at.ask("GET", "/decks", Cookie=host)[1]
    assert "3 of 104 cards" in page
    assert "<bdi>Klub &lt;b&gt;</bdi>" in page
    status, _, headers = at.ask("GET", "/decks/file?deck=Klub%20%3Cb%3E", Cookie=host)
    assert (status, headers["content-disposition"]) == (200, "attachment")
    for cookie in ("", guest):
        assert "3 of 104" not in at.ask("GET", "/decks", Cookie=cookie)[1]
        assert at.ask("GET", "/decks/file?deck=Klub%20%3Cb%3E", Cookie=cookie)[0] == 403
        assert at.ask("POST", "/decks", {"deck": "Klub <b>", "remove": True}, Cookie=cookie)[0] == 403
        assert send(at, "/decks/file", packed((4, 5), "Two"), cookie, DECK)[0] == 403
    assert send(at, "/decks/file", packed((4, 5), "Two"), host, DECK) == (200, ACCEPTED | {"name": "Two"})
    assert deck_files.names(folder) == ["Klub <b>", "Two"]
    status, answer, _ = at.ask("POST", "/decks", {"deck": "Klub <b>", "name": "Two"}, Cookie=host)
    assert (status, answer["fault"]) == (409, "There is a deck of this name already: Two.")
    assert at.ask("POST", "/decks", {"deck": "Klub <b>", "name": "One"}, Cookie=host)[0] == 200
    assert at.ask("POST", "/decks", {"deck": "Two", "remove": True}, Cookie=host)[0] == 200
    assert deck_files.names(folder) == ["One"]
    assert deck_files.load(folder, "One").codes == deck_files.unpacked(packed((1, 2, 3))).codes


ACCEPTED: Final = {"accepted": True, "why": "", "fault": "", "fix": ""}


def test_a_file_that_is_no_deck_is_not_taken(at: Served) -> None:
    host = at.pair(hosts=True)
    good = packed((4, 5))
    head, _, pictures = good.partition(b"\n")
    bad = (b"", b"{}", good[:-1], head, head + b"\n" + b"x" * len(pictures), good.replace(b"nimmt", b"other"))
    for file in bad:
        status, answer = send(at, "/decks/file", file, host, DECK)
        assert (status, answer["accepted"]) == (409, False)
        assert answer["fault"]
    assert send(at, "/decks/file", b"x" * (DECK.largest + 1), host, DECK)[0] == 413
    for body in ({}, {"deck": 1}, {"deck": "../x", "remove": True}, {"deck": "x", "name": ""}, {"name": "x"}):
        assert at.ask("POST", "/decks", body, Cookie=host)[0] == 409
    assert deck_files.names(at.folder / "decks") == []


def test_without_opencv_pages_are_as_without_decks(at: Served, monkeypatch: pytest.MonkeyPatch) -> None:
    host = at.pair(hosts=True)
    before = at.ask("GET", "/scan", Cookie=host)[1]
    taught(at.folder / "decks", [1, 2, 3])
    assert 'id="picture"' in at.ask("GET", "/scan", Cookie=host)[1]
    assert "/decks" in at.ask("GET", "/host", Cookie=host)[1]
    monkeypatch.setattr(camera, "find_spec", lambda name: None if name == "cv2" else name)
    assert at.ask("GET", "/scan", Cookie=host)[1] == before
    assert "/decks" not in at.ask("GET", "/host", Cookie=host)[1]
    assert at.ask("GET", "/decks", Cookie=host)[0] == 404
    deal(at)
    assert send(at, "/photo", b"", host)[1]["why"] == "no deck"


def test_the_page_starts_where_the_package_of_the_camera_is_not_installed() -> None:
    names = {f"network.web.{module.name}" for module in pkgutil.iter_modules(network.web.__path__)}
    started = (
        "import sys; sys.modules['firmware.extensions.camera'] = None;"
        f"import {', '.join(names - {photo_process.__name__})}; print(network.web.camera.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", started], capture_output=True, text=True, check=False)
    assert (done.stderr, done.stdout) == ("", "network.web.camera\n")


def test_files_of_matches_and_a_backup_have_no_faces(at: Served) -> None:
    host = at.pair(hosts=True)
    taught(at.folder / "decks", [1, 2, 3])
    at.play_to(3)
    for path in ("/backup", "/records/all/jsonl", "/records/1/jsonl"):
        status, content, _ = at.ask("GET", path, Cookie=host)
        assert (status, "Klub" in content, "JFIF" in content) == (200, False, False)


def test_of_copies_that_look_alike_the_first_that_can_come_is_taken_once(at: Served) -> None:
    cookie, players = at.pair(), at.begin("ciao", 4)
    by_code = codes("ciao")

    def second_copy() -> str | None:
        """A card that can be played, whose first copy was."""
        if at.session.match is None or not at.match.board.stacks or not at.match.board.stacks[0].cards:
            return None
        top = at.match.board.stacks[0].cards[0]
        come = InPlay.of(at.match).come
        second = (card for card in come if card.endswith("#2") and f"{card[:-1]}1" not in come)
        return next((card for card in second if higher(card, top)), None)

    while (card := second_copy()) is None or asked(at.match) is None:
        at.next(players)
    code, own = by_code[card], own_code("ciao", card)
    assert code != own
    steps = at.match.steps
    status, answer, _ = at.ask("POST", "/scan", {"seen": [code], "beside": [own]}, Cookie=cookie)
    assert (status, answer["results"], at.match.steps) == (200, [], steps)
    status, answer, _ = at.ask("POST", "/scan", {"seen": [code]}, Cookie=cookie)
    assert (status, [one["accepted"] for one in answer["results"]]) == (200, [True])
    assert at.match.board.stacks[0].cards == (card,)
    for bad in ({"seen": "x"}, {"seen": [1]}, {"codes": [], "seen": [], "beside": [1]}, {"seen": ["x"]}):
        assert at.ask("POST", "/scan", bad, Cookie=cookie)[0] == 409
