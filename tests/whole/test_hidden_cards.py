"""No picture tells what people at the table may not see: it is the same whatever the hidden cards are."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

import pytest
from msgspec.structs import replace

from firmware.display.canvas import Canvas
from firmware.play.flow import base_page
from firmware.screens.count.audit import Audit
from firmware.screens.count.count import CardCount
from firmware.screens.result.views import Rows, Standings
from firmware.screens.turn.on_turn import OnTurn
from firmware.screens.turn.ruling import Why
from firmware.screens.turn.taken import Taken
from firmware.scripted.players import Players
from tests.firmware.evening import device
from tests.whole.look_alike import look_alike

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from companion.match.match import Match
    from firmware.screens.parts.base import Page
    from firmware.session.session import Session


def _pages(session: Session) -> Iterator[Page]:
    """The page of the open question, and all that people can look up between two cards."""
    page = base_page(session, lambda _result: False, None)
    yield page
    if isinstance(page, OnTurn):
        yield from (replace(page, cursor=cursor) for cursor in range(6))
    match = session.playing
    board = match.game.board(match.position.table)
    yield from (CardCount(), Standings(), Audit())
    yield from (Rows(first) for first in range(0, max(1, len(board.stacks)), 4))
    for at, line in enumerate(board.newest):
        why = Why(board.newest, at)
        yield from (Why(board.newest, at, part) for part in range(len(why._text(session))))
        if line.taker is not None:
            yield Taken(line, line.taker)


def _pictures(session: Session, match: Match) -> list[tuple[str, bytes]]:
    kept, session.match = session.match, match
    try:
        found = []
        for page in _pages(session):
            canvas = Canvas()
            page.draw(canvas, session)
            found.append((page.NAME, canvas.image().tobytes()))
        return found
    finally:
        session.match = kept


@pytest.mark.parametrize(("game", "seats", "seed"), [("eleven", 3, 1), ("eleven", 5, 2), ("ciao", 4, 3)])
def test_every_picture_of_a_match_is_the_same_whatever_cards_are_hidden(
    tmp_path: Path, game: str, seats: int, seed: int
) -> None:
    random = Random(seed)
    drawn: set[str] = set()
    with device(tmp_path) as at:
        players = Players(game, seats, Random(seed))
        for _ in range(4000):
            message = players.next(at.controller)
            if message is None:
                break
            at.controller.tick(at.controller.now_s + 1)
            at.controller.hear(message, at.controller.now_s)
            session = at.runtime.session
            if session.match is None or not session.match.asks or random.random() > 0.15:
                continue
            true = _pictures(session, session.match)
            assert _pictures(session, look_alike(session.match, random)) == true
            drawn |= {name for name, _ in true}
        assert at.match.winners
    assert {"on_turn", "rows", "why", "card_count"} <= drawn
    if game == "eleven":
        assert {"choose_stack", "taken"} <= drawn
