"""The round of a tournament at this table: who is seated, which match is theirs, who confirms its result."""

from typing import Final

from companion.core import games
from companion.core.codec import encode, read
from companion.match.match import Match, begin
from companion.text.errors import CompanionError, InvalidRecord, quoted
from companion.text.sentence import is_one_line, say
from companion.values import Value, replace
from firmware.extensions.tournament.messages import RegisteredBadges, Seats
from firmware.session.table_notes import TableNotes

NOTE: Final = "seats"
"""The key of the note in the journal."""

LONGEST_NAME: Final = 24
LONGEST_TITLE: Final = 80
_HIGHEST: Final = 9999


def checked_seats(seats: Seats) -> Seats:
    """The seats as this table can take them, with short names. Raises `CompanionError`."""
    numbers = (seats.round, seats.table, seats.tournament, *seats.elsewhere.values())
    if (
        seats.game not in games.GAMES
        or max(numbers) > _HIGHEST
        or len(set(seats.badges)) != len(seats.badges)
        or not all(is_one_line(player.name) for player in seats.players)
        or not all(map(str.isdecimal, seats.elsewhere))
    ):
        raise InvalidRecord(
            say("these are not seats: {record}", record=quoted(encode(seats))),
            say("send the fields described in docs/table-socket.md"),
        )
    if seats.players:
        begin(seats.terms())  # a game that cannot be played so is refused now, not when people sit down
    players = tuple(replace(player, name=player.name[:LONGEST_NAME]) for player in seats.players)
    return replace(seats, title=seats.title[:LONGEST_TITLE], players=players)


def _is_same_table(first: Seats, other: Seats) -> bool:
    """Whether the same players play the same match; a name may have been corrected."""
    same = replace(first, players=other.players, elsewhere=other.elsewhere) == other
    return same and first.badges == other.badges


class StoredSeats(Value):
    """What the journal knows: the seats, the match that was begun with them, and who confirmed its result.

    The confirmations are for the match after `steps` steps: an undo leads to another number.
    """

    seats: Seats
    match: int | None
    steps: int
    confirmed: tuple[int, ...]
    registered: tuple[int, ...] = ()
    """The badges that were scanned here to take part."""


_newest: tuple[object, StoredSeats | None] = (None, None)
"""A note is read for every picture, and hardly ever another one."""


def kept_of(note: object) -> StoredSeats | None:
    """What a note holds; None for none, and for one of another version."""
    global _newest  # noqa: PLW0603 - notes never change, so what one holds is always the same
    if _newest[0] is not note:
        _newest = (note, _read(note))
    return _newest[1]


def _read(note: object) -> StoredSeats | None:
    try:
        kept = read(note, StoredSeats, NOTE)
        return replace(kept, seats=checked_seats(kept.seats))
    except CompanionError:
        return None


def with_seated_names(names: tuple[str, ...], seats: Seats) -> tuple[str, ...]:
    """The names by badge, from badge 1, with those of a table of a tournament in their places."""
    last = max((len(names), *seats.badges))
    found = [names[at] if at < len(names) else f"P{at + 1}" for at in range(last)]
    for player in seats.players:
        found[player.badge - 1] = player.name or f"P{player.badge}"
    return tuple(found)


class RoundLog:
    """What the notes of a table say of the round. Each change is stored first, and raises `JournalError`."""

    def __init__(self, notes: TableNotes) -> None:
        self._notes = notes

    @property
    def _kept(self) -> StoredSeats | None:
        return kept_of(self._notes.recall(NOTE))

    @property
    def seats(self) -> Seats | None:
        """Who is to play at this table; None where there is no round."""
        return None if (kept := self._kept) is None else kept.seats

    @property
    def is_to_begin(self) -> bool:
        """Whether people are seated here for a match that has not begun."""
        kept = self._kept
        return kept is not None and bool(kept.seats.badges) and kept.match is None

    @property
    def registers(self) -> bool:
        """Whether badges are registered here for a tournament that has not begun."""
        return self._kept is not None and self._kept.seats.round == 0

    @property
    def registered(self) -> tuple[int, ...]:
        """The badges that were registered here, in their order."""
        return () if self._kept is None else self._kept.registered

    def register(self, badge: int) -> None:
        """Note that the player with this badge takes part."""
        if self._kept is not None and badge not in self._kept.registered:
            self._keep(replace(self._kept, registered=(*self._kept.registered, badge)))

    def registration(self) -> RegisteredBadges | None:
        """Who was registered here, as docs/table-socket.md has it; None outside the registration."""
        if self._kept is None or not self.registers:
            return None
        return RegisteredBadges(self._kept.seats.tournament, self._kept.registered)

    def is_match(self, match_id: int | None) -> bool:
        """Whether a match is the one of the round."""
        return self._kept is not None and match_id is not None and self._kept.match == match_id

    def confirmed(self, match: Match | None) -> tuple[int, ...]:
        """The badges that have confirmed the result as it is now."""
        kept = self._kept
        return kept.confirmed if kept is not None and match is not None and kept.steps == match.steps else ()

    def assign(self, seats: Seats | None) -> None:
        """Note who is to play here.

        The same seats again change nothing; with other names the match that was begun stays.
        """
        kept = self._kept
        if seats is None:
            kept = None
        elif kept is None or not _is_same_table(seats, kept.seats):
            kept = StoredSeats(seats, match=None, steps=0, confirmed=())
        else:
            kept = replace(kept, seats=seats)
        if kept != self._kept:
            self._keep(kept)

    def note_begun(self, match_id: int | None) -> None:
        """Note which match is the one of the round."""
        if self._kept is not None:
            self._keep(replace(self._kept, match=match_id))

    def confirm(self, badge: int, match: Match) -> None:
        """Note that a player confirms the result as it is now."""
        confirmed = self.confirmed(match)
        if self._kept is not None and badge not in confirmed:
            self._keep(replace(self._kept, steps=match.steps, confirmed=(*confirmed, badge)))

    def _keep(self, kept: StoredSeats | None) -> None:
        self._notes.remember(NOTE, None if kept is None else encode(kept))
