"""The match that is played at this table: every change is written to the journal first, then made in memory.

Pages read a session and ask it for changes. They never see the journal or the configuration: what they need
of either is a method here, named after its purpose.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from companion import games, log
from companion.ask import AskKind, Wait
from companion.cards import Seat
from companion.codes import BADGES
from companion.errors import CompanionError
from companion.game import KnowsHands
from companion.match import Match, Step, Terms, begin
from companion.text import say
from firmware.device_text import sentence_of
from firmware.display.plan import Size, plan_for
from firmware.history import erasing, game_names, given_names, paired_phones
from firmware.history.players import badge_of, level_at, people_at, robot_name, with_badge
from firmware.history.stored_time import local_time, read_time
from firmware.history.summary import kept, result_of
from firmware.journal.errors import JournalError
from firmware.session import language
from firmware.session.names import fitting_name, short_name, shown_names
from firmware.session.seats import NOTE as SEATS
from firmware.session.seats import Kept, Seats, kept_of, overlaid
from firmware.translation import ASK, Translator

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.ask import Ask
    from companion.ruling import Refused
    from firmware.config.configuration import Config
    from firmware.display.glyphs import Font
    from firmware.display.plan import Plan
    from firmware.history.best_results import Record
    from firmware.history.honours import Honours
    from firmware.journal.rows import MatchEntry
    from firmware.journal.store import Journal
    from firmware.session.upkeep import Upkeep
    from hardware.ports import DeviceFault

LONGEST_NAME: Final = 8
"""Letters of a name within a sentence on the display."""

MOST_SUSPENDED: Final = 8
"""Suspended matches that can be resumed; older ones stay in the journal only."""


class DeviceState(Enum):
    """Whether a device works."""

    OK = "ok"
    NONE = "none"
    """None is configured."""
    FAULT = "fault"


NEWEST_RESULTS: Final = 20
"""Finished matches whose results the display can show again; `nimmt matches` lists all."""


@dataclass(frozen=True, slots=True)
class FinishedMatch:
    """The result of a match that is over: its number, the title of the game, when it began.

    `at` is month, day and time at this place. `places` are the standings, best first: rank, total, and the
    badges of the player or team, 0 for one who was erased.
    """

    id: int
    title: str
    at: str
    places: tuple[tuple[int, int, tuple[int, ...]], ...]


@dataclass(frozen=True, slots=True)
class SuspendedMatch:
    """A match that was left before it was over: its number in the journal, its game by name, its seats."""

    id: int
    title: str
    seats: int


class Session:
    """The match in play, who plays it, and what is known from earlier ones. Used by the game thread only.

    `faults` holds the devices that do not work now, by name; the controller keeps it.
    """

    def __init__(self, journal: Journal, config: Config, translate: Translator) -> None:
        self.translate = translate
        self.match: Match | None = None
        self.match_id: int | None = None
        self.played_past = 0
        """The newest step of the match when it was read back: people have played on past all before it."""
        self.faults: dict[str, DeviceFault] = {}
        self.visitors: tuple[str, ...] = ()
        """The names of the players, by seat, while no match of this table is in play."""
        self.stepped: Callable[[Step], None] = lambda _step: None
        """Called with each step once it is part of the match."""
        self._journal = journal
        self._config = config
        self._ready: tuple[tuple[int | None, int], frozenset[Seat]] = ((None, 0), frozenset())
        self._upkeep: Upkeep | None = None
        self._names: tuple[str, ...] | None = None
        self._kept = kept_of(self._recall(SEATS))
        _ = self.names  # read while the journal is open: they are used as long as there is a session
        self._uid: tuple[int | None, str] = (None, "")
        self._honours: tuple[tuple[int | None, int], Honours] | None = None
        self._name_players()

    # ------------------------------------------------------------------------------------- the language

    @property
    def language(self) -> str:
        """The language of the texts, such as "fa"."""
        return self.translate.language

    @property
    def asks_language(self) -> bool:
        """Whether people have to choose a language first."""
        return self._config.screen.language == ASK and language.chosen(self._journal, self._config) is None

    def use_language(self, chosen: str) -> None:
        """Say everything in a language from now on, and after the next start. Raises `JournalError`."""
        language.choose(chosen, self._journal, self._config)
        self.translate = language.translator(self._config, self._journal)
        self._name_players()

    def speak(self, translate: Translator, visitors: tuple[str, ...] = ()) -> None:
        """Say everything in the language of `translate` for now; nothing of it is kept.

        `visitors` are the names of the players, by seat, while no match of this table is in play.
        """
        self.translate, self.visitors = translate, visitors
        self._name_players()

    def _name_players(self) -> None:
        self.translate.naming = self._named

    def _named(self, seat: int) -> str | None:
        """The name of a player in a sentence; None for the number of the seat."""
        if self.match is not None:
            return self.short_name(Seat(seat), LONGEST_NAME)
        return self.visitors[seat] if seat < len(self.visitors) else None

    # ------------------------------------------------------------------------------- matches: which one

    def resume(self) -> str | None:
        """Open the match that was open when the device went off; a fault in words if that fails."""
        opened = self._journal.recall("open")
        if type(opened) is not int:
            return None
        try:
            self.match = self._replay(opened)
        except CompanionError as bad:
            fault, fix = bad.fault_text, bad.fix_text
            return sentence_of(
                say("match {match} cannot be resumed: {fault} ({fix})", match=opened, fault=fault, fix=fix)
            )
        self.match_id = opened
        self.played_past = self._newest_number()
        return None

    @property
    def has_suspended(self) -> bool:
        """Whether there is a suspended match to resume."""
        return bool(self._suspended_ids())

    def suspended(self) -> tuple[SuspendedMatch, ...]:
        """The matches that were suspended before they were over, the last one first."""
        found = []
        for number in self._suspended_ids():
            with suppress(CompanionError):  # it was removed, or is damaged: then it cannot be resumed
                terms = log.read_header(self._journal.entry(number).header)
                found.append(SuspendedMatch(number, begin(terms).game.title, terms.seats))
        return tuple(found)

    def resume_match(self, match_id: int) -> None:
        """Go on with a suspended match. Raises `CompanionError`, with no match in play.

        Players who had already joined for another match are forgotten.
        """
        match = self._replay(match_id)
        self._journal.remember("joining", None)
        self._journal.remember("open", match_id)
        self.match, self.match_id = match, match_id
        self.played_past = self._newest_number()

    def begin(self, terms: Terms) -> None:
        """Start a match. Raises `CompanionError` for bad terms, `JournalError` if it cannot be written.

        One write holds the new match and all that goes with it: a power cut leaves all of it or nothing.
        """
        terms = replace(terms, badges=terms.badges[: terms.seats])  # later joiners joined that match only
        match = begin(terms)
        group = {"game": terms.game, "badges": list(terms.badges), "options": dict(terms.options)}
        if any(terms.robots):
            group["robots"] = list(terms.robots)
        if self.match_id is not None and self._is_empty:
            self.suspend()
        away, before = self._suspended_ids(), self.match_id
        result = before if self.match is not None and self.match.position.over else self._recall("result")
        notes = {"joining": None, "group": group, "away": away, "result": result}
        if names := game_names.note_with(self._recall(game_names.NOTE), terms):
            notes[game_names.NOTE] = names
        self.match_id = self._journal.begin(log.header(terms), lambda number: {"open": number, **notes})
        self.match = match
        self.played_past = 0
        self._left(before)

    # ------------------------------------------------------------------------------- a tournament

    @property
    def seats(self) -> Seats | None:
        """Who is to play at this table in a round of a tournament; None where there is none."""
        return None if self._kept is None else self._kept.seats

    @property
    def is_to_begin(self) -> bool:
        """Whether people are seated here for a match that has not begun."""
        kept = self._kept
        return kept is not None and bool(kept.seats.badges) and kept.match is None

    @property
    def is_of_tournament(self) -> bool:
        """Whether the match in play is the one of the round."""
        return self._kept is not None and self.match_id is not None and self._kept.match == self.match_id

    @property
    def confirmed(self) -> tuple[int, ...]:
        """The badges that have confirmed the result as it is now."""
        kept = self._kept
        return kept.confirmed if kept is not None and self.match and kept.steps == self.match.steps else ()

    def take_seats(self, seats: Seats | None) -> None:
        """Note who is to play here. Raises `JournalError`.

        The same seats again change nothing; with other names the match that was begun stays.
        """
        kept = self._kept
        if seats is None or kept is None or not seats.is_same_table(kept.seats):
            kept = None if seats is None else Kept(seats)
        else:
            kept = replace(kept, seats=seats)
        if kept != self._kept:
            self._keep_seats(kept)

    def begin_seated(self) -> None:
        """Begin the match of the round. Raises as `begin` does."""
        if self._kept is not None:
            self.begin(self._kept.seats.terms())
            self._keep_seats(replace(self._kept, match=self.match_id))

    def confirm(self, badge: int) -> None:
        """Note that a player confirms the result as it is now. Raises `JournalError`."""
        if self._kept is not None and badge not in self.confirmed:
            confirmed = (*self.confirmed, badge)
            self._keep_seats(replace(self._kept, steps=self.playing.steps, confirmed=confirmed))

    def _keep_seats(self, kept: Kept | None) -> None:
        self._journal.remember(SEATS, None if kept is None else kept.note())
        self._kept, self._names = kept, None

    def tournament_result(self) -> dict[str, Any] | None:
        """The result of the match of the round, once it is over, as docs/table-socket.md has it."""
        match, seats = self.match, self.seats
        if match is None or seats is None or not self.is_of_tournament or not match.position.over:
            return None
        return {
            "match": self.match_uid,
            "steps": match.steps,
            "round": seats.round,
            "totals": list(match.totals),
            "badges": list(match.terms.badges),
            "confirmed": list(self.confirmed),
        }

    @property
    def game_names(self) -> tuple[str, ...]:
        """The names that people gave to games whose score they kept, the newest first."""
        return game_names.names_in(self._recall(game_names.NOTE))

    @property
    def has_result_before(self) -> bool:
        """Whether a finished match came before the one in play, of which nothing is played yet."""
        return self.match is not None and self.match.newest is None and self._result_before is not None

    def back_to_result(self) -> None:
        """Leave the match in play, before its first card, for the result of the one before it.

        A match without a single step leaves no trace. Raises `CompanionError` with nothing changed.
        """
        result = self._result_before
        if result is None:
            return
        match = self._replay(result)
        if self.match_id is not None and self._is_empty:
            self._drop(self.match_id, {"open": result})
        else:
            self._journal.remember("open", result)
        self.match, self.match_id = match, result
        self.played_past = self._newest_number() + 1

    def finished(self) -> tuple[FinishedMatch, ...]:
        """The results of the newest matches that are over, the last one first. Raises `JournalError`."""
        found = []
        for entry in reversed(self._journal.newest(NEWEST_RESULTS)):
            summary = kept(entry) if entry.fault is None else None
            if summary is None or not summary["over"]:
                continue
            people = people_at(
                tuple(entry.header.get("badges", ())),
                summary["seats"],
                (),
                tuple(entry.header.get("robots", ())),
            )
            places = tuple(
                (rank, total, tuple(people[seat].badge for seat in seats))
                for rank, total, seats in summary["places"]
            )
            begun = local_time(entry.started_at)
            at = "" if begun is None else f"{begun:%m-%d %H:%M}"
            found.append(FinishedMatch(entry.id, summary["game"], at, places))
        return tuple(found)

    def suspend(self) -> None:
        """Leave the match; it stays in the journal, unless it has no step at all. Raises `JournalError`.

        A match that has steps and is not over can be resumed: `suspended` lists it.
        """
        away = self._suspended_ids()
        if self.match_id is not None and self._is_empty:
            self._drop(self.match_id, {"away": away, "open": None})
            self.match = self.match_id = None
            return
        if self.match_id is not None and self.playing.newest is not None and not self.playing.position.over:
            away = [self.match_id, *away][:MOST_SUSPENDED]
        self._journal.remember("away", away)
        self._journal.remember("open", None)
        before = self.match_id
        if self.match is not None and self.match.position.over:
            self._journal.remember("result", before)
        self.match = self.match_id = None
        self._left(before)

    def remember_players(self, game: str, badges: tuple[int, ...], robots: tuple[str, ...] = ()) -> None:
        """Keep who has joined, so that a power cut before the first card costs nothing."""
        joining: dict[str, object] = {"game": game, "badges": list(badges)}
        self._journal.remember("joining", {**joining, "robots": list(robots)} if robots else joining)

    def joining(self) -> tuple[str, tuple[int, ...]]:
        """The game and the badges that had joined when the device went off; empty if nobody had."""
        kept = self._journal.recall("joining")
        return (kept["game"], tuple(kept["badges"])) if isinstance(kept, dict) else ("", ())

    def joining_robots(self) -> tuple[str, ...]:
        """The robots among those that have joined, as in `Terms.robots`."""
        kept = self._recall("joining")
        return tuple(kept.get("robots", ())) if isinstance(kept, dict) else ()

    def group(self) -> Terms | None:
        """The terms of the newest match; None before the first, and where the journal cannot be read."""
        group = self._recall("group")
        if not isinstance(group, dict):
            return None
        badges = tuple(group["badges"])
        robots = tuple(group.get("robots", ()))
        return Terms(group["game"], len(badges), group["options"], badges=badges, robots=robots)

    # ------------------------------------------------------------------------------- the match in play

    @property
    def playing(self) -> Match:
        """The match in play. Raises `RuntimeError` where there is none."""
        if self.match is None:
            raise RuntimeError("no match is in play")
        return self.match

    def propose(self, command: Any) -> Step | Refused:  # noqa: ANN401 - a command of the game in play
        """Rule on a command and keep it if it stands. Raises `JournalError` with nothing changed."""
        return self._keep(self.playing.propose(command))

    def join(self, seat: Seat, badge: int | None = None) -> Step | Refused:
        """Let a player join at a seat, with the badge that was scanned, if any. Raises as `propose` does."""
        match = self.playing
        terms = with_badge(match.terms, seat, badge)
        return self._keep(match.propose(match.game.join(seat)), terms if terms != match.terms else None)

    def undo(self) -> Step | Refused:
        """Undo the newest live step. Raises `JournalError`."""
        return self._keep(self.playing.undo())

    def redo(self) -> Step | Refused:
        """Redo what was undone last. Raises `JournalError`."""
        return self._keep(self.playing.redo())

    @property
    def match_uid(self) -> str:
        """What tells the match in play from all others, in every copy of the journal; empty if not known."""
        if self._uid[0] != self.match_id:
            entry = self._entry()
            self._uid = (self.match_id, "" if entry is None else entry.uid)
        return self._uid[1]

    def is_robot(self, seat: Seat) -> bool:
        """Whether a robot plays at a seat of the match in play."""
        return bool(level_at(self.playing.terms.robots, seat))

    @property
    def robots_to_play(self) -> tuple[Seat, ...]:
        """The robots whose cards of this turn are still to be shown, where all play together."""
        ask = self.playing.asks[0] if self.match is not None and self.match.asks else None
        if ask is None or ask.kind is not AskKind.PLAY or ask.wait is not Wait.ALL:
            return ()
        return tuple(seat for seat in ask.seats if self.is_robot(seat) and self.robot_hand(seat))

    def robot_hand(self, seat: Seat) -> tuple[str, ...]:
        """The cards that a robot can still play; nobody may see them."""
        game = self.playing.game
        return game.hand(self.playing.position.table, seat) if isinstance(game, KnowsHands) else ()

    # ------------------------------------------------------------------------------- names and badges

    @property
    def code(self) -> str:
        """The code prefix of the cards in play; empty if no cards are known."""
        return games.module(self.playing.box).CODE if self.playing.box else ""

    def badge(self, seat: Seat) -> int:
        """The badge number of a seat; a player who joined later without one has the lowest that is free."""
        return badge_of(self.playing.terms, seat)

    def seat(self, badge: int) -> Seat | None:
        """The playing seat of a badge."""
        return next((seat for seat in self.playing.players if self.badge(seat) == badge), None)

    def name(self, seat: Seat) -> str:
        """The name of the player at a seat, in capitals."""
        return self.badge_name(self.badge(seat))

    def short_name(self, seat: Seat, columns: int) -> str:
        """The name in at most so many columns of SMALL, unlike that of any other player."""
        return self.short_badge_name(self.badge(seat), columns)

    @property
    def waits_for_ready(self) -> bool:
        """Whether players say that they have chosen a card before the cards of a turn are revealed."""
        return self._config.table.ready

    @property
    def ready(self) -> frozenset[Seat]:
        """Who has chosen a card for the turn that comes next. It is stored nowhere."""
        at, seats = self._ready
        return seats if at == (self.match_id, self.playing.steps) else frozenset()

    def note_ready(self, seat: Seat) -> int:
        """Note that a player has chosen a card; how many have."""
        seats = self.ready | {seat}
        self._ready = ((self.match_id, self.playing.steps), seats)
        return len(seats)

    def next_in_order(self, ask: Ask) -> Seat | None:
        """Whose card comes next where a table scans in seat order; None where any may, or hands are known."""
        together = ask.kind is AskKind.PLAY and ask.wait is Wait.ALL
        known = self.playing.terms.options.get("draft", False)
        if not together or known or not self._config.table.seat_order:
            return None
        return next((seat for seat in ask.seats if not self.is_robot(seat)), None)

    def badge_name(self, badge: int) -> str:
        """The name that belongs to a badge, in capitals; P1 to P10 where there is none to draw."""
        shown = shown_names(self._names_here)
        return shown[badge - 1] if badge <= len(shown) else f"P{badge}"

    def short_badge_name(self, badge: int, columns: int) -> str:
        """The name that belongs to a badge in at most so many columns of SMALL, unlike any other name."""
        return short_name(self._names_here, badge, columns)

    @property
    def names(self) -> tuple[str, ...]:
        """The names by badge, from badge 1: those given at the table, else those of the configuration."""
        if self._names is None:
            try:
                self._names = given_names.named(
                    self._config.table.names, self._journal.recall(given_names.NOTE)
                )
            except JournalError:
                return self._config.table.names  # asked again the next time
            if self._kept is not None:
                self._names = overlaid(self._names, self._kept.seats)
        return self._names

    def fitting_name(self, badge: int, width_px: int, font: Font) -> str:
        """The name that belongs to a badge in so many pixels of a font, unlike any other name in them."""
        return fitting_name(self._names_here, badge, width_px, font)

    @property
    def _names_here(self) -> tuple[str, ...]:
        """The names by badge at this table, where a robot may have the place of a badge."""
        if self.match is not None:
            robots, badges = self.match.terms.robots, self.match.terms.badges
        else:
            robots, badges = self.joining_robots(), self.joining()[1]
        if not any(robots):
            return self.names
        names = [*self.names, *[""] * (len(BADGES) - len(self.names))]
        for seat, badge in enumerate(badges):
            if level_at(robots, seat):
                names[badge - 1] = robot_name(robots, seat, self.translate("ROBOT"))
        return tuple(names)

    def is_named(self, badge: int) -> bool:
        """Whether the configuration has a name for a badge."""
        return badge <= len(self._config.table.names)

    def give_name(self, badge: int, name: str) -> None:
        """Call a badge by a name from now on; an empty one gives it back to the configuration.

        Raises `JournalError` with nothing changed.
        """
        given = given_names.given_names(self._journal.recall(given_names.NOTE))
        given.pop(badge, None)
        if name:
            given[badge] = name
        self._journal.remember(given_names.NOTE, given_names.note_of(given))
        self._names = None

    def label(self, card: str) -> str:
        """A card of the match in play in up to 4 columns."""
        return self.translate.say(self.playing.game.label(card))

    def matches_of(self, badge: int) -> int:
        """How many matches have a badge. Raises `CompanionError` for a player of the match in play."""
        return len(erasing.traces(self._journal, badge).matches)

    def erase(self, badge: int) -> None:
        """Erase a badge from every match; a finished match with it is closed. Raises as `matches_of`."""
        erased = erasing.erase(self._journal, badge).matches
        self._names = None
        if self._upkeep is not None:
            self._upkeep.forget(badge)
        if self._recall("result") in erased:
            self._journal.remember("result", None)
        if self.match_id in erased:
            self.match = self.match_id = None

    def forget_phones(self) -> None:
        """End the pairing of every phone: those who keep them compare this number. Raises `JournalError`."""
        era = paired_phones.era(self._journal.recall(paired_phones.NOTE))
        self._journal.remember(paired_phones.NOTE, era + 1)

    def is_free(self, badge: int, name: str) -> bool:
        """Whether the display can tell this name of a badge from those of all others."""
        others = [self.badge_name(one) for one in BADGES if one != badge]
        return shown_names((*others, name))[-1] != f"P{len(BADGES)}"

    # ------------------------------------------------------------------------- what there is to tell of it

    @property
    def played_on(self) -> str:
        """The day on which the match in play began, at this place, as 2026-02-21; empty if not known."""
        begun = None if (entry := self._entry()) is None else local_time(entry.started_at)
        return "" if begun is None else f"{begun:%Y-%m-%d}"

    @property
    def played_min(self) -> int | None:
        """Whole minutes from the beginning of the match in play to its newest step; None if not known."""
        entry = self._entry()
        begun = None if entry is None else read_time(entry.started_at)
        newest = None if entry is None or entry.last_at is None else read_time(entry.last_at)
        if begun is None or newest is None or newest < begun:
            return None
        return round((newest - begun).total_seconds() / 60)

    def result_links(self) -> tuple[str, ...]:
        """Addresses that create the match that is over in the app BG Stats, from long to short."""
        from firmware.history import bgstats
        from firmware.history.played_match import played_match

        entry = self._entry()
        if entry is None:
            return ()
        ended = None if entry.last_at is None else read_time(entry.last_at)
        past = replace(played_match(self.playing, entry, (), self.names), ended=ended)
        return bgstats.short_links(past)

    def honours(self) -> Honours:
        """What the match that is over has to tell beside its winner."""
        from firmware.history.honours import honours_of
        from firmware.history.played_match import played_match
        from firmware.history.summary import summary_of

        match, key = self.playing, (self.match_id, self.playing.steps)
        if self._honours is None or self._honours[0] != key:
            entry = self._entry()
            if entry is None:
                summary = result_of(match)
            else:
                summary = summary_of(played_match(match, entry, (), ()), Translator())
            self._honours = (key, honours_of(match, summary))
        return self._honours[1]

    def records(self) -> tuple[Record, ...]:
        """What the match that is over means for its players, from the notes of the journal."""
        from firmware.history import best_results

        return best_results.records_of(self.playing, best_results.read(self._recall(best_results.NOTE)))

    @property
    def by_seat(self) -> bool:
        """Whether the standings are in the order of the seats, not of the ranks."""
        return self._recall("order") == "seat"

    def toggle_order(self) -> None:
        """Show the standings in the other order from now on. Raises `JournalError`."""
        self._journal.remember("order", None if self.by_seat else "seat")

    # ------------------------------------------------------------------- of the configuration and the disk

    @property
    def plan(self) -> Plan:
        """Where the parts of a page stand in the language of the texts, and in which letters."""
        return plan_for(self.translate.language, Size(self._config.screen.size))

    def options(self, game: str) -> Mapping[str, Any]:
        """The options that the configuration sets for a game."""
        return self._config.rules.get(game, {})

    def device_state(self, device: str) -> DeviceState:
        """Whether a device works: `display`, `buttons`, `scanner`, `buzzer` or `journal`."""
        if any(fault.partition("/")[0] == device for fault in self.faults):
            return DeviceState.FAULT
        driver = getattr(getattr(self._config, device, None), "driver", "")
        return DeviceState.NONE if driver == "none" else DeviceState.OK

    def tidy(self) -> None:
        """Let the journal shorten its log; called when nothing else is to be done."""
        self._journal.tidy()

    def look_after_journal(self, stop: Callable[[], bool]) -> bool:
        """Do a small portion of what the journal needs now and then; whether there is more to do.

        Called when nothing else is to be done; `stop` says that somebody waits.
        """
        if self._upkeep is None:
            from firmware.session.upkeep import Upkeep  # a start does not wait for it

            keep = self._config.journal.keep_matches
            self._upkeep = Upkeep(self._journal, lambda: self.match_id, keep, stop)
        return self._upkeep.portion()

    @property
    def damages(self) -> Mapping[str, str]:
        """What is damaged in earlier matches, as far as they were read since the start, and what to do."""
        return {} if self._upkeep is None else self._upkeep.damages

    def journal_state(self) -> dict[str, Any] | None:
        """How large the journal is and how much of it was checked; None if it cannot be read."""
        try:
            size = self._journal.size()
        except JournalError:
            return None
        upkeep = self._upkeep
        return {
            "matches": size.matches,
            "bytes": size.used_bytes,
            "free_bytes": size.free_bytes,
            "checked": 0 if upkeep is None else upkeep.checked,
            "all_checked": upkeep is not None and upkeep.finished,
            "damaged": len(self.damages),
        }

    # ------------------------------------------------------------------------------------------- inner

    @property
    def _is_empty(self) -> bool:
        """Whether nothing was ever done in the match in play, not even what was undone."""
        return self.match is not None and self.match.steps == 0

    def _drop(self, match_id: int, notes: Mapping[str, object]) -> None:
        """Remove a match without steps, and store notes."""
        if match_id == self._journal.latest():
            self._journal.withdraw(match_id, notes)
            return
        for key, note in notes.items():  # others were imported meanwhile
            self._journal.remember(key, note)
        self._journal.remove(match_id)

    @property
    def _result_before(self) -> int | None:
        number = self._recall("result")
        if type(number) is not int or number == self.match_id:
            return None
        try:
            return number if self._journal.has(number) else None
        except JournalError:
            return None

    def _newest_number(self) -> int:
        newest = self.playing.newest
        return newest.number if newest else 0

    def _replay(self, match_id: int) -> Match:
        return log.replay([self._journal.entry(match_id).header, *self._journal.steps(match_id)])

    def _left(self, match_id: int | None) -> None:
        if match_id is not None and self._upkeep is not None:
            self._upkeep.match_left(match_id)

    def _entry(self) -> MatchEntry | None:
        """What the journal has about the match in play beside its steps."""
        try:
            return None if self.match_id is None else self._journal.entry(self.match_id)
        except JournalError:
            return None

    def _recall(self, what: str) -> object:
        """What the journal has noted; None where it cannot be read.

        Pages ask while they are drawn, when nothing can be refused. A journal that does not work is reported
        where something is written.
        """
        try:
            return self._journal.recall(what)
        except JournalError:
            return None

    def _suspended_ids(self) -> list[int]:
        """The numbers of the suspended matches without the one in play, the last one first."""
        kept = self._recall("away")
        return [number for number in kept if number != self.match_id] if isinstance(kept, list) else []

    def _keep(self, step: Step | Refused, terms: Terms | None = None) -> Step | Refused:
        """Write a step, then make it so. In this order: what people see is always on the disk already."""
        if isinstance(step, Step) and self.match_id is not None:
            after = self.playing.then(step)
            header = None if terms is None else log.header(terms)
            summary = result_of(after) if after.position.over else None
            record = log.write_step(step, sentences=False)
            self._journal.append(self.match_id, step.number, record, header, summary)
            self.match = after if terms is None else replace(after, terms=terms)
            self.stepped(step)
        return step
