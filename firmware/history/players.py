"""The players of a match: badges, and their names from the configuration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Final

from companion.core.cards import Seat
from companion.core.codes import BADGES
from companion.text.names import one_spelling
from companion.values import Value, replace

if TYPE_CHECKING:
    from companion.match.match import Match, Terms


NOTE: Final = "names"
"""The key of the note in the journal."""

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

_MOST: Final = 12


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
    return [name, *others][:_MOST]


NOBODY: Final = 0
"""Replaces the badge of a player who was erased."""


class Person(Value):
    """The player of a seat. `badge` is 1 to 10, or `NOBODY`.

    `joined` says that the badge is not in the log: who came in the middle of a match and showed none has the
    lowest free one. `robot` is the level of a robot, which has no badge here; empty for a person.
    """

    seat: Seat
    badge: int
    name: str
    joined: bool = False
    robot: str = ""


def badge_of(badges: Sequence[int], seat: int) -> int:
    """The badge of a seat, by those in the log; who joined later and showed none has the lowest that is free.

    Where a player was erased, it is no longer known which badge was free.
    """
    if seat < len(badges):
        return badges[seat]
    if NOBODY in badges:
        return NOBODY
    free = [badge for badge in BADGES if badge not in badges]
    return free[seat - len(badges)]


def with_badge(terms: Terms, seat: Seat, badge: int | None) -> Terms:
    """The terms of a match after a player joins, with or without a badge; the others keep theirs.

    The badge of a player who joined at that seat before, and was undone, is dropped.
    """
    if seat < terms.seats:
        return terms
    here = terms.badges[:seat]
    if badge is None:
        return replace(terms, badges=here)
    between = (badge_of(terms.badges, one) for one in range(len(here), seat))
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
            people.append(Person(seat, NOBODY, f"{robot_name(robots, seat)} ({level})", robot=level))
            continue
        badge = badge_of(badges, seat)
        people.append(Person(seat, badge, called(badge, seat, names), joined=number >= len(badges)))
    return tuple(people)


def level_at(robots: Sequence[str], seat: int) -> str:
    """The level of the robot at a seat; empty for a person."""
    return robots[seat] if seat < len(robots) else ""


def robot_name(robots: Sequence[str], seat: int, word: str = "robot") -> str:
    """The name of the robot at a seat: the word, and its number where there are several."""
    those = [number for number, level in enumerate(robots) if level]
    return word if len(those) == 1 else f"{word} {those.index(seat) + 1}"


def called(badge: int, seat: Seat, names: Sequence[str]) -> str:
    """The name of the player with a badge, else `P3`; without a badge the guest of that seat."""
    if badge == NOBODY:
        return f"guest {seat + 1}"
    return names[badge - 1] if badge <= len(names) else f"P{badge}"
