"""The pictures on the display while no game runs: before it, after it, and when it has failed.

They say first what everybody wants to know at that moment: whether the plug may be pulled. Who shows them
and when is the matter of `service`, `nimmt display` and the units that call it.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING, Final

from firmware.display.canvas import Canvas
from firmware.display.glyphs import MEDIUM, NARROW, RIGHT_TO_LEFT, SMALL
from firmware.display.plan import plan_for

if TYPE_CHECKING:
    from PIL.Image import Image

    from firmware.text.translation import Translator
    from hardware.ports import Display


class Notice(Enum):
    """The state of the device."""

    STARTING = "starting"
    STOPPED = "stopped"
    """The program has ended, and the machine is on or shutting down: do not unplug."""
    FAULT = "fault"
    BACK_SOON = "back-soon"
    """The same to strangers at a kiosk, with the rules in short: they can play without the device."""
    RESTARTING = "restarting"
    OFF = "off"
    """Nothing will be written any more. Only to be shown when every file system is unmounted."""


_FEW_LINES: Final = 2
"""So many have room below a title in large letters."""


def _wordings(translate: Translator) -> Mapping[Notice, tuple[str, ...]]:
    """The title of each notice, and the lines below it."""
    t = translate
    return {
        Notice.STARTING: (t("STARTING"), t("ONE MOMENT")),
        Notice.STOPPED: (t("STOPPING"), t("DO NOT UNPLUG"), t("EVERYTHING IS SAVED")),
        Notice.FAULT: (t("ERROR"), t("RESTARTING"), t("EVERYTHING IS SAVED")),
        Notice.BACK_SOON: (
            t("BACK IN A MINUTE"),
            t("PLAY WITHOUT ME:"),
            t("LOWEST CARD FIRST,"),
            t("CLOSEST LOWER ROW,"),
            t("THE 6TH TAKES ALL 5,"),
            t("FEWEST HEADS WIN"),
        ),
        Notice.RESTARTING: (t("RESTARTING"), t("DO NOT UNPLUG")),
        Notice.OFF: (t("SWITCHED OFF"), t("SAFE TO UNPLUG")),
    }


def picture(notice: Notice, translate: Translator, width_px: int = 128, height_px: int = 64) -> Image:
    """The picture of a notice; the one that allows unplugging is dark on light, unlike the others."""
    title, *lines = _wordings(translate)[notice]
    canvas = Canvas(width_px, height_px)
    middle_px = width_px // 2
    # Signs at the end of a Persian line stand at its left; without this mark a line begins as a Latin one.
    mark = RIGHT_TO_LEFT if plan_for(translate.language).right_to_left else ""
    full = len(lines) > _FEW_LINES
    canvas.text_centre(middle_px, 3 if full else 10, mark + title, SMALL if full else MEDIUM)
    for place, line in enumerate(lines):
        y_px = 14 + 10 * place if full else 32 + 12 * place
        canvas.text_centre(
            middle_px, y_px, mark + line, SMALL if SMALL.width_px(line) < width_px - 4 else NARROW
        )
    canvas.frame(0, 0, width_px, height_px)
    if notice is Notice.OFF:
        canvas.invert(2, 2, width_px - 4, height_px - 4)
    return canvas.image()


SETTLE_S: Final = 2.0
"""How long a slow or faulty panel may delay the end of the program."""


def leave(notice: Notice, display: Display, translate: Translator) -> bool:
    """Show a notice on a started display, and wait until it is there; False if that takes too long."""
    from hardware.ports import Light

    display.light(Light.FULL)
    display.draw(picture(notice, translate, display.width_px, display.height_px))
    return display.settle(SETTLE_S)
