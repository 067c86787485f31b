"""What changed between two pictures, without any wire."""

from hardware.panel.partial_update import ADDRESSING, Window, changed

WIDTH_PX = 128
TALL = ADDRESSING["ssd1306"]
FLAT = ADDRESSING["sh1106"]


def spotted(places: list[tuple[int, int, int]]) -> bytes:
    cells = bytearray(1024)
    for first, length, value in places:
        for cell in range(first, min(1024, first + length)):
            cells[cell] ^= value
    return bytes(cells)


def test_a_digit_on_two_pages_is_one_tall_window() -> None:
    digit = spotted([(128 + 40, 8, 0xF0), (256 + 40, 8, 0x0F)])
    assert changed(bytes(1024), digit, WIDTH_PX, TALL) == [Window(1, 2, 40, 47)]
    assert len(changed(bytes(1024), digit, WIDTH_PX, FLAT)) == 2


def test_the_title_and_then_the_largest_window_come_before_the_rest() -> None:
    title, note, number = (3, 60, 1), (3 * 128 + 90, 2, 1), (5 * 128 + 40, 30, 1)
    windows = changed(bytes(1024), spotted([note, number, title]), WIDTH_PX, TALL)
    assert [window.first_page for window in windows] == [0, 5, 3]
