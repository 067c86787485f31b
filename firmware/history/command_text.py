"""What people did: a command of the log as a sentence."""

from collections.abc import Callable, Mapping
from string import Formatter
from typing import Final

from companion.core.game import Game
from companion.text.sentence import COMMA, Text, say
from firmware.text.translation import Translator

SENTENCES: Final[Mapping[str, tuple[Text, ...]]] = {
    "lay_rows": (say("{cards} start the rows"),),
    "lay": (say("{card} starts a row"),),
    "pick": (say("{seat} picks {card}"),),
    "register": (say("a card of {seat} is scanned"),),
    "forget_hands": (say("the deal is played without known hands"),),
    "play": (
        say("{seat} plays {card}"),
        say("{card} is played"),
        say("{cards} are played"),
        say("nothing is played"),
    ),
    "take_row": (say("{seat} takes row {row}"), say("row {row} is taken")),
    "claim": (say("{seat} played {card}"),),
    "skip_owner": (say("nobody knows who played {card}"),),
    "adopt": (say("the table is entered as it stands"),),
    "correct": (
        say("{add} was played, not {remove}"),
        say("{remove} was not played"),
        say("{add} was played too"),
        say("everything was correct"),
    ),
    "swap": (say("what {seats} took is swapped"),),
    "leave": (say("{seat} leaves"),),
    "join": (say("{seat} joins"),),
    "end_deal": (say("the deal ends here"),),
    "turn_up": (say("{cards} turned up"),),
    "play_card": (say("{seat} plays {card}"), say("{card} is played")),
    "show_card": (say("{card} is played"),),
    "choose": (say("a pile is chosen for it"),),
    "done": (say("{seat} is done"), say("that was all")),
    "take": (say("{seat} takes a pile"), say("a pile is taken")),
    "bull_from": (say("the bull card comes from {giver}"),),
    "hand_card": (say("{card} is left in the hand of {seat}"), say("{card} is left in a hand")),
    "hand": (
        say("the hand of {seat} is counted: {cards}"),
        say("the hand of {seat} is counted; heads: {heads}"),
        say("the hand of {seat} is counted: it costs {points}"),
        say("the hand of {seat} is counted"),
    ),
    "race": (say("{seat} answers the challenge with {card}"), say("{card} answers the challenge")),
    "race_off": (say("nobody can answer the challenge"),),
    "draw": (say("{seat} draws"), say("the player whose turn it is draws")),
    "keep": (say("the drawn card is kept"),),
    "name": (say("the symbol of the joker is named"),),
    "mode": (say("the choice is: {mode}"),),
    "whom": (say("{to} is chosen"),),
    "give": (say("{card} is given"), say("a card is given face down")),
    "thanks": (say("thank you was said{said}"), say("nobody said thank you")),
    "trouble": (
        say("a trouble card is discarded with it{goes}"),
        say("no trouble card is discarded with it"),
    ),
    "foul": (
        say("{seat} made a mistake with {card}"),
        say("{seat} made a mistake"),
        say("a mistake was made with {card}"),
        say("a mistake was made"),
    ),
    "type_sum": (say("the sum {points} is typed for {seat}"), say("the sum {points} is typed")),
    "put_card": (say("{card} is counted for {seat}"), say("{card} is counted")),
    "meant": (say("{card} was meant"),),
    "end_pile": (say("these cards belong to {seat}"), say("these cards belong to nobody")),
    "close": (say("the deal is closed although its check failed{anyway}"), say("the deal is closed")),
    "correct_score": (say("deal {deal} is corrected: {points}"),),
    "end_match": (say("the match is ended"),),
    "settle_tie": (say("the tie is settled: {by}"),),
}
"""Templates for each kind of command: the first one whose fields are all present is used."""

_TIES: Final = {
    "shared": say("the win is shared"),
    "last_deal": say("the last deal decides"),
    "one_more": say("one more deal is played"),
}
"""What players can agree on about a tie (`companion.core.score_sheet.TieChoice`)."""

_SEATS: Final = frozenset({"seat", "seats", "to", "giver"})
_CARDS: Final = frozenset({"card", "cards", "remove", "add"})
_FACE_DOWN: Final = {"give": frozenset({"card"})}
"""By the kind of a command, the fields whose cards nobody may know while the deal is played."""

_FROM_ZERO: Final = frozenset({"row"})
_MARK: Final = 2


def sentence(
    order: Mapping[str, object], game: Game, translate: Translator, *, in_progress: bool = False
) -> str:
    """A stored command in words; players are counted from 1.

    `in_progress`: its deal is still played, so a card that was given face down is not named.
    """
    hidden = _FACE_DOWN.get(str(order["kind"]), frozenset()) if in_progress else frozenset()
    for template in SENTENCES[str(order["kind"])]:
        names = [name for _, name, _, _ in Formatter().parse(template.template) if name]
        facts = {name: None if name in hidden else order.get(name) for name in names}
        said = {name: _text(name, fact, game, translate) for name, fact in facts.items()}
        if None not in said.values():
            return translate.say(template.with_facts(**said))
    return str(order["kind"])


def _text(name: str, value: object, game: Game, translate: Translator) -> str | None:
    """A fact in words; None for one that the sentence leaves out."""
    if isinstance(value, bool):
        return "" if value else None
    if value is None or value in ("", []):
        return None
    if name in _SEATS:
        return _listed(value, lambda seat: translate("player {player}", player=int(str(seat)) + 1), translate)
    if name in _CARDS:
        return _listed(value, lambda card: _in_a_line(game.named(str(card)), translate), translate)
    if name == "by" and value in _TIES:
        return translate.say(_TIES[str(value)])
    if name in _FROM_ZERO:
        return translate.number(int(str(value)) + 1)
    return _listed(value, lambda number: translate.digits(str(number)), translate)


def _in_a_line(card: Text, translate: Translator) -> str:
    """A card in words of a sentence, except for the mark of its icon."""
    words = translate.say(card).split()
    return " ".join(word if len(word) <= _MARK else translate.in_a_sentence(word) for word in words)


def _listed(value: object, told: Callable[[object], str], translate: Translator) -> str | None:
    if isinstance(value, dict):
        value = [card for cards in value.values() for card in cards]
    if isinstance(value, list):
        return translate.say(COMMA).join(map(told, value)) or None
    return told(value)
