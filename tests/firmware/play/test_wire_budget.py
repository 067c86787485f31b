"""What an act at the table costs on the wire to the panel, in bytes: what differs, and telling where."""

from pathlib import Path

import pytest

from hardware.panel.partial_update import ADDRESSING, changed, pack
from tests.firmware.evening import FOUR, ROWS, device

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
