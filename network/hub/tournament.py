"""The tournament that is held: its log in the database, seats to the boxes, results from them.

Table 7 of a tournament is the box whose name ends in 7. A table without a box plays as well: the director
enters its result.
"""

from __future__ import annotations

import json
import threading
import time
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, func, insert, select

from companion.core import games
from companion.core.codec import encode as record_of
from companion.text.errors import CompanionError, quoted
from companion.text.sentence import can_be_seen, say
from companion.tournament import acts, deals
from companion.tournament.acts import Act, Entry
from companion.tournament.course import ActRefused, Round, Tournament, TournamentTable, after
from companion.tournament.deals import MOST_DEALS
from companion.tournament.standing import draw
from companion.values import Value
from firmware.extensions.tournament.messages import Seated
from network.hub import director, faults, schema
from network.mqtt import topics
from network.mqtt.payloads import Registered, Result, Seats, encode
from network.web.pairing import Phone

if TYPE_CHECKING:
    from network.hub.evening import TableNow, TablesNow
    from network.hub.matches import Matches
    from network.hub.store import Store


class StoredTournament(Value):
    """A tournament with its log."""

    id: int
    entries: tuple[Entry, ...]
    state: Tournament


class Conductor:
    """Holds the newest tournament; every method may be called from every thread. Raises `SQLAlchemyError`."""

    def __init__(
        self,
        store: Store,
        evening: TablesNow,
        matches: Matches,
        publish: Callable[[str, bytes], None],
        now_s: Callable[[], float] = time.time,
    ) -> None:
        self._store, self._evening, self._matches = store, evening, matches
        self._publish, self._now_s = publish, now_s
        self._lock = threading.RLock()
        with store.reading() as db:
            self._held = _read(db)
        self._told: dict[str, bytes] = {}
        self._steps: dict[str, int] = {}
        """Of the matches of results that were told: so many steps they had then."""

    def now(self) -> StoredTournament | None:
        """The tournament that is held, or was held last; None before the first."""
        return self._held

    def act(self, act: Act, who: str | Phone) -> Tournament:
        """Write an act into the log; that of a director into the log of directors as well.

        Raises `CompanionError` with nothing changed.
        """
        with self._lock:
            with self._store.writing() as db:
                held = self._write(db, act, who)
            self._held = held
        self.tell()
        return held.state

    def draw(self, who: str | Phone) -> Tournament:
        """Draw the next round. Raises `CompanionError` with nothing changed."""
        held = self.now()
        return self.act(draw(held.state) if held else acts.Finished(), who)

    # ------------------------------------------------------------------------------------- the boxes

    def tell(self) -> None:
        """Send every box who sits there, where that has changed since it was told."""
        held = self.now()
        round_ = held.state.open_round if held and not held.state.finished else None
        tables = {table.number: table for table in round_.tables} if round_ else {}
        for box in self._evening.boxes():
            table = tables.get(number_of(box))
            seats = b""
            if held is not None and round_ is not None:
                seats = encode(_seats(held.state, round_, table, number_of(box)))
            elif held is not None and not held.state.rounds and not held.state.finished:
                seats = encode(_registration(held, number_of(box)))
            if self._told.get(box.name) != seats:
                self._told[box.name] = seats
                self._publish(topics.table_topic(box.name, topics.SEATS), seats)

    def register(self, name: str, registered: Registered) -> None:
        """Take the badges that were registered at a box; who is known already is not registered again."""
        held, box = self.now(), self._evening.box(name)
        if held is None or box is None or held.id != registered.tournament or held.state.finished:
            return
        for badge in registered.badges:
            state = self._held.state if self._held else held.state
            if state.player(badge) is None:
                with suppress(CompanionError):  # no badge that can play
                    self.act(acts.Registered(badge, unnamed(badge)), box.title)

    def hear(self, name: str, result: Result) -> None:
        held, box = self.now(), self._evening.box(name)
        if held is None or box is None:
            return
        state = held.state
        tables = state.rounds[result.round - 1].tables if 1 <= result.round <= len(state.rounds) else ()
        number = number_of(box)
        table = tables[number - 1] if 1 <= number <= len(tables) else None
        if table is None or sorted(table.badges) != sorted(result.badges):
            return  # it was played with other players: no match of this tournament
        if self._matches.get(result.match).steps > result.steps:
            return  # the broker has kept it; the box has gone on since, and will tell it again
        self._steps[result.match] = result.steps
        totals = dict(zip(result.badges, result.totals, strict=False))
        told = acts.ResultTold(
            result.round, table.number, result.match, tuple(totals.get(badge, 0) for badge in table.badges)
        )
        try:
            self._take(table, told, result, box)
        except CompanionError as refused:
            with self._store.writing() as db:
                facts = {"says": str(refused.fault_text)}
                faults.tell(db, ("result", name, result.match), self._now_s(), facts)
        else:
            if state.rules.duplicate:
                self._compare(table, result, name)

    def _take(self, table: TournamentTable, told: acts.ResultTold, result: Result, box: TableNow) -> None:
        now = table.result
        who = box.title
        if now is None or (now.match, now.heads) != (told.match, told.heads):
            self.act(told, who)
            now = None
        done = now.confirmed if now else ()
        for badge in result.confirmed:
            if badge not in done and badge in table.badges:
                self.act(acts.Confirmed(told.round, told.table, badge), who)

    def _compare(self, table: TournamentTable, result: Result, name: str) -> None:
        """Tell the director which cards were not dealt as all tables should have dealt them."""
        seats = [table.badges.index(badge) for badge in result.badges]
        wrong, (_, rows) = [], self._store.match(result.match)
        steps = ((row["number"], row["record"]) for row in rows)
        seed = self._held.state.rules.seed if self._held else ""
        for number, seen in enumerate(deals.played(steps), start=1):
            by_seat = [seen.cards.get(seats.index(seat), set()) for seat in range(len(seats))]
            found = deals.wrong_cards(deals.deal(seed, result.round, number), sorted(seen.rows), by_seat)
            wrong += [card for _, card in found]
        if wrong:
            with self._store.writing() as db:
                facts = {"cards": ", ".join(map(str, wrong[:10]))}
                faults.tell(db, ("deal", name, result.match), self._now_s(), facts)

    def stepped(self, uid: str) -> None:
        """A match has new steps: a result that was undone at the box is no longer valid.

        Steps that came before the result may arrive after it, when the network was away.
        """
        held = self._held
        round_ = held.state.open_round if held else None
        for table in round_.tables if round_ else ():
            if round_ and table.result and not table.result.reason and table.result.match == uid:
                folded = self._matches.get(uid)
                if folded.steps <= self._steps.get(uid, 0):
                    continue
                if folded.match is not None and not folded.match.position.over:
                    self.act(acts.ResultUndone(round_.number, table.number, uid), "")

    def seen(self, names: set[str] | None) -> None:
        """Something is new of these tables; one that was not heard of before is told who sits there.

        None: the connection to the broker has come or gone. Then all are told again.
        """
        if names is None:
            self._told.clear()
        if names is None or names - self._told.keys():
            self.tell()

    # ------------------------------------------------------------------------------------- the log

    def _write(self, db: Connection, act: Act, who: str | Phone) -> StoredTournament:
        held = self._held
        if held is not None:
            _check(held.state, act)
        if isinstance(who, Phone):
            self._note(db, act, who, held)
            who = who.name
        if held is not None and held.state.finished and isinstance(act, acts.Opened):
            held = StoredTournament(held.id + 1, (), after(None, act))
        else:
            state = after(held.state if held else None, act)
            held = StoredTournament(held.id if held else 1, held.entries if held else (), state)
        number, at_s = len(held.entries) + 1, self._now_s()
        row = {"id": held.id, "number": number, "at_s": at_s, "who": who, "record": record_of(act)}
        db.execute(insert(schema.tournament).values(**row))
        entry = acts.Entry(number, act, who, f"{at_s:.3f}")
        return StoredTournament(held.id, (*held.entries, entry), held.state)

    def _note(self, db: Connection, act: Act, who: Phone, held: StoredTournament | None) -> None:
        """Write an act of a director down, with the names that the players had."""
        record = record_of(act)
        badge = getattr(act, "badge", 0)
        player = held.state.player(badge) if held else None
        facts = {"act": record, "name": player.name if player else ""}
        director.note(db, who, director.TOURNAMENT, facts, self._now_s(), reason=getattr(act, "reason", ""))


def _read(db: Connection) -> StoredTournament | None:
    at = schema.tournament.c
    newest = db.execute(select(func.max(at.id))).scalar()
    state, entries = None, []
    for row in db.execute(select(schema.tournament).where(at.id == newest).order_by(at.number)):
        act = acts.from_record(row.record)
        state = after(state, act)
        entries.append(acts.Entry(row.number, act, row.who, f"{row.at_s:.3f}"))
    return None if state is None else StoredTournament(newest or 1, tuple(entries), state)


def _check(state: Tournament, act: Act) -> None:
    """Refuse names that are alike or cannot be shown, and totals that cannot be. Raises `ActRefused`."""
    match act:
        case acts.Registered(badge, name) | acts.Renamed(badge, name):
            if not can_be_seen(" ".join(name.split())):
                raise ActRefused(
                    say("the name {name} cannot be shown", name=quoted(name)),
                    say("give a name that can be shown"),
                )
            other = next((one for one in state.players if one.badge != badge and _same(one.name, name)), None)
            if other is not None:
                raise ActRefused(
                    say("badge {badge} already has the name {name}", badge=other.badge, name=other.name),
                    say("give the two players different names"),
                )
        case acts.Corrected(_, _, heads):
            low, most = _totals_of(state.rules)
            if any(not low <= one <= most for one in heads):
                raise ActRefused(
                    say("in this tournament a total is from {low} to {most}", low=low, most=most),
                    say("look at the display of the table, then type the totals again"),
                )


def _same(name: str, other: str) -> bool:
    one, two = (
        unicodedata.normalize("NFKC", " ".join(text.replace("\u200c", "").split())) for text in (name, other)
    )
    return one.casefold() == two.casefold()


def _totals_of(rules: acts.Opened) -> tuple[int, int]:
    """The lowest and the highest total that a player can have after a match."""
    game = games.module(rules.game)
    worth = [game.worth(card) for card in game.DECK]
    low, most = (sum(one for one in worth if (one > 0) is above) for above in (False, True))
    end = rules.options["end"]
    deals_ = end.get("deals")
    return (low * deals_, most * deals_) if deals_ else (low * MOST_DEALS, end["target"] + most)


def length_of(held: StoredTournament | None) -> str:
    """Which tournament it is, and how long its log: another text after each entry."""
    return "" if held is None else f"{held.id}.{len(held.entries)}"


def unnamed(badge: int) -> str:
    """What a player is called who was registered at a box, until the director writes a name."""
    return f"P{badge}"


def number_of(box: TableNow) -> int:
    """The number of a table: the digits at the end of its name; 0 where there are none."""
    digits = box.name[len(box.name.rstrip("0123456789")) :]
    return int(digits or 0)


def _seats(state: Tournament, round_: Round, table: TournamentTable | None, number: int) -> Seats:
    rules, names = state.rules, {player.badge: player.name for player in state.players}
    here = tuple(Seated(badge, names[badge]) for badge in (table.badges if table else ()))
    there = {str(badge): one.number for one in round_.tables for badge in one.badges if one is not table}
    seed = rules.seed if rules.duplicate else ""
    return Seats(rules.title, round_.number, number, rules.game, options_of(rules), here, there, seed=seed)


def _registration(held: StoredTournament, number: int) -> Seats:
    rules = held.state.rules
    return Seats(rules.title, 0, number, rules.game, options_of(rules), (), tournament=held.id)


def planned_deals(rules: acts.Opened) -> int:
    """How many deals of a match are planned, where all tables play the same."""
    return int(rules.options["end"].get("deals", MOST_DEALS))


def options_of(rules: acts.Opened) -> dict[str, Any]:
    """What is agreed at every table. For the same deals at all tables the hands are scanned."""
    return {**rules.options, **({"hands": True} if rules.duplicate else {})}


def lines_of(entries: Sequence[Entry]) -> str:
    """A log as JSON lines, for people who want to count again."""
    lines = []
    for one in entries:
        record = record_of(one.act)
        line = {"number": one.number, "at": one.at, "by": one.by, **record}
        lines.append(json.dumps(line, ensure_ascii=False) + "\n")
    return "".join(lines)
