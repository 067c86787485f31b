"""The rulings of 6 nimmt!: which commands are legal and what follows from them. Nothing is changed here."""

from companion.core.cards import ROWS, Card, Seat, who
from companion.core.ruling import Allowed, EndDeal, ForgetHands, Join, Leave, Refused, Swap, not_playing
from companion.games.six import legal, records, rules
from companion.games.six.corrections import adopt, correct, end_deal, join, leave, swap
from companion.games.six.explain import why_claimed, why_draft_ends, why_unclaimed
from companion.games.six.table import SixTable, apply
from companion.text.sentence import count, say


def judge(table: SixTable, command: records.Command) -> records.Ruling:  # noqa: C901, PLR0911, PLR0912 - one line per kind of command
    if table.over and not isinstance(command, records.Correct | records.Claim):
        return Refused(rules.TEN_TURNS, say("the deal is over"), say("deal again, or undo"))
    match command:
        case records.Play():
            return _play(table, command)
        case records.TakeRow():
            return _take_row(table, command)
        case records.Claim():
            return _claim(table, command)
        case records.SkipOwner(card):
            return _skip_owner(table, card)
        case records.LayRows(cards):
            return legal.hands_first(table) or _lay(table, cards, all_at_once=True)
        case records.Lay(card):
            return legal.hands_first(table) or _lay(table, (card,), all_at_once=False)
        case records.Pick():
            return _pick(table, command)
        case records.Register():
            return legal.register(table, command)
        case ForgetHands():
            return legal.forget(table)
        case records.Adopt():
            return adopt(table, command)
        case records.Correct():
            return correct(table, command)
        case Swap(seats):
            return swap(table, seats)
        case Leave(seat):
            return leave(table, seat)
        case Join(seat):
            return join(table, seat)
        case EndDeal():
            return end_deal(table)
    raise TypeError(command)  # pragma: no cover - the match is exhaustive, which mypy checks


def _lay(table: SixTable, cards: tuple[Card, ...], *, all_at_once: bool) -> records.Ruling:
    if legal.drafting(table):
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
    events: list[records.Event] = []
    for card in cards:
        if fault := legal.not_free(table, card) or legal.not_to_lay(table, card):
            return fault
        event = records.RowBegun(card, len(table.rows))
        table = apply(table, event)
        events.append(event)
    return Allowed(tuple(events), (), table)


def _pick(table: SixTable, pick: records.Pick) -> records.Ruling:
    if not legal.drafting(table):
        return Refused(rules.DRAFT, say("there is no open draft now"), say("play a card"))
    turn = legal.next_picker(table)
    if pick.seat != turn:
        return Refused(
            rules.DRAFT,
            say("it is not {player}'s turn in the draft", player=who(pick.seat)),
            say("{player} picks next", player=who(turn)),
        )
    if fault := legal.out_of_deck(table, pick.card):
        return fault
    for seat, hand in enumerate(table.hands):
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
    events: list[records.Event] = [records.CardPicked(pick.card, pick.seat)]
    after = apply(table, events[0])
    if not legal.drafting(after):
        picked = frozenset().union(*after.hands)
        left = (Card(card) for card in range(1, table.deck + 1) if card not in picked)
        rows = tuple(left)
        events += [records.RowBegun(card, row) for row, card in enumerate(rows)]
        return Allowed(tuple(events), why_draft_ends(rows))
    return Allowed(tuple(events), ())


def _play(table: SixTable, play: records.Play) -> records.Ruling:
    card, seat = play.card, play.seat
    if fault := legal.nothing_to_play(table) or legal.not_free(table, card):
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
    if seat is not None and (fault := legal.has_shown(table, seat)):
        return fault
    if table.hands:
        owner = legal.owner_of(table, card)
        if seat is not None and owner not in (None, seat):
            return legal.wrong_hand(card, seat, owner)
        if legal.nobody_left(table, card):
            return legal.wrong_hand(card, seat, None)
        if owner is not None and (fault := legal.has_shown(table, owner)):
            return fault
        if owner is None and seat is not None and (fault := legal.cannot_own(table, seat)):
            return fault
        seat = seat if owner is None else owner
    return legal.settle(table, [records.CardShown(card, seat)])


def _take_row(table: SixTable, take: records.TakeRow) -> records.Ruling:
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
    events: list[records.Event] = []
    if take.seat is not None and take.seat != shown.seat:
        if shown.seat is not None:
            return Refused(
                rules.OWNER,
                say("{player} did not play {card}", card=shown.card, player=who(take.seat)),
                say("{player} chooses the row", player=who(shown.seat)),
            )
        if fault := legal.cannot_own(table, take.seat):
            return fault
        events.append(records.OwnerNamed(shown.card, take.seat))
    events.append(records.RowChosen(shown.card, take.row))
    return legal.settle(table, events)


def _claim(table: SixTable, claim: records.Claim) -> records.Ruling:
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
    if fault := legal.cannot_own(table, claim.seat):
        return fault
    return legal.settle(table, [records.OwnerNamed(claim.card, claim.seat)])


def _claim_later(table: SixTable, claim: records.Claim) -> records.Ruling:
    if fault := not_playing(table.players, claim.seat, rules.PLAYERS):
        return fault
    turn = dict(table.newest)
    other = next((card for card, seat in turn.items() if seat == claim.seat), None)
    if claim.card in turn and other is not None:
        return legal.played_already(claim.seat, other)
    return Allowed((records.OwnerNamed(claim.card, claim.seat),), why_claimed(table, claim))


def _skip_owner(table: SixTable, card: Card) -> records.Ruling:
    shown = table.lowest if table.placing else None
    row = None if shown is None else table.row_for(shown.card)
    taking = table.chosen if row is None else row
    if shown is None or shown.card != card or shown.seat is not None or taking is None:
        return Refused(
            rules.OWNER,
            say("it does not matter now who played {card}", card=card),
            say("an owner is needed only when a card takes a row"),
        )
    placed = legal.taking_row(table, taking, None)
    return legal.settle(table, [placed], why_unclaimed(placed))
