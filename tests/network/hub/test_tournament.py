"""A tournament at a hub: what directors do, what boxes are told, and what becomes of their results."""

import csv
import json
from io import StringIO
from pathlib import Path

import pytest

from companion.tournament import acts
from companion.tournament.acts import LogEntry, from_record
from companion.tournament.course import Tournament, fold
from companion.tournament.deals import deal
from companion.tournament.standing import standing
from network.hub.demo import direct, people, play
from network.hub.tournament import length_of
from network.mqtt import topics
from network.mqtt.payloads import NewBadges, Seating, decode, encode
from tests.network.hub.opened import OPEN, Opened
from tests.network.web.asking import ask, post

ONE_ROUND = {**OPEN, "rounds": "1", "duplicate": ""}


class Night(Opened):
    """A hub with a director and two boxes."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.tables = self.boxes(2)

    def registered(self, players: int = 8) -> None:
        """So many players, and the first round."""
        self.must(**ONE_ROUND)
        for badge in range(1, players + 1):
            self.must("register", badge=str(badge), name=f"Player {badge}")
        self.must("draw")

    @property
    def now(self) -> Tournament:
        held = self.site.conductor.held
        assert held is not None
        return held.state

    def page(self, path: str = "/tournament", *, directs: bool = False) -> str:
        answer = ask(self.app, path, headers=self.director if directs else {})
        assert answer.status == 200
        return answer.body.decode()


@pytest.fixture
def at(tmp_path: Path) -> Night:
    return Night(tmp_path)


def test_a_tournament_from_the_registration_to_the_final(at: Night) -> None:
    at.registered()
    for box in at.tables:
        seats = at.seats(box)
        assert (seats.round, len(seats.players), len(seats.elsewhere)) == (1, 4, 4)
        assert set(seats.elsewhere.values()) == {3 - seats.table}
        at.play(box)
    assert all(table.is_confirmed for table in at.now.rounds[0].tables)
    at.must("close")
    at.must("draw", seen=(seen := length_of(at.hub.intake.conductor.held).rpartition(".")[2]))
    assert at.do("draw", seen=seen)["fault"] == "Somebody else was faster."
    best = at.play(at.tables[0])
    assert at.seats(at.tables[1]).players == ()
    at.must("close")
    at.must("finish")
    assert at.hub.said[topics.table_topic("table-1", topics.SEATS)] == b""
    assert {row.badge for row in standing(at.now)[:4]} == set(best)
    winners, names = at.page("/winners"), [row.name for row in standing(at.now)[:3]]
    assert [winners.index(name) for name in names] == sorted(winners.index(name) for name in names)
    page = at.page(directs=True)
    assert "Friday &lt;b&gt;" in page
    assert page.index("<h2>Standings</h2>") < page.index('data-do="open"'), "what was played comes first"
    assert 'data-do="correct"' not in page, "nothing can be corrected any more"


def test_a_badge_that_was_registered_at_a_box_gets_its_name(at: Night) -> None:
    at.must(**ONE_ROUND)
    seats = at.seats(at.tables[0])
    assert (seats.round, seats.players) == (0, ())
    registered = encode(NewBadges(seats.tournament, (41, 7)))
    for _ in range(2):
        at.hub.hear(topics.table_topic("table-1", topics.REGISTERED), registered)
        at.hub.work()
    assert "P41" in at.page(directs=True)
    german = at.page("/tournament?language=de", directs=True)
    assert ("Spieler 41" in german, "P41" in german) == (True, False)
    at.must("register", badge="۴۱", name="Sara")
    assert [(player.badge, player.name) for player in at.now.players] == [(41, "Sara"), (7, "P7")]
    assert at.do("register", badge="41", name="Max")["fault"] == "Badge 41 belongs to Sara."


def test_everything_is_as_before_after_the_hub_was_killed(at: Night, tmp_path: Path) -> None:
    at.registered()
    at.play(at.tables[0])
    before = at.now
    again = Night(tmp_path)
    assert again.now == before
    assert again.seats(again.tables[1]) == at.seats(at.tables[1])


def test_an_undo_at_the_box_takes_the_result_back_also_where_the_broker_has_kept_it(at: Night) -> None:
    at.registered()
    box, kept, hear = at.tables[0], list[tuple[str, bytes]](), at.tables[0].publish

    def publish(topic: str, payload: bytes, retain: bool) -> bool:
        if topic.endswith(topics.RESULT):
            kept.append((topic, payload))
        return hear(topic, payload, retain)

    box.publish = publish
    at.play(box)
    box.add(box.matches[-1].match.undo())
    at.hub.work()
    assert at.now.rounds[0].tables[0].result is None
    at.hub.hear(*kept[0])
    at.hub.work()
    assert at.now.rounds[0].tables[0].result is None
    box.play()
    box.send_result(1)
    at.hub.work()
    table = at.now.rounds[0].tables[0]
    assert table.result is not None
    assert table.result.confirmed == ()


def test_a_result_that_comes_before_its_steps_stays(at: Night) -> None:
    at.registered()
    box = at.tables[0]
    box.online = False
    at.play(box)
    box.online = True
    box.send_result(1)
    at.hub.work()
    events = box.matches[-1].events
    for part in (events[:20], events[20:]):
        for event in part:
            at.hub.hear(topics.table_topic(box.name, topics.EVENT), encode(event))
        at.hub.work()
    assert len(at.hub.kept(box.matches[-1].uid)) == box.matches[-1].match.steps
    assert at.now.rounds[0].tables[0].result is not None


def test_a_result_after_the_round_is_closed_is_told_to_the_director(at: Night) -> None:
    at.registered()
    for one in at.tables:
        at.play(one)
    at.must("close")
    at.must("correct", round="1", table="1", heads="1 2 3 4", reason="wrong cards", closed="on")
    kept, box = at.now, at.tables[0]
    box.send_result(1)
    at.hub.work()
    assert at.now == kept
    assert ("result", box.name) in at.hub.faults()


def test_the_director_corrects_and_the_reason_stays(at: Night) -> None:
    at.registered()
    for box in at.tables:
        at.play(box)
    at.must("close")
    wanted = {"round": "1", "table": "1", "heads": "۱ ٢ 3 4", "reason": "wrong cards", "closed": "on"}
    for fields, fault in (
        ({"reason": ""}, "A correction needs a reason."),
        ({"closed": ""}, "Round 1 is closed."),
        ({"heads": "1 2 3 172"}, "In this tournament a total is from 0 to 171."),
        ({"heads": "1 2 3 -1"}, "In this tournament a total is from 0 to 171."),
    ):
        refused = at.do("correct", **{**wanted, **fields})
        assert (refused["accepted"], refused["fault"]) == (False, fault)
    before = standing(at.now)
    seen = length_of(at.hub.intake.conductor.held).rpartition(".")[2]
    at.must("correct", **wanted, seen=seen)
    assert at.do("correct", **wanted, seen=seen)["fault"] == "Somebody else was faster."
    assert standing(at.now) != before
    assert "wrong cards" in at.page()
    log = at.page("/tournament/tournament.jsonl").splitlines()
    last = json.loads(log[-1])
    assert (last["kind"], last["reason"]) == ("corrected", "wrong cards")
    assert last["by"].partition(" ")[0] == "Tablet"


def test_what_directors_did_is_in_their_log_and_who_they_are_in_no_public_file(at: Night) -> None:
    at.registered()
    at.must("rename", badge="3", name="Max <b>")
    at.must("withdraw", badge="4")
    at.must("return", badge="4")
    at.must("correct", round="1", table="2", heads="1 2 3 4", reason="the box was off")
    log = at.page("/log", directs=True)
    for done in (
        "The tournament Friday &lt;b&gt; was opened", "Player 8 was registered with badge 8",
        "Round 1 was drawn",
        "Badge 3: Player 3 is now called Max &lt;b&gt;", "Player 4 (badge 4) has left",
        "Player 4 (badge 4) plays again", "Round 1, table 2: the result was entered: 1, 2, 3, 4",
        "the box was off",
    ):  # fmt: skip
        assert done in log
    [phone] = at.site.pairing.phones.all()
    assert f"Tablet ({phone.id})" in log
    file = at.page("/tournament/tournament.jsonl")
    assert phone.id not in file
    assert {json.loads(line)["by"] for line in file.splitlines()} == {"Tablet"}
    assert phone.id not in at.page("/log")


SAME = "Badge 2 already has the name Player 2."
TURNED = " cannot be shown."
"""It turns the direction of other names."""


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        *((name, SAME) for name in ("Player 2", " player  2 ", "Play\u200cer 2", "Ｐlayer 2")),
        *((name, TURNED) for name in ("A\u202eda", "A\u2066da", "A\u0007da", "A\u200fda")),
    ],
)
def test_a_name_that_looks_like_another_or_turns_others_is_refused(at: Night, name: str, fault: str) -> None:
    assert fault == SAME or at.do(**{**ONE_ROUND, "title": name})["fault"].endswith(TURNED)
    at.registered()
    for do, badge in (("rename", "3"), ("register", "9")):
        assert at.do(do, badge=badge, name=name)["fault"].endswith(fault)
    at.must("rename", badge="2", name="Player  2")
    at.must("rename", badge="3", name="مهدی\u200cیار")


def test_what_people_write_is_escaped_wherever_it_is_shown(at: Night) -> None:
    hostile = "<b>P1</b>"
    at.must(**{**ONE_ROUND, "title": hostile, "seed": hostile})
    for badge in range(1, 9):
        at.must("register", badge=str(badge), name=f"{hostile}{badge}")
    at.must("draw")
    for box in at.tables:
        at.play(box)
    at.must("correct", round="1", table="1", heads="1 2 3 4", reason=hostile)
    at.must("close")
    for path in ("/tournament", "/log", "/standing", "/history"):
        for page in (at.page(path), at.page(path, directs=True)):
            assert "<b>P1" not in page
        assert "&lt;b&gt;P1&lt;/b&gt;" in page


def test_what_is_taken_along_can_be_counted_again(at: Night) -> None:
    at.registered(9)
    for box in at.tables:
        at.play(box)
    at.must(
        "correct",
        round="1",
        table="1",
        heads=" ".join("12345"[: len(at.seats(at.tables[0]).players)]),
        reason="miscounted",
    )
    lines = [json.loads(line) for line in at.page("/tournament/tournament.jsonl").splitlines()]
    told = [{key: line[key] for key in line.keys() - {"number", "at", "by"}} for line in lines]
    assert fold(LogEntry(at_, from_record(record)) for at_, record in enumerate(told, 1)) == at.now
    rows = list(csv.DictReader(StringIO(at.page("/tournament/results.csv"))))
    assert len(rows) == 9
    assert len(list(csv.DictReader(StringIO(at.page("/tournament/standing.csv"))))) == 9


def test_cards_that_were_not_dealt_as_everywhere_are_told(at: Night) -> None:
    at.must(**{**OPEN, "rounds": "1"})
    for badge in range(1, 9):
        at.do("register", badge=str(badge), name=f"Player {badge}")
    at.must("draw")
    planned = " ".join(map(str, deal(at.now.rules.seed, 1, 1).hands[0]))
    assert planned in at.page(directs=True)
    assert planned not in at.page()
    told = at.seats(at.tables[0])
    assert told.options["hands"] is True
    assert told.seed == at.now.rules.seed == at.seats(at.tables[1]).seed, "the same deals at all tables"
    at.play(at.tables[0])
    assert ("deal", "table-1") in at.hub.faults()
    at.play(at.tables[1])
    for do in ("close", "draw"):
        at.must(do)
    at.play(at.tables[0])
    for do in ("close", "finish"):
        at.must(do)


def test_only_directors_act(at: Night) -> None:
    assert post(at.app, "/tournament", ONE_ROUND).status == 403
    assert at.site.conductor.held is None
    assert "data-do" not in at.page()
    assert 'data-do="open"' in at.page(directs=True)


def test_what_cannot_be_done_is_said(at: Night) -> None:
    for fields, fault in (
        ({"do": "register", "badge": "one", "name": "A"}, "'one' is not a whole number."),
        ({"do": "register", "badge": "1", "name": "A"}, "There is no tournament."),
        ({"do": "dance"}, "This page is older than the hub."),
        ({"do": "draw"}, "There is no tournament."),
    ):
        assert at.do(**fields)["fault"] == fault


def test_a_tournament_without_people_comes_to_its_end(at: Night) -> None:
    conductor, players = at.site.conductor, people(2)
    opened = acts.Opened("Demo", "6", 1, options={"end": {"deals": 1}})
    for _ in range(2000):
        if not direct(conductor, opened, players):
            break
        for box in at.tables:
            topic = topics.table_topic(box.name, topics.SEATS)
            play(box, decode(Seating, at.hub.said[topic]) if at.hub.said.get(topic) else None)
        at.hub.intake.work()
    state = at.now
    assert state.finished
    assert [round_.final for round_ in state.rounds] == [False, True]
    assert all(table.is_confirmed for round_ in state.rounds for table in round_.tables)
    assert len({player.name for player in state.players}) == 8
