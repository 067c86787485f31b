"""A deck that was taught: what each of its cards looks like, and which of them a card in a picture is."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from companion.core import games
from firmware.extensions.camera.cards_in_play import different
from firmware.extensions.camera.comparing import compare_card
from firmware.extensions.camera.covered import CoveredReader, placed
from firmware.extensions.camera.deciding import classify
from firmware.extensions.camera.finding import Found, ImagePyramid, search, width_of
from firmware.extensions.camera.model import Model, homography_of
from firmware.extensions.camera.pictures import Mask, Picture, encoded
from firmware.extensions.camera.rows import NOTHING, Known
from firmware.extensions.camera.seen import Corners, Seen
from firmware.extensions.camera.training import trained

SHOWINGS: Final = 3
"""How many pictures of a card are kept: the newest."""
_QUALITY: Final = 88
"""Of their JPEG files: one takes some 6 kB then, and a deck of 104 cards 2 MB."""


class TaughtDeck:
    """The faces of a deck by the codes of its cards. One thread at a time."""

    def __init__(self, name: str, game: str, box: int = 1) -> None:
        self.name = name
        """What people call it."""
        self.game = game
        """The key of its game; see `companion.core.games`."""
        self.box = box
        """The number of the box in its codes, from 1."""
        self.doubtful: set[str] = set()
        """The codes of cards that a lesson has asked for once more, and that were not read since."""
        self._shown: dict[str, list[bytes]] = {}
        self._model: Model | None = None
        self._wide_px: float | None = None
        """How wide cards were in the newest picture with one that was read, in pixels."""

    @property
    def codes(self) -> tuple[str, ...]:
        """What it was taught, in the order of the codes."""
        return tuple(sorted(self._shown))

    def showings(self, code: str) -> tuple[bytes, ...]:
        """The pictures of a card that are kept, the oldest first, as JPEG files. Raises `KeyError`."""
        return tuple(self._shown[code])

    def learn(self, code: str, faces: Iterable[Picture]) -> None:
        """Keep these pictures of a card, as `finding.find` gives them, beside those of before."""
        self.restore(code, [encoded(face, _QUALITY) for face in faces])

    def restore(self, code: str, showings: Iterable[bytes]) -> None:
        """Keep what `showings` gave, of this deck or of another one."""
        self._shown[code] = [*self._shown.get(code, []), *showings][-SHOWINGS:]
        self._model = None

    def forget(self, code: str) -> None:
        """Drop what is kept of a card, if anything."""
        self._shown.pop(code, None)
        self._model = None

    def read(
        self,
        picture: Picture,
        possible: Collection[str] | None = None,
        *,
        changed: Mask | None = None,
        known: Known = NOTHING,
    ) -> list[Seen]:
        """The cards in a picture, in no order, then unknown things.

        With `possible`, the codes that can come, it is sure of these only; without it any card of the game
        can come. While some of these were not taught, it asks where it would else be sure: they are like one
        that was. With `changed` a card at which nothing has changed is left out, but for the `known` ones of
        rows. These only have to be more like what is seen where they are due than others are.
        """
        if not self._shown:
            return []
        if possible is None and self.game in games.GAMES:
            possible = different(self.game, self.box)
        model, pyramid = self._known(), ImagePyramid.of(picture)
        reader = CoveredReader(model, pyramid, possible, changed)
        found, unknown = list[Seen](), list[Seen]()
        for places in search(picture, changed):
            if reader.has_changed(places[0]):
                seen = self._whole(pyramid, places, possible)
                (found if seen.code or seen.candidates else unknown).append(seen)
                if seen.code:
                    reader.take(seen)
        # The camera does not move: what one picture does not show of the size of cards, an earlier one did.
        self._wide_px = width_of([card.corners for card in found if card.code]) or self._wide_px
        if changed is None or changed.all():  # what lies where it is due need not be searched for
            found = reader.verify(found, known, whole=False)
        for seen in reader.read(self._wide_px):
            if seen.code:
                found = placed(seen, found, known.rows)
            elif not any(map(seen.lies_at, found)):
                found.append(seen)
        self._wide_px = width_of([card.corners for card in found if card.code]) or self._wide_px
        found = reader.verify(found, known)
        return found + [card for card in unknown if not any(map(card.lies_at, found))]

    def names(self, picture: Picture, found: Iterable[Found], possible: Collection[str]) -> list[str]:
        """The code of each card that was found in a picture; empty where it is not sure."""
        pyramid = ImagePyramid.of(picture)
        return [self._whole(pyramid, [card.corners], possible).code if self._shown else "" for card in found]

    def _whole(
        self, pyramid: ImagePyramid, places: Sequence[Corners], possible: Collection[str] | None
    ) -> Seen:
        """The card at one of these places; it is not covered."""
        model = self._known()
        likely = [model.nearest(pyramid, homography_of(corners), 1)[0] for corners in places]
        place = min(likely, key=lambda candidate: candidate.distance).homography
        return classify(model, compare_card(model, pyramid, place), possible)

    def _known(self) -> Model:
        if self._model is None:
            self._model = trained({code: self._shown[code] for code in self.codes})
        return self._model
