"""What changes while the emulated box runs: what it says of itself, its clock, its settings on the card."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Final

from firmware.service.clock import KNOWN_PAST_S
from tests.packaging.try_image.emulator import until

if TYPE_CHECKING:
    from tests.packaging.try_image.card_file import CardFile
    from tests.packaging.try_image.emulator import Pi
    from tests.packaging.try_image.runs import Bench

OFFERED: Final = "/run/table-clock/offered"
SAVED: Final = "/var/lib/systemd/timesync/clock"
DAY_S: Final = 86_400


def missing_devices(pi: Pi, bench: Bench, *others: str) -> None:
    """It tells that there is no display and that the watchdog is off, and nothing else but `others`.

    The scanner's port at the pins is always there.
    """
    _, said = pi.run("nimmt status --json", 120)
    found = {issue["id"] for issue in json.loads(said)["issues"]}
    expected = {"display", "hardware-watchdog", *others}
    bench.expect("what the box says of itself", found == expected, f"{sorted(found)}")


def clock_from_phone(pi: Pi, bench: Bench) -> None:
    """The time that the page leaves for a paired phone becomes that of the box, and is kept."""
    _, said = pi.run(f"systemctl is-active table-clock.path; stat -c '%U %G %a' {OFFERED}; date +%s")
    state, owner, before = said.splitlines()
    offered_s = max(int(before), KNOWN_PAST_S) + DAY_S  # the clock of the card is that of its systemd
    pi.run(f"echo {offered_s} $(cut -d' ' -f1 /proc/uptime) >/run/time; mv /run/time {OFFERED}")
    pi.run(f"{until(f'[ ! -e {OFFERED}/time ]')}; sleep 2", 300)
    log = "journalctl -b -q -o cat -n 3 -u table-clock"
    _, said = pi.run(f"date +%s; stat -c %Y {SAVED}; {log}")
    now, kept, *told = said.splitlines()
    good = (state, owner) == ("active", "nimmt root 775") and offered_s <= int(kept) <= int(now)
    bench.expect("a time that a phone offers", good, " / ".join((state, owner, before, now, kept, *told)))


def settings_changed(pi: Pi, bench: Bench) -> None:
    """What the page of settings changes is on the card, which is read-only again."""
    place, on_card = "/etc/nimmt/nimmt.toml", "/boot/nimmt/nimmt.toml"
    pi.run(f"sed 's/^missing_card_s.*/missing_card_s = 599/' {place} >{place}.new; mv {place}.new {place}")
    pi.run(f"{until(f'grep -q 599 {on_card}')}; sleep 5", 300)
    _, said = pi.run(
        f"grep missing_card {on_card}; findmnt -no OPTIONS /boot/nimmt; ls /boot/nimmt/*.previous"
    )
    bench.expect("a changed setting", "599" in said and "\nro," in said, " / ".join(said.split()))


def setting_is_kept(card: CardFile, bench: Bench) -> None:
    """After the plug was pulled it is on the card."""
    bench.expect(
        "the changed setting after a power cut", b"= 599" in card.read("nimmt.toml"), "is on the card"
    )
