"""The example of a client in docs/examples: it plays every game to its end with the real command."""

import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest

from companion.core import games
from companion.match.log import replay
from firmware.journal.store import Journal
from tests.examples import TIMES

ROOT: Final = Path(__file__).parents[1]
CLIENT: Final = ROOT / "docs" / "examples" / "random_player.py"
MATCHES: Final = [("six", 2), ("eleven", 2), ("ciao", 2), ("six", 10), ("eleven", 4), ("ciao", 5)]
"""The short ones in every run, all of them with `NIMMT_EXAMPLES=2`."""


def played(*words: str, referee: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "firmware.cli", "referee", *referee]
    return subprocess.run(
        [sys.executable, CLIENT, *words],
        cwd=ROOT,
        env=os.environ | {"NIMMT_REFEREE": " ".join(command)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seats"), MATCHES if TIMES > 1 else MATCHES[:3])
def test_the_client_plays_a_match_to_its_end(game: str, seats: int, tmp_path: Path) -> None:
    path = tmp_path / "journal.sqlite"
    done = played(game, str(seats), referee=["--journal", str(path)])
    assert done.stderr == ""
    assert done.returncode == 0
    *_, score, winners = done.stdout.splitlines()
    with closing(Journal.read(path)) as reader:
        (entry,) = reader.matches()
        match = replay([entry.header, *reader.steps(entry.id)])
    assert match.terms.game == game
    assert match.winners is not None
    totals = ", ".join(f"Bot {seat + 1} {total}" for seat, total in enumerate(match.totals))
    assert score == f"after {match.position.deal} deals: {totals}"
    assert winners == "won by " + " and ".join(f"Bot {seat + 1}" for seat in match.winners)


def test_the_client_is_short_and_knows_no_game() -> None:
    code = CLIENT.read_text(encoding="utf-8")
    assert len(code.splitlines()) < 80
    assert not any(f'"{key}"' in code for key in games.GAMES)


def test_the_client_says_what_is_wrong() -> None:
    unknown = played("tarot")
    assert unknown.returncode == 1
    assert unknown.stderr == "there is no game tarot; use one of: " + ", ".join(games.GAMES) + "\n"
    many = played("six", "99")
    assert many.returncode == 1
    assert many.stderr == "the number of seats is 99: use 2 to 10 for 6 nimmt!\n"
