"""What changed between two pictures, without any wire."""

from PIL import Image

from hardware.panel.partial_update import ADDRESSING, Window, changed, everything, pack
from tests.hardware.oled_setup import noise

WIDTH_PX = 128
TALL = ADDRESSING["ssd1306"]
FLAT = ADDRESSING["sh1106"]


def spotted(places: list[tuple[int, int, int]]) -> bytes:
    cells = bytearray(1024)
    for first, length, value in places:
        for cell in range(first, min(1024, first + length)):
            cells[cell] ^= value
    return bytes(cells)


def test_packing_gives_the_bytes_that_a_loop_over_the_pixels_gives() -> None:
    picture = noise(1)
    slowly = bytearray(1024)
    for y in range(64):
        for x in range(128):
            if picture.getpixel((x, y)):
                slowly[y // 8 * 128 + x] |= 1 << y % 8
    assert pack(picture) == bytes(slowly)


def test_a_digit_on_two_pages_is_one_tall_window() -> None:
    digit = spotted([(128 + 40, 8, 0xF0), (256 + 40, 8, 0x0F)])
    assert changed(bytes(1024), digit, WIDTH_PX, TALL) == [Window(1, 2, 40, 47)]
    assert len(changed(bytes(1024), digit, WIDTH_PX, FLAT)) == 2


def test_neighbours_are_joined_only_where_that_is_cheaper() -> None:
    near, far = spotted([(0, 1, 1), (17, 1, 1)]), spotted([(0, 1, 1), (18, 1, 1)])
    assert len(changed(bytes(1024), near, WIDTH_PX, TALL)) == 1
    assert len(changed(bytes(1024), far, WIDTH_PX, TALL)) == 2


def test_a_new_picture_is_one_window_not_a_patchwork() -> None:
    windows = changed(bytes(1024), pack(noise(3)), WIDTH_PX, TALL)
    assert windows == everything(WIDTH_PX, 64, TALL) == [Window(0, 7, 0, 127)]


def test_the_title_and_then_the_largest_window_come_before_the_rest() -> None:
    title, note, number = (3, 60, 1), (3 * 128 + 90, 2, 1), (5 * 128 + 40, 30, 1)
    windows = changed(bytes(1024), spotted([note, number, title]), WIDTH_PX, TALL)
    assert [window.first_page for window in windows] == [0, 5, 3]


def test_an_upright_panel_has_sixteen_pages() -> None:
    assert len(pack(Image.new("1", (64, 128), 1))) == 1024
    assert len(everything(64, 128, FLAT)) == 16
