"""Scripted players at the device: scans, keys and choices that give it what players decide."""

from collections import deque
from collections.abc import Iterator

from companion.core import games
from companion.core.ask import TYPED, Answer, AskKind, Gives
from companion.core.cards import Seat
from companion.core.codes import badge_code, card_code
from companion.core.game import RandomSource
from companion.match.dealer import Group, players_by_chance
from companion.text.sentence import in_sentences
from firmware.play.table import Table
from firmware.screens.before.start import Start
from hardware.ports import ChoiceMade, Key, KeyPressed, Scanned

Act = KeyPressed | Scanned | ChoiceMade


class SimulatedGroup:
    """A group that plays one match of a game. They know what the players at a table know.

    `group` decides what they play, such as players that think; without it they play by chance.
    """

    def __init__(self, game: str, seats: int, rng: RandomSource, group: Group | None = None) -> None:
        self._game = game
        self._seats = seats
        self._group = players_by_chance(game, rng) if group is None else group
        self._due: deque[Act] = deque()

    def next(self, table: Table) -> Act | None:
        """What one of them does next; None when the match is over.

        Raises `RuntimeError` if the device refuses it: scripted players only make legal plays.
        """
        page = table.front
        if refusal := table.refusal:
            raise RuntimeError(f"the device refused a legal answer: {in_sentences(*map(str, refusal))}")
        if not self._due:
            match = table.session.match
            if match is None:
                self._due.extend(self._begin(table))
            elif page.DISMISS_ON_OK:
                self._due.append(KeyPressed(Key.OK))
            elif match.asks:
                answer = self._group.answer(match)
                self._due.extend(self._give(answer, table))
        return self._due.popleft() if self._due else None

    def _begin(self, table: Table) -> Iterator[Act]:
        page = table.front
        if isinstance(page, Start):
            yield ChoiceMade(self._game)
        elif page.joined is not None and len(page.joined) < self._seats:
            yield Scanned(badge_code(len(page.joined) + 1))
        else:  # every question before a match has its usual answer under the cursor
            yield KeyPressed(Key.OK)

    def _give(self, answer: Answer, table: Table) -> Iterator[Act]:
        ask, page, session = answer.ask, table.front, table.session
        typed = answer.text.startswith(TYPED)
        if ask.kind.gives is Gives.CARD and not typed:
            counted = ask.kind in (AskKind.HAND, AskKind.HOLD) and answer.seat == ask.seats[0]
            if answer.seat is not None and len(ask.seats) > 1 and not counted:
                yield Scanned(badge_code(session.badge(answer.seat)))
            box = games.module(session.playing.box)
            yield Scanned(card_code(box.CODE, box.DECK.index(answer.text) + 1))
        elif ask.kind.gives is Gives.PLAYER:
            yield Scanned(badge_code(session.badge(Seat(int(answer.text)))))
        else:
            if typed and answer.seat is not None and page.SCORES_BY_BADGE:
                yield Scanned(badge_code(session.badge(answer.seat)))
            yield ChoiceMade(answer.text)
