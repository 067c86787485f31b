"""The ten pictures of docs/card.md: from a blank card to a match in play."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from tools.svg import arrow, box, drawing, filled, pixels, text

if TYPE_CHECKING:
    from PIL.Image import Image

WIDE: Final = 360
HIGH: Final = 236
_BOARD, _METAL, _DARK, _PINS = "#2c7a4b", "#aeb6c0", "#20262f", "#e3c565"


def pictures(screen: Callable[[str], Image], question: Image) -> Mapping[str, str]:
    """The drawings by name. `screen` gives a screen of the gallery, `question` is that of the first start."""
    steps = (
        ("Write the image to a card", _write()),
        ("Fill in what you like", _files()),
        ("Plug in, without power", _plug()),
        ("Power on", _power()),
        ("Readable? Press a key", _display(question, "any key")),
        ("Choose the language", _display(screen("language"), "OK")),
        ("See what works", _display(screen("devices"), "OK")),
        ("Scan the players' badges", _display(screen("players"), "OK")),
        ("Scan the first cards", _display(screen("deal"), "")),
        ("Scan what is played", _display(screen("ruling"), "")),
    )
    return {
        f"card-{number}": drawing(WIDE, HIGH, f"{number}: {title}", [*_title(number, title), *parts])
        for number, (title, parts) in enumerate(steps, start=1)
    }


def _title(number: int, title: str) -> Iterator[str]:
    yield '<circle class="blue" cx="30" cy="30" r="16" stroke-width="1.5"/>'
    yield text(30, 36, str(number), 17, bold=True)
    yield text(56, 36, title, 17, anchor="start", bold=True)


def _sd_card(x: float, y: float, words: str) -> Iterator[str]:
    yield (f'<path d="M{x} {y + 6} q0 -6 6 -6 h44 l16 16 v66 q0 6 -6 6 h-54 q-6 0 -6 -6 z" fill="{_DARK}"/>')
    for place in range(5):
        yield filled(x + 8 + 9 * place, y + 6, 6, 16, _PINS, radius=1)
    yield f'<text x="{x + 33}" y="{y + 62}" font-size="13" text-anchor="middle" fill="#fff">{words}</text>'


def _write() -> Iterator[str]:
    yield box(28, 84, 160, 92, "plain")
    yield text(108, 116, "nimmt-…-arm64.img.gz", 12.5, bold=True)
    yield text(108, 138, "Raspberry Pi Imager:", 13, "soft")
    yield text(108, 156, "“Use custom”", 13, "soft")
    yield arrow((196, 130), (246, 130))
    yield from _sd_card(258, 84, "NIMMT")
    yield text(180, 212, "any program that writes images will do", 13, "soft")


def _files() -> Iterator[str]:
    yield from _sd_card(22, 84, "NIMMT")
    for row, (name, says) in enumerate(
        (
            ("nimmt.toml", "the table"),
            ("wifi.txt", "a network"),
            ("host.txt", "name, zone, language"),
            ("authorized_keys", "who may log in"),
        )
    ):
        y = 66 + 36 * row
        yield box(104, y, 236, 30, "plain", radius=5)
        yield text(114, y + 20, name, 14, anchor="start", bold=True)
        yield text(332, y + 20, says, 11.5, "soft", anchor="end")
    yield text(222, 224, "none of them is needed to begin", 13, "soft")


def _pi(x: float, y: float) -> Iterator[str]:
    yield filled(x, y, 170, 92, _BOARD, radius=9)
    yield filled(x + 16, y + 6, 124, 14, "#171b22", radius=2)
    for row in range(2):
        for pin in range(20):
            yield filled(x + 19 + 6 * pin, y + 8 + 6 * row, 3, 3, _PINS)
    yield filled(x + 50, y + 36, 36, 36, _DARK, radius=3)
    yield filled(x + 142, y + 36, 36, 40, _METAL, radius=3)
    yield filled(x + 20, y + 82, 22, 14, _METAL, radius=2)


def _plug() -> Iterator[str]:
    yield from _pi(96, 118)
    yield filled(120, 58, 116, 40, "#262a32", radius=5)
    yield filled(128, 63, 86, 30, "#070a0e", radius=2)
    yield arrow((178, 100), (178, 116))
    yield from _sd_card(12, 122, "")
    yield arrow((80, 164), (94, 164))
    yield box(290, 140, 54, 36, "gold", radius=6)
    yield text(317, 163, "scanner", 12)
    yield arrow((288, 158), (276, 158))
    yield text(180, 228, "display and keys on the pins, scanner into USB", 13, "soft")


def _power() -> Iterator[str]:
    yield from _pi(96, 92)
    yield arrow((127, 214), (127, 192))
    yield text(140, 212, "5 V", 15, anchor="start", bold=True)
    yield '<circle cx="112" cy="146" r="6" fill="#4ac26b"/>'
    yield text(180, 74, "the first start takes the longest", 13, "soft")


def _display(screen: Image, key: str) -> Iterator[str]:
    x, y, scale = 52, 68, 2
    wide, high = screen.width * scale, screen.height * scale
    yield filled(x - 10, y - 10, wide + 20, high + 20, "#262a32", radius=8)
    yield filled(x - 3, y - 3, wide + 6, high + 6, "#070a0e", radius=3)
    yield pixels(screen, x, y, scale, "#9ddcff")
    if key:
        yield filled(WIDE / 2 - 36, 209, 72, 22, "#3b4252", radius=6)
        yield (
            f'<text x="{WIDE / 2}" y="{225}" font-size="13" font-weight="600" text-anchor="middle"'
            f' fill="#ffffff">{key}</text>'
        )
