"""The language that people chose at the device, kept in the journal.

It stands apart: commands of the box ask for it, and load no game for that.
"""

from collections.abc import Callable
from typing import Final

from companion.text.errors import CompanionError
from firmware.config.configuration import Config
from firmware.text.translation import ASK, DEFAULT, LANGUAGES, Translator

NOTE: Final = "language"
"""The key of the note in the journal."""

Recall = Callable[[str], object]
"""Gives what a journal has noted under a key; None if there is nothing. Raises `JournalError`."""


def chosen(recall: Recall, config: Config) -> str | None:
    """The language that was chosen; None if nobody has, or the configuration names another one since."""
    try:
        note = recall(NOTE)
    except CompanionError:  # a `JournalError`; its module would load SQLite
        return None
    if not isinstance(note, dict) or note.get("configured") != config.screen.language:
        return None
    language = note.get("chosen")
    return language if isinstance(language, str) and language in LANGUAGES else None


def translator(config: Config, recall: Recall | None = None) -> Translator:
    """The texts in the language of a device: what was chosen at it, else what is configured.

    English where people are to be asked and nobody has answered yet.
    """
    found = chosen(recall, config) if recall is not None else None
    language = found or config.screen.language
    screen = config.screen
    return Translator(DEFAULT if language == ASK else language, screen.digits, screen.calendar)
