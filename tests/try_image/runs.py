"""What is done with the emulated Raspberry Pi. Each run takes a card as built, and says what it saw."""

from __future__ import annotations

import random
import re
import shutil
import subprocess
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware.config.configuration import load
from image.layout import BOOT_SIZE, MIB, START
from tests.appliance.pace import PACE
from tests.try_image.card_file import CARD_BYTES, CardFile
from tests.try_image.emulator import Pi, Qemu, arguments
from tests.whole.scripted import evening
from tests.whole.table import Found, on_disk

if TYPE_CHECKING:
    from tests.appliance.report import Report
    from tests.whole.scripted import Evening

LOADED_S: Final = 150.0
"""U-Boot reads 400 KB of the emulated card in a second."""
MOUNTED_S: Final = 60.0
SHELL_S: Final = 120.0
ACTIVE_S: Final = 240.0
SLOT_FILES: Final = ("kernel", "initrd", "cmdline", "root.sfs", "manifest.json")
TABLE: Final = Path(__file__).with_name("nimmt.toml")
CODES: Final = 30
"""The start of an evening: four badges, what is played, some turns."""


@dataclass
class Bench:
    """Where a run takes place."""

    qemu: Qemu
    image: Path
    folder: Path
    report: Report
    cuts: int
    _cards: list[CardFile] = field(default_factory=list)

    def card(self) -> CardFile:
        """A new card with the image on it."""
        card = CardFile(self.image, self.folder / f"card-{len(self._cards)}.img")
        card.set(nimmt_args=arguments())
        card.write("nimmt.toml", TABLE.read_bytes())  # it names a display, so nobody is asked to press a key
        self._cards.append(card)
        return card


def started(pi: Pi, slot: str = "a") -> None:
    """Wait until this slot is mounted, and its shell answers. Raises `Dark`."""
    pi.hear(rf"nimmt-boot: slot {slot}\s", LOADED_S)
    pi.hear(rf"nimmt-init: slot {slot} is mounted", LOADED_S + MOUNTED_S)
    pi.wait_shell(SHELL_S)


def active(pi: Pi) -> str:
    """Wait until the game runs; the line of systemd that says so."""
    waiting = "until systemctl is-active -q nimmt-companion; do sleep 5; done"
    _, said = pi.run(f"{waiting}; systemctl status -n 0 nimmt-companion | grep -m 1 Active:", ACTIVE_S)
    assert "active (running)" in said, said
    return said


def boot(bench: Bench) -> None:
    """The first start: the game runs, the data take the card, nothing else is written."""
    card = bench.card()
    with Pi(bench.qemu, card) as pi:
        pi.on()
        pi.hear("nimmt-boot: slot a", LOADED_S)
        bench.report.did("U-Boot has chosen slot a", f"after {pi.since_s:.0f} s")
        started(pi)
        bench.report.did("systemd runs", f"after {pi.since_s:.0f} s")
        line = active(pi)
        bench.report.did("the game", f"{line}; after {pi.since_s:.0f} s")
        _, said = pi.run("nimmt status")
        bench.report.did("nimmt status", " / ".join(said.splitlines()))
        _, failed = pi.run("systemctl --failed --no-legend --plain")
        bench.report.did("failed units", failed or "none")
        for unit in re.findall(r"^(\S+)", failed, re.MULTILINE):
            bench.report.did(unit, pi.run(f"journalctl -b --no-hostname -n 4 -o cat -u {unit}", 120)[1])
        _looks(pi, bench)
    assert card.variables.get("nimmt_slot") == "a"


def identities(bench: Bench) -> None:
    """The machine-id of a card stays, also if the plug is pulled soon; another card has another one."""
    card = bench.card()
    found = []
    for one in (card, card, bench.card()):
        with Pi(bench.qemu, one) as pi:
            pi.on()
            started(pi)
            found.append(pi.run("cat /etc/machine-id")[1])
    assert all(re.fullmatch("[0-9a-f]{32}", one) for one in found), found
    assert found[0] == found[1] != found[2], found
    bench.report.did("machine-id", "the same after a second start, another one on another card")


def _looks(pi: Pi, bench: Bench) -> None:
    """Whether the system is as it should be while the game runs."""
    size = "df --output=size -m /data | tail -1"
    _, said = pi.run(
        f"n=0; until [ $({size}) -gt 1000 ] || [ $n -gt 20 ]; do sleep 5; n=$((n+1)); done; {size}", 120
    )
    assert int(said) > CARD_BYTES // MIB - BOOT_SIZE // MIB - 200, f"the data partition has {said} MB"
    bench.report.did("the data partition has grown", f"to {said} MB")
    _, mounts = pi.run("findmnt -rno TARGET,SOURCE,OPTIONS -t ext4,vfat,squashfs")
    written = {line.split()[1].partition("[")[0] for line in mounts.splitlines() if " rw" in line}
    assert written == {"/dev/mmcblk0p2"}, mounts
    bench.report.did("what is written to", "the second partition only")
    _, ports = pi.run("ss -Hltun")
    bench.report.did("open ports", ports or "none")
    assert not ports, ports
    status, said = pi.run(
        "fw_printenv nimmt_slot; ls /dev/i2c-1 /dev/spidev0.0 /dev/gpiochip0 /dev/watchdog0"
    )
    bench.report.did("devices", f"{status}: {' '.join(said.split())}")


def settings(bench: Bench) -> None:
    """nimmt.toml as a Windows editor leaves it is in force; a broken one is told, and the game starts."""
    card = bench.card()
    text = '[display]\ndriver = "oled"\n\n[table]\nnames = ["Zoë", "Bo"]\n'
    card.write("nimmt.toml", b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    with Pi(bench.qemu, card) as pi:
        pi.on()
        started(pi)
        active(pi)
        _, said = pi.run("cat /etc/nimmt/nimmt.toml; nimmt config check /etc/nimmt/nimmt.toml")
        assert 'names = ["Zo' in said, said
        bench.report.did("nimmt.toml of a Windows editor", "is in force")
        pi.run("sync")
    card.write("nimmt.toml", b'[display\r\ndriver = "o')
    with Pi(bench.qemu, card) as pi:
        pi.on()
        started(pi)
        active(pi)
        _, said = pi.run("nimmt status")
        assert "nimmt.toml" in said, said
        bench.report.did("a broken nimmt.toml", " / ".join(said.splitlines()))


def _filled(card: CardFile, folder: Path) -> None:
    """Copy slot a to b, as an update would."""
    for name in SLOT_FILES:
        file = folder / name.replace("/", "-")
        file.write_bytes(card.read(f"a/{name}"))
        card.write(f"b/{name}", file.read_bytes())


def broken(bench: Bench) -> None:
    """A new slot that cannot start comes back by itself, wherever it is broken."""
    card = bench.card()
    _filled(card, bench.folder)
    card.write("b/root.sfs", card.read("b/root.sfs")[:100_000])
    card.set(nimmt_try="b")
    with Pi(bench.qemu, card) as pi:
        pi.on()
        pi.hear("the root of slot b is broken", 2 * LOADED_S)
        back = len(pi.said)
        pi.hear("nimmt-boot: slot a", LOADED_S, back)
        bench.report.did("half of a root", f"back on slot a after {pi.since_s:.0f} s")
    assert card.exists("b/broken")
    assert "nimmt_try" not in card.variables
    card.remove("b/broken")
    card.write("b/kernel", b"no kernel" * 1000)
    card.set(nimmt_try="b")
    with Pi(bench.qemu, card) as pi:
        pi.on()
        pi.hear(r"slot b did not start.*nimmt-boot: slot a", LOADED_S)
        bench.report.did("a kernel that is none", f"slot a instead, after {pi.since_s:.0f} s")
        pi.hear("nimmt-init: slot a is mounted", LOADED_S + MOUNTED_S)
    assert "nimmt_try" not in card.variables
    card.remove("b/initrd")
    card.set(nimmt_slot="b")
    with Pi(bench.qemu, card) as pi:
        pi.on()
        pi.hear(r"slot b did not start.*nimmt-boot: slot a", LOADED_S)
        bench.report.did("a confirmed slot without its initrd", "slot a instead")


def trial(bench: Bench) -> None:
    """A new slot is started once; without a confirmation the next start is the old one."""
    card = bench.card()
    _filled(card, bench.folder)
    card.set(nimmt_try="b")
    with Pi(bench.qemu, card) as pi:
        pi.on()
        started(pi, "b")
        bench.report.did("a slot on trial", f"slot b runs after {pi.since_s:.0f} s")
        assert "nimmt.slot=b" in pi.run("cat /proc/cmdline")[1]
    assert "nimmt_try" not in card.variables
    with Pi(bench.qemu, card) as pi:
        pi.on()
        pi.hear("nimmt-boot: slot a", LOADED_S)
        bench.report.did("the plug is pulled during the trial", "slot a starts")


def update(bench: Bench) -> None:
    """`nimmt update FILE` on the box: written, tried, confirmed. Needs an image that was built with a key."""
    card = bench.card()
    files = sorted(bench.image.parent.glob("nimmt-*.update"))
    assert files, "there is no update beside the image"
    stick = _stick(files[0], bench.folder)
    with Pi(bench.qemu, card, stick) as pi:
        pi.on()
        started(pi)
        active(pi)
        mounting = "mkdir -p /run/stick && mount -o ro /dev/sda /run/stick"
        status, said = pi.run(f"{mounting} && nimmt update /run/stick/nimmt.update", 900)
        bench.report.did("nimmt update", f"{status}: {' / '.join(said.splitlines()[-3:])}")
        assert status == 0, said
        _, said = pi.run("fw_printenv")
        assert "nimmt_try=b" in said, said
        back = len(pi.said)
        pi.run("systemctl reboot --no-block")
        pi.hear("nimmt-init: slot b is mounted", 2 * LOADED_S, back)
        pi.wait_shell(SHELL_S)
        active(pi)
        bench.report.did("the update", "runs on trial")
        status, said = pi.run(
            "n=0; until fw_printenv nimmt_slot | grep -q =b || [ $n -gt 200 ]; do sleep 5; n=$((n+1)); done; "
            "fw_printenv nimmt_slot",
            600,
        )
        assert "nimmt_slot=b" in said, said
        bench.report.did("the update", "is confirmed after it has run well")


def _stick(update_file: Path, folder: Path) -> Path:
    """A USB stick with the update on it."""
    stick = folder / "stick.img"
    with stick.open("wb") as empty:
        empty.truncate(256 << 20)
    subprocess.run(["/sbin/mkfs.vfat", "-F", "32", stick], check=True, capture_output=True)
    subprocess.run(["mcopy", "-i", stick, update_file, "::nimmt.update"], check=True)
    return stick


def match(bench: Bench) -> None:
    """A match over the USB scanner; then the plug, and what is on the card is what was scanned."""
    card, plan = _table(bench)
    with Pi(bench.qemu, card) as pi:
        pi.on()
        started(pi)
        active(pi)
        _scanned(pi, plan, range(CODES))
    found = _found(card, bench.folder)
    _compare(found, plan)
    place = plan.moments[CODES].place
    assert found.place == place, f"{place} was scanned, {found.place} is on the card"
    bench.report.did("a match over the scanner", f"{CODES} codes, {len(found.steps)} steps in the journal")


def cuts(bench: Bench) -> None:
    """The plug is pulled at any moment of a match; each time it starts again, and no kept step is lost."""
    card, plan = _table(bench)
    chance = random.Random(1)
    kept = 0
    for number in range(bench.cuts):
        with Pi(bench.qemu, card) as pi:
            pi.on()
            started(pi)
            active(pi)
            status, said = pi.run("journalctl --verify --quiet", 120)
            assert status == 0, said
            if number == 0:
                _scanned(pi, plan, range(CODES // 2))
            pi.run(f"sleep {chance.uniform(0, 15):.1f}")
        found = _found(card, bench.folder)
        _compare(found, plan)
        assert len(found.steps) >= kept, "steps are lost that were on the card"
        kept = len(found.steps)
        bench.report.goes_on(f"cut {number + 1}: {kept} steps")
    bench.report.did("power cuts", f"{bench.cuts}, the journal is whole after each")


def _table(bench: Bench) -> tuple[CardFile, Evening]:
    """A card for a table that needs no display, and what its people scan."""
    settings_file = bench.folder / "nimmt.toml"
    settings_file.write_bytes(TABLE.read_bytes())
    return bench.card(), evening(load(settings_file), bench.folder, seed=1)


def _scanned(pi: Pi, plan: Evening, codes: range) -> None:
    """Scan these codes, each when the one before is dealt with; wait until the game has kept them."""
    pi.plug_scanner()
    turns = "n=0; until [ -e /dev/nimmt-scanner ] || [ $n -gt 99 ]; do sleep 1; n=$((n+1)); done"
    pi.run(f"{turns}; sleep {PACE.patient_s(5):.0f}", 300)
    for number in codes:
        pi.scanned(plan.codes[number])
        pi.run(f"sleep {PACE.patient_s(0.5):.1f}")
    pi.run(f"sleep {PACE.patient_s(5):.0f}; sync")


def _found(card: CardFile, folder: Path) -> Found:
    """What the journal on the card holds, read as the kernel would read it at the next start."""
    data, place = folder / "data.ext4", folder / "found"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    begin = (START + BOOT_SIZE) >> 20
    words = ["dd", f"if={card.path}", f"of={data}", "bs=1M", f"skip={begin}", "conv=sparse", "status=none"]
    subprocess.run(words, check=True)
    checked = subprocess.run(["/sbin/e2fsck", "-fy", data], capture_output=True, text=True, check=False)
    assert checked.returncode <= 2, checked.stdout  # 1 and 2: its own journal was replayed
    subprocess.run(["/sbin/debugfs", "-R", f"rdump /nimmt {place}", data], capture_output=True, check=True)
    data.unlink()
    return on_disk(place / "nimmt" / "journal.sqlite")


def _compare(found: Found, plan: Evening) -> None:
    kind, number, count = found.place
    if kind == "played":
        assert found.steps == plan.records[number][:count], "other steps than those that were scanned"
