"""The rulings of 6 nimmt!: which commands are legal and what follows from them. Nothing is changed here.

First the plays, then corrections of the table.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from companion.core import ruling
from companion.core.cards import HIGHEST, Card, Seat, heads, who
from companion.core.ruling import (
    Allowed,
    Because,
    EndDeal,
    Join,
    Leave,
    Refused,
    SeatJoined,
    SeatLeft,
    cannot_join,
    cannot_leave,
    cannot_swap,
    impossible_position,
    not_playing,
)
from companion.games.six import rules
from companion.games.six.explain import why, why_claimed, why_draft_ends, why_unclaimed
from companion.games.six.legal import (
    cannot_own,
    drafting,
    forget,
    hands_first,
    has_shown,
    next_picker,
    nobody_left,
    not_free,
    not_to_lay,
    nothing_to_play,
    out_of_deck,
    owner_of,
    played_already,
    possible_owners,
    register,
    wrong_hand,
)
from companion.games.six.options import KNOWN_DECK_SEATS, ROW_LENGTH, ROWS, SEATS
from companion.games.six.position import filled_in, played_by, position_faults, too_few
from companion.games.six.records import (
    Adopt,
    CardPicked,
    CardPlaced,
    CardShown,
    Claim,
    Command,
    Correct,
    DealEnded,
    Event,
    ForgetHands,
    Lay,
    LayRows,
    OwnerNamed,
    OwnersSwapped,
    Pick,
    Play,
    Register,
    RowBegun,
    RowChosen,
    SkipOwner,
    Swap,
    TableAdopted,
    TakeRow,
    TurnReopened,
)
from companion.games.six.table import SixTable, apply
from companion.text.sentence import Text, count, say


def settle(table: SixTable, events: Iterable[Event], said: Because | None = None) -> Allowed[Event]:
    """These events and the placements that follow, as far as they need nobody's answer."""
    return ruling.settle(table, events, apply=apply, follows=_next_placement, why=why, said=said)


def _next_placement(table: SixTable) -> CardPlaced | None:
    """The placement that is due, or None if nothing is, or somebody has to be asked first."""
    if not table.placing:
        return None
    shown = table.lowest
    row = table.row_for(shown.card)
    if row is not None and len(table.rows[row]) < ROW_LENGTH:
        # A card that takes nothing goes to its row, no matter who played it: its owner is never asked.
        return CardPlaced(shown.card, shown.seat, row, rules.SMALLEST_GAP.key, (), 0)
    taking = table.chosen if row is None else row
    owner = shown.seat
    if owner is None and len(can := possible_owners(table)) == 1:
        owner = can[0]  # all others have played another card
    if taking is None or owner is None:
        return None
    return taking_row(table, taking, owner)


def taking_row(table: SixTable, taking: int, owner: Seat | None) -> CardPlaced:
    """The lowest card takes a row, or the row that it fits is full."""
    card = table.lowest.card
    rule = rules.LOWEST_CARD if table.row_for(card) is None else rules.FULL_ROW
    takes = table.rows[taking]
    return CardPlaced(card, owner, taking, rule.key, takes, heads(takes))


def judge(  # noqa: C901, PLR0911, PLR0912
    table: SixTable, command: Command, *, draft: bool, registered: tuple[Seat, ...] = ()
) -> Allowed[Event] | Refused:
    """The ruling on a command. The hands of `registered` seats are scanned."""
    if table.over and not isinstance(command, Correct | Claim):
        return Refused(rules.TEN_TURNS, say("the deal is over"), say("deal again, or undo"))
    match command:
        case LayRows(cards):
            return hands_first(table, registered) or _lay(table, cards, all_at_once=True, draft=draft)
        case Lay(card):
            return hands_first(table, registered) or _lay(table, (card,), all_at_once=False, draft=draft)
        case Pick():
            return _pick(table, command, draft=draft)
        case Register():
            return register(table, command, draft=draft, registered=registered)
        case ForgetHands():
            return forget(table, draft=draft, registered=registered)
        case Play():
            return _play(table, command, draft=draft)
        case TakeRow():
            return _take_row(table, command)
        case Claim():
            return _claim(table, command)
        case SkipOwner(card):
            return _skip_owner(table, card)
        case Adopt():
            return adopt(table, command)
        case Correct():
            return correct(table, command)
        case Swap(seats):
            return swap(table, seats)
        case Leave(seat):
            return leave(table, seat)
        case Join(seat):
            return join(table, seat, draft=draft)
        case EndDeal():
            return end_deal(table)
    raise TypeError(command)  # pragma: no cover - the match is exhaustive, which mypy checks


def _lay(
    table: SixTable, cards: tuple[Card, ...], *, all_at_once: bool, draft: bool
) -> Allowed[Event] | Refused:
    if drafting(table, draft=draft):
        return Refused(
            rules.DRAFT, say("after the open draft, the last four cards start the rows"), say("pick a card")
        )
    if len(table.rows) >= ROWS:
        return Refused(
            rules.FOUR_ROWS,
            say("the four rows are already laid out"),
            say("play a card, or undo back to the deal"),
        )
    if all_at_once and (len(cards) != ROWS or table.rows):
        need = ROWS - len(table.rows)
        return Refused(
            rules.FOUR_ROWS,
            count("{count} card was given for the rows", "{count} cards were given for the rows", len(cards)),
            count("give {count} card", "give {count} cards, one for each row", need),
        )
    events: list[Event] = []
    for card in cards:
        if fault := not_free(table, card) or not_to_lay(table, card):
            return fault
        event = RowBegun(card, len(table.rows))
        table = apply(table, event)
        events.append(event)
    return Allowed(tuple(events), (), table)


def _pick(table: SixTable, pick: Pick, *, draft: bool) -> Allowed[Event] | Refused:
    if not drafting(table, draft=draft):
        return Refused(rules.DRAFT, say("there is no open draft now"), say("play a card"))
    turn = next_picker(table)
    if pick.seat != turn:
        return Refused(
            rules.DRAFT,
            say("it is not {player}'s turn in the draft", player=who(pick.seat)),
            say("{player} picks next", player=who(turn)),
        )
    if fault := out_of_deck(table, pick.card):
        return fault
    for seat, hand in enumerate(table.hands or ()):
        if pick.card in hand:
            return Refused(
                rules.ONE_OF_EACH,
                say(
                    "card {card} was picked by {player}",
                    card=pick.card,
                    player=who(Seat(seat)),
                ),
                say("pick one of the cards still on the table"),
            )
    events: list[Event] = [CardPicked(pick.card, pick.seat)]
    after = apply(table, events[0])
    if not drafting(after, draft=draft):
        picked = frozenset().union(*(after.hands or ()))
        left = (Card(card) for card in range(1, table.deck + 1) if card not in picked)
        rows = tuple(left)
        events += [RowBegun(card, row) for row, card in enumerate(rows)]
        return Allowed(tuple(events), why_draft_ends(rows))
    return Allowed(tuple(events), ())


def _play(table: SixTable, play: Play, *, draft: bool) -> Allowed[Event] | Refused:
    card, seat = play.card, play.seat
    if fault := nothing_to_play(table, draft=draft) or not_free(table, card):
        return fault
    if table.placing:
        players = len(table.players)
        return Refused(
            rules.ONE_CARD_EACH,
            say("{cards} cards for {players} players", cards=players + 1, players=players),
            say("answer the open question first, or undo one of the cards"),
            waits=True,
        )
    if seat is not None and (fault := not_playing(table.players, seat, rules.PLAYERS)):
        return fault
    if seat is not None and (fault := has_shown(table, seat)):
        return fault
    if table.hands is not None:
        owner = owner_of(table, card)
        if seat is not None and owner not in (None, seat):
            return wrong_hand(card, seat, owner)
        if nobody_left(table, card):
            return wrong_hand(card, seat, None)
        if owner is not None and (fault := has_shown(table, owner)):
            return fault
        if owner is None and seat is not None and (fault := cannot_own(table, seat)):
            return fault
        seat = seat if owner is None else owner
    return settle(table, [CardShown(card, seat)])


def _take_row(table: SixTable, take: TakeRow) -> Allowed[Event] | Refused:
    if not table.placing or table.row_for(table.lowest.card) is not None or table.chosen is not None:
        return Refused(
            rules.LOWEST_CARD,
            say("nobody has to choose a row now"),
            say("a row is chosen only for a card that is lower than the end of every row"),
        )
    if not 0 <= take.row < ROWS:
        return Refused(
            rules.LOWEST_CARD,
            say("there is no row {row}", row=take.row + 1),
            say("choose a row from 1 to {rows}", rows=ROWS),
        )
    shown = table.lowest
    events: list[Event] = []
    if take.seat is not None and take.seat != shown.seat:
        if shown.seat is not None:
            return Refused(
                rules.OWNER,
                say("{player} did not play {card}", card=shown.card, player=who(take.seat)),
                say("{player} chooses the row", player=who(shown.seat)),
            )
        if fault := cannot_own(table, take.seat):
            return fault
        events.append(OwnerNamed(shown.card, take.seat))
    events.append(RowChosen(shown.card, take.row))
    return settle(table, events)


def _claim(table: SixTable, claim: Claim) -> Allowed[Event] | Refused:
    if claim.card in dict(table.unclaimed):
        return _claim_later(table, claim)
    shown = next((one for one in table.shown if one.card == claim.card), None)
    if shown is None or shown.seat is not None or not table.placing or shown != table.lowest:
        return Refused(
            rules.OWNER,
            say("it does not matter now who played {card}", card=claim.card),
            say("an owner is needed only when a card takes a row"),
        )
    if table.row_for(shown.card) is None and table.chosen is None:
        return Refused(rules.LOWEST_CARD, say("no row has been chosen yet"), say("choose the row first"))
    if fault := cannot_own(table, claim.seat):
        return fault
    return settle(table, [OwnerNamed(claim.card, claim.seat)])


def _claim_later(table: SixTable, claim: Claim) -> Allowed[Event] | Refused:
    if fault := not_playing(table.players, claim.seat, rules.PLAYERS):
        return fault
    turn = dict(table.newest)
    other = next((card for card, seat in turn.items() if seat == claim.seat), None)
    if claim.card in turn and other is not None:
        return played_already(claim.seat, other)
    return Allowed((OwnerNamed(claim.card, claim.seat),), why_claimed(table, claim))


def _skip_owner(table: SixTable, card: Card) -> Allowed[Event] | Refused:
    shown = table.lowest if table.placing else None
    row = None if shown is None else table.row_for(shown.card)
    taking = table.chosen if row is None else row
    if shown is None or shown.card != card or shown.seat is not None or taking is None:
        return Refused(
            rules.OWNER,
            say("it does not matter now who played {card}", card=card),
            say("an owner is needed only when a card takes a row"),
        )
    placed = taking_row(table, taking, None)
    return settle(table, [placed], why_unclaimed(placed))


# ----------------------------------------------------------------------------------------------- corrections


MOST_FAULTS: Final = 2 * HIGHEST


def adopt(table: SixTable, command: Adopt) -> Allowed[Event] | Refused:
    """Take over the table as people say it is."""
    event = filled_in(table, command)
    faults = position_faults(table, command, event)
    fix = say("give four rows of one to five ascending cards, each card only once")
    if too_few(table, command, event):
        fix = say(
            "give four rows of one to five ascending cards, each card only once, and every card that was "
            "played; leave taken out, or say in missing how many are in nobody's pile"
        )
    if fault := impossible_position(faults, rules.TAKEN_OVER, MOST_FAULTS, fix):
        return fault
    return Allowed((event,), tuple(Because(rules.TAKEN_OVER, says) for says in _kept(table, command, event)))


def _kept(table: SixTable, command: Adopt, event: TableAdopted) -> Iterator[Text]:
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


def correct(table: SixTable, command: Correct) -> Allowed[Event] | Refused:
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
        if start.hands is not None and owner is None and len(free) <= seats.count(None):
            return wrong_hand(card, None, None)
        if owner is not None and owner in seats:
            return played_already(owner, cards[seats.index(owner)])
        cards.append(card)
        seats.append(owner)
    events: list[Event] = [TurnReopened(tuple(cards), tuple(seats))]
    if len(cards) == len(start.players) and (chosen := _chosen_before(table)) is not None:
        card, row = chosen
        if card == min(cards):  # it fits nowhere still, and its player has called the row already
            events.append(RowChosen(card, row))
    return settle(table, events, Because(rules.NO_PENALTY, _said(command)))


def _chosen_before(table: SixTable) -> tuple[Card, int] | None:
    """The card of the newest turn that fitted nowhere and the row chosen for it, if one was."""
    if table.chosen is not None and table.shown:
        return table.lowest.card, table.chosen
    low = next((one for one in table.placed if one.rule == rules.LOWEST_CARD.key), None)
    return None if low is None else (low.card, low.row)


def _said(command: Correct) -> Text:
    return say(
        "latest turn corrected: {out} removed, {came} added",
        out=command.remove or say("nothing"),
        came=command.add or say("nothing"),
    )


def swap(table: SixTable, seats: tuple[Seat, ...]) -> Allowed[Event] | Refused:
    if fault := cannot_swap(table.players, seats, rules.OWNER, rules.PLAYERS):
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
    return Allowed((OwnersSwapped(seats),), (Because(rules.OWNER, said), Because(rules.NO_PENALTY, free)))


def leave(table: SixTable, seat: Seat) -> Allowed[Event] | Refused:
    if fault := not_playing(table.players, seat, rules.PLAYERS):
        return fault
    if table.placing:
        return Refused(
            rules.LEFT, say("the cards of this turn are being placed"), say("answer the open question first")
        )
    stay = say("end the deal instead, or start a new match")
    if fault := cannot_leave(table.players, SEATS[0], rules.PLAYERS, stay):
        return fault
    if table.hands is not None:
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


def join(table: SixTable, seat: Seat, *, draft: bool) -> Allowed[Event] | Refused:
    if fault := cannot_join(table.players, len(table.taken), SEATS[-1], seat, rules.PLAYERS):
        return fault
    if table.deck != HIGHEST and len(table.players) >= KNOWN_DECK_SEATS[-1]:
        return Refused(
            rules.PLAYERS, say("the known deck is for 2 to 6 players"), say("play with all 104 cards")
        )
    begun = table.turn or table.shown or (table.rows and table.deck != HIGHEST)
    if begun or (draft and table.hands is not None):
        return Refused(
            rules.PLAYERS, say("the deal has begun"), say("join before the first turn of the next deal")
        )
    said = say("{player} joins", player=who(seat))
    return Allowed((SeatJoined(seat),), (Because(rules.PLAYERS, said),))


def end_deal(table: SixTable) -> Allowed[Event] | Refused:
    if len(table.rows) < ROWS or table.shown:
        return Refused(
            rules.EARLY_END,
            say("a deal can only be ended between two turns"),
            say("finish or undo the turn first"),
        )
    said = say("the deal ends after turn {turn}; the heads taken so far count", turn=table.turn)
    return Allowed((DealEnded(),), (Because(rules.EARLY_END, said),))
