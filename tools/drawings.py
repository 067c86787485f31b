"""The drawings of the documentation: the product in one picture, its packages, and the way of a scan."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, Final

from tools.svg import arrow, box, drawing, filled, pixels, text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from PIL.Image import Image

# ---------------------------------------------------------------------------------------------- overview

_CODE: Final = (
    "111111111",
    "100110101",
    "101001010",
    "110110101",
    "101101100",
    "110011011",
    "100110110",
    "111111111",
)


def overview(ruling: Image) -> str:
    """Cards, scanner, Raspberry Pi and a display that shows `ruling`, a picture of mode "1"."""
    title = "A scanner reads the cards, a Raspberry Pi rules on them, a display shows the ruling."
    parts = [
        *_cards(),
        *_scanner(),
        arrow((292, 122), (390, 122)),
        text(340, 112, "code", 14, "soft"),
        *_raspberry_pi(),
        arrow((614, 122), (684, 122)),
        text(647, 112, "ruling", 14, "soft"),
        *_display(ruling),
        *_words(178, "You scan your cards", "your own cards, with a label", "in any order"),
        *_words(
            500,
            "The Raspberry Pi referees",
            "knows the rules, gives the reason,",
            "keeps the score on its disk",
        ),
        *_words(832, "Everybody sees it", "where each card goes, who takes,", "and why"),
    ]
    return drawing(1010, 324, title, parts)


def _words(x: float, head: str, *lines: str) -> Iterator[str]:
    yield text(x, 250, head, 20, bold=True)
    for place, line in enumerate(lines):
        yield text(x, 275 + 21 * place, line, 15, "soft")


def _cards() -> Iterator[str]:
    for x, y, turn in ((44, 64, -14), (62, 52, -4)):
        yield (
            f'<rect x="{x}" y="{y}" width="84" height="118" rx="8" fill="#f4efe4" stroke="#8c8474"'
            f' stroke-width="1.5" transform="rotate({turn} {x + 42} {y + 118})"/>'
        )
    yield '<g transform="rotate(6 124 170)">'
    yield '<rect x="82" y="50" width="84" height="118" rx="8" fill="#fffdf6" stroke="#8c8474"/>'
    yield (
        '<text x="124" y="132" font-size="46" font-weight="700" text-anchor="middle" fill="#5b3a8e">44</text>'
    )
    for place in range(5):
        yield f'<circle cx="{104 + 10 * place}" cy="148" r="3.4" fill="#b3541e"/>'
    for row, line in enumerate(_CODE):
        for column, bit in enumerate(line):
            if bit == "1":
                yield filled(134 + 2.6 * column, 58 + 2.6 * row, 2.6, 2.6, "#1c1c1c")
    yield "</g>"


def _scanner() -> Iterator[str]:
    yield '<polygon points="226,112 168,64 160,92" fill="#e5484d" opacity="0.45"/>'
    yield '<line x1="226" y1="112" x2="164" y2="78" stroke="#e5484d" stroke-width="2"/>'
    yield filled(222, 88, 66, 52, "#3b4252", radius=9)
    yield filled(222, 100, 10, 26, "#11151c", radius=3)
    yield '<circle cx="270" cy="102" r="4" fill="#4ac26b"/>'
    yield filled(247, 140, 16, 44, "#59636e")
    yield filled(222, 182, 66, 10, "#59636e", radius=5)


def _raspberry_pi() -> Iterator[str]:
    x, y = 398, 52
    yield filled(x, y, 204, 136, "#2c7a4b", radius=12)
    for cx, cy in ((x + 11, y + 11), (x + 158, y + 11), (x + 11, y + 125), (x + 158, y + 125)):
        yield f'<circle cx="{cx}" cy="{cy}" r="5" fill="#d8b45a"/>'
        yield f'<circle cx="{cx}" cy="{cy}" r="2.6" fill="#112233"/>'
    yield filled(x + 24, y + 6, 122, 15, "#171b22", radius=2)
    for row in range(2):
        for pin in range(20):
            yield filled(x + 27 + 6 * pin, y + 9 + 6 * row, 3, 3, "#e3c565")
    yield filled(x + 52, y + 48, 44, 44, "#20262f", radius=4)
    yield filled(x + 57, y + 53, 34, 34, "#c3c9d1", radius=3)
    yield filled(x + 106, y + 56, 28, 30, "#20262f", radius=3)
    for place in range(3):
        yield filled(x + 166, y + 26 + 34 * place, 44, 26, "#aeb6c0", radius=3)
        yield filled(x + 176, y + 31 + 34 * place, 30, 16, "#59636e", radius=2)
    yield filled(x + 16, y + 122, 24, 18, "#aeb6c0", radius=2)
    yield filled(x + 62, y + 122, 34, 18, "#aeb6c0", radius=2)
    yield filled(x - 4, y + 52, 20, 36, "#4c5563", radius=2)


def _display(ruling: Image) -> Iterator[str]:
    x, y, scale = 704, 44, 2
    wide, high = ruling.width * scale, ruling.height * scale
    yield filled(x - 12, y - 12, wide + 24, high + 24, "#262a32", radius=10)
    yield filled(x - 3, y - 3, wide + 6, high + 6, "#070a0e", radius=3)
    yield pixels(ruling, x, y, scale, "#9ddcff")
    for place, key in enumerate(("1", "2", "3", "4", "OK", "UNDO")):
        key_x, wide_px = (
            (x + 3 + 36 * place, 28) if place < 4 else (x + (153, 198)[place - 4], (38, 56)[place - 4])
        )
        yield filled(key_x, y + high + 20, wide_px, 24, "#3b4252", radius=6)
        yield (
            f'<text x="{key_x + wide_px / 2}" y="{y + high + 37}" font-size="13" font-weight="600"'
            f' text-anchor="middle" fill="#ffffff">{key}</text>'
        )


# ---------------------------------------------------------------------------------------------- packages

FIRMWARE: Final = (
    (("commands", "what you type: run, demo, show ..."),),
    (("table_socket", "what others are told"), ("card", "first start of a card")),
    (("service", "systemd"), ("scripted", "gallery"), ("setup", "guided")),
    (("kiosk", "a box for strangers"),),
    (("play", "the loop, and who answers an input"),),
    (("screens", "one file for each page"),),
    (("session", "the match in play"), ("update", "two slots of a card")),
    (("history", "stories, statistics, exports"),),
    (("journal", "every step on disk"),),
    (("display", "text and shapes in pixels"), ("config", "one TOML file")),
)
"""The packages of `firmware`, top layer first. A layer imports from those below it only."""


def packages() -> str:
    """The packages in their layers, and what they stand on."""
    title = "The packages: firmware in ten layers, above companion, hardware, paper and robots."
    left, wide, top, pitch = 40, 560, 62, 39
    parts = [
        box(20, 20, 600, 454, "plain", radius=12),
        text(40, 48, "firmware", 20, anchor="start", bold=True),
        text(600, 48, "the program: one loop, pages, journal, commands", 14, "soft", anchor="end"),
    ]
    for place, layer in enumerate(FIRMWARE):
        y = top + pitch * place
        each = (wide - 16 * (len(layer) - 1)) / len(layer)
        for column, (name, about) in enumerate(layer):
            x = left + (each + 16) * column
            parts.append(box(x, y, each, 33, "blue"))
            parts.append(text(x + 14, y + 22, name, 16, anchor="start", bold=True))
            parts.append(text(x + each - 14, y + 22, about, 13, "soft", anchor="end"))
    parts.append(
        text(320, 464, "translation: texts in the language of the table; every layer may use it", 13, "soft")
    )
    parts += [
        *_package(
            660, 20, 320, 112, "gold", "paper", "printed sheets as PDF", "labels, badges, control sheet"
        ),
        arrow((620, 96), (660, 96), dashed=True),
        text(640, 88, "1", 12, "soft"),
        *_package(
            20,
            520,
            290,
            112,
            "green",
            "companion",
            "the referee: games, rules, the match",
            "standard library only, no I/O",
        ),
        *_package(
            330,
            520,
            290,
            112,
            "rose",
            "hardware",
            "devices: ports, drivers, simulations",
            "real libraries, real wires",
        ),
        *_package(
            660,
            520,
            320,
            112,
            "plain",
            "device libraries",
            "gpiozero, luma.oled, pyserial",
            "imported by drivers only",
        ),
        arrow((165, 474), (165, 520)),
        arrow((475, 474), (475, 520)),
        arrow((620, 576), (660, 576)),
        arrow((980, 76), (990, 76), (990, 496), (165, 496), (165, 520)),
        *_package(660, 330, 320, 112, "gold", "robots", "players that think", "numpy, if a hard one plays"),
        arrow((620, 386), (660, 386), dashed=True),
        text(640, 378, "2", 12, "soft"),
        arrow((820, 442), (820, 496), (165, 496), (165, 520)),
    ]
    for place, line in enumerate(
        (
            "An arrow means: imports.",
            "A layer imports from the layers",
            "below it, never from one above.",
            "companion and hardware do not",
            "know each other.",
            "1: only commands import paper.",
            "2: on demand.",
        )
    ):
        parts.append(text(668, 172 + 23 * place, line, 15, "soft", anchor="start"))
    return drawing(1000, 652, title, parts)


def _package(
    x: float, y: float, wide: float, high: float, look: str, name: str, *lines: str
) -> Iterator[str]:
    yield box(x, y, wide, high, look, radius=12)
    yield text(x + 20, y + 36, name, 20, anchor="start", bold=True)
    for place, line in enumerate(lines):
        yield text(x + 20, y + 64 + 22 * place, line, 14, "soft", anchor="start")


# ------------------------------------------------------------------------------------------ way of a scan

_LANES: Final = (
    ("devices, in their own threads", 20, 290),
    ("game thread, the owner of the match", 320, 440),
    ("disk", 770, 210),
)
_STEPS: Final = (
    (0, "scanner driver", "bytes become one code: Scanned(text)"),
    (0, "App.post", "puts it into a queue, returns at once"),
    (1, "TableController.hear", "wakes the display, drops a repeated scan"),
    (1, "action_of", "code becomes an action: card, badge, key"),
    (1, "Page.handle", "the page in front may answer it"),
    (1, "TableController.play", "else it is a play: Game.read makes a command"),
    (1, "Match.propose", "Game.judge: Refused, or events with reasons"),
    (1, "Match.then", "Game.apply: the match as it would be"),
    (2, "Journal.append", "one commit, one sync"),
    (1, "Session.match", "only now the new match counts"),
    (1, "feedback", "tone, and what opens for a moment"),
    (1, "App.look", "draws the page in front"),
    (0, "Display.draw", "leaves the newest picture, returns"),
    (0, "thread of the panel", "sends what differs"),
)


def scan() -> str:
    """The way of a scan through the threads, from the code to the panel."""
    title = "The way of a scan: device thread, queue, game thread, journal on disk, picture, panel."
    pitch, top, high = 58, 76, 42
    parts = []
    rows = len(_STEPS)
    for name, x, wide in _LANES:
        parts.append(box(x, 20, wide, top + pitch * rows - 20, "plain", radius=12))
        parts.append(text(x + wide / 2, 48, name, 16, bold=True))
    looks = ("rose", "blue", "green")
    places = []
    for place, (lane, name, about) in enumerate(_STEPS):
        _, x, wide = _LANES[lane]
        y = top + pitch * place
        parts.append(box(x + 14, y, wide - 28, high, looks[lane]))
        parts.append(text(x + wide / 2, y + 18, name, 15, bold=True))
        parts.append(text(x + wide / 2, y + 34, about, 12.5, "soft"))
        places.append((lane, x + 14, wide - 28, y))
    for (lane, x, wide, y), (next_lane, next_x, next_wide, next_y) in pairwise(places):
        if lane == next_lane:
            parts.append(arrow((x + wide / 2, y + high), (x + wide / 2, next_y)))
        elif next_lane > lane:
            middle = next_y + high / 2
            parts.append(arrow((x + wide / 2, y + high), (x + wide / 2, middle), (next_x, middle)))
        else:
            middle = next_y + high / 2
            parts.append(
                arrow((x + wide / 2, y + high), (x + wide / 2, middle), (next_x + next_wide, middle))
            )
    return drawing(1000, top + pitch * rows + 20, title, parts)
