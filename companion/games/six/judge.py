"""The rulings of 6 nimmt!: which commands are legal and what follows from them. Nothing is changed here."""

from companion.core.cards import ROWS, Card, Seat, who
from companion.core.ruling import Allowed, EndDeal, ForgetHands, Join, Leave, Refused, Swap, not_playing
from companion.games.six import hands, placing, records, rules
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
            return hands.hands_first(table) or _lay(table, cards, all_at_once=True)
        case records.Lay(card):
            return hands.hands_first(table) or _lay(table, (card,), all_at_once=False)
        case records.Pick():
            return _pick(table, command)
        case records.Register():
            return hands.register(table, command)
        case ForgetHands():
            return hands.forget(table)
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
    if hands.drafting(table):
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
        if fault := hands.not_free(table, card) or hands.not_to_lay(table, card):
            return fault
        event = records.RowBegun(card, len(table.rows))
        table = apply(table, event)
        events.append(event)
    return Allowed(tuple(events), (), table)


def _pick(table: SixTable, pick: records.Pick) -> records.Ruling:
    if not hands.drafting(table):
        return Refused(rules.DRAFT, say("there is no open draft now"), say("play a card"))
    turn = hands.next_picker(table)
    if pick.seat != turn:
        return Refused(
            rules.DRAFT,
            say("it is not {player}'s turn in the draft", player=who(pick.seat)),
            say("{player} picks next", player=who(turn)),
        )
    if fault := hands.out_of_deck(table, pick.card):
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
    if not hands.drafting(after):
        picked = frozenset().union(*after.hands)
        left = (Card(card) for card in range(1, table.deck + 1) if card not in picked)
        rows = tuple(left)
        events += [records.RowBegun(card, row) for row, card in enumerate(rows)]
        return Allowed(tuple(events), why_draft_ends(rows))
    return Allowed(tuple(events), ())


def _play(table: SixTable, play: records.Play) -> records.Ruling:
    card, seat = play.card, play.seat
    if fault := _nothing_to_play(table) or hands.not_free(table, card):
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
    if seat is not None and (fault := hands.has_shown(table, seat)):
        return fault
    if table.hands:
        owner = hands.owner_of(table, card)
        if seat is not None and owner not in (None, seat):
            return hands.wrong_hand(card, seat, owner)
        if hands.nobody_left(table, card):
            return hands.wrong_hand(card, seat, None)
        if owner is not None and (fault := hands.has_shown(table, owner)):
            return fault
        if owner is None and seat is not None and (fault := hands.cannot_own(table, seat)):
            return fault
        seat = seat if owner is None else owner
    return placing.settle(table, [records.CardShown(card, seat)])


def _nothing_to_play(table: SixTable) -> Refused | None:
    if len(table.rows) == ROWS:
        return None
    if hands.drafting(table):
        return Refused(rules.DRAFT, say("the open draft is not finished"), say("pick a card"))
    need = ROWS - len(table.rows)
    return Refused(
        rules.FOUR_ROWS,
        say("the four rows are not laid out yet"),
        count(
            "lay out {count} more card to start a row", "lay out {count} more cards to start the rows", need
        ),
    )


def _take_row(table: SixTable, take: records.TakeRow) -> records.Ruling:
    coming = placing.next_card(table)
    if coming is None or coming.row is not None:
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
    events: list[records.Event] = []
    if take.seat is not None and take.seat != coming.seat:
        if coming.seat is not None:
            return Refused(
                rules.OWNER,
                say("{player} did not play {card}", card=coming.card, player=who(take.seat)),
                say("{player} chooses the row", player=who(coming.seat)),
            )
        if fault := hands.cannot_own(table, take.seat):
            return fault
        events.append(records.OwnerNamed(coming.card, take.seat))
    events.append(records.RowChosen(coming.card, take.row))
    return placing.settle(table, events)


def _claim(table: SixTable, claim: records.Claim) -> records.Ruling:
    if claim.card in dict(table.unclaimed):
        return _claim_later(table, claim)
    coming = placing.next_card(table)
    if coming is None or coming.card != claim.card or coming.seat is not None:
        return Refused(
            rules.OWNER,
            say("it does not matter now who played {card}", card=claim.card),
            say("an owner is needed only when a card takes a row"),
        )
    if coming.row is None:
        return Refused(rules.LOWEST_CARD, say("no row has been chosen yet"), say("choose the row first"))
    if fault := hands.cannot_own(table, claim.seat):
        return fault
    return placing.settle(table, [records.OwnerNamed(claim.card, claim.seat)])


def _claim_later(table: SixTable, claim: records.Claim) -> records.Ruling:
    if fault := not_playing(table.players, claim.seat, rules.PLAYERS):
        return fault
    turn = dict(table.newest)
    other = next((card for card, seat in turn.items() if seat == claim.seat), None)
    if claim.card in turn and other is not None:
        return hands.played_already(claim.seat, other)
    return Allowed((records.OwnerNamed(claim.card, claim.seat),), why_claimed(table, claim))


def _skip_owner(table: SixTable, card: Card) -> records.Ruling:
    coming = placing.next_card(table)
    if coming is None or coming.card != card or coming.seat is not None or not coming.takes:
        return Refused(
            rules.OWNER,
            say("it does not matter now who played {card}", card=card),
            say("an owner is needed only when a card takes a row"),
        )
    placed = coming.placed(None)
    return placing.settle(table, [placed], why_unclaimed(placed))
