"""Cards without labels, on a phone: what its camera sees is read on the box, with the decks it was taught.

The same code reads them as for a camera of the box (`firmware.extensions.camera`), in a process of its own.
Where that part or OpenCV is not installed, no page offers any of this.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from starlette.requests import ClientDisconnect, Request

from companion.core import codes, games
from companion.text.codec import decode_text
from companion.text.sentence import PAPER, ROCK, SCISSORS, in_sentences, say
from network.web.door import Body
from network.web.hosting import refused
from network.web.in_turn import BusyError
from network.web.photo_reader import PhotoReader, UnreadError

if TYPE_CHECKING:
    from companion.protocol.snapshot import TableSnapshot
    from firmware.extensions.camera.deck_files import Header
    from firmware.text.translation import Translator

PHOTO: Final = Body("image/jpeg", 1_500_000)
"""A photo, as a page sends it: some hundred kB, and up to 1280 pixels wide."""

DECK: Final = Body("application/octet-stream", 4_000_000)
"""The file of a deck; `firmware.extensions.camera.deck_files` takes no larger one."""

BODIES: Final = {"/photo": PHOTO, "/lesson": PHOTO, "/decks/file": DECK}
"""What is no JSON, by the path to which it is sent."""

HOST: Final = "host"
"""In the place of a phone, for what only hosts do."""

MOST_ASKED: Final = 3
"""Of the cards that one could be, so many are asked for."""


_NO_PHOTO: Final = say("That is no photo.")


def is_installed() -> bool:
    """Whether this machine can read faces. It imports none of what that needs."""
    return all(find_spec(name) is not None for name in ("cv2", "numpy", "firmware.extensions.camera"))


def decks(folder: Path) -> tuple[Header, ...]:
    """The decks that can be used here. Blocks."""
    if not is_installed():
        return ()
    from firmware.extensions.camera import deck_files

    return tuple(one for one in deck_files.headers(folder) if one.game in games.GAMES)


async def bytes_of(request: Request) -> bytes:
    """The body of a request: a photo, or a file; empty where it did not come whole."""
    try:
        return await request.body()
    except ClientDisconnect:
        return b""


class Camera:
    """Reads the photos of phones with the decks in a folder; `box` is that of the cards on the table."""

    def __init__(self, folder: Path, box: int) -> None:
        self.folder, self._box = folder, box
        self._reader = PhotoReader()
        self._sending: set[str] = set()
        """The phones whose photo is read now, or waits: one of each."""

    def close(self) -> None:
        self._reader.close()

    async def read(
        self, phone: str, photo: bytes, table: TableSnapshot | None, found: Collection[Header], t: Translator
    ) -> dict[str, Any]:
        """What a photo of this phone shows of the game in play: `cards`, and the size of the picture.

        `found`: the decks of the box.
        """
        if table is None:
            return refused("refused", t, say("No match is being played"))
        named = [one.name for one in found if one.game == table.game and one.box == self._box]
        if not named:
            return refused("no deck", t, say("The box was taught no deck of this game."))
        answer = await self.ask(phone, "read", t, photo, deck=named[0])
        if not answer["accepted"] or "width" not in answer:
            return answer if not answer["accepted"] else refused("malformed", t, _NO_PHOTO)
        cards, lie = cards_of(table.game, self._box, t), lying(table)
        return {**answer, "cards": [shown(one, cards, lie) for one in answer.pop("seen")]}

    async def ask(
        self, phone: str, do: str, t: Translator, body: bytes = b"", **facts: str | list[str]
    ) -> dict[str, Any]:
        """What the process of `photo_process` makes of a photo or a file; else why not, in the language."""
        if phone in self._sending:
            return refused("busy", t)
        self._sending.add(phone)
        try:
            answer = await self._reader.ask(do, body, folder=str(self.folder), **facts)
        except BusyError:
            return refused("busy", t, say("Others send photos as well. Try it again in a moment."))
        except UnreadError:
            return refused("refused", t, say("The photo could not be read. Take another one."))
        finally:
            self._sending.discard(phone)
        if "fault" in answer:
            fault, fix = (in_sentences(t.say(decode_text(answer[one]))) for one in ("fault", "fix"))
            return {"accepted": False, "why": "refused", "fault": fault, "fix": fix}
        return {"accepted": True, "why": "", "fault": "", "fix": "", **answer}

    async def teach(self, photo: bytes, query: Mapping[str, str], t: Translator) -> dict[str, Any]:
        """Go on with the lesson of a deck; the `progress` has its cards as pages draw them.

        `query` names the `deck`, its `game`, and perhaps the `card` that is taught again. An empty photo
        asks only how far it is.
        """
        game = query.get("game", "")
        if game not in games.GAMES:
            return refused("malformed", t)
        cards, card = cards_of(game, self._box, t), query.get("card", "")
        if card and card not in cards:
            return refused("malformed", t)
        of = [query.get("deck", "").strip(), game, str(self._box), card]
        answer = await self.ask(HOST, "lesson", t, photo, of=of)
        if not answer["accepted"]:
            return answer
        if not answer.get("is_photo", True):
            return refused("malformed", t, _NO_PHOTO)
        progress = answer["progress"]
        drawn = {name: [cards[code] for code in progress[name]] for name in ("lay", "read")}
        alike = [[cards[code] for code in pair] for pair in progress["confusable"]]
        return {**answer, "progress": {**progress, **drawn, "confusable": alike}}

    async def change(self, body: Mapping[str, Any], t: Translator) -> dict[str, Any]:
        """Give a deck another name, or remove it."""
        deck, name = body.get("deck"), body.get("name")
        if not isinstance(deck, str):
            return refused("malformed", t)
        if body.get("remove") is True:
            return await self.ask(HOST, "remove", t, deck=deck)
        if not isinstance(name, str):
            return refused("malformed", t)
        return await self.ask(HOST, "rename", t, deck=deck, name=name)

    async def take(self, file: bytes, t: Translator) -> dict[str, Any]:
        """Add the deck of a file."""
        return await self.ask(HOST, "take", t, file)

    def file(self, deck: str) -> bytes:
        """A deck as a file for another box. Raises `CompanionError`. Blocks."""
        from firmware.extensions.camera import deck_files

        return deck_files.content(self.folder, deck)


def lying(table: TableSnapshot) -> frozenset[str]:
    """The cards that lie on the table for all to see: they are not played once more."""
    have = (card for one in table.asks for card in one.have)
    return frozenset([card.card for stack in table.stacks for card in stack.cards] + list(have))


def shown(
    seen: Mapping[str, Any], cards: Mapping[str, dict[str, Any]], lie: Collection[str]
) -> dict[str, Any]:
    """A card as the page draws it: its `corners`, the `card` or its `candidates`.

    `lies`: it is on the table already.
    """
    card = cards.get(seen["code"])
    could = [one for code in seen["candidates"] if (one := cards.get(code)) and one["key"] not in lie]
    return {
        "corners": seen["corners"],
        "card": card,
        "lies": card is not None and card["key"] in lie,
        "candidates": could[:MOST_ASKED],
    }


_SYMBOLS: Final = str.maketrans({ROCK: "✊", PAPER: "✋", SCISSORS: "✌"})


def plain(label: str) -> str:
    """The label of a card where nothing can be drawn."""
    return label.translate(_SYMBOLS)


def cards_of(game: str, box: int, t: Translator) -> dict[str, dict[str, Any]]:
    """Every card of a game as pages draw it, by its code. `key` is its name, copies told apart."""
    module = games.module(game)
    made = module.make(module.SEATS[0], {})
    return {
        code: {
            "code": code,
            "key": name,
            "name": name.partition("#")[0],
            "label": t.say(made.label(name)),
            "heads": module.worth(name),
        }
        for number, name in enumerate(module.DECK, 1)
        if (code := codes.card_code(module.CODE, number, box))
    }
