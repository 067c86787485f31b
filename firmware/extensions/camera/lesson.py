"""Teaching a deck: which cards to lay, what their pictures have shown, what is not sure.

Whoever has pictures uses it: a camera of the box, a phone, a command with files. Cards are laid twelve at a
time, in order, as people read: row by row, from left to right, their upper ends away from who lays them. Each
group is shown three times, a little shifted or in other light.

What it keeps, it has tried. A showing that is cut otherwise than the other two of its card is cut like them.
The third picture is read with the first two alone, and then with all that the deck knows. A card that neither
has read is asked for once more, by name, after the others: one look that is read is enough then, else
it is taught again. The deck is taught once each card was read.

A lesson changes the deck after each whole group, so it can end at any time and go on with another one, which
begins with what was asked for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Final

from companion.values import replace
from firmware.extensions.camera.cards_in_play import different
from firmware.extensions.camera.faces import SHOWINGS, TaughtDeck
from firmware.extensions.camera.finding import Found, find
from firmware.extensions.camera.progress import Advice, Progress
from firmware.extensions.camera.training import cut_alike

if TYPE_CHECKING:
    from firmware.extensions.camera.pictures import Picture

GROUP: Final = 12
"""How many cards are laid at once."""


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
        self._again = set() if asked else set(deck.doubtful)
        """Cards that were laid before, and not read for sure."""
        known = {*deck.codes} - self._again
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
        fits = self._empty is not None and self._empty.shape == picture.shape
        found = find(picture, self._empty if fits else None)
        advice = self._wrong(picture, found)
        if advice is not None:
            self._empty = self._empty if found else picture
            self._newest = replace(self._newest, advice=advice, found=len(found))
            return self._newest
        if not showing and self._again.issuperset(lay) and tuple(self._sure) == lay:
            self._go_on(lay, ())
            return self._newest
        self._faces.append([card.face for card in found])
        if showing + 1 < SHOWINGS:
            self._newest = replace(self._newest, advice=Advice.SHIFT, showing=showing + 1, found=len(found))
        else:
            self._learn(picture, found)
        return self._newest

    def _wrong(self, picture: Picture, found: Sequence[Found]) -> Advice | None:
        """What has to be done before this picture can be used, if anything."""
        lay = self._newest.lay
        if len(found) != len(lay):
            return Advice.COUNT
        again = self._again.issuperset(lay)
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
        lay = self._newest.lay
        alike = [cut_alike(showings) for showings in zip(*self._faces, strict=True)]
        for code, showings in zip(lay, alike, strict=True):
            self.deck.forget(code)
            if showings:
                self.deck.learn(code, showings)
        read = self.deck.names(picture, found, self.deck.codes)
        tried = zip(lay, self._sure, read, alike, strict=True)
        self._go_on(lay, tuple(due for due, *names, kept in tried if {*names} - {""} != {due} or not kept))

    def _go_on(self, lay: tuple[str, ...], doubtful: tuple[str, ...]) -> None:
        """Ask for what was not read for sure, else for the next cards."""
        self.deck.doubtful = {*self.deck.doubtful} - {*lay} | {*doubtful}
        if self._again.intersection(doubtful):  # nothing can tell some cards apart
            self.deck.doubtful -= {code for pair in self.deck.confusable() for code in pair} & self._again
        later = tuple(code for code in doubtful if code in self.deck.doubtful)
        self._left = (*self._left[len(lay) :], *later)
        self._before = lay
        self._again |= {*later}
        self._keep(self.deck)
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
        taught = sum(code in self.deck.codes and code not in self.deck.doubtful for code in self._all)
        so_far = Progress(Advice.DONE, showings=SHOWINGS, read=read, taught=taught, of=len(self._all))
        if self._left:
            lay = self._left[:GROUP]
            advice = Advice.AGAIN if self._again.issuperset(lay) else Advice.LAY
            self._newest = replace(so_far, advice=advice, lay=lay)
        else:
            self._newest = replace(so_far, confusable=tuple(self.deck.confusable()))
