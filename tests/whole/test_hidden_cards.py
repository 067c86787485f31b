"""No outlet tells what people at the table may not see: all is the same whatever the hidden cards are."""

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.match.log import write_step
from companion.match.match import Match
from companion.protocol.referee import Referee
from companion.protocol.snapshot import public_events, public_step, table_snapshot
from firmware.commands.players import SimulatedGroup
from firmware.display.canvas import Canvas
from firmware.play.page import AnyPage
from firmware.screens.count import AuditPage, CardCount
from firmware.screens.flow import base_page
from firmware.screens.result.views import Rows, Standings
from firmware.screens.turn.on_turn import OnTurn
from firmware.screens.turn.ruling import WhoTakes, Why
from firmware.session.session import Session
from firmware.table_socket.messages import PublicPage, PublicPicture, Snapshot, line
from hardware.ports import Light
from network.hub import view as hub
from network.hub.evening import TableNow
from network.hub.matches import HubMatch
from network.mqtt.payloads import encode, step_record
from network.mqtt.state import match_of
from network.web.view import view_of
from tests.firmware.evening import device
from tests.whole.look_alike import look_alike


def _pages(session: Session) -> Iterator[AnyPage]:
    """The page of the open question, and all that people can look up between two cards."""
    page = base_page(session, lambda _result: False, None)
    yield page
    board = session.playing.board
    if isinstance(page, OnTurn) and page.takes is not None:
        yield replace(page, among=tuple(stack.choice for stack in board.stacks[:4]))
    yield from (CardCount(), Standings(), AuditPage())
    yield from (Rows(first) for first in range(0, max(1, len(board.stacks)), 4))
    for at, shown in enumerate(board.newest):
        why = Why(board.newest, at)
        yield from (Why(board.newest, at, part) for part in range(len(why._text(session))))
        if shown.taker is not None:
            yield WhoTakes(shown, shown.taker)


def _pictures(session: Session, match: Match) -> list[tuple[str, bytes]]:
    kept = session.state
    session.update(match=match)
    try:
        found = []
        for page in _pages(session):
            canvas = Canvas()
            page.draw(canvas, session)
            found.append((page.NAME, canvas.image().tobytes()))
        return found
    finally:
        session.adopt(kept)


def _outlets(session: Session, match: Match) -> dict[str, object]:
    """What every outlet sends of a match."""
    names = ("Ana", "Bo", "Cem", "Dora", "Eli")[: len(match.totals)]
    people = list(enumerate(names, start=1))
    t = session.translate.calling(names)
    table = table_snapshot(match, people, t.say, 1)
    picture = PublicPicture(128, 64, Light.FULL, b"")
    page = PublicPage("home", False, None, (), "")
    snapshot = Snapshot(1, "en", "language", "language", table, (), page, "", picture, ())
    folded = HubMatch("uid", match.steps, match, names=names)
    referee = Referee()
    referee._match = match
    return {
        **{f"picture {at} {name}": shown for at, (name, shown) in enumerate(_pictures(session, match))},
        "socket": line(snapshot),
        "web": {language: view_of(snapshot, language, away=False) for language in ("en", "de", "fa")},
        "mqtt": encode(match_of(table, "uid", t, names=True)),
        "hub": hub.table(TableNow("t1"), folded, t, away=""),
        "hall": hub.hall_entry(TableNow("t1"), folded, t),
        "referee": referee.answer(b'{"show": "public"}'),
    }


def _steps(match: Match) -> list[list[dict[str, Any]]]:
    """The events of the newest step, as every outlet sends them."""
    step = match.newest
    if step is None or step.voids is not None:
        return []
    referee = Referee()
    referee._match = match
    return [
        json.loads(line(public_step(step, match, str)))["events"],
        step_record(match.game, write_step(step, sentences=False))["events"],
        referee.answer(b'{"show": "public"}')["events"],
    ]


@pytest.mark.parametrize(
    ("game", "seats", "seed"),
    [("six", 4, 5), ("eleven", 3, 1), ("eleven", 5, 2), ("ciao", 4, 3), ("score", 3, 4)],
)
def test_every_outlet_is_the_same_whatever_cards_are_hidden(
    tmp_path: Path, game: str, seats: int, seed: int
) -> None:
    random = Random(seed)
    drawn, covered = set[str](), 0
    with device(tmp_path) as at:
        players = SimulatedGroup(game, seats, Random(seed))
        for _ in range(4000):
            message = players.next(at.table)
            if message is None:
                break
            at.wait(1)
            at.give(message)
            session = at.runtime.session
            if session.match is None or not session.match.asks or random.random() > 0.04:
                continue
            match = session.match
            true, other = _outlets(session, match), _outlets(session, look_alike(match, random))
            for outlet, shown in true.items():
                assert other[outlet] == shown, outlet
            for events in _steps(match):
                assert events == public_events(match.game, match.newest)  # type: ignore[arg-type] # there is one
            drawn |= {name for name, _ in _pictures(session, match)}
            covered += sum(stack.covered for stack in match.board.stacks)
        assert at.match.winners
    assert {"rows", "why", "card_count"} <= drawn or game == "score"
    assert "on_turn" in drawn or game not in ("eleven", "ciao")
    if game == "eleven":
        assert {"choose_stack", "taken"} <= drawn
        assert covered > 10
