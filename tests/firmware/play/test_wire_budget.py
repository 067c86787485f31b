"""What an act at the table costs on the wire to the panel, in bytes: what differs, and telling where."""

from pathlib import Path

import pytest

from hardware.panel.partial_update import ADDRESSING, changed, pack
from tests.firmware.evening import FOUR, PLACED, ROWS, device

WIRED = ADDRESSING["ssd1306"]
WHOLE_FRAME = 128 * 64 // 8


@pytest.mark.parametrize(("lying", "card"), [("14", 44), ("14 44", 61), ("61 14", 44)])
def test_one_more_card_is_less_than_a_quarter_of_a_frame(tmp_path: Path, lying: str, card: int) -> None:
    with device(tmp_path, FOUR + ROWS + lying) as at:
        before = pack(at.runtime.app.picture())
        at.people(str(card))
        assert at.page == "collecting"
        after = pack(at.runtime.app.picture())
    windows = changed(before, after, 128, WIRED)
    sent = sum(window.cells + WIRED.opening_bytes for window in windows)
    assert 0 < sent < WHOLE_FRAME / 4


def test_a_turn_around_all_its_pages_sends_less_than_four_fifths_of_a_frame_for_each(
    tmp_path: Path,
) -> None:
    sent: dict[tuple[str, str], int] = {}
    with device(tmp_path, PLACED) as at:
        before = at.page, pack(at.runtime.app.picture())
        for word in ["3", "20", "45", "62", "R1", "b1", *["OK"] * 5]:
            at.people(word)
            after = at.page, pack(at.runtime.app.picture())
            windows = changed(before[1], after[1], 128, WIRED)
            sent[before[0], after[0]] = sum(window.cells + WIRED.opening_bytes for window in windows)
            before = after
    del sent["collecting", "collecting"], sent["ruling", "ruling"]
    assert list(sent) == [
        ("home", "collecting"),
        ("collecting", "choose_stack"),
        ("choose_stack", "choose_player"),
        ("choose_player", "taken"),
        ("taken", "ruling"),
        ("ruling", "home"),
    ]
    assert sum(sent.values()) / len(sent) < WHOLE_FRAME * 4 / 5
