"""What a referee answers: a rule, the reason why it applies, and whether the play is legal.

An illegal play is a value like a legal one, so callers cannot forget to handle it. Handlers of a game raise
it (`Illegal`), and `Game.judge` gives it as a value.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, Literal, NamedTuple, NoReturn, ParamSpec, TypeAlias, TypeVar

from msgspec import UNSET, UnsetType

from companion.core.cards import Card, Seat, listed_players, who
from companion.core.codec import Record
from companion.text.errors import NotInThisGame
from companion.text.sentence import CardNumber, Sentences, Text, Who, count, say
from companion.values import Value

E = TypeVar("E")
P = ParamSpec("P")
S = TypeVar("S")

Chart: TypeAlias = tuple[tuple[Text | str | int, ...], ...]
"""A small table of words, cards (`str`) and counts (`int`), row by row."""


class Rule(Value):
    """A rule of a game, or a house rule where the rulebooks are silent.

    `key` never changes once a log may hold it. `source` says where people can look it up: the rulebook,
    its section, and the rule or paragraph ("6 nimmt! rulebook, Taking cards, rule 3"), or that it is a
    house rule. `short` fits one line of the display (21 columns, English), `full` is a sentence.
    """

    key: str
    source: str
    short: str
    full: str

    @property
    def title(self) -> Text:
        """`short`, to be said in any language."""
        return Text(self.short)

    @property
    def sentence(self) -> Text:
        """`full`, to be said in any language."""
        return Text(self.full)

    def because(self, says: Text | str, **facts: object) -> Because:
        """That this rule applies: a template with its facts, or a text."""
        return Because(self, Text(says, facts) if isinstance(says, str) else says)

    def demands(self, condition: object, fault: Text | str, fix: Text | str, **facts: object) -> None:
        """Raises `Illegal` unless a condition holds: `DRAFT.demands(drafting, "no draft is open", "play")`.

        The templates share the facts; each takes those that it names. Both are worked out also where all is
        well: on the path of every card, write `if ...: raise rule.forbids(...)` instead.
        """
        if not condition:
            raise Illegal(Refused(self, _text(fault, facts), _text(fix, facts)))

    def forbids(self, fault: Text | str, fix: Text | str, *, waits: bool = False, **facts: object) -> Illegal:
        """What a handler raises: `raise DRAFT.forbids("the open draft is not finished", "pick a card")`."""
        return Illegal(Refused(self, _text(fault, facts), _text(fix, facts), waits=waits))


def _text(says: Text | str, facts: Mapping[str, object]) -> Text:
    if isinstance(says, Text):
        return says
    return Text(says, {name: fact for name, fact in facts.items() if f"{{{name}}}" in says})


def rules_in(names: Mapping[str, object]) -> dict[str, Rule]:
    """The rules among the `globals()` of a module, by key, in the order in which they are declared."""
    return {rule.key: rule for rule in names.values() if isinstance(rule, Rule)}


class Because(Value):
    """A rule and how it applies to the facts on the table.

    `cells` are a small table for the display, row by row, first column the labels; empty where
    words are enough. `lit` is the column that decided it (0 = none). A judge leaves both out, because the
    log keeps neither: the lines of a board have them.
    """

    rule: Rule
    says: Text
    cells: Chart = ()
    lit: int = 0

    @property
    def chart(self) -> tuple[tuple[str, ...], ...]:
        """The table in English."""
        return self.chart_in(str)

    def chart_in(self, say: Callable[[Text], str]) -> tuple[tuple[str, ...], ...]:
        """The table in the words of a language, of which `say` says a text."""
        return tuple(
            tuple(say(cell if isinstance(cell, Text) else Text("{cell}", {"cell": cell})) for cell in row)
            for row in self.cells
        )

    def charted(self, cells: Chart, lit: int) -> Because:
        """The same reason with a table for the display."""
        return Because(self.rule, self.says, cells, lit)


class Reason(NamedTuple):
    """A `Because` as the log keeps it: the key of the rule, and the sentence with its facts.

    As a string, `says` is the English sentence. Where it was stored without facts, it has none. It is a
    pair, so that programs can go on writing `for rule, says in step.because`.
    """

    rule: str
    says: Text


class Allowed(Value, Generic[E]):
    """The play is legal: what happens now, in order, and why.

    A judge that has applied the events to see what follows gives the state after all of them as `after`, so
    that nobody applies them again. It must be what applying them one by one gives. None: not worked out.
    """

    events: tuple[E, ...]
    because: tuple[Because, ...]
    after: Any = None


class Refused(Value):
    """The play is illegal, and nothing has changed.

    `rule` says which rule forbids it, `fault` what is wrong with it, `fix` what to do next.
    Where the rules punish such a play, `penalty` is the order that does so; it is given only
    when people say that the card was really played, because a scan can be a slip.
    `waits`: another question is open, and nothing is wrong with the play but that it comes too early.
    """

    rule: Rule
    fault: Text
    fix: Text
    penalty: Any = None
    waits: bool = False


class Illegal(Exception):
    """Raised while a command is judged; the judge of a game catches it and answers `refused`."""

    def __init__(self, refused: Refused) -> None:
        super().__init__(refused)
        self.refused = refused


def require(fault: Refused | None) -> None:
    """Raises `Illegal` for a refusal, if there is one."""
    if fault is not None:
        raise Illegal(fault)


def attempt(check: Callable[P, E], *args: P.args, **kwargs: P.kwargs) -> E | Refused:
    """What is ruled, or why it is refused, as a value: where two rulings are compared."""
    try:
        return check(*args, **kwargs)
    except Illegal as illegal:
        return illegal.refused


def not_playing(players: Sequence[Seat], seat: Seat, rule: Rule) -> Refused | None:
    """A refusal if nobody plays at that seat."""
    if seat in players:
        return None
    return Refused(
        rule,
        say("{player} is not playing", player=who(seat)),
        say("choose one of: {players}", players=listed_players(players)),
    )


def cannot_join(players: Sequence[Seat], seats: int, most: int, seat: Seat, rule: Rule) -> Refused | None:
    """A refusal if a seat is taken, or is not the next free one.

    `seats` have places in the match, those of players who left among them; `most` can play at all.
    """
    if seat in players:
        return Refused(rule, say("{player} is already playing", player=who(seat)), say("continue"))
    free = [Seat(number) for number in range(min(seats + 1, most)) if number not in players]
    if seat in free:
        return None
    if not free:
        fix = say("all {most} seats are taken, so nobody can join", most=most)
    else:
        fix = say("use a free player number: {numbers}", numbers=tuple(seat + 1 for seat in free))
    return Refused(rule, say("there is no player {seat}", seat=seat + 1), fix)


def cannot_leave(players: Sequence[Seat], fewest: int, rule: Rule, fix: Text) -> Refused | None:
    """A refusal if too few would stay. Whether the seat plays is checked with `not_playing`."""
    if len(players) > fewest:
        return None
    return Refused(rule, say("at least {fewest} players must stay", fewest=fewest), fix)


def cannot_swap(players: Sequence[Seat], seats: Sequence[Seat], rule: Rule, seated: Rule) -> Refused | None:
    """A refusal if `seats` are not two different players; `seated` is the rule about who plays."""
    if len(seats) != 2 or seats[0] == seats[1]:  # noqa: PLR2004 - a swap is between two
        return Refused(rule, say("a swap needs two players"), say("name two different players"))
    return not_playing(players, seats[0], seated) or not_playing(players, seats[1], seated)


def impossible_position(faults: Sequence[Text], rule: Rule, most: int, fix: Text) -> Refused | None:
    """A refusal that names what can never be on a table, if anything is.

    A real table has at most `most` faults. A program can send thousands, and all of them in one
    sentence would help nobody: of the rest only the number is given.
    """
    if not faults:
        return None
    more = len(faults) - most
    named = tuple(faults[:most])
    if more > 0:
        named += (count("and {count} more", "and {count} more", more),)
    return Refused(rule, say("this table is not possible: {faults}", faults=Sentences(named)), fix)


def misplaced(places: Iterable[tuple[Text, Iterable[Card]]], highest: int, unknown: Text) -> list[Text]:
    """The faults of numbered cards in their places ("in row 1"): there is none such, or it is in two places.

    `unknown` is the fault of a card that is not from 1 to the `highest`, with these and the `place` as facts.
    """
    faults: list[Text] = []
    seen: dict[Card, Text] = {}
    for place, cards in places:
        for card in cards:
            if not 1 <= card <= highest:
                faults.append(unknown.with_facts(card=card, place=place, highest=CardNumber(highest)))
            elif card in seen:
                faults.append(
                    say("card {card} is {place} and {other}", card=card, place=seen[card], other=place)
                )
            else:
                seen[card] = place
    return faults


def wrong_number_of_entries(name: str, given: int, seats: int) -> Text:
    """The fault of a list that does not have one entry for each seat."""
    return say(
        "{name} needs {seats} entries, one for each seat, but has {given}",
        name=repr(name),
        seats=seats,
        given=given,
    )


def more_named_than_held(player: Who, size: int, named: int) -> Text:
    """The fault of naming more cards than a hand has."""
    return say(
        "cards in {player}'s hand: {size}; cards named: {named}",
        player=player,
        size=size,
        named=named,
    )


def not_offered(fault: Text | str, fix: Text | str) -> Callable[..., NoReturn]:
    """What stands for a member of `Game` that a game does not offer.

    Calling it raises `NotInThisGame`; `fault` says what the game lacks, `fix` what serves instead.
    """

    def member(*_args: object) -> NoReturn:
        raise NotInThisGame(fault, fix)

    return member


class EventBuilder(Generic[S, E]):
    """The events of one command so far, and the table after them: each event is applied once.

    `apply` makes an event true, `why` gives the reasons for an event on the table before it. It is
    made for one command and then discarded: the table it began with is never changed.
    """

    def __init__(
        self, table: S, *, apply: Callable[[S, E], S], why: Callable[[S, E], Iterable[Because]]
    ) -> None:
        self.table = table
        self._apply = apply
        self._why = why
        self._events: list[E] = []
        self._because: list[Because] = []

    def add(self, *events: E) -> None:
        """These happen next, each with its reasons."""
        for event in events:
            self._because += self._why(self.table, event)
            self.table = self._apply(self.table, event)
            self._events.append(event)

    def add_reason(self, reason: Because) -> None:
        """A further reason for the events so far."""
        self._because.append(reason)

    def allow(self) -> Allowed[E]:
        """The ruling that all of it is legal."""
        return Allowed(tuple(self._events), tuple(self._because), self.table)

    def settle(self, follows: Callable[[S], E | None]) -> Allowed[E]:
        """The ruling that all of it is legal, with every event that follows by itself.

        `follows` names the event that a table leads to by itself; None: somebody has to be asked.
        """
        while (following := follows(self.table)) is not None:
            self.add(following)
        return self.allow()


def settle(  # noqa: PLR0913 - what differs between the games comes by name
    table: S,
    events: Iterable[E],
    *,
    apply: Callable[[S, E], S],
    follows: Callable[[S], E | None],
    why: Callable[[S, E], Iterable[Because]],
    reason: Because | None = None,
) -> Allowed[E]:
    """The ruling that these events are legal, with every event that follows from them by itself.

    The arguments are those of `EventBuilder`; `reason` is one for the whole, and comes first.
    """
    made = EventBuilder(table, apply=apply, why=why)
    if reason is not None:
        made.add_reason(reason)
    made.add(*events)
    return made.settle(follows)


class Leave(Record, tag="leave"):
    """A player leaves."""

    seat: Seat


class Join(Record, tag="join"):
    """A player joins, or returns; who is new can begin with the worst total of the others or their mean."""

    seat: Seat
    begins: Literal["worst", "mean"] | UnsetType = UNSET


class EndDeal(Record, tag="end_deal"):
    """The players agree to end the deal now."""


class Swap(Record, tag="swap"):
    """Two seats whose cards of the latest turn, or scores of the deal, were mixed up."""

    seats: tuple[Seat, ...]


class ForgetHands(Record, tag="forget_hands"):
    """What is known of hands is wrong, or not wanted: in this deal they are no longer known."""


class SeatLeft(Record, tag="seat_left"):
    """A seat no longer plays."""

    seat: Seat


class SeatJoined(Record, tag="seat_joined"):
    """A seat plays from now on."""

    seat: Seat
