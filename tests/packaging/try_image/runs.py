"""What is done with the emulated Raspberry Pi. Each run takes a card as built, and says what it saw."""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from image.layout import BOOT_SIZE, MIB

from tests.packaging.try_image.card_file import CARD_BYTES, CardFile
from tests.packaging.try_image.emulator import Pi, Qemu, arguments, until
from tests.systemd.trial import Report

TABLE: Final = Path(__file__).with_name("nimmt.toml")


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
        said = " / ".join(" ".join(line.split()) for line in said.splitlines())
        self.report.did(what, said if good else f"FAILED: {said}")
        if not good:
            self.failed.append(what)

    def card(self) -> CardFile:
        """A new card with the image on it."""
        card = CardFile(self.image, self.folder / f"card-{len(self._cards)}.img")
        card.set(nimmt_args=arguments())
        # It names a display, so nobody is asked to press a key; and it is as an editor of Windows leaves it.
        card.write("nimmt.toml", b"\xef\xbb\xbf" + TABLE.read_bytes().replace(b"\n", b"\r\n"))
        self._cards.append(card)
        return card


def started(pi: Pi, slot: str = "a") -> None:
    """Wait until this slot is mounted, and its shell answers. Raises `Dark`."""
    pi.hear_u_boot(rf"nimmt-boot: slot {slot}\s")
    pi.hear(rf"nimmt-init: slot {slot} is mounted")
    pi.wait_shell()


def active(pi: Pi) -> str:
    """Wait until the game runs; the line of systemd that says so."""
    waiting = until("systemctl is-active -q nimmt-companion", 300)
    _, said = pi.run(f"{waiting}; systemctl status -n 0 nimmt-companion | grep -m 1 Active:")
    found = re.search(r"Active: active \(running\).*", said)  # the kernel writes to the same line
    assert found is not None, said
    return found[0]


def boot(bench: Bench) -> None:
    """The first start: the game runs, the data take the card, nothing else is written; and what is kept."""
    card = bench.card()
    identity = "cat /etc/machine-id"
    with Pi(bench.qemu, card) as pi:
        started(pi)
        bench.report.did("the game", active(pi))
        _looks(pi, bench)
        _, first = pi.run(identity)
    with Pi(bench.qemu, card) as pi:
        started(pi)
        _, again = pi.run(identity)
    good = first == again and re.fullmatch("[0-9a-f]{32}", first) is not None
    bench.expect("machine-id after a power cut", good, f"{first}, {again}")


def _looks(pi: Pi, bench: Bench) -> None:
    """Whether the system is as it should be while the game runs."""
    size = "df --output=size -m /data | tail -1"
    _, said = pi.run(f"{until(f'[ $({size}) -gt 1000 ]')}; {size}")
    grown = int(said) > (CARD_BYTES - BOOT_SIZE) // MIB - 200
    bench.expect("the data partition has grown", grown, f"to {said} MB")
    _, mounts = pi.run("findmnt -rno TARGET,SOURCE,OPTIONS -t ext4,vfat,squashfs")
    written = {line.split()[1].partition("[")[0] for line in mounts.splitlines() if " rw" in line}
    bench.expect("what is written to", written == {"/dev/mmcblk0p2"}, " ".join(written))
    _, ports = pi.run("ss -Hltun")
    bench.expect("open ports", not ports, ports or "none")
    status, said = pi.run("ls /dev/i2c-1 /dev/spidev0.0 /dev/spidev0.1 /dev/gpiochip0")
    bench.expect("devices", status == 0, said)
