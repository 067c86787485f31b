"""The page of a device in another language and size of letters, without playing up to it again."""

from typing import Final

from msgspec.structs import replace

from firmware.config.sections import SIZES
from firmware.loop.runtime import Runtime
from firmware.text.translation import LANGUAGES, Translator

SIZES_OF: Final = [(language, size) for language in LANGUAGES for size in SIZES]
"""Each language in all its sizes."""
OWN_WORDS: Final = frozenset({
    "confirm-end", "enter-name", "resume-which", "share", "suspended",
})  # fmt: skip
"""Screens whose page keeps words, or how they are parted, from when it was opened: they are played up to in
each language and size. `test_every_language` finds one that is missing here."""


def tell(runtime: Runtime, language: str, size: str) -> None:
    """Draw the pages of a device like this from now on, as where people choose another language there."""
    session = runtime.session
    screen = replace(session._config.screen, size=size)
    session._config = replace(session._config, screen=screen)
    session.speak(Translator(language, screen.digits))
