"""Decides which card was seen, and whether that is sure: the last step of reading one.

A wrong card is far worse than a question. So it answers with a code only where the card is much more like one
face than like all others; else with the codes that it could be.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final, NamedTuple

from firmware.extensions.camera.comparing import MIN_CORRELATION, Comparison, unlike
from firmware.extensions.camera.model import Model, corners_of
from firmware.extensions.camera.seen import Seen


class Thresholds(NamedTuple):
    """What a card has to reach, so that it is sure."""

    margin: float
    """0.9 is usual, and 0 means that two faces are equally likely."""
    evidence: float
    """How far two faces must be apart where they are visible; see `Comparison.evidence`."""
    explained: float
    """What share of it its face explains."""
    correlation: float
    """How well it lies on its face."""


WHOLE: Final = Thresholds(0.4, 3.0, 0.6, 0.8)
STRIP: Final = Thresholds(0.65, 20.0, 0.8, 0.92)
"""Of a card of which only a strip is visible."""
_COVERED: Final = Thresholds(0.6, 8.0, 0.8, 0.8)
"""Something lies on it, or none of the faces is the right one."""
_DUE: Final = Thresholds(0.15, 3.0, 0.72, 0.88)
"""Of a card that lies where it is due: another one may be likelier by this margin."""
_MIN_VISIBLE: Final = 0.93
"""Less is visible of few cards on which nothing lies."""
_UNLIKE: Final = 0.4
"""What is farther from a face is another card, if not all cards were taught; see `unlike`."""


def classify(
    model: Model, comparison: Comparison, possible: Collection[str] | None, limits: Thresholds = WHOLE
) -> Seen:
    """The card, where it is sure; else what it could be, of the codes in `possible`.

    What is surely another card of the deck, such as one that was taken, could be none of these.
    """
    best = comparison.winner
    corners, code = corners_of(best.homography), model.codes[best.card]
    covered = comparison.visible < _MIN_VISIBLE
    limits = _COVERED if covered and limits is WHOLE else limits
    good = comparison.explained >= limits.explained and best.correlation >= limits.correlation
    if good and possible is not None and not set(possible) <= set(model.codes):
        # It may be a card that was not taught, which is most like one that was.
        varies = model.varies[::-1, ::-1] if best.turned else model.varies
        good = unlike(best, varies) < _UNLIKE
    # What lies on a strip as well leaves too little of it.
    good = good and not (covered and limits is STRIP)
    if good and comparison.margin >= limits.margin and comparison.evidence >= limits.evidence:
        return Seen(corners, code if possible is None or code in possible else "")
    if best.correlation < MIN_CORRELATION:
        return Seen(corners)
    close = sum(bool(comparison.margins[at] < 2 * WHOLE.margin) for at in comparison.rivals)
    near = [comparison.best, *comparison.rivals[: max(1, close)]]  # of at least two people choose
    codes = [model.codes[comparison.aligned[at].card] for at in near]
    return Seen(corners, candidates=tuple(code for code in codes if possible is None or code in possible))


def is_there(comparison: Comparison, card: int) -> bool:
    """Whether a card lies where it is due: nothing that tells it from the likeliest one speaks against it."""
    faces = {(face.card, face.turned): at for at, face in enumerate(comparison.aligned)}
    if (at := faces.get((card, comparison.winner.turned))) is None:  # upside down they cannot be compared
        return False
    margin, evidence = float(comparison.margins[at]), float(comparison.evidences[at])
    evidence = comparison.evidence if at == comparison.best else evidence
    good = comparison.explained >= _DUE.explained and comparison.aligned[at].correlation >= _DUE.correlation
    return good and margin <= _DUE.margin and evidence >= _DUE.evidence
