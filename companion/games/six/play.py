"""How 6 nimmt! is played, from the first row to the last card. Nothing is changed here.

First where a card goes: rules 1 to 4, and what follows without asking anybody. Then what people do, in the
order of a deal: they scan hands or draft, lay rows, show their cards, choose a row, say whose a card was.

Hands are known after the open draft, or where they were scanned when they were dealt. A hand that was scanned
stays hidden: no refusal names one of its cards, and nobody learns where a card is. A player whose whole hand
is known (`SixTable.whole`) plays its cards and no others.
"""

from collections.abc import Iterable

from companion.core import ruling
from companion.core.cards import ROW_LENGTH, ROWS, Card, Seat, heads, who
from companion.core.codec import Record
from companion.core.ruling import Allowed, Because, Illegal, not_playing, require
from companion.games.six import records, rules
from companion.games.six.explain import where, why, why_claimed, why_draft_ends, why_unclaimed
from companion.games.six.records import CardPlaced
from companion.games.six.table import Row, SixTable, apply
from companion.text.sentence import count, say
from companion.values import Value

Ruling = Allowed[Record]

# -------------------------------------------------------------------------------------- where a card goes


class NextCard(Value):
    """The card that is placed next, and what a rule says of it.

    `row` is None while its owner has to choose one; `seat` is None while nobody needs to know the owner.
    """

    card: Card
    seat: Seat | None
    row: int | None
    rule: str
    takes: Row

    def placed(self, owner: Seat | None) -> CardPlaced:
        """That it goes to its row; None: nobody knows the owner, and nobody is charged."""
        if self.row is None:
            raise ValueError(f"no row is chosen for {self.card}")
        return CardPlaced(self.card, owner, self.row, self.rule, self.takes, heads(self.takes))


def next_card(table: SixTable) -> NextCard | None:
    """The lowest card of the turn and where it goes; None while cards of the turn are missing."""
    if not table.placing:
        return None
    lowest = table.lowest
    card, seat = lowest.card, lowest.seat
    row = row_for(table.rows, card)
    if row is None:  # rule 4, the lowest card: its owner chooses a row, and takes it
        takes = () if table.chosen is None else table.rows[table.chosen]
        return NextCard(card, seat, table.chosen, rules.LOWEST_CARD.key, takes)
    if len(table.rows[row]) < ROW_LENGTH:
        return NextCard(card, seat, row, rules.SMALLEST_GAP.key, ())
    return NextCard(card, seat, row, rules.FULL_ROW.key, table.rows[row])  # rule 3: it takes the others


def row_for(rows: tuple[Row, ...], card: Card) -> int | None:
    """The row that rules 1 and 2 send a card to: of the ends below it the highest. None: all are above it."""
    best: int | None = None
    for index, row in enumerate(rows):
        if row[-1] < card and (best is None or row[-1] > rows[best][-1]):
            best = index
    return best


def _placement(table: SixTable) -> CardPlaced | None:
    """The placement that is due, or None if nothing is, or somebody has to be asked first."""
    coming = next_card(table)
    if coming is None or coming.row is None:
        return None
    # A card that takes nothing goes to its row, no matter who played it: its owner is never asked.
    if not coming.takes or coming.seat is not None:
        return coming.placed(coming.seat)
    can = table.possible_owners
    return coming.placed(can[0]) if len(can) == 1 else None  # all others have played another card


def settle(table: SixTable, events: Iterable[Record], reason: Because | None = None) -> Ruling:
    """These events and the placements that follow, as far as they need nobody's answer."""
    return ruling.settle(table, events, apply=apply, follows=_placement, why=why, reason=reason)


# ---------------------------------------------------------------------------------------- before the rows lie


def register(table: SixTable, command: records.Register) -> Ruling:
    """Take a card into the hand that it was dealt to."""
    card, player = command.held, who(command.seat)
    fault = say("a hand is scanned before the rows are laid out")
    if table.agreed.draft or table.rows:
        raise rules.REGISTERED.forbids(fault, "play on, or undo back to the deal")
    require(not_playing(table.players, command.seat, rules.PLAYERS))
    fault = say("all {player}'s cards are scanned", player=player)
    rules.REGISTERED.demands(command.seat not in table.whole, fault, "scan the cards of another player")
    fault = say("{player}'s hand is not scanned in this deal", player=player)
    rules.REGISTERED.demands(command.seat in table.registering, fault, "play on")
    fault = say("this card is not in the deck 1 to {deck}", deck=Card(table.deck))
    rules.DECK.demands(1 <= card <= table.deck, fault, "put it back in the box and take another card")
    # Neither the card nor its place is named: all at the table read this.
    if table.holder(card) is not None:
        raise rules.REGISTERED.forbids("this card has been scanned already", "scan the next card of the hand")
    return Allowed((records.CardRegistered(card, command.seat),), ())


def forget_hands(table: SixTable, _command: object) -> Ruling:
    """Know no hand any more in this deal."""
    if table.agreed.draft:
        raise rules.DRAFT.forbids("after the open draft every owner is known", "undo the wrong card instead")
    rules.REGISTERED.demands(table.hands or table.registering, "no hand is known in this deal", "play on")
    return Allowed((records.HandsForgotten(),), ())


def pick(table: SixTable, command: records.Pick) -> Ruling:
    """Take a card in the open draft; the last four start the rows."""
    card, seat = command.card, command.seat
    rules.DRAFT.demands(table.drafting, "there is no open draft now", "play a card")
    rules.DRAFT.demands(
        seat == table.next_picker,
        say("it is not {player}'s turn in the draft", player=who(seat)),
        say("{player} picks next", player=who(table.next_picker)),
    )
    _check_in_deck(table, card)
    if (holder := table.holder(card)) is not None:
        fault = say("card {card} was picked by {player}", card=card, player=who(holder))
        raise rules.ONE_OF_EACH.forbids(fault, "pick one of the cards still on the table")
    picked = records.CardPicked(card, seat)
    after = apply(table, picked)
    if after.drafting:
        return Allowed((picked,), ())
    held = frozenset().union(*after.hands)
    left = tuple(Card(card) for card in range(1, table.deck + 1) if card not in held)
    rows = [records.RowBegun(card, row) for row, card in enumerate(left)]
    return Allowed((picked, *rows), why_draft_ends(left))


def lay_rows(table: SixTable, command: records.LayRows) -> Ruling:
    """Four cards at once."""
    _check_laying(table)
    given, need = len(command.cards), ROWS - len(table.rows)
    rules.FOUR_ROWS.demands(
        given == need == ROWS,
        count("{count} card was given for the rows", "{count} cards were given for the rows", given),
        count("give {count} card", "give {count} cards, one for each row", need),
    )
    return _laid(table, command.cards)


def lay(table: SixTable, command: records.Lay) -> Ruling:
    """One card."""
    _check_laying(table)
    return _laid(table, (command.card,))


def _check_laying(table: SixTable) -> None:
    fault = say("a hand is scanned before the rows are laid out")
    rules.REGISTERED.demands(not table.registering, fault, "scan the next card of the hand")
    fault = say("after the open draft, the last four cards start the rows")
    rules.DRAFT.demands(not table.drafting, fault, "pick a card")
    fault = say("the four rows are already laid out")
    rules.FOUR_ROWS.demands(len(table.rows) < ROWS, fault, "play a card, or undo back to the deal")


def _laid(table: SixTable, cards: tuple[Card, ...]) -> Ruling:
    events = []
    for card in cards:
        check_free(table, card)
        if table.holder(card) is not None:  # nobody learns whose hand it is in
            fix = say("scan the card again, or undo the wrong one")
            raise rules.REGISTERED.forbids("this card has been scanned already", fix)
        events.append(records.RowBegun(card, len(table.rows)))
        table = apply(table, events[-1])
    return Allowed(tuple(events), (), table)


# ------------------------------------------------------------------------------------------------ in a turn


def play(table: SixTable, command: records.Play) -> Ruling:
    """Show a card, with its owner or without."""
    card, seat, players = command.card, command.seat, len(table.players)
    if need := ROWS - len(table.rows):
        rules.DRAFT.demands(not table.drafting, "the open draft is not finished", "pick a card")
        fix = count(
            "lay out {count} more card to start a row", "lay out {count} more cards to start the rows", need
        )
        raise rules.FOUR_ROWS.forbids("the four rows are not laid out yet", fix)
    check_free(table, card)
    if table.placing:
        fault = say("{cards} cards for {players} players", cards=players + 1, players=players)
        fix = say("answer the open question first, or undo one of the cards")
        raise rules.ONE_CARD_EACH.forbids(fault, fix, waits=True)
    if seat is not None:
        require(not_playing(table.players, seat, rules.PLAYERS))
        _check_not_shown(table, seat)
    owner = _owner_by_hands(table, card, seat) if table.hands else seat
    return settle(table, [records.CardShown(card, owner)])


def take_row(table: SixTable, command: records.TakeRow) -> Ruling:
    """Choose the row for a card that fits nowhere."""
    row, seat, coming = command.row, command.seat, next_card(table)
    if coming is None or coming.row is not None:
        fix = say("a row is chosen only for a card that is lower than the end of every row")
        raise rules.LOWEST_CARD.forbids("nobody has to choose a row now", fix)
    fix = say("choose a row from 1 to {rows}", rows=ROWS)
    rules.LOWEST_CARD.demands(0 <= row < ROWS, "there is no row {row}", fix, row=row + 1)
    chosen = records.RowChosen(coming.card, row)
    if seat in (None, coming.seat):
        return settle(table, [chosen])
    if coming.seat is not None:
        raise rules.OWNER.forbids(
            say("{player} did not play {card}", card=coming.card, player=who(seat)),
            say("{player} chooses the row", player=who(coming.seat)),
        )
    _check_owner(table, seat)
    return settle(table, [records.OwnerNamed(coming.card, seat), chosen])


def claim(table: SixTable, command: records.Claim) -> Ruling:
    """Say who played a card that takes a row, or that took one before."""
    card, seat = command.card, command.seat
    if card in dict(table.unclaimed):
        require(not_playing(table.players, seat, rules.PLAYERS))
        turn = dict(table.newest)
        other = next((played for played, owner in turn.items() if owner == seat), None)
        if card in turn and other is not None:
            raise played_already(seat, other)
        return Allowed((records.OwnerNamed(card, seat),), why_claimed(table, command))
    coming = _next_without_owner(table, card)
    rules.LOWEST_CARD.demands(coming.row is not None, "no row has been chosen yet", "choose the row first")
    _check_owner(table, seat)
    return settle(table, [records.OwnerNamed(card, seat)])


def skip_owner(table: SixTable, command: records.SkipOwner) -> Ruling:
    """Go on although nobody knows who played a card."""
    placed = _next_without_owner(table, command.card, takes=True).placed(None)
    return settle(table, [placed], why_unclaimed(placed))


def _next_without_owner(table: SixTable, card: Card, *, takes: bool = False) -> NextCard:
    """The next card, if this is it and nobody knows whose it is."""
    coming = next_card(table)
    if coming is None or coming.card != card or coming.seat is not None or (takes and not coming.takes):
        fix = say("an owner is needed only when a card takes a row")
        raise rules.OWNER.forbids("it does not matter now who played {card}", fix, card=card)
    return coming


# --------------------------------------------------------------------------------------- whose card it can be


def check_free(table: SixTable, card: Card) -> None:
    """A card must be in the deck, and lie nowhere."""
    _check_in_deck(table, card)
    if place := where(table, card):
        raise rules.ONE_OF_EACH.forbids(place, "scan the card again, or undo the wrong one")


def _check_in_deck(table: SixTable, card: Card) -> None:
    if not 1 <= card <= table.deck:
        fault = say("card {card} is not in the deck 1 to {deck}", card=card, deck=Card(table.deck))
        fix = say("put it back in the box and play a card up to {deck}", deck=Card(table.deck))
        raise rules.DECK.forbids(fault, fix)


def _check_owner(table: SixTable, seat: Seat) -> None:
    """A card of this turn can be a seat's if somebody plays there and has not played another one."""
    require(not_playing(table.players, seat, rules.PLAYERS))
    _check_not_shown(table, seat)
    fault = say("this card is not in {player}'s hand", player=who(seat))
    rules.IN_HAND.demands(seat not in table.whole, fault, "name the player who played it")


def _check_not_shown(table: SixTable, seat: Seat) -> None:
    if (card := table.owner_in_turn(seat)) is not None:
        raise played_already(seat, card)


def _owner_by_hands(table: SixTable, card: Card, seat: Seat | None) -> Seat | None:
    """Whose card this is where hands are known; `seat` is whose people say it is."""
    owner = owner_of(table, card)
    if owner is not None and seat not in (None, owner):
        raise wrong_hand(card, seat, owner)
    without_owner = sum(shown.seat is None for shown in table.shown)
    if table.holder(card) is None and len(table.possible_owners) <= without_owner:
        raise wrong_hand(card, seat, None)  # all others have a card, named or not
    if owner is not None:
        _check_not_shown(table, owner)
    elif seat is not None:
        _check_owner(table, seat)
    return seat if owner is None else owner


def owner_of(table: SixTable, card: Card) -> Seat | None:
    """Whose card this must be: the one who holds it, or the only player who can own another one."""
    if (holder := table.holder(card)) is not None:
        return holder
    can = table.possible_owners
    return can[0] if len(can) == 1 and table.whole else None


def played_already(seat: Seat, card: Card) -> Illegal:
    """The refusal of a second card of one seat."""
    fault = say("{player} has already played {card} in this turn", player=who(seat), card=card)
    return rules.ONE_CARD_EACH.forbids(fault, "name a player who has not played, or undo {card}", card=card)


def wrong_hand(card: Card, seat: Seat | None, owner: Seat | None) -> Illegal:
    """The refusal of a card that is not in the hand it should come from."""
    if owner is None:
        fault = say("card {card} is in nobody's hand", card=card)
        return rules.IN_HAND.forbids(fault, "scan the card that was played")
    fault = say("card {card} is not in {player}'s hand", card=card, player=who(seat or Seat(0)))
    return rules.IN_HAND.forbids(fault, say("{player} picked it", player=who(owner)))
