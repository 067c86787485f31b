"""The result as a QR code. The text itself is in the code: the phone that reads it needs no network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Final

from companion.score_sheet import ranked
from firmware.display.layout import Area, Layout
from firmware.screens.base import Page

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

FIELD_PX: Final = 64
QUIET: Final = 2
"""Empty modules around the code. The standard asks for 4; cameras read it with 2, and 4 would halve it."""


def result_text(session: Session, *, names: bool = True) -> str:
    """The result in capitals, for a code with the alphanumeric set: `6 NIMMT 22 MAX 35 ALI`, best first.

    Without `names` players are P1, P2 by their badges.
    """
    match = session.playing
    title = "".join(letter for letter in match.game.title if letter.isalnum() or letter == " ")
    places = ranked({seat: match.totals[seat] for seat in match.players})
    who = {seat: session.name(seat) if names else f"P{session.badge(seat)}" for _, seat in places}
    return " ".join([title, *(f"{match.totals[seat]} {who[seat]}" for _, seat in places)])


def qr_modules(session: Session) -> tuple[bytearray, ...]:
    """The modules of the code, 1 is dark. Names that would make it larger than the display are left out."""
    import segno  # takes a hundred milliseconds: not at the start of the program

    modules = segno.make_qr(result_text(session), error="l", boost_error=False).matrix
    if len(modules) + 2 * QUIET > FIELD_PX:
        modules = segno.make_qr(result_text(session, names=False), error="l", boost_error=False).matrix
    return modules


@dataclass(frozen=True, slots=True)
class Share(Page):
    """The code at the left as large as possible, and a caption at the right."""

    NAME: ClassVar[str] = "share"

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Dark modules on a lit field."""
        t, modules = session.translate, qr_modules(session)
        size = len(modules) + 2 * QUIET
        scale_px = max(1, FIELD_PX // size)
        canvas.fill(0, 0, size * scale_px, min(FIELD_PX, size * scale_px))
        for y, line in enumerate(modules, start=QUIET):
            for x, dark in enumerate(line, start=QUIET):
                if dark:
                    canvas.invert(x * scale_px, y * scale_px, scale_px, scale_px)
        layout = Layout(canvas, session.plan)
        words = [t("SCAN ME"), t("THE RESULT AS TEXT")]
        if session.match_id is not None:
            words.append(t("MATCH {id}", id=session.match_id))
        beside = Area(FIELD_PX + 3, 0, canvas.size_px[0] - FIELD_PX - 3, canvas.size_px[1])
        hint_px = layout.plan.hint_px
        font, hint = layout.fitted(t("OK=BACK"), beside.width_px - 7, layout.plan.hints)
        layout.hint(Area(beside.x_px, beside.bottom_px - hint_px, beside.width_px, hint_px), hint, font)
        layout.stack(Area(beside.x_px, 0, beside.width_px, beside.height_px - hint_px - 2), words)
