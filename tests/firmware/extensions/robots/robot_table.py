"""People who play 6 nimmt! with robots at a table: they hold real cards, and see the display."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

from companion.core.ask import AskKind
from companion.robots.levels import LEVELS
from companion.robots.six.plain import cheapest, place, row_for
from firmware.extensions.robots.table import RobotsTable
from firmware.extensions.robots.thinking import Robots
from tests.firmware.evening import Device, device
from tests.firmware.telling import told

_SIX = [level.value for level in LEVELS["six"]]
SIT_DOWN = {
    "six": "R1 b1 R3 R3 b4 OK R1 R1",
    "eleven": "R2 R1 R3 R3 R1 OK OK R2",
    "ciao": "R3 R1 R3 R3 R1 OK OK R3 R1",
}
"""A person, a normal robot, a person; the first one begins; one deal of 11 nimmt! and Ciao!."""


@contextmanager
def with_robots(folder: Path, script: str) -> Iterator[Device]:
    """A device that people have used as the script says, whose robots think at once."""
    with device(folder, script) as at:
        at.table.extension(RobotsTable).thinkers = Robots()
        yield at


def switched_on(folder: Path) -> Device:
    """The device of this folder as the power comes, whose robots think at once."""
    at = Device(folder)
    at.table.extension(RobotsTable).thinkers = Robots()
    return at


class RobotTable:
    """A table in play; `levels` by seat, empty for a person. With `cuts` the power fails after every act.

    `totals` are what the people have counted themselves, `shown` the cards of the robots of each turn, `rows`
    the words with which robots have taken rows.
    """

    def __init__(self, folder: Path, levels: tuple[str, ...], chance: Random, *, cuts: bool = False) -> None:
        self.folder, self.levels, self.chance, self.cuts = folder, levels, chance, cuts
        self.at = switched_on(folder)
        self.totals = [0] * len(levels)
        self.shown: list[tuple[int, ...]] = []
        self.taken_rows: list[str] = []
        self.hands: list[list[int]] = []
        self.rows: list[list[int]] = []

    def do(self, script: str) -> None:
        """Do what the script says; nothing of it is refused."""
        for word in script.split():
            self.at.people(word)
            assert not self.at.table.front.refusal, (word, self.at.table.front.refusal)
            if self.cuts:
                self.cut()

    def cut(self) -> None:
        """The power fails, and comes back."""
        self.at.runtime.close()
        self.at = switched_on(self.folder)
        self.at.people("+1")

    def says(self) -> str:
        """What stands on the display."""
        return " ".join(told(self.at))

    @property
    def robots(self) -> list[int]:
        """The seats of the robots."""
        return [seat for seat, level in enumerate(self.levels) if level]

    def sit_down(self) -> None:
        """Game, players, three deals, all cards."""
        self.do("R1")
        for seat, level in enumerate(self.levels):
            if not level:
                self.do("R1")
                continue
            last = self.levels[seat - 1] if seat else ""
            self.do("R4" if last else "R3")
            if last:  # it begins on the level of the one before
                self.do("R3 " * (len(_SIX) - _SIX.index(last)))
            self.do("R3 " * _SIX.index(level))
            assert told(self.at).count(level.upper()) >= self.levels[: seat + 1].count(level)
        self.do("OK R3 R1")

    def deal(self) -> None:
        """Shuffle and deal; the robots' cards are shown to the scanner, then the rows."""
        box = list(range(1, 105))
        self.chance.shuffle(box)
        self.hands = [sorted(box[10 * seat + 4 : 10 * seat + 14]) for seat in range(len(self.levels))]
        self.rows = [[card] for card in box[:4]]
        for _ in self.robots:
            named = re.search(r"ROBOT (\d+)", self.says())
            seat = self.robots[int(named[1]) - 1 if named else 0]
            for number, card in enumerate(self.hands[seat]):
                assert "KEEP CARDS HIDDEN" in self.says()
                assert f"{number}/10" in self.says()
                self.do(str(card))
        for card in box[:4]:
            self.do(str(card))

    def turn(self) -> None:
        """All choose; OK shows the cards of the robots, and the people scan theirs in any order."""
        self.answer_all("OK=ROBOT")
        own = [self.chance.choice(hand) for hand in self.hands]
        self.do("OK")
        shown = self._cards_shown()
        self.shown.append(tuple(shown))
        for seat, card in zip(self.robots, shown, strict=True):
            own[seat] = card
        people = [card for seat, card in enumerate(own) if not self.levels[seat]]
        self.chance.shuffle(people)
        for card in people:
            self.do(str(card))
        for hand, card in zip(self.hands, own, strict=True):
            hand.remove(card)  # a robot has shown a card that it holds
        lowest = min(range(len(own)), key=own.__getitem__)
        row = cheapest(self.rows)
        if row_for(self.rows, own[lowest]) is None:
            row = self._row_of_robot() if self.levels[lowest] else row
            if not self.levels[lowest]:
                self.do(f"R{row + 1}")
        taken = place(self.rows, own, row)
        self.at.people("+3")  # who takes is shown for a moment
        for _ in range(30):
            if not any(ask.kind is AskKind.CLAIM for ask in self.at.match.asks):
                break
            said = re.search(r"WHO PLAYED (\d+)", self.says())
            # where a page of the turn still stands, OK goes on to the question
            self.at.people(f"b{own.index(int(said[1])) + 1} +3" if said else "OK +3")
        else:
            raise AssertionError(self.says())
        self.totals = [had + more for had, more in zip(self.totals, taken, strict=True)]

    def _cards_shown(self) -> list[int]:
        """What the display shows of the robots' cards, in the order of the seats."""
        said = told(self.at)
        if self.cuts:  # the page of the cards was lost with the power; the cards came in
            return [int(card) for card in self.at.match.asks[0].have]
        assert {"ROBOT PLAYS", "ROBOTS PLAY"} & set(said), said
        return [int(text) for text in said if text.isdigit()]

    def _row_of_robot(self) -> int:
        """The row that the display says the robot takes."""
        self.at.people("+0")
        if self.cuts:
            self.at.people("+1")
        said = re.search(r"ROW (\d)", self.says())
        assert said is not None, self.says()
        self.taken_rows.append(self.says())
        return int(said[1]) - 1

    def answer_all(self, until: str) -> None:
        """Go on with OK from page to page until the display says so."""
        for _ in range(30):
            if until in self.says():
                return
            self.at.people("OK")  # how far people have read is lost with the power
        raise AssertionError(self.says())
