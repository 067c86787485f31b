"""`nimmt table`: the same table in a terminal."""

import random
import threading
from pathlib import Path

import pytest

from firmware.cli import main as cli
from firmware.scripted.players import Players
from firmware.table_socket.as_text import lines_of
from firmware.table_socket.messages import after
from tests.firmware.table_socket.at_table import Client, table
from tests.patience import PATIENCE_S


def _lines(client: Client, language: str) -> list[str]:
    snapshot = after(None, client.known | {"kind": "snapshot", "language": language})
    assert snapshot is not None
    return lines_of(snapshot)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("game", "language"), [("six", "en"), ("eleven", "de"), ("ciao", "fa"), ("score", "de")]
)
def test_every_game_is_told_in_lines(tmp_path: Path, game: str, language: str) -> None:
    with table(tmp_path) as at:
        client, players, controller = at.client(), Players(game, 3, random.Random(3)), at.device.controller
        assert len(_lines(client, language)) == 1
        app, done = at.device.runtime.app, threading.Event()
        app.drawn = lambda _controller: done.set() if app.waiting == 0 else None
        for _ in range(30):
            message = players.next(controller)
            assert message is not None
            done.clear()
            app.post(message)
            assert done.wait(PATIENCE_S)
        client.until(lambda: client.known["table"] is not None)
        while client.known["table"]["steps"] < at.device.match.steps:
            client.hear()
        lines = _lines(client, language)
        text = "\n".join(lines)
        for stack in client.known["table"]["stacks"]:
            assert all(card["label"] in text for card in stack["cards"] if card["label"].isascii())
        assert all(one["name"] in text for one in client.known["table"]["players"])
        assert not any("\ue000" <= letter <= "\uf8ff" for letter in text)  # what only the display draws


def test_the_table_is_shown_once_or_it_is_said_that_there_is_none(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = ["table", "--once", "--table", str(tmp_path / "table.sock")]
    assert cli.main(words) == 1
    assert "start the game" in capsys.readouterr().err
    with table(tmp_path):
        assert cli.main(words) == 0
    assert capsys.readouterr().out == "No match is being played\n"
