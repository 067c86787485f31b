"""From pictures over time to cards: what was laid, what lies, what is not sure. It knows no game.

While anything moves, nothing is read: hands are waited for. When two pictures agree, what has changed since
the table was read last is read, and read again: a card counts when two readings say the same. If they do not,
it is asked about. What has not changed is not read at all, so a card that lies costs nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from itertools import chain
from typing import Final, TypeAlias

import cv2
import numpy as np

from firmware.extensions.camera.pictures import CHANGED, Mask, Picture, around, grey, share_of
from firmware.extensions.camera.rows import Known, Rows
from firmware.extensions.camera.seen import CardsLie, Seen, in_order

Reading: TypeAlias = Callable[..., list[Seen]]
"""Reads a picture: `TaughtDeck.read`, with the cards that can lie on the table."""

_WIDE: Final = 320
"""The width at which pictures are compared: noise is gone, and the digits of a card are still readable."""
_STEP: Final = 0.04
"""A pixel has changed that differs by more than this share of white, or of what is lightest."""
_LEAST_STEP: Final = 5
"""In dim light a pixel differs by as much without a change."""
_SHARE: Final = 0.0002
"""What moves is at least this share of a picture: some 15 pixels."""
_DARK: Final = 20
"""Where not even one pixel in 200 is lighter, the light is off: a black table is darker than a card on it."""
_DARKER: Final = 0.7
_LIGHTER: Final = 1.2
_NOISE: Final = 8.0
"""The light may change by so much: cards are white and have less room above. In the dark a level is noise."""
_AGREE: Final = 2
_MAX_READINGS: Final = 4
"""So many readings at most, until what is not sure is asked about."""
_ASKEW: Final = 0.2
"""A card that is seen askew lies no farther off, in heights of a card; one of a fan does."""


def small(picture: Picture) -> Picture:
    """A picture as it is compared with others: grey, without noise, `_WIDE` pixels wide."""
    high = max(1, round(picture.shape[0] * _WIDE / picture.shape[1]))
    shrunk = cv2.resize(grey(picture), (_WIDE, high), interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.blur(shrunk, (3, 3)), np.uint8)


def is_dark(small_picture: Picture) -> bool:
    """Whether the light is off, or the lens is covered."""
    return bool(np.percentile(small_picture, 99.5) < _DARK)


def is_same_light(now: Picture, before: Picture) -> bool:
    """Whether one exposure fits two small pictures. Hands and cards change the median of the light little."""
    bright, was = (float(np.median(picture)) + _NOISE for picture in (now, before))
    return _DARKER < bright / was < _LIGHTER


class Movement:
    """Whether anything moves, from one picture to the next."""

    def __init__(self) -> None:
        self._before: Picture | None = None
        self._moved = True

    def stopped(self, small_picture: Picture) -> bool:
        """Whether movement has stopped: in the first picture without any, once."""
        before, self._moved = self._moved, self.seen_in(small_picture)
        return before and not self._moved

    def seen_in(self, small_picture: Picture) -> bool:
        """Whether something has moved since the picture before; the first one cannot tell, and moves."""
        before, self._before = self._before, small_picture
        return before is None or _changed(before, small_picture) is not None


class Watch:
    """The table over time. One thread. `lies` are cards that may lie there, `read` is `TaughtDeck.read`."""

    def __init__(self, lies: tuple[Seen, ...] = ()) -> None:
        self._movement = Movement()
        self._scene: Picture | None = None
        """The table as it was read last."""
        self.lies = lies
        self._readings: list[list[Seen]] = []
        """Of the table as it is, of which the last ones have not agreed yet."""

    def see(self, picture: Picture, compared: Picture, read: Reading, rows: Rows) -> CardsLie | None:
        """The next picture, with itself as `small` gives it; what it shows, once that is known.

        Blocks for as long as `read` needs for what has changed.
        """
        moves, scene = self._movement.seen_in(compared), self._scene
        change: Mask | None = np.ones_like(compared) if scene is None else _changed(scene, compared)
        if moves or change is None:
            self._readings = []
            return None
        scale = picture.shape[1] / _WIDE
        near = around(change, 1)
        of_rows = {code for row in rows.cards for code in row}
        before = [card for reading in self._readings[-1:] for card in reading if card.code in of_rows]
        self._readings.append([])
        for part in _parts(near):
            # What has changed elsewhere may have been moved here.
            elsewhere = cv2.subtract(near, part)
            lies = [at for at in (*before, *self.lies) if share_of(at.corners, elsewhere, scale) <= CHANGED]
            seen = read(picture, changed=part, known=Known(rows, tuple(lies)))
            self._readings[-1] += [card for card in seen if not any(map(card.lies_at, self._readings[-1]))]
        tracks = _tracks(self._readings)
        agreed = [_agreed(track, self.lies) for track in tracks]
        if len(self._readings) < _AGREE or (None in agreed and len(self._readings) < _MAX_READINGS):
            return None
        # A card that is not sure was seen more than once, and not askew where another one is read.
        sure = [card for card in agreed if card is not None and card.code]
        cards = [
            card or _doubtful(track)
            for track, card in zip(tracks, agreed, strict=True)
            if card
            or track[0].code
            or (len(track) >= _AGREE and not any(track[0].lies_at(at, _ASKEW) for at in sure))
        ]
        return self._settle(cards, near, scale, compared, rows)

    def _settle(self, cards: list[Seen], near: Mask, scale: float, compared: Picture, rows: Rows) -> CardsLie:
        """Take the table as it is, and tell what is new."""
        first = self._scene is None
        came, unsure, lies, gone = list[str](), list[tuple[str, ...]](), list[Seen](), list[Seen]()
        for card in self.lies:
            again = any(map(card.lies_at, cards)) or share_of(card.corners, near, scale) > CHANGED
            (gone if again else lies).append(card)
        for card in in_order(cards, lambda card: card.corners):
            before = next((known for known in gone if known.lies_at(card)), None)
            if before is not None:
                gone.remove(before)
            if card.code or card.candidates:
                lies.append(card)
            if before is not None and (before.code, before.candidates) == (card.code, card.candidates):
                continue
            if card.code:
                came.append(card.code)
            elif card.candidates and not card.partly:
                unsure.append(card.candidates)
        moved = {card.code for card in cards if card.code and card not in self.lies} - rows.copies
        lies = [card for card in lies if card.code not in moved or card not in self.lies]
        self._scene, self.lies, self._readings = compared, tuple(lies), []
        # What may be a card that lies in a row, or was just moved there, is no question.
        due = {code for row in rows.cards for code in row} - {card.code for card in lies}
        questions = [codes for codes in unsure if not due.intersection(codes)]
        return CardsLie(self.lies, tuple(came), () if first else tuple(questions), first)


def _changed(before: Picture, now: Picture) -> Mask | None:
    """Where two pictures differ: 1 there, else 0; None where they do not.

    The light of a whole room changes slowly, and so does the gain of a camera: what is the same
    everywhere is no change.
    """
    apart = now.astype(np.int16) - before
    apart -= np.int16(np.median(apart))
    differs = (np.abs(apart) > max(_LEAST_STEP, _STEP * np.percentile(now, 99))).astype(np.uint8)
    # Single pixels at the edges of cards come and go with the noise.
    mask = cv2.morphologyEx(differs, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    return mask if mask.sum() > _SHARE * mask.size else None


def _parts(change: Mask) -> list[Mask]:
    """The changes of a picture that are a card's width apart, each as a mask of all of it."""
    count, labels = cv2.connectedComponents(around(change))
    return [change * (labels == label).astype(np.uint8) for label in range(1, count)]


Track: TypeAlias = list[Seen]
"""One card in several readings."""


def _tracks(readings: Iterable[Iterable[Seen]]) -> list[Track]:
    """The cards of some readings by where they lie."""
    tracks: list[Track] = []
    for card in chain.from_iterable(readings):
        track = next((track for track in tracks if track[0].lies_at(card)), None)
        if track is None:
            tracks.append([card])
        else:
            track.append(card)
    return tracks


def _agreed(track: Track, lies: Iterable[Seen]) -> Seen | None:
    """The card that readings agree on, or that there is none of the deck; None while they do not.

    A card that `lies` there already is the one that it was, unless another one was read.
    """
    codes = Counter(card.code for card in track if card.code)
    code, votes = codes.most_common(1)[0] if codes else ("", 0)
    if len(codes) == 1 and votes >= _AGREE:
        return next(card for card in track if card.code == code)
    seen = _doubtful(track)
    for before in lies:  # in another light, or in a shadow
        may_be = not seen.candidates or before.code in seen.candidates
        if before.lies_at(seen) and may_be and set(codes) <= {before.code}:
            return before
    # Nobody is asked what lies under another card, so it is not looked at again.
    return None if seen.candidates and (codes or not seen.partly) else seen


def _doubtful(track: Track) -> Seen:
    """A card of which readings have said different things, or nothing for sure."""
    named: Counter[str] = Counter()
    for card in track:
        named.update([card.code] * 2 if card.code else card.candidates)
    codes = tuple(code for code, _ in named.most_common())
    return Seen(track[-1].corners, candidates=codes, partly=any(card.partly for card in track))
