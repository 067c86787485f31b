"""Whole deals of 6 nimmt! by camera, in which nobody says whose a card is: `python -m` with this name.

Four or ten players open their cards up to 4 cm off their places, in the first turn of a match in the order
of the seats. It prints what people had to do, and how many owners were wrong. A number limits the matches of
each kind; each has two deals, with rows of whole cards where four play, and fans where ten do.
"""

import math
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
from companion.match.match import Match
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
_MATCHES: Final = {4: 5, 10: 3}
"""How many matches by the number of players."""
_ABOVE: Final = tuple((150.0 + 327 * at, 145.0, 180.0) for at in range(4))
_PLACES: Final = {
    4: ((220.0, 270.0, 90.0), (220.0, 690.0, 90.0), (1060.0, 690.0, 270.0), (1060.0, 270.0, 270.0)),
    10: (*_ABOVE, (1130.0, 480.0, 270.0), *((x, 815.0, 0.0) for x, *_ in _ABOVE[::-1]), (150.0, 480.0, 90.0)),
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

    def read(self, _after_s: float) -> Picture:
        """The next picture of the camera."""
        return np.asarray(cv2.add(self._picture, next(self._noise), dtype=cv2.CV_8U), np.uint8)

    @property
    def match(self) -> Match:
        return self.runtime.session.playing

    def play(self) -> None:
        self._show([])
        while self.did["deals"] < 2 and not self.match.position.over:
            cards = self._chance.sample(range(1, 105), 4 + 10 * len(self._places))
            self._show([[card] for card in cards[:4]])
            for start in range(4, len(cards), len(self._places)):
                self._turn(cards[start : start + len(self._places)])
            self._show([])
            self.did["deals"] += 1

    def _turn(self, cards: list[int]) -> None:
        """Open the cards of a turn, answer what is asked, and move them into the rows."""
        first = self.match.position.deal == 1 and self.match.board.turn == 1
        order = list(range(len(cards))) if first else self._chance.sample(range(len(cards)), len(cards))
        at_once = 1 if first else self._chance.choice((1, 3, len(cards), len(cards), len(cards)))
        stacks, lies = self._stacks(), list[Lying]()
        for start in range(0, len(cards), at_once):
            lies += [self._beside(cards[seat], *self._places[seat]) for seat in order[start:][:at_once]]
            self._show(stacks, lies)
            self._answer(cards)
        self._show(self._stacks())
        table = self.match.position.table
        owners = dict((table if table.newest else self.match.position.finished).newest)
        self.did["cards"] += len(cards)
        self.did["cards not read"] += len(set(cards) - set(owners))
        self.did["owners wrong"] += sum(owners.get(card) not in (None, at) for at, card in enumerate(cards))
        self.did["owners not known"] += sum(owners.get(card) is None for card in cards)

    def _answer(self, cards: list[int]) -> None:
        """Answer until the box waits for cards."""
        while self.match.asks:
            page, ask = self.table.front, self.match.asks[0]
            if isinstance(page, WhichCard):
                self.did["questions"] += 1
                laid = [row for row, card in enumerate(page.cards, 1) if int(card) in cards]
                self.press(f"+3 R{laid[0]}" if laid else "+3 OK")
            elif ask.kind is AskKind.CHOOSE:
                self.did["rows chosen"] += 1
                heads = [stack.heads for stack in self.match.board.stacks]
                self.press(f"+3 R{heads.index(min(heads)) + 1}")
            elif ask.kind is AskKind.CLAIM:
                self.did["owners asked"] += 1
                self.press(f"+3 b{cards.index(int(ask.card)) + 1}")
            else:
                return

    def _stacks(self) -> list[list[int]]:
        return [[int(card) for card in stack.cards] for stack in self.match.board.stacks]

    def _beside(self, card: int, x: float, y: float, turn: float) -> Lying:
        """A card up to 4 cm off a place."""
        off, way = _OFF_PX * math.sqrt(self._chance.random()), self._chance.uniform(0, 2 * math.pi)
        return Lying(
            card, x + off * math.cos(way), y + off * math.sin(way), turn + self._chance.uniform(-15, 15)
        )

    def _show(self, stacks: Sequence[Sequence[int]], lies: Sequence[Lying] = ()) -> None:
        """Change the table, and let the camera look until it has read it."""
        if len(self._places) > 4:
            fans = rows(stacks, self._seed, _CARD_PX, upper=True)
            laid = [card._replace(x=card.x + 380, y=card.y + 340) for card in fans]
        else:
            laid = [
                Lying(number, 470 + 82 * at, 290 + 125 * row, 2 * ((row + at) % 3 - 1))
                for row, cards in enumerate(stacks)
                for at, number in enumerate(cards)
            ]
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
    for players, matches in _MATCHES.items():
        found: Counter[str] = Counter()
        for seed in range(min([matches, *map(int, sys.argv[1:])])):
            with tempfile.TemporaryDirectory() as folder:
                deals = Deals(players, seed, Path(folder), deck)
                deals.play()
                deals.close()
            found += deals.did
        print(f"{players} players:", dict(found), flush=True)


if __name__ == "__main__":
    main()
