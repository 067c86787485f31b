"""What the people at a table may see of a match: one declared value, and the only place that hides cards.

Every outlet that people can look at (a page, a message, a second display, another program) shows a
`TableSnapshot` and `PublicStep`s, or a part of them, and nothing else of a match. JSON and JSON Schema follow
from the declarations. What is hidden is said by each game (`companion.core.game.Game`) and by the
covered parts of its board. For a state it also stands in the state itself, under `hidden`, so that a program
in another language can do the same.

Seats count from 0 and badges from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeAlias

from msgspec import UNSET, Meta, UnsetType
from msgspec.structs import asdict

from companion.core import games
from companion.core.ask import Ask, AskKind, Gives, Wait
from companion.core.codec import encode
from companion.core.game import Game, Hides
from companion.core.ruling import Because, Rule
from companion.match import commands as match_commands
from companion.match.match import OVER, UNDO, Match, Step
from companion.text.codec import decode_text, encode_text
from companion.text.errors import InvalidRecord
from companion.text.sentence import Text
from companion.values import Value, field

if TYPE_CHECKING:
    from companion.core.board import PlacedCard, Sign, Stack

LARGEST: Final = 2**53 - 1
"""The largest whole number that every JSON reader keeps exactly."""

Whole = Annotated[int, Meta(ge=-LARGEST, le=LARGEST)]
Count = Annotated[int, Meta(ge=0, le=LARGEST)]
Number = Annotated[int, Meta(ge=1, le=LARGEST)]

Render: TypeAlias = "Callable[[Text], str]"
"""Gives the sentence of a text: in a language, with the names of the players."""


# --------------------------------------------------------------------------------------- declared


class Payload(Value):
    """A value whose JSON and whose schema follow from its annotations."""


class Localized(Payload, kw_only=True, omit_defaults=True):
    """A template with its facts, to be said in any language, and what it says in that of the table."""

    text: str
    plural: str = ""
    context: str = ""
    facts: Mapping[str, Any] = field(default_factory=dict)
    says: str

    @property
    def as_text(self) -> Text:
        """The sentence, to be said in another language. Raises `InvalidRecord`."""
        return decode_text(asdict(self))


class PublicCard(Payload):
    """A card; `heads` is None for what is no card of the game, such as a named joker."""

    card: str
    label: str
    heads: int | None


class PublicPlayer(Payload):
    """Somebody at the table; who was erased has badge 0. `plays`: has not left."""

    seat: Count
    badge: Count
    name: str
    plays: bool


class PublicStack(Payload):
    """A row or a pile. Of a `covered` one there is the last card alone, and no heads."""

    name: str
    choice: str
    cards: tuple[PublicCard, ...]
    room: Count
    heads: int | None
    fits: Localized
    covered: bool


class PublicSign(Payload):
    """A card as a picture: a symbol, and a word for it."""

    symbol: str
    word: Localized


class PublicTally(Payload):
    """A number that every player has, by seat."""

    label: Localized
    numbers: tuple[int, ...]


class PublicReason(Payload):
    """A rule and how it applies; `cells` and `lit` are its chart, see `companion.core.ruling.Because`."""

    rule: str
    title: Localized
    sentence: Localized
    source: str
    says: Localized
    cells: tuple[tuple[str | Localized, ...], ...]
    lit: Count


class PublicLine(PublicCard):
    """A card of the newest turn and where it went. Of a `covered` one nobody is told what was taken."""

    outcome: Localized
    taker: Count | None
    takes: tuple[PublicCard, ...]
    costs: int | None
    place: str
    covered: bool
    because: PublicReason


class PublicAsk(Payload):
    """An open question, see `companion.core.ask.Ask`."""

    verb: AskKind
    says: Localized
    gives: Gives
    seats: tuple[Count, ...]
    wait: Wait
    choices: tuple[str, ...]
    labels: tuple[Localized, ...]
    card: str | None
    have: tuple[str, ...]
    need: Count


class PublicPlace(Payload):
    """A place in the standings; several seats share it in a tie, or play together."""

    rank: Number
    seats: tuple[Count, ...]
    total: Whole


class Standing(Payload):
    """How a match in play stands."""

    game: str
    title: str
    over: bool
    deal: Number
    turn: Count
    turns: Count
    """0 where the game has no fixed number."""
    steps: Count
    totals: tuple[Whole, ...]
    points: tuple[Whole, ...]
    """Of the deal in progress."""
    places: tuple[PublicPlace, ...]
    winners: tuple[Count, ...] | None
    """None while the match goes on."""
    high: bool
    """Whether the most points win."""


class TableSnapshot(Standing):
    """A match in play, as the people at the table may see it."""

    match: Number | None
    """In the journal of the table; None where nobody has counted it."""
    players: tuple[PublicPlayer, ...]
    stacks: tuple[PublicStack, ...]
    top: PublicSign | None
    beats: tuple[PublicSign, ...]
    hint: Localized
    facts: tuple[Localized, ...]
    hands: tuple[Count, ...]
    tallies: tuple[PublicTally, ...]
    revealed: bool
    lines: tuple[PublicLine, ...]
    asks: tuple[PublicAsk, ...]
    deals: tuple[tuple[int, ...], ...]
    outcome: tuple[PublicReason, ...]
    """Why the last deal ended as it did."""
    state: Mapping[str, Any]
    """The `public_view` of the state."""


class StepReason(Payload):
    """A reason of a step. Of a rule that this version does not know there is the key alone."""

    rule: str
    says: Localized
    title: Localized | UnsetType = UNSET
    sentence: Localized | UnsetType = UNSET
    source: str | UnsetType = UNSET


class PublicStep(Payload):
    """A step: its events and reasons, with `redoes` the step that it does again; or what it `voids`."""

    step: Number
    voids: Number | UnsetType = UNSET
    redoes: Number | UnsetType = UNSET
    events: tuple[Mapping[str, Any], ...] | UnsetType = UNSET
    because: tuple[StepReason, ...] | UnsetType = UNSET


# --------------------------------------------------------------------------------------- made


def table_snapshot(
    match: Match, people: Sequence[tuple[int, str]], render: Render, number: int | None = None
) -> TableSnapshot:
    """What people may see of a match. `people` has badge and name of each seat.

    `number` is that of the match in the journal of the table.
    """
    position, board = match.position, match.board
    return TableSnapshot(
        match=number,
        game=match.terms.game,
        title=match.game.title,
        over=position.over,
        deal=position.deal,
        steps=match.steps,
        players=tuple([PublicPlayer(seat, *who, seat in match.players) for seat, who in enumerate(people)]),
        turn=board.turn,
        turns=board.turns,
        stacks=tuple([_stack(stack, match, render) for stack in board.stacks]),
        top=None if board.top is None else _sign(board.top, render),
        beats=tuple([_sign(card, render) for card in board.beats]),
        hint=sentence(board.hint, render),
        facts=tuple([sentence(fact, render) for fact in board.facts]),
        hands=board.hands,
        tallies=tuple([PublicTally(sentence(tally.label, render), tally.numbers) for tally in board.tallies]),
        revealed=board.revealed,
        lines=tuple([_line(line, match, render) for line in board.newest]),
        asks=tuple([_ask(ask, render) for ask in match.asks]),
        totals=match.totals,
        points=match.points,
        places=tuple([PublicPlace(at.rank, at.seats, at.total) for at in match.places]),
        deals=position.score_sheet.deals,
        winners=match.winners,
        outcome=tuple([_reason(reason, render) for reason in (*match.why_scored, *match.why_next)]),
        state=public_view(state(match, tuple([name for _, name in people]))),
        high=match.scoring.high_wins,
    )


def public_step(step: Step, match: Match, render: Render) -> PublicStep:
    """What people may see of a step of a match of this game."""
    if step.voids is not None:
        return PublicStep(step.number, step.voids)
    return PublicStep(
        step.number,
        redoes=UNSET if step.redoes is None else step.redoes,
        events=tuple(public_events(match.game, step)),
        because=tuple([_step_reason(rule, match, says, render) for rule, says in step.because]),
    )


def sentence(text: Text, render: Render) -> Localized:
    """A text with its facts, and what it says."""
    return Localized(**encode_text(text), says=render(text))


def _stack(stack: Stack, match: Match, render: Render) -> PublicStack:
    return PublicStack(
        stack.name,
        stack.choice,
        _cards(stack.cards[-1:] if stack.covered else stack.cards, match, render),
        stack.room,
        None if stack.covered else stack.heads,
        sentence(stack.fits, render),
        stack.covered,
    )


def _line(line: PlacedCard, match: Match, render: Render) -> PublicLine:
    return PublicLine(
        line.card,
        render(match.game.label(line.card)),
        _heads(match.box, line.card),
        sentence(line.outcome, render),
        line.taker,
        () if line.covered else _cards(line.takes, match, render),
        None if line.covered else line.heads,
        line.place,
        line.covered,
        _reason(line.because, render),
    )


def _cards(cards: Sequence[str], match: Match, render: Render) -> tuple[PublicCard, ...]:
    label, box = match.game.label, match.box
    return tuple([PublicCard(card, render(label(card)), _heads(box, card)) for card in cards])


@lru_cache(maxsize=512)
def _heads(box: str, card: str) -> int | None:
    module = games.module(box) if box else None
    return module.worth(card) if module is not None and card in module.DECK else None


def _sign(sign: Sign, render: Render) -> PublicSign:
    return PublicSign(sign.symbol, sentence(sign.word, render))


def _ask(ask: Ask, render: Render) -> PublicAsk:
    return PublicAsk(
        ask.kind,
        sentence(ask.says, render),
        ask.kind.gives,
        ask.seats,
        ask.wait,
        ask.choices,
        tuple([sentence(label, render) for label in ask.labels]),
        ask.card or None,
        ask.have,
        ask.need,
    )


def _reason(because: Because, render: Render) -> PublicReason:
    cells = [
        tuple([sentence(cell, render) if isinstance(cell, Text) else str(cell) for cell in row])
        for row in because.cells
    ]
    return PublicReason(
        **_rule(because.rule, render),
        says=sentence(because.says, render),
        cells=tuple(cells),
        lit=because.lit,
    )


def _step_reason(key: str, match: Match, says: Text, render: Render) -> StepReason:
    rule = match.game.rules.get(key) or _RULES.get(key)
    told = sentence(says, render)
    return StepReason(key, says=told) if rule is None else StepReason(**_rule(rule, render), says=told)


def _rule(rule: Rule, render: Render) -> dict[str, Any]:
    return {
        "rule": rule.key,
        "title": sentence(rule.title, render),
        "sentence": sentence(rule.sentence, render),
        "source": rule.source,
    }


_RULES: Final[Mapping[str, Rule]] = {rule.key: rule for rule in (*match_commands.RULES, UNDO, OVER)}
"""The rules of every match; those of a game are in the game."""


# --------------------------------------------------------------------------------------- hidden


def state(match: Match, names: tuple[str | None, ...] = ()) -> dict[str, Any]:
    """A match as the protocol shows it, with everything that the referee knows.

    What people may see of it is its `public_view`. `names` are those of the first seats.
    """
    position = match.position
    seats = len(match.totals)
    return {
        "game": match.terms.game,
        "deal": position.deal,
        "names": [*names, *[None] * seats][:seats],
        "totals": match.totals,
        "points": match.points,
        "winners": match.winners,
        **match.game.view(position.table),
        "hidden": hidden_fields(match.game),
    }


def hidden_fields(game: Game) -> dict[str, str]:
    """The fields of a state that are hidden in part or whole, and how: the value is that of a `Hides`."""
    return {field: hides.value for field, hides in game.hidden.items()}


def public_view(state: Mapping[str, Any]) -> dict[str, Any]:
    """What people may see of a state.

    A field that is hidden as a whole is left out. Of covered piles each has its top card alone, as a
    list of one card (an empty pile stays empty). `hidden` stays: it says what was done. A public view
    that is given once more is unchanged.

    Raises `InvalidRecord` for a state that does not say what is hidden.
    """
    hidden = state.get("hidden")
    if not isinstance(hidden, dict):
        raise InvalidRecord(
            "the state does not say which fields are hidden",
            'take a state with "hidden", as the protocol has it',
        )
    return _without(state, hidden)


def public_events(game: Game, step: Step) -> list[dict[str, Any]]:
    """The events of a step of this game as records, with what people may see of them, as in `public_view`."""
    hidden, records = game.hidden_in_events, map(encode, step.events)
    return [_without(record, hidden.get(record["kind"], {})) for record in records]


def _without(record: Mapping[str, Any], hidden: Mapping[str, str]) -> dict[str, Any]:
    view = {}
    for name, value in record.items():
        if name not in hidden:
            view[name] = value
        elif hidden[name] == Hides.ALL_BUT_TOP:
            view[name] = _tops(value)
        # Everything else is left out: a word that this program does not know must not show a card.
    return view


def _tops(piles: Any) -> Any:  # noqa: ANN401 - a pile, or piles in a list or by name
    if isinstance(piles, dict):
        return {name: list(pile[-1:]) for name, pile in piles.items()}
    if all(isinstance(pile, list) for pile in piles):
        return [list(pile[-1:]) for pile in piles]
    return list(piles[-1:])
