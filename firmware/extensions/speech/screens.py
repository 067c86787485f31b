"""The screens of a table with a voice: how loud it is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from companion.values import replace
from firmware.extensions.speech.config import SpeechOptions
from firmware.scripted.scripts import PartScreens

if TYPE_CHECKING:
    from firmware.play.controller import TableController


def _prepare(_name: str, table: TableController) -> None:
    config = table.config
    table.equip(config=replace(config, added={**config.added, SpeechOptions: SpeechOptions(driver="espeak")}))


SCREENS: Final = PartScreens(
    prepared={"voice": "menu:VOICE", "voice-muted": "menu:VOICE #4"}, prepare=_prepare
)
