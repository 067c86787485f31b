"""Teaching a deck: which cards to lay, what their pictures have shown, what is not sure.

Whoever has pictures uses it: a camera of the box, a phone, a command with files. Cards are laid twelve at a
time, in order, as people read: row by row, from left to right, their upper ends away from who lays them. Each
group is shown three times, a little shifted or in other light. Of three pictures the first two teach, and the
third tries that: what is not read for sure then is asked for once more.

A lesson changes the deck after each whole group, so it can end at any time and go on with another one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Final

from companion.values import replace
from firmware.extensions.camera.cards_in_play import different
from firmware.extensions.camera.faces import SHOWINGS, TaughtDeck
from firmware.extensions.camera.finding import find
from firmware.extensions.camera.progress import Advice, Progress

if TYPE_CHECKING:
    from firmware.extensions.camera.pictures import Picture

GROUP: Final = 12
"""How many cards are laid at once."""


class DeckLesson:
    """The lesson of a deck. One thread at a time.

    `cards` are the codes to teach, such as one that is to be corrected; without them all that the deck was
    not taught yet.
    """

    def __init__(self, deck: TaughtDeck, cards: Iterable[str] = ()) -> None:
        self.deck = deck
        self._all = different(deck.game, deck.box)
        left = tuple(cards) or tuple(code for code in self._all if code not in deck.codes)
        self._groups = [left[at : at + GROUP] for at in range(0, len(left), GROUP)]
        self._again = False
        """Whether these cards were laid before, and not read for sure."""
        self._faces: list[list[Picture]] = []
        self._sure: list[str] = []
        """What the newest picture was read as, given those before; empty where it was not sure."""
        self._before: tuple[str, ...] = ()
        """The group before, if this is another one."""
        self._newest = Progress(Advice.DONE)
        self._begin(())

    @property
    def progress(self) -> Progress:
        """What is to be done now."""
        return self._newest

    def take(self, picture: Picture) -> Progress:
        """A picture in which nothing moves. Blocks for up to a second."""
        lay, showing = self._newest.lay, self._newest.showing
        if not lay:
            return self._newest
        found = find(picture)
        advice = self._wrong(picture, len(found))
        if advice is not None:
            self._newest = replace(self._newest, advice=advice, found=len(found))
            return self._newest
        self._faces.append([card.face for card in found])
        if showing + 1 < SHOWINGS:
            self._newest = replace(self._newest, advice=Advice.SHIFT, showing=showing + 1, found=len(found))
        else:
            self._learn(lay)
        return self._newest

    def _wrong(self, picture: Picture, found: int) -> Advice | None:
        """What has to be done before this picture can be used, if anything."""
        lay = self._newest.lay
        if found != len(lay):
            return Advice.COUNT
        before = self._trial(self._faces) if self._faces else self.deck
        self._sure = [card.code for card in before.read(picture, lay if self._faces else None)]
        if self._faces:
            other = [code for code, due in zip(self._sure, lay, strict=False) if code not in ("", due)]
            return Advice.ORDER if len(other) > 1 else None  # two at least have changed their places
        # A card that was never shown may look like one that was; but not all of them, in order.
        shown = sum(code == before for code, before in zip(self._sure, self._before, strict=False))
        return Advice.SHOWN if 2 * shown > len(lay) else None

    def _learn(self, lay: tuple[str, ...]) -> None:
        """Teach the deck the group, whose pictures are complete."""
        for at, code in enumerate(lay):
            self.deck.learn(code, [showing[at] for showing in self._faces])
        doubtful = tuple(due for due, sure in zip(lay, self._sure, strict=True) if sure != due)
        if doubtful and not self._again:
            self._groups[0] = doubtful
            self._before, self._again = (), True
        else:
            self._groups.pop(0)
            self._before, self._again = lay, False
        self._begin(tuple(code for code in lay if code not in doubtful))

    def _trial(self, faces: Sequence[Sequence[Picture]]) -> TaughtDeck:
        """A deck of the cards that lie there, with these pictures alone."""
        deck = TaughtDeck(self.deck.name, self.deck.game, self.deck.box)
        for at, code in enumerate(self._newest.lay):
            deck.learn(code, [showing[at] for showing in faces])
        return deck

    def _begin(self, read: tuple[str, ...]) -> None:
        """Ask for the next group."""
        self._faces = []
        taught = sum(code in self.deck.codes for code in self._all)
        so_far = Progress(Advice.DONE, showings=SHOWINGS, read=read, taught=taught, of=len(self._all))
        if self._groups:
            advice = Advice.AGAIN if self._again else Advice.LAY
            self._newest = replace(so_far, advice=advice, lay=self._groups[0])
        else:
            self._newest = replace(so_far, confusable=tuple(self.deck.confusable()))
