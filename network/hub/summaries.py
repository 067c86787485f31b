"""What each match amounts to, kept in the database as its score changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from sqlalchemy import select, update

from companion.core.tally import MatchTally, write_tally
from companion.match.tally import ranks_of, tally_of
from network.hub import faults, schema
from network.hub.faults import HubFault

if TYPE_CHECKING:
    from companion.match.match import Match
    from network.hub.matches import HubMatch, Matches
    from network.hub.store import Store


class Summaries:
    """Keeps the summary of each match. `now_s` is the time of day."""

    def __init__(self, store: Store, matches: Matches, now_s: Callable[[], float]) -> None:
        self._store, self._matches, self._now_s = store, matches, now_s
        self._scores: dict[str, object] = {}

    def keep(self, grown: Iterable[HubMatch]) -> None:
        """Write the summaries of those of these matches whose score is another one, in one transaction."""
        scored = [one for one in grown if self._has_new_score(one)]
        if scored:
            self._write(scored)

    def forget(self, uid: str) -> None:
        """Write the summary of a match the next time, whatever its score."""
        self._scores.pop(uid, None)

    def _has_new_score(self, folded: HubMatch) -> bool:
        """Whether the score of a match is another one since the last time."""
        match = folded.match
        if match is None and folded.fault is None:
            return False
        score = (folded.fault, match and (match.position.score_sheet, match.position.over))
        if self._scores.get(folded.uid) == score:
            return False
        self._scores[folded.uid] = score
        return True

    def _write(self, scored: Iterable[HubMatch]) -> None:
        at = schema.match.c
        with self._store.writing() as db:
            for one in scored:
                row = db.execute(select(at.box, at.summary_steps).where(at.uid == one.uid)).first()
                if row is None:
                    continue
                if one.fault is not None:
                    faults.tell(
                        db,
                        HubFault("cannot follow", row.box, one.uid, {"number": one.fault - 1}),
                        self._now_s(),
                    )
                if one.match is not None and row.summary_steps < one.steps:
                    summary = write_tally(self._tally(one.uid, one.match))
                    db.execute(
                        update(schema.match)
                        .where(at.uid == one.uid)
                        .values(summary=summary, summary_steps=one.steps)
                    )

    def _tally(self, uid: str, match: Match) -> MatchTally:
        """What a match amounts to. Of one that goes on it takes no more than the score that is in memory."""
        if match.position.over:
            whole = self._matches.whole(uid).match
            return tally_of(match if whole is None else whole)
        seats, sheet = range(len(match.totals)), match.position.score_sheet
        return MatchTally(
            match.title,
            match.scoring.high_wins,
            over=False,
            deal=match.position.deal,
            seats=len(seats),
            winners=(),
            places=ranks_of(match),
            points=tuple(tuple(row[seat] for row in sheet.deals if seat < len(row)) for seat in seats),
            taken=(),
        )
