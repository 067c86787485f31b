"""Teaching a deck: which cards to lay, what their pictures have shown, what is not sure.

Cards are laid twelve at a time, in order, as people read: row by row, their upper ends away from who lays
them. Each group is shown three times, a little shifted or in other light.

What it keeps, it has tried. What is cut otherwise than the other cards, or not found, is cut like them. The
third picture is read with the first two alone, and then with all that the deck knows. A card that neither
has read is asked for once more, by name, after the others: one look that is read is enough then, else
it is taught again. The deck changes after each whole group, so a lesson can end at any time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from typing import Final

import cv2
import numpy as np

from companion.values import replace
from firmware.extensions.camera.cards_in_play import different
from firmware.extensions.camera.faces import SHOWINGS, TaughtDeck
from firmware.extensions.camera.finding import Found, find, width_of
from firmware.extensions.camera.pictures import Picture, grey, unpacked
from firmware.extensions.camera.progress import Advice, Hint, Progress
from firmware.extensions.camera.training import cut_alike

GROUP: Final = 12
"""How many cards are laid at once."""
_MOST_AGAIN: Final = 2
"""How often a card is asked for again, at most: nothing may tell it from another one."""
_DIM: Final = 50
"""How light the paper of cards is at least, of 255."""
_LEAST_PX: Final = 70
"""How wide they are at least."""
_SOFT: Final = 0.09
"""By how much a face in focus changes from one pixel to the next, as a share of all, at least."""


class DeckLesson:
    """The lesson of a deck. One thread at a time.

    `cards` are the codes to teach, such as one that is to be corrected; without them all that the deck was
    not taught yet. `keep` is told each time that the deck has changed.
    """

    def __init__(
        self,
        deck: TaughtDeck,
        cards: Iterable[str] = (),
        keep: Callable[[TaughtDeck], object] = lambda _: None,
    ) -> None:
        self.deck, self._keep = deck, keep
        self._all = different(deck.game, deck.box)
        asked = tuple(cards)
        self._again = Counter(() if asked else deck.doubtful)
        """Cards that were laid before and not read for sure, and how often."""
        known = {*deck.codes} - {*self._again}
        rest = [code for code in self._all if code not in known]
        self._left = asked or tuple(sorted(rest, key=self._again.__contains__))
        """What is still to be laid, in order."""
        self._empty: Picture | None = None
        """The table without cards, if there was such a picture."""
        self._faces: list[list[Picture]] = []
        self._sure: list[str] = []
        """What the newest picture was read as, given those before; empty where it was not sure."""
        self._before: tuple[str, ...] = ()
        """The group before, if this is another one."""
        self.progress = Progress(Advice.DONE)
        """What is to be done now."""
        self._begin(())

    def take(self, picture: Picture) -> Progress:
        """A picture in which nothing moves. Blocks for some seconds."""
        lay, showing = self.progress.lay, self.progress.showing
        if not lay:
            return self.progress
        taught = [unpacked(self.deck.showings(code)[-1]) for code in self.deck.codes if code not in lay]
        found, (high, wide) = find(picture, self._empty), picture.shape[:2]
        found = cut_alike(picture, found, [*taught, *chain(*self._faces)], len(lay))
        hint = _hint(found) or (self.progress.hint if self.progress.hint is Hint.HARD else None)
        again = self.progress.advice is Advice.COUNT and len(found) == self.progress.found
        if hint is None and again and len(lay) != len(found) >= len(lay) / 2:  # no card was added
            hint = Hint.CLOTH
        seen = tuple(tuple((x / wide, y / wide) for x, y in card.corners) for card in found)
        self.progress = replace(self.progress, found=len(found), seen=seen, high=high / wide, hint=hint)
        advice = self._wrong(picture, found)
        if advice is Advice.ORDER and advice is self.progress.advice and "" in self._sure:
            self._faces, showing = [], 0  # the first one lacked a card that lies there: begin with this one
            advice = self._wrong(picture, found)
        if advice is not None:
            self._empty = self._empty if found else picture
            self.progress = replace(self.progress, advice=advice, showing=showing)
        elif not showing and self._again.keys() >= {*lay} and tuple(self._sure) == lay:
            self._go_on(lay, ())
        else:
            self._faces.append([card.face for card in found])
            if showing + 1 < SHOWINGS:
                self.progress = replace(self.progress, advice=Advice.SHIFT, showing=showing + 1)
            else:
                self._learn(picture, found)
        return self.progress

    def _wrong(self, picture: Picture, found: Sequence[Found]) -> Advice | None:
        """What has to be done before this picture can be used, if anything."""
        lay = self.progress.lay
        if len(found) != len(lay):
            return Advice.COUNT
        again = self._again.keys() >= {*lay}
        before = self._trial(self._faces) if self._faces else self.deck
        possible = lay if self._faces else before.codes if again else self._all
        self._sure = before.names(picture, found, possible)
        if self._faces:
            other = [code for code, due in zip(self._sure, lay, strict=False) if code not in ("", due)]
            return Advice.ORDER if len(other) > 1 else None  # two at least have changed their places
        # A card that was never shown may look like one that was; but not all of them, in order.
        shown = sum(code == before for code, before in zip(self._sure, self._before, strict=False))
        return Advice.SHOWN if not again and 2 * shown > len(lay) else None

    def _learn(self, picture: Picture, found: Sequence[Found]) -> None:
        """Teach the deck the group, whose pictures are complete, and try it with the newest one."""
        lay = self.progress.lay
        for code, *showings in zip(lay, *self._faces, strict=True):
            self.deck.forget(code)
            self.deck.learn(code, showings)
        tried = zip(lay, self._sure, self.deck.names(picture, found, self.deck.codes), strict=True)
        self._go_on(lay, tuple(due for due, *names in tried if {*names} - {""} != {due}))

    def _go_on(self, lay: tuple[str, ...], doubtful: tuple[str, ...]) -> None:
        """Ask for what was not read for sure, else for the next cards."""
        self.deck.doubtful = {*self.deck.doubtful} - {*lay} | {*doubtful}
        later = tuple(code for code in doubtful if self._again[code] < _MOST_AGAIN)
        self._left = (*self._left[len(lay) :], *later)
        self._before = lay
        hard = 2 * sum(code in self._again for code in later) > len(lay)
        self._again.update(later)
        self._keep(self.deck)
        self._begin(tuple(code for code in lay if code not in doubtful), Hint.HARD if hard else None)

    def _trial(self, faces: Sequence[Sequence[Picture]]) -> TaughtDeck:
        """A deck of the cards that lie there, with these pictures alone."""
        deck = TaughtDeck(self.deck.name, self.deck.game, self.deck.box)
        for at, code in enumerate(self.progress.lay):
            deck.learn(code, [showing[at] for showing in faces])
        return deck

    def _begin(self, read: tuple[str, ...], hint: Hint | None = None) -> None:
        """Ask for the next group."""
        self._faces = []
        taught = sum(code in self.deck.codes and code not in self.deck.doubtful for code in self._all)
        so_far = Progress(Advice.DONE, showings=SHOWINGS, read=read, taught=taught, of=len(self._all))
        if self._left:
            lay = self._left[:GROUP]
            advice = Advice.AGAIN if self._again.keys() >= {*lay} else Advice.LAY
            self.progress = replace(so_far, advice=advice, lay=lay, hint=hint)
        else:
            self.progress = replace(so_far, doubtful=tuple(sorted(self.deck.doubtful)))


def _hint(found: Sequence[Found]) -> Hint | None:
    """What is wrong with the pictures of cards, if anything."""
    faces = [cv2.GaussianBlur(grey(card.face), (0, 0), 1.0).astype(np.float32) for card in found]
    paper = [np.percentile(face, 90) for face in faces]
    steps = [np.percentile(np.hypot(*np.gradient(face)), 99) / (np.ptp(face) + 1) for face in faces]
    if faces and np.median(paper) < _DIM:
        return Hint.LIGHT
    if faces and (width_of([card.corners for card in found]) or 0) < _LEAST_PX:
        return Hint.NEARER
    return Hint.FOCUS if faces and np.median(steps) < _SOFT else None
