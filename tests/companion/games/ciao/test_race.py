"""The speed challenge of Ciao!: who was first, who may not, wrong cards, and nobody."""

from companion.core.cards import Seat
from companion.games.ciao.cards import Card
from companion.games.ciao.records import Claim, Foul, Race, RaceOff
from tests.companion.games.ciao.ciao_match import CiaoMatch, kinds, sentences


def raced(seats: int = 4) -> CiaoMatch:
    """The first player has challenged the others with a green rock."""
    game = CiaoMatch(seats)
    game.play("gR:SC")
    return game


def test_a_challenge_asks_all_others_and_the_first_card_wins() -> None:
    game = raced()
    race, nobody = game.match.asks
    assert (race.kind.value, race.seats, race.wait.value) == ("win the race", (1, 2, 3), "any")
    assert (nobody.kind.value, nobody.choices) == ("end the move", ("nobody",))
    game.race("yR", 2)
    assert (game.view["top"], game.view["turn"], game.view["race"]) == ("yR", 3, None)
    assert game.view["hand_sizes"] == [6, 7, 6, 7]


def test_a_card_of_unknown_owner_asks_whose_it_was() -> None:
    game = raced()
    step = game.answer("yR#2")
    assert kinds(step) == ["card_shown"]
    (ask,) = game.match.asks
    assert (ask.kind.value, ask.seats, ask.choices, ask.card) == (
        "who played it",
        (1, 2, 3),
        ("1", "2", "3"),
        "yR#2",
    )
    assert game.fault(Claim(Card("yR#2"), Seat(0))) == "player 1 is the challenger and does not take part"
    assert game.rule(Claim(Card("rR"), Seat(1))) == "CI-3"
    assert game.rule(Claim(Card("yR#2"), Seat(8))) == "CI-1"
    game.answer("3", 3)
    assert (game.view["top"], game.view["turn"]) == ("yR#2", 0)


def test_nobody_asks_for_the_owner_where_only_one_can_be() -> None:
    game = raced(2)
    game.answer("yR")
    assert (game.view["top"], game.view["turn"]) == ("yR", 0)
    game = CiaoMatch(3)
    game.set_up("gR:SC", [["gS"], ["rR"], ["gP", "T"]], race=Seat(0), draw=9)
    game.answer("gP")
    assert (game.view["turn"], game.view["hands"]) == (0, [["gS"], ["rR"], ["T"]])


def test_nobody_can_so_the_player_after_the_challenger_is_next() -> None:
    game = raced()
    step = game.answer("nobody", place=1)
    assert sentences(step) == [("HC-4", "nobody answered player 1's challenge: the next player plays")]
    assert (game.view["turn"], game.view["race"], game.view["top"]) == (1, None, "gR:SC")
    assert game.rule(RaceOff()) == "CI-3"
    assert game.rule(Race(Card("yR"), Seat(1))) == "CI-3"


def test_play_goes_on_after_the_second_challenger_if_nobody_answers_a_challenge_that_won_another() -> None:
    for option in ("winner", "challenger"):
        game = CiaoMatch(4, after_challenge=option)
        game.play("gR:SC", 0)
        game.race("yR:SC", 2)
        assert game.match.asks[0].seats == (3, 0, 1)
        game.do(RaceOff())
        assert game.view["turn"] == 3


def test_a_wrong_card_in_a_race_is_refused_first_and_a_mistake_when_somebody_says_so() -> None:
    game = raced()
    refused = game.refused(Race(Card("gS"), Seat(1)))
    assert str(refused.fix) == "the challenge continues"
    assert refused.penalty == Foul(Seat(1), Card("gS"))
    step = game.do(refused.penalty)
    assert kinds(step) == ["mistake_made", "cards_drawn", "turn_lost"]
    assert sentences(step) == [
        (
            "HC-1",
            (
                "player 2 made a mistake with green scissors, which goes back to the hand: "
                "Higher is the same symbol in a higher colour, a higher symbol, or a joker."
            ),
        ),
        ("CI-7", "player 2 draws 3 cards"),
        ("HC-1", "player 2 loses the next turn"),
    ]
    assert game.view["hands"][1] == ["gS"]
    assert game.asked == ["win the race", "end the move"]
    step = game.do(RaceOff())
    assert (game.view["turn"], game.view["skips"]) == (2, [0, 0, 0, 0])
    assert ("HC-1", "player 2 misses this turn") in sentences(step)


def test_a_wrong_card_of_unknown_owner_asks_whose_mistake_it_was() -> None:
    game = raced()
    refused = game.refused(Race(Card("gS")))
    assert refused.penalty == Foul(None, Card("gS"))
    game.do(refused.penalty)
    assert game.asked == ["who played it"]
    game.answer("2")
    assert game.view["skips"] == [0, 0, 1, 0]
    assert game.view["hand_sizes"] == [6, 7, 10, 7]
    assert game.asked == ["win the race", "end the move"]
    assert game.fix(Foul()) == "name the player with 'seat'"
    assert game.fault(Foul(None, Card("yR"))) == "yellow rock may be played: that is not a mistake"
    assert game.fault(Foul(None, Card("gR:SC"))) == "this green rock with a challenge is on top"


def test_the_challenger_who_plays_too_makes_a_mistake_and_loses_the_next_turn() -> None:
    game = raced(3)
    game.do(Foul(Seat(0), Card("yR")))
    game.race("rR", 2)
    assert (game.view["turn"], game.view["skips"]) == (1, [0, 0, 0])


def test_what_a_card_needs_can_be_said_in_a_race_only_by_somebody() -> None:
    game = raced()
    assert game.fix(Race(Card("yJ"), name="R")) == "add 'seat'"
    assert game.rule(Race(Card("gR:SC"))) == "HC-10"
