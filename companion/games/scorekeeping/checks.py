"""What is wrong with a count: the checks K1 to K6. Nothing is changed here."""

from collections.abc import Iterator

from companion.core.cards import ROW_LENGTH, ROWS, TURNS, listed_players
from companion.core.ruling import Rule
from companion.games.scorekeeping import rules
from companion.games.scorekeeping.options import CountedCards
from companion.games.scorekeeping.table import CountTable
from companion.text.sentence import Text, count, say
from companion.values import Value


class CountFault(Value):
    """A check that failed; `missing` are cards that it names."""

    rule: Rule
    says: Text
    missing: tuple[str, ...] = ()


def faults(table: CountTable) -> tuple[CountFault, ...]:
    """What is impossible, the most useful first, once everybody has a score; empty if nothing is known."""
    match table.box.left:
        case CountedCards.PILES:
            return (*_of_rows(table), *_of_piles(table))
        case CountedCards.HANDS:
            return tuple(_of_hands(table))
        case CountedCards.NUMBERS:
            return ()


def says_nothing(table: CountTable) -> bool:
    """Whether the only possible check is that the sums are possible."""
    return table.box.left is CountedCards.NUMBERS or (
        table.box.left is CountedCards.PILES and not table.rows_counted
    )


def due_points(table: CountTable) -> int | None:
    """The points of what is not counted yet; None if that is not known."""
    if not table.box.whole(len(table.players)):
        return None
    return table.box.points(table.deck) - sum(_typed(table)) - table.box.points(tuple(table.seen))


def _typed(table: CountTable) -> list[int]:
    sums = [table.counts[seat].points for seat in table.players]
    return [points for points in (*sums, table.rows_sum) if points is not None]


def _of_rows(table: CountTable) -> Iterator[CountFault]:
    cards, low, high = len(table.rows), ROWS, ROWS * ROW_LENGTH
    if cards and not low <= cards <= high:
        says = count(
            "there is {count} card in the rows, but four rows have {low} to {high}",
            "there are {count} cards in the rows, but four rows have {low} to {high}",
            cards,
            low=low,
            high=high,
        )
        yield CountFault(rules.BOUNDS, says)


def _of_piles(table: CountTable) -> Iterator[CountFault]:
    if not _typed(table):
        return _of_cards(table) if table.rows_counted else _without_rows(table)
    return _of_sum(table) if table.rows_counted and table.box.whole(len(table.players)) else _possible(table)


def _without_rows(table: CountTable) -> Iterator[CountFault]:
    """All that was taken was scanned, and nothing is known of the rows."""
    cards, high = len(table.seen), TURNS * len(table.players)
    low = high + ROWS - ROWS * ROW_LENGTH
    if not low <= cards <= high:
        says = say("cards taken: {cards}, but there must be {low} to {high}")
        yield CountFault(rules.BOUNDS, says.with_facts(cards=cards, low=low, high=high))


def _of_cards(table: CountTable) -> Iterator[CountFault]:
    """Everything was scanned: count it, and where the whole deck is in play name what is missing."""
    players, seen = len(table.players), table.seen
    due = table.box.due(players)
    facts = {"cards": len(seen), "due": due}
    if len(seen) > due:
        says = count(
            "there are {cards} cards instead of {due}: one too many",
            "there are {cards} cards instead of {due}: {count} too many",
            len(seen) - due,
            **facts,
        )
        yield CountFault(rules.COUNT, says)
    if len(seen) < due and table.box.whole(players):
        missing = tuple(card for card in table.deck if card not in seen)
        named = count("{cards} is missing", "{cards} are missing", len(missing), cards=missing)
        yield CountFault(rules.MISSING, named, missing)
    if len(seen) < due:
        says = count(
            "{cards} of {due} cards are there: one is missing",
            "{cards} of {due} cards are there: {count} are missing",
            due - len(seen),
            **facts,
        )
        yield CountFault(rules.COUNT, says)


def _of_sum(table: CountTable) -> Iterator[CountFault]:
    """Sums were typed, and the whole deck is in play: they must be all its points, to the last."""
    due, total = due_points(table) or 0, table.box.points(table.deck)
    wrong = (
        count("one head too few", "{count} heads too few", due)
        if due > 0
        else count("one head too many", "{count} heads too many", -due)
    )
    if due:
        says = say("sum {sum} of {total}: {wrong}", sum=total - due, total=total, wrong=wrong)
        yield CountFault(rules.SUM, says)


def _possible(table: CountTable) -> Iterator[CountFault]:
    """Sums were typed: too few or too many points for the number of cards."""
    players, seen = len(table.players), table.seen
    due = table.box.due(players) - len(seen)
    few, many = (due, due) if table.rows_counted else (due - ROWS * ROW_LENGTH, due - ROWS)
    if many < 0:
        says = count(
            "there is {count} card more than {players} players can have",
            "there are {count} cards more than {players} players can have",
            -many,
            players=players,
        )
        yield CountFault(rules.COUNT, says)
        return
    rest = sorted(table.box.worth[card] for card in table.deck if card not in seen)
    yield from _between(table, sum(rest[: max(0, few)]), sum(rest[len(rest) - min(many, len(rest)) :]))


def _between(table: CountTable, low: int, high: int) -> Iterator[CountFault]:
    typed = sum(_typed(table))
    if not low <= typed <= high:
        have = say("{low}", low=low) if low == high else say("{low} to {high}", low=low, high=high)
        says = say("the typed sums add up to {sum}, but only {have} is possible", sum=typed, have=have)
        yield CountFault(rules.POSSIBLE, says)


def _of_hands(table: CountTable) -> Iterator[CountFault]:
    empty = [seat for seat in table.players if table.points(seat) == 0]
    if not empty:
        yield CountFault(rules.BOUNDS, say("nobody has 0 points, but one hand must be empty"))
    elif len(empty) > 1:
        says = say("{players} have 0 points, but only one hand can be empty", players=listed_players(empty))
        yield CountFault(rules.BOUNDS, says)
    yield from _between(table, 0, sum(table.box.worth[card] for card in table.deck if card not in table.seen))
