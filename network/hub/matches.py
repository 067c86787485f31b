"""The matches as the referee has them: each step is applied once, when it is stored.

Tables send what people may see. Where a game hides cards from them (11 nimmt!, Ciao!), no position can be
made of that; then the score alone is followed, which is public.

A match that nobody has asked for and that does not grow is not in memory; it is read back from the database
when somebody does. Reasons are left out: they are in the database, and a position needs none.

What each match amounts to is kept in the database as its score changes.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from sqlalchemy import select, update

from companion import values
from companion.core.score_sheet import DealScored
from companion.core.tally import MatchTally
from companion.match import commands as match_commands
from companion.match.log import VERSION, read_header, read_step
from companion.match.match import Match, begin
from companion.match.tally import ranks_of, tally_of
from companion.text.errors import CompanionError
from companion.values import Value, replace
from firmware.history.played_match import PlayedMatch, played_match
from firmware.journal.rows import MatchEntry
from network.hub import faults, schema
from network.hub.store import Grown, Store
from network.mqtt.payloads import OF_A_HEADER

MOST: Final = 4000
"""Matches in memory; the one that was quiet longest makes room."""

_ABOUT_SCORE: Final = frozenset({DealScored.KIND, *(event.KIND for event in match_commands.EVENTS)})

_CUT_EVERY: Final = 8
"""Steps that can be undone without reading the match again. Each keeps the position before it in memory.

Few, because Python's collector looks at all that is kept, with everything else waiting: with 64 steps of a
thousand matches it takes half a second, with 8 a tenth of that.
"""


class HubMatch(Value):
    """A match as far as it could be followed.

    `match` is None where its header has not come, or the referee can do nothing with it. `fault` is the
    number of the step that it could not follow; the steps from there on are stored, but not in `match`.
    """

    uid: str
    steps: int = 0
    match: Match | None = None
    exact: bool = True
    """Whether `match` has the position; else it has the score alone."""
    names: tuple[str | None, ...] = ()
    fault: int | None = None


class Matches:
    """The folded matches of a store; may be asked from every thread."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._lock = threading.RLock()
        self._folded: OrderedDict[str, HubMatch] = OrderedDict()

    def get(self, uid: str) -> HubMatch:
        """A match as far as it is stored. Blocks where it must be read. Raises `SQLAlchemyError`."""
        with self._lock:
            found = self._folded.get(uid) or self.whole(uid)
            self._keep(found)
            return found

    def grow(self, grown: Grown) -> HubMatch:
        """A match after its new steps, which are stored."""
        with self._lock:
            before = self._folded.get(grown.uid)
            if before is None and grown.steps == len(grown.records) and grown.header is not None:
                before = _begun(grown.uid, grown.header)
            elif grown.new_header:
                before = None
            return self._follow(grown.uid, before, grown.records)

    def catch_up(self, uid: str, steps: int) -> HubMatch | None:
        """A match that another hub has stored up to this step; None where nothing is new."""
        with self._lock:
            before = self._folded.get(uid)
            return self._follow(uid, before, ()) if before is None or before.steps < steps else None

    def _follow(
        self, uid: str, before: HubMatch | None, records: Sequence[tuple[int, Mapping[str, Any]]]
    ) -> HubMatch:
        """A match after new steps: these, if they follow what is known, else those that are stored."""
        after = None
        if before is not None and before.match is not None and before.fault is None:
            if not records or records[0][0] != before.steps + 1:
                _, records = self._store.records(uid, before.steps)
            after = _after(before, records)
        if after is None or after.fault is not None:  # it may be an undo of more than is in memory
            after = self.whole(uid)
        self._keep(after)
        return after

    def forget(self, uid: str) -> None:
        """Read a match again the next time: another history of it is stored now."""
        with self._lock:
            self._folded.pop(uid, None)

    def whole(self, uid: str) -> HubMatch:
        """A match from its beginning, so that every deal can be seen in it. Blocks."""
        header, records = self._store.records(uid)
        begun = _begun(uid, header)
        exact = _after(begun, records, whole=True)
        return exact if exact.fault is None else _after(replace(begun, exact=False), records, whole=True)

    def played(self, uid: str) -> PlayedMatch | None:
        """A match with its reasons and times, for a story of it; None if there is none. Blocks."""
        header, records = self._store.records(uid)
        found = _after(_begun(uid, header), records, whole=True, reasons=True)
        if header is None or found.match is None or found.fault is not None:
            return None
        started_at = header.get("started_at")
        entry = MatchEntry(0, {}, started_at if isinstance(started_at, str) else "", found.steps, None, uid)
        names = dict(zip(found.match.terms.badges, found.names, strict=False))
        of_badges = [names.get(badge) or f"P{badge}" for badge in range(1, max(names, default=0) + 1)]
        return played_match(found.match, entry, self._store.times(uid), of_badges)

    def _keep(self, folded: HubMatch) -> None:
        self._folded[folded.uid] = folded
        self._folded.move_to_end(folded.uid)
        if len(self._folded) > MOST:
            self._folded.popitem(last=False)


def _begun(uid: str, header: Mapping[str, Any] | None) -> HubMatch:
    if header is None:
        return HubMatch(uid)
    known = {name: header[name] for name in OF_A_HEADER if name in header}
    try:
        match = begin(read_header({"log": VERSION, **known}))
    except CompanionError:
        return HubMatch(uid, fault=0)
    names = header.get("names")
    told = tuple(one if isinstance(one, str) else None for one in names) if isinstance(names, list) else ()
    return HubMatch(uid, match=match, names=told)


def _after(
    before: HubMatch,
    records: Iterable[tuple[int, Mapping[str, Any]]],
    *,
    whole: bool = False,
    reasons: bool = False,
) -> HubMatch:
    """A match after further steps.

    `whole`: nothing of it is forgotten, for it is read from its beginning. `reasons`: with the reasons.
    """
    match, steps, fault = before.match, before.steps, before.fault
    for number, record in records:
        steps = number
        if match is None or fault is not None:
            continue
        try:
            step = _record(number, record, reasons=reasons) if before.exact else _score(number, record)
            match = match.then(read_step(step, match.game))
        except (CompanionError, ValueError, LookupError, TypeError, ArithmeticError):
            # Games apply facts without judging them, so what is missing is mostly told in words of Python.
            fault = number
            continue
        if number % _CUT_EVERY == 0 and not whole:
            match = values.replace(match, before=None)
    return replace(before, steps=steps, match=match, fault=fault)


def _score(number: int, record: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"step": number}
    for name in ("voids", "redoes"):
        if name in record:
            found[name] = record[name]
    if "voids" not in record:
        found["events"] = [one for one in record["events"] if one["kind"] in _ABOUT_SCORE]
    return found


def _record(number: int, record: Mapping[str, Any], *, reasons: bool) -> dict[str, Any]:
    fields = ("voids", "events", "redoes", "because") if reasons else ("voids", "events", "redoes")
    known = {name: record[name] for name in fields if name in record}
    return {"step": number, **known}


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
                    key = ("cannot follow", row.box, one.uid)
                    faults.tell(db, key, self._now_s(), {"number": one.fault - 1})
                if one.match is not None and row.summary_steps < one.steps:
                    new = {"summary": self._tally(one.uid, one.match), "summary_steps": one.steps}
                    db.execute(update(schema.match).where(at.uid == one.uid).values(**new))

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
