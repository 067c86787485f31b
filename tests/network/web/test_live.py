import json
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from network.web import connections as limits
from network.web.connections import MAX_CONNECTIONS, MAX_OF_AN_ADDRESS, Connections
from network.web.live import MAX_FROM_ONE, MAX_WATCHERS, RESERVED, Live
from tests.firmware.table_socket.at_table import RunningTable
from tests.network.web.served import NAMES, QUICK, Served, served
from tests.patience import comes


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


def test_who_watches_takes_a_place_and_gives_it_back(at: Served) -> None:
    watchers = [at.watch() for _ in range(60)]
    assert {one.status for one in watchers} == {200}
    refused = at.watch()
    assert refused.status == 503
    refused.close()
    for one in watchers:
        one.close()
    assert comes(lambda: at.site.live.watchers == 0)
    again = at.watch()
    assert again.status == 200
    again.close()


def test_places_are_kept_for_paired_phones_and_a_machine_has_one_network_whatever_its_address() -> None:
    live = Live(lambda _: {})
    taken = [live.enter(f"10.0.{number // 50}.1") for number in range(300)]
    assert sum(taken) == MAX_WATCHERS - RESERVED
    assert not live.enter("10.1.0.1")
    assert [live.enter(f"10.2.0.{number}", paired=True) for number in range(RESERVED)] == [True] * RESERVED
    assert not live.enter("10.3.0.1", paired=True)
    live.leave("10.2.0.7", paired=True)
    assert live.enter("10.2.0.8", paired=True)
    other = Live(lambda _: {})
    taken = [other.enter(f"2001:db8:1:2:3::{number:x}") for number in range(80)]
    assert sum(taken) == MAX_FROM_ONE
    assert other.enter("2001:db8:1:2:3::1", paired=True)


def test_connections_are_kept_for_networks_with_a_paired_phone() -> None:
    known = {"10.9.0.1": None}
    connections = Connections(lambda *_: None, known)  # type: ignore[arg-type]
    connections.open = dict.fromkeys(range(MAX_CONNECTIONS - limits.RESERVED))  # type: ignore[assignment]
    assert not connections.has_room("10.0.0.1")
    assert connections.has_room("10.9.0.1")
    connections.of["10.9.0.1"] = MAX_OF_AN_ADDRESS
    assert not connections.has_room("10.9.0.1")


def test_a_paired_phone_makes_its_network_known(at: Served) -> None:
    assert not at.site.pairing.networks
    at.ask("GET", "/host", Cookie=at.pair())
    assert list(at.site.pairing.networks) == ["127.0.0.1"]


def test_the_end_of_the_server_waits_for_nobody_who_watches(at: Served) -> None:
    watched = at.watch()
    next(iter(watched))
    at.server.should_exit = True
    assert [view for view in watched if view["away"]] == []  # it ends, and says nothing that is not so
    watched.close()
