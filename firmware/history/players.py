"""The players of a match: badges, and their names from the configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from companion.core.cards import Seat
from companion.core.codes import BADGES
from companion.text.names import one_spelling
from companion.text.sentence import NOTHING, Text, in_context, literal, say
from companion.values import Value, replace

if TYPE_CHECKING:
    from companion.match.match import Match, Terms
    from firmware.text.translation import Translator


NOTE: Final = "names"
"""The key of the note in the journal."""

CONFIGURED_NOTE: Final = "configured names"
"""The key of the note that says how many badges have a name in the configuration: the names are not there."""

LONGEST: Final = 24
"""Characters of a name that is given at the table."""


def given_names(note: object) -> dict[int, str]:
    """The names in a note of the journal, by badge; what is no name is left out."""
    if not isinstance(note, dict):
        return {}
    return {
        badge: one_spelling(name)
        for badge in BADGES
        if isinstance(name := note.get(str(badge)), str) and name.strip() and len(name) <= LONGEST
    }


def note_of(given: Mapping[int, str]) -> dict[str, str] | None:
    """The note that holds these names; None for none."""
    return {str(badge): given[badge] for badge in sorted(given)} or None


def named(configured: Sequence[str], note: object) -> tuple[str, ...]:
    """The names of the badges 1, 2, ... up to the last badge that has one; P3 for one between without."""
    given = given_names(note)
    last = max(len(configured), *given, 0)
    return tuple(
        given.get(badge) or (one_spelling(configured[badge - 1]) if badge <= len(configured) else f"P{badge}")
        for badge in range(1, last + 1)
    )


GAMES_NOTE: Final = "game names"
"""The key of the note in the journal."""

_MAX_NAMES: Final = 12


def names_in(note: object) -> tuple[str, ...]:
    """The names in a note of the journal; what is no name is left out."""
    return tuple([name for name in note if isinstance(name, str)]) if isinstance(note, list) else ()


def note_with(note: object, terms: Terms) -> list[str] | None:
    """The note after a match with these terms began; None for an empty one."""
    name = terms.options.get("name")
    before = names_in(note)
    if not isinstance(name, str) or not name:
        return list(before) or None
    name = one_spelling(name)
    others = [other for other in before if one_spelling(other).casefold() != name.casefold()]
    return [name, *others][:_MAX_NAMES]


NOBODY: Final = 0
"""Replaces the badge of a player who was erased."""


class Person(Value):
    """The player of a seat. `badge` is 1 to 10, or `NOBODY`.

    `joined` says that the badge is not in the log: who came in the middle of a match and showed none has the
    lowest free one. `robot` is the level of a robot, which has no badge here; empty for a person. Programs
    read `name`, which is English where nobody gave one; `nameless` says that to people.
    """

    seat: Seat
    badge: int
    name: str
    joined: bool = False
    robot: str = ""
    nameless: Text = NOTHING

    def called(self, t: Translator) -> str:
        """What people read as the name."""
        return t.say(self.nameless) if self.nameless != NOTHING else self.name


def badge_of(badges: Sequence[int], seat: int) -> int:
    """The badge of a seat, by those in the log; who joined later and showed none has the lowest that is free.

    Where a player was erased, it is no longer known which badge was free.
    """
    if seat < len(badges):
        return badges[seat]
    if NOBODY in badges:
        return NOBODY
    return [badge for badge in BADGES if badge not in badges][seat - len(badges)]


def with_badge(terms: Terms, seat: Seat, badge: int) -> Terms:
    """The terms of a match after a player joins with a badge; the others keep theirs.

    The badge of a player who joined at that seat before, and was undone, is dropped.
    """
    if seat < terms.seats:
        return terms
    here = terms.badges[:seat]
    between = (badge_of(terms.badges, other) for other in range(len(here), seat))
    return replace(terms, badges=(*here, *between, badge))


def people_of(match: Match, names: Sequence[str]) -> tuple[Person, ...]:
    """Every player of the match, by seat. `names` are those of the badges 1, 2, ..."""
    return people_at(match.terms.badges, len(match.totals), tuple(names), match.terms.robots)


def people_in(header: Mapping[str, Any], seats: int, names: tuple[str, ...] = ()) -> tuple[Person, ...]:
    """The players of so many seats of a match, from its header: no match is read for that."""
    return people_at(tuple(header.get("badges", ())), seats, names, tuple(header.get("robots", ())))


@lru_cache(maxsize=256)
def people_at(
    badges: tuple[int, ...], seats: int, names: tuple[str, ...], robots: tuple[str, ...] = ()
) -> tuple[Person, ...]:
    """The players of so many seats, where these badges and robots are in the log."""
    people = []
    for number in range(seats):
        seat = Seat(number)
        if level := level_at(robots, seat):
            said = _robot(robots, seat, level)
            people.append(Person(seat, NOBODY, str(said), robot=level, nameless=said))
            continue
        badge = badge_of(badges, seat)
        name = called(badge, seat, names)
        said = guest(seat) if badge == NOBODY else nameless(badge) if name == f"P{badge}" else NOTHING
        people.append(Person(seat, badge, name, joined=number >= len(badges), nameless=said))
    return tuple(people)


def level_at(robots: Sequence[str], seat: int) -> str:
    """The level of the robot at a seat; empty for a person."""
    return robots[seat] if seat < len(robots) else ""


def robot_number(robots: Sequence[str], seat: int) -> int:
    """The number of the robot at a seat, from 1, where there are several; else 0."""
    those = [number for number, level in enumerate(robots) if level]
    return those.index(seat) + 1 if len(those) > 1 else 0


LEVELS: Final = {
    "easy": in_context("a robot", "easy"),
    "normal": in_context("a robot", "normal"),
    "good": in_context("a robot", "good"),
    "better": in_context("a robot", "better"),
    "great": in_context("a robot", "great"),
    "strong": in_context("a robot", "strong"),
    "hard": in_context("a robot", "hard"),
}


def _robot(robots: Sequence[str], seat: int, level: str) -> Text:
    said, number = LEVELS.get(level, literal(level)), robot_number(robots, seat)
    if number:
        return say("robot {number} ({level})", number=number, level=said)
    return say("robot ({level})", level=said)


def guest(seat: int) -> Text:
    """A player whose badge is not known any more."""
    return say("guest {seat}", seat=seat + 1)


def nameless(badge: int) -> Text:
    """A player without a name, by the badge."""
    return in_context("a player without a name", "P{badge}", badge=badge)


def shown_name(name: str | None, badge: int, seat: int, t: Translator) -> str:
    """A name as people read it, of a program that has None, `P3` or `guest 2` where nobody gave one."""
    said = guest(Seat(seat)) if badge == NOBODY else nameless(badge)
    return t.say(said) if name in (None, str(said)) else name


def called(badge: int, seat: Seat, names: Sequence[str]) -> str:
    """The name of the player with a badge, else `P3`; without a badge the guest of that seat."""
    if badge == NOBODY:
        return str(guest(seat))
    return names[badge - 1] if badge <= len(names) else f"P{badge}"
