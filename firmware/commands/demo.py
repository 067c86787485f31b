"""`nimmt demo`: scripted players play a whole match through the door that people use: scans and keys."""

from __future__ import annotations

import random
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from companion import games
from companion.codes import badge_code, card_code
from companion.game import Verb
from firmware.build import Rig
from firmware.config import choose, load
from hardware.ports import Key, KeyPressed, Scanned

if TYPE_CHECKING:
    import argparse

    from companion.match import Match
    from firmware.desk import Desk

PAUSE_S = 0.7


class Players:
    """Random hands, played by the questions that the device asks. Sees what a person at the table sees."""

    def __init__(self, seats: int, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - a game, no secret
        self._seats = seats
        self._deal = 0
        self._hands: list[list[int]] = []
        self._rows: list[int] = []
        self._owner: dict[str, int] = {}
        self._turn: list[tuple[int, int]] = []

    def answer(self, desk: Desk) -> KeyPressed | Scanned | None:
        """What they do next; None when the match is over."""
        match = desk.world.match
        if match is None:
            return self._begin(desk)
        page = desk.front.NAME
        if page in ("ruling", "deal_end", "taken"):
            return KeyPressed(Key.OK)
        if not match.asks:
            return None
        return self._play(match)

    def _begin(self, desk: Desk) -> KeyPressed | Scanned:
        page = desk.front
        if page.NAME == "start":
            return KeyPressed(Key.ROW_1)
        joined = len(getattr(page, "badges", ()))
        if page.NAME == "players" and joined < self._seats:
            return Scanned(badge_code(joined + 1))
        return KeyPressed(Key.OK)

    def _play(self, match: Match) -> KeyPressed | Scanned:
        ask = match.asks[0]
        code = games.module(match.terms.game).CODE
        if match.position.deal != self._deal:
            self._shuffle(match)
        if ask.verb is Verb.LAY:
            return Scanned(card_code(code, self._rows[len(ask.have)]))
        if ask.verb is Verb.CHOOSE:
            stacks = match.game.board(match.position.table).stacks
            cheapest = min(range(len(stacks)), key=lambda row: stacks[row].heads)
            return KeyPressed((Key.ROW_1, Key.ROW_2, Key.ROW_3, Key.ROW_4)[cheapest])
        if ask.verb is Verb.CLAIM:
            return Scanned(badge_code(self._owner[ask.card] + 1))
        if not ask.have:
            self._turn = [
                (hand.pop(self._chance.randrange(len(hand))), seat) for seat, hand in enumerate(self._hands)
            ]
            self._chance.shuffle(self._turn)
        card, seat = self._turn[len(ask.have)]
        self._owner[str(card)] = seat
        return Scanned(card_code(code, card))

    def _shuffle(self, match: Match) -> None:
        self._deal = match.position.deal
        cards = list(range(1, match.game.board(match.position.table).deck + 1))
        self._chance.shuffle(cards)
        self._rows = cards[:4]
        self._hands = [cards[4 + 10 * seat : 14 + 10 * seat] for seat in range(self._seats)]


def run(words: argparse.Namespace) -> int:
    """Play a match. With a terminal it is shown on the device's picture, else in one line a deal."""
    watched = sys.stdout.isatty() and sys.stdin.isatty()
    config = replace(
        load(None),
        display=choose("display", "terminal" if watched else "simulated"),
        buzzer=choose("buzzer", "none"),
    )
    players = Players(words.seats, words.seed)
    with tempfile.TemporaryDirectory(prefix="nimmt-demo-") as folder:
        rig = Rig(config, Path(folder) / "demo.sqlite")
        desk = rig.app.desk
        try:
            if watched:
                rig.start()
            deals = 0
            while (act := players.answer(desk)) is not None:
                desk.hear(act, time.monotonic() if not words.fast else desk.now_s + PAUSE_S * 2)
                if not words.fast:
                    rig.app.look()
                    time.sleep(PAUSE_S)  # noqa: TID251 - people watch
                elif watched:
                    rig.app.look()
                deals = _told(desk, deals, watched=watched)
            _told(desk, deals, watched=watched)
        finally:
            rig.close()
        _result(desk)
    return 0


def _told(desk: Desk, deals: int, *, watched: bool) -> int:
    ledger = desk.world.match.position.ledger if desk.world.match else None
    if ledger is None or len(ledger.deals) == deals:
        return deals
    if not watched:
        print(f"deal {len(ledger.deals)}: {_score(ledger.deals[-1])}  total: {_score(ledger.totals)}")
    return len(ledger.deals)


def _score(points: tuple[int, ...]) -> str:
    return "  ".join(f"P{seat + 1} {heads:3}" for seat, heads in enumerate(points))


def _result(desk: Desk) -> None:
    match = desk.world.playing
    won = ", ".join(desk.world.name(seat) for seat in match.winners or ())
    print(f"won with the fewest heads: {won}")
