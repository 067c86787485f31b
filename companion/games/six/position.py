"""What can lie on a table of 6 nimmt! at all: the JSON Schema of a position, and its faults in words."""

from itertools import pairwise
from typing import Any

from companion.core.cards import Card, Seat, who
from companion.core.codec import json_schema
from companion.core.ruling import in_two_places
from companion.games.six.options import ROW_LENGTH, ROWS, TURNS
from companion.games.six.records import Adopt, TableAdopted
from companion.games.six.table import SixTable
from companion.text.sentence import CardNumber, Text, count, say


def filled_in(table: SixTable, command: Adopt) -> TableAdopted:
    """The whole position: what was left out stays as it is, as far as the rows allow it."""
    lying = {card for row in command.rows for card in row}
    taken = command.taken or ((),) * len(table.taken)
    if command.taken is None:
        taken = tuple(tuple(card for card in pile if card not in lying) for pile in table.taken)
    turn = command.turn
    if turn is None:
        played = sum(map(len, (*command.rows, *taken))) + (command.missing or 0) - ROWS
        turn = max(table.turn, min(TURNS, -(-played // len(table.players))))
    return TableAdopted(command.rows, turn, taken)


def played_by(table: SixTable, turn: int) -> int:
    """How many cards are in rows and piles after so many turns, if nobody came or left during the deal."""
    return ROWS + turn * len(table.players)


def too_few(table: SixTable, command: Adopt, event: TableAdopted) -> bool:
    """Whether piles are given, and cards that were played are in no row, in no pile and not `missing`.

    Where no piles are given, nobody may know who took the others.
    """
    return (
        bool(command.taken or command.missing is not None)
        and 0 <= event.turn <= TURNS
        and _told(command, event) < played_by(table, event.turn)
    )


def _told(command: Adopt, event: TableAdopted) -> int:
    return sum(map(len, (*event.rows, *event.taken))) + (command.missing or 0)


def _wrong_number(table: SixTable, command: Adopt, event: TableAdopted) -> list[Text]:
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


def position_faults(table: SixTable, command: Adopt, event: TableAdopted) -> list[Text]:
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
    seen: dict[Card, Text] = {}
    places = [(say("in row {row}", row=number), row) for number, row in enumerate(rows, start=1)]
    places += [
        (say("in the pile of {player}", player=who(Seat(seat))), pile) for seat, pile in enumerate(taken)
    ]
    for place, cards in places:
        for card in cards:
            if not 1 <= card <= table.deck:
                faults.append(
                    say(
                        "card {card} {place} is not in the deck 1 to {highest}",
                        card=card,
                        place=place,
                        highest=CardNumber(table.deck),
                    )
                )
            elif card in seen:
                faults.append(in_two_places(card, seen[card], place))
            else:
                seen[card] = place
    return faults


def position_schema() -> dict[str, Any]:
    """The JSON Schema of a position: the command `adopt` without its kind."""
    return json_schema(Adopt, tagged=False)
