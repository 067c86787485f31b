"""People who play 6 nimmt! in a hurry, or slowly, beside a device; and their table, worked out without it.

`Cards` is what lies on the table by the rules of the booklet, in a few lines of its own. `People` show cards
to the device, err and correct it, and look at the totals whenever they like.
"""

import math
from random import Random
from typing import Final

from companion.core.ask import AskKind
from companion.core.codes import Control, badge_code, card_code, control_code
from companion.core.score_sheet import DealScored
from firmware.loop.react import handle_message, tick
from firmware.play.table import Table
from firmware.session.actions import ROW_KEYS
from hardware.ports import Key, KeyPressed, Scanned

SHORTEST_S: Final = 0.05
LONGEST_S: Final = 600.0
SHUFFLING_S: Final = 10.0
TICKS: Final = 8


class Cards:
    """The cards of a table: hands, rows, and what each player has taken."""

    def __init__(self, seats: int, chance: Random) -> None:
        self.seats = seats
        self.chance = chance
        self.deal()

    def deal(self) -> None:
        deck = list(range(1, 105))
        self.chance.shuffle(deck)
        self.hands = [deck[10 * seat : 10 * seat + 10] for seat in range(self.seats)]
        self.rows = [[card] for card in deck[10 * self.seats :][:4]]
        self.piles: list[set[int]] = [set() for _ in range(self.seats)]

    def reveal(self) -> dict[int, int]:
        """A card of every hand, with whose it is."""
        return {self.hands[seat].pop(): seat for seat in range(self.seats)}

    def place(self, turn: dict[int, int], chosen_row: int) -> None:
        """Lay the cards of a turn, the lowest first; `chosen_row` is for one that fits nowhere."""
        for card in sorted(turn):
            fitting = [row for row in self.rows if row[-1] < card]
            row = max(fitting, key=lambda one: one[-1]) if fitting else self.rows[chosen_row]
            if not fitting or len(row) == 5:
                self.piles[turn[card]].update(row)
                row.clear()
            row.append(card)


class People:
    """They act on a device; `hurry` from 0 to 1 says how often they wait as short as they can."""

    def __init__(self, table: Table, chance: Random, seats: int, hurry: float) -> None:
        self.at = table
        self.chance = chance
        self.hurry = hurry
        self.cards = Cards(seats, chance)
        self.early: list[int] = []
        """The cards of the next turn that were shown while a question was open."""

    # ------------------------------------------------------------------------------------------- acts

    def wait(self, least_s: float = SHORTEST_S) -> None:
        low, high = (
            math.log(least_s),
            math.log(max(least_s, 0.5 if self.chance.random() < self.hurry else LONGEST_S)),
        )
        pause_s = math.exp(self.chance.uniform(low, high))
        begin_s = self.at.now_s
        for part in range(1, TICKS + 1):
            tick(self.at, begin_s + pause_s * part / TICKS)

    def scan(self, code: str) -> None:
        self.wait()
        handle_message(self.at, Scanned(code), self.at.now_s)

    def show(self, card: int) -> None:
        self.scan(card_code("6N", card))

    def order(self, control: Control) -> None:
        self.scan(control_code(control))

    def press(self, key: Key) -> None:
        self.wait()
        handle_message(self.at, KeyPressed(key, at_s=self.at.now_s), self.at.now_s)

    def undo(self, card: int) -> None:
        """Undo until the display no longer has the card; a press may only light it up or close a page."""
        for _ in range(8):
            if not self.device_has(card):
                return
            if self.chance.random() < 0.5:
                self.press(Key.UNDO)
            else:
                self.order(Control.UNDO)
        assert not self.device_has(card), f"{card} cannot be undone"

    # ------------------------------------------------------------------------------ what the device has

    def device_has(self, card: int) -> bool:
        return str(card) in self.turn_on_device()

    def turn_on_device(self) -> tuple[str, ...]:
        match = self.at.session.playing
        table = match.position.table
        if match.newest is not None and isinstance(match.newest.events[-1], DealScored):
            table = match.position.finished
        return (*(str(card) for card, _ in table.newest), *self.at.session.notes.kept_cards)

    def check_agreement(self) -> None:
        """The device knows every card where it lies."""
        match = self.at.session.playing
        scored = match.newest is not None and isinstance(match.newest.events[-1], DealScored)
        table = match.position.finished if scored else match.position.table
        assert [list(row) for row in table.rows] == self.cards.rows
        assert [set(pile) for pile in table.taken] == self.cards.piles

    # ------------------------------------------------------------------------------------------- errors

    def somebody_errs(self, turn: dict[int, int], shown: list[int]) -> None:
        """What happens between two cards and has nothing to do with them."""
        what = self.chance.choice(
            ("", "", "", "look", "again", "rubbish", "other box", "wrong card", "no badge")
        )
        if what == "look":
            self.order(self.chance.choice((Control.TOTALS, Control.ROWS)))
            if self.chance.random() < 0.5:
                self.press(self.chance.choice((Key.OK, Key.UNDO)))
                if self.at.pages.opened:  # it only lit the display up
                    self.press(Key.OK)
        elif what == "again" and shown and 0 < len(shown) < len(turn):
            self.show(self.chance.choice(shown))
        elif what == "rubbish":
            self.scan("4007396032")
        elif what == "other box":
            self.scan(card_code("11", 55))
        elif what == "no badge" and self.cards.seats < 10:
            self.order(Control.ROWS)
            self.scan(badge_code(10))
            self.keep_out()
        elif what == "wrong card" and len(shown) < len(turn) and (wrong := self.not_on_table(turn)):
            if self.chance.random() < 0.5:
                self.show(wrong)
                self.undo(wrong)
            else:
                right = next(card for card in turn if card not in shown)
                self.show(wrong)
                self.replace(wrong, right)
                shown.append(right)

    def keep_out(self) -> None:
        """Undo that somebody joins, now or with the next deal; a press may only light the display up."""
        session = self.at.session
        for _ in range(8):
            if len(session.playing.players) == self.cards.seats and not session.notes.joins_next:
                return
            self.press(Key.UNDO)
        raise AssertionError("somebody who should not joins")

    def replace(self, wrong: int, right: int) -> None:
        self.order(Control.WRONG)
        if self.chance.random() < 0.3:
            self.order(Control.ROWS)  # to see which one it was
        self.show(wrong)
        self.show(right)
        assert self.device_has(right)
        assert not self.device_has(wrong)

    def not_on_table(self, turn: dict[int, int]) -> int:
        """A card that nobody has played yet; 0 where all were."""
        gone = set(turn).union(*self.cards.rows, *self.cards.piles)
        return self.chance.choice([card for card in range(1, 105) if card not in gone] or [0])

    # ---------------------------------------------------------------------------------------- the match

    def lay_rows(self) -> None:
        self.wait(SHUFFLING_S)
        for row in self.cards.rows:
            self.show(row[0])
        self.check_agreement()

    def play_turn(self) -> None:
        turn = self.cards.reveal()
        chosen = self.chance.randrange(4)
        order = list(turn)
        self.chance.shuffle(order)
        shown, self.early = self.early, []
        assert all(self.device_has(card) for card in shown)
        for card in order:
            self.somebody_errs(turn, shown)
            if card not in shown:
                wrong = self.not_on_table(turn)
                if wrong and len(shown) == len(turn) - 1 and self.chance.random() < 0.2:
                    self.last_one_wrong(wrong, card)
                else:
                    self.show(card)
                shown.append(card)
                assert self.device_has(card), f"{card} is lost"
        self.answer(turn, chosen)
        self.cards.place(turn, chosen)
        self.check_agreement()
        stuck = self.not_on_table(turn)
        may_stick = not self.early and bool(self.cards.hands[0]) and self.at.front.NAME == "ruling"
        if stuck and may_stick and self.chance.random() < 0.2:
            self.one_too_many(stuck)
            self.check_agreement()
        elif self.chance.random() < 0.3:
            self.press(Key.OK)

    def last_one_wrong(self, wrong: int, right: int) -> None:
        """The last card is a wrong one, and the right one follows before anybody has seen it."""
        self.show(wrong)
        self.show(right)
        if self.say_one_too_many():
            self.show(wrong)
            assert self.device_has(right)
            return
        if not self.device_has(right):
            self.replace(wrong, right)
            return
        self.undo(right)
        self.replace(wrong, right)

    def one_too_many(self, stuck: int) -> None:
        """A card that was stuck to another one is scanned with it."""
        self.show(stuck)
        if self.say_one_too_many():
            self.show(stuck)
        self.undo(stuck)

    def say_one_too_many(self) -> bool:
        """Say of the card that a band is about that it was one too many; it may have gone meanwhile."""
        for key in (Key.WHY, Key.ROW_4):
            if self.at.state.refused or self.at.front.NAME == "next_card":
                self.press(key)
        return self.at.front.NAME == "extra_card"

    def come_early(self, turn: dict[int, int]) -> None:
        """Somebody shows the card of the next turn while a question about this one is open."""
        if not self.cards.hands[0] or len(self.early) == self.cards.seats - 1:
            return
        seat = len(self.early)
        card = self.cards.hands[seat][-1]
        self.wait(SHUFFLING_S)  # the same card again at once is the same scan
        self.show(card)
        assert self.device_has(card), f"{card} is lost"
        if self.chance.random() < 0.3:
            self.undo(card)
        elif len(self.early) == 0 and self.chance.random() < 0.3 and self.say_one_too_many():
            self.wait(SHUFFLING_S)  # it was one too many, and it is this one
            self.show(card)
            assert not self.device_has(card)
        else:
            self.early.append(card)

    def answer(self, turn: dict[int, int], chosen: int) -> None:
        """Answer the questions about the cards of the turn, after looking at the totals or the rows."""
        for _ in range(6 * len(turn)):
            asks = self.at.session.playing.asks
            if not asks or asks[0].kind not in (AskKind.CHOOSE, AskKind.CLAIM):
                return
            ask = asks[0]
            if self.chance.random() < 0.3:
                self.come_early(turn)
            if self.chance.random() < 0.3:
                self.order(self.chance.choice((Control.TOTALS, Control.ROWS)))
                self.wait()
                if self.chance.random() < 0.7 or ask.kind is AskKind.CHOOSE:
                    self.order(self.chance.choice((Control.OK, Control.UNDO)))
            assert self.at.session.playing.asks[0] == ask, "the question was answered by looking at the table"
            if ask.kind is AskKind.CHOOSE and self.at.pages.opened:
                self.press(Key.OK)  # something else is shown above the question
            elif ask.kind is AskKind.CHOOSE:
                self.press(ROW_KEYS[chosen])
            else:
                self.scan(badge_code(turn[int(ask.card)] + 1))
        raise AssertionError(f"the questions have no end: {self.at.front}")
