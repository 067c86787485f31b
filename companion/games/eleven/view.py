"""What 11 nimmt! asks and shows, and how answers are read. Whether an answer is legal is decided in `judge`.

`asks` are the open questions, `read` makes a command of an answer, `view` is the table for programs,
`board` for the display, and `audit` the check that no card is lost.
"""

from collections.abc import Mapping
from typing import Any, Final

from companion.core import ask
from companion.core.ask import (
    TYPED,
    WITHOUT_HANDS,
    Ask,
    AskKind,
    Wait,
    asks_for_hand,
    read_choice,
    read_player,
    read_points,
)
from companion.core.board import Audit, Board, PlacedCard, Stack, Tally
from companion.core.cards import Card, Seat, called
from companion.core.game import Hides
from companion.core.ruling import ForgetHands
from companion.games.eleven import legal, records
from companion.games.eleven.explain import line, why_out
from companion.games.eleven.options import BULLS, CARDS, DEALT, DECK
from companion.games.eleven.table import ElevenTable, Laid, Pile
from companion.text.errors import UnknownCard, quoted
from companion.text.sentence import NOTHING, Text, count, say
from companion.values import replace

DONE: Final = "done"


def asks(table: ElevenTable) -> tuple[Ask, ...]:
    """The open questions; none when the deal is over."""
    if table.counting:
        return _ask_hand(table)
    if seats := legal.registering(table):
        return asks_for_hand(seats, len(table.known[seats[0]]), DEALT)
    if table.due:
        return (_ask_new_piles(table),)
    seats = (table.turn,)
    if table.taking is not None:
        choices = tuple(map(str, legal.givers(table)))
        return (Ask(AskKind.WHOM, seats, Wait.ONE, say("BULL CARD FROM WHOM?"), choices=choices),)
    if table.shown is not None:
        return (_ask_whose(table, table.shown),)
    if table.waiting is not None:
        piles = tuple(str(pile.number) for pile in legal.open_to(table, table.waiting))
        says = say("{card}: WHICH PILE?", card=table.waiting)
        return (Ask(AskKind.CHOOSE, seats, Wait.ONE, says, choices=piles, card=str(table.waiting)),)
    if not table.moving:
        return _ask_move(table)
    # The next player may begin as well: then the move in progress is over.
    following = _ask_move(replace(table, turn=table.after(table.turn), moving=False))
    return (*_ask_card(table), *following, _ask_done(table.turn, say("MOVE IS DONE")))


def _ask_move(table: ElevenTable) -> tuple[Ask, ...]:
    if not table.piles:
        return _ask_card(table)
    piles = tuple(str(pile.number) for pile in table.piles)
    take = Ask(AskKind.TAKE, (table.turn,), Wait.ONE, say("TAKE WHICH PILE?"), choices=piles)
    return (*_ask_card(table), take)


def _ask_card(table: ElevenTable) -> tuple[Ask, ...]:
    if not legal.may_lay(table):
        return ()
    have, vain = tuple(str(one.card) for one in table.laid), not legal.can_lay(table)
    return (Ask(AskKind.PLAY, (table.turn,), Wait.ONE, _says(table), have=have, unanswerable=vain),)


def _ask_whose(table: ElevenTable, card: Card) -> Ask:
    """Whose a card is that was shown in a move with bull cards: most often the next player's."""
    following = table.after(table.turn)
    says = say("{card}: {player}'S CARD?", card=card, player=called(following))
    choices = (str(following), str(table.turn))
    return Ask(AskKind.CLAIM, (table.turn, following), Wait.ONE, says, choices, card=str(card))


def _ask_hand(table: ElevenTable) -> tuple[Ask, ...]:
    seat = table.next_hand
    if seat is None:
        return ()
    have = tuple(map(str, table.seen))
    need = table.sizes[seat]
    says = count("SCAN THE LAST CARD", "SCAN THE {count} CARDS", need)
    hand = Ask(AskKind.HAND, (seat,), Wait.ONE, says, have=have, need=need)
    if not legal.rest_is_known(table, seat):
        return (hand,)
    return (hand, _ask_done(seat, say("THE REST IS KNOWN")))


def _ask_new_piles(table: ElevenTable) -> Ask:
    says = count("TURN UP, SCAN {count} CARD", "TURN UP, SCAN {count} CARDS", table.due)
    newest = [one for one in table.newest if isinstance(one, records.CardTurnedUp)]
    have = tuple(str(one.card) for one in newest)
    return Ask(AskKind.TURN_UP, table.players, Wait.ANY, says, have=have, need=len(have) + table.due)


def _ask_done(seat: Seat, label: Text) -> Ask:
    says = say("OK: {what}", what=label)
    return Ask(AskKind.DONE, (seat,), Wait.ONE, says, choices=(DONE,), labels=(label,))


def _says(table: ElevenTable) -> Text:
    if legal.opens_pile(table):
        return say("OPEN A PILE")
    if table.moving:
        return say("MORE CARDS, OR {player}", player=called(table.after(table.turn)))
    return say("SCAN CARD / TAKE PILE")


def read(ask: Ask, seat: Seat | None, text: str) -> records.Command:  # noqa: PLR0911 - one line per kind of question
    """An answer as a command: a card, a pile, a seat, a word; `=13` for the heads of a hand."""
    match ask.kind:
        case AskKind.HOLD:
            return records.Register(ask.seats[0] if seat is None else seat, read_card(text))
        case AskKind.DONE if text == WITHOUT_HANDS and text in ask.choices:
            return ForgetHands()
        case AskKind.TURN_UP:
            return records.TurnUp((read_card(text),))
        case AskKind.CLAIM:
            owner = read_player(ask, seat, text, say("name one of the players to choose from"))
            return records.Claim(read_card(ask.card), owner)
        case AskKind.CHOOSE:
            return records.Choose(int(read_choice(ask, text, say("{text} is not a pile"))), seat)
        case AskKind.TAKE:
            return records.Take(int(read_choice(ask, text, say("{text} is not a pile"))), seat=seat)
        case AskKind.WHOM:
            return records.BullFrom(Seat(int(read_choice(ask, text, say("{text} is not a player")))), seat)
        case AskKind.DONE:
            if text not in ask.choices:
                raise UnknownCard(
                    say("{text} is not a valid answer", text=quoted(text)),
                    say("answer {done}", done=repr(DONE)),
                )
            return records.Done(seat)
        case AskKind.HAND:
            if text.startswith(TYPED):
                owner = ask.seats[0] if seat is None else seat
                return records.Hand(owner, heads=read_points(text))
            return records.HandCard(read_card(text), seat)
        case _:
            return records.PlayCard(read_card(text), seat=seat)


def read_card(text: str) -> Card:
    """The card that a text names. Raises `UnknownCard` for anything but 1 to 100."""
    return ask.read_card(text, CARDS, "11 nimmt!")


def cards(_table: ElevenTable) -> tuple[str, ...]:
    """1 to 100."""
    return DECK


def card_in_use(_table: ElevenTable, text: str) -> str:
    """A number from 1 to 100. Raises `UnknownCard`."""
    return str(read_card(text))


# --------------------------------------------------------------------------------------------- what is shown


HIDDEN: Final[Mapping[str, Hides]] = {"piles": Hides.ALL_BUT_TOP, "hands": Hides.ALL}
"""Only the top card of a pile is visible, not what is below it or how many cards it has.

Source: 11 nimmt! rulebook, Taking a pile. How many cards a hand has is not hidden: everybody can count the
backs of the cards that others hold.
"""

HIDDEN_IN_EVENTS: Final[Mapping[str, Mapping[str, Hides]]] = {
    # The place of a card from the bottom tells how many lie below it.
    "card_laid": {"at": Hides.ALL},
    "card_registered": {"held": Hides.ALL},
    "pile_taken": {"cards": Hides.ALL_BUT_TOP},
    "table_adopted": HIDDEN,
}
"""The same in events. Hands that are counted lie open."""


def view(table: ElevenTable) -> dict[str, Any]:
    """Piles, hands as far as they are known, bull cards and the move, as the protocol documents them."""
    return {
        "piles": {str(pile.number): list(pile.cards) for pile in table.piles},
        "hands": [sorted(hand) for hand in table.known],
        "hand_sizes": list(table.sizes),
        "bulls": list(table.bulls),
        "supply": table.supply,
        "deck": table.deck,
        "due": table.due,
        "turn": table.turn,
        "moves": table.moves,
        "next_pile": table.next_pile,
        "laid": [one.card for one in table.laid],
        "waiting": table.waiting,
        "shown": table.shown,
        "taking": table.taking,
        "out": table.out,
        "counted": list(table.counted),
        "seen": list(table.seen),
    }


def board(table: ElevenTable) -> Board:
    """The piles with what fits them, the numbers of cards and bull cards, and the latest move."""
    more = legal.with_one_more(table)
    stacks = tuple(
        Stack(
            tuple(map(str, pile.cards)),
            0,
            table.agreed.heads_on(pile.cards),
            str(pile.top),
            str(pile.number),
            legal.range_above(table.top_before(pile)) if pile in more else say("-"),
            covered=True,
        )
        for pile in table.piles
    )
    used: set[int] = set()
    newest = []
    for one in table.newest:
        newest.append(line(table, one, again=isinstance(one, Laid) and one.pile in used))
        used |= {one.pile} if isinstance(one, Laid) else set()
    if table.out is not None:
        newest.append(PlacedCard("", say("{player} IS OUT", player=called(table.out)), why_out(table.out)))
    facts = (
        *(_open(table, pile) for pile in more if table.moving),
        count("DRAW PILE: {count} CARD", "DRAW PILE: {count} CARDS", table.deck),
        say("BULLS IN SUPPLY {bulls}", bulls=table.supply),
    )
    tallies = (Tally(say("BULLS"), table.bulls),)
    hint = say("1 TO 10 HIGHER") if table.piles else NOTHING
    hint = say("{cards} CARDS EACH", cards=DEALT) if table.untouched else hint
    return Board(stacks, table.moves + 1, 0, hint, tuple(newest), facts, table.sizes, tallies)


def _open(table: ElevenTable, pile: Pile) -> Text:
    top = table.top_before(pile)
    return say("ON {top}: {cards}", top=top, cards=legal.range_above(top))


def audit(table: ElevenTable) -> Audit:
    """The hundred cards on piles, in hands and in the deck; the ten bull cards; no card twice."""
    lying = [card for pile in table.piles for card in pile.cards]
    held = [card for hand in table.known for card in hand]
    hands = sum(table.sizes)
    # How many cards are on the piles is not said: as long as there is one pile, they are all its cards.
    says = count("DRAW PILE: {count} CARD", "DRAW PILE: {count} CARDS", table.deck)
    faults: list[Text] = []
    if len({*lying, *held}) != len(lying) + len(held):
        faults.append(say("a card is in two places"))
    if any(len(hand) > size for hand, size in zip(table.known, table.sizes, strict=True)):
        faults.append(say("a hand has fewer cards than are known to be in it"))
    if table.supply < 0 or min(table.bulls) < 0:
        faults.append(say("the number of bull cards is not {bulls}", bulls=BULLS))
    return Audit(len(lying) + hands + table.deck, table.total, says, tuple(faults))
