"""The matches as the referee has them: each step is applied once, when it is stored.

Tables send what people may see. Where a game hides cards from them (11 nimmt!, Ciao!), no position can be
made of that; then the score alone is followed, which is public.

A match that nobody has asked for and that does not grow is not in memory; it is read back from the database
when somebody does. Reasons are left out: they are in the database, and a position needs none. What each match
amounts to is kept in the database as its score changes.
"""

import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from typing import Any, Final

from sqlalchemy import select, update

from companion import values
from companion.core.score_sheet import DealScored
from companion.match import commands as match_commands
from companion.match.log import VERSION, read_header, read_step
from companion.match.match import Match, begin
from companion.match.tally import tally_of
from companion.text.errors import CompanionError
from companion.values import Value, replace
from firmware.history.played_match import PlayedMatch, played_match
from firmware.history.portions import Portions, done
from firmware.journal.rows import MatchEntry
from network.hub import faults, schema
from network.hub.store import MatchUpdate, Store
from network.mqtt.payloads import OF_A_HEADER

MAX_IN_MEMORY: Final = 4000
"""Matches in memory; the one that was quiet longest makes room."""

_ABOUT_SCORE: Final = frozenset({DealScored.KIND, *(event.KIND for event in match_commands.EVENTS)})

_STEPS_AT_ONCE: Final = 50
"""In a portion: a match of ten players takes about 10 ms for them on a desktop."""

_CUT_EVERY: Final = 8
"""Steps that can be undone without reading the match again. Each keeps the position before it in memory."""


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
        self._scored: dict[str, HubMatch] = {}
        """Those whose summary is to be written."""
        self._changes: Counter[str | None] = Counter()
        """Since the start, by the match; None: of any."""

    def version(self, uid: str | None = None) -> int:
        """Another number whenever the match of this `uid` has changed, or any of all. Never blocks."""
        return self._changes[uid]

    def note(self, uids: Iterable[str]) -> None:
        """Something is stored of these matches, new or once more; called when it is on disk."""
        self._changes.update([*uids, None])

    def get(self, uid: str) -> HubMatch:
        """A match as far as it is stored. Blocks where it must be read. Raises `SQLAlchemyError`."""
        with self._lock:
            found = self._folded.get(uid) or self.whole(uid)
            self._keep(found)
            return found

    def grow(self, new: MatchUpdate) -> None:
        """Let a match follow what is stored of it."""
        with self._lock:
            known = None if new.begins else self._folded.get(new.uid)
            if known is not None and known.steps == new.steps:
                return
            after = None
            if new.steps == len(new.rows):
                after = done(_follow(_begun(new.uid, new.header), new.rows))
            elif known is not None and known.steps + len(new.rows) == new.steps and known.fault is None:
                after = done(_follow(known, new.rows))
            if after is None or after.fault is not None:  # it may be an undo of more than is in memory
                after = self.whole(new.uid)
            self._keep(after)
            if known is None or _score_of(known) != _score_of(after):
                self._scored[new.uid] = after

    def whole(self, uid: str) -> HubMatch:
        return done(self.read(uid))

    def read(self, uid: str) -> Portions[HubMatch]:
        """A match from its beginning, so that every deal can be seen in it. Blocks."""
        header, steps = self._store.match(uid)
        begun = _begun(uid, header)
        exact = yield from _follow(begun, steps, whole=True)
        if exact.fault is None:
            return exact
        return (yield from _follow(replace(begun, exact=False), steps, whole=True))

    def played(self, uid: str) -> Portions[PlayedMatch | None]:
        """A match with its reasons and times, for a story of it; None if there is none. Blocks."""
        header, steps = self._store.match(uid)
        found = yield from _follow(_begun(uid, header), steps, whole=True, reasons=True)
        if header is None or found.match is None or found.fault is not None:
            return None
        started_at = header.get("started_at")
        entry = MatchEntry(0, {}, started_at if isinstance(started_at, str) else "", found.steps, None, uid)
        names = dict(zip(found.match.terms.badges, found.names, strict=False))
        of_badges = [names.get(badge) or f"P{badge}" for badge in range(1, max(names, default=0) + 1)]
        return played_match(found.match, entry, [step["at"] for step in steps], of_badges)

    def write_summaries(self, now_s: float) -> None:
        """Write what the matches amount to whose score has changed, in one transaction."""
        if not self._scored:
            return
        at = schema.match.c
        with self._store.writing() as db:
            for uid, folded in self._scored.items():
                if folded.fault is not None:
                    box = db.execute(select(at.box).where(at.uid == uid)).scalar_one()
                    faults.report(db, ("cannot follow", box, uid), now_s, {"number": folded.fault - 1})
                if folded.match is not None:
                    # The position in memory has forgotten the first deals.
                    summary = tally_of(self.whole(uid).match or folded.match)
                    db.execute(update(schema.match).where(at.uid == uid).values(summary=summary))
        self._scored.clear()
        self.note(())

    def _keep(self, folded: HubMatch) -> None:
        self._folded[folded.uid] = folded
        self._folded.move_to_end(folded.uid)
        if len(self._folded) > MAX_IN_MEMORY:
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
    told = tuple(name if isinstance(name, str) else None for name in names) if isinstance(names, list) else ()
    return HubMatch(uid, match=match, names=told)


def _follow(
    before: HubMatch, rows: Iterable[Mapping[str, Any]], *, whole: bool = False, reasons: bool = False
) -> Portions[HubMatch]:
    """A match after further steps, as rows of the database; in portions.

    `whole`: nothing of it is forgotten, for it is read from its beginning. `reasons`: with the reasons.
    """
    kept = ("voids", "events", "redoes", *(["because"] if reasons else []))
    match, steps, fault = before.match, before.steps, before.fault
    for row in rows:
        if steps % _STEPS_AT_ONCE == 0:
            yield
        steps, record = row["number"], row["record"]
        if match is None or fault is not None:
            continue
        try:
            step: dict[str, Any] = {"step": steps, **{name: record[name] for name in kept if name in record}}
            if not before.exact and "voids" not in record:
                step["events"] = [event for event in record["events"] if event["kind"] in _ABOUT_SCORE]
            match = match.then(read_step(step, match.game))
        except (CompanionError, ValueError, LookupError, TypeError, ArithmeticError):
            # Games apply facts without judging them, so what is missing is mostly told in words of Python.
            fault = steps
            continue
        if steps % _CUT_EVERY == 0 and not whole:
            match = values.replace(match, before=None)
    return replace(before, steps=steps, match=match, fault=fault)


def _score_of(folded: HubMatch) -> object:
    match = folded.match
    return folded.fault, match and (match.position.score_sheet, match.position.over)
