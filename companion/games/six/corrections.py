"""The orders beside the game: setting a table up, correcting a turn, joining and leaving. Nothing is changed.

First the rulings, then what can lie on a table at all: a position, and its faults in words.
"""

from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from companion.core import ruling
from companion.core.cards import HIGHEST, ROW_LENGTH, ROWS, TURNS, Card, Seat, who
from companion.core.ruling import Allowed, Because, Refused, SeatJoined, SeatLeft
from companion.games.six import records, rules
from companion.games.six.hands import not_free, owner_of, played_already, possible_owners, wrong_hand
from companion.games.six.options import KNOWN_DECK_SEATS, SEATS
from companion.games.six.placing import settle
from companion.games.six.table import SixTable
from companion.text.sentence import Text, count, say

MOST_FAULTS: Final = 2 * HIGHEST


def adopt(table: SixTable, command: records.Adopt) -> records.Ruling:
    """Take over the table as people say it is."""
    event = filled_in(table, command)
    faults = position_faults(table, command, event)
    fix = say("give four rows of one to five ascending cards, each card only once")
    if too_few(table, command, event):
        fix = say(
            "give four rows of one to five ascending cards, each card only once, and every card that was "
            "played; leave taken out, or say in missing how many are in nobody's pile"
        )
    if fault := ruling.impossible_position(faults, rules.TAKEN_OVER, MOST_FAULTS, fix):
        return fault
    return Allowed((event,), tuple(Because(rules.TAKEN_OVER, says) for says in _kept(table, command, event)))


def _kept(table: SixTable, command: records.Adopt, event: records.TableAdopted) -> Iterator[Text]:
    """The finished turns, what stayed because it was left out, and what had to change with the rows."""
    yield count(
        "the table is set up after {count} finished turn",
        "the table is set up after {count} finished turns",
        event.turn,
    )
    if command.taken is None:
        for seat, (before, now) in enumerate(zip(table.taken, event.taken, strict=True)):
            player = who(Seat(seat))
            if now:
                yield count(
                    "{player} keeps {count} card taken in this deal",
                    "{player} keeps {count} cards taken in this deal",
                    len(now),
                    player=player,
                )
            if back := tuple(card for card in before if card not in now):
                yield say("{cards} in a row now: no longer counted for {player}", cards=back, player=player)
    here, played = sum(map(len, (*event.rows, *event.taken))), played_by(table, event.turn)
    if here < played:
        yield say(
            "{here} of the {played} cards played are in rows and piles; nobody is charged for the others",
            here=here,
            played=played,
        )


def correct(table: SixTable, command: records.Correct) -> records.Ruling:
    """Replace cards of the newest turn, and place it again from its beginning."""
    newest = table.newest
    if table.before is None or not newest or table.ended:
        return Refused(
            rules.NO_PENALTY,
            say("this deal has no turn that can be corrected"),
            say("undo back to the turn that was wrong"),
        )
    here = {card for card, _ in newest}
    for card in command.remove:
        if card not in here:
            return Refused(
                rules.NO_PENALTY,
                say("card {card} was not played in this turn", card=card),
                say("use one of {cards}", cards=tuple(sorted(here))),
            )
    keep = [(card, seat) for card, seat in newest if card not in command.remove]
    start = table.before
    if len(keep) + len(command.add) > len(start.players):
        return Refused(
            rules.ONE_CARD_EACH,
            say(
                "{cards} cards for {players} players",
                cards=len(keep) + len(command.add),
                players=len(start.players),
            ),
            say("remove one of the cards"),
        )
    cards, seats = [card for card, _ in keep], [seat for _, seat in keep]
    for card in command.add:
        if fault := not_free(start, card):
            return fault
        if card in cards:
            return Refused(
                rules.ONE_OF_EACH,
                say("card {card} is already in this turn", card=card),
                say("add the card that is missing"),
            )
        owner = owner_of(start, card)
        free = [seat for seat in possible_owners(start) if seat not in seats]
        if start.hands and owner is None and len(free) <= seats.count(None):
            return wrong_hand(card, None, None)
        if owner is not None and owner in seats:
            return played_already(owner, cards[seats.index(owner)])
        cards.append(card)
        seats.append(owner)
    events: list[records.Event] = [records.TurnReopened(tuple(cards), tuple(seats))]
    if len(cards) == len(start.players) and (chosen := _chosen_before(table)) is not None:
        card, row = chosen
        if card == min(cards):  # it fits nowhere still, and its player has called the row already
            events.append(records.RowChosen(card, row))
    return settle(table, events, Because(rules.NO_PENALTY, _said(command)))


def _chosen_before(table: SixTable) -> tuple[Card, int] | None:
    """The card of the newest turn that fitted nowhere and the row chosen for it, if one was."""
    if table.chosen is not None and table.shown:
        return table.lowest.card, table.chosen
    low = next((one for one in table.placed if one.rule == rules.LOWEST_CARD.key), None)
    return None if low is None else (low.card, low.row)


def _said(command: records.Correct) -> Text:
    return say(
        "latest turn corrected: {out} removed, {came} added",
        out=command.remove or say("nothing"),
        came=command.add or say("nothing"),
    )


def swap(table: SixTable, seats: tuple[Seat, ...]) -> records.Ruling:
    if fault := ruling.cannot_swap(table.players, seats, rules.OWNER, rules.PLAYERS):
        return fault
    if not table.whole.isdisjoint(seats):
        return Refused(
            rules.IN_HAND,
            say("the hands are known, and with them every owner"),
            say("undo the wrong card instead"),
        )
    if not any(owner in seats for _, owner in table.newest):
        return Refused(
            rules.OWNER,
            say("neither player owns a card of the latest turn"),
            say("only owners in the latest turn can be swapped; undo to change an earlier turn"),
        )
    one, other = map(who, seats)
    said = say("{one} and {other} swap their cards of the latest turn", one=one, other=other)
    free = say("a mistake in the latest turn is corrected without a penalty")
    return Allowed(
        (records.OwnersSwapped(seats),), (Because(rules.OWNER, said), Because(rules.NO_PENALTY, free))
    )


def leave(table: SixTable, seat: Seat) -> records.Ruling:
    if fault := ruling.not_playing(table.players, seat, rules.PLAYERS):
        return fault
    if table.placing:
        return Refused(
            rules.LEFT, say("the cards of this turn are being placed"), say("answer the open question first")
        )
    stay = say("end the deal instead, or start a new match")
    if fault := ruling.cannot_leave(table.players, SEATS[0], rules.PLAYERS, stay):
        return fault
    if table.hands:
        return Refused(
            rules.DRAFT,
            say("after the open draft, all players stay until the deal ends"),
            say("leave after this deal"),
        )
    if table.owner_in_turn(seat) is not None:
        return Refused(
            rules.LEFT,
            say("{player} has already played in this turn", player=who(seat)),
            say("leave after this turn, or undo the card"),
        )
    said = say("{player} leaves; the points are kept", player=who(seat))
    return settle(table, [SeatLeft(seat)], Because(rules.LEFT, said))


def join(table: SixTable, seat: Seat) -> records.Ruling:
    if fault := ruling.cannot_join(table.players, len(table.taken), SEATS[-1], seat, rules.PLAYERS):
        return fault
    if table.deck != HIGHEST and len(table.players) >= KNOWN_DECK_SEATS[-1]:
        return Refused(
            rules.PLAYERS, say("the known deck is for 2 to 6 players"), say("play with all 104 cards")
        )
    begun = table.turn or table.shown or (table.rows and table.deck != HIGHEST)
    if begun or (table.agreed.draft and table.hands):
        return Refused(
            rules.PLAYERS, say("the deal has begun"), say("join before the first turn of the next deal")
        )
    said = say("{player} joins", player=who(seat))
    return Allowed((SeatJoined(seat),), (Because(rules.PLAYERS, said),))


def end_deal(table: SixTable) -> records.Ruling:
    if len(table.rows) < ROWS or table.shown:
        return Refused(
            rules.EARLY_END,
            say("a deal can only be ended between two turns"),
            say("finish or undo the turn first"),
        )
    said = say("the deal ends after turn {turn}; the heads taken so far count", turn=table.turn)
    return Allowed((records.DealEnded(),), (Because(rules.EARLY_END, said),))


def filled_in(table: SixTable, command: records.Adopt) -> records.TableAdopted:
    """The whole position: what was left out stays as it is, as far as the rows allow it."""
    lying = {card for row in command.rows for card in row}
    taken = command.taken or ((),) * len(table.taken)
    if command.taken is None:
        taken = tuple(tuple(card for card in pile if card not in lying) for pile in table.taken)
    turn = command.turn
    if turn is None:
        played = sum(map(len, (*command.rows, *taken))) + (command.missing or 0) - ROWS
        turn = max(table.turn, min(TURNS, -(-played // len(table.players))))
    return records.TableAdopted(command.rows, turn, taken)


def played_by(table: SixTable, turn: int) -> int:
    """How many cards are in rows and piles after `turn` turns, if nobody came or left during the deal."""
    return ROWS + turn * len(table.players)


def too_few(table: SixTable, command: records.Adopt, event: records.TableAdopted) -> bool:
    """Whether piles are given, and cards that were played are in no row, in no pile and not `missing`.

    Where no piles are given, nobody may know who took the others.
    """
    return (
        bool(command.taken or command.missing is not None)
        and 0 <= event.turn <= TURNS
        and _told(command, event) < played_by(table, event.turn)
    )


def _told(command: records.Adopt, event: records.TableAdopted) -> int:
    return sum(map(len, (*event.rows, *event.taken))) + (command.missing or 0)


def _wrong_number(table: SixTable, command: records.Adopt, event: records.TableAdopted) -> list[Text]:
    """What is wrong with the number of cards in rows and piles after these turns."""
    turn, told = event.turn, _told(command, event)
    if not 0 <= turn <= TURNS:
        return []
    # Who has left since played in the turns before.
    least, most = played_by(table, turn), ROWS + turn * len(table.taken)
    expected: Text | int
    if told > most:
        expected = say("at most {number}", number=most)
    elif too_few(table, command, event):
        expected = least if least == most else say("at least {number}", number=least)
    else:
        return []
    if not command.missing:
        return [
            count(
                "after {count} turn there are {expected} cards in rows and piles, but these are {here}",
                "after {count} turns there are {expected} cards in rows and piles, but these are {here}",
                turn,
                expected=expected,
                here=told,
            )
        ]
    return [
        count(
            "after {count} turn there are {expected} cards in rows and piles, but these are {here}, and "
            "{missing} missing",
            "after {count} turns there are {expected} cards in rows and piles, but these are {here}, and "
            "{missing} missing",
            turn,
            expected=expected,
            here=told - command.missing,
            missing=command.missing,
        )
    ]


def position_faults(table: SixTable, command: records.Adopt, event: records.TableAdopted) -> list[Text]:
    """Everything that is impossible about this table, in words; empty if it is possible."""
    rows, turn, taken = event.rows, event.turn, event.taken
    faults: list[Text] = []
    if len(rows) != ROWS:
        faults.append(say("there are {rows} rows, not {all}", rows=len(rows), all=ROWS))
    if not 0 <= turn <= TURNS:
        faults.append(say("turn {turn} is not between 0 and {last}", turn=turn, last=TURNS))
    if len(taken) != len(table.taken):
        seats = len(table.taken)
        faults.append(
            count(
                "taken has {count} pile for {seats} seats",
                "taken has {count} piles for {seats} seats",
                len(taken),
                seats=seats,
            )
        )
    if command.missing is not None and command.missing < 0:
        faults.append(say("missing is {missing}, not 0 or more", missing=command.missing))
    for number, row in enumerate(rows, start=1):
        if not 1 <= len(row) <= ROW_LENGTH:
            fault = say(
                "row {row} has {cards} cards, not 1 to {most}", row=number, cards=len(row), most=ROW_LENGTH
            )
            faults.append(fault)
        for left, right in pairwise(row):
            if right <= left:
                fault = say(
                    "row {row} is not ascending: {right} comes after {left}",
                    row=number,
                    right=right,
                    left=left,
                )
                faults.append(fault)
    faults += _wrong_number(table, command, event)
    places = [(say("in row {row}", row=number), row) for number, row in enumerate(rows, start=1)]
    places += [
        (say("in the pile of {player}", player=who(Seat(seat))), pile) for seat, pile in enumerate(taken)
    ]
    return faults + ruling.misplaced(
        places, table.deck, say("card {card} {place} is not in the deck 1 to {highest}")
    )
