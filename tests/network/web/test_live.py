import asyncio
import json
import socket
from contextlib import ExitStack, suppress
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace
from starlette.types import Message

from network.web import connections
from network.web.connections import ACCEPTED_AT_ONCE, BEGUN_AT_ONCE, Connections, LimitedListener
from tests.firmware.table_socket.at_table import RunningTable
from tests.network.web.served import NAMES, QUICK, Served, served
from tests.patience import PATIENCE_S, comes


@pytest.mark.parametrize("game", ["six", "eleven", "ciao", "score"])
def test_after_each_step_the_page_shows_what_the_referee_knows(at: Served, game: str) -> None:
    players, watched, seen = at.begin(game, 4), at.watch(), 0
    while seen < 14:
        assert at.next(players)
        if at.session.match is None or at.match.steps == seen:
            continue
        seen = at.match.steps
        view, match = watched.until(seen), at.match
        lie = [[card["name"] for card in stack["cards"]] for stack in view["stacks"]]
        board = [[card.partition("#")[0] for card in stack.cards] for stack in match.board.stacks]
        covered = any(stack.covered for stack in match.board.stacks)
        assert lie == ([cards[-1:] for cards in board] if covered else board)
        totals = {one["seat"]: one["total"] for one in view["places"]}
        assert totals == {seat: str(match.totals[seat] + match.points[seat]) for seat in match.players}
        sums = [int(one["total"]) for one in view["places"]]
        assert sums == sorted(sums, reverse=match.scoring.high_wins)
        assert [ask["seats"] for ask in view["asks"]] == [list(ask.seats) for ask in match.asks]
        assert view["away"] is False
    watched.close()


PLACES: Final = {
    "en": "6 nimmt! rulebook, ",
    "de": "Anleitung zu 6 nimmt!: ",
    "fa": "دفترچه‌ی \u20666 nimmt!\u2069: «",
}


def test_names_are_told_as_they_are_and_rules_with_the_rulebook_of_the_language(at: Served) -> None:
    at.play_to(10)
    for language, begin in PLACES.items():
        watched = at.watch(language)
        view = watched.until(at.match.steps)
        watched.close()
        assert {one["name"] for one in view["places"]} == set(NAMES)
        sources = {one["source"] for one in view["newest"]}
        assert sources
        assert {one for one in sources if not one.startswith(begin)} == set()


def test_who_has_no_name_is_called_in_the_language_of_the_reader(tmp_path: Path) -> None:
    with served(tmp_path, table=replace(QUICK, names=("Sara",))) as at:
        at.play_to(10)
        for language, called in (("en", "P2"), ("de", "Spieler 2"), ("fa", "بازیکن ۲")):
            watched = at.watch(language)
            view = watched.until(at.match.steps)
            watched.close()
            assert {"Sara", called} < {one["name"] for one in view["places"]}
            assert ("P2" in json.dumps(view)) is (language == "en")


def test_a_table_that_goes_away_is_said_to_be_away_and_comes_back_by_itself(at: Served) -> None:
    players, watched = at.begin("six", 4), at.watch()
    at.play_to(5, players)
    assert watched.until(5)["away"] is False
    at.box.close()
    away = next(view for view in watched if view["away"])
    assert away["step"] == 5  # it is shown as what it was
    at.box = RunningTable(at.folder, "", table=QUICK)
    back = next(view for view in watched if not view["away"])
    assert back["step"] == 5
    watched.close()


def test_whoever_finds_all_places_taken_gets_one_of_those_who_have_most_and_keeps_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(connections, "MAX_CONNECTIONS", 12)
    monkeypatch.setattr(connections, "MAX_OF_AN_ADDRESS", 4)
    with served(tmp_path) as at, ExitStack() as left:

        def connect(address: str) -> socket.socket:
            made = socket.create_connection(("127.0.0.1", at.port), PATIENCE_S, (address, 0))
            return left.enter_context(made)

        def watches(client: socket.socket) -> bool:
            client.sendall(b"GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n")
            return client.recv(12).endswith(b" 200")

        open_ = at.server.connections.of
        for number in range(12):
            connect(f"127.0.0.{2 + number % 3}")
        assert comes(lambda: sorted(open_.values()) == [4, 4, 4])
        assert connect("127.0.0.2").recv(1) == b""  # one address has only so many
        television = connect("127.0.0.9")
        assert watches(television)
        for number in range(9):  # those who were ended come again, and others as well
            connect(f"127.0.0.{2 + number}")
        assert comes(lambda: max(open_.values()) <= 2)
        at.site.live.change()
        assert television.recv(1)
        monkeypatch.setattr(connections, "SILENT_S", 0.0)
        # Those who are silent make room for each of them.
        assert all(watches(connect("127.0.0.20")) for _ in range(4))
        for number in range(9):
            connect(f"127.0.0.{2 + number}")
        assert open_["127.0.0.20"] == 4, "what is answered goes on, though nobody has as many connections"
    assert comes(lambda: at.site.live.watchers == 0)


def test_a_turn_of_the_loop_begins_a_few_requests_and_accepts_a_few_connections() -> None:
    begun, sizes, accepted, taken = list[object](), [0], list[int](), list[socket.socket]()

    async def app(*request: object) -> None:
        begun.append(request)

    async def crowd() -> None:
        connections = Connections(app)
        waiting = [asyncio.create_task(connections({}, asyncio.Future[Message], app)) for _ in range(30)]
        while len(begun) < len(waiting):
            await asyncio.sleep(0)
            sizes.append(len(begun))
        with socket.create_server(("127.0.0.1", 0), backlog=30) as listener, ExitStack() as left:
            for _ in range(30):
                left.enter_context(socket.create_connection(listener.getsockname()))
            listener.setblocking(False)
            limited = left.enter_context(LimitedListener(connections, listener))
            while (before := len(taken)) < 30:
                with suppress(BlockingIOError):  # then asyncio waits for the next turn
                    while True:
                        taken.append(left.enter_context(limited.accept()[0]))
                accepted.append(len(taken) - before)

    asyncio.run(crowd())
    assert max(after - before for before, after in pairwise(sizes)) == BEGUN_AT_ONCE
    assert accepted == [ACCEPTED_AT_ONCE] * 3 + [30 - 3 * ACCEPTED_AT_ONCE]


def test_the_end_of_the_server_waits_for_nobody_who_watches(at: Served) -> None:
    watched = at.watch()
    next(iter(watched))
    at.server.should_exit = True
    assert [view for view in watched if view["away"]] == []  # it ends, and says nothing that is not so
    watched.close()
