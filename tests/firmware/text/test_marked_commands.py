"""Everything that a command says comes from a template: its help, its complaints, and what it prints.

The catalogue of these tests writes the letters of every template in Cyrillic ones. What is still Latin is a
word that people type, a path, a name, or a text that no translation could reach.
"""

import re
from contextlib import closing
from html.parser import HTMLParser
from pathlib import Path

import pytest

from firmware.cli import main as cli
from firmware.cli.main import main
from firmware.config.configuration import load
from firmware.play.runtime import Runtime
from firmware.scripted.gallery import SCREENS
from firmware.scripted.script import perform
from firmware.service import status
from firmware.text import translation
from hardware.errors import sentence
from hardware.ports import DeviceFault
from tests.firmware.evening import EXAMPLE_1
from tests.firmware.text.marking import Marking
from tests.systemd.box import box

LATIN = re.compile("[A-Za-z]+")
TYPED = re.compile(
    r"""results|script|seating    # sheets of installed parts
    |--?[a-z][a-z-]*            # an option
    |\{[\w,-]+\}|\b[A-Z]+\b        # what stands for a value
    |^\ \ \ \ ?[a-z][\w-]+         # the name of a command or of a value, where the line begins
    |^\ \ [a-z]+(?=\ )             # the name of a format
    |\(glass\)""",
    re.VERBOSE | re.MULTILINE,
)


@pytest.fixture(autouse=True)
def _marked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(translation, "_translations", lambda _language: Marking())


@pytest.mark.parametrize("command", ["", *cli.every_command()[0]])
def test_every_word_of_the_help_is_translated(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*command.split(), "--help"])
    assert ended.value.code == 0
    usage, _, text = capsys.readouterr().out.partition("\n\n")
    assert LATIN.findall(usage.partition("nimmt")[0]) == []
    assert LATIN.findall(TYPED.sub("", text)) == []


@pytest.mark.parametrize(
    ("words", "quoted"),
    [
        ("frobnicate", r"argument|COMMAND|'[a-z]+'"),
        ("", "COMMAND"),
        ("show one", "int|match|'one'"),
        ("show 1 2", ""),
        ("demo --seats", "--seats"),
        ("web --port x", "--port|int|'x'"),
        ("show --story --steps", "--story|--steps"),
        ("replay", "file"),
        ("export --f csv --fo", "--format|--fo"),
    ],
)
def test_every_complaint_about_a_command_is_translated(
    words: str, quoted: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(words.split())
    assert ended.value.code == 2
    complaint = capsys.readouterr().err.splitlines()[-1]
    rest = re.sub(f"^nimmt [a-z]*:|^nimmt:|{quoted}" if quoted else "^nimmt [a-z]*:|^nimmt:", "", complaint)
    assert LATIN.findall(rest) == []


FAULTS = """
tabel = 1
[scanner]
driver = "serial"
baud = "9600"
port = 7
[screen]
size = "huge"
dim_after_s = -1
language = [1]
[sound]
on = "yes"
[table]
names = ["A", "A"]
[rules]
chess = 1
[kiosk]
open = "ever"
"""


def test_every_fault_of_a_configuration_is_translated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "nimmt.toml"
    file.write_text(FAULTS, encoding="utf-8")
    assert main(["config", "check", str(file)]) == 1
    lines = capsys.readouterr().err.splitlines()[1:]
    assert len(lines) > 8
    for line in lines:
        place, _, said = line.strip().partition(": ")
        assert LATIN.search(place)
        # Names of keys and values, and what a key is for: docs/configuration.md says that in English.
        rest = re.sub(r"""'[^']*'|"[^"]*"|\[[\w.]+\]|: [a-z].*\)$|\b(three|normal|large)\b""", "", said)
        assert LATIN.findall(rest) == [], place


def test_every_line_that_a_command_prints_is_translated(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    journal, copy = tmp_path / "1.sqlite", tmp_path / "2.sqlite"
    with closing(Runtime(load(None), journal)) as runtime:
        perform(SCREENS["tie"] + "R1 OK OK", runtime.app.controller)
        perform(SCREENS["ruling"], runtime.app.controller)
    paths = re.compile(re.escape(str(tmp_path)) + r"[\w./-]*|/[\w./-]+")
    same = re.compile(r"\bP[0-9]+\b|\[[0-9A-Z]+-[0-9A-Z]+\]|\b(erase|nimmt|UTC)\b")

    def check(*words: str, status: int = 0) -> None:
        assert main(list(words)) == status
        said = capsys.readouterr()
        rest = same.sub("", paths.sub("", said.out + said.err))
        assert said.out or said.err
        assert LATIN.findall(rest) == [], words

    at = ("--journal", str(journal))
    for words in (
        ["matches"],
        ["show"],
        ["show", "1"],
        ["show", "--steps"],
        ["stats"],
        ["review"],
        ["erase", "1"],
    ):
        check(*words, *at)
    check("backup", str(copy), *at)
    check("restore", str(copy), *at)
    check("erase", "1", "1", *at)
    check("show", "77", *at, status=1)
    check("erase", "77", *at, status=1)
    check("config", "check")
    check("overlays")
    check("status", "--file", str(tmp_path / "none.json"), status=3)


class _Words(HTMLParser):
    """The words of a page that people see."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._skips = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._skips = tag in ("style", "script")
        self.said += [said or "" for name, said in attrs if name in ("title", "alt", "aria-label")]

    def handle_data(self, data: str) -> None:
        if not self._skips:
            self.said.append(data)


def test_every_word_of_a_report_is_translated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = tmp_path / "1.sqlite"
    with closing(Runtime(load(None), journal)) as runtime:
        perform(SCREENS["tie"] + "R1 OK OK", runtime.app.controller)
    assert main(["export", "--format", "html", "--journal", str(journal)]) == 0
    words = _Words()
    words.feed(capsys.readouterr().out)
    rest = [re.sub(r"\bP[0-9]+\b|\b[0-9A-Z]+-[0-9A-Z]+\b|\bUTC\b", "", said) for said in words.said]
    assert len(rest) > 20
    assert [said for said in rest if LATIN.search(said)] == []


def test_what_status_and_doctor_say_of_a_box_is_translated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "none"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.delenv("RUNTIME_DIRECTORY", raising=False)
    config = tmp_path / "nimmt.toml"
    config.write_text(
        f'[display]\ndriver = "simulated"\n[scanner]\ndriver = "serial"\nport = "{tmp_path}/no"\n'
    )
    assert main(["doctor", "--config", str(config)]) == 1
    device = re.compile(r"(?m)^[a-z./-]+ +(ok|!!)")
    paths = re.compile(re.escape(str(tmp_path)) + r"[\w./-]*|/[\w./-]+|docs/[\w.#-]+|warning  [\w-]+")
    rest = paths.sub("", device.sub("", capsys.readouterr().out))
    assert LATIN.findall(rest) == []
    with box(tmp_path) as at:
        monkeypatch.setattr(status.seen, "__defaults__", (lambda: at.now_s,))
        at.people(EXAMPLE_1)
        fault = sentence("no scanner at {port}", port="/dev/x")
        at.runtime.app.post(DeviceFault("scanner", fault, sentence("plug it in again")))
        at.beat()
        at.beat()
        assert main(["status", "--file", str(at.status)]) == 1
    rest = paths.sub("", capsys.readouterr().out)
    assert LATIN.findall(re.sub(r"\bsix\b|[0-9.]+\.?dev\w*", "", rest)) == []
