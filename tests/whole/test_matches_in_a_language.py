"""Whole matches of every game, in every language and letter size: no page that people meet in them is cut."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Final

import pytest
from msgspec.structs import replace

from companion.core import games
from firmware.commands.players import SimulatedGroup
from firmware.loop.react import handle_message, tick
from firmware.loop.runtime import Runtime
from hardware.ports import Key, KeyPressed, Message
from tests.examples import TIMES
from tests.gallery import scripts
from tests.whole.retelling import SIZES_OF
from tests.whole.test_widest import Eye
from tests.whole.wide_table import NAMES, configured

_GAP_S: Final = 1.5
_LOOK: Final = 0.03
"""How often somebody looks at something else than what the match goes on with."""
ASIDE: Final = (Key.WHY, Key.RIGHT, Key.LEFT)
"""The reason, and the pages beside the one that is open."""
_LONGEST: Final = 6000
NAMED: Final = ((), NAMES, scripts.NAMES)
"""Players without names, with names of eight letters, and with names of several scripts."""


def matches() -> Iterator[tuple[str, str, str, int, int]]:
    """Game, language, letter size, number of players, and a number for chance.

    Each language and size is met in one game. With `NIMMT_EXAMPLES`: in all of them, with every number of
    players, as many times.
    """
    for number, game in enumerate(games.GAMES):
        seats = sorted(games.module(game).SEATS)
        few, many, between = seats[0], seats[-1], seats[len(seats) // 2]
        some = (few, between, few, many, between)  # most where words are long and letters large
        for place, (language, size) in enumerate(SIZES_OF):
            if TIMES <= 1:
                if place % len(games.GAMES) == number:
                    yield game, language, size, some[place % len(some)], place
                continue
            for chance in range(len(seats) * round(TIMES)):
                yield game, language, size, seats[chance % len(seats)], chance


@pytest.mark.parametrize("match", list(matches()), ids=lambda match: "-".join(map(str, match)))
def test_no_page_of_a_match_is_cut(tmp_path: Path, match: tuple[str, str, str, int, int]) -> None:
    game, language, size, seats, chance = match
    config = configured(NAMED[chance % len(NAMED)])
    config = replace(config, screen=replace(config.screen, language=language, size=size))
    rng, eye = Random(f"{game} {chance}"), Eye()
    players = SimulatedGroup(game, seats, rng)
    with closing(Runtime(config, tmp_path / "journal.sqlite")) as runtime:
        table = runtime.app.table

        def do(message: Message) -> None:
            tick(table, table.now_s + _GAP_S)
            handle_message(table, message, table.now_s)
            eye.look(runtime, repr(message))

        eye.look(runtime)
        for _ in range(_LONGEST):
            message = players.next(table)
            if message is None:
                break
            do(message)
            if runtime.session.match is not None and not table.pages.opened and rng.random() < _LOOK:
                for key in ASIDE:
                    do(KeyPressed(key))
                    while table.pages.opened and table.front.NAME == "why":
                        do(KeyPressed(Key.OK))  # to its last leaf
                    table.home()
        assert runtime.session.playing.winners
    assert eye.faults == {}
