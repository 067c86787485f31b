"""The rulings of 11 nimmt!: which commands are legal and what follows from them. Nothing is changed here.

First the choice of the ruling, then the taking of piles, then the count of hands at the end of a deal. What a
move may do is in `moves`.
"""

from companion.core.cards import Card, Seat, listed_players, who
from companion.core.ruling import Allowed, EndDeal, ForgetHands, Join, Leave, Refused
from companion.games.eleven import legal, moves, records, rules
from companion.games.eleven.corrections import adopt, correct, end_deal, join, leave
from companion.games.eleven.options import NEW_PILES, PILE_FOR_BULL
from companion.games.eleven.table import ElevenTable, Pile
from companion.text.sentence import count, say


def judge(table: ElevenTable, command: records.Command) -> records.Ruling:
    if table.over and not isinstance(command, records.Correct):
        return Refused(rules.OUT, say("the deal is over"), say("deal again, or undo"))
    match command:
        case records.Hand() | records.HandCard():
            return _count(table, command)
        case records.Done() if table.counting:
            return _count(table, command)
        case records.Adopt():
            return adopt(table, command)
        case records.Correct():
            return correct(table, command)
        case Leave(seat):
            return leave(table, seat)
        case Join(seat):
            return join(table, seat)
        case EndDeal():
            return end_deal(table)
        case _:
            return _counts_hands(table) or _judge_move(table, command)


def _judge_move(table: ElevenTable, command: records.Command) -> records.Ruling:  # noqa: PLR0911 - one line per kind of command
    match command:
        case records.Register():
            return legal.register(table, command)
        case ForgetHands():
            return legal.forget(table)
        case records.TurnUp():
            return legal.hands_first(table) or moves.turn_up(table, command)
        case records.Play():
            return moves.play(table, command)
        case records.PlayCard():
            return moves.play_card(table, command)
        case records.ShowCard():
            return moves.show_card(table, command)
        case records.Claim():
            return moves.claim(table, command)
        case records.Choose():
            return moves.choose_pile(table, command)
        case records.Done():
            return _done(table, command)
        case records.Take():
            return take_pile(table, command)
        case records.BullFrom():
            return draw_bull(table, command)
    raise TypeError(command)  # pragma: no cover - the orders beside the game are handled above


def _counts_hands(table: ElevenTable) -> Refused | None:
    seat = table.next_hand
    if seat is None:
        return None
    return Refused(
        rules.OUT,
        say("the deal is over, and the hands are being counted"),
        say("count {player}'s hand", player=who(seat)),
    )


def _done(table: ElevenTable, command: records.Done) -> records.Ruling:
    if fault := moves.not_on_turn(table, command.seat):
        return fault
    if not table.laid:
        return Refused(
            rules.ONE_ACTION,
            say("{player} has not played a card yet", player=who(table.turn)),
            say("play a card, or take a pile"),
        )
    return moves.settle(table, moves.end_of_move(table, table.turn))


# --------------------------------------------------------------------------------------------- taking a pile


def take_pile(table: ElevenTable, command: records.Take) -> records.Ruling:
    """A pile goes to a hand, or waits until it is known who gives the bull card."""
    if moves.begins_next(table, command.seat):
        return moves.after_move(table, lambda after: take_pile(after, command))
    if fault := moves.not_on_turn(table, command.seat):
        return fault
    if table.moving:
        return Refused(
            rules.ONE_ACTION,
            say("{player} has already played in this move", player=who(table.turn)),
            say("end the move, or undo the card"),
        )
    pile = table.pile(command.pile)
    if pile is None:
        return Refused(
            rules.TAKING,
            say("there is no such pile"),
            say("take one of the piles with {tops} on top", tops=legal.tops(table.piles))
            if table.piles
            else say("open a pile with any card"),
        )
    wanted = _draws(table, pile)
    if command.bull_from is not None and command.bull_from not in wanted:
        return _wrong_giver(command.bull_from, wanted)
    if command.bull_from is None and len(wanted) > 1:
        return moves.settle(table, [records.PileChosen(pile.number, table.turn)])
    giver = command.bull_from if command.bull_from is not None else (wanted[0] if wanted else None)
    return _taken(table, pile, giver)


def draw_bull(table: ElevenTable, command: records.BullFrom) -> records.Ruling:
    """The bull card of a player, for a pile that waits for it."""
    pile = None if table.taking is None else table.pile(table.taking)
    if pile is None:
        return Refused(
            rules.SUPPLY,
            say("nobody has to give a bull card now"),
            say(
                "you choose a giver when a pile of three is taken, the supply is empty and several have most"
            ),
        )
    if fault := legal.not_asked(command.seat, table.turn):
        return fault
    wanted = legal.givers(table)
    if command.giver not in wanted:
        return _wrong_giver(command.giver, wanted)
    return _taken(table, pile, command.giver)


def _draws(table: ElevenTable, pile: Pile) -> tuple[Seat, ...]:
    """The players of whom one gives a bull card; none where the supply does, or nobody."""
    if len(pile.cards) < PILE_FOR_BULL or table.supply > 0:
        return ()
    return legal.givers(table)


def _wrong_giver(giver: Seat, wanted: tuple[Seat, ...]) -> Refused:
    return Refused(
        rules.SUPPLY,
        say("{player} does not give a bull card", player=who(giver)),
        say("name one of the {players}", players=listed_players(wanted))
        if wanted
        else say("take the pile without naming a player"),
    )


def _taken(table: ElevenTable, pile: Pile, giver: Seat | None) -> Allowed[records.Event]:
    bull = len(pile.cards) >= PILE_FOR_BULL and (table.supply > 0 or giver is not None)
    due = min(NEW_PILES, table.deck)  # a short deck gives what it has (H11-5)
    taken = records.PileTaken(pile.number, table.turn, pile.cards, bull, giver, due)
    return moves.settle(table, [taken, records.TurnPassed(table.after(table.turn))])


# -------------------------------------------------------------------------------------------- counting hands


def _count(table: ElevenTable, command: records.HandCard | records.Hand | records.Done) -> records.Ruling:
    """One more card of the hand that is counted, all of them or its heads, or that the rest is known."""
    seat = table.next_hand
    if seat is None:
        return Refused(
            rules.OUT,
            say("no hand is being counted now"),
            say("hands are counted when somebody has no cards left; continue playing"),
        )
    if fault := legal.not_asked(command.seat, seat):
        return fault
    match command:
        case records.HandCard(card):
            return _see_card(table, seat, card)
        case records.Done():
            return _known_rest(table, seat)
        case records.Hand(_, None, int(heads)):
            return _by_heads(table, seat, heads)
        case records.Hand(_, tuple(cards), None):
            return _by_cards(table, seat, cards)
    return Refused(
        rules.OUT,
        say("a hand needs either its cards or its heads"),
        say("give only one of the two"),
    )


def _see_card(table: ElevenTable, seat: Seat, card: Card) -> records.Ruling:
    if fault := _not_left(table, seat, card, table.seen):
        return fault
    seen = (*table.seen, card)
    events: list[records.Event] = [records.HandCardSeen(card, seat)]
    if len(seen) == table.sizes[seat]:
        events.append(moves.hand_counted(table, seat, seen))
    return moves.settle(table, events)


def _known_rest(table: ElevenTable, seat: Seat) -> records.Ruling:
    hand = table.known[seat].union(table.seen)
    missing = table.sizes[seat] - len(hand)
    if missing:
        return Refused(
            rules.OUT,
            count("{count} card of this hand is missing", "{count} cards of this hand are missing", missing),
            say("scan the cards left in {player}'s hand", player=who(seat)),
        )
    return moves.settle(table, [moves.hand_counted(table, seat, hand)])


def _by_cards(table: ElevenTable, seat: Seat, cards: tuple[Card, ...]) -> records.Ruling:
    due = table.sizes[seat]
    if len(cards) != due:
        return Refused(
            rules.OUT,
            count("{count} card was given", "{count} cards were given", len(cards)),
            count(
                "{player} has {count} card left",
                "{player} has {count} cards left",
                due,
                player=who(seat),
            ),
        )
    seen: tuple[Card, ...] = ()
    for card in cards:
        if fault := _not_left(table, seat, card, seen):
            return fault
        seen = (*seen, card)
    return moves.settle(table, [moves.hand_counted(table, seat, cards)])


def _by_heads(table: ElevenTable, seat: Seat, heads: int) -> records.Ruling:
    """The heads must be those of some hand of that size with the cards that are known to be in it."""
    held = table.known[seat].union(table.seen)
    free = sorted(table.agreed.heads[card - 1] for card in legal.unseen(table).difference(held))
    places = table.sizes[seat] - len(held)
    least = table.agreed.heads_on(held) + sum(free[:places])
    most = table.agreed.heads_on(held) + sum(free[len(free) - places :])
    if least <= heads <= most:
        return moves.settle(table, [records.HandCounted(seat, None, heads)])
    return Refused(
        rules.OUT,
        count(
            "a hand of {count} card cannot have {heads} bullheads here",
            "a hand of {count} cards cannot have {heads} bullheads here",
            table.sizes[seat],
            heads=heads,
        ),
        say("give a number from {least} to {most}, or scan the cards", least=least, most=most),
    )


def _not_left(table: ElevenTable, seat: Seat, card: Card, seen: tuple[Card, ...]) -> Refused | None:
    """Why a card cannot be in the hand that is counted, beside those that were seen of it."""
    if fault := legal.no_card(card):
        return fault
    if card in seen:
        return Refused(
            rules.ONE_OF_EACH,
            say("card {card} of this hand has already been counted", card=card),
            say("scan the next card"),
        )
    if fault := legal.not_in_hand(table, seat, card):
        return fault
    known = table.known[seat]
    if len(known.union(seen, (card,))) <= table.sizes[seat]:
        return None
    return Refused(
        rules.HANDS,
        count(
            "{player} has {count} card, and it must be {cards}",
            "{player} has {count} cards, and {cards} must be among them",
            table.sizes[seat],
            player=who(seat),
            cards=tuple(sorted(known.difference(seen))),
        ),
        say("scan these cards, or undo the wrong one"),
    )
