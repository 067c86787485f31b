"""What is counted, in words and for the display. Nothing is decided here."""

from companion.core.board import PlacedCard
from companion.core.cards import Seat, who
from companion.core.ruling import Because
from companion.games.scorekeeping import rules
from companion.games.scorekeeping.options import CountedCards, CountedDeck, as_played
from companion.games.scorekeeping.table import CountTable
from companion.text.sentence import BULL, Text, Who, count, say


def points_in_words(points: int) -> Text:
    return count("{count} point", "{count} points", points)


def counted(who: Text | Who, box: CountedDeck, cards: tuple[str, ...]) -> Text:
    """How many cards somebody has, and what they cost."""
    return count(
        "{who}: {count} card, {points}",
        "{who}: {count} cards, {points}",
        len(cards),
        who=who,
        points=points_in_words(box.points(cards)),
    )


def label(box: CountedDeck, card: str) -> Text:
    """A card as its game writes it on the display."""
    return as_played(box.game).label(card) if box.game else say("{card}", card=card[:4])


def where(table: CountTable, card: str) -> Text | None:
    """Where a card was counted; None if it was not."""
    named = table.box.named(card)
    if card in table.loose:
        return say("card {card} has already been counted", card=named)
    if card in table.rows:
        return say("card {card} is already in the rows", card=named)
    for seat, count_of_seat in enumerate(table.counts):
        if card in count_of_seat.pile:
            player = who(Seat(seat))
            return say("card {card} was counted for {player}", card=named, player=player)
    return None


def newest(table: CountTable) -> tuple[PlacedCard, ...]:
    """The pile that was counted last."""
    if table.newest is None:
        return ()
    seat, cards = table.newest
    points = table.box.points(cards)
    outcome = count("{count} CARD", "{count} CARDS", len(cards))
    says = count(
        "{player} has this card: {points}",
        "{player} has these {count} cards: {points}",
        len(cards),
        player=who(seat),
        points=points_in_words(points),
    )
    return (PlacedCard("", outcome, Because(rules.ENTRY, says), seat, cards, points),)


def sums(table: CountTable) -> Text:
    """What all players have together, and the rows."""
    points = sum(table.points(seat) for seat in table.players)
    if table.box.left is not CountedCards.PILES:
        return count("SUM: {count} POINT", "SUM: {count} POINTS", points)
    rows = table.box.points(table.rows) if table.rows_sum is None else table.rows_sum
    return say("{taken}{bull} TAKEN+{table}{bull} LEFT", taken=points, table=rows, bull=BULL)
