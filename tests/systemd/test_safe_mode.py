"""What is left to play with after three deaths: whatever of the box can still be used, and nothing else."""

import os
import shutil
import sys
from contextlib import closing
from pathlib import Path

import pytest

from firmware.config.configuration import load, parse
from firmware.journal.store import Journal
from firmware.journal.writes import Note
from firmware.loop.react import do
from firmware.loop.runtime import Runtime
from firmware.service.safe_mode import SafeStart, safe_start, set_spare_aside
from tests.firmware.evening import EXAMPLE_1, device

BOX = """\
[display]
driver = "png"
folder = "{folder}"
[scanner]
driver = "serial"
port = "{folder}/scanner"
[buzzer]
driver = "simulated"
[table]
names = ["Ana", "Bo"]
missing_card_s = 99
[screen]
heartbeat_s = 7
[codes]
plain_numbers = true
box = 2
"""


def taken(folder: Path, config: str | None = None) -> SafeStart:
    file = folder / "nimmt.toml"
    file.write_text(BOX.format(folder=folder) if config is None else config)
    journal = folder / "journal.sqlite"
    return safe_start(file, journal, folder / "last-good.toml", folder / "run" / "journal.sqlite", {})


def turn(runtime: Runtime) -> int:
    match = runtime.session.playing
    number: int = match.game.board(match.position.table).turn
    return number


def told(found: SafeStart) -> list[str]:
    return [fault.device for fault in found.faults]


def test_the_devices_stay_and_everything_else_is_as_it_comes(tmp_path: Path) -> None:
    found = taken(tmp_path)
    ours, defaults = load(tmp_path / "nimmt.toml"), load(None)
    assert (found.config.display, found.config.scanner) == (ours.display, ours.scanner)
    assert (found.config.table, found.config.screen) == (defaults.table, defaults.screen)
    assert found.config.codes == ours.codes  # else the cards of the table could no longer be scanned
    assert found.config.buzzer.driver == "none"
    assert told(found) == ["safe-mode"]


def test_the_saved_match_is_taken_along(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1):
        pass
    found = taken(tmp_path)
    assert found.journal == tmp_path / "journal.sqlite"
    with closing(Runtime(found.config, found.journal)) as runtime:
        assert turn(runtime) == 2


def test_without_a_usable_configuration_the_last_good_one_serves_else_the_usual(tmp_path: Path) -> None:
    found = taken(tmp_path, "[display")
    assert (found.config.display.driver, found.config.scanner.driver) == ("oled", "auto")
    assert told(found) == ["safe-mode", "configuration"]
    (tmp_path / "last-good.toml").write_text(BOX.format(folder=tmp_path))
    found = taken(tmp_path, "[display")
    assert found.config.display.driver == "png"
    assert told(found) == ["safe-mode", "configuration"]


def test_a_driver_that_cannot_be_made_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = BOX.format(folder=tmp_path) + '[buttons]\ndriver = "gpio"\npins = { ok = 26 }\n'
    parse(config, "this is a good configuration, and its driver was loaded")
    monkeypatch.setitem(sys.modules, "hardware.drivers.gpio_buttons", None)  # now it cannot be loaded
    found = taken(tmp_path, config)
    assert found.config.display.driver in {"png", "oled"}
    assert found.config.buttons.driver == "none"


def test_a_saved_match_that_ends_the_program_is_suspended_and_stays_in_the_journal(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1) as at:
        at.runtime.journal.write([Note("open", None)])
        at.runtime.journal.write([Note("joining", {"badges": [1]})])  # half of what is read back
    with pytest.raises(KeyError), closing(Runtime(load(None), tmp_path / "journal.sqlite")):
        pass
    found = taken(tmp_path)
    assert told(found) == ["safe-mode", "journal"]
    with closing(Runtime(found.config, found.journal)) as runtime:
        assert runtime.session.match is None
        assert len(runtime.journal.reader.matches()) == 1


def test_a_saved_match_whose_page_cannot_be_drawn_is_suspended_told_and_offered_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with device(tmp_path, EXAMPLE_1) as at:
        page = type(at.table.front)

    def broken(*_: object) -> None:
        raise ZeroDivisionError("a mistake that is not about text")

    with monkeypatch.context() as mistake:
        mistake.setattr(page, "draw", broken)
        found = taken(tmp_path)
    assert told(found) == ["safe-mode", "match"]
    said = found.faults[1]
    assert said.fault == (
        "match 1 was suspended, because it cannot be shown: a mistake that is not about text"
    )
    assert "UNDO on the start page" in said.check
    with closing(Runtime(found.config, found.journal)) as runtime:
        assert runtime.session.match is None
        assert [one.id for one in runtime.session.suspended()] == [1]
        runtime.session.resume_match(1)
        assert turn(runtime) == 2


def test_a_disk_that_takes_nothing_is_replaced_by_memory_and_the_match_goes_on_there(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1):
        pass
    (tmp_path / "journal.sqlite.lock").unlink(missing_ok=True)
    with closing(Journal.open(tmp_path / "journal.sqlite", wall=str)[0]):  # somebody holds it: no writing
        found = taken(tmp_path)
        assert found.journal == tmp_path / "run" / "journal.sqlite"
        assert told(found) == ["safe-mode", "journal"]
        assert "lost at power-off" in found.faults[1].check
    with closing(Runtime(found.config, found.journal)) as runtime:
        assert turn(runtime) == 2
        do(runtime.app.table, lambda table: table.propose(table.session.playing.game.end_deal()))
        steps = runtime.session.playing.steps
    again = taken(tmp_path)
    assert again.journal == found.journal  # after a death in safe mode it goes on where it was
    with closing(Runtime(again.config, again.journal)) as runtime:
        assert runtime.session.playing.steps == steps


def test_the_journal_of_an_earlier_safe_mode_is_put_by_and_not_played_on(tmp_path: Path) -> None:
    spare = tmp_path / "run" / "journal.sqlite"
    with closing(Journal.open(spare, wall=str)[0]) as earlier:
        earlier.begin({"game": "six"})
    set_spare_aside(spare)
    set_spare_aside(spare)
    assert not spare.exists()
    with closing(Journal.read(spare.with_name("put-by-journal.sqlite"))) as journal:
        assert len(journal.matches()) == 1


DEEP = "a = " + "[" * 5000 + "]" * 5000
LONG = "a = " + "9" * 5000


def put(path: Path, what: str | bytes) -> None:
    """A pipe, a folder, a link that leads nowhere, or a file with this content."""
    if what == "pipe":
        os.mkfifo(path)
    elif what == "folder":
        path.mkdir()
    elif what in {"/dev/zero", "nowhere"}:
        path.symlink_to(what)
    else:
        path.write_bytes(what.encode() if isinstance(what, str) else what)


ANYTHING = ["pipe", "folder", "/dev/zero", "nowhere", "", "[display", DEEP, LONG, b"\xff\0", "#" * 1_000_000]
NAMES = ["pipe", "folder", "zero", "nowhere", "empty", "garbage", "deep", "long", "bytes", "large"]


@pytest.mark.parametrize("stored", ["[display", None], ids=["garbage", "the same"])
@pytest.mark.parametrize("given", ANYTHING, ids=NAMES)
def test_whatever_lies_in_the_place_of_the_configuration_and_its_copy_the_game_starts(
    tmp_path: Path, given: str | bytes, stored: str | None
) -> None:
    put(tmp_path / "nimmt.toml", given)
    put(tmp_path / "last-good.toml", stored or given)
    spare = tmp_path / "run" / "journal.sqlite"
    file, journal = tmp_path / "nimmt.toml", tmp_path / "journal.sqlite"
    found = safe_start(file, journal, tmp_path / "last-good.toml", spare, {})
    assert told(found) == (["safe-mode"] if given == "" else ["safe-mode", "configuration"])
    with closing(Runtime(found.config, found.journal)) as runtime:
        assert any(runtime.app.picture().tobytes())


@pytest.mark.parametrize("kept", ["pipe", "folder", "/dev/zero", "nowhere", "", "garbage", b"\0" * 8192])
def test_whatever_lies_in_place_of_a_spare_journal_the_game_starts(tmp_path: Path, kept: str | bytes) -> None:
    (tmp_path / "journal.sqlite").mkdir()
    (tmp_path / "run").mkdir()
    put(tmp_path / "run" / "journal.sqlite", kept)
    found = taken(tmp_path)
    with closing(Runtime(found.config, found.journal)) as runtime:
        assert any(runtime.app.picture().tobytes())
        assert runtime.session.match is None
    assert "journal" in told(found)


def test_without_a_folder_in_memory_the_game_plays_in_another_one(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").mkdir()
    (tmp_path / "run").write_text("a file where the folder should be")
    found = taken(tmp_path)
    with closing(Runtime(found.config, found.journal)) as runtime:
        assert runtime.session.match is None
    shutil.rmtree(found.journal.parent)


def test_what_a_damaged_journal_has_lost_is_told_though_the_next_finds_none(tmp_path: Path) -> None:
    (tmp_path / "journal.sqlite").write_bytes(b"garbage")
    found = taken(tmp_path)
    assert told(found) == ["safe-mode", "journal"]
    assert "cannot be used" in found.faults[1].fault


def test_after_crashes_in_safe_mode_too_no_saved_match_is_opened(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1):
        pass
    before = (tmp_path / "journal.sqlite").read_bytes()
    spare = tmp_path / "run" / "journal.sqlite"
    for _ in range(2):
        found = safe_start(
            None, tmp_path / "journal.sqlite", tmp_path / "last-good.toml", spare, {}, open_nothing=True
        )
        assert found.journal == spare
        assert told(found) == ["safe-mode", "journal"]
        with closing(Runtime(found.config, found.journal)) as runtime:
            assert runtime.session.match is None
            runtime.journal.begin({"game": "six"})
    assert (tmp_path / "journal.sqlite").read_bytes() == before
