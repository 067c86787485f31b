"""Games that are installed beside the product: found, checked, played, and never in the way of the others."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.core import games
from companion.match.match import Step, Terms, begin
from companion.text.errors import UnknownGame
from firmware.cli import main as cli
from firmware.plugins import Unusable, add_installed_games

if TYPE_CHECKING:
    Install = Callable[..., None]

pytestmark = pytest.mark.usefixtures("games_of_before")

HIGHEST = """
from typing import ClassVar

from companion.games.six import BGG_ID, DECK, SEATS, STARTER, Six, options_schema
from companion.games.six import questions, worth
from companion.games.six.options import read_options

TITLE = "HIGHEST"
CODE = "HI"


class Highest(Six):
    key: ClassVar[str] = "highest"
    title: ClassVar[str] = TITLE


def make(seats, options):
    return Highest(read_options(seats, options))
"""


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Put a distribution where Python finds it: `install("highest", source)`."""
    site = tmp_path / "site"
    site.mkdir()
    before = set(sys.modules)

    def put(key: str, source: str, *, module: str = "", value: str = "") -> None:
        module = module or f"nimmt_{key}"
        (site / f"{module}.py").write_text(source)
        info = site / f"{module}-1.2.dist-info"
        info.mkdir()
        name = module.replace("_", "-")
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.2\n")
        (info / "entry_points.txt").write_text(f"[nimmt.games]\n{key} = {value or module}\n")
        monkeypatch.syspath_prepend(str(site))

    yield put
    for name in set(sys.modules) - before:
        if name.startswith("nimmt_"):
            del sys.modules[name]


def test_an_installed_game_comes_behind_the_others_once_and_is_played_like_them(install: Install) -> None:
    install("highest", HIGHEST)
    before = list(games.GAMES)
    for _ in range(2):
        assert add_installed_games() == ()
        assert list(games.GAMES) == [*before, "highest"]
    match = begin(Terms("highest", 2))
    step = match.propose(match.game.read(match.asks[0], None, "12"))
    assert isinstance(step, Step)
    assert match.game.title == "HIGHEST"


IMPORTED = "cannot be imported: "


@pytest.mark.parametrize(
    ("key", "source", "fault", "fix"),
    [
        (
            "broken",
            "import nothing_of_this_name",
            f"{IMPORTED}ModuleNotFoundError: No module named 'nothing_of_this_name'",
            "",
        ),
        ("broken", "raise SystemExit('no\\nmore')", f"{IMPORTED}SystemExit: no", ""),
        (
            "bare",
            "TITLE = 5",
            "lacks TITLE, SEATS, CODE, BGG_ID, DECK, STARTER, make, worth, questions, options_schema",
            "",
        ),
        (
            "long",
            HIGHEST.replace('"HI"', '"HIGH"'),
            "has the code 'HIGH' on its cards",
            "its author has to choose two characters, capitals or digits",
        ),
        (
            "same",
            HIGHEST.replace('"HI"', repr(games.module("eleven").CODE)),
            f"has the code {games.module('eleven').CODE!r} on its cards, as 'eleven' has",
            "",
        ),
        ("ciao", HIGHEST, "has the name of a game that is there already", ""),
        (
            "other",
            HIGHEST,
            "cannot have this name",
            "its author has to choose another one: up to 20 small letters, digits and underscores",
        ),
    ],
)
def test_a_game_that_will_not_do_is_told_with_its_distribution_and_what_to_do(
    install: Install, key: str, source: str, fault: str, fix: str
) -> None:
    install(key, source)
    (bad,) = add_installed_games()
    assert isinstance(bad, Unusable)
    assert bad.fault == f"the game {key!r} of nimmt-{key} 1.2 {fault}"
    assert bad.fix == (fix or f"update it, or remove it with: pip uninstall nimmt-{key}")


def test_an_entry_point_that_names_an_object_is_told_to_name_its_module(install: Install) -> None:
    install("highest", HIGHEST, value="nimmt_highest:Highest")
    (bad,) = add_installed_games()
    assert bad.fault.endswith("names 'nimmt_highest:Highest', which is not a module")
    assert bad.fix == "its author has to name the module alone: 'nimmt_highest'"


def test_a_command_knows_installed_games_and_says_which_cannot_be_played(
    install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install("broken", "1 / 0")
    install("highest", HIGHEST)
    log = tmp_path / "match.jsonl"
    log.write_text('{"log": 1, "game": "highest", "seats": 2, "options": {}}\n')
    assert cli.main(["replay", str(log)]) == 0
    with pytest.raises(UnknownGame):
        games.module("broken")
    assert capsys.readouterr().err == (
        "nimmt: the game 'broken' of nimmt-broken 1.2 cannot be imported: "
        "ZeroDivisionError: division by zero\n"
        "  update it, or remove it with: pip uninstall nimmt-broken\n"
    )


def test_a_command_that_needs_no_game_looks_for_none(
    install: Install, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    install("broken", "1 / 0")
    cli.main(["status", "--file", str(tmp_path / "none.json")])
    assert "broken" not in capsys.readouterr().err


def test_what_a_module_lacks_is_all_that_the_protocol_of_a_module_asks_for() -> None:
    wanted = {name for name in vars(games.GameModule) if not name.startswith("_")}
    assert set(games.lacking(None)) == wanted | set(games.GameModule.__annotations__)
