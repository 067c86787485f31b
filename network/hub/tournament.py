"""The tournament that is held: its log in the database, seats to the boxes, results from them.

Table 7 of a tournament is the box whose name ends in 7. A table without a box plays as well: the director
enters its result.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, func, insert, select

from companion.core.codec import encode as record_of
from companion.text.errors import CompanionError
from companion.text.sentence import say
from companion.tournament import acts, deals
from companion.tournament.acts import Act, LogEntry
from companion.tournament.course import Tournament, TournamentTable, after, fold
from companion.tournament.standing import draw
from companion.tournament.typed import check
from companion.values import Value, replace
from firmware.extensions.tournament.messages import Seated
from network.hub import director, faults, schema
from network.mqtt import topics
from network.mqtt.payloads import NewBadges, RoundResult, Seating, encode
from network.web.pairing import Phone

if TYPE_CHECKING:
    from network.hub.evening import TablesNow
    from network.hub.matches import Matches
    from network.hub.store import Store


class StoredTournament(Value):
    """A tournament with its log."""

    id: int
    entries: tuple[LogEntry, ...]
    state: Tournament


class Conductor:
    """Holds the newest tournament; every method may be called from every thread. Raises `SQLAlchemyError`."""

    def __init__(
        self,
        store: Store,
        tables: TablesNow,
        matches: Matches,
        publish: Callable[[str, bytes], object],
        now_s: Callable[[], float] = time.time,
    ) -> None:
        self._store, self._tables, self._matches = store, tables, matches
        self._publish, self._now_s = publish, now_s
        self._lock = threading.RLock()
        with store.reading() as db:
            self.held = _read(db)
        """The tournament that is held, or was held last; None before the first."""
        self._sent: dict[str, bytes] = {}
        """By the name of a box, the message that says who sits there."""
        self._steps: dict[str, int] = {}
        """Of the matches of results that were told: so many steps they had then."""

    def act(self, act: Act, who: str | Phone, seen: int = 0) -> Tournament:
        """Write an act into the log; that of a director into the log of directors as well.

        `seen`: so many entries a director had in front. Raises `CompanionError` with nothing changed.
        """
        with self._lock:
            later = self.held.entries[seen:] if seen and self.held else ()
            if any(_what(entry.act) == _what(act) for entry in later):
                raise CompanionError(say("somebody else was faster"), say("look at what has changed"))
            with self._store.writing() as db:
                held = self._write(db, act, who)
            self.held = held
        self.send_seats()
        return held.state

    def draw(self, who: str | Phone, seen: int = 0) -> Tournament:
        """Draw the next round. Raises `CompanionError` with nothing changed."""
        held = self.held
        return self.act(draw(held.state) if held else acts.Finished(), who, seen)

    # ------------------------------------------------------------------------------------- the boxes

    def send_seats(self) -> None:
        """Send every box who sits there, where that has changed since it was sent."""
        held = self.held
        for box in self._tables.boxes():
            seats = _seats(held, box.number)
            if self._sent.get(box.name) != seats:
                self._sent[box.name] = seats
                self._publish(topics.table_topic(box.name, topics.SEATS), seats)

    def register(self, name: str, registered: NewBadges) -> None:
        """Take the badges that were registered at a box; who is known already is not registered again."""
        held, box = self.held, self._tables.box(name)
        if held is None or box is None or held.id != registered.tournament or held.state.finished:
            return
        for badge in registered.badges:
            state = self.held.state if self.held else held.state
            if state.player(badge) is None:
                with suppress(CompanionError):  # no badge that can play
                    self.act(acts.Registered(badge, unnamed(badge)), box.title)

    def take_result(self, name: str, result: RoundResult) -> None:
        """Write down how the match of a round has ended at a box, and who has confirmed that."""
        held, box = self.held, self._tables.box(name)
        if held is None or box is None:
            return
        tables = (
            each for round_ in held.state.rounds if round_.number == result.round for each in round_.tables
        )
        table = next((each for each in tables if each.number == box.number), None)
        if table is None or sorted(table.badges) != sorted(result.badges):
            return  # it was played with other players: no match of this tournament
        if self._matches.get(result.match).steps > result.steps:
            return  # the broker has kept it; the box has gone on since, and will send it again
        self._steps[result.match] = result.steps
        totals = dict(zip(result.badges, result.totals, strict=False))
        heads = tuple(totals.get(badge, 0) for badge in table.badges)
        known = table.result
        is_known = known is not None and (known.match, known.heads) == (result.match, heads)
        told: list[Act] = (
            [] if is_known else [acts.ResultTold(result.round, table.number, result.match, heads)]
        )
        confirmed = known.confirmed if known and is_known else ()
        new = (badge for badge in result.confirmed if badge in table.badges and badge not in confirmed)
        told += [acts.Confirmed(result.round, table.number, badge) for badge in new]
        try:
            for act in told:
                self.act(act, box.title)
        except CompanionError as refused:
            self._report(("result", name, result.match), {"says": str(refused.fault_text)})
        else:
            if held.state.rules.duplicate:
                self._compare_deals(held, table, result, name)

    def _compare_deals(
        self, held: StoredTournament, table: TournamentTable, result: RoundResult, name: str
    ) -> None:
        """Tell the director which cards were not dealt as all tables should have dealt them."""
        seats = [result.badges.index(badge) for badge in table.badges]
        _, rows = self._store.match(result.match)
        wrong = []
        for number, seen in enumerate(deals.played((row["number"], row["record"]) for row in rows), start=1):
            planned = deals.deal(held.state.rules.seed, result.round, number)
            by_seat = [seen.cards.get(seat, set()) for seat in seats]
            wrong += [card for _, card in deals.wrong_cards(planned, sorted(seen.rows), by_seat)]
        if wrong:
            self._report(("deal", name, result.match), {"cards": ", ".join(map(str, wrong[:10]))})

    def _report(self, key: faults.FaultKey, facts: dict[str, Any]) -> None:
        with self._store.writing() as db:
            faults.report(db, key, self._now_s(), facts)

    def check_result(self, uid: str) -> None:
        """A match has new steps: a result that was undone at the box is no longer valid.

        Steps that came before the result may arrive after it, when the network was away.
        """
        held = self.held
        round_ = held.state.open_round if held else None
        for table in round_.tables if round_ else ():
            if round_ and table.result and not table.result.reason and table.result.match == uid:
                folded = self._matches.get(uid)
                is_on = folded.match is not None and not folded.match.position.over
                if is_on and folded.steps > self._steps.get(uid, 0):
                    self.act(acts.ResultUndone(round_.number, table.number, uid), "")

    def seat(self, names: set[str] | None) -> None:
        """Something is new of these tables; one that was not heard of before is told who sits there.

        None: the connection to the broker has come or gone. Then all are told again.
        """
        if names is None:
            self._sent.clear()
        if names is None or names - self._sent.keys():
            self.send_seats()

    # ------------------------------------------------------------------------------------- the log

    def _write(self, db: Connection, act: Act, who: str | Phone) -> StoredTournament:
        held = self.held
        check(held.state if held else None, act)
        record, at_s = record_of(act), self._now_s()
        if isinstance(who, Phone):
            player = held.state.player(getattr(act, "badge", 0)) if held else None
            facts = {"act": record, "name": player.name if player else ""}  # that it had before
            director.note(db, who, facts, at_s, reason=getattr(act, "reason", ""))
            who = who.name
        if held is None or (held.state.finished and isinstance(act, acts.Opened)):
            held = StoredTournament(held.id + 1 if held else 1, (), after(None, act))
        else:
            held = replace(held, state=after(held.state, act))
        entry = LogEntry(len(held.entries) + 1, act, who, f"{at_s:.3f}")
        row = {"id": held.id, "number": entry.number, "at_s": at_s, "who": who, "record": record}
        db.execute(insert(schema.tournament).values(**row))
        return replace(held, entries=(*held.entries, entry))


def _read(db: Connection) -> StoredTournament | None:
    at = schema.tournament.c
    newest = select(func.max(at.id)).scalar_subquery()
    rows = db.execute(select(schema.tournament).where(at.id == newest).order_by(at.number)).all()
    entries = [LogEntry(row.number, acts.from_record(row.record), row.who, f"{row.at_s:.3f}") for row in rows]
    return StoredTournament(rows[0].id, tuple(entries), fold(entries)) if rows else None


def _what(act: Act) -> object:
    """What an act is about: two of the same cannot both be meant."""
    return type(act), *(getattr(act, name, None) for name in ("round", "table", "badge"))


def length_of(held: StoredTournament | None) -> str:
    """Which tournament it is, and how long its log: another text after each entry."""
    return "" if held is None else f"{held.id}.{len(held.entries)}"


def unnamed(badge: int) -> str:
    """What a player is called who was registered at a box, until the director writes a name."""
    return f"P{badge}"


def _seats(held: StoredTournament | None, number: int) -> bytes:
    """The message for a table: who sits there, or that badges are registered there; empty for neither."""
    if held is None or held.state.finished or (held.state.rounds and held.state.open_round is None):
        return b""
    rules, round_ = held.state.rules, held.state.open_round
    if round_ is None:
        return encode(Seating(rules.title, 0, number, rules.game, options_of(rules), (), tournament=held.id))
    names = {player.badge: player.name for player in held.state.players}
    tables = {badge: table.number for table in round_.tables for badge in table.badges}
    return encode(
        Seating(
            rules.title,
            round_.number,
            number,
            rules.game,
            options_of(rules),
            tuple(Seated(badge, names[badge]) for badge, table in tables.items() if table == number),
            {str(badge): table for badge, table in tables.items() if table != number},
            seed=rules.seed if rules.duplicate else "",
        )
    )


def options_of(rules: acts.Opened) -> dict[str, Any]:
    """What is agreed at every table. For the same deals at all tables the hands are scanned."""
    return {**rules.options, **({"hands": True} if rules.duplicate else {})}


def lines_of(entries: Sequence[LogEntry]) -> str:
    """A log as JSON lines, for people who want to count again."""
    records = (
        {"number": entry.number, "at": entry.at, "by": entry.by, **record_of(entry.act)} for entry in entries
    )
    return "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
