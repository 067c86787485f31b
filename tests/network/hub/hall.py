"""An evening of many tables in the middle of a tournament, the same each time, for pictures of its pages."""

from random import Random

from companion.match.match import Terms
from network.hub.demo import NAMES, SimulatedBox
from network.mqtt import topics
from tests.network.hub.at_hub import six
from tests.network.hub.opened import OPEN, Opened

FIRST = ("Maximiliane-Josephine", "سارا", "Ayşe", "<b>Max</b>")
STEPS = 12
TIES = (39, 477, 483, 497)
"""Seeds with which five players by chance share the victory after a deal."""


def people(count: int) -> list[str]:
    """Names of so many people, a long one and Persian ones among them."""
    names = (*FIRST, *NAMES)
    again = ((names[at % len(names)], at // len(names)) for at in range(count))
    return [f"{name} {turn + 1}" if turn else name for name, turn in again]


def free_matches(at: Opened, tables: int) -> None:
    """So many tables at which people play as they like."""
    names = people(4 * tables)
    for number, box in enumerate(at.boxes(tables, labels=True)):
        box.begin(six(), f"m{number}", names[4 * number :][:4])
        box.play(STEPS + 9 * number % 40)
    at.hub.intake.changed_broker(connected=True)
    at.hub.work()


def ties(at: Opened, tables: int = 12, seats: int = 5) -> None:
    """Tables at which two players have won, and four at one of them, some of whom have long names."""
    names = people(tables * seats)
    for number, box in enumerate(at.boxes(tables, labels=True)):
        box.rng = Random(TIES[number % len(TIES)])
        terms = Terms("six", seats, {"end": {"deals": 1}}, badges=tuple(range(1, seats + 1)))
        box.begin(terms, f"m{number}", names[seats * number :][:seats])
        box.play()
        assert len(box.matches[-1].match.winners or ()) > 1
    at.hub.intake.changed_broker(connected=True)
    at.hub.work()


def begun_in_a_hall(at: Opened, tables: int, players: int, *, duplicate: str = "") -> list[SimulatedBox]:
    """The second round of a tournament: table 1 is done, table 3 is cut off; gives the boxes.

    A table that is not seated has ten players. Of table 4 the director has to know something.
    """
    boxes = at.boxes(tables, labels=True)
    at.hub.intake.changed_broker(connected=True)
    at.hub.work()
    at.must(**{**OPEN, "title": "Club night", "duplicate": duplicate, "rounds": "3"})
    for badge, name in enumerate(people(players), start=1):
        at.must("register", badge=str(badge), name=name)
    at.must("draw")
    seated = [box for box in boxes if at.seats(box).players]
    for box in seated:
        at.play(box, 1)
    at.must("correct", round="1", table="2", heads="1 2 3 4", reason="a card was counted twice")
    at.must("close")
    at.must("draw")
    for number, box in enumerate(seated):
        at.begin(box, "second")
        box.play(STEPS + 9 * number % 40)
    seated[0].play()
    seated[0].send_result(2, [player.badge for player in at.seats(seated[0]).players][1:])
    seated[2].send_online(online=False)
    for other in boxes[len(seated) :][:1]:
        other.begin(Terms("six", 10, badges=tuple(range(1, 11))), "ten", (*NAMES[:8], None, FIRST[0]))
        other.play(10 * STEPS)
    at.hub.hear(topics.table_topic("table-4", topics.STATE), b"rubbish")
    at.hub.work()
    return boxes
