"""The cards of a game as pages draw them, by the codes on their labels."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from companion.core import codes, games

if TYPE_CHECKING:
    from firmware.text.translation import Translator


def cards_of(game: str, box: int, t: Translator) -> dict[str, dict[str, Any]]:
    """Every card of a game as pages draw it, by its code; `copies` is how many look like it."""
    module = games.module(game)
    made, looks = module.make(module.SEATS[0], {}), [name.partition("#")[0] for name in module.DECK]
    copies, found = Counter(looks), dict[str, dict[str, Any]]()
    for number, (name, look) in enumerate(zip(module.DECK, looks, strict=True), 1):
        code = codes.card_code(module.CODE, number, box)
        drawn = {"name": look, "label": t.say(made.label(name)), "heads": module.worth(name)}
        found[code] = {"code": code, "copies": copies[look], **drawn}
    return found


def label_of(code: str, box: int, t: Translator) -> str:
    """What a code is called beside its answer: a card as the display calls it, the number of a badge."""
    meaning = codes.read(code, plain_numbers=False, box=box)
    if isinstance(meaning, codes.CardCode):
        key, name = _card(meaning)
        module = games.module(key)
        return t.say(module.make(module.SEATS[0], {}).label(name)) if name else meaning.card
    return str(getattr(meaning, "number", code))


def look_of(code: str, box: int) -> str:
    """What the codes of all copies of a card have in common; of anything else it is the code itself."""
    meaning = codes.read(code, plain_numbers=False, box=box)
    return ":".join(_card(meaning)).partition("#")[0] if isinstance(meaning, codes.CardCode) else code


def _card(code: codes.CardCode) -> tuple[str, str]:
    """The key of its game, and its name there; no name for a number that the game has not."""
    key = next(key for key in games.GAMES if code.game == games.module(key).CODE)
    deck, number = games.module(key).DECK, int(code.card)
    return key, deck[number - 1] if 0 < number <= len(deck) else ""
