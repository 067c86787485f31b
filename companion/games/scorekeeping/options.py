"""The cards that can be counted, and what can be agreed before a score is kept.

Score-keeping has no cards of its own. Of the games themselves nothing is known here but what their packages
offer to everybody, and which cards are left when one of their deals is over.
"""

from collections.abc import Mapping
from enum import Enum
from functools import lru_cache
from types import MappingProxyType
from typing import Annotated, Any, Final

from msgspec import Meta

from companion.core import games
from companion.core.cards import ROWS, TURNS, Seat
from companion.core.codec import encode, json_schema
from companion.core.game import Game
from companion.core.options import Choice, Question, read_agreed
from companion.core.score_sheet import MAX_DEALS, MAX_TARGET, EndRule, Scoring, points_range, why_limit
from companion.text.errors import InvalidRecord, did_you_mean, quoted
from companion.text.sentence import CardNumber, Text, is_one_line, say
from companion.values import Value, field, replace

TITLE: Final = str(say("KEEP SCORE"))
SEATS: Final = range(2, 11)
DECK: Final[tuple[str, ...]] = ()

OTHER: Final = "other"
"""The option for a game that is known by its points alone."""


def worth(card: str) -> int:
    """It has no cards of its own, so this raises `LookupError`."""
    raise LookupError(card)


class CountedCards(Enum):
    """What is counted when a deal is over."""

    PILES = "piles"
    """The cards that were taken; all others are in four rows."""
    HANDS = "hands"
    """The cards left in the hands; one hand is empty."""
    NUMBERS = "numbers"
    """Points, without cards."""


_LEFT: Final[Mapping[str, CountedCards]] = {
    "six": CountedCards.PILES,
    "eleven": CountedCards.HANDS,
    "ciao": CountedCards.HANDS,
}
"""By the name of the game. Of the others nobody has said how a deal ends, so only points are counted."""

_TURNED: Final[Mapping[str, str]] = {"0": "0", "1": "1", "6": "9", "8": "8", "9": "6"}


class CountedDeck(Value):
    """A deck of the game `of`: `worth` has every card of it and its points, in the order of their codes.

    It is empty where only points are counted. `known` says that only the lowest are used, ten
    for each player and four (6 nimmt! rulebook, Advanced game 1).
    """

    of: str
    left: CountedCards
    known: bool = False
    worth: Mapping[str, int] = field(default_factory=lambda: MappingProxyType({}))

    @property
    def game(self) -> str:
        """The game whose cards are scanned; empty where only points are counted."""
        return "" if self.left is CountedCards.NUMBERS else self.of

    def deck(self, players: int) -> tuple[str, ...]:
        """The cards that can be there with this number of players."""
        cards = tuple(self.worth)
        return cards[: self.due(players)] if self.known else cards

    def due(self, players: int) -> int:
        """How many cards piles and rows have together with this number of players."""
        return TURNS * players + ROWS

    def whole(self, players: int) -> bool:
        """Whether every card of the deck ends up in a pile or a row."""
        return self.left is CountedCards.PILES and self.due(players) == len(self.deck(players))

    def named(self, card: str) -> Text:
        """A card in the words of its game, in up to 18 columns."""
        return as_played(self.game).named(card) if self.game else say("{card}", card=card[:18])

    def points(self, cards: tuple[str, ...]) -> int:
        return sum([self.worth[card] for card in cards]) if cards else 0


@lru_cache(maxsize=8)
def as_played(key: str) -> Game:
    """The game whose score is kept, to have its cards named."""
    module = games.module(key)
    return module.make(module.SEATS[0], {})


@lru_cache(maxsize=32)
def box_of(game: str, *, known: bool = False) -> CountedDeck:
    """The box of a game by its name, or of a game that is only points. Raises `UnknownGame`."""
    if game == OTHER:
        return CountedDeck(OTHER, CountedCards.NUMBERS)
    module = games.module(game)
    if game not in _LEFT:
        return CountedDeck(game, CountedCards.NUMBERS)
    worth = MappingProxyType({card: module.worth(card) for card in module.DECK})
    return CountedDeck(game, _LEFT[game], known, worth)


def turned(card: str) -> str | None:
    """The number that a card shows upside down; None if that is not another number."""
    if not set(card) <= _TURNED.keys() or card.endswith("0"):
        return None
    round_again = "".join(_TURNED[digit] for digit in reversed(card))
    return None if round_again == card else round_again


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


class Input(Enum):
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
    entry: Input = Input.TYPED
    end: EndRule = TARGET
    name: Annotated[str, Meta(max_length=LONGEST_NAME)] = ""
    """What people call the game, if `of` is `OTHER`."""
    deck: Deck = Deck.FULL
    high_wins: bool = False
    teams: tuple[Team, ...] = ()
    start: tuple[int, ...] = ()

    @property
    def scoring(self) -> Scoring:
        teams = tuple(tuple(sorted(map(Seat, team))) for team in self.teams)
        return Scoring(
            self.high_wins, teams, self.start, negative=box_of(self.of).left is CountedCards.NUMBERS
        )

    @property
    def box(self) -> CountedDeck:
        return box_of(self.of, known=self.deck is Deck.KNOWN)

    @property
    def most(self) -> int:
        """How many can play: as many as in the game whose points are counted."""
        return SEATS[-1] if self.of == OTHER else games.module(self.of).SEATS[-1]


def read_options(seats: int, options: Mapping[str, Any]) -> Options:
    """The options for a number of seats. Raises `InvalidRecord`, naming the invalid option."""
    agreed = read_agreed(Options, options, TITLE, seats, SEATS)
    of, names = agreed.of, (*games_known(), OTHER)
    if of not in names:
        raise _invalid("of", of, did_you_mean(of[:20], names))
    _check_cards(agreed, box_of(of).left)
    _check_teams(agreed.teams, seats)
    least, most = points_range(negative=True)
    if len(agreed.start) not in (0, seats) or any(not least <= points <= most for points in agreed.start):
        fix = say("list what each of the {seats} seats starts with, from {least} to {most}")
        fix = fix.with_facts(seats=seats, least=least, most=most)
        raise _invalid("start", list(agreed.start), fix)
    if of != OTHER and "end" not in options:
        agreed = replace(agreed, end=games.module(of).make(seats, {}).end)
    return replace(
        agreed,
        name=" ".join(agreed.name.split()),
        teams=tuple(tuple(sorted(team)) for team in agreed.teams),
    )


def _invalid(option: str, value: object, fix: Text | str) -> InvalidRecord:
    return InvalidRecord(say("{path} is {value}", path=f"options.{option}", value=quoted(value)), fix)


def _check_cards(agreed: Options, left: CountedCards) -> None:
    """Whether the name, the way of entry and the deck go with the game."""
    if not is_one_line(agreed.name):
        raise _invalid("name", agreed.name, say("use a text of up to {most} characters", most=LONGEST_NAME))
    if agreed.name.strip() and agreed.of != OTHER:
        raise InvalidRecord(
            say("{title} already has a name", title=games.module(agreed.of).TITLE),
            say('leave "name" out, or use "of": "other"'),
        )
    if agreed.entry is not Input.TYPED and left is CountedCards.NUMBERS:
        raise InvalidRecord(
            say("the cards of this game are not known, so none can be scanned"), say('use "entry": "typed"')
        )
    if agreed.entry is Input.TAKES and left is CountedCards.HANDS:
        raise InvalidRecord(
            say("in this game only the cards left in the hands count"), say('use "entry": "piles" or "typed"')
        )
    if agreed.deck is Deck.KNOWN and left is not CountedCards.PILES:
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
    )
    asked = [Question(say("WHICH GAME?"), which, say("POINTS ONLY"))]
    for key in playable:
        asked += _about_cards(key, seats)
        asked.append(_end_of(key, seats))
    return (*asked, *_about_other(seats))


def _about_cards(key: str, seats: int) -> list[Question]:
    only = {"of": key}
    left = box_of(key).left
    if left is CountedCards.NUMBERS:
        return []
    ways = [(say("TYPE THE SUMS"), Input.TYPED), (say("SCAN THE PILES"), Input.PILES)]
    if left is CountedCards.PILES:
        ways.append((say("SCAN WHAT IS TAKEN"), Input.TAKES))
    choices = tuple(Choice(text, {**only, "entry": entry.value}) for text, entry in ways)
    asked = [Question(say("HOW IS IT COUNTED?"), choices, say("SUMS ARE QUICKEST"), only=only)]
    box = box_of(key, known=True)
    if left is CountedCards.PILES and not box_of(key).whole(seats):
        deck = box.deck(seats)
        pro = say("KNOWN DECK 1-{highest}", highest=CardNumber(TURNS * seats + ROWS), heads=box.points(deck))
        decks = (
            Choice(say("ALL 104"), {**only, "deck": Deck.FULL.value}),
            Choice(pro, {**only, "deck": Deck.KNOWN.value}),
        )
        asked.append(Question(say("WHICH CARDS?"), decks, say("OTHER CARDS REJECTED"), only=only))
    return asked


def _end_of(key: str, seats: int) -> Question:
    only = {"of": key}
    end = games.module(key).make(seats, {}).end
    title = say("WHEN DOES IT END?")
    if end.deals:
        as_printed = Choice(say("AFTER {deals} DEALS", deals=end.deals), {**only, "end": encode(end)})
        other = Choice(say("OTHER NUMBER"), {**only, "end": {"deals": end.deals}})
        dial = ("end.deals", 1, MAX_DEALS, end.deals)
        return Question(title, (as_printed, other), say("CHECKED AFTER A DEAL"), dial, only)
    number = end.target
    choices = (
        Choice(say("SOMEONE HAS ≥ {number}", number=number), {**only, "end": _target(number, "reached")}),
        Choice(say("SOMEONE HAS > {number}", number=number), {**only, "end": _target(number, "passed")}),
        Choice(say("AFTER 3 DEALS"), {**only, "end": {"deals": 3}}),
        Choice(say("SOMEONE HAS ≥ ..."), {**only, "end": _target(number, "reached")}),
    )
    dial = ("end.target", 1, MAX_TARGET, number)
    return Question(title, choices, say("CHECKED AFTER A DEAL"), dial, only, why=why_limit(number))


def _target(number: int, when: str) -> dict[str, Any]:
    return {"target": number, "when": when}


_NAMES: Final = (say("HEARTS"), say("RUMMY"), say("CANASTA"))
"""Games that are offered by name, before people have written one."""


def _about_other(seats: int) -> list[Question]:
    only = {"of": OTHER}
    number = TARGET.target
    ends = (
        Choice(say("SOMEONE HAS ≥ {number}", number=number), {**only, "end": _target(number, "reached")}),
        Choice(say("AFTER 5 DEALS"), {**only, "end": {"deals": 5}}),
        Choice(say("SOMEONE HAS ≥ ..."), {**only, "end": _target(number, "reached")}),
    )
    wins = (
        Choice(say("LOWEST WINS"), {**only, "high_wins": False}),
        Choice(say("HIGHEST WINS"), {**only, "high_wins": True}),
    )
    note = say("CHECKED AFTER A DEAL")
    names = (
        Choice(say("NO NAME"), {**only, "name": ""}),
        *(Choice(name, {**only, "name": str(name)}) for name in _NAMES),
        Choice(say("WRITE ITS NAME"), only),
    )
    dial = ("end.target", 1, MAX_TARGET, number)
    asked = [
        Question(say("NAME OF THE GAME?"), names, say("SHOWN IN ALL LISTS"), only=only, writes="name"),
        Question(say("WHEN DOES IT END?"), ends, note, dial, only, why=why_limit(number)),
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
