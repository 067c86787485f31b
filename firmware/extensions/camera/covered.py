"""Reads cards that touch, overlap, or are partly covered, on any table: at the places that features propose.

Of a card under another one a strip is visible, at one of its sides. Which strip, is found out by comparing
all faces with what lies there. Then the nearest are compared in it alone, which has to convince by itself.

The cards of rows need not be found: each is looked for where it is due, the last one of a row first, and only
has to be at least as like what is free of it as the other cards that can lie in rows.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise, product
from typing import Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.values import replace
from firmware.extensions.camera.comparing import Aligned, Comparison, compare_card, compare_strip
from firmware.extensions.camera.deciding import STRIP, WHOLE, classify, is_there
from firmware.extensions.camera.features import proposals
from firmware.extensions.camera.finding import FACE_HEIGHT_PX, FACE_WIDTH_PX, ImagePyramid
from firmware.extensions.camera.model import (
    AREAS,
    DOWN,
    HEIGHT_PX,
    TO_LARGE,
    TURN,
    UP,
    WIDTH_PX,
    Candidate,
    Homography,
    Model,
    coarse,
    corners_of,
    correlations,
    first,
    homography_of,
    in_areas,
    lightness,
    rectified,
    upside_down,
)
from firmware.extensions.camera.pictures import CHANGED, Mask, Picture, Plane, area_of, around, share_of
from firmware.extensions.camera.rows import Due, Known, Rows, due
from firmware.extensions.camera.seen import Corners, Seen

_FACE_PX: Final = (FACE_WIDTH_PX, FACE_HEIGHT_PX)
_ALIKE: Final = 1.2
"""The more, the more like a face an area is that is taken for visible."""
_LEAST: Final = 0.14
"""Less of a card is not read."""
_LIKE: Final = 0.8
"""What no face explains so well is no card."""
_MOSTLY: Final = 0.5
"""If less of a card of a row is not covered by others, all of that is visible."""
_WHOLE: Final = 0.85
"""Of more of a card all is compared."""
_COMPARED: Final = 5
"""The number of cards that are compared in a strip."""
_RIVALS: Final = 2
"""The same where one is due."""
_TURNED: Final = 0.6
"""A card that is less like what is seen than this share of the best one is not compared upside down."""
_OFF_PX: Final = 8
"""How far from its place a card is looked for in each direction, in pixels of a face as it is aligned."""
_ASIDE: Final = 0.15
"""What lies farther from where a card is due, in heights of a card, is something else."""
_CLEARLY: Final = 0.4
"""By this margin a card that lies wrong is likelier than one that is due and seen nowhere."""
_APART: Final = 60.0
"""A strip whose cards differ less says nothing of a card that is not due there; see `Comparison.evidence`."""
_NARROWEST: Final = np.ones((9, 9), np.uint8)
"""The least of a card that is visible is wider, in pixels of the grey picture; shadows at cards are not."""

Expected: TypeAlias = tuple[Candidate, Seen]  # a card as it may lie, and where it is due


class CoveredReader:
    """Reads what features propose in one picture.

    `possible` are the codes that can come; a card at which nothing has changed is left out.
    """

    def __init__(
        self, model: Model, pyramid: ImagePyramid, possible: Collection[str] | None, changed: Mask | None
    ) -> None:
        self._model, self._pyramid, self._possible = model, pyramid, possible
        self._whole: list[Seen] = []
        self._taken = np.zeros(pyramid.half.shape, np.uint8)
        """1 where a card was read, in pixels of the grey picture."""
        size, everywhere = self._taken.shape[::-1], 1 - self._taken
        self._changed = everywhere if changed is None else cv2.resize(changed, size)
        """1 where something has changed."""
        self._unsure = self._taken.copy()
        """The same where it is not sure which one."""
        self._likely: list[tuple[str, float, Seen]] = []
        """The code of a card that is due, and by which margin which other card is likelier there."""

    def has_changed(self, corners: Corners) -> bool:
        """Whether something has changed at a card."""
        return share_of(corners, self._changed, 2) > CHANGED

    def take(self, card: Seen) -> None:
        """A card lies there that is whole."""
        self._whole.append(card)
        self._taken |= np.asarray(area_of([card.corners], self._taken, 2), np.uint8)

    def read(self, wide_px: float | None) -> list[Seen]:
        """The cards that can be read.

        `wide_px` is how wide a card is in the picture, if that is known.
        """
        found, free = list[Seen](), self._free()
        left, top, wide, high = cv2.boundingRect(around(free))
        part = np.s_[top : top + high, left : left + wide]
        picture = self._pyramid.picture[2 * top : 2 * (top + high), 2 * left : 2 * (left + wide)]
        off = np.array([[0, 0, 2 * left], [0, 0, 2 * top]])
        for matrix in proposals(picture, free[part], _FACE_PX, self._model.features, wide_px) if wide else ():
            place = DOWN @ np.vstack([matrix + off, [0, 0, 1]]) @ TO_LARGE
            start = Seen(corners_of(place))
            if self._is_open(start) and not any(map(start.lies_at, (*self._whole, *found))):
                read = self._read_at(self._model, place, self._taken | self._unsure)
                if read is not None and not any(map(read.lies_at, found)):
                    found.append(read)
        return found

    def _free(self) -> Picture:
        """1 where something has changed, and no card was read."""
        free = self._changed * (1 - self._taken)
        return np.asarray(cv2.morphologyEx(free, cv2.MORPH_OPEN, _NARROWEST), np.uint8)

    def _is_open(self, card: Seen) -> bool:
        """Whether something has changed at a card, and not only where others were read that lie on it."""
        return self.has_changed(card.corners) and share_of(card.corners, self._free(), 2) > 0

    def verify(self, found: Sequence[Seen], table: Known, *, whole: bool = True) -> list[Seen]:
        """The same cards, with those that lie where they are due; not `whole`: of rows those below others."""
        cards, rows, tried = list(found), table.rows, set[tuple[str, str]]()
        few: Model | None = None  # made where it is needed
        corners = {card.code: card.corners for card in table.lies}
        after = {code: corners.get(other) for row in rows.cards for code, other in pairwise(row)}
        changed = [card for card in table.lies if self._is_open(card)]
        again = [Due(False, 0, "", card.code, card.corners, after.get(card.code)) for card in changed]  # noqa: FBT003
        known = [card for card in table.lies if card not in changed]
        while True:
            wanted = (*again, *due([*known, *cards], rows))
            place = next((at for at in wanted if at[2:4] not in tried and (whole or at.next)), None)
            if place is None:
                break
            tried.add((place.near, place.code))
            here = Seen(place.corners)
            near = next((other for other in cards if other.lies_at(here)), here)
            clear = [card for code, margin, card in self._likely if code == place.code and margin > _CLEARLY]
            decided = near.code or any(map(here.lies_at, clear))
            if not decided and place.code in self._model.codes and self.has_changed(place.corners):
                few = few or self._model.only(table.codes)
                # Without what lay there before, places are too vague to look for any other card.
                read = self._verified(homography_of(near.corners), place, few, any_other=bool(table.lies))
                lie = {card.code for card in cards} - rows.copies
                if read and (read.code not in lie if read.code else not any(map(read.lies_at, cards))):
                    cards = placed(read, cards, rows)
        if not whole:
            return cards
        of_rows = {code for row in rows.cards for code in row}
        sure = [card for card in cards if card.code]
        unread = [likely for likely in self._likely if not any(map(likely[2].lies_at, sure))]
        places = Counter(code for _, code in {(absent, card.code) for absent, _, card in unread})
        for absent, margin, card in sorted(unread, key=lambda likely: -likely[1]):
            # What is nowhere else lies at the one place of another where it is likelier.
            lost = of_rows - {other.code for other in (*known, *cards)}
            if card.code in lost and places[card.code] == 1 and (margin > _CLEARLY or absent not in lost):
                cards = placed(card, cards, rows)
        for before in [card for card in known if card.code in of_rows]:  # nothing of it has changed
            same = {before.code} - rows.copies
            moved = any(before.lies_at(other) or other.code in same for other in cards)
            cards += [] if moved else [before]
        return cards

    def _verified(self, place: Homography, card: Due, few: Model, *, any_other: bool) -> Seen | None:
        """The card that is due at a place, if it is there; else which one is clearly likelier, if one is.

        What lies under a card of a row is one of `few`. Anything may have been laid on the last one.
        """
        # What else was read may lie below this card, and the next one a little beside where it is due.
        covering = around(area_of([card.next], self._taken, 2), 1) if card.next else self._taken
        free = self._free_at(place, covering)
        model = few if card.next and free.mean() < _MOSTLY else self._model
        wanted, here, read = model.codes.index(card.code), Seen(corners_of(place)), None
        # Where it fits best; if nothing is read there, where another one does.
        for cards in ([wanted], None) if any_other else ([wanted],):
            ways = (False, True) if read is None else ()
            starts = [self._nearby(model, place, free, cards, turned=turned)[0] for turned in ways]
            for at in sorted(starts, key=lambda candidate: candidate.distance):
                if (read is None or not read.code) and (cards or at.card != wanted):
                    other = self._read_at(model, at.place, covering, (at._replace(card=wanted), here))
                    read = other if other is not None and other.code else read or other
        return read

    def _free_at(self, place: Homography, taken: Mask) -> Plane:
        """1 where a card at a place is not `taken`, in no narrow part, as large as a face is compared."""
        to_face, flags = place @ np.linalg.inv(TO_LARGE), cv2.INTER_NEAREST | cv2.WARP_INVERSE_MAP
        free = cv2.warpPerspective(1 - taken, to_face, _FACE_PX, flags=flags, borderValue=1)
        # Beside a card that lies a little aside, a slit of the table may be seen: that counts as covered.
        free = cv2.morphologyEx(free, cv2.MORPH_OPEN, _NARROWEST, iterations=2, borderValue=0)
        return np.asarray(free, np.float32)

    def _read_at(
        self, model: Model, place: Homography, taken: Mask, expected: Expected | None = None, tries: int = 2
    ) -> Seen | None:
        """The card at a place, or None where none is read. Others are `taken`."""
        free = self._free_at(place, taken)
        if free.mean() < _LEAST:
            return None
        like = _Likeness(model, self._pyramid, place)
        clear = cv2.resize(free, AREAS[::-1], interpolation=cv2.INTER_AREA) > 0.5  # noqa: PLR2004
        # What lies on a card of a row is known, but for a hand.
        areas = clear if expected and free.mean() < _MOSTLY else like.visible(clear)
        visible = cv2.resize(areas.astype(np.float32), _FACE_PX, interpolation=cv2.INTER_NEAREST) * free
        count, share = _RIVALS if expected else _COMPARED, float(visible.mean())
        if share < _LEAST:
            return None
        starts = like.nearest(areas, count)
        starts = [expected[0], *(at for at in starts if at[::2] != expected[0][::2])] if expected else starts
        others: dict[bool, list[Candidate]] = {}

        def nearest(comparison: Comparison) -> list[Candidate]:
            card, place, turned, correlation = comparison.winner[:4]
            place = Candidate(card, place, turned).place
            near = _Likeness(model, self._pyramid, place).nearest(areas, count)
            # A face is not in the middle of its card: upside down another one lies a little beside.
            if turned not in others:
                others[turned] = self._nearby(model, place, visible, turned=not turned)
            return near + [card for card in others[turned] if -card.distance > _TURNED * correlation]

        if expected is None and share > _WHOLE:
            # Where it lies by features another card may be nearer.
            also = self._nearby(model, place, visible, turned=starts[0].turned)[:_RIVALS]
            comparison, limits = compare_card(model, self._pyramid, starts[0].homography, also), WHOLE
        else:
            comparison, limits = compare_strip(model, self._pyramid, starts, nearest, visible), STRIP
        own = comparison.winner
        corners, code = corners_of(own.homography), model.codes[own.card]
        like_a_card = min(own.correlation, comparison.explained) >= _LIKE
        if expected is None:
            if own.turned and tries > 1:  # more of it may be visible
                return self._read_at(model, own.homography, taken, tries=tries - 1)
            read = classify(model, comparison, self._possible, limits)
        else:
            wanted, near = expected
            if not Seen(corners).lies_at(near, _ASIDE):
                return None
            apart = zip(comparison.margins, comparison.evidences, comparison.aligned, strict=True)
            margin, evidence = min(at[:2] for at in apart if at[2].card == wanted.card)
            due_code, other = model.codes[wanted.card], Seen(corners, code, partly=share <= _WHOLE)
            read = Seen(corners, due_code if is_there(comparison, wanted.card) else "")
            if read.code != code and tries > 1:  # where it lies exactly, another part of it is visible
                exact = own.homography @ TURN if own.turned is not wanted.turned else own.homography
                wanted = wanted._replace(homography=exact)
                return self._read_at(model, wanted.place, taken, (wanted, near), tries - 1)
            if code != due_code and like_a_card and evidence > _APART and is_there(comparison, own.card):
                self._likely.append((due_code, margin, other))
                read = replace(read, candidates=(code,) if margin > _CLEARLY else ())
        if not read.code and not (read.candidates and like_a_card):
            return None
        if read.code or expected is None:  # what is not the card that is due, is still read
            _mark(self._taken if read.code else self._unsure, own, visible)
        return replace(read, partly=share <= _WHOLE)

    def _nearby(
        self, model: Model, place: Homography, visible: Plane, only: list[int] | None = None, *, turned: bool
    ) -> list[Candidate]:
        """The cards, or `only` some, that are most like what is visible near a place."""
        start = place @ np.array([[1, 0, -_OFF_PX], [0, 1, -_OFF_PX], [0, 0, 1]], np.float64)
        size = (WIDTH_PX + 2 * _OFF_PX, HEIGHT_PX + 2 * _OFF_PX)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        around = np.asarray(cv2.warpPerspective(self._pyramid.half, start, size, flags=flags), np.uint8)
        mask = cv2.resize(visible, (WIDTH_PX, HEIGHT_PX), interpolation=cv2.INTER_AREA).astype(np.float32)
        tried = [*product(range(0, 2 * _OFF_PX + 1, 2), repeat=2)]
        parts = (around[y : y + HEIGHT_PX, x : x + WIDTH_PX] for x, y in tried)
        seen = np.stack([lightness(part, mask).ravel() for part in parts])
        cards = only or range(len(model.codes))
        faces = np.stack([model.plane(card).ravel() for card in cards])
        like, found = correlations(faces[:, ::-1] if turned else faces, seen, mask.ravel()), []
        for card in np.argsort(-like.max(axis=1))[:_COMPARED].tolist():
            (x, y), most = tried[int(np.argmax(like[card]))], float(like[card].max())
            lies = start @ np.array([[1, 0, x], [0, 1, y], [0, 0, 1]], np.float64)
            found.append(Candidate(cards[card], lies @ TURN if turned else lies, turned, -most))
        return found


def _mark(area: Picture, card: Aligned, visible: Plane) -> None:
    """Set to 1, in an area of the grey picture, what is visible of a card."""
    mask = np.ascontiguousarray(visible[::-1, ::-1] if card.turned else visible).astype(np.uint8)
    to_face, size = card.homography @ np.linalg.inv(TO_LARGE), area.shape[::-1]
    area |= np.asarray(cv2.warpPerspective(mask, to_face, size, flags=cv2.INTER_NEAREST), np.uint8)


def placed(card: Seen, cards: Iterable[Seen], rows: Rows) -> list[Seen]:
    """The cards with this one, instead of what else was seen there, or of it elsewhere."""
    once = {card.code} - rows.copies - {""}
    return [card, *(other for other in cards if not card.lies_at(other) and other.code not in once)]


class _Likeness:
    """How like what is seen at a place is to each face, upright and then upside down, in each area."""

    def __init__(self, model: Model, pyramid: ImagePyramid, place: Homography) -> None:
        upright = coarse(rectified(pyramid.picture, UP @ place))
        seen = in_areas(np.stack([upright, upside_down(upright)]) * model.coarse_weights)
        shows = np.einsum("acp,acp->ac", model.parts, model.parts)[:, :, None]
        came = np.einsum("awp,awp->aw", seen, seen)[:, None]
        cross = np.matmul(model.parts, seen.transpose(0, 2, 1))
        score = (2 + 2 * _ALIKE) * cross - _ALIKE * (shows + came)
        self._place = place
        self._left, self._score = (
            # Areas are those of the place, whichever way up a face lies.
            np.stack([planes[..., 0].T, planes[::-1, :, 1].T]).reshape(2, -1, *AREAS)
            for planes in (shows + came - 2 * cross, score)
        )

    def visible(self, free: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """The areas in which a card is visible, of those that are `free`: all, or a strip at one side."""
        score = (self._score * free).reshape(-1, *AREAS)
        most, best = 0.0, np.zeros(AREAS, bool)
        for axis in (0, 1):
            for step in (1, -1):
                sums = np.cumsum(score.sum(axis=2 - axis)[:, ::step], axis=1).max(axis=0)
                end = int(np.argmax(sums))
                if sums[end] > most:
                    most, best = float(sums[end]), np.zeros(AREAS, bool)
                    part = slice(0, end + 1) if step > 0 else slice(sums.size - 1 - end, None)
                    best[(part, slice(None)) if axis == 0 else (slice(None), part)] = True
        return best & free

    def nearest(self, visible: NDArray[np.bool_], count: int) -> list[Candidate]:
        """The cards that are most like what is visible."""
        return first((self._left * visible).sum(axis=(2, 3)), count, self._place)
