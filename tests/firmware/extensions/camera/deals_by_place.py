"""Whole deals of 6 nimmt! by camera, in which nobody says whose a card is: `python -m` with this name.

It prints what people had to do, what of the rows was known, and what was wrong. Arguments: a folder with a
picture of each card, such as 1.png, else a drawn deck is used; and a number to begin with, for other deals.
"""

import cmath
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np

from companion.core.ask import AskKind
from firmware.extensions.camera.faces import TaughtDeck
from firmware.extensions.camera.pages import TableChecked, WhichCard
from firmware.extensions.camera.pictures import Picture
from firmware.extensions.camera.seen import CardsLie, centre
from firmware.extensions.camera.table_check import Misplaced
from tests.firmware.extensions.camera.drawn_decks import BEAST, Drawn
from tests.firmware.extensions.camera.evening_by_camera import Evening
from tests.firmware.extensions.camera.measure import deck_in
from tests.firmware.extensions.camera.photos import HEIGHT, RATIO, WIDTH, Look, Lying, photo, rows, teach

_CARD_PX: Final = 76
_OFF_PX, _NEAR_PX = 40 * _CARD_PX / 59, 14.0
"""4 cm and 1 cm."""
_TOP: Final = [(x, 145, 180) for x in range(150, 1132, 327)]
_TEN: Final = (*_TOP, (1130, 480, 270), *((x, 815, 0) for x, _, _ in _TOP[::-1]), (150, 480, 90))
_SIX: Final = (*((220, y, 90) for y in (200, 480, 760)), *((1060, y, 270) for y in (760, 480, 200)))
"""Where up to ten and up to six players lay cards: in pixels, and how far the cards are turned."""


class Kind(NamedTuple):
    """How many play, on which table, and which strip of a card is seen in fans; empty: no fans."""

    players: int
    table: str = "felt"
    fans: str = ""


_BY_PLACE: Final = [*[Kind(4)] * 5, *[Kind(10, fans="upper")] * 3]
_FANS: Final = [
    Kind(4 + at % 3, ("felt", "dark wood", "checked")[at // 2 % 3], ("left", "upper")[at % 2])
    for at in range(10)
]


class Deals(Evening):
    """A match of two deals. The camera looks when it is told to, and gives the picture that is before it."""

    def __init__(self, kind: Kind, seed: int, folder: Path, drawn: Drawn, deck: TaughtDeck) -> None:
        super().__init__(folder, deck)
        self.eye.close()
        self.did: Counter[str] = Counter()
        """What people had to do, and what was wrong."""
        self._kind, self._drawn, self._seed, self._chance = kind, drawn, seed, random.Random(seed)
        self._places = _TEN if kind.players > len(_SIX) else _SIX
        self._look = Look(kind.table, _CARD_PX, slant=30.0)
        chance = np.random.default_rng(seed)
        self._noise = cycle([chance.normal(0, 3, (HEIGHT, WIDTH, 3)).astype(np.int8) for _ in range(3)])
        self.press("R1 " + " ".join(f"b{seat + 1}" for seat in range(kind.players)) + " OK R1 R1")
        self._show([])
        while self.did["deals"] < 2 and not self.runtime.session.playing.position.over:
            cards = self._chance.sample(range(1, 105), 4 + 10 * kind.players)
            self._show([[card] for card in cards[:4]])
            while self._answer(cards[:4], dict(enumerate(self._row(0, cards[:4])))):
                pass
            for start in range(4, len(cards), kind.players):
                self._turn(cards[start : start + kind.players])
                if self.runtime.session.playing.asks and self._stacks and self._chance.random() < 0.4:
                    self._check_table()
            self._show([])
            self.press("+90")  # they shuffle and deal
            self.did["deals"] += 1

    def hold(self, *, on: bool) -> None:
        """It has no exposure."""

    def read(self, _after_s: float) -> Picture:
        """The next picture of the camera."""
        return np.asarray(cv2.add(self._shown.picture, next(self._noise), dtype=cv2.CV_8U), np.uint8)

    @property
    def _stacks(self) -> list[list[int]]:
        return [[int(card) for card in stack.cards] for stack in self.runtime.session.playing.board.stacks]

    def _turn(self, cards: list[int]) -> None:
        """Open the cards of a turn, each beside its place, answer what is asked, and move them into rows."""
        lies, stacks, chance = dict[int, Lying](), self._stacks, self._chance
        at_once = chance.choice((1, 3, *[len(cards)] * 3))
        left = chance.sample(range(len(cards)), len(cards))
        while left:
            while self._answer(cards, lies):
                pass
            whose = getattr(self.table.front, "whose", None)
            opens = [whose] if whose in left else left[:at_once]
            left = [seat for seat in left if seat not in opens]
            for seat in opens:
                x, y, turn = self._places[seat]
                off = cmath.rect(_OFF_PX * chance.random(), chance.uniform(0, 7))
                lies[seat] = Lying(cards[seat], x + off.real, y + off.imag, turn + chance.uniform(-15, 15))
            self._show(stacks, [*lies.values()])
        while self._answer(cards, lies):
            pass
        self._show(self._stacks)
        position = self.runtime.session.playing.position
        owners = dict((position.table if position.table.newest else position.finished).newest)
        self.did["owners wrong"] += sum(owners.get(card) not in (None, at) for at, card in enumerate(cards))
        if not position.over:  # else the camera looks no more
            self._count_known()

    def _count_known(self) -> None:
        """How many cards of the rows are known, of those that lie under another one."""
        near = {
            (seen.code, card.number)
            for seen in self.service._lies
            for card in self._shown.cards
            if seen.code and abs(complex(*centre(seen.corners)) - complex(*card.centre)) < _NEAR_PX
        }
        covered = [card for row in self._stacks for card in row[:-1]]
        self.did["covered"] += len(covered)
        self.did["covered known"] += sum((self._drawn.code(card), card) in near for card in covered)
        right = near & {(self._drawn.code(number), number) for _, number in near}
        self.did["cards wrong"] += len(dict(near)) - len(right)

    def _answer(self, cards: list[int], lies: dict[int, Lying]) -> bool:
        """Answer what is asked, if anything but for cards."""
        page, match = self.table.front, self.runtime.session.playing
        ask = match.asks[0] if match.asks else None
        if isinstance(page, WhichCard):
            opened = {str(lying.number) for lying in lies.values()}
            laid = [row for row, card in enumerate(page.cards, 1) if card in opened]
            what, keys = "questions", f"R{laid[0]}" if laid else "OK"
            self.did["questions about nothing"] += not laid
        elif ask is not None and ask.kind is AskKind.CHOOSE:
            heads = [stack.heads for stack in match.board.stacks]
            row = heads.index(min(heads))
            what, keys = "rows chosen", f"R{row + 1}"
            if self._chance.random() < 0.5 and self._lays(cards.index(int(ask.card)), row, lies):
                return True
        elif ask is not None and ask.kind is AskKind.CLAIM:
            what, keys = "owners asked", f"b{cards.index(int(ask.card)) + 1}"
        elif len(lies) == len(cards) and ask is not None and ask.have:
            what, keys = "cards typed", next(str(card) for card in cards if str(card) not in ask.have)
        else:
            return False
        self.did[what] += 1
        self.press("+3 " + keys)
        return True

    def _lays(self, seat: int, row: int, lies: dict[int, Lying]) -> bool:
        """Lay the card of a player on the last card of a row or beside it; whether that chooses the row."""
        steps, stacks = self.runtime.session.playing.steps, self._stacks
        *_, last, beside = self._row(row, [*stacks[row], lies[seat].number])
        x, y = self._chance.choice((last, beside))[1:3]
        low = beside._replace(x=x + self._chance.uniform(-8, 8), y=y)
        self._show(stacks, [*{**lies, seat: low}.values()])
        answered = self.runtime.session.playing.steps > steps
        self.did["rows laid"] += 1
        self.did["rows not seen"] += not answered
        wrong = [at for at, cards in enumerate(self._stacks) if low.number in cards and at != row]
        self.did["rows wrong"] += len(wrong)
        return answered

    def _check_table(self) -> None:
        """Check the table as it is, and with a card that lies wrong, or two."""
        right, chance = self._stacks, self._chance
        own, other = chance.sample(range(4), 2)
        wrong, on, misplaced = [list(row) for row in right], list[Lying](), set[Misplaced]()
        if min(len(right[own]), len(right[other])) > 2 and chance.random() < 0.5:
            at, there = chance.randrange(len(right[own])), chance.randrange(len(right[other]))
            wrong[own][at], wrong[other][there] = right[other][there], right[own][at]
            misplaced = {Misplaced(str(right[own][at]), own, other)}
            misplaced |= {Misplaced(str(right[other][there]), other, own)}
        elif len(right[other]) > 1:
            card, last = wrong[own].pop(), self._row(other, right[other])[-1]
            misplaced = {Misplaced(str(card), own, other)}
            if chance.random() < 0.5:
                on = [last._replace(number=card, x=last.x + chance.uniform(-8, 8))]
            else:
                wrong[other].append(card)
        self.did["right tables"] += 1
        self.did["not right"] += bool(self._checked(right))
        if misplaced:
            found = self._checked(wrong, on)
            self.did["misplaced"] += len(misplaced)
            self.did["misplaced found"] += len(misplaced & found)
            self.did["others named"] += len(found - misplaced)
            self._show(right)

    def _checked(self, stacks: Sequence[Sequence[int]], lies: Sequence[Lying] = ()) -> set[Misplaced]:
        """What the camera says of a table with these rows."""
        self._show(stacks, lies)
        self.press(":6NC-AUDITE")
        while not isinstance(page := self.table.front, TableChecked):
            self.eye._work(self)
            self._listen()
        self.press("OK")
        return set(page.wrong)

    def _row(self, row: int, cards: Sequence[int]) -> list[Lying]:
        """Where the cards of a row lie."""
        wide, fans, upper = _CARD_PX, self._kind.fans, self._kind.fans == "upper"
        apart = 1.2 * wide * (1 if upper else RATIO)
        x, y = (row * apart, 0.0) if upper else (0.0, row * apart)
        x += WIDTH / 2 - wide - (1.5 * apart if upper else 0.75 * wide if fans else 2.2 * wide)
        y += HEIGHT / 2 - wide - (0.5 * RATIO * wide if upper else 1.5 * apart)
        laid = rows([cards], 10 * self._seed + row, wide, upper=upper, strip=0 if fans else 1.1)
        # No card lies exactly where another one lay before.
        off = [np.random.default_rng([self._seed, card]).normal(0, 0.4 * wide / 59, 2) for card in cards]
        return [at._replace(x=x + at.x + dx, y=y + at.y + dy) for at, (dx, dy) in zip(laid, off, strict=True)]

    def _show(self, stacks: Sequence[Sequence[int]], lies: Sequence[Lying] = ()) -> None:
        """Change the table, and let the camera look until it has read it."""
        laid = [card for row, cards in enumerate(stacks) for card in self._row(row, cards)]
        self._shown = photo([*laid, *lies], self._seed, self._drawn.face, self._look)
        before = self.count(CardsLie)
        for _ in range(16):
            if self.count(CardsLie) == before:
                self.eye._work(self)
                self._listen()


def main() -> None:
    cv2.setNumThreads(1)
    first = next((int(arg) for arg in sys.argv[1:] if arg.isdecimal()), 0)
    drawn = next((deck_in(Path(arg)) for arg in sys.argv[1:] if not arg.isdecimal()), BEAST)
    deck = teach(drawn, look=Look(card_px=110))
    for kinds in (_BY_PLACE, _FANS):
        found: Counter[str] = Counter()
        for seed, kind in enumerate(kinds, first):
            with tempfile.TemporaryDirectory() as folder:
                deals = Deals(kind, seed, Path(folder), drawn, deck)
                deals.close()
            found += deals.did
        print(dict(found), flush=True)


if __name__ == "__main__":
    main()
