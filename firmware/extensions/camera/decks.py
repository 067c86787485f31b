"""The decks of this box, and which of them lies on the table."""

from __future__ import annotations

from pathlib import Path

from companion.core import games
from firmware.extensions.camera import deck_files
from firmware.extensions.camera.deck_files import CHOSEN, Header, chosen_of
from firmware.session.session import Session


class Decks:
    """The decks in a folder. `box` is the number of the cards on the table, from 1. Game thread only."""

    def __init__(self, folder: Path, box: int) -> None:
        self.folder = folder
        self.box = box
        self.reload()

    def reload(self) -> None:
        """Look up which decks there are: one was changed, or another one was chosen."""
        self.changed_ns = deck_files.changed_ns(self.folder)
        """When a deck was changed last, as `deck_files.changed_ns` says."""
        self.all = tuple(deck for deck in deck_files.headers(self.folder) if deck.game in games.GAMES)
        """All decks, without their pictures, for games that are installed."""
        self._reported = False

    def changed(self) -> bool:
        """Whether a deck, here or on a phone, or the choice has changed since this was asked last."""
        if deck_files.changed_ns(self.folder) != self.changed_ns:
            self.reload()
        reported, self._reported = self._reported, True
        return not reported

    def in_use(self, game: str, session: Session) -> str:
        """The deck that lies on the table, by name: the chosen one, else the first; empty where none is."""
        return chosen_of(self.all, game, self.box, session.notes.recall(CHOSEN))

    def choose(self, deck: Header, session: Session) -> None:
        """Use this one for its game from now on."""
        chosen = session.notes.recall(CHOSEN)
        session.notes.remember(CHOSEN, {**(chosen if isinstance(chosen, dict) else {}), deck.game: deck.name})
        self.reload()
