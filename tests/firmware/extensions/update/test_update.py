"""An update is written whole into the slot that does not run, or nothing changes."""

import shutil
import tarfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from companion.text.errors import CompanionError
from firmware.card import faults
from firmware.extensions.update import at_table, command, last_update, update_file
from firmware.extensions.update.at_table import Stage, StickUpdates
from firmware.extensions.update.last_update import state
from firmware.flashed import uboot_env
from firmware.service.status import SILENT_S, ReadStatus
from firmware.text.translation import Translator
from tests.firmware.extensions.update.update_card import manifest_of, members, packed, signing_key
from tests.firmware.flashed.flashed_card import CONTENT, FlashedCard
from tests.firmware.history.test_usb_stick import Machine

LAST: Final = last_update.FILE.relative_to("/")


@pytest.fixture(scope="module")
def key(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return signing_key(tmp_path_factory.mktemp("key"))


@pytest.fixture
def flashed(tmp_path: Path) -> FlashedCard:
    return FlashedCard(tmp_path)


def install(flashed: FlashedCard, key: Path, file: Path, told: Callable[[int], None] = lambda _: None) -> str:
    return command.write(file, flashed.card, told, key.with_name("update.pub"), flashed.folder / LAST)


def test_an_update_goes_into_the_other_slot_and_is_tried_once(flashed: FlashedCard, key: Path) -> None:
    percents: list[int] = []
    running = flashed.slot("a")
    content = members(key)
    assert install(flashed, key, packed(flashed.folder / "x.update", content), percents.append) == "0.9.1"
    assert flashed.slot("b") == content
    assert flashed.slot("a") == running
    assert percents == sorted(percents)
    assert percents[-1] == 100
    assert flashed.mounted == ["rw", "ro"]
    assert uboot_env.read(flashed.env)["bootcmd"] == "load mmc 0:1 0xa000000 boot.scr"
    assert flashed.restart() == "b"
    assert flashed.card.on_trial
    assert flashed.restart() == "a"


def test_an_update_that_went_back_is_told_once_and_known_until_the_next(
    flashed: FlashedCard, key: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, last = packed(flashed.folder / "x.update", members(key)), flashed.folder / LAST

    def told_at_start() -> bool:
        told = faults.of_parts(flashed.card, flashed.folder)
        assert [name for name, _ in told] in ([], ["update"])
        return bool(told)

    def status_tells() -> bool:
        command.tell_status(flashed.card, Translator(), as_json=False, kept=last)
        return "0.9.1 was not confirmed" in capsys.readouterr().out

    assert not told_at_start()
    install(flashed, key, file)
    assert not told_at_start()  # nobody has tried it yet
    assert (flashed.restart(), told_at_start(), status_tells()) == ("b", False, False)
    assert (flashed.restart(), told_at_start(), status_tells()) == ("a", True, True)
    assert (flashed.restart(), told_at_start(), status_tells()) == ("a", False, True)
    install(flashed, key, file)
    assert not status_tells()
    assert (flashed.restart(), flashed.restart(), told_at_start()) == ("b", "a", True)
    last_update.confirmed(last)
    assert not status_tells()
    last.write_bytes(b"[1]")
    assert not told_at_start()


def test_a_version_that_was_well_is_kept(flashed: FlashedCard, key: Path) -> None:
    install(flashed, key, packed(flashed.folder / "x.update", members(key)))
    flashed.restart()
    assert last_update.confirm_slot(flashed.card) == "b"
    assert not flashed.card.on_trial
    assert flashed.restart() == flashed.restart() == "b"
    assert state(flashed.card) == {
        "running": "b",
        "confirmed": "b",
        "on_trial": False,
        "next_start_tries": None,
        "versions": {"a": "0.8.0", "b": "0.9.1"},
    }


class PowerCut(BaseException):
    """Nobody catches it."""


@pytest.mark.slow
def test_the_power_may_fail_after_every_write(tmp_path: Path, key: Path) -> None:
    content = members(key)
    steps: list[int] = []
    whole = FlashedCard(tmp_path / "whole")
    install(whole, key, packed(tmp_path / "x.update", content), steps.append)
    for last in range(len(steps)):
        flashed = FlashedCard(tmp_path / f"cut-{last}")
        flashed.set_env({"nimmt_slot": "a", "nimmt_try": "b"})  # of an earlier update that was not started
        left = [last]

        def told(_: int, left: list[int] = left) -> None:
            if not left[0]:
                raise PowerCut
            left[0] -= 1

        with pytest.raises(PowerCut):
            install(flashed, key, tmp_path / "x.update", told)
        starts = flashed.u_boot_starts()
        tried = uboot_env.read(flashed.env).get("nimmt_try")
        assert flashed.slot("a") == whole.slot("a")
        if starts == "b":
            before = flashed.slot("b").keys() == {*CONTENT, "manifest.json"}
            assert flashed.slot("b") == content or before, last
            assert tried == "b"
        elif (flashed.boot / "b" / "broken").exists():
            assert flashed.card.version("b") is None
        # Whatever was left behind, the same update goes in afterwards.
        install(flashed, key, tmp_path / "x.update")
        assert flashed.restart() == "b"
        shutil.rmtree(tmp_path / f"cut-{last}")


def ustar(name: str, content: bytes = b"x", kind: bytes = tarfile.REGTYPE, link: str = "") -> bytes:
    head = tarfile.TarInfo(name)
    head.size, head.type, head.linkname = len(content), kind, link
    return head.tobuf(tarfile.USTAR_FORMAT) + content.ljust(-(-len(content) // 512) * 512, b"\0")


def without(content: dict[str, bytes], name: str) -> dict[str, bytes]:
    return {one: given for one, given in content.items() if one != name}


def flipped(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spoil", "says"),
    [
        (lambda _: b"", "this is not an update"),
        (lambda _: b"PK\3\4" + bytes(2000), "this is not an update"),
        (lambda _: ustar("../../etc/passwd"), "has '../../etc/passwd' where manifest.json should be"),
        (lambda _: ustar("manifest.json", kind=tarfile.SYMTYPE, link="/etc/shadow"), "is not a plain file"),
        (lambda _: ustar("manifest.json", b" " * 65000), "damaged"),
        (lambda key: members(key, format=2), "has format 2, this version knows up to 1"),
        (lambda key: members(key, architecture="amd64"), "is for 'amd64', this box is arm64"),
        (lambda key: members(key, version="../../x"), "damaged"),
        (lambda key: members(key, files=[]), "damaged"),
        (lambda key: members(key, {**CONTENT, "../evil": b"x"}), "has the files"),
        (lambda key: members(key, without(CONTENT, "kernel")), "has the files"),
        (lambda key: {**members(key), "manifest.json": manifest_of(CONTENT, version="9")}, "signature"),
        (lambda key: {**members(key), "manifest.sig": bytes(64)}, "signature"),
        (lambda key: without(members(key), "manifest.sig"), "where manifest.sig should be"),
        (lambda key: {**members(key), "root.sfs": flipped(CONTENT["root.sfs"], 2_000_000)}, "damaged"),
        (lambda key: {**members(key), "kernel": CONTENT["kernel"] + b"more"}, "damaged"),
        (lambda key: without(members(key), "root.sfs"), "this is not an update"),
        (lambda key: {**members(key), "zzz": b"more"}, "continues after its last file"),
    ],
)
def test_what_is_not_an_update_for_this_box_changes_nothing(
    flashed: FlashedCard, key: Path, spoil: Callable[[Path], Any], says: str
) -> None:
    made = spoil(key)
    file = flashed.folder / "bad.update"
    if isinstance(made, bytes):
        file.write_bytes(made)
    else:
        packed(file, made)
    before = flashed.whole()
    with pytest.raises(CompanionError) as refused:
        install(flashed, key, file)
    assert says in refused.value.fault
    assert refused.value.fix
    assert flashed.whole() == before
    assert flashed.mounted == []


@pytest.mark.parametrize("end", [0, 300, 1024, 2000, 40_000, -700])
def test_a_file_that_was_cut_off_changes_nothing(flashed: FlashedCard, key: Path, end: int) -> None:
    file = packed(flashed.folder / "x.update", members(key))
    whole = file.read_bytes()
    file.write_bytes(whole[: end if end >= 0 else len(whole.rstrip(b"\0")) - 512])
    before = flashed.whole()
    with pytest.raises(CompanionError):
        install(flashed, key, file)
    assert flashed.whole() == before


def test_another_key_and_no_key_are_refused(flashed: FlashedCard, key: Path) -> None:
    file = packed(flashed.folder / "x.update", members(signing_key(flashed.folder / "other")))
    with pytest.raises(CompanionError, match="signature of the update is wrong"):
        install(flashed, key, file)
    with pytest.raises(CompanionError, match="has no key"):
        command.write(file, flashed.card, lambda _: None, flashed.folder / "none.pub")


def test_an_update_that_does_not_fit_says_what_it_needs(flashed: FlashedCard, key: Path) -> None:
    file = packed(flashed.folder / "x.update", members(key))
    flashed.free = 3_000_000
    before = flashed.whole()
    with pytest.raises(CompanionError, match="needs 3 MB, and the card has room for 2 MB"):
        install(flashed, key, file)
    assert flashed.whole() == before
    flashed.free = 5_000_000
    install(flashed, key, file)


def test_nothing_is_installed_while_the_way_back_is_needed(flashed: FlashedCard, key: Path) -> None:
    file = packed(flashed.folder / "x.update", members(key))
    install(flashed, key, file)
    flashed.restart()
    before = flashed.whole()
    with pytest.raises(CompanionError, match=r"version 0\.9\.1 is on trial"):
        install(flashed, key, file)
    assert flashed.whole() == before


def test_a_machine_that_was_not_flashed_has_nothing_to_update(flashed: FlashedCard, key: Path) -> None:
    (flashed.folder / "cmdline").write_text("root=/dev/sda1 ro\n")
    assert not flashed.card.on_trial
    with pytest.raises(CompanionError, match="not flashed as an image"):
        install(flashed, key, packed(flashed.folder / "x.update", members(key)))


def test_damaged_variables_of_u_boot_are_told_and_never_overwritten(flashed: FlashedCard, key: Path) -> None:
    flashed.env.write_bytes(flipped(flashed.env.read_bytes(), 20))
    before = flashed.env.read_bytes()
    with pytest.raises(CompanionError, match=r"variables of U-Boot in uboot\.env are damaged"):
        install(flashed, key, packed(flashed.folder / "x.update", members(key)))
    assert flashed.env.read_bytes() == before
    assert flashed.u_boot_starts() == "a"


# ------------------------------------------------------------------------------------------- the trial


def said(*issues: tuple[str, str], pid: int = 7, mode: str = "normal", age_s: float = 0.0) -> ReadStatus:
    listed = [{"id": one, "severity": two} for one, two in issues]
    return ReadStatus({"pid": pid, "mode": mode, "issues": listed}, age_s)


def watched(look: Callable[[float], ReadStatus | None], before: tuple[str, ...] = ()) -> tuple[bool, float]:
    now = [0.0]

    def wait(seconds: float) -> None:
        now[0] += seconds

    return last_update.watch(lambda: look(now[0]), before, lambda: now[0], wait, lambda _: None), now[0]


def test_two_good_minutes_without_a_break_are_enough() -> None:
    assert watched(lambda _: said()) == (True, 120)
    assert watched(lambda at: None if at < 60 else said()) == (True, 180)
    assert watched(lambda at: said(pid=int(at > 90))) == (True, 215)


@pytest.mark.parametrize(
    "seen",
    [
        None,
        said(age_s=SILENT_S + 1),
        said(mode="safe"),
        said(("journal", "fault")),
        said(("display", "warning")),
    ],
)
def test_who_is_not_well_is_not_confirmed(seen: ReadStatus | None) -> None:
    assert watched(lambda _: seen) == (False, last_update.PATIENCE_S)


def test_who_starts_again_and_again_is_not_confirmed() -> None:
    assert not watched(lambda at: said(pid=int(at // 100)))[0]


def test_what_was_wrong_before_and_what_is_only_unplugged_does_not_count() -> None:
    ill = said(("display", "warning"), ("journal", "fault"))
    assert watched(lambda _: ill, ("display", "journal"))[0]
    assert watched(lambda _: said(("scanner", "warning")))[0]


# ------------------------------------------------------------------------------------------- at the table


def test_the_newest_update_on_a_stick_is_found(tmp_path: Path, key: Path) -> None:
    machine = Machine(tmp_path)
    machine.disk("sda", "sda1")
    folder = tmp_path / "stick"
    folder.mkdir()
    assert update_file.newest(machine.mounts, machine.blocks) is None
    machine.mount("sda1", str(folder))
    assert update_file.newest(machine.mounts, machine.blocks) is None
    file = packed(folder / "nimmt-0.9.1-arm64.update", members(key))
    (folder / "._nimmt-0.9.1-arm64.update").write_bytes(b"of macOS")
    assert update_file.newest(machine.mounts, machine.blocks) == (file, "0.9.1")
    file.write_bytes(b"no")
    with pytest.raises(CompanionError, match="this is not an update"):
        update_file.newest(machine.mounts, machine.blocks)


def looked(updates: StickUpdates, settled: Callable[[], bool]) -> None:
    updates.look()
    while not settled():
        pass


def test_the_display_leaves_a_wish_and_is_told_how_far_it_is(flashed: FlashedCard, key: Path) -> None:
    file = packed(flashed.folder / "x.update", members(key))
    wish, progress = flashed.folder / "wanted", flashed.folder / "progress.json"
    at_table.tell(progress, 100)  # of an earlier one
    updates = StickUpdates(lambda: (file, "0.9.1"), wish, progress)
    looked(updates, lambda: updates.seen().stage is not Stage.LOOKING)
    assert updates.seen().stage is Stage.FOUND
    updates.begin()
    assert updates.seen() == at_table.UpdateSeen(Stage.WRITING, "0.9.1", 0)
    public = key.with_name("update.pub")
    assert command.write_wanted(flashed.card, wish, progress, public, flashed.folder / LAST) == 0
    assert updates.seen() == at_table.UpdateSeen(Stage.WRITTEN, "0.9.1", 100)
    assert flashed.restart() == "b"


def test_the_display_is_told_why_an_update_is_refused(flashed: FlashedCard, key: Path) -> None:
    file = packed(flashed.folder / "x.update", {**members(key), "manifest.sig": bytes(64)})
    wish, progress = flashed.folder / "wanted", flashed.folder / "progress.json"
    updates = StickUpdates(lambda: (file, "0.9.1"), wish, progress)
    looked(updates, lambda: updates.seen().stage is not Stage.LOOKING)
    updates.begin()
    public = key.with_name("update.pub")
    assert command.write_wanted(flashed.card, wish, progress, public, flashed.folder / LAST) == 1
    seen = updates.seen()
    assert seen.stage is Stage.REFUSED
    assert seen.refused is not None
    assert "signature" in str(seen.refused.fault)
    assert str(seen.refused.fix) == "use the file as it was published"
    assert command.write_wanted(flashed.card, wish, progress, public) == 0  # no wish is left
