"""The pages of the decks that a camera was taught, for a host: their list, and a lesson."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from companion.core import games
from companion.text.sentence import Text, say
from network.web.cards import cards_of, plain
from network.web.frame import Page
from network.web.pages import ACTING, SCANNING

if TYPE_CHECKING:
    from firmware.extensions.camera.deck_files import Header
    from firmware.text.translation import Translator

_TEXTS: Final[Mapping[str, Text]] = {
    **ACTING,
    "sending": say("Sending the file …"),
    "too_large": say("This file is too large for a deck."),
}

DECKS: Final = Page("decks", say("Decks for the camera"), "decks.js", _TEXTS)


_TEACHING: Final[Mapping[str, Text]] = {
    **ACTING,
    "lay": say("Lay these cards, row by row from left to right, their upper ends away from you."),
    "shift": say("Picture {number} of {all}: shift or turn each card a little, or change the light."),
    "count": say("{found} cards can be seen, {due} are needed. Lay them apart, and keep your hands away."),
    "order": say("They lie in another order than before. Lay them in the order below."),
    "shown": say("These cards were shown already. Lay those below."),
    "again": say("Lay these once more: they were not read for sure."),
    "done": say("All cards are taught."),
    "taught": say("{taught} of {all} cards"),
    "took": say("Picture taken."),
    "read_sure": say("Read for sure:"),
    "alike": say("It cannot tell these apart, and will ask:"),
    "waits": say("Hold the phone still, with all cards in the picture."),
    "stop": SCANNING["stop"],
    "no_camera": SCANNING["no_camera"],
    "not_a_picture": SCANNING["not_a_picture"],
}

TEACH: Final = Page("teach", say("Teach a deck"), "teach.js", _TEACHING)


def lesson_of(query: Mapping[str, str], found: Sequence[Header]) -> tuple[str, str] | None:
    """The name of the deck that is to be taught, and its game; None where a query names none."""
    name = query.get("deck", "").strip()
    game = next((deck.game for deck in found if deck.name == name), query.get("game", ""))
    return (name, game) if name and game in games.GAMES else None


def list_facts(decks: Sequence[Header], t: Translator) -> dict[str, Any]:
    """What the template of the list knows of the decks."""
    facts: dict[str, Any] = {"decks": decks, "game_title": lambda game: games.module(game).TITLE}
    if decks:  # there are some only where the package of the camera is installed
        from firmware.extensions.camera.cards_in_play import different

        facts["different"] = different
    titles = {key: games.module(key).TITLE for key in games.GAMES if games.module(key).DECK}
    return {**facts, "titles": [(key, t.title(title)) for key, title in titles.items()]}


def lesson_facts(deck: str, game: str, t: Translator, box: int) -> dict[str, Any]:
    """What the template of a lesson knows of the deck and its game: a card of each kind."""
    kinds = {card["name"]: card for card in reversed(cards_of(game, box, t).values())}
    cards = [(card["code"], plain(card["label"])) for card in reversed(kinds.values())]
    return {"deck": deck, "game": game, "cards": cards}
