"""Who is to play at this table in a round of a tournament, as it was told from outside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from companion.core import games
from companion.core.codes import EVENING_BADGES
from companion.match.match import Terms, begin
from companion.text.errors import CompanionError, InvalidRecord, quoted
from companion.text.sentence import is_one_line, say
from companion.values import Value, field, replace

NOTE: Final = "seats"
"""The key of the note in the journal."""

LONGEST_NAME: Final = 24
_HIGHEST: Final = 9999
_WRONG: Final = say("send the fields of docs/table-socket.md")


class Hands(Value):
    """What checks a hand where all tables play the same deals: see `companion.tournament.deals`."""

    salt: str
    digests: tuple[tuple[str, ...], ...]
    """By deal, and in each by seat."""

    def digest(self, deal: int, seat: int) -> str | None:
        """The digest of the right hand in a deal (from 1) at a seat (from 0); None where none is planned."""
        by_seat = self.digests[deal - 1] if 1 <= deal <= len(self.digests) else ()
        return by_seat[seat] if seat < len(by_seat) else None


class Seats(Value):
    """A table of a round. `badges` and `names` are in the order of the seats; none if nobody plays here."""

    title: str
    round: int
    table: int
    game: str
    options: Mapping[str, Any]
    badges: tuple[int, ...]
    names: tuple[str, ...]
    elsewhere: Mapping[int, int] = field(default_factory=dict)
    """Badges that sit at another table, with its number."""
    tournament: int = 0
    """While badges are registered, round 0: of which tournament."""
    hands: Hands | None = None

    def is_same_table(self, other: Seats) -> bool:
        """Whether the same players play the same match here; a name may have been corrected."""
        return replace(self, names=other.names, elsewhere=other.elsewhere, hands=other.hands) == other

    def terms(self) -> Terms:
        """What is agreed for the match of this table."""
        return Terms(self.game, len(self.badges), self.options, badges=self.badges)

    def record(self) -> dict[str, Any]:
        """The object that is read as these again."""
        return {
            "title": self.title,
            "round": self.round,
            "table": self.table,
            "game": self.game,
            "options": dict(self.options),
            "players": [
                {"badge": badge, "name": name} for badge, name in zip(self.badges, self.names, strict=True)
            ],
            "elsewhere": {str(badge): table for badge, table in self.elsewhere.items()},
            "tournament": self.tournament,
            "hands": None
            if self.hands is None
            else {"salt": self.hands.salt, "digests": [list(deal) for deal in self.hands.digests]},
        }


def read_seats(record: Mapping[str, Any]) -> Seats:
    """The seats of an object from outside. Raises `CompanionError`, naming what will not do."""
    title, game, options = record.get("title"), record.get("game"), record.get("options")
    players, elsewhere = record.get("players"), record.get("elsewhere", {})
    if not isinstance(title, str) or not isinstance(options, dict) or game not in games.GAMES:
        raise InvalidRecord(say("these are not seats: {record}", record=quoted(record)), _WRONG)
    numbers = [record.get("round"), record.get("table"), record.get("tournament", 0)]
    if not isinstance(players, list) or not isinstance(elsewhere, dict):
        raise InvalidRecord(say("these are not seats: {record}", record=quoted(record)), _WRONG)
    badges = [one.get("badge") if isinstance(one, dict) else None for one in players]
    names = [one.get("name") if isinstance(one, dict) else None for one in players]
    others = {int(badge): table for badge, table in elsewhere.items() if str(badge).isdecimal()}
    if (
        not all(type(number) is int and 0 <= number <= _HIGHEST for number in (*numbers, *others.values()))
        or not all(type(badge) is int and badge in EVENING_BADGES for badge in badges)
        or not all(isinstance(name, str) and is_one_line(name) for name in names)
        or len(set(badges)) != len(badges)
        or len(others) != len(elsewhere)
    ):
        raise InvalidRecord(say("these are not seats: {record}", record=quoted(record)), _WRONG)
    short = tuple(str(name)[:LONGEST_NAME] for name in names)
    here = tuple(int(badge) for badge in badges if badge is not None)
    round_, table, tournament = (int(number or 0) for number in numbers)
    hands = _hands(record.get("hands"))
    seats = Seats(title[:80], round_, table, str(game), options, here, short, others, tournament, hands)
    if here:
        begin(seats.terms())  # a game that cannot be played so is refused now, not when people sit down
    return seats


def _hands(record: object) -> Hands | None:
    """Raises `InvalidRecord`."""
    if record is None:
        return None
    salt, digests = (record.get("salt"), record.get("digests")) if isinstance(record, dict) else (None, None)
    if not isinstance(salt, str) or not isinstance(digests, list) or not all(map(_are_texts, digests)):
        raise InvalidRecord(say("these are not seats: {record}", record=quoted(record)), _WRONG)
    return Hands(salt, tuple(map(tuple, digests)))


def _are_texts(values: object) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


class StoredSeats(Value):
    """What the journal knows: the seats, the match that was begun with them, and who confirmed its result.

    The confirmations are for the match after `steps` steps: an undo leads to another number.
    """

    seats: Seats
    match: int | None = None
    steps: int = 0
    confirmed: tuple[int, ...] = ()
    registered: tuple[int, ...] = ()
    """The badges that were scanned here to take part."""

    def note(self) -> dict[str, Any]:
        return {
            "seats": self.seats.record(),
            "match": self.match,
            "steps": self.steps,
            "confirmed": list(self.confirmed),
            "registered": list(self.registered),
        }


_newest: tuple[object, StoredSeats | None] = (None, None)
"""A note is read for every picture, and hardly ever another one."""


def kept_of(note: object) -> StoredSeats | None:
    """What a note holds; None for none, and for one of another version."""
    global _newest  # noqa: PLW0603 - notes never change, so what one holds is always the same
    if _newest[0] is not note:
        _newest = (note, _read(note))
    return _newest[1]


def _read(note: object) -> StoredSeats | None:
    if not isinstance(note, dict):
        return None
    try:
        registered = tuple(note.get("registered", ()))  # earlier versions wrote none
        confirmed = tuple(note["confirmed"])
        return StoredSeats(read_seats(note["seats"]), note["match"], note["steps"], confirmed, registered)
    except (CompanionError, KeyError, TypeError):
        return None


def overlaid(names: tuple[str, ...], seats: Seats) -> tuple[str, ...]:
    """The names by badge, from badge 1, with those of a table of a tournament in their places."""
    last = max((len(names), *seats.badges))
    found = [names[at] if at < len(names) else f"P{at + 1}" for at in range(last)]
    for badge, name in zip(seats.badges, seats.names, strict=True):
        found[badge - 1] = name or f"P{badge}"
    return tuple(found)
