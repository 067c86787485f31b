"""Every step once, whatever happens on the way."""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from companion.match.dealer import Dealer
from companion.match.match import Terms
from companion.text.errors import CompanionError
from network.hub import store
from network.hub.evening import matches
from network.hub.schema import METADATA
from network.hub.store import Store
from network.mqtt import topics
from network.mqtt.forward import Forward
from network.mqtt.payloads import MatchEvent, encode
from tests.examples import examples
from tests.network.hub.at_hub import AtHub, at_hub, six, whole

EVENT = topics.table_topic("t1", topics.EVENT)


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[AtHub]:
    made = at_hub(tmp_path)
    yield made
    made.store.close()


@given(seed=st.integers(0, 2**32))
@examples(2)
def test_what_comes_late_twice_in_disorder_or_not_at_all_to_a_hub_that_is_killed_arrives_whole_and_once(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rng = random.Random(seed)
    hub = at_hub(tmp_path_factory.mktemp("hub"))
    box = hub.box("t1", seed)
    on_the_way: list[tuple[str, bytes]] = []

    def publish(topic: str, payload: bytes, _retain: bool) -> bool:
        if rng.random() < 0.05:
            return False  # the broker has no room
        on_the_way.append((topic, payload))
        return True

    box.publish = publish
    box.begin(six(), "m1")
    for _ in range(12):
        box.play(rng.randrange(1, 9))
        if rng.random() < 0.3:
            rng.shuffle(on_the_way)
        for topic, payload in on_the_way:
            for _ in range(rng.choice((0, 1, 1, 1, 2))):
                hub.hear(topic, payload)
            if rng.random() < 0.05:
                hub.again()  # what it has heard and not stored is lost
            elif rng.random() < 0.3:
                hub.work()
        on_the_way.clear()
        if rng.random() < 0.1:
            box.forward = Forward()  # the program of the table starts again
        if rng.random() < 0.05:
            with hub.store.writing() as db:  # the database is lost
                METADATA.drop_all(db)
                METADATA.create_all(db)
            hub.again()
        hub.work(6)
    box.publish = lambda topic, payload, _retain: hub.hear(topic, payload)
    box.connected()
    hub.intake.changed_broker(connected=True)
    hub.settle(box)
    assert hub.kept("m1") == whole(box)
    assert hub.have("t1").matches["m1"] == len(whole(box))
    folded = hub.matches.get("m1")
    assert folded.match is not None
    assert folded.match.totals == box.matches[-1].match.totals
    assert not hub.faults(settled=True)
    hub.store.close()


def test_a_message_is_acknowledged_once_it_is_stored_also_if_it_is_rubbish(hub: AtHub) -> None:
    box = hub.box("t1")
    box.begin(six(), "m1")
    box.step()
    hub.hear(EVENT, b"rubbish")
    assert hub.acknowledged == []
    hub.work()
    assert hub.kept("m1") == whole(box)
    assert [one.topic for one in hub.acknowledged].count(EVENT) == 3


def test_a_message_that_ends_the_hub_does_not_come_again(hub: AtHub, monkeypatch: pytest.MonkeyPatch) -> None:
    box = hub.box("t1")
    box.begin(six(), "m1")
    box.step()
    monkeypatch.setattr(hub.matches, "grow", lambda _match: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        hub.work()
    assert hub.acknowledged


def test_a_step_that_the_broker_has_lost_is_asked_for_also_if_it_is_the_last_one(hub: AtHub) -> None:
    box = hub.box("t1")
    box.begin(six(), "m1")
    hub.settle(box)
    for is_last in (False, True):
        before = hub.have("t1").again
        box.publish = lambda topic, payload, _retain: topic == EVENT or hub.hear(topic, payload)
        box.step()
        box.publish = lambda topic, payload, _retain: hub.hear(topic, payload)
        if not is_last:  # else the state of the table says how many steps there are
            box.step()
        hub.work(6)
        hub.settle(box)
        assert hub.kept("m1") == whole(box)
        assert hub.have("t1").again != before
    hub.hear("nimmt/t2/event", encode(MatchEvent("m2", 7, "now", "before", {})))
    hub.work(6)
    hub.work()
    assert hub.have("t2").matches == {}


@pytest.mark.parametrize("played", [0, 5, 10, 15])
def test_a_restored_journal_replaces_what_the_hub_has_and_nothing_is_mixed(hub: AtHub, played: int) -> None:
    box = hub.box("t1", 4)
    box.begin(six(), "m1")
    box.play(20)
    hub.settle(box)
    before = hub.kept("m1")
    restored = hub.box("t1", 4)
    restored.online = False
    restored.begin(six(), "m1")
    restored.play(10)
    told, original = restored.matches[-1], box.matches[-1]
    told.events[:] = original.events[:11]  # it is the same match, up to its step 10
    hub.now_s += 100
    told.players = Dealer(random.Random(99))
    restored.play(played)
    restored.online = True
    restored.connected()
    hub.settle(restored)
    assert hub.kept("m1") == (whole(restored) if played else before)
    restored.play(1)
    hub.settle(restored)
    assert hub.kept("m1") == whole(restored)
    folded = hub.matches.get("m1")
    assert folded.match is not None
    assert folded.match.totals == told.match.totals
    assert hub.faults() == [("other history", "t1")]


def test_two_boxes_with_one_match_do_not_take_turns_and_are_told(hub: AtHub) -> None:
    boxes = [hub.box("t1", 4), hub.box("t1", 4)]
    for box in boxes:
        box.begin(six(), "m1")
    stored: set[tuple[tuple[int, str], ...]] = set()
    for _ in range(10):
        for box in boxes:
            hub.now_s += 1
            box.step()
            box.receive(hub.have("t1")) if hub.said else None
            hub.work()
        stored.add(tuple(hub.kept("m1"))[:1])
    assert len(stored) == 1
    assert ("other history", "t1") in hub.faults()
    assert any(hub.kept("m1") == whole(box)[: len(hub.kept("m1"))] for box in boxes)


def test_another_table_cannot_change_a_match(hub: AtHub) -> None:
    box = hub.box("t1")
    told = box.begin(six(), "m1")
    box.play(5)
    hub.settle(box)
    other = topics.table_topic("t2", topics.EVENT)
    empty: dict[str, list[str]] = {"events": [], "because": []}
    for forged in (
        MatchEvent("m1", 6, "now", "long ago", empty),
        MatchEvent("m1", 3, "now", told.events[2].at, empty),
        MatchEvent("m1", 0, "", "", {**told.events[0].record, "names": ["Mallory"] * 4}),
    ):
        hub.hear(other, encode(forged))
    hub.work()
    assert hub.kept("m1") == whole(box)
    assert hub.matches.get("m1").names == ()
    hub.hear(EVENT, encode(MatchEvent("m1", 0, "", "", {**told.events[0].record, "names": ["Ada"] * 4})))
    hub.work()
    assert hub.matches.get("m1").names == ("Ada",) * 4
    assert hub.matches.get("m1").steps == 5
    assert hub.faults() == [("other history", "t2")]


def test_matches_of_every_game_are_followed_to_their_end(hub: AtHub) -> None:
    for number, game in enumerate(("six", "eleven", "ciao"), start=1):
        box = hub.box(f"t{number}", number)
        end: dict[str, Any] = {"deals": 1} if game == "eleven" else {"end": {"deals": 1}}
        box.begin(Terms(game, 3, end, badges=(1, 2, 3)), f"m{number}", ("Ada", None, "Ben"))
        steps = 0
        while box.step():
            steps += 1
            if steps % 29 == 0:
                box.add(box.matches[-1].match.undo())
                box.add(box.matches[-1].match.redo())
            if steps % 11 == 0:
                hub.work()
        hub.work()
        folded, played = hub.matches.get(f"m{number}"), box.matches[-1].match
        assert folded.match is not None
        assert folded.exact is (game == "six")  # the others hide cards
        assert (folded.match.totals, folded.match.winners) == (played.totals, played.winners)
    assert hub.faults() == []


def test_two_boxes_with_one_name_are_told(hub: AtHub) -> None:
    hub.box("t1", device="a").send_online()
    hub.box("t1", device="b").send_online()
    hub.work()
    assert hub.faults() == [("same name", "t1")]


def test_a_box_that_takes_the_place_of_another_is_no_fault(hub: AtHub) -> None:
    first = hub.box("t1", device="a")
    first.send_online()
    first.send_online(online=False)
    hub.box("t1", device="b").send_online()
    first.send_online(online=False)  # its last will comes late
    hub.work()
    assert hub.faults() == []
    found = hub.evening.box("t1")
    assert found is not None
    assert found.online


def test_rubbish_is_told_once_for_each_topic_and_the_rest_goes_on(hub: AtHub) -> None:
    box = hub.box("t2")
    box.begin(six(), "m1")
    rng = random.Random(5)
    for _ in range(300):
        name = rng.choice((topics.EVENT, topics.STATE, topics.ONLINE, topics.RESULT))
        hub.hear(topics.table_topic("t1", name), rng.randbytes(rng.randrange(1, 200)))
        hub.hear(topics.table_topic("t1", name), b'{"version":1,"match":"' + b"x" * 500 + b'"}')
        hub.hear("nimmt/No Table/event", b"{}")
    long = MatchEvent("x" * 65, 1, "", "", {})
    hub.hear(EVENT, encode(long))
    box.step()
    hub.work()
    assert hub.kept("m1") == whole(box)
    assert hub.faults() == [("rubbish", ""), *[("rubbish", "t1")] * 4]


@pytest.mark.parametrize(
    "header",
    [
        *({}, {"game": "six"}, {"game": "six", "seats": "4"}, {"game": "six", "seats": 10**9}),
        *({"game": "six", "seats": 4, "names": 7}, {"game": "six", "seats": 4, "badges": ["x"]}),
    ],
)
def test_what_has_not_the_header_of_a_match_is_none(hub: AtHub, header: dict[str, Any]) -> None:
    hub.hear(EVENT, encode(MatchEvent("m1", 0, "", "", header)))
    hub.hear(EVENT, encode(MatchEvent("m1", 1, "", "", {})))
    hub.work()
    assert hub.store.match("m1") == (None, [])
    assert hub.faults() == [("rubbish", "t1")]


def test_a_table_begins_only_so_many_matches_in_a_day_and_keeps_no_other_from_it(
    hub: AtHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(store, "MAX_A_DAY", 3)
    boxes = {name: hub.box(name) for name in ("t1", "t2")}
    for number in range(9):
        boxes["t1"].begin(six(), f"m{number}")
        boxes["t1"].step()
    boxes["t2"].begin(six(), "other")
    boxes["t2"].step()
    hub.work()
    assert hub.faults() == [("too many", "t1")]
    hub.now_s += 86_400
    boxes["t1"].begin(six(), "tomorrow")
    boxes["t1"].step()
    hub.work()
    with hub.store.reading() as db:
        assert sorted(match.uid for match in matches(db)) == ["m0", "m1", "m2", "other", "tomorrow"]


def test_a_clock_that_is_wrong_is_told_and_the_time_is_that_of_the_hub(hub: AtHub) -> None:
    box = hub.box("t1")
    box.now = lambda: "1970-01-03T00:00:00+00:00"
    box.begin(six(), "m1")
    box.step()
    hub.work()
    assert hub.faults() == [("clock", "t1")]
    with hub.store.reading() as db:
        (found,) = matches(db)
    assert found.begun_s >= 1_790_000_000
    assert [step["at"] for step in hub.store.match("m1")[1]] == ["1970-01-03T00:00:00+00:00"]
    box.now = lambda: "2026-09-21T14:13:20+00:00"
    hub.now_s += 10
    box.send_state()
    hub.work()
    assert hub.faults() == []


def test_a_table_without_network_is_told_and_ends_by_itself(hub: AtHub) -> None:
    box = hub.box("t1")
    box.send_online()
    box.begin(six(), "m1")
    hub.work(10)
    box.send_online(online=False)
    hub.work()
    assert hub.faults() == [("away", "t1")]
    box.online = False
    box.play(30)
    box.online = True
    box.send_online()
    hub.settle(box)
    assert hub.faults() == []
    assert hub.kept("m1") == whole(box)


def test_a_connection_that_comes_back_is_no_fault_any_more(hub: AtHub) -> None:
    for connected in (True, False):
        hub.intake.changed_broker(connected=connected)
        hub.work()
    assert hub.faults() == [("broker", "")]
    hub.intake.changed_broker(connected=True)
    hub.work()
    assert hub.faults() == []
    assert not hub.intake.away


def test_a_match_goes_on_under_another_name_of_its_table(hub: AtHub) -> None:
    box = hub.box("t1")
    box.begin(six(), "m1")
    box.step()
    hub.work()
    box.name = "t9"
    box.step()
    hub.work()
    assert hub.kept("m1") == whole(box)
    assert hub.faults() == [("moved", "t9")]
    assert hub.have("t9").matches["m1"] == 2


def test_a_database_of_a_later_program_is_left_alone(hub: AtHub) -> None:
    with hub.store.writing() as db:
        db.execute(text("UPDATE schema_version SET version = 99"))
    hub.store.close()
    with pytest.raises(CompanionError, match="version 99"):
        Store(hub.url)
