"""Whole deals of 6 nimmt! by camera, in which nobody says whose a card is: `python -m` with this name.

Four or ten players open cards up to 4 cm off their places. It prints what people had to do, and how many
owners were wrong. A number limits the matches of each kind. Where ten play, rows are fans.
"""

import cmath
import random
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from itertools import cycle
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from companion.core.ask import AskKind
from firmware.extensions.camera.faces import TaughtDeck
from firmware.extensions.camera.pages import WhichCard
from firmware.extensions.camera.pictures import Picture
from tests.firmware.extensions.camera.drawn_decks import BEAST
from tests.firmware.extensions.camera.evening_by_camera import Evening
from tests.firmware.extensions.camera.photos import HEIGHT, WIDTH, Look, Lying, photo, rows, teach

_CARD_PX: Final = 76
_LOOK: Final = Look("felt", _CARD_PX, slant=30.0)
_OFF_PX: Final = 40 * _CARD_PX / 59
"""4 cm."""
_X: Final = (150, 477, 804, 1131)
_PLACES: Final = {
    4: ((220, 270, 90), (220, 690, 90), (1060, 690, 270), (1060, 270, 270)),
    10: (*((x, 145, 180) for x in _X), (1130, 480, 270), *((x, 815, 0) for x in _X[::-1]), (150, 480, 90)),
}
"""Where players lay cards, by their number: in pixels, and how far the cards are turned."""


class Deals(Evening):
    """A match of two deals. The camera looks when it is told to, and gives the picture that is before it."""

    def __init__(self, players: int, seed: int, folder: Path, deck: TaughtDeck) -> None:
        super().__init__(folder, deck)
        self.eye.close()
        self.did: Counter[str] = Counter()
        """What people had to do, and what was wrong."""
        self._places, self._seed, self._chance = _PLACES[players], seed, random.Random(seed)
        self._picture: Picture = np.zeros((HEIGHT, WIDTH, 3), np.uint8)
        chance = np.random.default_rng(seed)
        self._noise = cycle([chance.normal(0, 3, (HEIGHT, WIDTH, 3)).astype(np.int8) for _ in range(3)])
        self.press("R1 " + " ".join(f"b{seat + 1}" for seat in range(players)) + " OK R1 R1")
        self._show([])
        while self.did["deals"] < 2 and not self.runtime.session.playing.position.over:
            cards = self._chance.sample(range(1, 105), 4 + 10 * players)
            self._show([[card] for card in cards[:4]])
            for start in range(4, len(cards), players):
                self._turn(cards[start : start + players])
            self._show([])
            self.did["deals"] += 1

    def hold(self, *, on: bool) -> None:
        """It has no exposure."""

    def read(self, _after_s: float) -> Picture:
        """The next picture of the camera."""
        return np.asarray(cv2.add(self._picture, next(self._noise), dtype=cv2.CV_8U), np.uint8)

    def _turn(self, cards: list[int]) -> None:
        """Open the cards of a turn, each beside its place, answer what is asked, and move them into rows."""
        match, lies, many, chance = self.runtime.session.playing, list[Lying](), len(cards), self._chance
        stacks, first = match.board.stacks, (match.position.deal, match.board.turn) == (1, 1)
        at_once = 1 if first else chance.choice((1, 3, many, many, many))
        order = range(many) if first else chance.sample(range(many), many)
        for start in range(0, many, at_once):
            for seat in order[start:][:at_once]:
                (x, y, turn), off = (
                    self._places[seat],
                    cmath.rect(_OFF_PX * chance.random(), chance.uniform(0, 7)),
                )
                lies.append(Lying(cards[seat], x + off.real, y + off.imag, turn + chance.uniform(-15, 15)))
            self._show([[int(card) for card in stack.cards] for stack in stacks], lies)
            while self._answer(cards):
                pass
        match = self.runtime.session.playing
        self._show([[int(card) for card in stack.cards] for stack in match.board.stacks])
        table = match.position.table if match.position.table.newest else match.position.finished
        owners = dict(table.newest)
        self.did["cards"] += many
        self.did["cards not read"] += len(set(cards) - set(owners))
        self.did["owners wrong"] += sum(owners.get(card) not in (None, at) for at, card in enumerate(cards))
        self.did["owners not known"] += sum(owners.get(card) is None for card in cards)

    def _answer(self, cards: list[int]) -> bool:
        """Answer what is asked, if anything but for cards."""
        page, match = self.table.front, self.runtime.session.playing
        kind = match.asks[0].kind if match.asks else AskKind.PLAY
        if isinstance(page, WhichCard):
            laid = [row for row, card in enumerate(page.cards, 1) if int(card) in cards]
            what, keys = "questions", f"R{laid[0]}" if laid else "OK"
        elif kind is AskKind.CHOOSE:
            heads = [stack.heads for stack in match.board.stacks]
            what, keys = "rows chosen", f"R{heads.index(min(heads)) + 1}"
        elif kind is AskKind.CLAIM:
            what, keys = "owners asked", f"b{cards.index(int(match.asks[0].card)) + 1}"
        else:
            return False
        self.did[what] += 1
        self.press("+3 " + keys)
        return True

    def _show(self, stacks: Sequence[Sequence[int]], lies: Sequence[Lying] = ()) -> None:
        """Change the table, and let the camera look until it has read it."""
        laid = [
            Lying(number, 470 + 82 * at, 290 + 125 * row, 2 * ((row + at) % 3 - 1))
            for row, cards in enumerate(stacks)
            for at, number in enumerate(cards)
        ]
        if len(self._places) > 4:
            fans = rows(stacks, self._seed, _CARD_PX, upper=True)
            laid = [card._replace(x=card.x + 380, y=card.y + 340) for card in fans]
        self._picture = photo([*laid, *lies], self._seed, BEAST.face, _LOOK).picture
        self._listen()
        for _ in range(8):
            self.eye._work(self)
            if not self._inbox.empty():
                break
        self._listen()


def main() -> None:
    cv2.setNumThreads(1)
    deck = teach(BEAST, look=Look(card_px=110))
    for players, matches in ((4, 5), (10, 3)):
        found: Counter[str] = Counter()
        for seed in range(min([matches, *map(int, sys.argv[1:])])):
            with tempfile.TemporaryDirectory() as folder:
                deals = Deals(players, seed, Path(folder), deck)
                deals.close()
            found += deals.did
        print(f"{players} players:", dict(found), flush=True)


if __name__ == "__main__":
    main()
