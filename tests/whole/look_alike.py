"""The same match as the people at the table see it, with other cards where nobody can look."""

from random import Random
from typing import Any

from companion.core.cards import Card
from companion.games.ciao.records import CardGiven, CardsDrawn
from companion.games.ciao.table import CiaoTable, Holding
from companion.games.eleven.records import PileTaken
from companion.games.eleven.table import ElevenTable, Happened, Pile
from companion.match.match import Match
from companion.values import replace


def look_alike(match: Match, random: Random) -> Match:
    """The match with another deck below the tops of the piles, other hands, other cards that were given."""
    position = match.position
    finished = position.finished and _other(position.finished, random)
    return replace(match, position=replace(position, table=_other(position.table, random), finished=finished))


def _other(table: Any, random: Random) -> Any:
    if isinstance(table, ElevenTable):
        return _eleven(table, random)
    return _ciao(table) if isinstance(table, CiaoTable) else table


def _eleven(table: ElevenTable, random: Random) -> ElevenTable:
    """Other cards under the tops, on other piles than they are.

    How many they are on all piles together stays: who counts hands and deck knows it. Of a pile that was
    taken, three cards or more stay three or more, which the bull card has told.
    """
    # When the hands are counted they lie open, and what is known of them may be told.
    known = table.known if table.counting else (frozenset[Card](),) * len(table.known)
    seen = {pile.top for pile in table.piles}.union(table.seen, *known)
    cards = iter(random.sample([card for card in range(1, 101) if card not in seen], 100 - len(seen)))
    under: dict[int, list[Card]] = {pile.number: [] for pile in table.piles}
    for _ in range(sum(len(pile.cards) - 1 for pile in table.piles)):
        under[random.choice(table.piles).number].append(Card(next(cards)))
    piles = tuple(Pile(pile.number, (*under[pile.number], pile.top)) for pile in table.piles)
    newest: list[Happened] = []
    for one in table.newest:
        if isinstance(one, PileTaken):
            fewest, most = (2, 9) if len(one.cards) > 2 else (0, 1)
            covered = (Card(next(cards)) for _ in range(random.randint(fewest, most)))
            newest.append(replace(one, cards=(*covered, one.cards[-1])))
        else:
            newest.append(one)
    return replace(table, piles=piles, newest=tuple(newest), known=known)


def _ciao(table: CiaoTable) -> CiaoTable:
    if table.out is not None or any(table.counting):
        return table
    news = tuple(
        replace(event, card=None)
        if isinstance(event, CardGiven)
        else replace(event, cards=())
        if isinstance(event, CardsDrawn)
        else event
        for event in table.news
    )
    hands = tuple(Holding(hand.size) for hand in table.hands)
    return replace(table, hands=hands, pile=(), drawn=None, news=news)
