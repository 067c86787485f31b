"""The end of a deal of Ciao!: hands are scanned or their points typed, and the winner starts the next."""

from companion.core.cards import Seat
from companion.core.ruling import EndDeal
from companion.games.ciao.cards import Card
from companion.games.ciao.records import Done, Draw, Foul, Hand, HandCard, Play, Thanks
from tests.companion.games.ciao.ciao_match import CiaoMatch, cards, kinds, sentences


def at_the_end(seats: int = 3, **options: object) -> CiaoMatch:
    """The second player goes out; the others have three and two cards, one of them known."""
    game = CiaoMatch(seats, **options)  # type: ignore[arg-type] # options of the game
    sizes = (3, 1, 2, *(2,) * (seats - 3))
    game.set_up("gR", [["T"], ["gP"], *([],) * (seats - 2)], hand_sizes=sizes, turn=Seat(1))
    step = game.play("gP")
    assert sentences(step)[-1] == ("CI-2", "player 2 has no cards left")
    return game


def test_hands_are_counted_clockwise_from_the_winner_card_by_card() -> None:
    game = at_the_end()
    (ask,) = game.match.asks
    assert (ask.kind.value, ask.seats, ask.wait.value, ask.need) == ("count a hand", (2, 0), "all", 2)
    assert str(ask.says) == "SCAN THE WHOLE HAND"
    game.answer("rR")
    assert game.match.asks[0].have == ("rR",)
    assert game.view["counted"] == [None, 0, None]
    step = game.answer("yJ")
    assert sentences(step) == [("CI-19", "the hand of player 3 costs 8 points")]
    assert game.match.points == (0, 0, 8)
    assert game.match.asks[0].seats == (0,)
    game.answer("gS", place=0)
    game.answer("gS")
    step = game.answer("T")
    assert kinds(step)[-1] == "deal_scored"
    assert game.match.totals == (7, 0, 8)


def test_who_won_starts_the_next_deal_clockwise() -> None:
    game = CiaoMatch(3, first=2)
    game.set_up("gR", [["T"], ["gP"], ["gS"]], turn=Seat(1), dir=-1)
    game.play("gP")
    assert game.match.position.deal == 2
    assert (game.view["turn"], game.view["dir"], game.view["hand_sizes"]) == (1, 1, [7, 7, 7])


def test_the_points_of_a_hand_can_be_typed_within_what_is_possible() -> None:
    game = at_the_end()
    game.answer("=10", 2)
    assert game.match.points == (0, 0, 10)
    assert game.fault(Hand(Seat(0), points=2)) == "3 cards cannot have 2 points"
    assert game.fix(Hand(Seat(0), points=16)) == "a card counts 1 to 5: count again"
    game.do(Hand(Seat(0), points=15))
    assert game.match.totals == (15, 0, 10)


def test_cards_that_are_known_need_not_be_scanned() -> None:
    game = at_the_end()
    game.do(Hand(Seat(2), cards("yR", "rR")))
    game.answer("gS")
    assert game.asked == ["count a hand"]
    assert game.rule(Done()) == "CI-19"
    game.answer("gS#2")
    known = game.match.asks[1]
    assert [str(label) for label in known.labels] == ["1 KNOWN CARD"]
    game.answer("rest", place=1)
    assert game.match.totals == (7, 0, 5)


def test_cards_that_cannot_be_in_the_hand_are_refused() -> None:
    game = at_the_end()
    game.answer("rR#1")
    for card, fault in (
        ("rR#1", "this red rock has already been scanned"),
        ("gR#9", "green rock: the deck has 4 of them, and this is one too many"),
        ("x", "'x' is not a Ciao! card"),
    ):
        assert game.fault(HandCard(Card(card))) == fault
    elsewhere = "this red rock is in another hand or in the draw pile"
    assert game.fault(HandCard(Card("rR#1"), Seat(0))) == elsewhere
    assert game.fix(Hand(Seat(2), cards("gS", "gS"))) == "scan the others one by one"
    assert game.fault(Hand(Seat(0), cards("gS", "gS"))) == "2 of 3 cards were given"
    assert game.fault(Hand(Seat(0), cards("gS", "gS", "gS"))) == "trouble card must be in that hand"
    assert game.fault(Hand(Seat(0), cards("T", "gS", "gS", "gS"))) == "player 1's hand has 3 cards"
    assert (
        game.fault(Hand(Seat(0), cards("T", "gS:SW", "gS:SW")))
        == "green scissors with a swap: the deck has 1 of them, and this is one too many"
    )
    assert game.fix(Hand(Seat(0))) == "give 'cards' or 'points'"
    assert game.fix(Hand(Seat(0), cards("T"), 5)) == "give 'cards' or 'points'"
    assert game.rule(Hand(Seat(1), points=0)) == "CI-19"
    assert game.rule(Hand(Seat(8), points=0)) == "CI-1"


def test_while_hands_are_counted_nothing_is_played_and_before_nothing_is_counted() -> None:
    game = at_the_end()
    for order in (Play(Card("gS")), Draw(), Thanks(said=True)):
        assert game.fix(order) == "count the hands"
    assert game.rule(Foul()) == "HC-1"
    assert game.rule(EndDeal()) == "HC-17"
    game = CiaoMatch()
    for early in (HandCard(Card("gS")), HandCard(Card("gS"), Seat(1)), Hand(Seat(0), points=5), Done()):
        assert game.fix(early) == "play on, or end the deal first"


def test_a_deal_that_is_ended_early_counts_every_hand_and_the_lowest_starts_the_next() -> None:
    game = CiaoMatch(3, first=2)
    game.play("gR")
    step = game.do(EndDeal())
    assert sentences(step) == [("HC-17", "the deal ends here, and every hand counts")]
    assert game.match.asks[0].seats == (0, 1, 2)
    game.do(Hand(Seat(0), points=9))
    game.do(Hand(Seat(1), points=9))
    game.do(Hand(Seat(2), points=12))
    assert game.match.totals == (9, 9, 12)
    assert game.view["turn"] == 0  # of the two lowest, the first clockwise from who started
    game.do(EndDeal())
    for seat, points in ((0, 9), (1, 8), (2, 12)):
        game.do(Hand(Seat(seat), points=points))
    assert game.view["turn"] == 1
