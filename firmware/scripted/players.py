"""Scripted players at the device: their answers as the scans and keys that people would use."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any

from companion import games
from companion.ask import TYPED, AskKind, Gives
from companion.cards import Seat
from companion.codes import badge_code, card_code
from firmware.session.actions import ROW_KEYS
from hardware.ports import Key, KeyPressed, Scanned

if TYPE_CHECKING:
    from collections.abc import Iterator

    from companion.ask import Answer
    from companion.game import RandomSource
    from firmware.play.controller import Controller


class Players:
    """A group that plays one match at random. It sees what people at the table see."""

    def __init__(self, game: str, seats: int, rng: RandomSource) -> None:
        self._game = game
        self._seats = seats
        self._people = games.module(game).Bots(rng)
        self._due: deque[KeyPressed | Scanned] = deque()

    def next(self, controller: Controller) -> KeyPressed | Scanned | None:
        """What one of them does next; None when the match is over.

        Raises `RuntimeError` where the device refuses what they did: they play by the rules.
        """
        page: Any = controller.front
        if page.NAME == "refusal":
            raise RuntimeError(f"the device refused a legal answer: {page.fault} ({page.fix})")
        if not self._due:
            match = controller.session.match
            if match is None:
                self._due.append(self._begin(controller))
            elif controller.front.NAME in ("ruling", "deal_end", "taken"):
                self._due.append(KeyPressed(Key.OK))
            elif match.asks:
                answer = self._people.answer(match.position.table, match.asks)
                self._due.extend(self._given(answer, controller))
        return self._due.popleft() if self._due else None

    def _begin(self, controller: Controller) -> KeyPressed | Scanned:
        page: Any = controller.front
        if page.NAME == "start":
            return KeyPressed(ROW_KEYS[tuple(games.GAMES).index(self._game)])
        if page.NAME == "players" and len(page.badges) < self._seats:
            return Scanned(badge_code(len(page.badges) + 1))
        return KeyPressed(Key.OK)

    def _dialled(
        self, points: int, seat: Seat | None, controller: Controller
    ) -> Iterator[KeyPressed | Scanned]:
        """Points are dialled on the page of all sums, for who is lit, or on the dial of one hand."""
        tens, ones = (Key.RIGHT, Key.UP)
        if controller.front.NAME == "sums" and seat is not None:
            tens, ones = (Key.ROW_4, Key.ROW_3)
            yield Scanned(badge_code(controller.session.badge(seat)))
        else:
            yield KeyPressed(Key.ROW_2 if controller.front.NAME == "pile" else Key.ROW_1)
        for key, times in ((tens, points // 10), (ones, points % 10)):
            for _ in range(times):
                yield KeyPressed(key)
        yield KeyPressed(Key.OK)

    def _given(self, answer: Answer, controller: Controller) -> Iterator[KeyPressed | Scanned]:
        ask = answer.ask
        gives = ask.kind.gives
        if gives is Gives.CARD:
            if answer.text.startswith(TYPED):
                yield from self._dialled(int(answer.text.removeprefix(TYPED)), answer.seat, controller)
                return
            counted = ask.kind is AskKind.HAND and answer.seat == ask.seats[0]
            if answer.seat is not None and len(ask.seats) > 1 and not counted:
                yield Scanned(badge_code(controller.session.badge(answer.seat)))
            box = games.module(controller.session.playing.box)
            yield Scanned(card_code(box.CODE, box.DECK.index(answer.text) + 1))
        elif gives is Gives.PLAYER:
            yield Scanned(badge_code(controller.session.badge(Seat(int(answer.text)))))
        elif gives is Gives.WORD and len(ask.choices) == 1:
            yield KeyPressed(Key.OK)
        else:
            for _ in range(ask.choices.index(answer.text) + 1):
                yield KeyPressed(Key.DOWN)
            yield KeyPressed(Key.OK)
