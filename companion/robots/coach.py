"""The coach: what the hard robot would have played instead of a player whose hand is known.

It looks at finished deals of 6 nimmt! only, and at the seats whose hands the match knows: after an open
draft, or where the cards were registered when they were dealt, as those of robots are; or whose hands it is
told, because a device has dealt them. Of a hand that nobody knows it says nothing. What it compares are
expectations at the moment of the play: it sees what the player saw, not what the others held.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from companion.core.board import PlacedCard
from companion.core.cards import Card, Seat
from companion.games.six.explain import line
from companion.games.six.play import next_card
from companion.games.six.records import CardShown, RowChosen
from companion.games.six.table import SixTable, apply
from companion.match.match import Match
from companion.robots import levels
from companion.robots.six.plain import cheapest
from companion.robots.six.seen import finished_turns, seen_by
from companion.values import Value, replace


class PlayedMove(Value):
    """A card that a player whose hand is known has played, or the row taken for it; all to judge it by.

    `deal` and `turn` count from 1. `before` is the match when the card or the row was chosen; `hand` is with
    the card, but without it where it is the row that was chosen. `row` counts from 0; None: a card was
    chosen. `heads` is what the player took in this turn, and `outcome` in the whole deal. `after` is the
    table at the end of the turn.
    """

    deal: int
    turn: int
    seat: Seat
    card: Card
    hand: tuple[Card, ...]
    before: Match
    heads: int
    after: SixTable
    outcome: int = 0
    row: int | None = None


class PlayAdvice(Value):
    """A play beside what the hard robot would have played: the heads that each would have led to, expected.

    They are the own heads from this turn to the end of the deal. Where a row was chosen, `better` is the card
    that was played, and `better_row` the row that the robot would have taken. `certain`: the difference is
    worth telling, and no chance of the robot's imagination.
    """

    play: PlayedMove
    better: Card
    expected: float
    expected_better: float
    certain: bool
    better_row: int | None = None

    @property
    def loss(self) -> float:
        """The heads that the better choice would have saved in the mean; never less than 0."""
        return max(0.0, self.expected - self.expected_better)

    def placed(self) -> tuple[PlacedCard, PlacedCard]:
        """How the card was placed, and how the better choice would have been, if all else was the same."""
        play = self.play
        return _placed(play, play.card, play.row), _placed(play, self.better, self.better_row)


def _placed(play: PlayedMove, card: Card, row: int | None) -> PlacedCard:
    """A card as the referee places it in the turn of a play, in place of the one that was played.

    Where it fits nowhere, it takes the row `row`. Without it, and for a card of another player, it is the row
    that was taken, or the one with the fewest heads.
    """
    table: SixTable = play.before.position.table
    if play.row is None:
        for other, owner in play.after.newest:
            mine = other == play.card
            table = apply(table, CardShown(card if mine else other, play.seat if mine else owner))
    rows = {placed.card: placed.row for placed in play.after.placed if placed.takes}
    rows |= {} if row is None else {card: row}
    while (coming := next_card(table)) is not None:
        if coming.row is None:
            table = replace(table, chosen=rows.get(coming.card, cheapest(table.rows)))
            continue
        placed = coming.placed(coming.seat)
        if placed.card == card:
            return line(placed, table.ends)
        table = apply(table, placed)
    raise ValueError(f"{card} is not placed in this turn")


def plays(match: Match, dealt: Mapping[Seat, Iterable[str]] = MappingProxyType({})) -> Iterator[PlayedMove]:
    """The cards and rows chosen in finished deals by players whose hands are known, in order.

    `dealt` are hands that the match does not know, as they were dealt in its only deal. Other games than
    6 nimmt! have none.
    """
    if match.terms.game != "six":
        return
    moments, chosen_rows = _moments(match)
    deals = match.position.score_sheet.deals
    for number, (points, turns) in enumerate(zip(deals, finished_turns(match), strict=False), start=1):
        told = {seat: frozenset(Card(int(card)) for card in hand) for seat, hand in dealt.items()}
        for turn in turns:
            before = moments.get((number, turn.turn - 1))
            hands, cards = told, {card for card, _ in turn.newest}
            told = {seat: hand - cards for seat, hand in told.items()}
            if before is not None:
                table: SixTable = before.position.table
                known = table.hands
                hands = {seat: known[seat] for seat in table.players} if known else hands
                played = tuple(_of_turn(number, turn, before, hands))
                played = tuple(replace(play, outcome=points[play.seat]) for play in played)
                yield from (play for play in played if len(play.hand) > 1)  # nobody chooses the last card
                yield from _row_of_turn(turn, played, chosen_rows.get((number, turn.turn - 1)))


def judge(play: PlayedMove, seed: int = 0) -> PlayAdvice:
    """What the hard robot makes of a play. It takes some hundredths of a second, and numpy.

    Raises `CompanionError` where there is no numpy.
    """
    levels.need_numpy()
    from companion.robots.six.hard import compare

    seen = seen_by(play.before, play.seat, play.hand)
    found = compare(seen, play.card if play.row is None else play.row, seed)
    better, row = (Card(found.best), None) if play.row is None else (play.card, found.best)
    return PlayAdvice(play, better, found.of_chosen, found.of_best, found.certain, row)


def costliest(judged: Iterable[PlayAdvice], many: int = 3) -> list[PlayAdvice]:
    """The plays that have certainly cost points, the worst first."""
    return sorted((play for play in judged if play.certain), key=lambda play: -play.loss)[:many]


def _moments(match: Match) -> tuple[dict[tuple[int, int], Match], dict[tuple[int, int], Match]]:
    """The match when the cards of a turn were chosen, and when a row was, by deal and finished turns."""
    cards: dict[tuple[int, int], Match] = {}
    rows: dict[tuple[int, int], Match] = {}
    for at, step, _ in match.live_steps():
        table: SixTable = at.position.table
        turn = (at.position.deal, table.turn)
        if not at.position.over and not table.shown and table.rows:
            cards[turn] = at
        if any(isinstance(event, RowChosen) for event in step.events):
            rows[turn] = at
    return cards, rows


def _row_of_turn(turn: SixTable, played: Iterable[PlayedMove], before: Match | None) -> Iterator[PlayedMove]:
    """The choice of a row in a turn, if its cards were not corrected afterwards."""
    table: SixTable | None = None if before is None else before.position.table
    if before is None or table is None or not table.placing:
        return
    lowest, cards = table.lowest.card, {card for card, _ in table.newest}
    row = next((placed.row for placed in turn.placed if placed.card == lowest and placed.takes), None)
    for play in played:
        if play.card == lowest and row is not None and cards == {card for card, _ in turn.newest}:
            hand = tuple(card for card in play.hand if card != lowest)
            if seen_by(before, play.seat, hand).shown[table.players.index(play.seat)] == lowest:
                yield replace(play, hand=hand, before=before, row=row)


def _of_turn(
    deal: int, turn: SixTable, before: Match, hands: Mapping[Seat, frozenset[Card]]
) -> Iterator[PlayedMove]:
    """The plays of one turn, given the table after it, the match before it, and the hands that are known."""
    for seat in before.position.table.players:
        hand = hands.get(seat, frozenset())
        played = [(card, owner) for card, owner in turn.newest if card in hand and owner in (None, seat)]
        if len(played) == 1:
            card = played[0][0]
            took = [placed.heads for placed in turn.placed if placed.card == card]
            yield PlayedMove(deal, turn.turn, seat, card, tuple(sorted(hand)), before, sum(took), turn)
