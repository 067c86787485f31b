"""Which cards of a box get a label, with the text of the code and the words in clear text."""

from __future__ import annotations

import re

from companion.core import games
from companion.core.cards import Seat
from companion.core.codes import BOXES, card_code
from companion.text.errors import InvalidRecord, quoted
from companion.text.sentence import Text, say
from companion.values import Value
from firmware.paper.stock import InvalidRequest


class PrintedCard(Value):
    """A card of the box: the number in its code, its name, its label for players, and its code."""

    number: int
    name: str
    label: Text
    code: str


class Deck(Value):
    """Cards of one game that need a label."""

    key: str
    title: str
    cards: tuple[PrintedCard, ...]


def chosen(name: str) -> tuple[str, ...]:
    """The games of a print job: one, or `all` that have cards. Raises `UnknownGame` or `InvalidRequest`."""
    boxed = tuple(key for key in games.GAMES if games.module(key).DECK)
    if name == "all":
        return boxed
    module = games.module(name)
    if name not in boxed:
        raise InvalidRequest(
            say("{game} has no cards of its own", game=module.TITLE),
            say("use one of: {names}", names=(*boxed, "all")),
        )
    return (name,)


def deck(key: str, which: str = "full", only: str = "", box: int = 1) -> Deck:
    """The cards of a game: `full`, or `known:4` for the known deck of four players.

    `only` picks from them by number or name, as in `17,55,90-99`. Raises `InvalidRequest`, naming
    the part that will not do. `box` numbers the boxes of a game that is there more than once.
    """
    if box not in BOXES:
        raise InvalidRequest(
            say("there is no box {box}", box=box),
            say("use --box {first} to --box {last}", first=str(BOXES[0]), last=str(BOXES[-1])),
        )
    module = games.module(key)
    game = module.make(module.SEATS[0], {})
    cards = tuple(
        PrintedCard(number, name, game.label(name), card_code(module.CODE, number, box))
        for number, name in enumerate(module.DECK, start=1)
    )
    if which != "full":
        known = _known(key, which)
        cards = tuple(card for card in cards if card.name in known)
    if only:
        cards = _only(cards, only)
    return Deck(key, module.TITLE, cards)


def _known(key: str, which: str) -> frozenset[str]:
    form = re.fullmatch(r"known:([0-9]{1,2})", which)
    if not form:
        raise InvalidRequest(
            say("there is no deck {deck}", deck=quoted(which)),
            say("use full, or known:N with the number of players"),
        )
    seats = int(form.group(1))
    module = games.module(key)
    try:
        game = module.make(seats, {"deck": "known"})
    except InvalidRecord as bad:
        raise InvalidRequest(
            say("the deck {deck} cannot be used: {fault}", deck=quoted(which), fault=bad.fault_text),
            say("use --deck full"),
        ) from bad
    players = tuple(Seat(seat) for seat in range(seats))
    return frozenset(game.cards(game.start(seats, players, players[0])))


def _only(cards: tuple[PrintedCard, ...], only: str) -> tuple[PrintedCard, ...]:
    wanted: set[int] = set()
    for part in filter(None, re.split(r"[\s,]+", only)):
        span = re.fullmatch(r"([0-9]+)-([0-9]+)", part)
        found = {
            card.number
            for card in cards
            if (int(span[1]) <= card.number <= int(span[2]) if span else part in _names(card))
        }
        if not found:
            fix = say("use the whole deck: no card of it is left")
            if cards:
                fix = say(
                    "use numbers and ranges such as 17,55,90-99 ({first} to {last})",
                    first=str(cards[0].number),
                    last=str(cards[-1].number),
                )
            raise InvalidRequest(say("this deck has no card {card}", card=quoted(part)), fix)
        wanted |= found
    return tuple(card for card in cards if card.number in wanted)


def _names(card: PrintedCard) -> set[str]:
    """All names by which a request may give a card; every copy of a card has its name."""
    return {str(card.number), card.name, card.name.partition("#")[0]}
