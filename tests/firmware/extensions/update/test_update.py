"""An update is written whole into the slot that does not run, or nothing changes."""

import errno
import io
import os
import shutil
import tarfile
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest

from companion.text.errors import CompanionError
from firmware.card import faults
from firmware.extensions.update import at_table, command, last_update, update_file
from firmware.extensions.update.at_table import DriveUpdates, UpdateStage
from firmware.extensions.update.last_update import state
from firmware.extensions.update.on_drive import FoundUpdate, newest
from firmware.flashed import uboot_env
from firmware.service.status import SILENT_S, ReadStatus
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


def install(
    flashed: FlashedCard,
    key: Path,
    path: Path,
    told: Callable[[int], None] = lambda _: None,
    *,
    keys: Path | None = None,
    older: bool = False,
) -> None:
    keys = keys or key.with_name("update.pub")
    with update_file.opened(path) as file:
        update = update_file.read(file, keys)
        command.write(update, flashed.card, told, flashed.folder / LAST, older=older)


def test_an_update_goes_into_the_other_slot_and_is_tried_once(flashed: FlashedCard, key: Path) -> None:
    percents: list[int] = []
    running = flashed.slot("a")
    content = members(key)
    install(flashed, key, packed(flashed.folder / "x.update", content), percents.append)
    assert flashed.slot("b") == content
    assert flashed.slot("a") == running
    assert percents == sorted(percents)
    assert percents[-1] == 100
    assert flashed.mounted == ["repaired", "rw", "ro"]
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
        command.print_status(flashed.card, as_json=False, kept=last)
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
    last.write_bytes(b"[1]")
    assert (told_at_start(), status_tells()) == (False, False)


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
        (lambda _: ustar("../../etc/passwd"), "this is not an update"),
        (lambda _: ustar("manifest.json", kind=tarfile.SYMTYPE, link="/etc/shadow"), "damaged"),
        (lambda _: ustar("manifest.json", b" " * 65000), "damaged"),
        (lambda key: members(key, format=2), "has format 2, but this version reads only formats up to 1"),
        (lambda key: members(key, architecture="amd64"), "is for 'amd64', this box is arm64"),
        (lambda key: members(key, version="../../x"), "damaged"),
        (lambda key: members(key, files=[]), "damaged"),
        (lambda key: members(key, {**CONTENT, "../evil": b"x"}), "damaged"),
        (lambda key: members(key, without(CONTENT, "kernel")), "damaged"),
        (lambda key: {**members(key), "manifest.json": manifest_of(CONTENT, version="9")}, "signature"),
        (lambda key: {**members(key), "manifest.sig": bytes(64)}, "signature"),
        (lambda key: without(members(key), "manifest.sig"), "this is not an update"),
        (lambda key: {**members(key), "root.sfs": flipped(CONTENT["root.sfs"], 2_000_000)}, "damaged"),
        (lambda key: {**members(key), "kernel": CONTENT["kernel"] + b"more"}, "damaged"),
        (lambda key: without(members(key), "root.sfs"), "this is not an update"),
        (lambda key: {**members(key), "zzz": b"more"}, "damaged"),
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


def test_another_key_and_no_key_are_refused(flashed: FlashedCard, key: Path) -> None:
    file = packed(flashed.folder / "x.update", members(signing_key(flashed.folder / "other")))
    with pytest.raises(CompanionError, match="signature of the update is wrong"):
        install(flashed, key, file)
    keys = flashed.folder / "none.pub"
    for content in (None, b"", b"no key"):
        if content is not None:
            keys.write_bytes(content)
        with pytest.raises(CompanionError, match="has no key"):
            install(flashed, key, file, keys=keys)
    keys.write_bytes(b"-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n")
    with pytest.raises(CompanionError, match="signature of the update is wrong"):
        install(flashed, key, file, keys=keys)


def test_an_older_version_is_not_installed_unless_somebody_wants_it(flashed: FlashedCard, key: Path) -> None:
    flashed.version_file.write_text("0.10.0\n")
    file = packed(flashed.folder / "x.update", members(key))
    before = flashed.whole()
    with pytest.raises(CompanionError, match=r"0\.9\.1 is older than the running 0\.10\.0") as refused:
        install(flashed, key, file)
    assert "--older" in refused.value.fix
    assert (flashed.whole(), flashed.mounted) == (before, [])
    install(flashed, key, file, older=True)
    assert flashed.restart() == "b"


def test_a_drive_that_is_pulled_out_is_told_and_what_runs_stays(flashed: FlashedCard, key: Path) -> None:
    path = packed(flashed.folder / "x.update", members(key))

    class Pulled(io.BytesIO):
        """The update on a drive that gives no more than so many bytes; it is read twice."""

        left = 3_000_000

        def read(self, most: int | None = -1, /) -> bytes:
            found = super().read(most)
            self.left -= len(found)
            if self.left < 0:
                raise OSError(errno.EIO, "Input/output error")
            return found

    running = flashed.slot("a")
    update = update_file.read(Pulled(path.read_bytes()), key.with_name("update.pub"))
    with pytest.raises(CompanionError, match="update cannot be read: the disk reports an error") as refused:
        command.write(update, flashed.card, lambda _: None, older=False)
    assert "plug its USB drive in again" in refused.value.fix
    assert flashed.slot("a") == running
    assert flashed.mounted == ["repaired", "rw", "ro"]
    assert flashed.u_boot_starts() == "a"
    install(flashed, key, path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has rights to lay down")
def test_a_strangers_file_is_read_without_rights_until_its_signature_is_good(
    flashed: FlashedCard, key: Path
) -> None:
    seen: list[tuple[int, int, list[int]]] = []

    class Watched(io.BytesIO):
        def read(self, most: int | None = -1, /) -> bytes:
            seen.append((os.geteuid(), os.getegid(), os.getgroups()))
            return super().read(most)

    rights, groups = (os.geteuid(), os.getegid()), os.getgroups()
    content = members(key)
    for signature in (content["manifest.sig"], bytes(64)):
        file = packed(flashed.folder / "x.update", {**content, "manifest.sig": signature})
        with suppress(CompanionError):
            update_file.read(Watched(file.read_bytes()), key.with_name("update.pub"))
    assert set(map(str, seen)) == {str((update_file.NOBODY, update_file.NOBODY, []))}
    assert (os.geteuid(), os.getegid(), os.getgroups()) == (*rights, groups)


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
    with pytest.raises(CompanionError, match="not flashed with an image"):
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


class Stick:
    """A USB drive with one partition, and what udev has found on it."""

    def __init__(self, folder: Path) -> None:
        self.machine, self.folder, self._udev = Machine(folder), folder / "stick", folder / "udev"
        self.folder.mkdir()
        self._udev.mkdir()
        self.newest = partial(newest, self.machine.mounts, self.machine.blocks, self._udev)

    def plug_in(self, file_system: str | None, beside: str | None = None) -> None:
        """With one partition, or with another one `beside` it; None while udev is still looking."""
        found = {"sda1": file_system} | ({} if beside is None else {"sda2": beside})
        self.machine.disk("sda", *found)
        for number, (part, kind) in enumerate(found.items(), start=1):
            (self.machine.blocks / "sda" / part / "dev").write_text(f"8:{number}\n")
            if kind is not None:
                lines = f"E:ID_FS_TYPE={kind}\nE:ID_FS_USAGE=filesystem\n" if kind else ""
                (self._udev / f"b8:{number}").write_text(f"I:5\nE:ID_BUS=usb\n{lines}")

    def mounted(self, options: str = "rw") -> None:
        self.machine.mount("sda1", str(self.folder), options)

    def why_not(self) -> str:
        with pytest.raises(CompanionError) as refused:
            self.newest()
        return f"{refused.value.fault} ({refused.value.fix})"


def test_the_newest_update_on_a_drive_is_found_by_its_version(
    tmp_path: Path, key: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    stick = Stick(tmp_path)
    assert stick.newest() is None
    with pytest.raises(CompanionError, match="no USB drive is plugged in"):
        command.on_drive(None)
    stick.plug_in("vfat")
    stick.mounted("ro")  # write-protected
    file = packed(stick.folder / "nimmt-0.9.1-arm64.update", members(key))
    (stick.folder / "._nimmt-0.9.1-arm64.update").write_bytes(b"of macOS")
    assert stick.newest() == FoundUpdate(file, "0.9.1")
    newer = packed(stick.folder / "a.update", members(key, version="0.10.0~rc1"))
    os.utime(newer, (0, 0))
    (stick.folder / "z.update").write_bytes(b"no")
    assert stick.newest() == FoundUpdate(newer, "0.10.0~rc1", of=2)
    assert command.on_drive(stick.newest()) == newer
    said = f"2 updates were found, and the newest is taken\nversion 0.10.0~rc1: {newer}\n"
    assert capsys.readouterr().out == said
    for one in (file, newer):
        one.unlink()
    assert stick.why_not().startswith("this is not an update")
    (stick.folder / "z.update").unlink()
    assert stick.why_not().startswith("the USB drive has no file")  # that of macOS is none


@pytest.mark.parametrize(
    ("file_system", "beside", "mounted", "says"),
    [
        (None, None, False, "the USB drive is not ready yet (wait a moment"),
        ("vfat", None, False, "the USB drive is not ready yet (wait a moment"),
        ("ntfs", None, False, "the USB drive has the file system ntfs, which this box does not read (format"),
        ("", None, False, "the USB drive is not formatted (format the drive as FAT32"),
        ("exfat", None, True, "the USB drive has no file whose name ends with .update (copy"),
        ("exfat", "", True, "the USB drive has no file"),  # a small partition is not what is wrong
        ("vfat", "hfsplus", True, "the USB drive has the file system hfsplus"),
    ],
)
def test_why_no_update_is_found_on_a_drive_is_told_with_what_to_do(
    tmp_path: Path, file_system: str | None, beside: str | None, mounted: bool, says: str
) -> None:
    stick = Stick(tmp_path)
    stick.plug_in(file_system, beside)
    if mounted:
        stick.mounted()
    assert stick.why_not().startswith(says)
    if mounted and beside is None:
        stick.folder.rmdir()
        assert stick.why_not().startswith("the USB drive cannot be read: there is no such file or folder")


def test_a_link_on_a_drive_is_no_update(tmp_path: Path, key: Path) -> None:
    stick = Stick(tmp_path)
    stick.plug_in("ext4")
    stick.mounted()
    (stick.folder / "x.update").symlink_to(packed(tmp_path / "elsewhere", members(key)))
    assert stick.why_not().startswith(f"{stick.folder}/x.update cannot be read: it is a link")


def on_display(flashed: FlashedCard, file: Path, version: str = "0.9.1") -> DriveUpdates:
    """What the display knows of an update on a drive, once it has looked there."""
    request, progress = flashed.folder / "wanted", flashed.folder / "progress.json"
    updates = DriveUpdates(lambda: FoundUpdate(file, version), request, progress, flashed.card)
    updates.search()
    while updates.state().stage is UpdateStage.SEARCHING:
        pass
    return updates


def write_wanted(flashed: FlashedCard, key: Path) -> int:
    """Write what the display has asked for; gives the exit status."""
    asked, told, last = (flashed.folder / name for name in ("wanted", "progress.json", LAST))
    return command.write_wanted(flashed.card, asked, told, key.with_name("update.pub"), last)


def test_the_display_leaves_a_request_and_is_told_how_far_it_is(flashed: FlashedCard, key: Path) -> None:
    at_table.write_progress(flashed.folder / "progress.json", 100)  # of an earlier one
    updates = on_display(flashed, packed(flashed.folder / "x.update", members(key)))
    assert updates.state().stage is UpdateStage.FOUND
    updates.install()
    assert updates.state() == at_table.UpdateState(UpdateStage.WRITING, "0.9.1", 0)
    assert write_wanted(flashed, key) == 0
    assert updates.state() == at_table.UpdateState(UpdateStage.WRITTEN, "0.9.1", 100)
    assert flashed.restart() == "b"


def test_the_display_is_told_why_an_update_is_refused(flashed: FlashedCard, key: Path) -> None:
    file = packed(flashed.folder / "x.update", {**members(key), "manifest.sig": bytes(64)})
    updates = on_display(flashed, file)
    updates.install()
    assert write_wanted(flashed, key) == 1
    seen = updates.state()
    assert seen.stage is UpdateStage.REFUSED
    assert seen.refused is not None
    assert "signature" in str(seen.refused.fault)
    assert str(seen.refused.fix) == "use the file as it was published"
    assert write_wanted(flashed, key) == 0  # no request is left


def test_what_is_older_is_installed_if_just_this_version_was_chosen_on_the_display(
    flashed: FlashedCard, key: Path
) -> None:
    flashed.version_file.write_text("0.10.0\n")
    file = packed(flashed.folder / "x.update", members(key))
    for version, ends in (("0.9.2", 1), ("0.9.1", 0)):
        updates = on_display(flashed, file, version)
        assert updates.state().older_than == "0.10.0"
        updates.install()
        assert write_wanted(flashed, key) == ends
    assert flashed.restart() == "b"


def test_a_request_that_is_a_link_is_none(flashed: FlashedCard, key: Path) -> None:
    request = flashed.folder / "wanted"
    file = packed(flashed.folder / "x.update", members(key))
    (flashed.folder / "secret").write_text(f'["{file}", "0.9.1"]')
    request.symlink_to(flashed.folder / "secret")
    assert write_wanted(flashed, key) == 0
    assert not request.is_symlink()
    assert flashed.restart() == "a"


def test_what_the_repair_made_of_lost_clusters_does_not_stay(flashed: FlashedCard, key: Path) -> None:
    lost, others = flashed.boot / "FSCK0000.REC", flashed.boot / "FSCK.txt"
    for file in (lost, others):
        file.write_bytes(b"half of a root")
    install(flashed, key, packed(flashed.folder / "x.update", members(key)))
    assert (lost.exists(), others.exists()) == (False, True)


def test_a_slot_runs_as_confirmed_when_u_boot_has_lost_its_variables(flashed: FlashedCard, key: Path) -> None:
    install(flashed, key, packed(flashed.folder / "x.update", members(key)))
    flashed.restart()
    flashed.env.write_bytes(b"damaged")
    assert last_update.confirm_slot(flashed.card) == "b"
    assert not flashed.card.on_trial
    assert flashed.env.read_bytes() == b"damaged"
