"""The course of a tournament: the fold of its log. What does not fit is refused and changes nothing."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final

from companion.text.errors import CompanionError
from companion.text.names import one_spelling
from companion.text.sentence import NOTHING, Text, say
from companion.tournament import acts
from companion.tournament.acts import Act, LogEntry, PlayerAct, ResultAct
from companion.tournament.seating import FEWEST, MOST, USUAL, Before, pairs
from companion.values import Value, replace

HIGHEST_BADGE: Final = 999
LONGEST_NAME: Final = 24
MAX_ROUNDS: Final = 20


class ActRefused(CompanionError):
    """An act does not fit the state of the tournament. Nothing was changed."""


class Participant(Value):
    """Who takes part; `since` is the first round that can be played."""

    badge: int
    name: str
    since: int
    withdrawn: bool = False


class TableResult(Value):
    """The totals of a table in the order of its seats, and how they are known."""

    heads: tuple[int, ...]
    match: str = ""
    """The uid of the match at the box; empty if the director entered the result."""
    confirmed: tuple[int, ...] = ()
    """The badges that confirmed it."""
    reason: str = ""
    """Why the director entered it; empty for what a box told."""


class TournamentTable(Value):
    """A table of a round: its number from 1, who sits there in the order of the seats, and the result."""

    number: int
    badges: tuple[int, ...]
    result: TableResult | None = None

    @property
    def is_confirmed(self) -> bool:
        """Whether all players, or the director, have said that the result is right."""
        return self.result is not None and (
            bool(self.result.reason) or set(self.result.confirmed) == set(self.badges)
        )


class Round(Value):
    """A round that was drawn."""

    number: int
    tables: tuple[TournamentTable, ...]
    closed: bool = False
    final: bool = False

    def table_of(self, badge: int) -> TournamentTable | None:
        """Where a badge sits; None if it does not play this round."""
        return next((table for table in self.tables if badge in table.badges), None)


class Tournament(Value):
    """A tournament after some entries of its log."""

    rules: acts.Opened
    players: tuple[Participant, ...] = ()
    """In the order in which they came."""
    rounds: tuple[Round, ...] = ()
    finished: bool = False
    entries: int = 1

    @property
    def playing(self) -> tuple[Participant, ...]:
        """Who would be seated in the next round."""
        return tuple(player for player in self.players if not player.withdrawn)

    @property
    def open_round(self) -> Round | None:
        """The round that is being played; None between two rounds."""
        return self.rounds[-1] if self.rounds and not self.rounds[-1].closed else None

    def player(self, badge: int) -> Participant | None:
        return next((player for player in self.players if player.badge == badge), None)

    def before(self, number: int) -> Before:
        """Who has met, and who sat at a table of three or five, in the rounds before round `number`."""
        rounds = [round_ for round_ in self.rounds[: number - 1] if not round_.final]
        seated = [table.badges for round_ in rounds for table in round_.tables]
        met = Counter(pair for badges in seated for pair in pairs(badges))
        odd = Counter(badge for badges in seated for badge in badges if len(badges) != USUAL)
        return Before(met, odd)


def fold(entries: Iterable[LogEntry]) -> Tournament:
    """The tournament after its log. Raises `ActRefused` for a log that nobody could have written."""
    tournament: Tournament | None = None
    for entry in entries:
        tournament = after(tournament, entry.act)
    if tournament is None:
        raise ActRefused(say("the log of the tournament is empty"), say("open a tournament"))
    return tournament


def after(tournament: Tournament | None, act: Act) -> Tournament:
    """The tournament after an act; the first act opens it. Raises `ActRefused`."""
    if isinstance(act, acts.Opened):
        if tournament is not None:
            raise ActRefused(say("the tournament is already open"), say("end it first"))
        return Tournament(_checked(act))
    if tournament is None:
        raise ActRefused(say("there is no tournament"), say("open a tournament"))
    if tournament.finished:
        raise ActRefused(say("the tournament is over"), say("open a new one"))
    if isinstance(act, PlayerAct):
        changed = _with_player(tournament, act)
    elif isinstance(act, ResultAct):
        changed = _with_result(tournament, act)
    elif isinstance(act, acts.Drawn):
        changed = _drawn(tournament, act)
    elif isinstance(act, acts.Closed):
        changed = _closed(tournament, act)
    else:
        if tournament.open_round is not None:
            raise ActRefused(say("round {round} is not closed", round=len(tournament.rounds)), _CLOSE)
        changed = replace(tournament, finished=True)
    return replace(changed, entries=tournament.entries + 1)


_CLOSE: Final = say("close it first")
NOTHING_TO_DO: Final = say("there is nothing to do")


def _checked(rules: acts.Opened) -> acts.Opened:
    fault: Text = NOTHING
    if not rules.title.strip() or not rules.seed.strip():
        fault = say("a tournament needs a title and a seed")
    elif not 1 <= rules.rounds <= MAX_ROUNDS:
        fault = say("{rounds} rounds cannot be played", rounds=rules.rounds)
    elif rules.pairing not in (acts.MEET, acts.SWISS):
        fault = say("there is no pairing '{pairing}'", pairing=rules.pairing)
    elif rules.largest not in (USUAL, MOST) or rules.final not in (0, USUAL, MOST):
        fault = say("the maximum number of players at a table must be 4 or 5")
    if fault != NOTHING:
        raise ActRefused(fault, say("change it, and open the tournament again"))
    return rules


def _with_player(tournament: Tournament, act: PlayerAct) -> Tournament:
    known = tournament.player(act.badge)
    if isinstance(act, acts.Registered):
        return _registered(tournament, act, known)
    if known is None:
        raise ActRefused(say("badge {badge} is not registered", badge=act.badge), say("register it"))
    if isinstance(act, acts.Renamed):
        player = replace(known, name=_name(act.name))
    else:
        leaves = isinstance(act, acts.Withdrew)
        if known.withdrawn == leaves:
            fault = say("{name} has already left", name=known.name)
            raise ActRefused(fault if leaves else say("{name} has not left", name=known.name), NOTHING_TO_DO)
        player = replace(known, withdrawn=leaves)
    players = tuple(player if other.badge == act.badge else other for other in tournament.players)
    return replace(tournament, players=players)


def _registered(tournament: Tournament, act: acts.Registered, known: Participant | None) -> Tournament:
    if not 1 <= act.badge <= HIGHEST_BADGE:
        fault = say("there is no badge {badge}", badge=act.badge)
        raise ActRefused(fault, say("use 1 to {highest}", highest=HIGHEST_BADGE))
    if known is not None:
        fault = say("badge {badge} belongs to {name}", badge=act.badge, name=known.name)
        raise ActRefused(fault, say("take another badge"))
    since = len(tournament.rounds) + 1
    return replace(tournament, players=(*tournament.players, Participant(act.badge, _name(act.name), since)))


def _name(name: str) -> str:
    name = " ".join(one_spelling(name).split())
    if not name or len(name) > LONGEST_NAME:
        fault = say("a name has 1 to {longest} letters", longest=LONGEST_NAME)
        raise ActRefused(fault, say("use a shorter name, or enter one if it is empty"))
    return name


def next_round(tournament: Tournament) -> int:
    """The number of the round that may be drawn now. Raises `ActRefused` while one with results is open."""
    open_ = tournament.open_round
    if open_ is None:
        if tournament.rounds and tournament.rounds[-1].final:
            raise ActRefused(say("the final has been played"), say("end the tournament"))
        return len(tournament.rounds) + 1
    if any(table.result for table in open_.tables):
        raise ActRefused(say("round {round} is being played", round=open_.number), _CLOSE)
    return open_.number


def _drawn(tournament: Tournament, act: acts.Drawn) -> Tournament:
    number = next_round(tournament)
    seated = [badge for table in act.tables for badge in table]
    playing = {player.badge for player in tournament.playing}
    is_turn = act.round == number and act.final == (number > tournament.rules.rounds)
    fits = len(act.tables) == 1 and set(seated) <= playing if act.final else set(seated) == playing
    sizes_fit = all(FEWEST <= len(table) <= MOST for table in act.tables)
    if not (is_turn and fits and sizes_fit) or len(seated) != len(set(seated)):
        raise ActRefused(say("these seats do not fit the players"), say("draw the round again"))
    tables = tuple(TournamentTable(at, badges) for at, badges in enumerate(act.tables, start=1))
    drawn = Round(number, tables, final=act.final)
    return replace(tournament, rounds=(*tournament.rounds[: number - 1], drawn))


def _with_result(tournament: Tournament, act: ResultAct) -> Tournament:
    round_ = tournament.rounds[act.round - 1] if 1 <= act.round <= len(tournament.rounds) else None
    if round_ is None or not 1 <= act.table <= len(round_.tables):
        fault = say("round {round} has no table {table}", round=act.round, table=act.table)
        raise ActRefused(fault, say("look at the seating plan"))
    if round_.closed and not isinstance(act, acts.Corrected):
        fault = say("round {round} is closed", round=act.round)
        raise ActRefused(fault, say("the director can correct the result"))
    table = round_.tables[act.table - 1]
    result = _result(table, act)
    tables = tuple(replace(other, result=result) if other is table else other for other in round_.tables)
    rounds = tuple(replace(other, tables=tables) if other is round_ else other for other in tournament.rounds)
    return replace(tournament, rounds=rounds)


def _result(table: TournamentTable, act: ResultAct) -> TableResult | None:
    now = table.result
    match act:
        case acts.Corrected():
            if not act.reason.strip():
                raise ActRefused(say("a correction needs a reason"), say("give a reason"))
            return TableResult(_heads(table, act.heads), reason=act.reason.strip())
        case acts.ResultTold():
            _of_this_match(now, act.match)
            heads = _heads(table, act.heads)
            return now if now is not None and now.heads == heads else TableResult(heads, act.match)
        case acts.ResultUndone():
            _of_this_match(now, act.match)
            return None
        case acts.Confirmed():
            if now is None:
                raise ActRefused(say("table {table} has no result", table=act.table), say("end the match"))
            if act.badge not in table.badges:
                fault = say("badge {badge} is not at table {table}", badge=act.badge, table=act.table)
                raise ActRefused(fault, say("look at the seating plan"))
            return replace(now, confirmed=tuple(sorted({*now.confirmed, act.badge})))


def _of_this_match(now: TableResult | None, match: str) -> None:
    if now is not None and now.reason:
        raise ActRefused(say("the director has entered the result"), say("ask the director"))
    if now is not None and now.match != match:
        raise ActRefused(say("the result of this table came from another match"), say("ask the director"))


def _heads(table: TournamentTable, heads: Sequence[int]) -> tuple[int, ...]:
    if len(heads) != len(table.badges):
        fault = say("{totals} totals for {players} players", totals=len(heads), players=len(table.badges))
        raise ActRefused(fault, say("give one for each seat"))
    return tuple(heads)


def _closed(tournament: Tournament, act: acts.Closed) -> Tournament:
    open_ = tournament.open_round
    if open_ is None or open_.number != act.round:
        raise ActRefused(say("round {round} is not open", round=act.round), NOTHING_TO_DO)
    missing = tuple(table.number for table in open_.tables if table.result is None)
    if missing:
        fault = say("these tables have no result: {tables}", tables=missing)
        raise ActRefused(fault, say("wait for the results, or enter them"))
    return replace(tournament, rounds=(*tournament.rounds[:-1], replace(open_, closed=True)))
