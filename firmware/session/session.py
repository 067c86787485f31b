"""The one owner of the match: every change goes to the disk first, then into memory; drawing is elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final

from companion import games, log
from companion.cards import Seat
from companion.errors import CompanionError
from companion.match import Match, Step, Terms, begin
from firmware.history.players import badge_of, with_badge
from firmware.journal.errors import JournalError

if TYPE_CHECKING:
    from companion.ruling import Refused
    from firmware.config.configuration import Config
    from firmware.journal.store import Journal, MatchEntry
    from firmware.translation import Translator
    from hardware.ports import DeviceFault

LONGEST_NAME: Final = 8
"""Letters of a name within a sentence on the glass."""

MOST_AWAY: Final = 8
"""Matches that wait to be gone on with; older ones stay in the journal only."""


class Session:
    """What is true at this table. Used by the game thread only."""

    def __init__(self, journal: Journal, config: Config, translate: Translator) -> None:
        self.journal = journal
        self.config = config
        self.translate = translate
        self.match: Match | None = None
        self.match_id: int | None = None
        self.faults: dict[str, DeviceFault] = {}
        translate.naming = lambda seat: self.name(Seat(seat))[:LONGEST_NAME]

    def resume(self) -> str | None:
        """Take up the match that was open when the device went off; a fault in words if it cannot be."""
        opened = self.journal.recall("open")
        if type(opened) is not int:
            return None
        try:
            self.match = self._replay(opened)
        except (CompanionError, StopIteration) as bad:
            return f"match {opened} cannot be taken up: {bad}"
        self.match_id = opened
        return None

    @property
    def has_suspended(self) -> bool:
        """Whether a match was put away before it was over."""
        return bool(self._suspended_ids())

    def suspended(self) -> tuple[MatchEntry, ...]:
        """The matches that were put away before they were over, the last one first."""
        entries = {entry.id: entry for entry in self.journal.matches()}
        return tuple(entries[number] for number in self._suspended_ids() if number in entries)

    def resume_match(self, match_id: int) -> None:
        """Go on with a match that was put away. Raises `CompanionError`, with no match on the table.

        Who had already said that they play in another one is forgotten.
        """
        match = self._replay(match_id)
        self.journal.remember("joining", None)
        self.journal.remember("open", match_id)
        self.match, self.match_id = match, match_id

    def begin(self, terms: Terms) -> None:
        """Start a match. Raises `CompanionError` for bad terms, `JournalError` if it is not kept."""
        terms = replace(terms, badges=terms.badges[: terms.seats])  # who came later, came to one match
        match = begin(terms)
        group = {"game": terms.game, "badges": list(terms.badges), "options": dict(terms.options)}
        away = self._suspended_ids()
        self.match_id = self.journal.begin(
            log.header(terms), lambda number: {"open": number, "joining": None, "group": group, "away": away}
        )
        self.match = match

    def remember_players(self, game: str, badges: tuple[int, ...]) -> None:
        """Keep who has said that they play, so that a power cut before the first card costs nothing."""
        self.journal.remember("joining", {"game": game, "badges": list(badges)})

    def joining(self) -> tuple[str, tuple[int, ...]]:
        """The game and who had said that they play it when the device went off; nobody if nobody had."""
        kept = self.journal.recall("joining")
        return (kept["game"], tuple(kept["badges"])) if isinstance(kept, dict) else ("", ())

    def suspend(self) -> None:
        """Put the match away; it stays in the journal. Raises `JournalError`.

        One with cards that is not over can be gone on with: `suspended` lists it.
        """
        away = self._suspended_ids()
        if self.match_id is not None and self.playing.newest is not None and not self.playing.position.over:
            away = [self.match_id, *away][:MOST_AWAY]
        self.journal.remember("away", away)
        self.journal.remember("open", None)
        self.match = self.match_id = None

    def propose(self, command: Any) -> Step | Refused:  # noqa: ANN401 - a command of the game in play
        """Rule on a command and make it so if it stands. Raises `JournalError` with nothing changed."""
        return self._make(self.playing.propose(command))

    def join(self, seat: Seat, badge: int | None = None) -> Step | Refused:
        """Somebody comes to a seat, with the badge that was scanned, if any. Raises as `propose` does."""
        match = self.playing
        terms = with_badge(match.terms, seat, badge)
        return self._make(match.propose(match.game.join(seat)), terms if terms != match.terms else None)

    def undo(self) -> Step | Refused:
        """Take back the newest live step. Raises `JournalError`."""
        return self._make(self.playing.undo())

    def redo(self) -> Step | Refused:
        """Bring back what was just taken back. Raises `JournalError`."""
        return self._make(self.playing.redo())

    @property
    def playing(self) -> Match:
        """The match in play; only while there is one."""
        if self.match is None:
            raise RuntimeError("no match is in play")
        return self.match

    @property
    def code(self) -> str:
        """What the codes of the cards in play begin with; empty where no cards are known."""
        return games.module(self.playing.box).CODE if self.playing.box else ""

    def badge(self, seat: Seat) -> int:
        """The badge number of a seat; who joined later without one has the lowest that is free."""
        return badge_of(self.playing.terms, seat)

    def seat(self, badge: int) -> Seat | None:
        """The playing seat of a badge."""
        return next((seat for seat in self.playing.players if self.badge(seat) == badge), None)

    def name(self, seat: Seat) -> str:
        """What a seat is called on the glass, in capitals."""
        return self.badge_name(self.badge(seat))

    def badge_name(self, badge: int) -> str:
        """What the bearer of a badge is called."""
        names = self.config.table.names
        return names[badge - 1].upper() if badge <= len(names) else f"P{badge}"

    def matches_of(self, badge: int) -> int:
        """In how many matches a badge stands. Raises `CompanionError` for who plays now."""
        from firmware.history import erasing

        return len(erasing.traces(self.journal, badge).matches)

    def erase(self, badge: int) -> None:
        """Forget a badge everywhere; a finished match with it is closed. Raises as `matches_of`."""
        from firmware.history import erasing

        if self.match_id in erasing.erase(self.journal, badge).matches:
            self.match = self.match_id = None

    def label(self, card: str) -> str:
        """A card of the match in play in up to 4 columns."""
        return self.translate.say(self.playing.game.label(card))

    def group(self) -> Terms | None:
        """What the last match was about; None before the first, and where the journal cannot be read."""
        group = self._recall("group")
        if not isinstance(group, dict):
            return None
        badges = tuple(group["badges"])
        return Terms(group["game"], len(badges), group["options"], badges=badges)

    def _replay(self, match_id: int) -> Match:
        entry = next(entry for entry in self.journal.matches() if entry.id == match_id)
        return log.replay([entry.header, *self.journal.steps(match_id)])

    def _recall(self, what: str) -> object:
        """What the journal notes, for a page that is drawn: one that cannot be read complains elsewhere."""
        try:
            return self.journal.recall(what)
        except JournalError:
            return None

    def _suspended_ids(self) -> list[int]:
        """The numbers of the matches that were put away and do not lie on the table."""
        kept = self._recall("away")
        return [number for number in kept if number != self.match_id] if isinstance(kept, list) else []

    def _make(self, step: Step | Refused, terms: Terms | None = None) -> Step | Refused:
        if isinstance(step, Step) and self.match_id is not None:
            after = self.playing.then(step)
            header = None if terms is None else log.header(terms)
            self.journal.append(self.match_id, step.number, log.write_step(step), header)
            self.match = after if terms is None else replace(after, terms=terms)
        return step
