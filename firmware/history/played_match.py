"""A match read back from the journal: the players, every deal with its totals, when it began and ended."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from enum import Enum
from itertools import chain
from typing import Any, Final

from companion.core import games
from companion.core.cards import Seat
from companion.core.score_sheet import EndRule, Place, When
from companion.match import log
from companion.match.match import Match
from companion.match.tally import deal_tallies, tally_of
from companion.text.errors import CompanionError, InvalidRecord
from companion.text.sentence import Text, count, say
from companion.values import Value, replace
from firmware.history.players import Person, people_of
from firmware.history.portions import Portions
from firmware.history.stored_time import minutes_of, read_time
from firmware.journal.errors import DamagedMatch
from firmware.journal.reader import JournalReader
from firmware.journal.rows import MatchEntry
from firmware.text.translation import Translator

STEPS_AT_ONCE: Final = 500
"""So many steps are read in one portion, which takes about 20 ms on a desktop."""


class Verified(Enum):
    """Whether the points of a deal are verified by its cards."""

    YES = "yes"
    """Every card was tracked, and they add up."""
    NO = "no"
    """Points were typed in, or cards are missing, or the deal was ended early."""
    CORRECTED = "corrected"
    """The score was corrected by hand afterwards."""


class PlayedDeal(Value):
    """A finished deal, counted from 1: points and totals by seat, and who played it."""

    number: int
    points: tuple[int, ...]
    totals: tuple[int, ...]
    players: tuple[Seat, ...]
    places: tuple[Place, ...]
    verified: Verified


class PlayedMatch(Value):
    """A match that was read back. `begun` and `ended` are times in UTC, None where the clock said none.

    `ended` is the step that ended the match, whatever was corrected later; of a match that is not
    over, the newest step. `minutes` is how long was played until then, None if unknown. `damage` says
    from where on the journal is damaged: the match is then what was played before.
    """

    id: int
    uid: str
    match: Match
    people: tuple[Person, ...]
    deals: tuple[PlayedDeal, ...]
    begun: datetime | None
    ended: datetime | None
    minutes: int | None
    damage: DamagedMatch | None = None

    @property
    def winners(self) -> tuple[Person, ...]:
        """The winners; empty while the match is not over."""
        return tuple(self.people[seat] for seat in self.match.winners or ())

    @property
    def rule(self) -> str:
        """When the match ends: `>=66`, `>66` or `3 deals`."""
        return rule_of(self.match.game.end)

    @property
    def length(self) -> Text:
        """When the match ends, in words."""
        end = self.match.game.end
        if end.deals:
            return count("{count} deal", "{count} deals", end.deals)
        if end.when is When.PASSED:
            return say("past {number}", number=end.target)
        # Translators: the match goes to this number of points; or past it; or this number of deals.
        return say("to {number}", number=end.target)

    @property
    def deck(self) -> int:
        """The number of cards in use; 0 if only points are known."""
        cards = self.match.game.cards(self.match.position.table)
        all_known = all(card.isdigit() for card in cards)
        return len(cards if all_known else games.module(self.match.box).DECK)

    def named_in(self, t: Translator) -> "PlayedMatch":
        """The same with players called as people read it."""
        return replace(self, people=tuple(replace(person, name=person.called(t)) for person in self.people))

    def names(self, seats: Sequence[Seat]) -> str:
        """The players of some seats, as one line."""
        return " + ".join(self.people[seat].name for seat in seats)


def rule_of(end: EndRule) -> str:
    """An end rule in short form."""
    if end.deals:
        return "1 deal" if end.deals == 1 else f"{end.deals} deals"
    return f"{'>' if end.when is When.PASSED else '>='}{end.target}"


def read_in_portions(
    journal: JournalReader, entry: MatchEntry, names: Sequence[str]
) -> Portions[PlayedMatch]:
    """A match of the journal, up to a damage in it, in portions of `STEPS_AT_ONCE` steps.

    Raises `JournalError`, and `CompanionError` if its log cannot be read.
    """
    times: list[str] = []
    damage: list[DamagedMatch] = []

    def records() -> Iterator[Mapping[str, Any]]:
        yield entry.header
        try:
            for record, at in steps:
                times.append(at)
                yield record
        except DamagedMatch as bad:
            damage.append(bad)

    steps = journal.timed_steps(entry.id)
    try:
        for match in log.each_step(records()):  # noqa: B007 - the last one is used
            if len(times) % STEPS_AT_ONCE == STEPS_AT_ONCE - 1:
                yield
    except InvalidRecord as bad:
        raise InvalidRecord(f"match {entry.id} cannot be shown: {bad.fault}", bad.fix) from bad
    past = played_match(match, entry, times, names)
    return replace(past, damage=damage[0]) if damage else past


def replayed(reader: JournalReader) -> list[int]:
    """The number of steps of every match, after replaying each. Raises `CompanionError`."""
    steps = []
    for entry in reader.each_match():
        if entry.fault is not None:
            reader.entry(entry.id)  # raises
        try:
            match = log.replay(chain([entry.header], reader.steps(entry.id)))
        except InvalidRecord as bad:
            raise InvalidRecord(f"match {entry.id} cannot be replayed: {bad.fault}", bad.fix) from bad
        steps.append(match.steps)
        if entry.tally is not None and entry.tally != tally_of(match):
            fix = "its steps are right: nimmt export; send the match to the makers: nimmt support"
            raise CompanionError(f"the summary of match {entry.id} is not what its steps amount to", fix)
    if (missing := reader.fault_of_count()) is not None:
        raise CompanionError(missing, "use an older backup; what is left can be exported: nimmt export --all")
    return steps


def played_match(match: Match, entry: MatchEntry, times: Sequence[str], names: Sequence[str]) -> PlayedMatch:
    """A match with its metadata; `times` are those of its steps."""
    last = _ending(match)
    at = times[last - 1] if 0 < last <= len(times) else ""
    minutes = minutes_of((entry.started_at, *times[:last]))
    people, deals = people_of(match, names), tuple(_deals_of(match))
    begun, ended = read_time(entry.started_at), read_time(at)
    return PlayedMatch(entry.id, entry.uid, match, people, deals, begun, ended, minutes)


def _ending(match: Match) -> int:
    """The number of the step that ended the match, or of the newest one."""
    at, ended = match, None
    while at.position.over and at.newest is not None and at.before is not None:
        at, ended = at.before, at.newest
    return match.steps if ended is None else ended.number


def _deals_of(match: Match) -> Iterator[PlayedDeal]:
    score_sheet = match.position.score_sheet
    for number, tally in enumerate(deal_tallies(match), start=1):
        settled = score_sheet.settled if number == len(score_sheet.deals) else None
        so_far = replace(score_sheet, deals=score_sheet.deals[:number], settled=settled)
        verified = Verified.YES if tally.verified else Verified.NO
        verified = Verified.CORRECTED if tally.corrected else verified
        places = tuple(so_far.standings(tally.players))
        yield PlayedDeal(number, tally.points, so_far.totals, tally.players, places, verified)
