"""A deck that was taught: what each of its cards looks like, and which of them a card in a picture is.

deck = Deck("club", "six")
deck.learn(card_code("6N", 55), [found.face for found in find(picture)])
deck.read(another_picture)
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from firmware.extensions.camera.finding import Found, Picture, find, turned
from firmware.extensions.camera.seen import Corners, Seen

Light: TypeAlias = NDArray[np.float32]

SHOWINGS: Final = 3
"""How many pictures of a card are kept: the newest."""

_QUALITY: Final = 88
"""Of a JPEG file. A card takes some 7 kB then, and a deck of 104 cards 2 MB."""

_PATCHES: Final = ((8, 46, 6, 46, 1.0), (8, 46, 82, 122, 1.0), (66, 130, 20, 108, 1.5))
"""Top, bottom, left, right in pixels, and weight: both upper corners and the middle."""

_PLAY: Final = 7
_SURE: Final = 0.08
_DOUBTFUL: Final = 1.8
_LIKE: Final = 1.9
"""What is less like any face is no card of the deck; the most is 3.5."""


class Deck:
    """The faces of a deck by the codes of its cards. One thread at a time."""

    def __init__(self, name: str, game: str, box: int = 1) -> None:
        self.name = name
        """What people call it."""
        self.game = game
        """The key of its game; see `companion.core.games`."""
        self.box = box
        """The number of the box in its codes, from 1."""
        self._shown: dict[str, list[bytes]] = {}
        self._faces: dict[str, list[Picture]] = {}

    @property
    def codes(self) -> tuple[str, ...]:
        """What it was taught, in the order of the codes."""
        return tuple(sorted(self._faces))

    def showings(self, code: str) -> tuple[bytes, ...]:
        """The pictures of a card that are kept, the oldest first, as JPEG files. Raises `KeyError`."""
        return tuple(self._shown[code])

    def learn(self, code: str, faces: Iterable[Picture]) -> None:
        """Keep these pictures of a card, as `finding.find` gives them, beside those of before."""
        self.restore(code, [_packed(face) for face in faces])

    def restore(self, code: str, showings: Iterable[bytes]) -> None:
        """Keep what `showings` gave, of this deck or of another one."""
        self._shown[code] = [*self._shown.get(code, []), *showings][-SHOWINGS:]
        self._faces[code] = [_unpacked(each) for each in self._shown[code]]

    def forget(self, code: str) -> None:
        """Forget a card, if it was taught."""
        self._shown.pop(code, None)
        self._faces.pop(code, None)

    def confusable(self) -> list[tuple[str, str]]:
        """The pairs of cards that look alike to it: it will never be sure which of the two it sees."""
        return [
            (one, other)
            for at, one in enumerate(self.codes)
            for other in self.codes[at + 1 :]
            if self._likeness(_light(self._faces[one][-1]), one)
            - self._likeness(_light(self._faces[one][-1]), other)
            < _SURE
        ]

    def read(
        self,
        picture: Picture,
        possible: Collection[str] | None = None,
        where: Callable[[Corners], bool] = lambda _: True,
    ) -> list[Seen]:
        """The cards in a picture. With `possible`, the codes that can come, it is sure of these only.

        A card for whose corners `where` is False is left out, and costs nothing. Blocks for up to a second.
        """
        return [self._seen(found, possible) for found in find(picture) if where(found.corners)]

    def _seen(self, found: Found, possible: Collection[str] | None) -> Seen:
        light = _light(found.face)
        ways = ((light, found.corners), (np.ascontiguousarray(light[::-1, ::-1]), turned(found.corners)))
        order = sorted(
            ((self._likeness(way, code), code, corners) for way, corners in ways for code in self._faces),
            key=lambda one: -one[0],
        )
        if not order or order[0][0] < _LIKE:
            return Seen(found.corners)
        best, code, corners = order[0]
        margin = best - next((one[0] for one in order if one[1] != code), 0.0)
        if margin >= _SURE and (possible is None or code in possible):
            return Seen(corners, code, margin=margin)
        near: Sequence[str] = list(dict.fromkeys(one[1] for one in order if best - one[0] < _SURE))
        if possible is not None:
            near = [one for one in near if one in possible]
        return Seen(corners, candidates=tuple(near[:3]), margin=margin)

    def _likeness(self, light: Light, code: str) -> float:
        each = sorted((_likeness(light, _light(face)) for face in self._faces[code]), reverse=True)[:2]
        return sum(each) / len(each)


def _packed(face: Picture) -> bytes:
    return cv2.imencode(".jpg", face, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])[1].tobytes()


def _unpacked(showing: bytes) -> Picture:
    return np.asarray(cv2.imdecode(np.frombuffer(showing, np.uint8), cv2.IMREAD_COLOR), np.uint8)


def _light(face: Picture) -> Light:
    return cv2.cvtColor(face, cv2.COLOR_BGR2LAB)[..., 0].astype(np.float32)


def _likeness(light: Light, taught: Light) -> float:
    return sum(
        weight
        * float(
            cv2.matchTemplate(
                np.ascontiguousarray(
                    light[max(0, top - _PLAY) : bottom + _PLAY, max(0, left - _PLAY) : right + _PLAY]
                ),
                np.ascontiguousarray(taught[top:bottom, left:right]),
                cv2.TM_CCOEFF_NORMED,
            ).max()
        )
        for top, bottom, left, right, weight in _PATCHES
    )
