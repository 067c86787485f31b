"""The orders beside the game: correcting a turn, swapping, coming and going; last, setting a table up.

Nothing is changed here.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from companion.core import ruling
from companion.core.cards import HIGHEST, ROW_LENGTH, ROWS, TURNS, Card, Seat, who
from companion.core.codec import Record
from companion.core.ruling import Allowed, EndDeal, Join, Leave, SeatJoined, SeatLeft, Swap, require
from companion.games.six import records, rules
from companion.games.six.options import KNOWN_DECK_SEATS, SEATS
from companion.games.six.play import Ruling, check_free, owner_of, played_already, settle, wrong_hand
from companion.games.six.records import TableAdopted
from companion.games.six.table import SixTable
from companion.text.sentence import Text, count, say
from companion.values import replace


def correct(table: SixTable, command: records.Correct) -> Ruling:
    """Replace cards of the newest turn, and place it again from its beginning."""
    start, newest = table.before, dict(table.newest)
    if start is None or not newest or table.ended:
        fault = say("this deal has no turn that can be corrected")
        raise rules.NO_PENALTY.forbids(fault, "undo back to the turn that was wrong")
    for card in command.remove:
        fault = say("card {card} was not played in this turn", card=card)
        fix = say("use one of {cards}", cards=tuple(sorted(newest)))
        rules.NO_PENALTY.demands(card in newest, fault, fix)
    turn = {card: seat for card, seat in newest.items() if card not in command.remove}
    cards, players = len(turn) + len(command.add), len(start.players)
    fault = say("{cards} cards for {players} players", cards=cards, players=players)
    rules.ONE_CARD_EACH.demands(cards <= players, fault, "remove one of the cards")
    for card in command.add:
        turn[card] = _owner_of_added(start, turn, card)
    events: list[Record] = [records.TurnReopened(tuple(turn), tuple(turn.values()))]
    chosen = _chosen_before(table)
    if chosen is not None and cards == players and chosen.card == min(turn):
        events.append(chosen)  # it fits nowhere still, and its player has called the row already
    out, came = command.remove or say("nothing"), command.add or say("nothing")
    reason = rules.NO_PENALTY.because(
        "latest turn corrected: {out} removed, {came} added", out=out, came=came
    )
    return settle(table, events, reason)


def _owner_of_added(start: SixTable, turn: dict[Card, Seat | None], card: Card) -> Seat | None:
    """Whose a card is that is added to the cards of a turn."""
    check_free(start, card)
    fault = say("card {card} is already in this turn", card=card)
    rules.ONE_OF_EACH.demands(card not in turn, fault, "add the card that is missing")
    owner, owners = owner_of(start, card), list(turn.values())
    free = [seat for seat in start.possible_owners if seat not in owners]
    if start.hands and owner is None and len(free) <= owners.count(None):
        raise wrong_hand(card, None, None)
    if owner is not None and owner in owners:
        raise played_already(owner, list(turn)[owners.index(owner)])
    return owner


def _chosen_before(table: SixTable) -> records.RowChosen | None:
    """The row that was chosen for the card of the newest turn that fitted nowhere, if there was one."""
    if table.chosen is not None and table.shown:
        return records.RowChosen(table.lowest.card, table.chosen)
    low = (placed for placed in table.placed if placed.rule == rules.LOWEST_CARD.key)
    return next((records.RowChosen(placed.card, placed.row) for placed in low), None)


def swap(table: SixTable, command: Swap) -> Ruling:
    seats = command.seats
    require(ruling.cannot_swap(table.players, seats, rules.OWNER, rules.PLAYERS))
    fault = say("the hands are known, so every card's owner is known too")
    rules.IN_HAND.demands(table.whole.isdisjoint(seats), fault, "undo the wrong card instead")
    fault = say("neither player owns a card of the latest turn")
    fix = say("only owners in the latest turn can be swapped; undo to change an earlier turn")
    rules.OWNER.demands(any(owner in seats for _, owner in table.newest), fault, fix)
    first, second = map(who, seats)
    reasons = (
        rules.OWNER.because("{one} and {other} swap their cards of the latest turn", one=first, other=second),
        rules.NO_PENALTY.because("a mistake in the latest turn is corrected without a penalty"),
    )
    return Allowed((records.OwnersSwapped(seats),), reasons)


def leave(table: SixTable, command: Leave) -> Ruling:
    seat, player = command.seat, who(command.seat)
    require(ruling.not_playing(table.players, seat, rules.PLAYERS))
    fault = say("the cards of this turn are being placed")
    rules.LEFT.demands(not table.placing, fault, "answer the open question first")
    stay = say("end the deal instead, or start a new match")
    require(ruling.cannot_leave(table.players, SEATS[0], rules.PLAYERS, stay))
    fault = say("after the open draft, all players stay until the deal ends")
    rules.DRAFT.demands(not table.hands, fault, "leave after this deal")
    fault = say("{player} has already played in this turn", player=player)
    rules.LEFT.demands(table.owner_in_turn(seat) is None, fault, "leave after this turn, or undo the card")
    reason = rules.LEFT.because("{player} leaves; the points are kept", player=player)
    return settle(table, [SeatLeft(seat)], reason)


def join(table: SixTable, command: Join) -> Ruling:
    seat, known = command.seat, table.deck != HIGHEST
    require(ruling.cannot_join(table.players, len(table.taken), SEATS[-1], seat, rules.PLAYERS))
    if known and len(table.players) >= KNOWN_DECK_SEATS[-1]:
        raise rules.PLAYERS.forbids("the known deck is for 2 to 6 players", "play with all 104 cards")
    begun = table.turn or table.shown or (table.rows and known) or (table.agreed.draft and table.hands)
    fix = say("join before the first turn of the next deal")
    rules.PLAYERS.demands(not begun, "the deal has begun", fix)
    return Allowed((SeatJoined(seat),), (rules.PLAYERS.because("{player} joins", player=who(seat)),))


def end_deal(table: SixTable, _command: EndDeal) -> Ruling:
    if table.shown or len(table.rows) < ROWS:
        raise rules.EARLY_END.forbids(
            "a deal can only be ended between two turns", "finish or undo the turn first"
        )
    reason = say("the deal ends after turn {turn}; the heads taken so far count", turn=table.turn)
    return Allowed((records.DealEnded(),), (rules.EARLY_END.because(reason),))


# --------------------------------------------------------------------------------------- setting a table up

MAX_FAULTS: Final = 2 * HIGHEST


def adopt(table: SixTable, command: records.Adopt) -> Ruling:
    """Take over the table as people say it is."""
    event = _whole(table, command)
    turn, cards = event.turn, _cards_accounted_for(command, event)
    # Who has left since played in the turns before.
    least, most = ROWS + turn * len(table.players), ROWS + turn * len(table.taken)
    # Where no piles are given, nobody may know who took the cards that are in no row.
    given = bool(command.taken or command.missing is not None)
    expected: Text | int | None = None
    fix = say("give four rows of one to five ascending cards, each card only once")
    if 0 <= turn <= TURNS and cards > most:
        expected = say("at most {number}", number=most)
    if 0 <= turn <= TURNS and cards < least and given:
        expected = least if least == most else say("at least {number}", number=least)
        fix = say(
            "give four rows of one to five ascending cards, each card only once, and every card that was "
            "played; leave 'taken' out, or say in 'missing' how many are in nobody's pile"
        )
    faults = [*_misshapen(table, command, event)]
    if expected is not None:
        faults.append(_wrong_number(turn, expected, cards, command.missing or 0))
    faults += _misplaced(table, event)
    require(ruling.impossible_position(faults, rules.TAKEN_OVER, MAX_FAULTS, fix))
    return Allowed((event,), tuple(map(rules.TAKEN_OVER.because, _unchanged(table, command, event))))


def _whole(table: SixTable, command: records.Adopt) -> TableAdopted:
    """The whole position: what was left out stays as it is, as far as the rows allow it."""
    lying = {card for row in command.rows for card in row}
    taken = command.taken or ((),) * len(table.taken)
    if command.taken is None:
        taken = tuple(tuple(card for card in pile if card not in lying) for pile in table.taken)
    event = TableAdopted(command.rows, table.turn if command.turn is None else command.turn, taken)
    if command.turn is None:
        turns = -(-(_cards_accounted_for(command, event) - ROWS) // len(table.players))
        event = replace(event, turn=max(table.turn, min(TURNS, turns)))
    return event


def _cards_accounted_for(command: records.Adopt, event: TableAdopted) -> int:
    return sum(map(len, (*event.rows, *event.taken))) + (command.missing or 0)


def _misshapen(table: SixTable, command: records.Adopt, event: TableAdopted) -> Iterator[Text]:
    """What is wrong with the numbers of rows, turns and piles, and with each row."""
    rows, turn, piles, seats = event.rows, event.turn, len(event.taken), len(table.taken)
    if len(rows) != ROWS:
        yield say("there are {rows} rows, not {all}", rows=len(rows), all=ROWS)
    if not 0 <= turn <= TURNS:
        yield say("turn {turn} is not between 0 and {last}", turn=turn, last=TURNS)
    if piles != seats:
        yield count(
            "'taken' has {count} pile for {seats} seats",
            "'taken' has {count} piles for {seats} seats",
            piles,
            seats=seats,
        )
    if command.missing is not None and command.missing < 0:
        yield say("'missing' is {missing}, not 0 or more", missing=command.missing)
    for number, row in enumerate(rows, start=1):
        if not 1 <= len(row) <= ROW_LENGTH:
            size = len(row)
            yield say("row {row} has {cards} cards, not 1 to {most}", row=number, cards=size, most=ROW_LENGTH)
        for left, right in pairwise(row):
            if right <= left:
                says = say("row {row} is not ascending: {right} comes after {left}")
                yield says.with_facts(row=number, right=right, left=left)


def _wrong_number(turn: int, expected: Text | int, cards: int, missing: int) -> Text:
    """The fault of rows and piles whose number of cards does not match the turns."""
    facts = {"expected": expected, "here": cards - missing}
    if not missing:
        return count(
            "after {count} turn, rows and piles should have {expected} cards, but there are {here}",
            "after {count} turns, rows and piles should have {expected} cards, but there are {here}",
            turn,
            **facts,
        )
    return count(
        "after {count} turn, rows and piles should have {expected} cards, but there are {here}, "
        "and {missing} missing",
        "after {count} turns, rows and piles should have {expected} cards, but there are {here}, "
        "and {missing} missing",
        turn,
        **facts,
        missing=missing,
    )


def _misplaced(table: SixTable, event: TableAdopted) -> list[Text]:
    """The cards that are not in the deck, or in two places."""
    places = [(say("in row {row}", row=number), row) for number, row in enumerate(event.rows, start=1)]
    for seat, pile in enumerate(event.taken):
        places.append((say("in the pile of {player}", player=who(Seat(seat))), pile))
    unknown = say("card {card} {place} is not in the deck 1 to {highest}")
    return ruling.misplaced(places, table.deck, unknown)


def _unchanged(table: SixTable, command: records.Adopt, event: TableAdopted) -> Iterator[Text]:
    """The finished turns, what stayed because it was left out, and what had to change with the rows."""
    yield count(
        "the table is set up after {count} finished turn",
        "the table is set up after {count} finished turns",
        event.turn,
    )
    stay = zip(table.taken, event.taken, strict=True) if command.taken is None else ()
    for seat, (before, now) in enumerate(stay):
        player = who(Seat(seat))
        if now:
            yield count(
                "{player} keeps {count} card taken in this deal",
                "{player} keeps {count} cards taken in this deal",
                len(now),
                player=player,
            )
        if back := tuple(card for card in before if card not in now):
            yield say("no longer counted for {player}: {cards}, now in a row", cards=back, player=player)
    here, played = sum(map(len, (*event.rows, *event.taken))), ROWS + event.turn * len(table.players)
    if here < played:
        yield say(
            "{here} of the {played} cards played are in rows and piles; nobody is charged for the others",
            here=here,
            played=played,
        )
