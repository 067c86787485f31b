"""Commands about the score, the same for every game: correcting a deal, ending a match early, settling a tie.

They are possible in every game, even after the match is over. Nothing is changed here:
`score_sheet` holds the points, `match` applies the events.
"""

from typing import Final, get_args

from msgspec import UNSET

from companion.core import score_sheet
from companion.core.cards import Seat, listed_players, who
from companion.core.codec import Number, Record
from companion.core.ruling import Allowed, Because, Illegal, Join, Refused, Rule
from companion.core.score_sheet import (
    EndRules,
    ScoreSheet,
    TieChoice,
    points_range,
    why_one_more,
    why_settled,
    why_shared,
)
from companion.text.sentence import Text, count, say
from companion.values import Value

CORRECTED: Final = Rule(
    "M-CORRECT",
    "this device",
    "SCORE CORRECTED",
    "The score of any finished deal can be corrected, even after the match; the old one stays in the log.",
)
EARLY: Final = Rule(
    "M-EARLY",
    "this device",
    "MATCH ENDED EARLY",
    "The players may end a match at any time; finished deals count, the one in progress does not.",
)
OUTCOME: Final = Rule(
    "M-OUTCOME",
    "this device",
    "WHO WINS NOW",
    "When a score changes, the device checks again whether the match is over and who has won it.",
)
TIE: Final = Rule(
    "M-TIE",
    "house rule: no rulebook has a tie-break",
    "TIE FOR FIRST",
    "Those tied for the best total agree, once only, to share the victory, to let the better last deal "
    "decide, or to play one more deal.",
)
START: Final = Rule(
    "M-START",
    "house rule: no rulebook has players who join",
    "TOTAL OF A NEW PLAYER",
    "Newcomers begin with 0 or, if the players agree, with the worst or mean total of the others.",
)
RULES: Final = (CORRECTED, EARLY, OUTCOME, TIE, START, *score_sheet.RULES)


class CorrectScore(Record, tag="correct_score"):
    """The points of a finished deal as they should be: all of them, by seat. Deals count from 1."""

    deal: Number
    points: tuple[Number, ...]


class EndMatch(Record, tag="end_match"):
    """The players agree to end the match now."""


class SettleTie(Record, tag="settle_tie"):
    """What the players agree on about a tie for the first place: "shared", "last_deal" or "one_more"."""

    by: str


class ScoreCorrected(Record, tag="score_corrected"):
    """A finished deal counts `new` in place of `old`, by seat."""

    deal: Number
    old: tuple[Number, ...]
    new: tuple[Number, ...]


class MatchEnded(Record, tag="match_ended"):
    """The players agreed to end the match; the deal in progress does not count."""


class TieSettled(Record, tag="tie_settled"):
    """The players agreed on what becomes of a tie for the first place: a value of `TieChoice`."""

    by: str


class StartGiven(Record, tag="start_given"):
    """A player who has joined begins with these points."""

    seat: Seat
    points: Number


class DealReopened(Record, tag="deal_reopened"):
    """The deal that had just ended is in progress again, because its last turn was wrong; it has no score."""

    deal: Number


Command = CorrectScore | EndMatch | SettleTie
Event = ScoreCorrected | MatchEnded | TieSettled | StartGiven | DealReopened

COMMANDS: Final[tuple[type[Command], ...]] = get_args(Command)
EVENTS: Final[tuple[type[Event], ...]] = get_args(Event)


class AtTable(Value):
    """Who plays, and by which rules the match ends.

    `seats` have points, including those that joined in this deal; `players` play now.
    """

    seats: int
    players: tuple[Seat, ...]
    over: bool
    rules: EndRules


class ScoreState(Value):
    """The state of the score: who would win now, whether the match is over, or ends with this deal.

    `tied` says that not one side wins, but several.
    """

    winners: tuple[Seat, ...]
    tied: bool
    best: int
    over: bool
    last_deal: bool
    deal: int


def judge(score_sheet: ScoreSheet, table: AtTable, command: Command) -> Allowed[Event] | Refused:
    try:
        match command:
            case CorrectScore():
                return _corrected(score_sheet, table, command)
            case EndMatch():
                return _ended(score_sheet, table)
            case SettleTie():
                return _settled(score_sheet, table, command)
    except Illegal as illegal:
        return illegal.refused
    raise TypeError(command)  # pragma: no cover - the match is exhaustive, which mypy checks


def start_of(sheet: ScoreSheet, players: tuple[Seat, ...], join: Join) -> Allowed[Event] | Refused:
    """The points that a player who joins begins with, where they are not 0."""
    begins, seat = join.begins, join.seat
    if begins is UNSET or not sheet.deals:
        return Allowed((), ())
    if seat < sheet.seats:
        return Refused(START, say("{player} already has points", player=who(seat)), say("drop 'begins'"))
    points = sheet.total_to_join(begins, players)
    reason = START.because("{player} begins with {points}, as agreed", player=who(seat), points=points)
    return Allowed((StartGiven(seat, points),), (reason,))


def consequence(before: ScoreState, after: ScoreState, rules: EndRules) -> tuple[Because, ...]:
    """What a corrected score means for the match; empty if nothing changes."""
    reason: Text | None = None
    if after.over and not before.over:
        reason = say("the match is over: {who}", who=_win(after))
    elif before.over and not after.over:
        reason = say("the match is not over: it continues with deal {deal}", deal=after.deal)
    elif after.over and after.winners != before.winners:
        reason = say("{who}, not {others}", who=_win(after), others=listed_players(before.winners))
    elif after.last_deal and not before.last_deal:
        reason = say("the match will be over after this deal")
    elif before.last_deal and not after.last_deal:
        reason = say("as the score stands, the match will not be over after this deal")
    if reason is None:
        return ()
    shared = (why_shared(after.winners, rules),) if after.over and after.tied else ()
    return (OUTCOME.because(reason), *shared)


def _row(score_sheet: ScoreSheet, table: AtTable, deal: int) -> tuple[int, ...]:
    """The points of a deal for all seats. Raises `Illegal` for a deal that is not finished."""
    finished = len(score_sheet.deals)
    CORRECTED.demands(finished, "no deal is finished", "undo the mistake in the deal in progress")
    if not 1 <= deal <= finished:
        fix = count("correct deal {count}", "correct one of the deals 1 to {count}", finished)
        raise CORRECTED.forbids("deal {deal} is not finished", fix, deal=deal)
    row = score_sheet.deals[deal - 1]
    return row + (0,) * (table.seats - len(row))


def _corrected(score_sheet: ScoreSheet, table: AtTable, command: CorrectScore) -> Allowed[Event]:
    deal, points, old = command.deal, command.points, _row(score_sheet, table, command.deal)
    lowest, most = points_range(negative=score_sheet.scoring.negative)
    if len(points) != len(old):
        fault = count(
            "{count} score for {seats} seats", "{count} scores for {seats} seats", len(points), seats=len(old)
        )
        raise CORRECTED.forbids(fault, "give points for every seat")
    for seat, value in enumerate(points):
        if not lowest <= value <= most:
            fault = say("{player} cannot have {points} in a deal", player=who(Seat(seat)), points=value)
            raise CORRECTED.forbids(fault, "use {lowest} to {most}", lowest=lowest, most=most)
    changed = tuple(
        say("{player} has {new}, not {old}", player=who(Seat(seat)), new=value, old=old[seat])
        for seat, value in enumerate(points)
        if value != old[seat]
    )
    CORRECTED.demands(changed, "deal {deal} already has these points", "give the correct points", deal=deal)
    reason = CORRECTED.because("deal {deal}: {changed}", deal=deal, changed=changed)
    return Allowed((ScoreCorrected(deal, score_sheet.deals[deal - 1], points),), (reason,))


def _ended(score_sheet: ScoreSheet, table: AtTable) -> Allowed[Event]:
    EARLY.demands(not table.over, "the match is already over", "start a new match")
    deals, fault = len(score_sheet.deals), say("no deal is finished, so nobody can have won")
    EARLY.demands(deals, fault, "end this deal first, or suspend the match")
    return Allowed((MatchEnded(),), (why_early(deals),))


def _settled(score_sheet: ScoreSheet, table: AtTable, command: SettleTie) -> Allowed[Event]:
    choices, by = tuple(choice.value for choice in TieChoice), command.by
    TIE.demands(table.over, "the match is not over", "finish the match first")
    TIE.demands(score_sheet.tied(table.players), "nobody shares the best total", "start a new match")
    if score_sheet.settled is not None:
        fault = say("the players have already agreed on {choice}", choice=score_sheet.settled.value)
        raise TIE.forbids(fault, "undo it first")
    if by not in choices:
        fix = say("use one of these: {choices}", choices=choices)
        raise TIE.forbids('"{choice}" does not settle a tie', fix, choice=by)
    after = score_sheet.settle(TieChoice(by))
    if after.settled is None:
        because: tuple[Because, ...] = (why_one_more(after),)
    else:
        because = tuple(why_settled(after, table.players, table.rules))
    return Allowed((TieSettled(by),), because)


def why_early(deals: int) -> Because:
    """Why a match is over before its end rule says so."""
    reason = count(
        "the players end the match after {count} deal", "the players end the match after {count} deals", deals
    )
    return EARLY.because(reason)


def _win(standing: ScoreState) -> Text:
    return count(
        "{players} wins with {best}",
        "{players} share the win with {best}",
        len(standing.winners),
        players=listed_players(standing.winners),
        best=standing.best,
    )
