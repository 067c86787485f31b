"""What 6 nimmt! decides: which orders stand and what follows from them. Nothing is changed here."""

from __future__ import annotations

from typing import Final

from companion.cards import HIGHEST, Card, Seat, heads, seat_number
from companion.games.six import rules
from companion.games.six.commands import (
    Adopt,
    Claim,
    Command,
    Correct,
    EndDeal,
    Join,
    Lay,
    LayRows,
    Leave,
    Pick,
    Play,
    Swap,
    TakeRow,
)
from companion.games.six.reasons import refused, where, why
from companion.games.six.setup import KNOWN_DECK_SEATS, SEATS, position_faults
from companion.games.six.table import (
    ROW_LENGTH,
    ROWS,
    TURNS,
    CardPicked,
    CardPlaced,
    CardShown,
    DealEnded,
    Event,
    OwnerNamed,
    OwnersSwapped,
    RowBegun,
    RowChosen,
    SeatJoined,
    SeatLeft,
    Table,
    TableAdopted,
    TurnReopened,
    applied,
)
from companion.ruling import Allowed, Because, Refused
from companion.text import Text, count, say

FEWEST: Final = SEATS[0]
MOST_FAULTS: Final = 2 * HIGHEST


def judged(table: Table, command: Command, *, draft: bool) -> Allowed[Event] | Refused:  # noqa: PLR0911
    """The ruling on an order."""
    if table.over:
        return refused(rules.TEN_TURNS, say("the deal is over"), say("deal anew, or undo"))
    match command:
        case LayRows(cards):
            return _lay(table, cards, all_at_once=True, draft=draft)
        case Lay(card):
            return _lay(table, (card,), all_at_once=False, draft=draft)
        case Pick():
            return _pick(table, command, draft=draft)
        case Play():
            return _play(table, command, draft=draft)
        case TakeRow():
            return _take_row(table, command)
        case Claim():
            return _claim(table, command)
        case Adopt():
            return _adopt(table, command)
        case Correct():
            return _correct(table, command)
        case Swap():
            return _swap(table, command)
        case Leave(seat):
            return _leave(table, seat)
        case Join(seat):
            return _join(table, seat, draft=draft)
        case EndDeal():
            return _end_deal(table)
    raise TypeError(command)  # pragma: no cover - the match is exhaustive, which mypy checks


def next_picker(table: Table) -> Seat:
    """Whose turn it is in the open draft: clockwise from the first seat."""
    picked = sum(map(len, table.hands or ()))
    begins = table.players.index(table.first) if table.first in table.players else 0
    return table.players[(begins + picked) % len(table.players)]


def drafting(table: Table, *, draft: bool) -> bool:
    """Whether the open draft is going on."""
    return draft and not table.rows and sum(map(len, table.hands or ())) < TURNS * len(table.players)


def _allowed(table: Table, events: list[Event], said: Because | None = None) -> Allowed[Event]:
    """An `Allowed` with whatever follows by itself: placements as far as they need nobody's answer."""
    because = [] if said is None else [said]
    made: list[Event] = []
    queue = list(events)
    while queue:
        event = queue.pop(0)
        reason = why(table, event)
        because += [reason] if reason else []
        table = applied(table, event)
        made.append(event)
        if not queue and table.placing and (placement := _next_placement(table)):
            queue.append(placement)
    return Allowed(tuple(made), tuple(because))


def _next_placement(table: Table) -> CardPlaced | None:
    """The placement that is due, or None if somebody has to be asked first."""
    shown = table.lowest
    row = table.row_for(shown.card)
    if row is not None and len(table.rows[row]) < ROW_LENGTH:
        return CardPlaced(shown.card, shown.seat, row, rules.SMALLEST_GAP.key, (), 0)
    taking = table.chosen if row is None else row
    if taking is None or shown.seat is None:
        return None
    rule = rules.LOWEST_CARD if row is None else rules.FULL_ROW
    takes = table.rows[taking]
    return CardPlaced(shown.card, shown.seat, taking, rule.key, takes, heads(takes))


def _out_of_deck(table: Table, card: Card) -> Refused | None:
    if 1 <= card <= table.deck:
        return None
    return refused(
        rules.DECK,
        say("card {card} is not in the deck 1 to {deck}", card=card, deck=table.deck),
        say("put it back into the box and play a card up to {deck}", deck=table.deck),
    )


def _not_free(table: Table, card: Card) -> Refused | None:
    """Why a card cannot come from a hand."""
    if fault := _out_of_deck(table, card):
        return fault
    place = where(table, card)
    if place is None:
        return None
    return refused(rules.ONE_OF_EACH, place, say("scan the card again, or undo the wrong one"))


def _lay(
    table: Table, cards: tuple[Card, ...], *, all_at_once: bool, draft: bool
) -> Allowed[Event] | Refused:
    if drafting(table, draft=draft):
        return refused(
            rules.DRAFT, say("after the open draft the last four cards lay themselves"), say("pick a card")
        )
    if len(table.rows) >= ROWS:
        return refused(
            rules.FOUR_ROWS, say("the four rows lie already"), say("play a card, or undo back to the deal")
        )
    if all_at_once and (len(cards) != ROWS or table.rows):
        need = ROWS - len(table.rows)
        return refused(
            rules.FOUR_ROWS,
            count("{count} card was given for the rows", "{count} cards were given for the rows", len(cards)),
            count("give {count} card", "give {count} cards, one for each row", need),
        )
    events: list[Event] = []
    for card in cards:
        if fault := _not_free(table, card):
            return fault
        event = RowBegun(card, len(table.rows))
        table = applied(table, event)
        events.append(event)
    return Allowed(tuple(events), ())


def _pick(table: Table, pick: Pick, *, draft: bool) -> Allowed[Event] | Refused:
    if not drafting(table, draft=draft):
        return refused(rules.DRAFT, say("no open draft is going on"), say("play a card"))
    turn = next_picker(table)
    if pick.seat != turn:
        return refused(
            rules.DRAFT,
            say("player {player} is not on turn in the draft", player=seat_number(pick.seat)),
            say("player {player} picks next", player=seat_number(turn)),
        )
    if fault := _out_of_deck(table, pick.card):
        return fault
    for seat, hand in enumerate(table.hands or ()):
        if pick.card in hand:
            return refused(
                rules.ONE_OF_EACH,
                say(
                    "card {card} was picked by player {player}",
                    card=pick.card,
                    player=seat_number(Seat(seat)),
                ),
                say("pick one of the cards that lie open"),
            )
    events: list[Event] = [CardPicked(pick.card, pick.seat)]
    after = applied(table, events[0])
    if not drafting(after, draft=draft):
        picked = frozenset().union(*(after.hands or ()))
        left = (Card(card) for card in range(1, table.deck + 1) if card not in picked)
        events += [RowBegun(card, row) for row, card in enumerate(left)]
    return Allowed(tuple(events), ())


def _nothing_to_play(table: Table, *, draft: bool) -> Refused | None:
    if len(table.rows) == ROWS:
        return None
    if drafting(table, draft=draft):
        return refused(rules.DRAFT, say("the open draft is going on"), say("pick a card"))
    need = ROWS - len(table.rows)
    return refused(
        rules.FOUR_ROWS,
        say("the four rows do not lie yet"),
        count("lay {count} more card to begin a row", "lay {count} more cards to begin rows", need),
    )


def _play(table: Table, play: Play, *, draft: bool) -> Allowed[Event] | Refused:
    card, seat = play.card, play.seat
    if fault := _nothing_to_play(table, draft=draft) or _not_free(table, card):
        return fault
    if table.placing:
        players = len(table.players)
        return refused(
            rules.ONE_CARD_EACH,
            say("{cards} cards for {players} players", cards=players + 1, players=players),
            say("answer the open question first, or take one of the cards back"),
        )
    if seat is not None and (fault := _not_playing(table, seat) or _has_shown(table, seat)):
        return fault
    if table.hands is not None:
        owner = _in_hand_of(table, card)
        if owner is None or (seat is not None and owner != seat):
            return _wrong_hand(card, seat, owner)
        if fault := _has_shown(table, owner):
            return fault
        seat = owner
    return _allowed(table, [CardShown(card, seat)])


def _in_hand_of(table: Table, card: Card) -> Seat | None:
    return next((Seat(seat) for seat, hand in enumerate(table.hands or ()) if card in hand), None)


def _wrong_hand(card: Card, seat: Seat | None, owner: Seat | None) -> Refused:
    if owner is None:
        return refused(
            rules.IN_HAND,
            say("card {card} is in nobody's hand", card=card),
            say("scan the card that was played"),
        )
    fault = say(
        "card {card} is not in the hand of player {player}", card=card, player=seat_number(seat or Seat(0))
    )
    return refused(rules.IN_HAND, fault, say("player {player} picked it", player=seat_number(owner)))


def _not_playing(table: Table, seat: Seat) -> Refused | None:
    if seat in table.players:
        return None
    return refused(
        rules.PLAYERS,
        say("nobody plays at seat {player}", player=seat_number(seat)),
        say(
            "use one of the players {players}",
            players=", ".join(str(seat_number(one)) for one in table.players),
        ),
    )


def _has_shown(table: Table, seat: Seat) -> Refused | None:
    card = table.owner_in_turn(seat)
    return None if card is None else _played_already(seat, card)


def _played_already(seat: Seat, card: Card) -> Refused:
    return refused(
        rules.ONE_CARD_EACH,
        say("player {player} has played {card} in this turn already", player=seat_number(seat), card=card),
        say("name the player who has not played, or take {card} back", card=card),
    )


def _take_row(table: Table, take: TakeRow) -> Allowed[Event] | Refused:
    if not table.placing or table.row_for(table.lowest.card) is not None or table.chosen is not None:
        return refused(
            rules.LOWEST_CARD,
            say("nobody has to choose a row now"),
            say("a row is chosen only for a card that is lower than the end of every row"),
        )
    if not 0 <= take.row < ROWS:
        return refused(
            rules.LOWEST_CARD,
            say("there is no row {row}", row=take.row + 1),
            say("choose a row from 1 to {rows}", rows=ROWS),
        )
    shown = table.lowest
    events: list[Event] = []
    if take.seat is not None and take.seat != shown.seat:
        if shown.seat is not None:
            return refused(
                rules.OWNER,
                say(
                    "{card} was not played by player {player}", card=shown.card, player=seat_number(take.seat)
                ),
                say("player {player} chooses the row", player=seat_number(shown.seat)),
            )
        if fault := _not_playing(table, take.seat) or _has_shown(table, take.seat):
            return fault
        events.append(OwnerNamed(shown.card, take.seat))
    events.append(RowChosen(shown.card, take.row))
    return _allowed(table, events)


def _claim(table: Table, claim: Claim) -> Allowed[Event] | Refused:
    shown = next((one for one in table.shown if one.card == claim.card), None)
    if shown is None or shown.seat is not None or not table.placing or shown != table.lowest:
        return refused(
            rules.OWNER,
            say("nobody asked who played {card}", card=claim.card),
            say("the owner is asked only when a card takes a row"),
        )
    if table.row_for(shown.card) is None and table.chosen is None:
        return refused(rules.LOWEST_CARD, say("no row was chosen yet"), say("choose the row first"))
    if fault := _not_playing(table, claim.seat) or _has_shown(table, claim.seat):
        return fault
    return _allowed(table, [OwnerNamed(claim.card, claim.seat)])


def _adopt(table: Table, adopt: Adopt) -> Allowed[Event] | Refused:
    faults = position_faults(table, adopt.rows, adopt.turn, adopt.taken)
    if faults:
        return refused(
            rules.AS_IT_LIES,
            say("this cannot lie on a table: {faults}", faults="; ".join(_first(faults))),
            say("give four rows of one to five rising cards, every card once"),
        )
    taken = adopt.taken or ((),) * len(table.taken)
    return Allowed((TableAdopted(adopt.rows, adopt.turn, taken),), ())


def _first(faults: list[str]) -> list[str]:
    """All faults that a real table can have; of the nonsense beyond, how much more there is."""
    more = len(faults) - MOST_FAULTS
    return faults if more <= 0 else [*faults[:MOST_FAULTS], f"and {more} more"]


def _correct(table: Table, correct: Correct) -> Allowed[Event] | Refused:
    newest = table.newest
    if table.before is None or not newest:
        return refused(
            rules.NO_PENALTY,
            say("no turn of this deal can be corrected"),
            say("undo back to the turn that was wrong"),
        )
    here = {card for card, _ in newest}
    for card in correct.remove:
        if card not in here:
            return refused(
                rules.NO_PENALTY,
                say("card {card} was not played in this turn", card=card),
                say("use one of {cards}", cards=", ".join(map(str, sorted(here)))),
            )
    keep = [(card, seat) for card, seat in newest if card not in correct.remove]
    start = table.before
    if len(keep) + len(correct.add) > len(start.players):
        return refused(
            rules.ONE_CARD_EACH,
            say(
                "{cards} cards for {players} players",
                cards=len(keep) + len(correct.add),
                players=len(start.players),
            ),
            say("take one of the cards back"),
        )
    cards, seats = [card for card, _ in keep], [seat for _, seat in keep]
    for card in correct.add:
        if fault := _not_free(start, card):
            return fault
        if card in cards:
            return refused(
                rules.ONE_OF_EACH,
                say("card {card} is in this turn already", card=card),
                say("add the card that is missing"),
            )
        owner = _in_hand_of(start, card)
        if start.hands is not None and owner is None:
            return _wrong_hand(card, None, None)
        if owner is not None and owner in seats:
            return _played_already(owner, cards[seats.index(owner)])
        cards.append(card)
        seats.append(owner)
    return _allowed(
        table, [TurnReopened(tuple(cards), tuple(seats))], Because(rules.NO_PENALTY, _corrected(correct))
    )


def _corrected(correct: Correct) -> Text:
    return say(
        "in the newest turn {out} went out and {came} came in",
        out=", ".join(map(str, correct.remove)) or say("nothing"),
        came=", ".join(map(str, correct.add)) or say("nothing"),
    )


def _swap(table: Table, swap: Swap) -> Allowed[Event] | Refused:
    if len(swap.seats) != 2 or swap.seats[0] == swap.seats[1]:  # noqa: PLR2004 - a swap is between two
        return refused(rules.OWNER, say("a swap is between two players"), say("name two different players"))
    for seat in swap.seats:
        if fault := _not_playing(table, seat):
            return fault
    if table.hands is not None:
        return refused(
            rules.IN_HAND,
            say("after the open draft every owner is known"),
            say("undo the wrong card instead"),
        )
    if not any(owner in swap.seats for _, owner in table.newest):
        return refused(
            rules.OWNER,
            say("neither player owns a card of the newest turn"),
            say("only owners of the newest turn can be swapped; undo for an earlier one"),
        )
    one, other = map(seat_number, swap.seats)
    said = say("players {one} and {other} exchange what they own in the newest turn", one=one, other=other)
    return Allowed((OwnersSwapped(swap.seats),), (Because(rules.OWNER, said),))


def _leave(table: Table, seat: Seat) -> Allowed[Event] | Refused:
    if fault := _not_playing(table, seat):
        return fault
    if table.placing:
        return refused(rules.LEFT, say("the turn is being placed"), say("answer the open question first"))
    if len(table.players) <= FEWEST:
        return refused(
            rules.PLAYERS,
            say("{fewest} players must stay", fewest=FEWEST),
            say("end the deal instead, or begin a new match"),
        )
    if table.hands is not None:
        return refused(
            rules.DRAFT, say("after the open draft all stay for the deal"), say("leave after this deal")
        )
    if table.owner_in_turn(seat) is not None:
        return refused(
            rules.LEFT,
            say("player {player} has played in this turn", player=seat_number(seat)),
            say("leave after this turn, or take the card back"),
        )
    said = say("player {player} leaves; the points stay noted", player=seat_number(seat))
    return _allowed(table, [SeatLeft(seat)], Because(rules.LEFT, said))


def _join(table: Table, seat: Seat, *, draft: bool) -> Allowed[Event] | Refused:
    if seat in table.players:
        return refused(
            rules.PLAYERS, say("player {player} plays already", player=seat_number(seat)), say("go on")
        )
    free = [Seat(one) for one in range(min(len(table.taken) + 1, SEATS[-1])) if one not in table.players]
    if seat not in free:
        return refused(
            rules.PLAYERS,
            say("there is no seat {player}", player=seat_number(seat)),
            say("use seat {players}", players=", ".join(str(seat_number(one)) for one in free))
            if free
            else say("all {most} seats are taken: go on", most=SEATS[-1]),
        )
    if table.deck != HIGHEST and len(table.players) >= KNOWN_DECK_SEATS[-1]:
        return refused(
            rules.PLAYERS, say("the known deck is for 2 to 6 players"), say("play with all 104 cards")
        )
    begun = table.turn or table.shown or (table.rows and table.deck != HIGHEST)
    if begun or (draft and table.hands is not None):
        return refused(
            rules.PLAYERS, say("the deal has begun"), say("join before the first turn of the next deal")
        )
    said = say("player {player} joins", player=seat_number(seat))
    return Allowed((SeatJoined(seat),), (Because(rules.PLAYERS, said),))


def _end_deal(table: Table) -> Allowed[Event] | Refused:
    if len(table.rows) < ROWS or table.shown:
        return refused(
            rules.EARLY_END,
            say("a deal can only be ended between two turns"),
            say("finish or take back the turn first"),
        )
    said = say("the deal ends after turn {turn}; the heads taken so far count", turn=table.turn)
    return Allowed((DealEnded(),), (Because(rules.EARLY_END, said),))
