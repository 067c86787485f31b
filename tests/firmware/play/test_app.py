"""The loop and what waits for it."""

from pathlib import Path

from companion.core.codes import badge_code
from hardware.ports import Key, KeyPressed, Scanned
from tests.firmware.evening import device


def test_what_is_posted_waits_until_the_loop_takes_it(tmp_path: Path) -> None:
    with device(tmp_path) as table:
        app, waits = table.runtime.app, list[int]()
        app.turned = lambda _now_s: waits.append(app.waiting)
        assert app.waiting == 0
        app.post(KeyPressed(Key.ROW_1))
        app.post(Scanned(badge_code(1)))
        app.post(Scanned(badge_code(2)))
        assert app.waiting == 3
        app.stop()  # waits like the others
        app.run()
        assert waits == [3, 2, 1, 0]
        assert table.page == "players"
