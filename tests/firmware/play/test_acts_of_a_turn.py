"""How many acts a turn takes: scans, keys and badges of people who do what the display asks for.

The table is worked out beside the device (`hasty_table.Cards`). People read the page in front: they show
their cards, and answer the question that is on it. They know which row they want and who played what, and the
device does not. The player who takes the row of a low card wants the cheapest, and scans the back of the
badge: it says whose the card is and which row it takes.
"""

from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.core.ask import AskKind
from companion.core.cards import Card, heads
from companion.core.codec import encode
from companion.core.codes import badge_code, card_code, row_code
from firmware.config.configuration import load
from firmware.screens.turn.questions import ChooseStack
from firmware.session.actions import ROW_KEYS
from hardware.ports import Key, KeyPressed, Scanned
from tests.firmware.evening import Device, choose_in_menu, device
from tests.firmware.play.hasty_table import Cards
from tests.whole.careful import CarefulCanvas

DEALS = 2
PAUSE_S = 5.0
"""Between two acts: the device asks for nothing because it waits, and asks nothing because of haste."""


class CountingPeople:
    """They count their acts. With `in_order` they show their cards in the order of their seats."""

    def __init__(self, at: Device, seats: int, chance: Random, *, in_order: bool) -> None:
        self.at = at
        self.cards = Cards(seats, chance)
        self.in_order = in_order
        self.chance = chance
        self.acts = 0

    def act(self, message: Scanned | KeyPressed) -> None:
        controller = self.at.controller
        controller.tick(controller.now_s + PAUSE_S)
        controller.hear(message, controller.now_s)
        assert not controller.front.refusal
        self.acts += 1

    def lay_rows(self) -> None:
        for row in self.cards.rows:
            self.act(Scanned(card_code("6N", row[0])))

    def play_turn(self) -> None:
        turn = self.cards.reveal()
        order = list(turn)
        if not self.in_order:
            self.chance.shuffle(order)
        cheapest = 0
        for card in order:
            self.act(Scanned(card_code("6N", card)))
        while asks := self.open_questions():
            if asks[0] is AskKind.CHOOSE:
                cheapest = min(range(4), key=lambda row: heads(tuple(map(Card, self.cards.rows[row]))))
                lowest, known = self.at.match.asks[0].card, len(self.at.match.asks[0].seats) == 1
                back = Scanned(row_code(turn[int(lowest)] + 1, cheapest))
                self.act(KeyPressed(ROW_KEYS[cheapest]) if known else back)
            else:
                card = int(self.at.match.asks[0].card)
                self.act(Scanned(badge_code(turn[card] + 1)))
        self.cards.place(turn, cheapest)

    def open_questions(self) -> list[AskKind]:
        """What is asked about the cards of the turn."""
        return [ask.kind for ask in self.at.match.asks if ask.kind in (AskKind.CHOOSE, AskKind.CLAIM)]

    def check_agreement(self) -> None:
        """The device knows every card where it lies, and who took what."""
        position = self.at.match.position
        view = encode(self.at.match.game.view(position.finished or position.table))
        assert view["rows"] == self.cards.rows
        assert [set(pile) for pile in view["taken"]] == self.cards.piles


def acts_a_turn(folder: Path, seats: int, *, in_order: bool) -> float:
    """The mean over some deals, without laying the rows and without the pages at the end of a deal."""
    table = replace(load(None).table, seat_order=in_order, ruling_s=1.0)
    badges = " ".join(f"b{badge}" for badge in range(1, seats + 1))
    acts = turns = 0
    for deal in range(DEALS):
        place = folder / f"{seats}-{in_order}-{deal}"
        place.mkdir()
        with device(place, f"R1 {badges} OK R1 R1", table=table) as at:
            people = CountingPeople(at, seats, Random(1000 * seats + deal), in_order=in_order)
            people.lay_rows()
            people.acts = 0
            for _ in range(10):
                people.play_turn()
                turns += 1
            people.check_agreement()
            acts += people.acts
    return acts / turns


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seats", "in_order", "most"), [(4, False, 5.3), (10, False, 12.4), (4, True, 5.3), (10, True, 12.4)]
)
def test_a_turn_takes_few_acts(tmp_path: Path, seats: int, in_order: bool, most: float) -> None:
    assert acts_a_turn(tmp_path, seats, in_order=in_order) <= most


SCRIPT = "R1 b1 b2 b3 b4 OK R1 R1 12 37 43 58 "


def test_in_seat_order_the_display_names_the_next_player_and_a_badge_changes_it_for_one_card(
    tmp_path: Path,
) -> None:
    table = replace(load(None).table, seat_order=True)
    with device(tmp_path, SCRIPT + "14 b4 44 61", table=table) as at:
        assert dict(at.match.position.table.newest) == {14: 0, 44: 3, 61: 1}
        assert at.controller.session.next_in_order(at.match.asks[0]) == 2
        at.people("UNDO")
        assert at.controller.session.next_in_order(at.match.asks[0]) == 1


@pytest.mark.parametrize("size", ["normal", "large"])
@pytest.mark.parametrize("language", ["en", "de", "fa"])
def test_ten_long_names_in_seat_order_have_room_on_the_display(
    tmp_path: Path, language: str, size: str
) -> None:
    names = tuple(f"Maximiliane {letter}" for letter in "ABCDEFGHIJ")
    usual = load(None)
    table = replace(usual.table, seat_order=True, names=names)
    screen = replace(usual.screen, language=language, size=size)
    badges = " ".join(f"b{badge}" for badge in range(1, 11))
    with device(tmp_path, f"R1 {badges} OK R1 R1 12 37 43 58 ", table=table, screen=screen) as at:
        for card in range(90, 99):  # drawn after each, and a text that does not fit raises
            at.people(str(card))
            assert at.controller.session.next_in_order(at.match.asks[0]) == card - 89


def test_a_low_card_of_a_known_player_takes_its_row_with_one_key(tmp_path: Path) -> None:
    table = replace(load(None).table, seat_order=True)
    with device(tmp_path, SCRIPT + "90 3 44 61 R1", table=table) as at:
        assert at.match.points == (0, 1, 0, 0)
        assert at.match.asks[0].kind is AskKind.PLAY


def test_in_the_open_draft_the_hands_say_whose_a_card_is(tmp_path: Path) -> None:
    table = replace(load(None).table, seat_order=True)
    picks = " ".join(str(card) for card in range(1, 21))
    with device(tmp_path, "R1 b1 b2 OK R1 R3 " + picks + " 20 19", table=table) as at:
        assert "refused" not in at.signals
        assert dict(at.match.position.table.newest) == {19: 0, 20: 1}


def test_the_menu_changes_the_order_of_scans_and_the_table_keeps_it(tmp_path: Path) -> None:
    with device(tmp_path, SCRIPT) as at:
        assert at.controller.session.next_in_order(at.match.asks[0]) is None
        choose_in_menu(at, "CARDS IN SEAT ORDER")
        at.people("44")
        assert dict(at.match.position.table.newest) == {44: 0}
    with device(tmp_path) as at:  # after a power cut
        assert at.controller.session.next_in_order(at.match.asks[0]) == 1
        choose_in_menu(at, "CARDS IN ANY ORDER")
        assert at.controller.session.next_in_order(at.match.asks[0]) is None
    table = replace(load(None).table, seat_order=True)
    with device(tmp_path, table=table) as at:  # the configuration says something else since
        assert at.controller.session.notes.in_seat_order


LOW = SCRIPT + "3 90 91 92 "
"""3 is lower than the end of every row."""


def test_the_back_of_a_badge_says_whose_the_low_card_is_and_which_row_it_takes(tmp_path: Path) -> None:
    with device(tmp_path, LOW + "b2r3") as at:
        assert at.match.points == (0, 1, 0, 0)
        assert dict(at.match.position.table.newest)[3] == 1
        assert at.match.asks[0].kind is AskKind.PLAY


def test_a_badge_before_the_row_says_whose_the_low_card_is(tmp_path: Path) -> None:
    with device(tmp_path, LOW + "b2 R3") as at:
        assert "refused" not in at.signals
        assert dict(at.match.position.table.newest)[3] == 1
        assert at.match.asks[0].kind is AskKind.PLAY


def test_undo_after_a_badge_asks_for_the_row_of_anybody_again(tmp_path: Path) -> None:
    with device(tmp_path, LOW + "b2 UNDO R3") as at:
        assert at.match.asks[0].kind is AskKind.CLAIM


def test_the_back_of_a_badge_counts_under_a_view_and_only_where_a_row_is_chosen(tmp_path: Path) -> None:
    with device(tmp_path, SCRIPT + "3 b2r3 90") as at:  # not all cards are there
        assert "refused" in at.signals
        assert dict(at.match.position.table.newest) == {3: None, 90: None}
        at.people("91 92 :6NC-ROWSF b2r3")
        assert dict(at.match.position.table.newest)[3] == 1


def test_the_back_of_a_badge_of_another_player_is_refused(tmp_path: Path) -> None:
    with device(tmp_path, SCRIPT + "b1 3 90 91 92 b2r3") as at:
        assert "refused" in at.signals
        assert at.match.asks[0].kind is AskKind.CHOOSE


@pytest.mark.parametrize("side", ["b2", "b2r1", "b2r4"])
def test_either_side_of_a_badge_says_who_played_the_card(tmp_path: Path, side: str) -> None:
    with device(tmp_path, LOW + "R3 " + side) as at:
        assert "refused" not in at.signals
        assert dict(at.match.position.table.newest)[3] == 1
        assert at.match.points == (0, 1, 0, 0)


@pytest.mark.parametrize(("keys", "asked"), [("", AskKind.CHOOSE), ("R3 ", AskKind.CLAIM)])
def test_the_back_of_a_badge_that_does_not_play_is_refused(tmp_path: Path, keys: str, asked: AskKind) -> None:
    with device(tmp_path, LOW + keys + "b7r3") as at:
        assert at.controller.notice == "BADGE 7 NOT PLAYING"
        assert at.match.asks[0].kind is asked


@pytest.mark.slow
@pytest.mark.parametrize("size", ["normal", "large"])
@pytest.mark.parametrize("language", ["en", "de", "fa"])
def test_a_long_name_has_room_beside_the_question_for_its_row(
    tmp_path: Path, language: str, size: str
) -> None:
    usual = load(None)
    table = replace(usual.table, names=("Maximiliane A", "Maximiliane B"))
    screen = replace(usual.screen, language=language, size=size)
    with device(tmp_path, LOW + "b2", table=table, screen=screen) as at:
        page, canvas = at.controller.front, CarefulCanvas()
        assert isinstance(page, ChooseStack)
        assert page.owner == 1
        page.draw(canvas, at.controller.session)
        assert not canvas.faults


class PeopleOfEleven:
    """They hold real hands. Who has bull cards lays all that fits on a pile, the highest card first.

    Nobody says that a move is over. They choose a pile by its key, take one where they have to, and say
    whose a card is when the device asks.
    """

    def __init__(self, at: Device, seats: int, chance: Random) -> None:
        self.at, self.chance = at, chance
        deck = [*range(1, 101)]
        chance.shuffle(deck)
        self.hands = [{deck.pop() for _ in range(10)} for _ in range(seats)]
        self.deck = deck
        self.piles: list[list[int]] = []
        self.bulls = [0] * seats
        self.acts = self.needed = self.with_bulls = self.said_whose = 0

    def act(self, message: Scanned | KeyPressed) -> None:
        controller = self.at.controller
        controller.tick(controller.now_s + PAUSE_S)
        controller.hear(message, controller.now_s)
        assert not controller.front.refusal
        self.acts += 1

    def press(self, place: int) -> None:
        """Press the key of a pile; OK shows the next four."""
        for _ in range(place // 4):
            self.act(KeyPressed(Key.OK))
        self.act(KeyPressed(ROW_KEYS[place % 4]))

    def turn_up(self, cards: int) -> None:
        for _ in range(min(cards, len(self.deck))):
            self.piles.append([self.deck.pop()])
            self.act(Scanned(card_code("11", self.piles[-1][0])))
            self.needed += 1

    def play_turn(self, seat: int) -> None:
        hand = self.hands[seat]
        fits = [(card, pile) for pile in self.piles for card in hand if 1 <= (card - pile[-1]) % 100 <= 10]
        if not fits:
            self.take(seat, self.chance.randrange(len(self.piles)))
            return
        card, pile = self.chance.choice(sorted(fits))
        several = [one for one, on in fits if on is pile] if self.bulls[seat] else [card]
        self.with_bulls += self.bulls[seat] > 0
        begin, top = len(pile), pile[-1]
        for one in sorted(several, key=lambda one: (one - top) % 100, reverse=True):
            hand.discard(one)
            pile.insert(begin, one)
            self.show(seat, one, self.piles.index(pile))

    def take(self, seat: int, place: int) -> None:
        self.press(place)
        self.needed += 1
        taken = self.piles.pop(place)
        self.bulls[seat] += len(taken) >= 3
        self.hands[seat].update(taken)
        self.turn_up(2)

    def show(self, seat: int, card: int, place: int) -> None:
        """Show a card, and answer what is asked about it: whose it is, and on which pile it goes."""
        wanted = self.at.match.board.stacks[place].choice
        self.act(Scanned(card_code("11", card)))
        self.needed += 1
        while (ask := next(iter(self.at.match.asks), None)) is not None and ask.card == str(card):
            if ask.kind is AskKind.CLAIM:
                self.act(Scanned(badge_code(seat + 1)))
                self.said_whose += 1
            else:
                self.press(ask.choices.index(wanted))


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 5])
def test_in_11_nimmt_nearly_every_act_is_a_card_or_a_pile_also_with_bull_cards(
    tmp_path: Path, seats: int
) -> None:
    badges = " ".join(f"b{badge}" for badge in range(1, seats + 1))
    acts = needed = with_bulls = said_whose = 0
    for deal in range(6):
        (place := tmp_path / str(deal)).mkdir()
        with device(place, f"R2 {badges} OK OK R2") as at:
            people = PeopleOfEleven(at, seats, Random(100 * seats + deal))
            people.turn_up(1)
            for turn in range(60):
                people.play_turn(turn % seats)
                if not people.hands[turn % seats]:
                    break
            table = at.match.position.table
            assert [list(pile.cards) for pile in table.piles] == people.piles
            assert table.sizes == tuple(map(len, people.hands))
            acts, needed = acts + people.acts, needed + people.needed
            with_bulls, said_whose = with_bulls + people.with_bulls, said_whose + people.said_whose
    assert acts <= 1.2 * needed
    assert 0 < said_whose <= 0.2 * with_bulls
