"""An evening of many tables in the middle of a tournament, the same each time, for pictures of its pages."""

from companion.match.match import Terms
from network.hub.demo import NAMES
from network.hub.simulated import SimulatedBox
from network.mqtt import topics
from network.mqtt.payloads import Seats, decode
from tests.network.hub.opened import OPEN, Opened, play

FIRST = ("Maximiliane-Josephine", "سارا", "Ayşe", "<b>Max</b>")
STEPS = 12


def people(count: int) -> list[str]:
    """Names of so many people, a long one and Persian ones among them."""
    names = (*FIRST, *NAMES)
    again = ((names[at % len(names)], at // len(names)) for at in range(count))
    return [f"{name} {turn + 1}" if turn else name for name, turn in again]


def begun_in_a_hall(at: Opened, tables: int, players: int) -> None:
    """The second round of a tournament: table 1 is done, table 3 is cut off.

    A table that is not seated has ten players. Of table 4 the director has to know something.
    """
    boxes = [at.hub.box(f"table-{number}", number) for number in range(1, tables + 1)]
    for number, box in enumerate(boxes, start=1):
        box.label = str(number)
        box.say_online()
    at.hub.intake.turned(True)
    at.hub.work()
    at.do(**{**OPEN, "title": "Club night", "duplicate": "", "rounds": "3"})
    for badge, name in enumerate(people(players), start=1):
        at.do("register", badge=str(badge), name=name)
    at.do("draw")
    seated = [box for box in boxes if _seats(at, box).players]
    for box in seated:
        play(at, box)
    at.do("correct", round="1", table="2", heads="1 2 3 4", reason="a card was counted twice")
    at.do("close")
    at.do("draw")
    for number, box in enumerate(seated):
        seats = _seats(at, box)
        badges = tuple(player.badge for player in seats.players)
        names = tuple(player.name for player in seats.players)
        box.begin(
            Terms(seats.game, len(badges), dict(seats.options), badges=badges), f"second{box.name}", names
        )
        for _ in range(STEPS + 9 * number % 40):
            box.step()
    while seated[0].step():
        pass
    seated[0].tell_result(2, [player.badge for player in _seats(at, seated[0]).players][1:])
    seated[2].say_online(online=False)
    for other in boxes[len(seated) :][:1]:
        other.begin(Terms("six", 10, badges=tuple(range(1, 11))), "ten", (*NAMES[:8], None, FIRST[0]))
        for _ in range(10 * STEPS):
            other.step()
    at.hub.hear(topics.table_topic("table-4", topics.STATE), b"rubbish")
    at.hub.work()


def _seats(at: Opened, box: SimulatedBox) -> Seats:
    return decode(Seats, at.hub.said[topics.table_topic(box.name, topics.SEATS)])
