"""The match that is played at this table: every change is written to the journal first, then made in memory.

Pages read a session and ask it for changes. They never see the journal or the configuration: what they need
of either is a method here, named after its purpose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from copy import copy
from typing import Any, Final

from companion.core import games
from companion.core.ask import Ask, AskKind, Wait
from companion.core.board import Sign
from companion.core.cards import Seat
from companion.core.codes import BADGES
from companion.core.ruling import Allowed, Refused
from companion.match import log
from companion.match.match import Match, Step, Terms, begin
from companion.match.tally import tally_after
from companion.text.errors import CompanionError, UnknownCard
from companion.text.sentence import say
from companion.values import replace
from firmware.config.configuration import Config
from firmware.display.plan import Plan, Size, plan_for
from firmware.history import erasing, players
from firmware.history.players import badge_of, level_at, with_badge
from firmware.journal.errors import JournalError
from firmware.journal.store import Journal
from firmware.journal.writes import Append, Begin, Note, Remove, Rewrite, Withdraw
from firmware.session import language
from firmware.session.journal_care import JournalCare
from firmware.session.matches import (
    AboutMatch,
    FinishedMatch,
    SuspendedMatch,
    finished_matches,
    suspended_matches,
)
from firmware.session.state import DeviceState, SessionState, StateStore, read_state, state_of
from firmware.session.table_notes import GROUP, JOINING, OPEN, RESULT, SUSPENDED, PlayerNames, TableNotes
from firmware.text.translation import ASK, Translator, sentence_of
from hardware.errors import sentence
from hardware.ports import OWN_KEYS, DeviceFault


def ends_of(match: Match) -> tuple[str, ...]:
    """The last card of every stack on the table."""
    return tuple(stack.cards[-1] for stack in match.board.stacks if stack.cards)


def steps_to_ends(match: Match, ends: tuple[str, ...]) -> int | None:
    """How many steps ago the stacks ended with these cards, in any order; None if they never did."""
    steps, earlier = 0, match
    while earlier.before is not None:
        if sorted(ends_of(earlier)) == sorted(ends):
            return steps
        steps, earlier = steps + 1, earlier.before
    return None


def steps_to_card(match: Match, card: str) -> int | None:
    """How many steps to undo until a card of this deal was not played yet; None if it never was."""
    steps, earlier = 1, match
    while earlier.newest is not None and earlier.before is not None:
        if earlier.position.deal != match.position.deal:
            return None
        if str(getattr(earlier.newest.command, "card", "")) == card:
            return steps
        steps, earlier = steps + 1, earlier.before
    return None


def steps_to_no_hand(match: Match, seat: Seat) -> int:
    """How many steps to undo until no card of the hand of a seat is known in this deal; 0 if none is."""
    steps, earlier = 0, match
    while earlier.before and _hand(earlier, seat) and earlier.position.deal == match.position.deal:
        steps, earlier = steps + 1, earlier.before
    return steps


def _hand(match: Match, seat: Seat) -> tuple[str, ...]:
    return match.game.hand(match.position.table, seat)


LONGEST_NAME: Final = 8
"""Letters of a name within a sentence on the display."""

MOST_SUSPENDED: Final = 8
"""Suspended matches that can be resumed; older ones stay in the journal only."""


class Session:
    """The match in play, who plays it, and what is known from earlier ones. Used by the game thread only.

    All that changes is in its `state`, which is replaced whole. What is known beside the match is parted: the
    `notes` in the journal, the `names` of the players, what there is to tell `about` the match, and the
    `journal_care` that is done while nobody plays.

    What changes the match or a note is stored at once, and raises `JournalError` with nothing changed where
    that fails. In a `transaction` all of it is stored at the end.
    """

    def __init__(self, journal: Journal, config: Config, translate: Translator) -> None:
        self._journal = journal
        self._config = config
        self.can_deal = False
        """Whether the box can deal a game and play the other seats: an optional part says so."""
        self.stepped: Callable[[Step], None] = lambda _step: None
        """Called with each step once it is part of the match."""
        self.journal_care = JournalCare(journal, lambda: self.match_id, config.journal.keep_matches)
        kept = StateStore(journal, read_state(journal, translate))
        self.about = AboutMatch(journal, kept)
        self._kept = kept
        self._kept.changed = self._look_after
        self.store, self.update, self.adopt, self.transaction = (
            kept.store,
            kept.update,
            kept.adopt,
            kept.transaction,
        )
        self._spoken: tuple[Translator, Translator] | None = None
        self.notes = TableNotes(journal, kept, seat_order=config.table.seat_order)
        self.names = PlayerNames(self.notes, kept, config.table.names)

    def read_again(self) -> None:
        """Read what could not be read at the start, if that can be read now, and resume what was open."""
        state = read_state(self._journal, self.state.texts)
        if state.unread is not None:
            return
        self.update(notes=state.notes, next_number=state.next_number, unread=None)
        self.update(texts=language.translator(self._config, self.notes.recall))
        if (fault := self.resume()) is not None:
            self.note_fault(fault)

    def _look_after(self, before: SessionState, after: SessionState) -> None:
        if after.match_id != before.match_id:
            self.journal_care.match_left(before.match_id)
        for badge in after.erased[len(before.erased) :]:
            self.journal_care.forget(badge)

    @property
    def state(self) -> SessionState:
        return self._kept.state

    @property
    def match(self) -> Match | None:
        return self._kept.state.match  # asked for some ninety times a card

    @property
    def match_id(self) -> int | None:
        return self.state.match_id

    @property
    def faults(self) -> Mapping[str, DeviceFault]:
        """The devices that do not work now, by name."""
        return self.state.faults

    def note_fault(self, fault: DeviceFault) -> None:
        """Note that a device does not work."""
        self.update(faults={**self.faults, fault.device: fault})

    def note_recovery(self, device: str) -> None:
        """Note that a device works again."""
        self.update(faults={name: fault for name, fault in self.faults.items() if name != device})

    # ------------------------------------------------------------------------------------- the language

    @property
    def translate(self) -> Translator:
        """The texts in the language of the table, with the names of its players."""
        texts = self.state.texts
        if self._spoken is None or self._spoken[0] is not texts:
            spoken = copy(texts)
            spoken.naming = self._named
            self._spoken = (texts, spoken)
        return self._spoken[1]

    @property
    def language(self) -> str:
        """The language of the texts, such as "fa"."""
        return self.state.texts.language

    @property
    def has_own_keys(self) -> bool:
        """Whether players have keys of their own at this table."""
        pins = getattr(self._config.buttons.options, "pins", {})
        return any(key.value in pins for key in OWN_KEYS)

    @property
    def asks_language(self) -> bool:
        """Whether people have to choose a language first."""
        return (
            self._config.screen.language == ASK and language.chosen(self.notes.recall, self._config) is None
        )

    def use_language(self, chosen: str) -> None:
        """Say everything in a language from now on, and after the next start. Raises `JournalError`."""
        configured = self._config.screen.language
        self.notes.remember(language.NOTE, {"chosen": chosen, "configured": configured})
        self.update(texts=language.translator(self._config, self.notes.recall))

    def speak(self, translate: Translator) -> None:
        """Say everything in the language of `translate` for now, without storing it."""
        self.update(texts=translate)

    def _named(self, seat: int) -> str | None:
        if self.match is not None:
            return self.short_name(Seat(seat), LONGEST_NAME)
        visitors = () if self.state.visitors is None else self.state.visitors(self.translate)
        return visitors[seat] if seat < len(visitors) else None

    # ------------------------------------------------------------------------------- matches: which one

    def resume(self) -> DeviceFault | None:
        """Open the match that was open when the device went off; why not, if that fails."""
        self._note_configured()
        opened = self.notes.recall(OPEN)
        if type(opened) is not int:
            return None
        try:
            match = self._replay(opened)
        except CompanionError as bad:
            fault, fix = bad.fault_text, bad.fix_text
            told = say("match {match} cannot be resumed: {fault} ({fix})", match=opened, fault=fault, fix=fix)
            check = sentence("start a new match; the old one stays in the journal")
            return DeviceFault("journal", sentence_of(told), check)
        self.update(match=match, match_id=opened, acknowledged_step=_newest_number(match))
        return None

    def _note_configured(self) -> None:
        """Note how many names the configuration has, so that who reads the journal without it can say so."""
        names = len(self._config.table.names)
        if self.notes.recall(players.CONFIGURED_NOTE) != (names or None):
            with suppress(JournalError):
                self.notes.remember(players.CONFIGURED_NOTE, names or None)

    @property
    def has_suspended(self) -> bool:
        """Whether there is a suspended match to resume."""
        return bool(self.notes.suspended(self.match_id))

    def suspended(self) -> tuple[SuspendedMatch, ...]:
        """The matches that were suspended before they were over, the last one first."""
        return suspended_matches(self._journal, self.notes.suspended(self.match_id), self.translate)

    def resume_match(self, match_id: int) -> None:
        """Go on with a suspended match. Raises `CompanionError`, with no match in play.

        Players who had already joined for another match are forgotten.
        """
        match = self._replay(match_id)
        self.store(
            Note(JOINING, None),
            Note(OPEN, match_id),
            match=match,
            match_id=match_id,
            acknowledged_step=_newest_number(match),
        )

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
        away, before = self.notes.suspended(self.match_id), self.match_id
        result = before if self.match is not None and self.match.position.over else self.notes.recall(RESULT)
        number = self.state.next_number
        notes = {OPEN: number, JOINING: None, GROUP: group, SUSPENDED: away, RESULT: result}
        if names := players.note_with(self.notes.recall(players.GAMES_NOTE), terms):
            notes[players.GAMES_NOTE] = names
        self.store(
            Begin(number, log.header(terms)),
            *(Note(key, note) for key, note in notes.items()),
            match=match,
            match_id=number,
            acknowledged_step=0,
            next_number=number + 1,
        )

    @property
    def has_result_before(self) -> bool:
        """Whether a finished match came before the one in play, and nothing of this one is played yet."""
        return (
            self.match is not None
            and self.match.newest is None
            and self.notes.result_before(self.match_id) is not None
        )

    def reopen_result(self) -> None:
        """Leave the match in play, before its first card, for the result of the one before it.

        A match without a single step leaves no trace. Raises `CompanionError` with nothing changed.
        """
        result = self.notes.result_before(self.match_id)
        if result is None:
            return
        match = self._replay(result)
        keep = self._drop if self.match_id is not None and self._is_empty else self.store
        keep(Note(OPEN, result), match=match, match_id=result, acknowledged_step=_newest_number(match) + 1)

    @property
    def has_finished(self) -> bool:
        """Whether there may be a result to show again."""
        try:
            return bool(self.finished())
        except JournalError:
            return True

    def finished(self) -> tuple[FinishedMatch, ...]:
        """The results of the newest matches that are over, the last one first. Raises `JournalError`."""
        return finished_matches(self._journal, self.translate)

    def suspend(self) -> None:
        """Leave the match; it stays in the journal, unless it has no step at all. Raises `JournalError`.

        A match that has steps and is not over can be resumed: `suspended` lists it.
        """
        match, number = self.match, self.match_id
        away = self.notes.suspended(number)
        if self._is_empty:
            self._drop(Note(SUSPENDED, away), Note(OPEN, None), match=None, match_id=None)
            return
        over = match is not None and match.position.over
        if number is not None and match is not None and match.newest is not None and not over:
            away = [number, *away][:MOST_SUSPENDED]
        result = (Note(RESULT, number),) if over else ()
        self.store(Note(SUSPENDED, away), Note(OPEN, None), *result, match=None, match_id=None)

    # ------------------------------------------------------------------------------- the match in play

    @property
    def playing(self) -> Match:
        """The match in play. Raises `RuntimeError` where there is none."""
        if (match := self._kept.state.match) is None:
            raise RuntimeError("no match is in progress")
        return match

    def propose(self, command: Any) -> Step | Refused:  # noqa: ANN401 - a command of the game in play
        """Rule on a command and keep it if it stands. Raises `JournalError` with nothing changed."""
        return self._keep(self.playing.propose(command))

    def join(self, badge: int, begins: str = "") -> Step | Refused:
        """Let the player of a badge join; `begins` is as in `Join`. Raises as `propose` does."""
        match, seat = self.playing, self.seat_to_join(badge)
        back = seat < len(match.totals)
        terms = match.terms if back else with_badge(match.terms, seat, badge)
        extra = {"begins": begins} if begins and not back else {}
        command = replace(match.game.join(seat), **extra)
        return self._keep(match.propose(command), terms if terms != match.terms else None)

    def seat_to_join(self, badge: int) -> Seat:
        """The seat of who joins with a badge: of a player who has left, who comes back, else a new one."""
        match = self.playing
        left = [seat for seat in map(Seat, range(len(match.totals))) if seat not in match.players]
        return next((seat for seat in left if self.badge(seat) == badge), Seat(len(match.totals)))

    @property
    def free_badge(self) -> int:
        """The lowest badge that nobody has who plays, has played or is to join; 0 where none is left."""
        taken = {self.badge(Seat(seat)) for seat in range(len(self.playing.totals))}
        free = (badge for badge in BADGES if badge not in taken.union(self.notes.joins_next))
        return next(free, 0)

    def can_join(self, badge: int) -> bool:
        """Whether a player can join at once."""
        match = self.playing
        return not isinstance(match.propose(match.game.join(self.seat_to_join(badge))), Refused)

    def can_join_next(self, badge: int) -> bool:
        """Whether a player could join before the first card of the next deal, after all who join there."""
        match, seats = self.playing, len(self.playing.totals)
        if match.position.over:
            return False
        players = list(match.players)
        for other in self.notes.joins_next:
            seat = self.seat_to_join(other)
            players.append(seat if seat < len(match.totals) else Seat(seats))
            seats = max(seats, players[-1] + 1)
        seat = self.seat_to_join(badge)
        seat = seat if seat < len(match.totals) else Seat(seats)
        table = match.game.start(seats, tuple(sorted(players)), min(players))
        return isinstance(match.game.judge(table, match.game.join(seat)), Allowed)

    def undo(self) -> Step | Refused:
        """Undo the newest live step. Raises `JournalError`."""
        return self._keep(self.playing.undo())

    def redo(self, gone: Step | None = None) -> Step | Refused:
        """Redo what was undone last, or another step that was undone here. Raises `JournalError`."""
        return self._keep(self.playing.redo(gone))

    def is_robot(self, seat: Seat) -> bool:
        """Whether a robot plays at a seat of the match in play."""
        return bool(level_at(self.playing.terms.robots, seat))

    # ------------------------------------------------------------------------------- names and badges

    @property
    def code(self) -> str:
        """The code prefix of the cards in play; empty if no cards are known."""
        return games.module(self.playing.box).CODE if self.playing.box else ""

    def badge(self, seat: Seat) -> int:
        """The badge number of a seat; a player who joined later without one has the lowest that is free."""
        return badge_of(self.playing.terms.badges, seat)

    def seat(self, badge: int) -> Seat | None:
        """The playing seat of a badge."""
        return next((seat for seat in self.playing.players if self.badge(seat) == badge), None)

    def name(self, seat: Seat) -> str:
        """The name of the player at a seat, in capitals."""
        return self.names.of(self.badge(seat))

    def short_name(self, seat: Seat, columns: int) -> str:
        """The name in at most `columns` letters of SMALL, unlike that of any other player."""
        return self.names.short(self.badge(seat), columns)

    @property
    def waits_for_ready(self) -> bool:
        """Whether players say that they have chosen a card before the cards of a turn are revealed."""
        return self._config.table.ready

    @property
    def ready(self) -> frozenset[Seat]:
        """Who has chosen a card for the turn that comes next. It is stored nowhere."""
        at, seats = self.state.ready
        return seats if at == (self.match_id, self.playing.steps) else frozenset()

    def note_ready(self, seat: Seat) -> int:
        """Note that a player has chosen a card; how many have."""
        seats = self.ready | {seat}
        self.update(ready=((self.match_id, self.playing.steps), seats))
        return len(seats)

    @property
    def joining_next_match(self) -> tuple[int, ...]:
        """The badges that join with the next match of this group; nobody where robots play."""
        return () if any(self.playing.terms.robots) else self.notes.joins_next

    def shown_by_box(self) -> int:
        """How many cards of the turn in play the box shows itself: those of robots whose hands are known."""
        match = self.match
        ask = match.asks[0] if match is not None and match.asks else None
        if match is None or ask is None or ask.kind is not AskKind.PLAY or ask.wait is not Wait.ALL:
            return 0
        robots = self.can_deal and any(match.terms.robots)
        return sum(self.is_robot(seat) and bool(_hand(match, seat)) for seat in ask.seats) if robots else 0

    def next_in_order(self, ask: Ask) -> Seat | None:
        """Whose card comes next where a table scans in seat order; None where any may, or hands are known."""
        together = ask.kind is AskKind.PLAY and ask.wait is Wait.ALL
        known = self.playing.terms.options.get("draft", False)
        if not together or known or not self.notes.in_seat_order:
            return None
        return next((seat for seat in ask.seats if not self.is_robot(seat)), None)

    def label(self, card: str) -> str:
        """A card of the match in play in a line: its number, or its symbol with a word."""
        if (sign := self.sign(card)) is None:
            return self.translate.say(self.playing.game.label(card))
        return " ".join(filter(None, (sign.symbol, self.translate.say(sign.word))))

    def sign(self, card: str) -> Sign | None:
        """A card of the match in play as a picture; None where cards are numbers."""
        return self.playing.game.sign(card)

    def card_named(self, text: str, game: str = "") -> str | None:
        """The name of a card in play; `text` is its name or the number in its code, which begins with `game`.

        None where no card of the game in play is meant.
        """
        match = self.match
        if match is None or game not in ("", self.code):
            return None
        try:
            return match.game.card(match.position.table, text)
        except UnknownCard:
            return None

    def matches_of(self, badge: int) -> int:
        """How many matches have a badge. Raises `CompanionError` for a player of the match in play."""
        return len(erasing.traces(self._journal.reader, badge).matches)

    def erase(self, badge: int) -> None:
        """Erase a badge from every match; a finished match with it is closed. Raises as `matches_of`."""
        found = erasing.traces(self._journal.reader, badge)
        notes = dict(found.notes)
        if self.notes.recall(RESULT) in found.matches:
            notes[RESULT] = None
        closed = self.match_id in found.matches
        self.store(
            Rewrite(found.matches, notes),
            match=None if closed else self.match,
            match_id=None if closed else self.match_id,
            erased=(*self.state.erased, badge),
        )

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
        return state_of(device, self._config, self.faults)

    # ------------------------------------------------------------------------------------------- inner

    @property
    def _is_empty(self) -> bool:
        return self.match is not None and self.match.steps == 0

    def _drop(self, *notes: Note, **changes: Any) -> None:  # noqa: ANN401 - see `StateStore.store`
        """Remove the match in play, which has no step, and store notes."""
        if (number := self.match_id) is None:
            return
        if number + 1 == self.state.next_number:
            self.store(Withdraw(number), *notes, next_number=number, **changes)
        else:
            self.store(Remove(number), *notes, **changes)

    def _replay(self, match_id: int) -> Match:
        return log.replay(
            [self._journal.reader.entry(match_id).header, *self._journal.reader.steps(match_id)]
        )

    def _keep(self, step: Step | Refused, terms: Terms | None = None) -> Step | Refused:
        """Write a step, then make it so. In this order: what people see is always on the disk already."""
        if isinstance(step, Step) and self.match_id is not None:
            after = self.playing.then(step)
            header = None if terms is None else log.header(terms)
            record = log.write_step(step, sentences=False)
            tally = tally_after(self.playing, after)
            if terms is not None:
                after = replace(after, terms=terms)
            self.store(Append(self.match_id, step.number, record, header, tally), match=after)
            self.stepped(step)
        return step


def _newest_number(match: Match) -> int:
    return match.newest.number if match.newest else 0
