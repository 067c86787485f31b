"""What is wrong with a count: the checks K1 to K6. Nothing is changed here."""

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
            return _of_piles(table)
        case CountedCards.HANDS:
            return _of_hands(table)
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


def _of_piles(table: CountTable) -> tuple[CountFault, ...]:
    found = [*_rows(table)]
    if not _typed(table):
        found += _cards(table)
    elif table.rows_counted and table.box.whole(len(table.players)):
        found += _sum(table)
    else:
        found += _possible(table)
    return tuple(found)


def _rows(table: CountTable) -> list[CountFault]:
    cards = len(table.rows)
    if not cards or ROWS <= cards <= ROWS * ROW_LENGTH:
        return []
    says = count(
        "there is {count} card in the rows, but four rows have {low} to {high}",
        "there are {count} cards in the rows, but four rows have {low} to {high}",
        cards,
        low=ROWS,
        high=ROWS * ROW_LENGTH,
    )
    return [CountFault(rules.BOUNDS, says)]


def _cards(table: CountTable) -> list[CountFault]:
    """Everything was scanned: count it, and where the whole deck is in play name what is missing."""
    cards_seen = table.seen
    players, seen = len(table.players), len(cards_seen)
    due = table.box.due(players)
    if not table.rows_counted:
        low, high = TURNS * players + ROWS - ROWS * ROW_LENGTH, TURNS * players
        if low <= seen <= high:
            return []
        says = say(
            "{cards} cards cannot be all that was taken: it must be {low} to {high}",
            cards=seen,
            low=low,
            high=high,
        )
        return [CountFault(rules.BOUNDS, says)]
    if seen == due:
        return []
    if seen > due:
        says = count(
            "there are {cards} cards instead of {due}: one too many",
            "there are {cards} cards instead of {due}: {count} too many",
            seen - due,
            cards=seen,
            due=due,
        )
        return [CountFault(rules.COUNT, says)]
    says = count(
        "{cards} of {due} cards are there: one is missing",
        "{cards} of {due} cards are there: {count} are missing",
        due - seen,
        cards=seen,
        due=due,
    )
    found = [CountFault(rules.COUNT, says)]
    if table.box.whole(players):
        missing = tuple(card for card in table.deck if card not in cards_seen)
        named = count("{cards} is missing", "{cards} are missing", len(missing), cards=missing)
        found.insert(0, CountFault(rules.MISSING, named, missing))
    return found


def _sum(table: CountTable) -> list[CountFault]:
    """Sums were typed, and the whole deck is in play: they must be all its points, to the last."""
    due = due_points(table) or 0
    if due == 0:
        return []
    total = table.box.points(table.deck)
    wrong = (
        count("one head too few", "{count} heads too few", due)
        if due > 0
        else count("one head too many", "{count} heads too many", -due)
    )
    return [
        CountFault(rules.SUM, say("sum {sum} of {total}: {wrong}", sum=total - due, total=total, wrong=wrong))
    ]


def _possible(table: CountTable) -> list[CountFault]:
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
        return [CountFault(rules.COUNT, says)]
    rest = sorted(table.box.worth[card] for card in table.deck if card not in seen)
    few = max(0, few)
    low, high = sum(rest[:few]), sum(rest[len(rest) - min(many, len(rest)) :])
    return _between(sum(_typed(table)), low, high)


def _between(typed: int, low: int, high: int) -> list[CountFault]:
    if low <= typed <= high:
        return []
    have = say("{low}", low=low) if low == high else say("{low} to {high}", low=low, high=high)
    says = say("the typed sums add up to {sum}, but these cards have {have}", sum=typed, have=have)
    return [CountFault(rules.POSSIBLE, says)]


def _of_hands(table: CountTable) -> tuple[CountFault, ...]:
    empty = [seat for seat in table.players if table.points(seat) == 0]
    found = []
    if not empty:
        found.append(CountFault(rules.BOUNDS, say("nobody has 0 points, but one hand must be empty")))
    elif len(empty) > 1:
        says = say("{players} have 0 points, but only one hand can be empty", players=listed_players(empty))
        found.append(CountFault(rules.BOUNDS, says))
    seen = table.seen
    rest = sum(table.box.worth[card] for card in table.deck if card not in seen)
    return (*found, *_between(sum(_typed(table)), 0, rest))
