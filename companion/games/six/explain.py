"""Why a ruling of 6 nimmt! was made, and where a card is, in words and for the display.

Rows and players are counted from 1 here, because players read it. Nothing is decided here.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from companion.core.board import PlacedCard
from companion.core.cards import ROW_LENGTH, ROWS, TURNS, Card, Seat, heads, who
from companion.core.codec import Record
from companion.core.ruling import Because, Chart
from companion.core.score_sheet import EndRules
from companion.games.six import rules
from companion.games.six.records import CardPlaced, Claim, OwnerNamed, RowChosen
from companion.games.six.table import SixTable
from companion.text.sentence import NOTHING, Text, count, say


def why(before: SixTable, event: Record) -> tuple[Because, ...]:
    """The reason for an event that was a decision; none for events that people only reported."""
    match event:
        case CardPlaced():
            return (*_order(before), why_placed(event, before.ends), *_before_it(event))
        case RowChosen(card, row):
            chosen = say("{card} is lower than the end of every row ({ends}): its owner takes row {row}")
            return (rules.LOWEST_CARD.because(chosen.with_facts(card=card, ends=before.ends, row=row + 1)),)
        case OwnerNamed(card, seat):
            return (rules.OWNER.because("{card} was played by {player}", card=card, player=who(seat)),)
        case _:
            return ()


def _order(before: SixTable) -> tuple[Because, ...]:
    """Which card of a turn comes first: a reason of the first placement."""
    if before.placed or len(before.shown) == 1:
        return ()
    cards = tuple(sorted(shown.card for shown in before.shown))
    return (rules.LOWEST_FIRST.because("from the lowest to the highest: {cards}", cards=cards),)


def _before_it(placed: CardPlaced) -> Iterator[Because]:
    """The rule without which the card would not take a row."""
    if placed.rule == rules.FULL_ROW.key:
        yield rules.ROW_OF_FIVE.because(
            "row {row} is full: {cards} cards, including the first", row=placed.row + 1, cards=ROW_LENGTH
        )
    if placed.rule == rules.LOWEST_CARD.key:
        yield rules.ASCENDING.because(
            "{card} fits no row: a card must be higher than the end of its row", card=placed.card
        )


def why_placed(placed: CardPlaced, ends: tuple[Card, ...]) -> Because:
    """Why a card went where it went; `ends` are the ends of the rows before it."""
    if placed.rule == rules.LOWEST_CARD.key:
        taken = say("{card} is lower than the end of every row ({ends}): {taking}")
        return rules.LOWEST_CARD.because(
            taken.with_facts(card=placed.card, ends=ends, taking=_taking(placed))
        )
    goes = _goes(placed.card, ends, placed.row)
    if not placed.takes:
        return rules.SMALLEST_GAP.because(goes)
    full = say("{goes}; it is card number {sixth} there: {taking}")
    return rules.FULL_ROW.because(full.with_facts(goes=goes, sixth=ROW_LENGTH + 1, taking=_taking(placed)))


def why_draft_ends(rows: tuple[Card, ...]) -> tuple[Because, ...]:
    """Why the cards that were left after the draft lie where they lie."""
    return (
        rules.DRAFT.because("the last {cards} cards start the rows: {rows}", cards=len(rows), rows=rows),
        rules.DRAFT_ORDER.because("the lowest of them starts row 1, the highest row {row}", row=ROWS),
    )


def why_unclaimed(placed: CardPlaced) -> Because:
    """Why nobody is charged for a row."""
    charged = count(
        "nobody knows who played {card}: {count} bullhead goes to nobody, and the deal is not verified",
        "nobody knows who played {card}: {count} bullheads go to nobody, and the deal is not verified",
        placed.heads,
        card=placed.card,
    )
    return rules.UNVERIFIED.because(charged)


def why_claimed(table: SixTable, claim: Claim) -> tuple[Because, ...]:
    """Why a player is charged for a row that nobody was charged for before."""
    took = dict(table.unclaimed)[claim.card]
    charged = count(
        "{card} was played by {player}, who takes {cards} ({count} bullhead)",
        "{card} was played by {player}, who takes {cards} ({count} bullheads)",
        heads(took),
        card=claim.card,
        player=who(claim.seat),
        cards=took,
    )
    return (rules.OWNER.because(charged),)


END_RULES: Final = EndRules(
    rules.HEADS, end=rules.END, win=rules.END, shared=rules.SHARED, limit=rules.EDITION, left=rules.LEFT
)


@lru_cache(maxsize=16)  # the same for every card that follows
def line(placed: CardPlaced, ends: tuple[Card, ...]) -> PlacedCard:
    """A card of the newest turn, for a list on the display."""
    outcome = say("TAKES ROW {row}" if placed.takes else "ROW {row}", row=placed.row + 1)
    return PlacedCard(
        str(placed.card),
        outcome,
        why_placed(placed, ends).charted(_chart(placed.card, ends), placed.row + 1),
        placed.seat if placed.takes else None,
        tuple(map(str, placed.takes)),
        placed.heads,
        str(placed.row + 1),
    )


def hint(table: SixTable) -> Text:
    """What the next turn means: which cards will take a row."""
    if len(table.rows) < ROWS:
        return NOTHING if table.agreed.draft else say("{cards} CARDS EACH", cards=TURNS)
    return say("BELOW {card} TAKES A ROW", card=min(table.ends))


def where(table: SixTable, card: Card) -> Text | None:
    """Where a card that is out of the hands is, or None if it may still be in a hand."""
    for index, shown in enumerate(table.shown):
        if shown.card == card:
            return say("card {card} was already played in this turn (number {nth})", card=card, nth=index + 1)
    for index, row in enumerate(table.rows):
        if card in row:
            return say("card {card} is already in row {row}", card=card, row=index + 1)
    for seat, pile in enumerate(table.taken):
        if card in pile:
            return say("card {card} was taken by {player}", card=card, player=who(Seat(seat)))
    return None


def _goes(card: Card, ends: tuple[Card, ...], row: int) -> Text:
    others = [index for index, end in enumerate(ends) if end < card and index != row]
    facts = {"card": card, "row": row + 1, "end": ends[row]}
    if not others:
        return say("{card} goes to row {row}: {end} is the only end below it", **facts)
    first, *rest = others
    listed = (
        say("row {row} ends at {end}", row=first + 1, end=ends[first]),
        *(say("row {row} at {end}", row=index + 1, end=ends[index]) for index in rest),
    )
    return say(
        "{card} goes to row {row}: {end} is the closest end below it; {others}", others=listed, **facts
    )


def _taking(placed: CardPlaced) -> Text:
    return count(
        "{who} takes {cards} ({count} bullhead)",
        "{who} takes {cards} ({count} bullheads)",
        placed.heads,
        who=say("its owner") if placed.seat is None else who(placed.seat),
        cards=placed.takes,
    )


def _chart(card: Card, ends: tuple[Card, ...]) -> Chart:
    return (
        (say("ROW"), *range(1, len(ends) + 1)),
        (say("END"), *map(str, ends)),
        (say("GAP"), *(card - end if end < card else "-" for end in ends)),
    )
