"""The moment between two matches."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from companion.core.cards import Card
from companion.games.six.records import Lay
from companion.match.match import Terms
from firmware.play import reaction
from firmware.screens.before.start import Hello
from firmware.screens.parts.base import StepResult
from tests.firmware.evening import EXAMPLE_1, device

if TYPE_CHECKING:
    import pytest


def test_after_a_match_the_next_one_is_offered_and_begins_with_one_key(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1) as at:
        at.controller.session.suspend()
        assert at.page == "start"
        at.runtime.app.picture()
        at.people("OK")
        assert at.match.terms.badges == (1, 2, 3, 4)


def test_the_first_key_after_the_start_is_not_lost_on_the_page_of_the_devices(tmp_path: Path) -> None:
    with device(tmp_path) as at:
        at.controller.open(Hello(), lasts_s=3.0)
        at.people("R1")
        assert at.page == "players"


def test_a_key_before_ok_does_nothing_to_a_saved_match(tmp_path: Path) -> None:
    with device(tmp_path, EXAMPLE_1) as at:
        steps = at.match.steps
        at.controller.open(Hello())
        at.people("R1")
        assert (at.page, at.match.steps) == ("hello", steps)


def test_what_was_seen_long_ago_is_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reaction, "_MOST_SEEN", 5)
    with device(tmp_path) as on:
        for _ in range(7):
            on.controller.session.begin(Terms("six", 3, badges=(1, 2, 3)))
            on.controller.session.propose(Lay(Card(5)))
            on.controller.do(lambda table: table.acknowledge(StepResult.DEAL))
            assert on.controller.has_seen(StepResult.DEAL)
        assert len(on.controller.table.seen) == 5
