"""The round of a tournament at this table: who is seated, which match is theirs, who confirms its result."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from companion.match.match import Match
from firmware.extensions.tournament.messages import RegisteredBadges, ResultNote
from firmware.extensions.tournament.seats import NOTE, Seats, StoredSeats, kept_of

if TYPE_CHECKING:
    from firmware.session.table_notes import TableNotes


class Round:
    """What the notes of a table say of the round. Each change is stored first, and raises `JournalError`."""

    def __init__(self, notes: TableNotes) -> None:
        self._notes = notes

    @property
    def _kept(self) -> StoredSeats | None:
        return kept_of(self._notes.recall(NOTE))

    @property
    def seats(self) -> Seats | None:
        """Who is to play at this table; None where there is no round."""
        return None if self._kept is None else self._kept.seats

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
        return RegisteredBadges(self._kept.seats.tournament, tuple(self._kept.registered))

    def is_match(self, match_id: int | None) -> bool:
        """Whether a match is the one of the round."""
        return self._kept is not None and match_id is not None and self._kept.match == match_id

    def confirmed(self, match: Match | None) -> tuple[int, ...]:
        """The badges that have confirmed the result as it is now."""
        kept = self._kept
        return kept.confirmed if kept is not None and match is not None and kept.steps == match.steps else ()

    def take(self, seats: Seats | None) -> None:
        """Note who is to play here.

        The same seats again change nothing; with other names the match that was begun stays.
        """
        kept = self._kept
        if seats is None or kept is None or not seats.is_same_table(kept.seats):
            kept = None if seats is None else StoredSeats(seats)
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

    def result(self, match: Match, uid: str) -> ResultNote | None:
        """The result of the match of the round, once it is over, as docs/table-socket.md has it."""
        if self._kept is None or not match.position.over:
            return None
        return ResultNote(
            uid,
            match.steps,
            self._kept.seats.round,
            match.totals,
            tuple(match.terms.badges),
            self.confirmed(match),
        )

    def _keep(self, kept: StoredSeats | None) -> None:
        self._notes.remember(NOTE, None if kept is None else kept.note())
