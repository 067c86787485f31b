"""Compares the rows that a camera sees with those that the referee has: which card lies wrong.

Nobody tells the camera which way the rows run, nor in which order they lie. Of the two ways, along the cards
or across them, the one counts that explains more of what is seen. All rows begin at the same side.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from statistics import median
from typing import Final

from companion.match.match import Match
from companion.text.sentence import Text, say
from companion.values import Value
from firmware.extensions.camera.cards_in_play import codes
from firmware.extensions.camera.seen import Seen, centre

_APART: Final = 0.5
"""Cards of one row differ across it by less than this share of a card from one to the next."""
_NEAR: Final = 2.5
"""What lies farther from every card of a row, in heights of a card, lies in no row."""


class Misplaced(Value):
    """A card that lies wrong. Rows count from 0; None: in no row."""

    card: str
    due: int | None = None
    """Where the referee has it."""
    seen: int | None = None
    """Where it was seen; None: nowhere, or away from all rows. Its own row: at another place of it."""

    def says(self, label: str) -> Text:
        """What is wrong, for people; `label` is what the display calls the card."""
        due, seen = (self.due or 0) + 1, (self.seen or 0) + 1
        if self.seen is None:
            return say("{card} IS NOT IN ROW {row}.", card=label, row=due)
        if self.due is None:
            return say("{card} DOES NOT BELONG IN ROW {row}.", card=label, row=seen)
        if self.due == self.seen:
            return say("{card} LIES OUT OF ORDER IN ROW {row}.", card=label, row=due)
        return say("{card} LIES IN ROW {seen} BUT BELONGS IN ROW {row}.", card=label, seen=seen, row=due)


def named(seen: Iterable[Seen], match: Match, box: int) -> dict[str, Seen]:
    """Cards that were seen, by the name that they have in the match: of copies the one that lies there.

    What is not sure counts as a card that lies there, if it may be one: often only a strip of it is visible.
    """
    lie = [card for stack in match.board.stacks for card in stack.cards]
    by_code, found = codes(match.box, box), dict[str, Seen]()
    reads = sorted(seen, key=lambda read: not read.code)
    names = [[n for code in (at.code, *at.candidates) for n in by_code if by_code[n] == code] for at in reads]
    often = Counter(chain.from_iterable(names))
    for read, may_be in zip(reads, names, strict=True):
        left = [name for name in may_be if name in lie and (name not in found or not found[name].code)]
        card = next((name for name in left if name not in found), may_be[0] if may_be and read.code else None)
        if card is not None:  # one that is the likeliest, with all others seen elsewhere, has no candidates
            clear = left == may_be[:1] and often[card] == 1
            found[card] = Seen(read.corners, read.code, partly=read.partly) if clear else read
    return found


def misplaced(match: Match, lies: Mapping[str, Seen]) -> list[Misplaced]:
    """What does not agree, given the cards that are seen: first what lies wrong, then what is not seen."""
    stacks = match.board.stacks
    rows = {card: row for row, stack in enumerate(stacks) if stack.room for card in stack.cards}
    # Of a pile there is the last card alone to be seen.
    tops = {stack.cards[-1]: row for row, stack in enumerate(stacks) if not stack.room and stack.cards}
    due = {**rows, **tops}
    missing = [
        Misplaced(card, row)
        for card, row in due.items()
        if card not in lies and (card in tops or _is_gone(stacks[row].cards, card, lies))
    ]
    # What may be one of several cards says that none of these is gone, but not where one lies.
    in_rows = {card: at for card, at in lies.items() if card not in tops and not at.candidates[1:]}
    if not rows or not in_rows:
        return missing
    order = {card: place for stack in stacks for place, card in enumerate(stack.cards)}
    ways = [_wrong(in_rows, rows, order, across=across) for across in (False, True)]
    wrong = min(ways, key=len)
    # A card that lies wrong may lie on the last one of that row.
    under = {stacks[card.seen].cards[-1] for card in wrong if card.seen not in (None, card.due)}
    return wrong + [card for card in missing if card.card not in under]


def _is_gone(row: Sequence[str], card: str, lies: Mapping[str, Seen]) -> bool:
    """Whether a card that is not seen has left its row: only the last one would surely be seen."""
    seen = [place for place, name in enumerate(row) if name in lies]
    return card == row[-1] and (not seen or seen[-1] < len(row) - 2 or not lies[row[-2]].partly)


def _wrong(
    lies: Mapping[str, Seen], due: Mapping[str, int], order: Mapping[str, int], *, across: bool
) -> list[Misplaced]:
    """The cards that lie in another row than their own, or in another `order` than each row has them.

    Rows run along the cards, or `across` them.
    """
    corners = [seen.corners for seen in lies.values()]
    # The direction of the upper edges of most cards; upside down is the same.
    double = [2 * math.atan2(b[1] - a[1], b[0] - a[0]) for a, b, _, _ in corners]
    turn = math.atan2(sum(map(math.sin, double)), sum(map(math.cos, double))) / 2 + across * math.pi / 2
    size_px = median([math.dist(card[1], card[0 if across else 2]) for card in corners])
    place = {card: centre(seen.corners) for card, seen in lies.items()}
    off = {card: y * math.cos(turn) - x * math.sin(turn) for card, (x, y) in place.items()}
    groups: list[list[str]] = []
    for card in sorted((card for card in off if card in due), key=off.__getitem__):
        if groups and off[card] - off[groups[-1][-1]] < _APART * size_px:
            groups[-1].append(card)
        else:
            groups.append([card])
    rows = [*zip(_rows_of(groups, due), groups, strict=True)]
    wrong = [Misplaced(card, due[card], row) for row, group in rows for card in group if row != due[card]]
    along = {card: x * math.cos(turn) + y * math.sin(turn) for card, (x, y) in place.items()}
    own = [[card for card in group if due[card] == row] for row, group in rows]
    wrong += [Misplaced(card, due[card], due[card]) for card in _out_of_order(own, order, along)]
    for card, at in off.items():
        for row, group in rows if card not in due else ():
            beside = any(
                abs(at - off[own]) < _APART * size_px
                and math.dist(place[card], place[own]) < _NEAR * lies[card].height_px
                for own in group
            )
            if beside and row is not None:
                wrong.append(Misplaced(card, None, row))
    return wrong


def _rows_of(groups: Sequence[Sequence[str]], due: Mapping[str, int]) -> list[int | None]:
    """The row to which most cards of each group belong, no row twice; in a tie the longer row."""
    claims = sorted(
        (-votes, len(group), -[*due.values()].count(row), at, row)
        for at, group in enumerate(groups)
        for row, votes in Counter(due[card] for card in group).items()
    )
    row_of: dict[int, int] = {}
    for *_, at, row in claims:
        if at not in row_of and row not in row_of.values():
            row_of[at] = row
    # Of a row nothing may be seen but a card that lies wrong.
    alone, left = {*range(len(groups))} - {*row_of}, {*due.values()} - {*row_of.values()}
    if len(alone) == len(left) == 1:
        row_of[alone.pop()] = left.pop()
    return [row_of.get(at) for at in range(len(groups))]


def _out_of_order(rows: list[list[str]], order: Mapping[str, int], along: Mapping[str, float]) -> list[str]:
    """The fewest cards that lie at another place of their row, whichever end the rows begin at."""
    both: tuple[list[str], list[str]] = [], []
    for row in rows:
        lie = sorted(row, key=along.__getitem__)
        for wrong, cards in zip(both, (lie, lie[::-1]), strict=True):
            right = _rising([order[card] for card in cards])
            wrong += [card for card in cards if order[card] not in right]
    return min(both, key=len)


def _rising(places: Iterable[int]) -> list[int]:
    """The longest part of a list that rises."""
    parts: list[list[int]] = []
    for place in places:
        parts.append([*max((part for part in parts if part[-1] < place), key=len, default=[]), place])
    return max(parts, key=len, default=[])
