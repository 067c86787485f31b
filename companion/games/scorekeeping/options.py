"""What can be agreed before a score is kept: of which game, how it comes in, who wins."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Final

from msgspec import Meta

from companion.core import games
from companion.core.cards import Seat
from companion.core.codec import encode_short, json_schema
from companion.core.options import read_agreed
from companion.core.questions import Choice, Question
from companion.core.score_sheet import (
    HIGHEST_TARGET,
    MOST_DEALS,
    MOST_POINTS,
    EndRule,
    Scoring,
)
from companion.games.scorekeeping.box import HAND, OTHER, ROWS, SEATS, TITLE, Box, Left, box_of
from companion.text.errors import InvalidRecord, did_you_mean, quoted
from companion.text.sentence import CardNumber, is_one_line, say
from companion.values import Value, replace

if TYPE_CHECKING:
    from collections.abc import Mapping

KEY: Final = "score"
LONGEST_NAME: Final = 24
"""Characters of the name of a game that people write."""

Team = Annotated[
    tuple[Annotated[int, Meta(ge=0, le=SEATS[-1] - 1)], ...],
    Meta(min_length=1),
]

TARGET: Final = EndRule(100)
"""If the game is not known, the match ends at this total unless agreed otherwise."""


def games_known() -> tuple[str, ...]:
    """The games whose score can be kept with their cards."""
    return tuple(key for key in games.GAMES if key != KEY)


class Entry(Enum):
    """How scores are entered; the value is that of the option."""

    TYPED = "typed"
    """People type the points of everybody."""
    PILES = "piles"
    """The cards of everybody are scanned when the deal is over, one pile or hand after the other."""
    TAKES = "takes"
    """Cards are scanned during play, as they are taken."""


class Deck(Enum):
    """Which cards of 6 nimmt! are used; the value is the option's."""

    FULL = "full"
    KNOWN = "known"


class Options(Value, forbid_unknown_fields=True):
    """What was agreed: `of` is the game whose points are counted, or `OTHER`."""

    of: str = OTHER
    entry: Entry = Entry.TYPED
    end: EndRule = TARGET
    name: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""
    """What people call the game, if `of` is `OTHER`."""
    deck: Deck = Deck.FULL
    high_wins: bool = False
    teams: tuple[Team, ...] = ()
    start: tuple[int, ...] = ()

    @property
    def scoring(self) -> Scoring:
        """How totals are compared."""
        teams = tuple(tuple(sorted(map(Seat, team))) for team in self.teams)
        return Scoring(self.high_wins, teams, self.start, negative=box_of(self.of).left is Left.NUMBERS)

    @property
    def box(self) -> Box:
        """The cards that are counted."""
        return box_of(self.of, known=self.deck is Deck.KNOWN)

    @property
    def most(self) -> int:
        """How many can play: as many as in the game whose points are counted."""
        return SEATS[-1] if self.of == OTHER else games.module(self.of).SEATS[-1]

    def record(self) -> dict[str, Any]:
        """The options that are read as these again."""
        return {**encode_short(self, "of", "entry", "end"), "end": self.end.options()}


def read_options(seats: int, options: Mapping[str, Any]) -> Options:
    """The options for a number of seats. Raises `InvalidRecord`, naming the option that will not do."""
    agreed = read_agreed(Options, options, TITLE, seats, SEATS)
    of, names = agreed.of, (*games_known(), OTHER)
    if of not in names:
        raise InvalidRecord(
            say("{path} is {value}", path="options.of", value=quoted(of)), did_you_mean(of[:20], names)
        )
    _check_cards(agreed, box_of(of).left)
    _check_teams(agreed.teams, seats)
    if len(agreed.start) not in (0, seats) or any(abs(points) > MOST_POINTS for points in agreed.start):
        raise InvalidRecord(
            say("{path} is {value}", path="options.start", value=quoted(list(agreed.start))),
            say(
                "list what each of the {seats} seats starts with, from {least} to {most}",
                seats=seats,
                least=-MOST_POINTS,
                most=MOST_POINTS,
            ),
        )
    if of != OTHER and "end" not in options:
        agreed = replace(agreed, end=games.module(of).make(seats, {}).end)
    return replace(
        agreed,
        name=" ".join(agreed.name.split()),
        teams=tuple(tuple(sorted(team)) for team in agreed.teams),
    )


def _check_cards(agreed: Options, left: Left) -> None:
    """Whether the name, the way of entry and the deck go with the game."""
    if not is_one_line(agreed.name):
        raise InvalidRecord(
            say("{path} is {value}", path="options.name", value=quoted(agreed.name)),
            say("use a text of up to {most} characters", most=LONGEST_NAME),
        )
    if agreed.name.strip() and agreed.of != OTHER:
        raise InvalidRecord(
            say("{title} has its name", title=games.module(agreed.of).TITLE),
            say('leave "name" out, or use "of": "other"'),
        )
    if agreed.entry is not Entry.TYPED and left is Left.NUMBERS:
        raise InvalidRecord(
            say("the cards of this game are not known, so none can be scanned"), say('use "entry": "typed"')
        )
    if agreed.entry is Entry.TAKES and left is Left.HANDS:
        raise InvalidRecord(
            say("in this game only the cards left in the hands count"), say('use "entry": "piles" or "typed"')
        )
    if agreed.deck is Deck.KNOWN and left is not Left.PILES:
        raise InvalidRecord(say("only 6 nimmt! has a known deck"), say('leave "deck" out'))


def _check_teams(teams: tuple[Team, ...], seats: int) -> None:
    will_do = say("list the seats of each team, counted from 0, as in [[0, 2], [1, 3]]")
    named = [seat for team in teams for seat in team]
    for seat in named:
        if seat >= seats:
            raise InvalidRecord(
                say("a team has the seat {seat}", seat=quoted(seat)),
                say("use seats from 0 to {seats}", seats=seats - 1),
            )
    if len(set(named)) != len(named):
        raise InvalidRecord(say("a seat is in two teams, or twice in one"), will_do)
    if len(teams) == 1 and len(named) == seats:
        raise InvalidRecord(say("all seats are in one team"), will_do)


def questions(seats: int) -> tuple[Question, ...]:
    """What to settle before a match: the game, and then what can be agreed about it."""
    playable = [key for key in games_known() if seats in games.module(key).SEATS]
    titles = {key: games.module(key).TITLE for key in playable}
    which = (
        *(Choice(say("{title}", title=title), {"of": key}) for key, title in titles.items()),
        Choice(say("OTHER (POINTS)"), {"of": OTHER}),
        Choice(say("WRITE ITS NAME"), {"of": OTHER}),
    )
    asked = [Question(say("WHICH GAME?"), which, say("POINTS ONLY"), writes="name")]
    for key in playable:
        asked += _about_cards(key, seats)
        asked.append(_end_of(key, seats))
    return (*asked, *_about_other(seats))


def _about_cards(key: str, seats: int) -> list[Question]:
    only = {"of": key}
    left = box_of(key).left
    if left is Left.NUMBERS:
        return []
    ways = [(say("TYPE THE SUMS"), Entry.TYPED), (say("SCAN THE PILES"), Entry.PILES)]
    if left is Left.PILES:
        ways.append((say("SCAN WHAT IS TAKEN"), Entry.TAKES))
    choices = tuple(Choice(text, {**only, "entry": entry.value}) for text, entry in ways)
    asked = [Question(say("HOW IS IT COUNTED?"), choices, say("SUMS ARE QUICKEST"), only=only)]
    box = box_of(key, known=True)
    if left is Left.PILES and not box_of(key).whole(seats):
        deck = box.deck(seats)
        pro = say("KNOWN DECK 1-{highest}", highest=CardNumber(HAND * seats + ROWS), heads=box.points(deck))
        decks = (
            Choice(say("ALL 104"), {**only, "deck": Deck.FULL.value}),
            Choice(pro, {**only, "deck": Deck.KNOWN.value}),
        )
        asked.append(Question(say("WHICH CARDS?"), decks, say("OTHER CARDS REJECTED"), only=only))
    return asked


def _end_of(key: str, seats: int) -> Question:
    only = {"of": key}
    end = games.module(key).make(seats, {}).end
    title = say("MATCH ENDS WHEN ...")
    if end.deals:
        as_printed = Choice(say("AFTER {deals} DEALS", deals=end.deals), {**only, "end": end.options()})
        other = Choice(say("OTHER NUMBER"), {**only, "end": {"deals": end.deals}})
        dial = ("end.deals", 1, MOST_DEALS, end.deals)
        return Question(title, (as_printed, other), say("CHECKED AFTER A DEAL"), dial, only)
    number = end.target
    choices = (
        Choice(say("SOMEONE HAS ≥ {number}", number=number), {**only, "end": _target(number, "reached")}),
        Choice(say("SOMEONE HAS > {number}", number=number), {**only, "end": _target(number, "passed")}),
        Choice(say("AFTER 3 DEALS"), {**only, "end": {"deals": 3}}),
        Choice(say("OTHER LIMIT"), {**only, "end": _target(number, "reached")}),
    )
    dial = ("end.target", 1, HIGHEST_TARGET, number)
    return Question(title, choices, say("CHECKED AFTER A DEAL"), dial, only)


def _target(number: int, when: str) -> dict[str, Any]:
    return {"target": number, "when": when}


def _about_other(seats: int) -> list[Question]:
    only = {"of": OTHER}
    number = TARGET.target
    ends = (
        Choice(say("SOMEONE HAS ≥ {number}", number=number), {**only, "end": _target(number, "reached")}),
        Choice(say("AFTER 5 DEALS"), {**only, "end": {"deals": 5}}),
        Choice(say("OTHER LIMIT"), {**only, "end": _target(number, "reached")}),
    )
    wins = (
        Choice(say("LOWEST WINS"), {**only, "high_wins": False}),
        Choice(say("HIGHEST WINS"), {**only, "high_wins": True}),
    )
    note = say("CHECKED AFTER A DEAL")
    asked = [
        Question(say("MATCH ENDS WHEN ..."), ends, note, ("end.target", 1, HIGHEST_TARGET, number), only),
        Question(say("WHO WINS?"), wins, say("TIES SHARE THE WIN"), only=only),
    ]
    if seats % 2 == 0 and seats > 2:  # noqa: PLR2004 - two alone are no teams
        teams = [list(range(first, seats, 2)) for first in (0, 1)]
        sides = (
            Choice(say("NO TEAMS"), {**only, "teams": []}),
            Choice(say("TWO TEAMS"), {**only, "teams": teams}),
        )
        asked.append(Question(say("TEAMS?"), sides, say("EVERY OTHER SEAT"), only=only))
    return asked


def options_schema() -> dict[str, Any]:
    """The JSON Schema of the options."""
    schema = json_schema(Options)
    schema["properties"]["of"] = {"enum": [*games_known(), OTHER]}
    return schema
