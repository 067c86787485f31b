"""The plug is pulled two hundred times during two evenings: what was seen stays, and nothing is invented."""

from __future__ import annotations

import random
import sqlite3
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import pytest

from companion import log
from companion.codes import badge_code
from firmware.journal import Journal
from tests.whole.live_device import NIMMT, LiveDevice
from tests.whole.scripted import Evening, Place, evening

if TYPE_CHECKING:
    from pathlib import Path

FORGETFUL = (NIMMT[0], "-m", "tests.whole.forgetful_device")
EVENINGS = (3, 4)  # seeds; each evening is killed a hundred times
KILLS = 100
STRANGER = badge_code(10)  # nobody of the four


class Lost(AssertionError):
    """What had been shown is not in the journal, or what is in the journal had never been done."""


@dataclass(frozen=True, slots=True)
class Found:
    """What lies on the disk of a device that is off."""

    place: Place
    steps: tuple[dict[str, Any], ...]
    strays: int
    """Matches that were begun, and cut off before they were taken up."""


def on_disk(path: Path) -> Found:
    if not path.exists():
        return Found(("joined", 0, 0), (), 0)
    with closing(Journal.read(path)) as journal:
        opened, joining, entries = journal.recall("open"), journal.recall("joining"), journal.matches()
        before = [entry for entry in entries if entry.steps and entry.id != opened]
        strays = sum(not entry.steps and entry.id != opened for entry in entries)
        if not isinstance(opened, int):
            badges = joining["badges"] if isinstance(joining, dict) else ()
            return Found(("joined", len(badges), 0), (), strays)
        steps = tuple(journal.steps(opened))
    return Found(("played", len(before), len(steps)), steps, strays)


class Table:
    """People who go through with their evening, whatever happens to the device."""

    def __init__(self, device: LiveDevice, plan: Evening) -> None:
        self.device = device
        self.plan = plan
        self.at = 0  # the moment that the glass has shown
        self.sent = 0  # the moment that the newest code leads to

    def sit_down(self) -> None:
        """Switch the device on; it must say hello to the saved match and come back to its question."""
        self.device.switch_on()
        place = self.plan.moments[self.at].place
        back = self.plan.returns[place]
        assert self.device.wait_for(lambda seen: self._is(seen, back.hello))
        self.device.wait_listening(STRANGER if place[0] == "played" else "6NC-SWAP")
        if self.device.newest != back.question:  # without a match, hello leaves by itself
            self.device.scan("6NC-OK")
            assert self.device.wait_for(lambda seen: self._is(seen, back.question, before=(back.hello,)))

    def play(self, count: int) -> None:
        """Scan the next codes, each when the glass has answered the one before."""
        for _ in range(min(count, len(self.plan.codes) - self.at)):
            self.scan()
            here, there = self._shows(self.at), self._shows(self.sent)
            assert self.device.wait_for(lambda seen, a=here, b=there: self._is(seen, *b, before=a))  # type: ignore[misc]
            self.at = self.sent

    def scan(self) -> None:
        """Scan the next code and do not wait."""
        if self.at < len(self.plan.codes):
            self.device.scan(self.plan.codes[self.at])
            self.sent = self.at + 1

    def look_at_disk(self) -> None:
        """After a kill: the disk holds what the glass has shown, and at most the step under way."""
        here, there = self._shows(self.at), self._shows(self.sent)
        if any(seen in there and seen not in here for seen in self.device.new_pictures()):
            self.at = self.sent  # it was shown while the plug came out
        found = on_disk(self.device.journal)
        shown, under_way = (self.plan.moments[moment].place for moment in (self.at, self.sent))
        if found.place not in (shown, under_way):
            raise Lost(f"{shown} was shown, {under_way} was under way, and the disk holds {found.place}")
        kind, number, count = found.place
        if kind == "played" and found.steps != self.plan.records[number][:count]:
            raise Lost(f"the steps of match {number + 1} are not those that were made")
        self.at = self.sent = self.plan.first[found.place]

    def _shows(self, moment: int) -> tuple[bytes, bytes]:
        """The page of a moment, and the one after the device was switched on there."""
        here = self.plan.moments[moment]
        return here.live, self.plan.returns[here.place].question

    @staticmethod
    def _is(seen: bytes, *expected: bytes, before: tuple[bytes, ...] = ()) -> bool:
        """Whether it is one of the expected pictures; it may be the one before, and nothing else."""
        if seen not in expected and seen not in before:
            raise Lost("the glass shows what was never done")
        return seen in expected


def live_through(device: LiveDevice, seed: int, kills: int) -> Table:
    """An evening with so many kills: in the start, in a pause, in a scan."""
    chance = random.Random(seed)
    table = Table(device, evening(device.config, device.journal.parent, seed))
    for _ in range(kills):
        if chance.random() < 0.2:
            device.switch_on()
            device.kill(after_s=chance.uniform(0.0, 0.4))
        else:
            table.sit_down()
            table.play(chance.randint(0, 9))
            table.scan()
            device.kill(after_s=chance.uniform(0.0, 0.015))
        table.look_at_disk()
    return table


def whole_evening(folder: Path, seed: int) -> None:
    folder.mkdir()
    with LiveDevice(folder) as device:
        table = live_through(device, seed, KILLS)
        table.sit_down()
        table.play(len(table.plan.codes))
        assert device.stop() == 0
        with closing(Journal.read(device.journal)) as journal:
            played = [entry for entry in journal.matches() if entry.steps]
            steps = [tuple(journal.steps(entry.id)) for entry in played]
        assert steps == list(table.plan.records)
        told = [log.replay([one.header, *records]) for one, records in zip(played, steps, strict=True)]
        assert [match.totals for match in told] == list(table.plan.totals)
        assert all(match.winners for match in told)


def test_two_hundred_power_cuts_lose_nothing_that_was_seen_and_the_evening_ends_as_it_should(
    tmp_path: Path,
) -> None:
    with ThreadPoolExecutor(len(EVENINGS)) as pool:
        for ended in [pool.submit(whole_evening, tmp_path / str(seed), seed) for seed in EVENINGS]:
            ended.result()


def test_a_device_that_tells_before_it_has_written_is_found_out(tmp_path: Path) -> None:
    with LiveDevice(tmp_path, FORGETFUL) as device, pytest.raises(Lost):
        live_through(device, 3, 12)


def test_a_step_that_vanishes_from_the_disk_or_comes_from_nowhere_is_found_out(tmp_path: Path) -> None:
    with LiveDevice(tmp_path) as device:
        table = Table(device, evening(device.config, tmp_path, 3))
        table.sit_down()
        table.play(14)
        device.kill()
        table.look_at_disk()
        count = table.plan.moments[table.at].place[2]
        assert count > 1
        with closing(Journal.open(device.journal, wall=str)[0]) as journal:
            for record in table.plan.records[0][count : count + 2]:
                journal.append(1, count + 1 + (record is not table.plan.records[0][count]), record)
        with pytest.raises(Lost):
            table.look_at_disk()
        with closing(sqlite3.connect(device.journal)) as shell:
            shell.execute("DELETE FROM step WHERE number >= ?", (count,))
            shell.commit()
        with pytest.raises(Lost):
            table.look_at_disk()
