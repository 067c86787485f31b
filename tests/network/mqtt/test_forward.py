"""What a table sends, and sends again, to a hub that has stored so many steps of a match.

That every step arrives whole and once, whatever happens on the way: tests/network/hub/test_intake.py.
"""

from network.mqtt.forward import Forward
from network.mqtt.payloads import Fault, Have, MatchEvent
from network.mqtt.records import PublishedMatch


def sent(
    forward: Forward, steps: int, *, players: int = 3, room: int = 1000, readable: int = 1000
) -> list[int]:
    """The numbers of the events that are sent of a match with so many steps.

    Those after step `readable` are damaged; the broker takes no more than `room`.
    """
    found: list[int] = []

    def read(_uid: str, after: int) -> list[MatchEvent]:
        return [MatchEvent("a", number, "", "", {}) for number in range(after + 1, min(steps, readable) + 1)]

    def publish(event: MatchEvent) -> bool:
        if len(found) == room:
            return False
        found.append(event.number)
        return True

    forward.journal([PublishedMatch("a", steps, MatchEvent("a", 0, "", "", {"seats": players}))])
    forward.send(read, publish)
    return found


def has(steps: int, again: str = "") -> Have:
    return Have({"a": steps}, again)


def settled() -> Forward:
    """The hub has all five steps of the match."""
    forward = Forward()
    assert sent(forward, 5) == [], "what was played before waits until a hub says what it has"
    forward.have(Have())
    assert sent(forward, 5) == [0, 1, 2, 3, 4, 5]
    forward.have(has(5))
    assert sent(forward, 5) == []
    return forward


def test_a_step_is_sent_at_once_even_if_no_hub_has_said_anything() -> None:
    forward = Forward()
    forward.journal([])
    forward.connected()
    assert sent(forward, 1) == [0, 1]
    assert sent(forward, 2) == [2]


def test_with_a_new_connection_what_the_hub_does_not_have_is_sent_with_its_last_step() -> None:
    forward = settled()
    forward.connected()
    assert sent(forward, 7) == [6, 7]
    forward.have(has(5))
    assert sent(forward, 7) == [0, 5, 6, 7]


def test_a_hub_that_has_lost_a_match_or_asks_gets_it_again_at_once() -> None:
    forward = settled()
    forward.have(Have())
    assert sent(forward, 5) == [0, 1, 2, 3, 4, 5]
    forward.have(has(3, "it has missed something"))
    assert sent(forward, 5) == [0, 3, 4, 5]


def test_what_the_broker_has_lost_is_sent_again_when_the_hub_says_the_same_twice() -> None:
    forward = settled()
    assert sent(forward, 8) == [6, 7, 8]
    forward.have(has(5))
    assert sent(forward, 8) == [], "it may still be on its way"
    forward.have(has(5))
    assert sent(forward, 8) == [0, 5, 6, 7, 8]
    for _ in range(3):
        forward.have(has(8))
        assert sent(forward, 8) == []


def test_an_older_journal_is_sent_as_it_is_played_on() -> None:
    forward = settled()
    assert sent(forward, 3) == []
    assert sent(forward, 4) == [4]


def test_who_joins_is_told_in_the_header() -> None:
    assert sent(settled(), 5, players=4) == [0]


def test_what_the_broker_has_no_room_for_is_sent_later() -> None:
    forward = settled()
    assert sent(forward, 9, room=2) == [6, 7]
    assert sent(forward, 9) == [8, 9]


def test_steps_that_cannot_be_read_are_named_and_those_before_them_are_sent() -> None:
    forward = settled()
    assert sent(forward, 9, readable=7) == [6, 7]
    assert sent(forward, 9, readable=7) == []
    assert forward.faults == (Fault("damaged", "a", 8),)
