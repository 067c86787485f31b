"""A match at the emulated box, whose plug is pulled at any moment: all that anybody has seen is kept."""

import base64
import random
import re
import shutil
import subprocess
import threading
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from image.commands import run
from image.layout import BOOT_SIZE, START

from firmware.config.configuration import load
from firmware.table_socket.access import OF_THE_SERVICE
from tests.packaging.try_image.card_file import CardFile
from tests.packaging.try_image.emulator import Dark, Pi
from tests.packaging.try_image.runs import TABLE, Bench, active, started
from tests.systemd.trial import comes
from tests.whole.scripted import SEATS, Evening, evening
from tests.whole.table import Found, on_disk

CODES: Final = 40
"""The start of an evening: four badges, what is played, some turns."""
PULLS: Final = 5
"""How often the machine is really switched off during a match, and on again."""
_FOLLOWS: Final = f"""\
import json, socket
line = socket.socket(socket.AF_UNIX)
line.connect("{OF_THE_SERVICE}")
for told in line.makefile():
    table = json.loads(told).get("table")
    if table:
        print("SEEN %d." % table["steps"], flush=True)
"""
"""A program in the box: it says on the line of the shell how many steps of the match anybody has seen."""


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

    def look(self, pi: Pi) -> Found:
        """Read the card of a machine that is stopped or off.

        It holds what it held before and all that was seen; of what was scanned since, as much as was dealt
        with; nothing else.
        """
        found, seen = _found(self.card, self.folder), _seen(pi)
        possible = {self.plan.moments[at].place: at for at in range(self.sent, self.kept - 1, -1)}
        assert found.place in possible, f"{found.place} is on the card, and not one of {list(possible)}"
        kind, number, count = found.place
        assert kind != "played" or count >= seen, f"{seen} steps were seen, {count} are on the card"
        if kind == "played":
            steps = self.plan.records[number][:count]
            assert found.steps == steps, "other steps than those that were scanned"
        self.kept = possible[found.place]
        return found

    def go_back(self) -> None:
        """After a power cut: people scan again what was not kept."""
        self.sent = self.kept = self.plan.first[self.plan.moments[self.kept].place]

    def scan(self, pi: Pi) -> None:
        """Scan the next code."""
        pi.scanned(self.plan.codes[self.sent])
        self.sent += 1


def match(bench: Bench) -> None:
    """A match over a serial scanner, and the plug pulled at any moment: no step that was seen is lost.

    The plug is really pulled `PULLS` times, and once while the machine starts, and the match goes on.
    Between, the machine is stopped now and then and its card copied: such a copy is a card whose plug was
    pulled just then.
    """
    settings_file = bench.folder / "nimmt.toml"
    settings_file.write_bytes(TABLE.read_bytes())
    card, plan = bench.card(), evening(load(settings_file), bench.folder, seed=1)
    play = _Play(card, plan, bench.folder)
    looks = Counter(1 + number * CODES // bench.cuts for number in range(bench.cuts))
    chance = random.Random(2)
    for end in sorted(chance.sample(range(SEATS, CODES), PULLS)):
        with Pi(bench.qemu, card) as pi:
            _played(pi, play, end, looks, chance)
            _pause(chance)
        found = play.look(pi)
        play.go_back()
        bench.report.did("the plug was pulled", f"after code {end}: {found.place} is on the card")
    with Pi(bench.qemu, card) as pi:
        pi.hear("nimmt-init: slot a is mounted")
        _pause(chance)
    with Pi(bench.qemu, card) as pi:
        _played(pi, play, CODES, looks, chance)
        status, said = pi.run("journalctl --verify --quiet")
        bench.expect("the log after all that", status == 0, said or "is whole")
        found = _all_kept(pi, play)
        bench.report.did("a match over the scanner", f"{CODES} codes, {len(found.steps)} steps on the card")


def _pause(chance: random.Random) -> None:
    """Any moment: nothing that must happen depends on how long it is."""
    threading.Event().wait(chance.uniform(0, 2))


def _played(pi: Pi, play: _Play, codes: int, looks: Counter[int], chance: random.Random) -> None:
    """Start, and scan up to so many codes of the plan; look at the card after those of `looks`."""
    started(pi)
    active(pi)
    pi.plug_scanner()
    _listen(pi, play)
    while play.sent < codes:
        play.scan(pi)
        for _ in range(looks.pop(play.sent, 0)):
            _pause(chance)
            with pi.stopped():
                play.look(pi)
        pi.run("sleep 2")


def _listen(pi: Pi, play: _Play) -> None:
    """Wait until the game listens to its scanner, and follow what it shows."""
    files = "/proc/$(systemctl show -P MainPID nimmt-companion)/fd"
    pi.run(f"until ls -l {files} | grep -q ttyAMA0; do sleep 2; done; sleep 8")  # the greeting has gone then
    coded = base64.b64encode(_FOLLOWS.encode()).decode()
    pi.run(f"echo {coded} | base64 -d >/run/follows.py; python3 /run/follows.py >/dev/ttyS1 2>&1 & sleep 20")
    if play.plan.moments[play.kept].place[0] == "played":
        pi.scanned("6NC-OKB")  # hello
        pi.run("sleep 2")


def _seen(pi: Pi) -> int:
    """How many steps of the match anybody has seen since this machine was switched on."""
    return max(map(int, re.findall(r"SEEN (\d+)\.", pi.said)), default=0)


def _all_kept(pi: Pi, play: _Play) -> Found:
    """Wait until all that was scanned is on the card, and was seen. Raises `Dark`."""
    wanted, found = play.plan.moments[play.sent].place, list[Found]()

    def there() -> bool:
        with pi.stopped():
            found.append(play.look(pi))
        return found[-1].place == wanted and _seen(pi) == wanted[2]

    if not comes(there, look_s=2):
        raise Dark(f"{wanted} was scanned, {found[-1].place} is on the card, {_seen(pi)} steps were seen")
    return found[-1]


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
