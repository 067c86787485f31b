"""An update from a USB stick: one that cannot start and goes back, one that is well and is confirmed."""

import re
from pathlib import Path
from typing import Final

from image import update_file
from image.commands import run
from image.layout import SLOT_FILES
from image.update_file import Slot

from tests.packaging.try_image.card_file import CardFile
from tests.packaging.try_image.emulator import Pi, until
from tests.packaging.try_image.runs import Bench, active, started

PIECE: Final = 1_000_000


def update(bench: Bench) -> None:
    """An update that goes back, and one that is confirmed, on a card whose file system lost its power.

    The root of the first one is a piece of a root, which is less to write for an emulated card. So its trial
    fails, the version before comes back by itself, and that is told. Needs the key of the image.
    """
    assert bench.key is not None, "give the key of the image: --key FILE"
    card = bench.card()
    good = card.read("nimmt.toml")
    card.lose_power()
    assert card.damage
    with Pi(bench.qemu, card, _stick(card, bench.folder, bench.key)) as pi:
        started(pi)
        active(pi)
        _written_from_stick(pi, bench)
        _goes_back(pi, bench)
    damage = card.damage
    bench.expect("the file system of the card", not damage, damage or "is whole after the update")
    bench.expect("the slot of the update", card.exists("b/broken"), "is marked as broken")
    card.remove("b/broken")
    card.write("nimmt.toml", good)
    for name in (*SLOT_FILES, "manifest.json"):
        card.write(f"b/{name}", card.read(f"a/{name}"))
    card.set(nimmt_try="b")
    with Pi(bench.qemu, card) as pi:
        started(pi, "b")
        bench.expect("a slot on trial", "nimmt_try" not in card.variables, "is tried once")
        active(pi)
        _is_confirmed(pi, bench)
    bench.expect("U-Boot's variable", card.variables.get("nimmt_slot") == "b", "names slot b")


def _stick_is_dealt_with(pi: Pi) -> None:
    """Wait until udev and systemd have nothing to do any more: it is mounted by then, or never will be."""
    jobs = "systemctl list-jobs --no-legend 'table-stick@*' 'dev-sda*'"
    pi.run(f'{until("[ -b /dev/sda ]", 200)}; udevadm settle; while [ -n "$({jobs})" ]; do sleep 1; done')


def _written_from_stick(pi: Pi, bench: Bench) -> None:
    """The stick is mounted by itself, the card is repaired, the update is written, nothing stays writable."""
    _stick_is_dealt_with(pi)
    _, said = pi.run("findmnt -n /media/sda || systemctl status --no-pager table-stick@sda")
    bench.expect("the stick", said.startswith("/media/sda"), said)
    status, said = pi.run("nimmt update /media/sda/nimmt.update")
    bench.expect("nimmt update", status == 0, said)
    _, said = pi.run("findmnt -no OPTIONS /boot/nimmt; tr '\\0' '\\n' </boot/nimmt/uboot.env")
    bench.expect("the card afterwards", said.startswith("ro,") and "nimmt_try=b" in said, said[:80])


def _goes_back(pi: Pi, bench: Bench) -> None:
    """The new version cannot start, the one before does; it tells that, and that nimmt.toml is broken now."""
    pi.run("mount -o remount,rw /boot/nimmt; echo '[display' >/boot/nimmt/nimmt.toml; sync")
    back = len(pi.said)
    pi.run("mount -o remount,ro /boot/nimmt; systemctl reboot --no-block")
    pi.hear("the root of slot b is broken", back)
    pi.hear("nimmt-init: slot a is mounted", len(pi.said))
    pi.wait_shell()
    active(pi)
    for command in ("nimmt status", "nimmt update --status"):
        _, said = pi.run(command)
        told = re.search("was not confirmed|nicht bestätigt", said)
        bench.expect(f"{command} when it went back", told is not None, said)
        if command == "nimmt status":
            bench.expect("a broken nimmt.toml", "nimmt.toml" in said, "is told there as well")


def _is_confirmed(pi: Pi, bench: Bench) -> None:
    """The version on trial is confirmed when it has been well for two minutes."""
    confirmed = "grep -aq nimmt_slot=b /boot/nimmt/uboot.env"
    status, _ = pi.run(f"{until(confirmed, 400)}; {confirmed}")
    _, said = pi.run("nimmt update --status")
    bench.expect("a version that is well", status == 0 and "was not confirmed" not in said, said)


def _stick(card: CardFile, folder: Path, key: Path) -> Path:
    """A USB stick with an update on it: the files of slot a, but of the root a piece."""
    for name in SLOT_FILES:
        (folder / f"new-{name}").write_bytes(card.read(f"a/{name}")[: PIECE if name == "root.sfs" else None])
    made = Slot("99.0.0", {name: folder / f"new-{name}" for name in SLOT_FILES})
    update_file.write(made, folder / "nimmt.update", key, 0)
    stick = folder / "stick.img"
    with stick.open("wb") as empty:
        empty.truncate(64 << 20)
    run("mkfs.vfat", "-F", "32", stick, epoch=0)
    run("mcopy", "-i", stick, folder / "nimmt.update", "::", epoch=0)
    return stick
