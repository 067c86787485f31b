"""A table of Ciao! to set up: its JSON Schema, defaults filled in, what is impossible about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.games.ciao.cards import Icon, face, kind, split
from companion.games.ciao.events import TableAdopted

if TYPE_CHECKING:
    from companion.games.ciao.commands import Adopt
    from companion.games.ciao.table import Table

MOST_PENDING: Final = 99
MOST_SKIPS: Final = 9


def filled_in(table: Table, adopt: Adopt) -> TableAdopted:
    """The position; what was left out keeps its present value, the draw pile is the rest of the deck."""
    seats = len(table.hands)
    top = table.top if adopt.top is None else adopt.top
    discards = table.discards[:-1] if adopt.discards is None else adopt.discards
    if not top:
        discards = adopt.discards or ()
    hands = tuple(hand.known for hand in table.hands) if adopt.hands is None else adopt.hands
    sizes = tuple(hand.size for hand in table.hands)
    if adopt.hand_sizes is not None:
        sizes = adopt.hand_sizes
        if adopt.hands is None:
            hands = ((),) * seats
    elif adopt.hands is not None:
        sizes = tuple(map(len, adopt.hands))
    lying = sum(sizes) + len(discards) + bool(top)
    same = adopt.hands is None and adopt.hand_sizes is None and adopt.discards is None
    draw = max(0, table.agreement.size - lying)
    if same:
        draw = min(draw, table.draw)
    pile = adopt.pile if adopt.pile is not None else table.pile[:draw] if same else ()
    if adopt.draw is not None:
        draw = adopt.draw
        pile = pile[:draw] if adopt.pile is None else pile
    elif adopt.pile is not None:
        draw = len(adopt.pile)
    turn = table.turn if adopt.turn is None else adopt.turn
    pending = table.pending if adopt.pending is None and adopt.top is None else adopt.pending or 0
    return TableAdopted(
        top,
        discards,
        turn,
        table.dir if adopt.dir is None else adopt.dir,
        pending,
        hands,
        sizes,
        draw,
        pile,
        table.skips if adopt.skips is None else adopt.skips,
        adopt.race,
    )


def position_faults(table: Table, at: TableAdopted) -> list[str]:
    """Everything that can never lie on this table, in words; empty if it can.

    How many cards there are of a kind is not checked (house rule HC-10).
    """
    faults: list[str] = []
    seats, size = len(table.hands), table.agreement.size
    for name, many in (
        ("hands", len(at.hands)),
        ("hand_sizes", len(at.hand_sizes)),
        ("skips", len(at.skips)),
    ):
        if many != seats:
            faults.append(f"{name!r} needs {seats} entries, one for each seat, but has {many}")
    if at.turn not in table.players:
        faults.append(f"player {at.turn + 1} is not playing")
    if at.dir not in (1, -1):
        faults.append(f"the direction is {at.dir}, not 1 or -1")
    if not 0 <= at.draw <= size or len(at.pile) > at.draw:
        faults.append(
            f"the number of cards in the draw pile is {at.draw}; "
            f"{len(at.pile)} are named, the deck has {size}"
        )
    if len(at.discards) > size:
        faults.append(f"there are {len(at.discards)} cards under the top card; the deck has {size}")
    if any(not 0 <= skips <= MOST_SKIPS for skips in at.skips):
        faults.append(f"turns to lose are not between 0 and {MOST_SKIPS}")
    cards = [card for hand in at.hands for card in hand] + [*at.discards, *at.pile]
    top = at.top.partition("=")[0]
    faults += [f"{card[:20]!r} is not a Ciao! card" for card in cards if split(card) is None]
    if faults:
        return faults
    faults += _top_faults(at, top)
    copies = [card for card in (*cards, top) if "#" in card]
    faults += [f"{card} is in two places" for card in sorted(set(copies)) if copies.count(card) > 1]
    for seat, (known, many) in enumerate(zip(at.hands, at.hand_sizes, strict=True), start=1):
        if seat - 1 not in table.players and (known or many):
            faults.append(f"player {seat} is not playing and cannot have cards")
        if not len(known) <= many <= size:
            faults.append(f"the number of cards in player {seat}'s hand is {many}; {len(known)} are named")
    if sum(not at.hand_sizes[seat] for seat in table.players) > 1:
        faults.append("only one hand can be empty")
    if at.race is not None and at.race not in table.players:
        faults.append(f"the challenger, player {at.race + 1}, is not playing")
    return faults


def _top_faults(at: TableAdopted, top: str) -> list[str]:
    if not at.top:
        faults = ["there are discards, but no top card"] if at.discards else []
        return [
            *faults,
            *(
                ["there is no top card that could have an effect"]
                if at.pending or at.race is not None
                else []
            ),
        ]
    if split(top) is None or (face(at.top) is None and (at.top != top or not kind(top).joker)):
        return [f"{at.top[:20]!r} cannot be the top card"]
    icon = kind(top).icon
    faults = []
    if at.pending and (not 0 < at.pending <= MOST_PENDING or at.pending % 3 or icon is not Icon.PLUS_THREE):
        faults.append(f"{at.pending} cards cannot be pending on {at.top}")
    if at.race is not None and icon is not Icon.CHALLENGE:
        faults.append(f"{at.top} is not a challenge")
    return faults


def position_schema() -> dict[str, Any]:
    """The JSON Schema of a position."""
    number = {"type": ["integer", "null"]}
    cards = {"type": "array", "items": {"type": "string"}}

    def maybe(schema: dict[str, Any]) -> dict[str, Any]:
        return {"anyOf": [schema, {"type": "null"}]}

    return {
        "type": "object",
        "properties": {
            "top": {"type": ["string", "null"]},
            "turn": number,
            "dir": number,
            "pending": number,
            "hands": maybe({"type": "array", "items": cards}),
            "hand_sizes": maybe({"type": "array", "items": {"type": "integer"}}),
            "draw": number,
            "pile": maybe(cards),
            "discards": maybe(cards),
            "skips": maybe({"type": "array", "items": {"type": "integer"}}),
            "race": number,
        },
        "additionalProperties": False,
    }
