"""Rubbish in the place of every argument, and broken streams: a sentence and the documented status."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import pytest

from firmware.cli.main import main, parser
from tests.patience import PATIENCE_S

ROOT: Final = Path(__file__).parents[3]
NO_JOURNALS = (".", "/", "FOLDER", "MISSING/MISSING", "EMPTY", "GARBAGE", "/dev/zero", "/dev/full", "x" * 300)
"""What is no journal; a reader says so."""
NO_EXPORTS = (".", "FOLDER", "MISSING", "EMPTY", "GARBAGE", "/dev/zero", "LONG LINE", "DEEP", "x" * 300)
NO_CONFIGS = (".", "FOLDER", "MISSING", "GARBAGE", "/dev/zero", "DEEP", "DIGITS", "x" * 300)
NO_NUMBERS = ("-1", "0", "999999999999999999999999")
NO_DECKS: Final = (".", "FOLDER", "MISSING", "EMPTY", "GARBAGE", "/dev/zero", "LONG LINE")
RUBBISH: Final[dict[str, Sequence[tuple[Sequence[str], int]]]] = {
    "run": [
        *((("--journal", bad), 1) for bad in (".", "FOLDER", "/dev/zero", "x" * 300, "/proc/nothing/x")),
        *((("--config", bad), 1) for bad in NO_CONFIGS),
    ],
    "demo": [
        *((("--seats", bad), 1) for bad in NO_NUMBERS),
        *((("--display", "--config", bad), 1) for bad in NO_CONFIGS),
        (("--game", "chess"), 2),
        (("--seed", "x"), 2),
    ],
    "referee": [
        (("--journal", bad), 1) for bad in (".", "FOLDER", "/dev/zero", "x" * 300, "/proc/nothing/x")
    ],
    "review": [(("x",), 2)],
    "web": [(("--port", "x"), 2), (("--port", "-1"), 1)],
    "hub": [
        *((("demo", "--tables", bad), 1) for bad in NO_NUMBERS),
        (("--database", "nonsense"), 1),
        *((("demo", "--step-s", bad), 1) for bad in ("nan", "inf", "-1", "0")),
        *(
            (("--broker", bad), 1)
            for bad in ("host:x", "host:0", "host:65536", "host:" + "9" * 5000, ":1883")
        ),
        *((("--port", bad), 1) for bad in ("-1", "65536")),
        (("--port", "x"), 2),
    ],
    "mqtt": [(("nonsense",), 2)],
    "speak": [(("nonsense",), 2)],
    "teach": [
        *((("--photos", bad), 1) for bad in NO_DECKS),
        *((("--deck", bad), 1) for bad in ("", " ", "x" * 300, "../x", "\x1b[31m")),
        (("--game", "chess"), 1),
        (("--card", "x"), 1),
        (("--look", "FOLDER"), 1),
        (("--box", "x"), 2),
        ((), 1),
    ],
    "update": [
        ((bad,), 1) for bad in (".", "FOLDER", "MISSING", "EMPTY", "GARBAGE", "/dev/zero", "LONG LINE")
    ],
    "card": [(("nonsense",), 2), ((), 2)],
    "doctor": [(("--jsom",), 2)],
    "setup": [(("--out", bad), 1) for bad in (".", "/proc/nothing/x", "FOLDER")],
    "status": [(("--file", bad), 3) for bad in (".", "FOLDER", "MISSING", "GARBAGE", "/dev/zero", "DEEP")],
    "overlays": [(("--boot", bad), 1) for bad in (".", "FOLDER", "MISSING", "GARBAGE", "/dev/zero")],
    "support": [((bad,), 1) for bad in (".", "/proc/nothing/x", "MISSING/MISSING")],
    "display": [(("nonsense",), 2), ((), 2)],
    "print": [
        (("cards", "--only", "x" * 300), 1),
        (("cards", "--game", "chess"), 1),
        (("cards", "--deck", "known:-1"), 1),
        (("cards", "--box", "-3"), 1),
        (("cards", "--skip", "-3"), 1),
        (("cards", "--module", "nan"), 1),
        (("cards", "--margin-left", "inf", "--label-width", "-1"), 1),
        (("cards", "--columns", "0", "--rows", "99999999"), 1),
        (("cards", "--labels", "\x1b[31m"), 1),
        (("cards", "--paper", "a0"), 1),
        (("cards", "--code", "morse"), 1),
        (("nonsense",), 1),
        (("badges", "--out", "FOLDER"), 1),
        (("badges", "--out", "/dev/full"), 1),
    ],
    "config": [(("check", bad), 1) for bad in NO_CONFIGS] + [(("nonsense",), 2)],
    "replay": [((bad,), 1) for bad in NO_EXPORTS],
    **{
        command: [(("--journal", bad), 1) for bad in NO_JOURNALS]
        for command in ("matches", "show", "stats", "export", "backup")
    },
    "import": [((bad,), 1) for bad in NO_EXPORTS],
    "erase": [((bad,), 1) for bad in NO_NUMBERS] + [(("1", "2"), 1), (("x",), 2)],
    "restore": [((bad,), 1) for bad in NO_JOURNALS],
}


@pytest.fixture
def there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with files of every wrong kind; the journal would be in it as well."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    for name in ("STATE_DIRECTORY", "RUNTIME_DIRECTORY", "XDG_RUNTIME_DIR", "NOTIFY_SOCKET"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "FOLDER").mkdir()
    (tmp_path / "EMPTY").touch()
    (tmp_path / "GARBAGE").write_bytes(bytes(range(256)) * 40)
    (tmp_path / "LONG LINE").write_bytes(b'{"log":' + b"1" * 2_000_000)
    (tmp_path / "DEEP").write_text("a = " + "[" * 20_000)
    (tmp_path / "DIGITS").write_text("a = " + "9" * 5_000)
    return tmp_path


def said_by(capfd: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    try:
        status = main(words)
    except SystemExit as end:  # the words themselves were wrong
        status = int(end.code or 0)
    said = capfd.readouterr()
    return status, said.out, said.err


def test_every_command_is_tried() -> None:
    (commands,) = [action for action in parser()._actions if action.dest == "command"]
    assert {*(commands.choices or ())} == RUBBISH.keys()


@pytest.mark.slow
@pytest.mark.parametrize("command", RUBBISH)
def test_rubbish_in_the_place_of_an_argument_gets_a_sentence_and_the_documented_status(
    there: Path, capfd: pytest.CaptureFixture[str], command: str
) -> None:
    wrong: list[object] = []
    for words, expected in RUBBISH[command]:
        try:
            status, out, err = said_by(capfd, command, *words)
        except Exception as error:  # noqa: BLE001 - all of them are to be seen, not the first alone
            capfd.readouterr()
            wrong.append((words, repr(error)))
            continue
        told = err or out
        calm = all(letter.isprintable() or letter == "\n" for letter in told)
        if status != expected or not told.strip() or "Traceback" in told or not calm:
            wrong.append((words, status, told))
    assert wrong == []


@pytest.mark.parametrize(
    ("words", "status", "says"),
    [
        ("", 0, "New here?"),
        ("help", 0, "New here?"),
        ("help show", 0, "usage: nimmt show"),
        ("matches --foo", 2, "usage: nimmt matches"),
        ("print cards --columns x", 2, "'x' is not a whole number such as 3"),
        ("print cards --module x", 2, "'x' is not a number such as 12.5"),
    ],
)
def test_help_and_usage_are_those_of_the_command(
    capfd: pytest.CaptureFixture[str], words: str, status: int, says: str
) -> None:
    found, out, err = said_by(capfd, *words.split())
    assert (found, says in out + err) == (status, True)


def test_help_names_a_part_whose_library_is_missing() -> None:
    code = "import sys; sys.modules['paho'] = None; from firmware.cli.main import main; main(['--help'])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert "report the table to an MQTT broker" in done.stdout


def nimmt(*words: str, shell: str, folder: Path) -> subprocess.CompletedProcess[str]:
    """The program in a shell, which breaks one of its streams."""
    command = ["sh", "-c", f'exec "$@" {shell}', "sh", sys.executable, "-m", "firmware.cli", *words]
    return subprocess.run(
        command,
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT), "XDG_STATE_HOME": str(folder)},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "shell", "status"),
    [
        (("referee",), "</dev/null >/dev/full", 0),
        (("referee",), "<hello >/dev/full", 1),
        (("referee",), "<&-", 1),
        (("referee",), "<hello 2>&-", 0),
        (("config", "keys"), ">/dev/full", 1),
        (("config", "keys"), ">&-", 1),
        (("config", "keys"), "<&- 2>&-", 0),
        (("--help",), ">&-", 0),
        (("setup",), "<&-", 1),
        (("demo", "--fast"), ">/dev/full", 1),
    ],
)
def test_a_broken_stream_gets_a_sentence_and_the_documented_status(
    tmp_path: Path, words: tuple[str, ...], shell: str, status: int
) -> None:
    (tmp_path / "hello").write_text('{"do": "hello"}\n' * 3)
    done = nimmt(*words, shell=shell, folder=tmp_path)
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    assert done.returncode == status, done.stderr
    assert (status == 0) == (done.stderr == "")


OPENS = """\
import os, sys
from firmware.cli.main import main
status = main(["config", "check"])
opened = os.open("opened", os.O_WRONLY | os.O_CREAT)
os.write(opened, f"{opened} {status}".encode())
"""


@pytest.mark.slow
def test_a_closed_stream_is_not_the_next_file_that_is_opened(tmp_path: Path) -> None:
    command = ["sh", "-c", 'exec "$@" <&- >&- 2>&-', "sh", sys.executable, "-c", OPENS]
    subprocess.run(
        command, cwd=tmp_path, env=os.environ | {"PYTHONPATH": str(ROOT)}, check=True, timeout=PATIENCE_S
    )
    number, status = (tmp_path / "opened").read_text().split()
    assert int(number) > 2
    assert status == "1"
