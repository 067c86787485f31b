"""The rulings of 6 nimmt!: which commands are legal and what follows from them. Nothing is changed here."""

from __future__ import annotations

from companion.core.cards import Card, Seat, who
from companion.core.lifecycle import EndDeal, Join, Leave
from companion.core.refusals import not_playing
from companion.core.ruling import Allowed, Refused
from companion.games.six import rules
from companion.games.six.box import ROWS
from companion.games.six.commands import (
    Adopt,
    Claim,
    Command,
    Correct,
    ForgetHands,
    Lay,
    LayRows,
    Pick,
    Play,
    Register,
    SkipOwner,
    Swap,
    TakeRow,
)
from companion.games.six.corrections import adopt, correct, end_deal, join, leave, swap
from companion.games.six.events import (
    CardPicked,
    CardShown,
    Event,
    OwnerNamed,
    RowBegun,
    RowChosen,
)
from companion.games.six.explain import why_claimed, why_draft_ends, why_unclaimed
from companion.games.six.follow_up import settle, taking_row
from companion.games.six.hands import (
    forget,
    hands_first,
    nobody_left,
    not_to_lay,
    owner_of,
    register,
    wrong_hand,
)
from companion.games.six.legal import (
    cannot_own,
    drafting,
    has_shown,
    next_picker,
    not_free,
    nothing_to_play,
    out_of_deck,
    played_already,
)
from companion.games.six.table import Table, apply
from companion.text.sentence import count, say


def judge(  # noqa: C901, PLR0911, PLR0912
    table: Table, command: Command, *, draft: bool, registered: tuple[Seat, ...] = ()
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
    table: Table, cards: tuple[Card, ...], *, all_at_once: bool, draft: bool
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


def _pick(table: Table, pick: Pick, *, draft: bool) -> Allowed[Event] | Refused:
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


def _play(table: Table, play: Play, *, draft: bool) -> Allowed[Event] | Refused:
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


def _take_row(table: Table, take: TakeRow) -> Allowed[Event] | Refused:
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
                say("{card} was not played by {player}", card=shown.card, player=who(take.seat)),
                say("{player} chooses the row", player=who(shown.seat)),
            )
        if fault := cannot_own(table, take.seat):
            return fault
        events.append(OwnerNamed(shown.card, take.seat))
    events.append(RowChosen(shown.card, take.row))
    return settle(table, events)


def _claim(table: Table, claim: Claim) -> Allowed[Event] | Refused:
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


def _claim_later(table: Table, claim: Claim) -> Allowed[Event] | Refused:
    if fault := not_playing(table.players, claim.seat, rules.PLAYERS):
        return fault
    turn = dict(table.newest)
    other = next((card for card, seat in turn.items() if seat == claim.seat), None)
    if claim.card in turn and other is not None:
        return played_already(claim.seat, other)
    return Allowed((OwnerNamed(claim.card, claim.seat),), why_claimed(table, claim))


def _skip_owner(table: Table, card: Card) -> Allowed[Event] | Refused:
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
