"""The language that people chose at the device, kept in the journal.

It stands apart: commands of the box ask for it, and load no game for that.
"""

from typing import Final, Protocol

from companion.text.errors import CompanionError
from firmware.config.configuration import Config
from firmware.text.translation import ASK, DEFAULT, LANGUAGES, Translator

_NOTE: Final = "language"


class Notes(Protocol):
    """What a journal has noted."""

    def recall(self, key: str) -> object:
        """The value noted under `key`; None if there is none. Raises `JournalError`."""


class Notebook(Notes, Protocol):
    """A journal that can note something."""

    def remember(self, key: str, value: object) -> None:
        """Note `value` under `key`. Raises `JournalError`."""


def chosen(journal: Notes, config: Config) -> str | None:
    """The language that was chosen; None if nobody has, or the configuration names another one since."""
    try:
        note = journal.recall(_NOTE)
    except CompanionError:  # a `JournalError`; its module would load SQLite
        return None
    if not isinstance(note, dict) or note.get("configured") != config.screen.language:
        return None
    language = note.get("chosen")
    return language if isinstance(language, str) and language in LANGUAGES else None


def translator(config: Config, journal: Notes | None = None) -> Translator:
    """The texts in the language of a device: what was chosen at it, else what is configured.

    English where people are to be asked and nobody has answered yet.
    """
    found = chosen(journal, config) if journal is not None else None
    language = found or config.screen.language
    return Translator(DEFAULT if language == ASK else language, config.screen.digits)


def choose(language: str, journal: Notebook, config: Config) -> None:
    """Keep a choice. Raises `JournalError`."""
    journal.remember(_NOTE, {"chosen": language, "configured": config.screen.language})
