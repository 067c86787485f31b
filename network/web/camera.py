"""Cards without labels, on a phone: what its camera sees is read on the box, with the decks it was taught.

The same code reads them as for a camera of the box (`firmware.extensions.camera`), in a process of its own.
Where that part or OpenCV is not installed, no page offers any of this.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from contextlib import closing, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from companion.core import games
from companion.text.codec import decode_text
from companion.text.sentence import in_sentences, say
from firmware.journal.errors import JournalError
from firmware.journal.store import Journal
from network.web.answers import ACCEPTED, ActAnswer, refusal
from network.web.job_queue import BusyError
from network.web.photo_reader import PhotoReader, TooMuchWorkError, UnreadError

if TYPE_CHECKING:
    from companion.protocol.snapshot import TableSnapshot
    from firmware.extensions.camera.deck_files import Header
    from firmware.text.translation import Translator

MAX_ASKED: Final = 3
"""Of the cards that one could be, so many are asked for."""


def is_installed() -> bool:
    """Whether this machine can read faces. It imports none of what that needs."""
    return all(find_spec(name) is not None for name in ("cv2", "numpy", "firmware.extensions.camera"))


class PhotoDecks:
    """Reads the photos of phones with the decks beside a journal.

    `box` is that of the cards on the table.
    """

    def __init__(self, journal: Path, box: int) -> None:
        self.folder = journal.with_name("decks")
        self._journal, self._box = journal, box
        self._reader = PhotoReader()
        self._sending: set[str] = set()
        """The phones whose photo is read now, or waits: one of each."""

    def close(self) -> None:
        self._reader.close()

    def decks(self) -> tuple[Header, ...]:
        """The decks that can be used here. Blocks."""
        if not is_installed():
            return ()
        from firmware.extensions.camera import deck_files

        return tuple(deck for deck in deck_files.headers(self.folder) if deck.game in games.GAMES)

    def deck_of(self, game: str) -> str:
        """The deck of a game that lies on the table; empty where there is none. Blocks."""
        found = self.decks()
        if not found:
            return ""
        from firmware.extensions.camera.deck_files import CHOSEN, chosen_of

        chosen = None
        with suppress(JournalError), closing(Journal.read(self._journal)) as reader:
            chosen = reader.notes().get(CHOSEN)
        return chosen_of(found, game, self._box, chosen)

    async def ask(
        self, who: str, do: str, t: Translator, body: bytes = b"", **facts: str | list[str]
    ) -> ActAnswer:
        """What the process of `photo_process` makes of a photo or a file; else why not, in the language."""
        if who in self._sending:
            return refusal("busy", t)
        self._sending.add(who)
        try:
            answer = await self._reader.ask(do, body, folder=str(self.folder), **facts)
        except BusyError:
            return refusal("busy", t, say("Other phones are sending photos, too. Try again in a moment."))
        except TooMuchWorkError:
            return refusal("refused", t, say("This photo takes too long to read. Take another one."))
        except UnreadError:
            return refusal("refused", t, say("The photo could not be read. Take another one."))
        finally:
            self._sending.discard(who)
        if "fault" in answer:
            fault, fix = (in_sentences(t.say(decode_text(answer[part]))) for part in ("fault", "fix"))
            return {"accepted": False, "why": "refused", "fault": fault, "fix": fix}
        return {**ACCEPTED, **answer}

    def file(self, deck: str) -> bytes:
        """A deck as a file for another box. Raises `CompanionError`. Blocks."""
        from firmware.extensions.camera import deck_files

        return deck_files.content(self.folder, deck)


def lying(table: TableSnapshot) -> frozenset[str]:
    """The names of the cards that lie on the table for all to see."""
    have = [card for ask in table.asks for card in ask.have]
    return frozenset([card.card for stack in table.stacks for card in stack.cards] + have)


def shown(
    seen: Mapping[str, Any], cards: Mapping[str, dict[str, Any]], lie: Collection[str]
) -> dict[str, Any]:
    """A card as the page draws it: its `corners`, the `card` or its `candidates`, and whether it `lies`.

    Of what it could be, a card that lies on the table is left out, unless there are more copies of it.
    """
    card, looks = cards.get(seen["code"]), {name.partition("#")[0] for name in lie}
    could = [candidate for code in seen["candidates"] if (candidate := cards.get(code))]
    if card is not None and card["name"] in looks and card["copies"] > 1:
        could, card = [card], None  # it lies there, or another copy of it is played
    return {
        "corners": seen["corners"],
        "card": card,
        "lies": any(known["name"] in looks for known in (could if card is None else [card])),
        "candidates": [
            candidate for candidate in could if candidate["copies"] > 1 or candidate["name"] not in looks
        ][:MAX_ASKED],
    }
