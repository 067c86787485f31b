"""The result as a QR code, which a phone reads without a network.

It is the address of the match on the page of this box, if the page told the table where other machines find
it; and at the press of a key a text: the game, the day, who has won, all totals.
"""

from collections.abc import Sequence
from enum import Enum
from typing import Final

from companion.core.score_sheet import Place
from companion.text.sentence import say
from companion.values import replace
from firmware.display import qr
from firmware.display.canvas import Canvas
from firmware.display.layout import Area, Big, Extra, Layout
from firmware.screens.parts.base import OK_BACK, Keys, KeyUse, Page
from firmware.screens.parts.names import join_names
from firmware.session.session import Session
from hardware.ports import Key

FIELD_PX: Final = 64
_WIDEST_PX: Final = 70
_NAMES_PX: Final = 54
"""Beside the widest code."""
QUIET: Final = 1
"""Lit modules above and below the code at least. The standard asks for 4 all around; phones read codes with
1, and 2 would make the largest code for this display, of 61 modules, impossible. At the sides there are 4."""


def result_text(session: Session, *, names: bool = True, time: bool = False) -> str:
    """The result in capitals: `6 NIMMT 2026-02-21 WINNER: MAX 22 / ALI 35`, best first.

    Without a ! characters take 5.5 bits of the code, not 8. Several winners stand with + between them.
    Without `names` players are P1, P2 by their badges. With `time` the date has the time and its zone.
    """
    match, t = session.playing, session.translate

    def told(place: Place) -> str:
        called = (
            session.name(seat) if names else session.names.label(session.badge(seat)) for seat in place.seats
        )
        return f"{' & '.join(called)} {place.total}"

    places = match.places
    first = " + ".join(told(place) for place in places if place.rank == 1)
    each = " / ".join((first, *(told(place) for place in places if place.rank > 1)))
    begun = session.about.begun[: 1 + time]
    return " ".join(filter(None, (match.game.title.replace("!", ""), *begun, t("WINNER:"), each)))


class ShareKind(Enum):
    """What a code leads to."""

    PAGE = "the match at its address in the network"
    TEXT = "nothing: it is the result itself"


_HINTS: Final = {ShareKind.PAGE: say("R1=PAGE"), ShareKind.TEXT: say("R1=TEXT")}


def codes(session: Session) -> tuple[tuple[ShareKind, str], ...]:
    """What can be shown as a code that fits, best first, at most one of each kind.

    In the text the time of day is left out where the code would have smaller modules.
    """
    page = session.state.match_address(session.match_id)
    texts = [result_text(session), result_text(session, names=False)]
    texts = [text for text in texts if _module_px(text)]
    if texts and _module_px(whole := result_text(session, time=True)) == _module_px(texts[0]):
        texts.insert(0, whole)
    found = ((ShareKind.PAGE, [page] if page and _module_px(page) else []), (ShareKind.TEXT, texts))
    return tuple((kind, fitting[0]) for kind, fitting in found if fitting)


def _module_px(text: str) -> int:
    """How large the modules of its code are on the display; 0 if the code has no room there."""
    try:
        return FIELD_PX // (qr.width(text) + 2 * QUIET)
    except ValueError:  # no code is large enough
        return 0


class Share(Page):
    """The code at the left as large as possible, and a caption at the right.

    `at` is which of the codes, counted from 0.
    """

    codes: tuple[tuple[ShareKind, str], ...]
    at: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Dark modules on a lit field."""
        t, layout = session.translate, Layout(canvas, session.plan)
        kind, text = self.codes[self.at]
        winners, alone = _winners(session, layout), len(self.codes) == 1
        words: list[Big | Extra | str] = [Big(t("SCAN ME"))]
        if kind is ShareKind.PAGE:
            words.append(Extra(t("SAME WI-FI")))
        about = (session.about.date(t), f"{t('WINNER:')} {winners}" if alone else winners)
        words += [said if alone else Extra(said) for said in about if said]
        draw_code(layout, text, words, self.hints(session))

    def keys(self, session: Session) -> Keys:
        at = (self.at + 1) % len(self.codes)
        keys: Keys = {Key.OK: OK_BACK}
        if at != self.at:
            keys[Key.ROW_1] = KeyUse(self.shows(at=at), _HINTS[self.codes[at][0]])
        return keys


def _winners(session: Session, layout: Layout) -> str:
    """The names of who has won, as far as they have room beside the code."""
    places = session.playing.places
    first = [seat for place in places if place.rank == 1 for seat in place.seats]
    return join_names(session, first, _NAMES_PX, layout.plan.detail[-1])


def draw_code(layout: Layout, text: str, words: Sequence[Big | Extra | str], hints: Sequence[str]) -> None:
    """A text as a code at the left, dark modules on a lit field; words and hints beside it, from below."""
    canvas, modules = layout.canvas, qr.modules(text)
    scale_px = _module_px(text)
    wide_px = min(_WIDEST_PX, (len(modules) + 8) * scale_px)
    canvas.fill(0, 0, wide_px, FIELD_PX)
    left_px, top_px = (wide_px - len(modules) * scale_px) // 2, (FIELD_PX - len(modules) * scale_px) // 2
    for y, line in enumerate(modules):
        for x, dark in enumerate(line):
            if dark:
                canvas.invert(left_px + x * scale_px, top_px + y * scale_px, scale_px, scale_px)
    beside = Area(wide_px + 3, 0, canvas.size_px[0] - wide_px - 3, canvas.size_px[1])
    canvas.notice_at = (beside.x_px, beside.y_px, beside.width_px, beside.height_px)
    above = layout.hints_below(beside, *hints)
    layout.stack(replace(above, height_px=above.height_px - 2), words)
