"""What can be agreed before a score is kept: of which game, how it comes in, who wins."""

from __future__ import annotations

from enum import Enum
from typing import TYPE_CHECKING, Any, Final

from companion.core import games
from companion.core.cards import Seat
from companion.core.questions import Choice, Question
from companion.core.score_sheet import (
    HIGHEST_TARGET,
    MOST_DEALS,
    MOST_POINTS,
    EndRule,
    Scoring,
    When,
    end_rule_schema,
    read_end_rule,
)
from companion.games.scorekeeping.box import HAND, OTHER, ROWS, SEATS, Box, Left, box_of
from companion.text.errors import InvalidRecord, did_you_mean, quoted
from companion.text.sentence import CardNumber, is_one_line, say
from companion.values import Value

if TYPE_CHECKING:
    from collections.abc import Mapping

KEY: Final = "score"
KNOWN: Final = frozenset({"of", "name", "entry", "deck", "end", "high_wins", "teams", "start"})
LONGEST_NAME: Final = 24
"""Characters of the name of a game that people write."""

TARGET: Final = EndRule(When.REACHED, 100)
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


class Options(Value):
    """What was agreed: `of` is the game whose points are counted, or `OTHER`."""

    end: EndRule
    scoring: Scoring
    of: str
    entry: Entry
    deck: Deck = Deck.FULL
    name: str = ""
    """What people call the game, if `of` is `OTHER`."""

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
        options: dict[str, Any] = {"of": self.of, "entry": self.entry.value, "end": self.end.options()}
        if self.name:
            options["name"] = self.name
        if self.deck is not Deck.FULL:
            options["deck"] = self.deck.value
        if self.scoring.high_wins:
            options["high_wins"] = True
        if self.scoring.teams:
            options["teams"] = [list(team) for team in self.scoring.teams]
        if self.scoring.start:
            options["start"] = list(self.scoring.start)
        return options


def read_options(seats: int, options: Mapping[str, Any]) -> Options:
    """The options for so many seats. Raises `InvalidRecord`, naming the option that will not do."""
    for name in options:
        if name not in KNOWN:
            raise InvalidRecord(
                say("score-keeping has no option {name}", name=quoted(name)),
                did_you_mean(str(name), sorted(KNOWN)),
            )
    if seats not in SEATS:
        raise InvalidRecord(
            say("the number of seats is {seats}", seats=quoted(seats)),
            say("use {seats} to {seats_2} to keep the score", seats=SEATS[0], seats_2=SEATS[-1]),
        )
    of = options.get("of", OTHER)
    names = (*games_known(), OTHER)
    if not isinstance(of, str) or of not in names:
        raise InvalidRecord(say("the option 'of' is {of}", of=quoted(of)), did_you_mean(str(of)[:20], names))
    end = TARGET if of == OTHER else games.module(of).make(seats, {}).end
    left = box_of(of).left
    scoring = Scoring(
        _flag(options, "high_wins"),
        _teams(options.get("teams", []), seats),
        _start(options.get("start", []), seats),
        negative=left is Left.NUMBERS,
    )
    if "end" in options:
        end = read_end_rule(options["end"])
    return Options(end, scoring, of, _entry(options, left), _deck(options, left), _name(options, of))


def _name(options: Mapping[str, Any], of: str) -> str:
    name = options.get("name", "")
    if not isinstance(name, str) or len(name) > LONGEST_NAME or not is_one_line(name):
        raise InvalidRecord(
            say("the option 'name' is {name}", name=quoted(name)),
            say("use a text of up to {most} characters", most=LONGEST_NAME),
        )
    if name.strip() and of != OTHER:
        raise InvalidRecord(
            say("{title} has its name", title=games.module(of).TITLE),
            say('leave "name" out, or use "of": "other"'),
        )
    return " ".join(name.split())


def _entry(options: Mapping[str, Any], left: Left) -> Entry:
    entry = options.get("entry", Entry.TYPED.value)
    if entry not in [one.value for one in Entry]:
        raise InvalidRecord(
            say("the option 'entry' is {entry}", entry=quoted(entry)), say("use 'typed', 'piles' or 'takes'")
        )
    if entry != Entry.TYPED.value and left is Left.NUMBERS:
        raise InvalidRecord(
            say("the cards of this game are not known, so none can be scanned"), say('use "entry": "typed"')
        )
    if entry == Entry.TAKES.value and left is Left.HANDS:
        raise InvalidRecord(
            say("in this game only the cards left in the hands count"), say('use "entry": "piles" or "typed"')
        )
    return Entry(entry)


def _deck(options: Mapping[str, Any], left: Left) -> Deck:
    deck = options.get("deck", Deck.FULL.value)
    if deck not in (Deck.FULL.value, Deck.KNOWN.value):
        raise InvalidRecord(
            say("the option 'deck' is {deck}", deck=quoted(deck)),
            say("use 'full' or 'known' (1 to 10 x seats + 4)"),
        )
    if deck == Deck.KNOWN.value and left is not Left.PILES:
        raise InvalidRecord(say("only 6 nimmt! has a known deck"), say('leave "deck" out'))
    return Deck(deck)


def _flag(options: Mapping[str, Any], name: str) -> bool:
    value = options.get(name, False)
    if type(value) is not bool:
        raise InvalidRecord(
            say("the option {name} is {value}", name=repr(name), value=quoted(value)),
            say("use true or false"),
        )
    return value


def _teams(option: Any, seats: int) -> tuple[tuple[Seat, ...], ...]:  # noqa: ANN401 - it comes from outside
    will_do = say("list the seats of each team, counted from 0, as in [[0, 2], [1, 3]]")
    if not isinstance(option, list) or not all(isinstance(team, list) and team for team in option):
        raise InvalidRecord(say("the option 'teams' is {option}", option=quoted(option)), will_do)
    named = [seat for team in option for seat in team]
    for seat in named:
        if type(seat) is not int or not 0 <= seat < seats:
            raise InvalidRecord(
                say("a team has the seat {seat}", seat=quoted(seat)),
                say("use seats from 0 to {seats}", seats=seats - 1),
            )
    if len(set(named)) != len(named):
        raise InvalidRecord(say("a seat is in two teams, or twice in one"), will_do)
    if len(option) == 1 and len(named) == seats:
        raise InvalidRecord(say("all seats are in one team"), will_do)
    return tuple(tuple(sorted(map(Seat, team))) for team in option)


def _start(option: Any, seats: int) -> tuple[int, ...]:  # noqa: ANN401 - it comes from outside
    will_do = say(
        "list what each of the {seats} seats starts with, from {least} to {most}",
        seats=seats,
        least=-MOST_POINTS,
        most=MOST_POINTS,
    )
    if not isinstance(option, list) or len(option) not in (0, seats):
        raise InvalidRecord(say("the option 'start' is {option}", option=quoted(option)), will_do)
    for points in option:
        if type(points) is not int or abs(points) > MOST_POINTS:
            raise InvalidRecord(say("a seat starts with {points}", points=quoted(points)), will_do)
    return tuple(option)


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
    if end.when is When.DEALS:
        as_printed = Choice(say("AFTER {deals} DEALS", deals=end.number), {**only, "end": end.options()})
        other = Choice(say("OTHER NUMBER"), {**only, "end": {"deals": end.number}})
        dial = ("end.deals", 1, MOST_DEALS, end.number)
        return Question(title, (as_printed, other), say("CHECKED AFTER A DEAL"), dial, only)
    number = end.number
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
    number = TARGET.number
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
    seat = {"type": "integer", "minimum": 0, "maximum": SEATS[-1] - 1}
    return {
        "type": "object",
        "properties": {
            "of": {"enum": [*games_known(), OTHER]},
            "name": {"type": "string", "maxLength": LONGEST_NAME},
            "entry": {"enum": [entry.value for entry in Entry]},
            "deck": {"enum": [deck.value for deck in Deck]},
            "end": end_rule_schema(),
            "high_wins": {"type": "boolean"},
            "teams": {"type": "array", "items": {"type": "array", "items": seat, "minItems": 1}},
            "start": {"type": "array", "items": {"type": "integer"}},
        },
        "additionalProperties": False,
    }
