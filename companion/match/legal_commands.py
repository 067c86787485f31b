"""Every command that answers an open question now, found by asking the game itself.

The possible answers to each question are read by `Game.read` and judged by `Match.propose`, so the
list cannot differ from what the referee accepts. Cards of a hand that nobody has seen are listed as
long as they would not be refused. Where hands were scanned that nobody may see, the
list is made as if none were known: so it tells nothing of them, and a card of such a hand is refused to
others although it is listed. Points are listed up to `MAX_POINTS`, and down to its negative; larger
ones are accepted where nobody knows the cards.
"""

import json
from collections.abc import Iterator
from typing import Any, Final

from companion.core.ask import TYPED, Ask, AskKind, Gives
from companion.core.cards import Seat
from companion.core.codec import encode_short
from companion.core.ruling import ForgetHands
from companion.core.score_sheet import MAX_POINTS
from companion.match.match import Match, Step
from companion.text.errors import CompanionError

_TAKE_POINTS: Final = (AskKind.HAND, AskKind.LAY)
"""The questions that may also be answered with a number of points."""


def legal_commands(match: Match, seat: Seat | None = None) -> list[dict[str, Any]]:
    """The legal answers to the open questions, as records without the fields that can be left out.

    A card is given alone: four rows card by card, a move with bull cards card by card. A command has no
    `seat` where it can be left out. With `seat`, only what that seat can do is listed, and the commands
    name it. Empty when nothing is asked, or that seat is not asked.

    While a hand is scanned, every card is listed for it.

    What nobody asks for is not listed: corrections, players who come and go, mistakes, the score.

    It judges at most some hundred cards for each of the few open questions; where points can be typed,
    some thousand numbers more.
    """
    found: dict[str, dict[str, Any]] = {}
    public = _without_scanned_hands(match)
    for ask in match.asks:
        if seat is not None and seat not in ask.seats:
            continue
        for text in _answers(match, ask):
            try:
                command = match.game.read(ask, seat, text)
            except CompanionError:  # no answer to this question
                continue
            of = getattr(command, "seat", None)
            if seat is not None and of not in (None, seat):
                continue
            if ask.kind is AskKind.HOLD and text not in ask.choices:
                accepted = True
            elif text in ask.choices:
                accepted = isinstance(match.propose(command), Step)
            else:
                accepted = isinstance(public.propose(command), Step)
            if accepted:
                record = encode_short(command)
                found.setdefault(json.dumps(record), record)
    return list(found.values())


def _without_scanned_hands(match: Match) -> Match:
    """The match as if no hand had been scanned; the match itself where none is."""
    if not match.game.tells_hands or match.position.over:
        return match
    step = match.propose(ForgetHands())
    return match.then(step) if isinstance(step, Step) else match


def _answers(match: Match, ask: Ask) -> Iterator[str]:
    """Everything that may be an answer to a question: its choices, or every card and every sum."""
    yield from ask.choices
    if ask.choices or ask.kind.gives is not Gives.CARD:
        return
    yield from match.game.cards(match.position.table)
    if ask.kind in _TAKE_POINTS:
        yield from (f"{TYPED}{points}" for points in range(-MAX_POINTS, MAX_POINTS + 1))
