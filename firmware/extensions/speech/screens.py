"""The screens of a table with a voice: how loud it is."""

from typing import Final

from companion.values import replace
from firmware.extensions.speech.config import SpeechOptions
from firmware.play.table import Table
from firmware.scripted.scripts import PartScreens


def _prepare(_name: str, table: Table) -> None:
    config = table.config
    table.config = replace(config, added={**config.added, SpeechOptions: SpeechOptions(driver="espeak")})


SCREENS: Final = PartScreens(
    prepared={"voice": "menu:VOICE", "voice-muted": "menu:VOICE #4"}, prepare=_prepare
)
