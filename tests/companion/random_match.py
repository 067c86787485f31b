"""Matches of any game by chance: legal answers to what is asked, and orders that nobody asked for."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from random import Random
from types import NoneType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

from msgspec.structs import fields

from companion.core import games
from companion.core.ask import Ask, AskKind, Wait
from companion.core.cards import Card, Seat
from companion.core.ruling import ForgetHands
from companion.games.ciao import records as ciao
from companion.games.eleven.records import Adopt
from companion.match.commands import CorrectScore, EndMatch
from companion.match.dealer import Group, players_by_chance
from companion.match.match import Match, Step, Terms, begin
from companion.text.errors import CompanionError
from companion.text.sentence import NOTHING
from tests.companion.games.ciao import naive_ciao
from tests.companion.games.six.naive_six import heads

View = Mapping[str, Any]


@dataclass(frozen=True)
class Expected:
    """What the laws expect of a game, beside what it says of itself.

    `agreements` are options worth trying, for numbers of seats that all of them allow or
    refuse with `InvalidRecord`; `kinds` is what it ever asks for. `lying` names every card that a
    state shows, wherever it is; `points` are the points of the deal, counted a second time from a
    state with the options; `heads` what one card costs. `opening` is an order to begin a
    match with, so that it comes to tables that play seldom leads to; None to begin as usual.
    `typed` are answers to the count of a hand that are no cards. `corrects` says that a player who
    has answered may answer again, and that people may say what cannot be, so that not all adds up.
    `anytime` are commands that are an answer, and may be given when nobody asks, too.
    """

    agreements: tuple[Mapping[str, Any], ...]
    kinds: tuple[AskKind, ...]
    lying: Callable[[View], Iterator[Any]]
    points: Callable[[View, View], list[int]]
    heads: Callable[[View, str], int]
    opening: Callable[[Match, Random], Any]
    typed: Callable[[Match], tuple[str, ...]] = lambda _match: ()
    corrects: bool = False
    anytime: tuple[type, ...] = ()


def cards_of(match: Match) -> tuple[str, ...]:
    """Every card of the box on the table; where there is none, points as people type them."""
    return games.module(match.box).DECK if match.box else ("=7", "=0", "=30")


def _rows_and_piles(view: View) -> Iterator[Any]:
    for pile in (*view["rows"], *view["taken"]):
        yield from pile
    for shown in view["shown"]:
        yield shown["card"]


def _piles_and_hands(view: View) -> Iterator[Any]:
    for pile in (*view["piles"].values(), *view["hands"]):
        yield from pile


def _heads_of_eleven(options: View, card: str) -> int:
    table = options.get("heads", "six")
    return heads(int(card)) if table == "six" else int(table[int(card) - 1])


def _late_in_eleven(match: Match, random: Random) -> Any:
    """In two of three matches hardly a deck any more, many bull cards, known hands; often no pile."""
    if random.random() < 0.3:
        return None
    box = list(map(Card, range(1, 101)))
    random.shuffle(box)
    deck = random.choice((0, 0, 1, 2, 3, 20))
    piles: dict[str, tuple[Card, ...]] = {}
    for number in random.sample(range(120), random.choice((0, 1, 2, 5, 12))):
        pile = [box.pop()]
        for _ in range(random.randrange(5)):
            above = [card for card in box if 1 <= (card - pile[-1]) % 100 <= 10]
            if above:
                pile.append(random.choice(above))
                box.remove(pile[-1])
        piles[str(number)] = tuple(pile)
    hands, bulls = [], [0] * len(match.points)
    for _ in match.players:
        size = random.randrange(1, 2 + (len(box) - deck) // len(match.points))
        hands.append(tuple(box.pop() for _ in range(size)))
    evenly = random.random() < 0.5
    for number in range(random.choice((0, 9, 10, 10))):
        bulls[number % len(bulls) if evenly else random.randrange(len(bulls))] += 1
    sizes = tuple(map(len, hands))
    known = tuple(hand if random.random() < 0.5 else () for hand in hands)
    spare = 0 if random.random() < 0.5 else random.randrange(len(box) - deck + 1)
    return Adopt(piles, known, sizes, tuple(bulls), len(box) - spare if len(box) < 9 else deck)


def _copies_of_ciao(view: View) -> Iterator[Any]:
    """Kinds exist several times; copies exist once."""
    for pile in (view["discards"], view["pile"], [view["top"] or ""], *view["hands"]):
        yield from (card for card in pile if "#" in card)


def _points_of_ciao(view: View, _: View) -> list[int]:
    """What the cards cost where they are known, else what was typed."""
    costs = []
    for hand, size, counted in zip(view["hands"], view["hand_sizes"], view["counted"], strict=True):
        shown = counted is not None and len(hand) == size
        costs.append(sum(naive_ciao.worth(card) for card in hand) if shown else counted or 0)
    return costs


def _late_in_ciao(match: Match, random: Random) -> Any:
    """In two of three matches short hands, many of them known, few to draw, and often an effect going on."""
    if random.random() < 0.3:
        return None
    box = list(match.position.table.agreed.cards())
    random.shuffle(box)
    hands = tuple(tuple(box.pop() for _ in range(random.randrange(1, 5))) for _ in match.points)
    known = tuple(hand if random.random() < 0.6 else hand[: random.randrange(len(hand))] for hand in hands)
    top = next(card for card in reversed(box) if card[0] != "T")
    box.remove(top)
    pending = random.choice((0, 3, 6)) if ":+3" in top else 0
    race = random.choice(match.players) if ":SC" in top and random.random() < 0.7 else None
    if top[1] == "J" and random.random() < 0.7:
        top = f"{top[:2]}={random.choice('RPS')}"
    pile = tuple(box[: random.randrange(6)])
    return ciao.Adopt(
        top=top,
        turn=random.choice(match.players),
        dir=random.choice((1, -1)),
        pending=pending,
        hands=known,
        hand_sizes=tuple(map(len, hands)),
        draw=len(pile) + random.choice((0, 0, 1, 9)),
        pile=pile if random.random() < 0.5 else None,
        discards=tuple(box[9 : 9 + random.randrange(9)]),
        skips=tuple(random.choice((0, 0, 0, 1, 2)) for _ in match.points),
        race=race,
    )


def _counted_cards(view: View) -> Iterator[Any]:
    for pile in (*view["piles"], view["rows"], view["loose"]):
        yield from pile


def _points_of_score(view: View, options: View) -> list[int]:
    ciao = options.get("of") == "ciao"
    return [
        sum(naive_ciao.worth(card) if ciao else heads(int(card)) for card in pile) if typed is None else typed
        for typed, pile in zip(view["sums"], view["piles"], strict=True)
    ]


EXPECTED: Mapping[str, Expected] = {
    "six": Expected(
        agreements=(
            {},
            {"deck": "known"},
            {"deck": "known", "draft": True},
            {"hands": True},
            {"deck": "known", "hands": [1]},
            {"end": {"deals": 2}},
            {"booklet": "000"},
            {"end": {"target": 20, "when": "passed"}},
        ),
        kinds=(
            AskKind.LAY,
            AskKind.HOLD,
            AskKind.DONE,
            AskKind.PICK,
            AskKind.PLAY,
            AskKind.CHOOSE,
            AskKind.CLAIM,
        ),
        anytime=(ForgetHands,),
        lying=_rows_and_piles,
        points=lambda view, _: [sum(map(heads, pile)) for pile in view["taken"]],
        heads=lambda _, card: heads(int(card)),
        opening=lambda _match, _random: None,
    ),
    "eleven": Expected(
        agreements=(
            {},
            {"deals": 1},
            {"deals": 3, "heads": [*range(1, 100), 1]},
            {"bulls": "spent", "bull_piles": "one_more", "leader": "others"},
        ),
        kinds=(
            AskKind.TURN_UP,
            AskKind.PLAY,
            AskKind.TAKE,
            AskKind.CHOOSE,
            AskKind.WHOM,
            AskKind.DONE,
            AskKind.HAND,
        ),
        lying=_piles_and_hands,
        points=lambda view, options: [
            0 if counted is None else sum(_heads_of_eleven(options, card) for card in hand)
            for hand, counted in zip(view["hands"], view["counted"], strict=True)
        ],
        heads=_heads_of_eleven,
        opening=_late_in_eleven,
    ),
    "ciao": Expected(
        agreements=(
            {},
            {"end": {"deals": 2}},
            {"step": 1},
            {"step": 2},
            {"step": 3, "end": {"target": 40}},
            {"trouble": "special", "after_challenge": "challenger"},
            {"last_special": "forbidden"},
            {"plus3_higher": False, "reverse_with_two": "again"},
            {"deck": {"gR": 6, "gR:SC": 3, "T": 1}},
        ),
        kinds=(
            AskKind.PLAY,
            AskKind.RACE,
            AskKind.GIVE,
            AskKind.HAND,
            AskKind.CLAIM,
            AskKind.WHOM,
            AskKind.DECIDE,
            AskKind.DRAW,
            AskKind.DONE,
        ),
        lying=_copies_of_ciao,
        points=_points_of_ciao,
        heads=lambda _options, _card: 0,
        opening=_late_in_ciao,
    ),
    "score": Expected(
        agreements=(
            {},
            {"end": {"deals": 2}},
            {"of": "six"},
            {"of": "six", "deck": "known"},
            {"of": "six", "entry": "piles", "deck": "known", "end": {"deals": 3}},
            {"of": "six", "entry": "piles"},
            {"of": "six", "entry": "takes", "deck": "known"},
            {"of": "eleven"},
            {"of": "eleven", "entry": "piles", "end": {"deals": 2}},
            {"of": "ciao", "entry": "piles"},
            {"of": "ciao", "end": {"target": 50, "when": "passed"}},
        ),
        kinds=(AskKind.CLAIM, AskKind.DECIDE, AskKind.DONE),
        lying=_counted_cards,
        points=_points_of_score,
        heads=lambda _options, _card: 0,
        opening=lambda _match, _random: None,
        typed=lambda match: ("=0", "=5", "=17") if match.game.options()["entry"] == "typed" else (),
        corrects=True,
    ),
}
"""One entry for each game."""
ODD_NUMBERS = (-1, 0, 1, 2, 3, 4, 5, 9, 10, 11, 100, 101, 104, 105, 1_000_000)


def agreed(game: str, random: Random) -> Match:
    """A match before its first step, with terms by chance."""
    module = games.module(game)
    while True:
        seats = random.choice(module.SEATS)
        options = random.choice(EXPECTED[game].agreements)
        try:
            return begin(Terms(game, seats, options, Seat(random.randrange(seats))))
        except CompanionError:
            continue  # these options are not for so many seats


def legal(match: Match, random: Random) -> Step:
    """A step that answers an open question, mostly the first; there is one as long as anything is asked.

    Somebody on turn may have no card that can be played; then another question has an answer.
    """
    chosen = match.asks[0] if random.random() < 0.8 else random.choice(match.asks)
    for ask in (chosen, *match.asks):
        texts = list(ask.choices or cards_of(match))
        random.shuffle(texts)
        if ask.kind is AskKind.HAND:
            # A deck may be agreed on with more copies of a card than the box has codes for.
            kinds = [text.partition("#")[0] for text in texts if "#" in text]
            texts = [*EXPECTED[match.terms.game].typed(match), *texts, *kinds]
        seats: list[Seat | None] = list(ask.seats) if ask.wait is Wait.ONE else [*ask.seats, None]
        random.shuffle(seats)
        for text in texts:
            for seat in seats:
                step = match.propose(match.game.read(ask, seat, text))
                if isinstance(step, Step):
                    return step
    raise AssertionError(f"no card and no choice answers {match.asks}")


def unasked(match: Match, random: Random) -> Iterator[Any]:
    """Answers to questions that are not open, and from seats that are not asked."""
    open_verbs = {ask.kind for ask in match.asks}
    texts = cards_of(match)
    for kind in EXPECTED[match.terms.game].kinds:
        if kind in open_verbs:
            continue
        seat = random.choice(match.players)
        ask = Ask(kind, (seat,), Wait.ONE, NOTHING, choices=("0", "1", "2", "3"), card=random.choice(texts))
        for text in ("2", random.choice(texts)):
            try:
                command = match.game.read(ask, seat, text)
            except CompanionError:
                continue
            if not isinstance(command, EXPECTED[match.terms.game].anytime):
                yield command
    for ask in match.asks:
        asked = {seat for one in match.asks if one.kind is ask.kind for seat in one.seats}
        for seat in map(Seat, range(-1, 12)):
            if seat not in asked and not (EXPECTED[match.terms.game].corrects and seat in match.players):
                command = match.game.read(ask, seat, random.choice(ask.choices or texts))
                if getattr(command, "seat", None) == seat:  # rows are laid without a seat
                    yield command


def by_people(match: Match, people: Group) -> Step:
    """A step that players with hands of their own make."""
    answer = people.answer(match)
    assert answer.ask in match.asks
    assert not answer.ask.choices or answer.text in answer.ask.choices
    step = match.propose(match.game.read(answer.ask, answer.seat, answer.text))
    assert isinstance(step, Step), (answer, str(step.fault))
    return step


def wild(match: Match, random: Random) -> Any:
    """An order of a random kind with random fields: nearly always nonsense."""
    cls: Any = random.choice(match.game.commands)
    hints = _hints(cls)
    values = {
        field.name: _anything(hints[field.name], match, random)
        for field in fields(cls)
        if field.required or random.random() < 0.7
    }
    return cls(**values)


_hints = cache(get_type_hints)


def _anything(hint: Any, match: Match, random: Random) -> Any:
    hint = getattr(hint, "__supertype__", hint)
    if get_origin(hint) in (Union, UnionType):
        inner = next(arg for arg in get_args(hint) if arg is not NoneType)
        return None if random.random() < 0.3 else _anything(inner, match, random)
    if get_origin(hint) is tuple:
        part = get_args(hint)[0]
        return tuple(_anything(part, match, random) for _ in range(random.choice((0, 1, 2, 2, 4, 4, 5))))
    if get_origin(hint) is Mapping:
        part = get_args(hint)[1]
        names = random.sample(("new", "x", "", *map(str, ODD_NUMBERS)), random.choice((0, 1, 1, 2, 3)))
        return {name: _anything(part, match, random) for name in names}
    if hint is bool:
        return random.random() < 0.5
    if hint is str:
        return random.choice(cards_of(match))
    found = random.choice((random.choice(ODD_NUMBERS), random.randrange(4), random.randrange(1, 105)))
    return Card(found) if hint is Card else found


_LONGEST = 4000
_SHORT: dict[str, Any] = {
    "six": {"end": {"deals": 2}},
    "eleven": {"deals": 1},
    "ciao": {"deals": 1},
    "score": {"end": {"target": 60}},
}


def _any_terms(random: Random) -> Match:
    """Before its first step: mostly a match of which only the score is kept, in all its ways."""
    while True:
        game = random.choice(("score", "score", "score", *games.GAMES))
        seats = random.choice(games.module(game).SEATS)
        options: dict[str, Any] = dict(_SHORT[game]) if random.random() < 0.7 else {}
        if game == "score":
            options["of"] = random.choice(("six", "six", "eleven", "ciao", "other"))
            options["entry"] = random.choice(("typed", "piles", "takes"))
            options["deck"] = random.choice(("full", "known"))
            options["high_wins"] = random.random() < 0.3
            if random.random() < 0.3:
                options["start"] = [random.randrange(-20, 20) for _ in range(seats)]
            if random.random() < 0.3:
                options["teams"] = [[0, seats - 1], [seats // 2]] if seats > 3 else [[0, 1]]
        try:
            return begin(Terms(game, seats, options, Seat(random.randrange(seats))))
        except CompanionError:
            continue  # these options are not for so many seats, or not for this game


def corrected_evening(random: Random) -> Iterator[tuple[Match, Step]]:
    """The steps of an evening with corrected scores and undone steps, each with the match after it."""
    match = _any_terms(random)
    people = players_by_chance(match.terms.game, random)
    yield match, Step(0)
    for _ in range(_LONGEST):
        steps = []
        rng = random.random()
        done = match.position.score_sheet.deals
        if done and (rng < 0.02 or not match.asks):
            steps = [match.propose(_correction(match, random))]
        elif rng < 0.04:
            steps = [match.undo()]
        elif rng < 0.041 and done:
            steps = [match.propose(EndMatch())]
        elif match.asks:
            answer = people.answer(match)
            steps = [match.propose(match.game.read(answer.ask, answer.seat, answer.text))]
            assert isinstance(steps[0], Step), str(steps[0].fault)
        for step in steps:
            if isinstance(step, Step):
                match = match.then(step)
                yield match, step
        if steps and isinstance(steps[0], Step) and steps[0].voids is not None:
            redo = match.redo()
            assert isinstance(redo, Step)
            match = match.then(redo)
            yield match, redo
        if not match.asks and rng < 0.3:
            return


def _correction(match: Match, random: Random) -> CorrectScore:
    deal, seats = 1 + random.randrange(len(match.position.score_sheet.deals)), len(match.totals)
    row = match.position.score_sheet.deals[deal - 1]
    points = [*row, *[0] * (seats - len(row))]
    points[random.randrange(seats)] = random.randrange(60)
    return CorrectScore(deal, tuple(points))
