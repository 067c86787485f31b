"""What is done with the emulated Raspberry Pi. Each run takes a card as built, and says what it saw."""

import random
import re
import shutil
import subprocess
import time
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from image import update_file
from image.commands import run
from image.layout import BOOT_SIZE, MIB, SLOT_FILES, START
from image.update_file import Slot

from firmware.config.configuration import load
from tests.packaging.try_image import changes
from tests.packaging.try_image.board import PI_3, PI_4, PI_ZERO_2, Board
from tests.packaging.try_image.card_file import CARD_BYTES, CardFile
from tests.packaging.try_image.emulator import Dark, Pi, Qemu, arguments, until
from tests.systemd.trial import PACE, NotDone, Report
from tests.whole.scripted import SEATS, Evening, evening
from tests.whole.table import Found, on_disk

LOADED_S: Final = 150.0
"""U-Boot reads 400 KB of the emulated card in a second."""
MOUNTED_S: Final = 60.0
SHELL_S: Final = 120.0
ACTIVE_S: Final = 240.0
KEPT_S: Final = 120.0
PIECE: Final = 1_000_000
TRIES: Final = 500
TABLE: Final = Path(__file__).with_name("nimmt.toml")
KEY_FILE: Final = b"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGq0T0ri2yhBs0ZzSl4GQFzOTcb3iu6mnCZsZlJDPs3C trial\n"
WORK: Final = "python3 -m timeit -n 5 -r 5 'sum(number * number % 7 for number in range(100_000))'"
"""What `tests.systemd.trial` measures with, in the box."""
CODES: Final = 40
"""The start of an evening: four badges, what is played, some turns."""
PULLS: Final = 5
"""How often the machine is really switched off during a match, and on again."""


@dataclass
class Bench:
    """Where a run takes place."""

    qemu: Qemu
    image: Path
    folder: Path
    report: Report
    cuts: int
    key: Path | None
    """The private key with which the image was built."""
    failed: list[str] = field(default_factory=list)
    _cards: list[CardFile] = field(default_factory=list)

    def expect(self, what: str, good: bool, said: str) -> None:
        """Report it; what is not as it should be fails the run at its end, for a start takes minutes."""
        self.report.did(what, said if good else f"FAILED: {said}")
        if not good:
            self.failed.append(what)

    def card(self, board: Board = PI_3) -> CardFile:
        """A new card with the image on it, for such a board."""
        card = CardFile(self.image, self.folder / f"card-{len(self._cards)}.img")
        card.set(nimmt_args=arguments(board))
        # It names a display, so nobody is asked to press a key; and it is as an editor of Windows leaves it.
        card.write("nimmt.toml", b"\xef\xbb\xbf" + TABLE.read_bytes().replace(b"\n", b"\r\n"))
        self._cards.append(card)
        return card


def started(pi: Pi, slot: str = "a") -> None:
    """Wait until this slot is mounted, and its shell answers. Raises `Dark`."""
    pi.hear_u_boot(rf"nimmt-boot: slot {slot}\s", LOADED_S)
    pi.hear(rf"nimmt-init: slot {slot} is mounted", LOADED_S + MOUNTED_S)
    pi.wait_shell(SHELL_S)


def active(pi: Pi) -> str:
    """Wait until the game runs; the line of systemd that says so."""
    waiting = "until systemctl is-active -q nimmt-companion; do sleep 5; done"
    _, said = pi.run(f"{waiting}; systemctl status -n 0 nimmt-companion | grep -m 1 Active:", ACTIVE_S)
    found = re.search(r"Active: active \(running\).*", said)  # the kernel writes to the same line
    assert found is not None, said
    return found[0]


def boot(bench: Bench) -> None:
    """The first start: the game runs, the data take the card, nothing else is written."""
    card = bench.card()
    with Pi(bench.qemu, card) as pi:
        pi.hear_u_boot("nimmt-boot: slot a", LOADED_S)
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
        changes.missing_devices(pi, bench, "clock")
        changes.clock_from_phone(pi, bench)
        changes.settings_changed(pi, bench)
    changes.setting_is_kept(card, bench)
    assert card.variables.get("nimmt_slot") == "a"


def identities(bench: Bench) -> None:
    """The machine-id of a card stays, also if the plug is pulled soon; another card has another one."""
    card = bench.card()
    found = []
    for one in (card, card, bench.card()):
        with Pi(bench.qemu, one) as pi:
            started(pi)
            found.append(pi.run("cat /etc/machine-id")[1])
    assert all(re.fullmatch("[0-9a-f]{32}", one) for one in found), found
    assert found[0] == found[1] != found[2], found
    bench.report.did("machine-id", "the same after a second start, another one on another card")


def page(bench: Bench) -> None:
    """The page of the table, if the card says so: its two ports, and its phones are kept."""
    card = bench.card()
    card.write("nimmt.toml", TABLE.read_bytes() + b"\n[web]\non = true\n")
    with Pi(bench.qemu, card) as pi:
        started(pi)
        active(pi)
        _, ports = pi.run("ss -Hltn | tr -s ' ' | cut -d' ' -f4 | sort -u")
        bench.expect(
            "open ports", {port.rpartition(":")[2] for port in ports.split()} == {"8066", "8068"}, ports
        )
        asked = (
            "from urllib.request import urlopen; print(urlopen('http://127.0.0.1:8066/', timeout=600).status)"
        )
        _, said = pi.run(f'python3 -c "{asked}"; systemctl is-active nimmt-web', 600)
        bench.expect("the page", said.split() == ["200", "active"], _in_a_row(said))
        _, said = pi.run("stat -c '%U %a' /var/lib/nimmt-web; findmnt -no SOURCE /var/lib/nimmt-web")
        good = said.startswith("nimmt 700\n") and "/nimmt-web]" in said
        bench.expect("the paired phones", good, f"are kept in {_in_a_row(said)}")
        bench.report.did("memory of the page", pi.run("systemctl show -P MemoryCurrent nimmt-web")[1])


def _looks(pi: Pi, bench: Bench) -> None:
    """Whether the system is as it should be while the game runs."""
    size = "df --output=size -m /data | tail -1"
    _, said = pi.run(f"{until(f'[ $({size}) -gt 1000 ]', 30)}; {size}", 120)
    assert int(said) > CARD_BYTES // MIB - BOOT_SIZE // MIB - 200, f"the data partition has {said} MB"
    bench.report.did("the data partition has grown", f"to {said} MB")
    _, mounts = pi.run("findmnt -rno TARGET,SOURCE,OPTIONS -t ext4,vfat,squashfs")
    written = {line.split()[1].partition("[")[0] for line in mounts.splitlines() if " rw" in line}
    assert written == {"/dev/mmcblk0p2"}, mounts
    bench.report.did("what is written to", "the second partition only")
    _, ports = pi.run("ss -Hltun")
    bench.report.did("open ports", ports or "none")
    assert not ports, ports
    _devices(pi, bench)


def _devices(pi: Pi, bench: Bench) -> None:
    """The buses for displays and the pins are there, and SPI has its own pins and both chip selects."""
    status, said = pi.run("ls /dev/i2c-1 /dev/spidev0.0 /dev/spidev0.1 /dev/gpiochip0")
    bench.expect("devices", status == 0, " ".join(said.split()))
    pi.run("mount -t debugfs debugfs /sys/kernel/debug")
    debug = "/sys/kernel/debug"
    _, muxes = pi.run(
        f"grep -hE '^pin (9|10|11) ' {debug}/pinctrl/*/pinmux-pins; grep -h 'spi0 CS' {debug}/gpio"
    )
    pins = re.findall(r"^pin (\d+) .*spi.* function alt0", muxes, re.MULTILINE)
    good = pins == ["9", "10", "11"] and "spi0 CS0" in muxes and "spi0 CS1" in muxes
    bench.expect("the pins of SPI", good, _in_a_row(muxes))


def boards(bench: Bench) -> None:
    """The same card in other boards: the game runs, and displays and keys can be used."""
    for board in (PI_ZERO_2, PI_4):
        card = bench.card(board)
        with Pi(bench.qemu, card, board=board) as pi:
            pi.wait_shell(LOADED_S + MOUNTED_S + SHELL_S)
            _, model = pi.run("tr -d '\\0' </proc/device-tree/model; echo; free -m | sed -n 2p")
            active(pi)
            bench.report.did(board.name, f"{_in_a_row(model)}; the game runs after {pi.since_s:.0f} s")
            _devices(pi, bench)


EARLIER: Final = {
    "table-settings.service": (
        "ExecStart=",
        "ExecStart=+/usr/bin/nimmt card settings",
        "[Unit]",
        "ConditionPathExists=",
        "After=local-fs.target",
    ),
    "nimmt-boot-picture.service": ("[Unit]", "ConditionPathExists="),
    "table-first-start.service": (
        "ExecStart=",
        "ExecStart=-+/usr/bin/nimmt card first-start",
        "[Unit]",
        "After=basic.target",
    ),
    "table-first-picture.service": ("[Unit]", "ConditionPathExists=!/"),
}
"""Drop-ins for a start as it was: the program reads the settings of a new card, without a sandbox and when
all file systems are there; a picture is made for no display; who looks for one waits for the basic system,
and udev for no picture."""

HANGS: Final = {"table-first-start.service": ("ExecStart=", "ExecStart=-/usr/bin/sleep infinity")}
"""Drop-ins for a start in which nothing shows the question of a new card."""
FIRST_PICTURE_S: Final = 20.0
"""What waits for that question waits no longer than this."""


def start(bench: Bench) -> None:
    """When the first picture comes: on a new card, as it was and as it is; and with a display that is named.

    On a new card it is the question whether somebody can read it. If it never comes, the rest starts without.
    """
    ends: list[float] = []
    for what, more in (("as it was", EARLIER), ("as it is", {})):
        card = CardFile(bench.image, bench.folder / f"new-{len(ends)}.img")
        card.set(nimmt_args=arguments(PI_3, more))
        with Pi(bench.qemu, card, has_panel=True) as pi:
            started(pi)
            ends.append(_first_question(pi))
            bench.report.did(f"the first question of a new card, {what}", f"after {ends[-1]:.1f} s")
    shorter = ends[1] / ends[0]
    bench.report.did("the first question now", f"after {shorter:.2f} of the time")
    _never_asks(bench)
    card = bench.card()
    for turn in ("first", "second"):
        with Pi(bench.qemu, card) as pi:
            started(pi)
            _first_picture(pi, bench, f"the {turn} start with settings of one's own")
            active(pi)
            _speed(pi, bench)
            pi.run("sync")


def _never_asks(bench: Bench) -> None:
    """The program that asks hangs on a new card: udev is held for a while, and no longer."""
    card = CardFile(bench.image, bench.folder / "hangs.img")
    card.set(nimmt_args=arguments(PI_3, HANGS))
    with Pi(bench.qemu, card, has_panel=True) as pi:
        started(pi)
        pi.run(until("systemctl is-active -q systemd-udev-trigger"), ACTIVE_S)
        asked = (
            ("SubState", "table-first-start"),
            ("ActiveState", "systemd-udev-trigger"),
            ("InactiveExitTimestampMonotonic", "table-first-picture"),
            ("InactiveExitTimestampMonotonic", "systemd-udevd"),
        )
        shown = " ".join(f"$(systemctl show -P {what} {unit})" for what, unit in asked)
        _, said = pi.run(f"echo so: {shown}")
        found = re.search(r"so: (\S+) (\S+) (\d+) (\d+)", said)  # the kernel writes to the same line
        assert found is not None, said
        hangs, udev, waits_us, udev_us = found.groups()
        held_s = (int(udev_us) - int(waits_us)) / 1e6
        good = (hangs, udev) == ("start", "active") and FIRST_PICTURE_S <= held_s < 2 * FIRST_PICTURE_S
        bench.expect("nothing asks", good, f"the program: {hangs}; udev: {udev}, after {held_s:.1f} s")


def _first_question(pi: Pi) -> float:
    """When, after Linux began, the first panel that answers has the question, in seconds."""
    # Nothing is asked again and again: that would take the only processor from what is measured.
    log = "journalctl -b -q -f -n all -o short-monotonic -u table-first-start"
    _, said = pi.run(f"{log} | grep -m 1 'asks on'", ACTIVE_S)
    found = re.search(r"\[ *([\d.]+)\] nimmt[^\n]*asks on", said)
    assert found is not None, said
    return float(found[1])


def _first_picture(pi: Pi, bench: Bench, when: str) -> None:
    """When, after Linux began, the settings are applied and the program for the first picture has ended."""
    ended = "systemctl show -P ExecMainExitTimestampMonotonic"
    pi.run(f"while [ $({ended} nimmt-boot-picture) = 0 ]; do sleep 1; done", ACTIVE_S)
    _, said = pi.run(f"{ended} table-settings; {ended} nimmt-boot-picture")
    settings_s, picture_s = (int(number) / 1e6 for number in said.split())
    bench.report.did(when, f"settings after {settings_s:.1f} s, the first picture after {picture_s:.1f} s")


def _speed(pi: Pi, bench: Bench) -> None:
    """How long the start takes by its own clock, and how fast it is: for an estimate of real boards."""
    _, said = pi.run("systemd-analyze; systemd-analyze blame | head -8", 120)
    bench.report.did("systemd-analyze", " / ".join(" ".join(one.split()) for one in said.splitlines()))
    bench.report.did("a piece of work in Python", pi.run(WORK, 120)[1])


def first_start(bench: Bench) -> None:
    """Nothing names a display: the panel is found, and somebody answers with the scanner."""
    card = bench.card()
    card.write("nimmt.toml", b'[scanner]\ndriver = "serial"\nport = "/dev/ttyAMA0"\n')
    with Pi(bench.qemu, card, has_panel=True) as pi:
        started(pi)
        pi.plug_scanner()
        state, turns = "", 0
        while state != "active" and turns < TRIES:
            pi.scanned("6NC-OK")
            _, state = pi.run("systemctl show -P ActiveState table-first-start")
            turns += 1
        active(pi)
        _first_sentence(pi, bench)
        _, said = pi.run("cat /boot/nimmt/nimmt.toml")
        good = "[display]" in said and "address = 61" in said
        bench.expect("the first start", good, _in_a_row(said) + _in_a_row(_log(pi, "table-first-start")))
        _, said = pi.run("nimmt status; findmnt -no OPTIONS /boot/nimmt", 120)
        bench.expect("the panel is in use", "display" not in said and "ro," in said, _in_a_row(said))


def _first_sentence(pi: Pi, bench: Bench) -> None:
    """When the program began that shows the sentence, by the clock of the box; and how fast the box is."""
    _, said = pi.run("systemctl show -P ExecMainStartTimestampMonotonic table-first-start")
    bench.report.did("the program that shows the first sentence", f"begins after {int(said) / 1e6:.1f} s")
    bench.report.did("a piece of work in Python", pi.run(WORK, 120)[1])


def _log(pi: Pi, unit: str) -> str:
    return pi.run(f"journalctl -b --no-hostname -o cat -u {unit}", 60)[1]


def _settings_in_force(pi: Pi, bench: Bench) -> None:
    """The files of `_with_settings` have become files of the system, and what is wrong is told."""
    _, said = pi.run("cat /proc/sys/kernel/hostname; date +%Z; cat /etc/nimmt/nimmt.toml")
    host, zone, *toml = said.splitlines()
    bench.expect("host.txt in UTF-16", host == "corner" and zone in {"CET", "CEST"}, f"{host}, {zone}")
    good = 'language = "de"' in toml and "heartbeat_s = 0" in toml
    bench.expect("nimmt.toml of a Windows editor", good, "is in force, with the language of host.txt")
    _, said = pi.run("nimmt status", 120)
    bench.expect("a wifi.txt with a fault", "wifi.txt" in said, _in_a_row(said))
    _, said = pi.run("systemctl is-active table-ssh; ss -Hltn; ls /data/ssh", 60)
    bench.expect("a key in authorized_keys", ":22 " in said, _in_a_row(said))
    _, said = pi.run("systemctl list-units --all --plain --no-legend 'table-*'")
    bench.report.did("units of the card", _in_a_row(said))


def _with_settings(card: CardFile) -> None:
    """Files as people leave them: in another encoding, with a fault, with a key."""
    card.write("host.txt", "name = corner\ntimezone = Europe/Berlin\nlanguage = de\n".encode("utf-16"))
    card.write("wifi.txt", b"country = Germany\nnetwork = n\npassword = 12345678\n")
    card.write("authorized_keys", KEY_FILE)


def _filled(card: CardFile, folder: Path) -> None:
    """Copy slot a to b, as an update would."""
    for name in (*SLOT_FILES, "manifest.json"):
        file = folder / name
        file.write_bytes(card.read(f"a/{name}"))
        card.write(f"b/{name}", file.read_bytes())


def broken(bench: Bench) -> None:
    """A new slot that cannot start comes back by itself, wherever it is broken."""
    card = bench.card()
    _filled(card, bench.folder)
    card.write("b/root.sfs", card.read("b/root.sfs")[:100_000])
    card.set(nimmt_try="b")
    with Pi(bench.qemu, card) as pi:
        pi.hear("the root of slot b is broken", 2 * LOADED_S)
        pi.hear_u_boot("nimmt-boot: slot b.*nimmt-boot: slot a", LOADED_S)
        bench.report.did("half of a root", f"back on slot a after {pi.since_s:.0f} s")
    assert card.exists("b/broken")
    assert "nimmt_try" not in card.variables
    card.remove("b/broken")
    card.write("b/kernel", b"no kernel" * 1000)
    card.set(nimmt_try="b")
    with Pi(bench.qemu, card) as pi:
        pi.hear_u_boot(r"slot b did not start.*nimmt-boot: slot a", LOADED_S)
        bench.report.did("a kernel that is none", f"slot a instead, after {pi.since_s:.0f} s")
        pi.hear("nimmt-init: slot a is mounted", LOADED_S + MOUNTED_S)
    assert "nimmt_try" not in card.variables
    card.remove("b/initrd")
    card.set(nimmt_slot="b")
    with Pi(bench.qemu, card) as pi:
        pi.hear_u_boot(r"slot b did not start.*nimmt-boot: slot a", LOADED_S)
        bench.report.did("a confirmed slot without its initrd", "slot a instead")


def trial(bench: Bench) -> None:
    """A new slot is started once; without a confirmation the next start is the old one."""
    card = bench.card()
    _filled(card, bench.folder)
    card.set(nimmt_try="b")
    with Pi(bench.qemu, card) as pi:
        started(pi, "b")
        bench.report.did("a slot on trial", f"slot b runs after {pi.since_s:.0f} s")
        assert "nimmt.slot=b" in pi.run("cat /proc/cmdline")[1]
    assert "nimmt_try" not in card.variables
    with Pi(bench.qemu, card) as pi:
        pi.hear_u_boot("nimmt-boot: slot a", LOADED_S)
        bench.report.did("the plug is pulled during the trial", "slot a starts")


def update(bench: Bench) -> None:
    """The files on the card; an update from a USB stick that cannot start; then one that is well, at a match.

    The root of the update is a piece of one, which is less to write for an emulated card. So the trial fails,
    the version before comes back by itself, and that is told. Needs the key with which the image was built.
    """
    assert bench.key is not None, "give the key of the image: --key FILE"
    card, plan = _table(bench)
    good = card.read("nimmt.toml")
    _with_settings(card)
    card.lose_power()
    bench.report.did("the file system of the card", " / ".join(card.damage.splitlines()[1:]))
    with Pi(bench.qemu, card, _stick(card, bench.folder, bench.key)) as pi:
        started(pi)
        active(pi)
        _settings_in_force(pi, bench)
        _written_from_stick(pi, bench)
        _goes_back(pi, bench)
    damage = card.damage
    bench.expect("the file system of the card", not damage, damage or "is whole after the update")
    bench.expect("the slot of the update", card.exists("b/broken"), "is marked as broken")
    if card.exists("b/broken"):
        card.remove("b/broken")
    _filled(card, bench.folder)
    card.set(nimmt_try="b")
    for name in ("host.txt", "wifi.txt", "authorized_keys"):
        card.remove(name)
    card.write("nimmt.toml", good)
    with Pi(bench.qemu, card, _other_stick(bench.folder)) as pi:
        started(pi, "b")
        active(pi)
        play = _Play(card, plan, bench.folder)
        _played(pi, bench, play, CODES // 2, _spread(bench.cuts, CODES // 2))
        _kept(pi, play)
        _is_confirmed(pi, bench)
        _other_is_told(pi, bench)
    bench.expect("U-Boot's variable", card.variables.get("nimmt_slot") == "b", "names slot b")
    _as_scanned(bench, play)


def _stick_is_dealt_with(pi: Pi) -> None:
    """Wait until udev and systemd have nothing to do any more: it is mounted by then, or never will be."""
    shown, _ = pi.run(f"{until('[ -b /dev/sda ]')}; [ -b /dev/sda ]", 600)
    if shown:
        raise NotDone("QEMU's USB has shown no stick")
    jobs = "systemctl list-jobs --no-legend 'table-stick@*' 'dev-sda*'"
    pi.run(f'udevadm settle --timeout=1800; while [ -n "$({jobs})" ]; do sleep 1; done', 1800)


def _other_is_told(pi: Pi, bench: Bench) -> None:
    """A stick with a file system that the box does not read is not mounted, and that is said."""
    _stick_is_dealt_with(pi)
    mounted, _ = pi.run("findmnt -n /media/sda")
    status, said = pi.run("nimmt update", 120)
    bench.expect(
        "a stick with ext2", mounted != 0 and status != 0 and "file system ext2" in said, _in_a_row(said)
    )


def _written_from_stick(pi: Pi, bench: Bench) -> None:
    """The stick is mounted by itself, the card is repaired, the update is written, nothing stays writable."""
    _stick_is_dealt_with(pi)
    _, said = pi.run("findmnt -n /media/sda || systemctl status --no-pager table-stick@sda", 120)
    bench.expect("the stick", said.startswith("/media/sda"), _in_a_row(said))
    begun_s = pi.since_s
    status, said = pi.run("nimmt update /media/sda/nimmt.update", 600)
    bench.expect("nimmt update", status == 0, f"{pi.since_s - begun_s:.0f} s: {_in_a_row(said)}")
    _, said = pi.run("findmnt -no OPTIONS /boot/nimmt; tr '\\0' '\\n' </boot/nimmt/uboot.env")
    bench.expect(
        "the card afterwards", said.startswith("ro,") and "nimmt_try=b" in said, _in_a_row(said)[:80]
    )


def _goes_back(pi: Pi, bench: Bench) -> None:
    """The new version cannot start, the one before does; it tells that, and that nimmt.toml is broken now."""
    pi.run("mount -o remount,rw /boot/nimmt; echo '[display' >/boot/nimmt/nimmt.toml; sync")
    back = len(pi.said)
    pi.run("mount -o remount,ro /boot/nimmt; systemctl reboot --no-block")
    pi.hear("the root of slot b is broken", 3 * LOADED_S, back)
    bench.report.did("the update", "is started on trial, and its root is broken")
    pi.hear("nimmt-init: slot a is mounted", 2 * LOADED_S, len(pi.said))
    pi.wait_shell(SHELL_S)
    active(pi)
    for command in ("nimmt status", "nimmt update --status"):
        _, said = pi.run(command, 120)
        told = re.search("was not confirmed|nicht bestätigt", said)
        bench.expect(f"{command} when it went back", told is not None, _in_a_row(said))
        if command == "nimmt status":
            bench.expect("a broken nimmt.toml", "nimmt.toml" in said, "is told there as well")


def _is_confirmed(pi: Pi, bench: Bench) -> None:
    """The version on trial is confirmed when it has been well for two minutes."""
    confirmed = "grep -aq nimmt_slot=b /boot/nimmt/uboot.env"
    status, said = pi.run(f"{until(confirmed, 200)}; {confirmed}", 600)
    log = _in_a_row(_log(pi, "table-confirm"))
    bench.expect("a version that is well", status == 0, f"is confirmed: {log}")
    _, said = pi.run("nimmt update --status", 60)
    bench.expect("nimmt update --status", "was not confirmed" not in said, _in_a_row(said))


def _in_a_row(said: str) -> str:
    return " / ".join(" ".join(line.split()) for line in said.splitlines())


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


def _other_stick(folder: Path) -> Path:
    """A USB stick with a file system that the box does not read."""
    stick = folder / "other.img"
    run("mke2fs", "-q", "-t", "ext2", stick, "64M", epoch=0)
    return stick


@dataclass
class _Play:
    """How far a match on a card has come, by the plan of the evening."""

    card: CardFile
    plan: Evening
    folder: Path
    sent: int = 0
    """So many codes were scanned."""
    kept: int = 0
    """What so many of them led to was found on the card."""

    @property
    def has_match(self) -> bool:
        """Whether a match has begun by what was found on the card."""
        return self.plan.moments[self.kept].place[0] == "played"

    def look(self) -> Found:
        """Read the card of a machine that is stopped or off.

        It holds what it held before, and of what was scanned since as much as was dealt with; nothing else.
        """
        found = _found(self.card, self.folder)
        possible = {self.plan.moments[at].place: at for at in range(self.sent, self.kept - 1, -1)}
        assert found.place in possible, f"{found.place} is on the card, and not one of {list(possible)}"
        kind, number, count = found.place
        if kind == "played":
            steps = self.plan.records[number][:count]
            assert found.steps == steps, "other steps than those that were scanned"
        self.kept = possible[found.place]
        return found

    def go_back(self) -> None:
        """After a power cut: people scan again what was not kept."""
        self.sent = self.kept = self.plan.first[self.plan.moments[self.kept].place]


def match(bench: Bench) -> None:
    """A match over a serial scanner, and the plug pulled at any moment of it: no step that was kept is lost.

    The plug is really pulled `PULLS` times, and the match goes on in a machine that is switched on again.
    Between, the machine is stopped now and then and its card copied: such a copy is a card whose plug was
    pulled just then.
    """
    card, plan = _table(bench)
    play, looks = _Play(card, plan, bench.folder), _spread(bench.cuts, CODES)
    chance = random.Random(2)
    ends = [*sorted(chance.sample(range(SEATS, CODES), PULLS)), CODES]
    for turn, end in enumerate(ends):
        with Pi(bench.qemu, card) as pi:
            started(pi)
            active(pi)
            if turn == PULLS:
                _speed(pi, bench)
                status, said = pi.run("journalctl --verify --quiet", 120)
                assert status == 0, said
            _played(pi, bench, play, end, looks)
            if end < CODES:
                pi.pause(chance.uniform(0, 2))
            else:
                _kept(pi, play)
        if end < CODES:
            found = play.look()
            play.go_back()
            bench.report.goes_on(f"plug pulled after code {end}: {found.place}")
    bench.report.did("power cuts", f"{bench.cuts} during the match, and {PULLS} after which it went on")
    _as_scanned(bench, play)


def _spread(cuts: int, codes: int) -> Counter[int]:
    """After which codes the card is looked at, and how often."""
    return Counter(1 + number * codes // cuts for number in range(cuts))


def _played(pi: Pi, bench: Bench, play: _Play, codes: int, looks: Counter[int]) -> None:
    """Scan up to so many codes of the plan; look at the card after those of `looks`, and take these out."""
    chance = random.Random(play.sent)
    _listening(pi)
    if play.has_match:
        _scan(pi, "6NC-OK")  # hello
    while play.sent < codes:
        pi.scanned(play.plan.codes[play.sent])
        play.sent += 1
        for _ in range(looks.pop(play.sent, 0)):
            pi.pause(chance.uniform(0, 2))
            with pi.stopped():
                found = play.look()
            bench.report.goes_on(f"cut after code {play.sent}: {found.place}")
        pi.pause(PACE.patient_s(1.5))


def _as_scanned(bench: Bench, play: _Play) -> None:
    """What is on the card is what was scanned."""
    found, place = play.look(), play.plan.moments[play.sent].place
    assert found.place == place, f"{place} was scanned, {found.place} is on the card"
    bench.report.did("a match over the scanner", f"{play.sent} codes, {len(found.steps)} steps on the card")


def _table(bench: Bench) -> tuple[CardFile, Evening]:
    """A card for a table that needs no display, and what its people scan."""
    settings_file = bench.folder / "nimmt.toml"
    settings_file.write_bytes(TABLE.read_bytes())
    return bench.card(), evening(load(settings_file), bench.folder, seed=1)


def _listening(pi: Pi) -> None:
    """Plug the scanner in, and wait until the game listens to it."""
    pi.plug_scanner()
    files = "/proc/$(systemctl show -P MainPID nimmt-companion)/fd"
    pi.run(f"until ls -l {files} | grep -q ttyAMA0; do sleep 2; done", 300)
    pi.pause(PACE.patient_s(8))  # the greeting has gone by then


def _scan(pi: Pi, code: str) -> None:
    """Scan a code, and give the game time to deal with it."""
    pi.scanned(code)
    pi.pause(PACE.patient_s(1.5))


def _kept(pi: Pi, play: _Play) -> None:
    """Wait until all that was scanned is on the card. Raises `Dark`."""
    wanted, ends_s = play.plan.moments[play.sent].place, time.monotonic() + PACE.patient_s(KEPT_S)
    while True:
        pi.pause(PACE.patient_s(2))
        with pi.stopped():
            found = play.look()
        if found.place == wanted:
            return
        if time.monotonic() > ends_s:
            if not PACE.follow():
                raise Dark(f"{wanted} was scanned, {found.place} is on the card")
            ends_s = time.monotonic() + PACE.patient_s(KEPT_S)


def _found(card: CardFile, folder: Path) -> Found:
    """What the journal on the card holds, read as the kernel would read it at the next start."""
    data, place = folder / "data.ext4", folder / "found"
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    begin = (START + BOOT_SIZE) >> 20
    words = (f"if={card.path}", f"of={data}", "bs=1M", f"skip={begin}", "conv=sparse", "status=none")
    run("dd", *words, epoch=0)
    checked = subprocess.run(["/sbin/e2fsck", "-fy", data], capture_output=True, text=True, check=False)
    assert checked.returncode <= 2, checked.stdout  # 1 and 2: its own journal was replayed
    run("debugfs", "-R", f"rdump /nimmt {place}", data, epoch=0)
    data.unlink()
    return on_disk(place / "nimmt" / "journal.sqlite")
