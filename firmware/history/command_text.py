"""What people did: a command of the log as a sentence."""

from __future__ import annotations

from string import Formatter
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.game import AnyGame
    from firmware.translation import Translator

SENTENCES: Final[Mapping[str, tuple[str, ...]]] = {
    "lay_rows": ("{cards} start the rows",),
    "lay": ("{card} starts a row",),
    "pick": ("{seat} picks {card}",),
    "play": ("{seat} plays {card}", "{card} is played", "{cards} are played", "nothing is played"),
    "take_row": ("{seat} takes row {row}", "row {row} is taken"),
    "claim": ("{seat} played {card}",),
    "adopt": ("the table is entered as it stands",),
    "correct": (
        "{add} was played, not {remove}",
        "{remove} was not played",
        "{add} was played too",
        "everything was correct",
    ),
    "swap": ("what {seats} took is swapped",),
    "leave": ("{seat} leaves",),
    "join": ("{seat} joins",),
    "end_deal": ("the deal ends here",),
    "turn_up": ("{cards} turned up",),
    "play_card": ("{seat} plays {card}", "{card} is played"),
    "choose": ("it goes on pile {pile}",),
    "done": ("{seat} is done", "that was all"),
    "take": ("{seat} takes pile {pile}", "pile {pile} is taken"),
    "bull_from": ("the bull card comes from {giver}",),
    "hand_card": ("{card} is left in the hand of {seat}", "{card} is left in a hand"),
    "hand": (
        "the hand of {seat} is counted: {cards}",
        "the hand of {seat} is counted: {heads} heads",
        "the hand of {seat} is counted: {points} points",
        "the hand of {seat} is counted",
    ),
    "race": ("{seat} answers the challenge with {card}", "{card} answers the challenge"),
    "race_off": ("nobody can answer the challenge",),
    "draw": ("{seat} draws", "the player whose turn it is draws"),
    "keep": ("the drawn card is kept",),
    "name": ("the joker is named",),
    "mode": ("the choice is: {mode}",),
    "whom": ("{to} is chosen",),
    "give": ("{card} is given", "a card is given face down"),
    "thanks": ("thank you was said{said}", "nobody said thank you"),
    "trouble": ("a trouble card is discarded with it{goes}", "no trouble card is discarded with it"),
    "foul": (
        "{seat} made a mistake with {card}",
        "{seat} made a mistake",
        "a mistake was made with {card}",
        "a mistake was made",
    ),
    "type_sum": ("{points} points are typed for {seat}", "{points} points are typed"),
    "put_card": ("{card} is counted for {seat}", "{card} is counted"),
    "meant": ("{card} was meant",),
    "end_pile": ("these cards belong to {seat}", "these cards belong to nobody"),
    "close": ("the deal is closed although its check failed{anyway}", "the deal is closed"),
    "correct_score": ("deal {deal} is corrected: {points}",),
    "swap_scores": ("the scores of {seats} in deal {deal} are swapped",),
    "end_match": ("the match is ended",),
}
"""Templates for each kind of command: the first one whose fields are all present is used."""

_SEATS: Final = frozenset({"seat", "seats", "to", "giver"})
_CARDS: Final = frozenset({"card", "cards", "remove", "add"})
_FROM_ZERO: Final = frozenset({"row", "pile"})
_MARK: Final = 2


def sentence(order: Mapping[str, object], game: AnyGame, translate: Translator) -> str:
    """A stored command in words; players are counted from 1."""
    for template in SENTENCES[str(order["kind"])]:
        names = [name for _, name, _, _ in Formatter().parse(template) if name]
        said = {name: _text(name, order.get(name), game, translate) for name in names}
        if None not in said.values():
            return translate(template, **said)
    return str(order["kind"])


def _text(name: str, value: object, game: AnyGame, translate: Translator) -> str | None:
    """A fact in words; None for one that the sentence leaves out."""
    if isinstance(value, bool):
        return "" if value else None
    if value is None or value in ("", []):
        return None
    if name in _SEATS:
        return _listed(value, lambda seat: translate("player {player}", player=int(str(seat)) + 1))
    if name in _CARDS:
        return _listed(value, lambda card: _in_a_line(translate.say(game.named(str(card)))))
    return str(int(str(value)) + 1) if name in _FROM_ZERO else _listed(value, str)


def _in_a_line(card: str) -> str:
    """A card in lower case, except for the mark of its icon."""
    return " ".join(word if len(word) <= _MARK else word.lower() for word in card.split())


def _listed(value: object, told: Callable[[object], str]) -> str | None:
    if isinstance(value, dict):
        value = [card for cards in value.values() for card in cards]
    if isinstance(value, list):
        return ", ".join(map(told, value)) or None
    return told(value)
