"""The quick engines for 11 nimmt! and Ciao! play as the referee does; NIMMT_EXAMPLES multiplies the deals."""

from random import Random

from companion.core.cards import Card, Seat, bullheads
from companion.games.ciao.cards import kind
from companion.games.ciao.table import CiaoTable, Stage
from companion.games.eleven.records import BullFrom, Play, Take, TurnUp
from companion.match.dealer import Dealer
from companion.match.match import Terms, begin
from companion.robots.ciao import KIND, PLAIN, CiaoPlayout, cards_of, face_of
from companion.robots.eleven import ElevenPlayerView, ElevenPlayout, candidates, heads, seen_by, single_cards
from companion.robots.levels import Level, robots
from companion.robots.rollouts import places
from tests.companion.one_match import after
from tests.examples import TIMES

DEALS = round(6 * TIMES)


def test_a_deal_of_11_nimmt_is_ruled_as_the_referee_rules_it() -> None:
    random, bulls = Random(11), 0
    for _ in range(DEALS):
        seats = random.randrange(2, 8)
        cards = random.sample(range(100), 100)
        match = begin(Terms("eleven", seats, {"deals": 1}))
        hands = [sum(1 << card for card in cards[10 * seat : 10 * seat + 10]) for seat in range(seats)]
        *deck, top = cards[10 * seats :]
        deal = ElevenPlayout(hands, [1 << top], [top], [0] * seats, deck, 0)
        match = after(match, TurnUp((Card(top + 1),)))
        while all(deal.hands) and match.position.table.moves < 150:
            table = match.position.table
            seen = seen_by(table, Seat(deal.turn), [place + 1 for place in places(deal.hands[deal.turn])])
            assert (seen.piles, seen.tops) == (tuple(deal.piles), tuple(deal.tops))
            assert seen.sizes == tuple(hand.bit_count() for hand in deal.hands)
            assert (seen.bulls, seen.deck, seen.turn) == (tuple(deal.bulls), len(deal.deck), deal.turn)
            move = random.choice([*candidates(seen), *single_cards(seen)])
            names = [str(pile.number) for pile in table.piles] or ["new"]
            giver, due = deal.giver(deal.turn), deal.deck[::-1][:2]
            deal.move(move)
            if move[0][1]:
                cards_on = {names[place]: places(cards) for place, cards in move}
                played = {name: tuple(Card(card + 1) for card in on) for name, on in cards_on.items()}
                match = after(match, Play(played))
            else:
                match = after(match, Take(int(names[move[0][0]])))
                if match.position.table is not None and match.position.table.taking is not None:
                    match = after(match, BullFrom(Seat(giver or 0)))
                if due:
                    match = after(match, TurnUp(tuple(Card(card + 1) for card in due)))
            bulls += sum(deal.bulls)
        finished = match.position.table
        assert finished.sizes == tuple(hand.bit_count() for hand in deal.hands)
    assert bulls


def test_heads_are_counted_by_bits() -> None:
    cards = range(1, 101)
    assert [heads(1 << card - 1) for card in cards] == [bullheads(Card(card)) for card in cards]
    assert heads((1 << 100) - 1) == sum(bullheads(Card(card)) for card in cards)


def ciao_deal(table: CiaoTable, dealer: Dealer, chance: Random) -> CiaoPlayout:
    """The deal as it is, all hands and the pile open."""
    cards, used = cards_of(tuple(table.agreed.many(name) for name in KIND)), 0

    def taken(card: str) -> int:
        nonlocal used
        one = cards.hand((KIND[kind(card).name],), ~used)
        assert one
        used |= one
        return one

    return CiaoPlayout(
        cards,
        [sum(map(taken, dealer.hand(seat))) for seat in table.players],
        face_of(table.top),
        [taken(card).bit_length() - 1 for card in dealer.deck],
        [taken(card).bit_length() - 1 for card in table.discards],
        table.dir,
        table.pending,
        table.turn,
        list(table.skips),
        chance,
    )


def test_a_turn_of_ciao_is_ruled_as_the_referee_rules_it() -> None:
    compared, chance = 0, Random(2)
    for number in range(DEALS):
        seats = 2 + number % 5
        dealer = robots("ciao", [Level.NORMAL] * seats, Random(number))
        match = begin(Terms("ciao", seats, {"end": {"deals": 1}}))
        while match.asks and match.position.table.stage is not Stage.COUNT:
            table = match.position.table
            dealer.update(match)
            deal, seat = ciao_deal(table, dealer, chance), table.turn
            ways = [PLAIN] * seats
            fitting, challenged = deal.hands[seat] & deal.fits(), False
            shuffled = not fitting and len(deal.pile) < max(1, deal.pending)
            if fitting:
                deal.put(seat, PLAIN.card(deal, seat, fitting), ways)
            else:
                deal.draw_in_turn(seat, ways)
            while match.asks:
                given = dealer.answer(match)
                match = after(match, match.game.read(given.ask, given.seat, given.text))
                now = match.position.table
                challenged |= now.stage is Stage.RACE or given.text == "no"  # no thanks: three more cards
                if now.stage in (Stage.TURN, Stage.COUNT):
                    break
            now = match.position.table
            dealer.update(match)
            if not challenged and not shuffled and match.asks:  # else chance has decided something
                hands = [sorted(KIND[kind(one).name] for one in dealer.hand(seat)) for seat in now.players]
                kinds = [sorted(deal.cards.kind[place] for place in places(hand)) for hand in deal.hands]
                assert kinds == hands
                if now.stage is Stage.TURN:
                    assert (deal.turn, deal.step, deal.pending) == (now.turn, now.dir, now.pending)
                    assert deal.face == face_of(now.top)
                compared += 1
    assert compared > 20 * DEALS


def test_a_world_is_dealt_from_the_cards_that_nobody_has_seen() -> None:
    seen = ElevenPlayerView(1, 0b111, (0b11000,), (4,), (10, 3, 8), (0, 1, 0), 77)
    world = seen.world(Random(1))
    assert [hand.bit_count() for hand in world.hands] == [10, 3, 8]
    cards = [*world.deck, *(place for hand in (*world.hands, *world.piles) for place in places(hand))]
    assert sorted(cards) == list(range(100))
