"""Every step once, whatever happens on the way."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from sqlalchemy import select, text

from companion.match.dealer import Dealer
from companion.match.match import Terms
from companion.text.errors import CompanionError
from network.hub import schema
from network.hub.evening import matches
from network.hub.store import Store
from network.mqtt import topics
from network.mqtt.payloads import Event, Have, encode, next_seal
from tests.examples import examples
from tests.network.hub.at_hub import AtHub, at_hub, six, whole

EVENT = topics.table_topic("t1", topics.EVENT)


@given(seed=st.integers(0, 2**32))
@examples(2)
def test_what_is_sent_late_twice_in_disorder_and_to_a_hub_that_is_killed_arrives_whole_and_once(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    rng = random.Random(seed)
    hub = at_hub(tmp_path_factory.mktemp("hub"))
    box = hub.box("t1", seed)
    on_the_way: list[tuple[str, bytes]] = []
    box.publish = lambda topic, payload, _retain: on_the_way.append((topic, payload))
    box.begin(six(), "m1")
    box.play(rng.randrange(1, 60))

    def some_arrive() -> None:
        """What is on the way arrives in some order, some of it twice, some never."""
        rng.shuffle(on_the_way)
        for topic, payload in on_the_way:
            for _ in range(rng.choice((0, 1, 1, 2))):
                hub.hear(topic, payload)
            if rng.random() < 0.05:
                hub.again()  # what it has heard and not stored is lost
            elif rng.random() < 0.3:
                hub.work()
        on_the_way.clear()

    for _ in range(200):
        some_arrive()
        hub.hear(topics.table_topic("t1", topics.EVENT), encode(box.matches[-1].events[0]))
        hub.work()
        if not box.hear(Have(hub.had("t1"))):
            break
    assert hub.kept("m1") == whole(box)
    assert hub.had("t1")["m1"].steps == len(whole(box))
    folded = hub.matches.get("m1")
    assert folded.match is not None
    assert folded.match.totals == box.matches[-1].match.totals
    assert not [kind for kind, _ in hub.faults(settled=True) if kind != "missing"]
    hub.store.close()


def test_a_step_with_other_content_is_kept_beside_the_first_one_and_told(hub: AtHub) -> None:
    box = hub.box("t1")
    told = box.begin(six(), "m1")
    box.play(5)
    hub.work()
    before = hub.kept("m1")
    other: dict[str, list[str]] = {"events": [], "because": []}
    forged = Event("m1", 5, "", next_seal(told.events[4].seal, 5, "", other), other)
    hub.hear(EVENT, encode(forged))
    hub.work()
    assert hub.kept("m1") == before
    assert hub.faults() == [("contradicts", "t1")]
    hub.hear(EVENT, encode(replace(forged, number=6)))  # follows nothing
    hub.work()
    assert hub.kept("m1") == before
    assert ("not after", "t1") in hub.faults()


def test_a_box_with_an_older_journal_goes_on_at_its_table_and_nothing_is_merged(hub: AtHub) -> None:
    box = hub.box("t1", 4)
    box.begin(six(), "m1")
    box.play(20)
    hub.work()
    before = hub.kept("m1")
    old = hub.box("t1", 4)
    old.online = False
    old.begin(six(), "m1")
    old.play(10)
    old.rng = random.Random(99)
    old.matches[-1].players = Dealer(random.Random(99))
    old.undo()
    old.add(old.matches[-1], old.matches[-1].match.redo())
    old.online = True
    for number in range(11, 13):
        hub.hear(EVENT, encode(old.matches[-1].events[number]))
    hub.work()
    assert hub.kept("m1") == before
    assert hub.faults() == [("contradicts", "t1")]
    assert hub.had("t1")["m1"].steps == 20

    # The director takes the history of the box: it sends everything again, and the other one is still there.
    with hub.store.writing() as db:
        hub.store.start_over(db, "m1")
    hub.intake.started_over("t1", "m1")
    hub.work()
    assert hub.had("t1")["m1"].steps == 0
    while old.hear(Have(hub.had("t1"))):
        hub.work()
    assert hub.kept("m1") == whole(old)
    folded = hub.matches.get("m1")
    assert folded.match is not None
    assert folded.match.totals == old.matches[-1].match.totals
    with hub.store.reading() as db:
        aside = db.execute(select(schema.conflict.c.number, schema.conflict.c.seal))
        assert {(row.number, row.seal) for row in aside} >= set(before)
    old.undo()
    hub.work()
    assert hub.kept("m1") == whole(old)


def test_another_hub_that_starts_over_with_a_match_is_followed(hub: AtHub) -> None:
    box = hub.box("t1", 4)
    box.begin(six(), "m1")
    box.play(20)
    hub.work()
    assert hub.matches.get("m1").steps == 20
    other = AtHub(hub.url)
    with other.store.writing() as db:
        other.store.start_over(db, "m1")
    again = other.box("t1", 5)
    again.begin(six(), "m1")
    while not again.matches[-1].match.position.score_sheet.deals:
        again.step()
    other.work()
    hub.hear(topics.table_topic("t1", topics.HAVE), encode(Have(other.had("t1"))))
    hub.work()
    folded, played = hub.matches.get("m1"), again.matches[-1].match
    assert folded.match is not None
    assert (folded.match.steps, folded.match.totals) == (played.steps, played.totals)
    other.store.close()


def test_matches_of_every_game_are_followed_to_their_end(hub: AtHub) -> None:
    for number, game in enumerate(("six", "eleven", "ciao"), start=1):
        box = hub.box(f"t{number}", number)
        end: dict[str, Any] = {"deals": 1} if game == "eleven" else {"end": {"deals": 1}}
        box.begin(Terms(game, 3, end, badges=(1, 2, 3)), f"m{number}", ("Ada", None, "Ben"))
        steps = 0
        while box.step(quietly=True):
            steps += 1
            if steps % 29 == 0:
                box.undo()
                box.add(box.matches[-1], box.matches[-1].match.redo())
            if steps % 11 == 0:
                hub.work()
        hub.work()
        folded, played = hub.matches.get(f"m{number}"), box.matches[-1].match
        assert folded.match is not None
        assert folded.exact is (game == "six")  # the others hide cards
        assert (folded.match.totals, folded.match.winners) == (played.totals, played.winners)
    assert hub.faults() == []


def test_two_boxes_with_one_name_are_told(hub: AtHub) -> None:
    hub.box("t1", device="a").say_online()
    hub.box("t1", device="b").say_online()
    hub.work()
    assert hub.faults() == [("same name", "t1")]


def test_a_box_that_takes_the_place_of_another_is_no_fault(hub: AtHub) -> None:
    first = hub.box("t1", device="a")
    first.say_online()
    first.say_online(online=False)
    hub.box("t1", device="b").say_online()
    first.say_online(online=False)  # its last will comes late
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
    long = Event("x" * 65, 1, "", "0" * 16, {})
    hub.hear(EVENT, encode(long))
    box.step()
    hub.work()
    assert hub.kept("m1") == whole(box)
    assert hub.faults() == [("rubbish", ""), *[("rubbish", "t1")] * 4]


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
    assert hub.store.times("m1") == ["1970-01-03T00:00:00+00:00"]
    box.now = lambda: "2026-09-21T14:13:20+00:00"
    hub.now_s += 10
    box.tell_state()
    hub.work()
    assert hub.faults() == []


def test_a_table_without_network_is_told_and_ends_by_itself(hub: AtHub) -> None:
    box = hub.box("t1")
    box.say_online()
    box.begin(six(), "m1")
    hub.work(10)
    box.say_online(online=False)
    hub.work()
    assert hub.faults() == [("away", "t1")]
    box.online = False
    box.play(30)
    box.online = True
    box.say_online()
    while box.hear(Have(hub.had("t1"))):
        hub.work()
    assert hub.faults() == []
    assert hub.kept("m1") == whole(box)


def test_a_connection_that_comes_back_is_no_fault_any_more(hub: AtHub) -> None:
    for connected in (True, False):
        hub.intake.turned(connected)
        hub.work()
    assert hub.faults() == [("broker", "")]
    hub.intake.turned(True)
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
    assert hub.had("t9")["m1"].steps == 2


def test_a_step_that_another_table_invents_ahead_displaces_none_and_is_told_of_nobody_else(
    hub: AtHub,
) -> None:
    box = hub.box("t1")
    box.begin(six(), "m1")
    box.step()
    hub.work()
    invented = Event("m1", 3, "", "0" * 16, {"voids": 1})
    hub.hear(topics.table_topic("t2", topics.EVENT), encode(invented))
    hub.work()
    for _ in range(2):
        box.step()
        hub.work()
    while box.hear(Have(hub.had("t1"))):
        hub.work()
    assert hub.kept("m1") == whole(box)
    assert hub.faults() == []


def test_a_database_of_a_later_program_is_left_alone(hub: AtHub) -> None:
    with hub.store.writing() as db:
        db.execute(text("UPDATE schema_version SET version = 99"))
    hub.store.close()
    with pytest.raises(CompanionError, match="version 99"):
        Store(hub.url)
