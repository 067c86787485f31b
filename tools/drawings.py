"""The drawings of the documentation, but for those of the wiring.

The product in one picture, its packages, the way of a scan, and from a blank card to a match in play.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Final

from firmware.text.translation import runs_right_to_left
from tools.svg import arrow, box, drawing, filled, pixels, text

if TYPE_CHECKING:
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


_SCALE: Final = 2
"""A pixel of a display in a drawing."""


def overview(ruling: Image, language: str) -> str:
    """Cards, scanner, Raspberry Pi, and a display that shows `ruling`, of mode "1", in a language."""
    say = _said(language)
    title = say("A scanner reads the cards, a Raspberry Pi rules on them, a display shows the ruling.")
    parts = [
        *_cards(),
        *_scanner(),
        arrow((292, 122), (390, 122)),
        text(340, 112, say("code"), 14, "soft"),
        *_raspberry_pi(398, 52),
        arrow((614, 122), (684, 122)),
        text(647, 112, say("ruling"), 14, "soft"),
        *_display(ruling),
        *_words(178, say("You scan your cards"), say("your own cards, with a label"), say("in any order")),
        *_words(
            500,
            say("The Raspberry Pi referees"),
            say("knows the rules, gives the reason,"),
            say("keeps the score on its disk"),
        ),
        *_words(832, say("Everybody sees it"), say("where each card goes, who takes,"), say("and why")),
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


def _raspberry_pi(x: float, y: float) -> Iterator[str]:
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


def _panel(screen: Image, x: float, y: float) -> Iterator[str]:
    """A display with a case around it, whose upper left pixel is there."""
    wide, high = screen.width * _SCALE, screen.height * _SCALE
    yield filled(x - 12, y - 12, wide + 24, high + 24, "#262a32", radius=10)
    yield filled(x - 3, y - 3, wide + 6, high + 6, "#070a0e", radius=3)
    yield pixels(screen, x, y, _SCALE, "#9ddcff")


def _key(x: float, y: float, wide: float, word: str) -> Iterator[str]:
    yield filled(x, y, wide, 24, "#3b4252", radius=6)
    yield (
        f'<text x="{x + wide / 2}" y="{y + 17}" font-size="13" font-weight="600"'
        f' text-anchor="middle" fill="#ffffff">{word}</text>'
    )


def _display(ruling: Image) -> Iterator[str]:
    x, y = 704, 44
    yield from _panel(ruling, x, y)
    places = [(3 + 36 * place, 28) for place in range(4)] + [(153, 38), (198, 56)]
    for (key_x, wide), word in zip(places, ("1", "2", "3", "4", "OK", "UNDO"), strict=True):
        yield from _key(x + key_x, y + ruling.height * _SCALE + 20, wide, word)


# ---------------------------------------------------------------------------------------------- packages

_ROOT: Final = Path(__file__).parents[1]
_PITCH: Final = 30


def layers(package: str) -> list[list[str]]:
    """The layers of a package, the top one first, as the import rules of pyproject.toml have them."""
    rules = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["importlinter"]
    of_package = next(rule for rule in rules["contracts"] if rule.get("containers") == [package])
    return [layer.split(" | ") for layer in of_package["layers"]]


def about(package: str) -> str:
    """What a package or a module is: the first sentence of its docstring."""
    path = _ROOT / package.replace(".", "/")
    file = path / "__init__.py" if path.is_dir() else path.with_suffix(".py")
    docstring = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or ""
    return re.split(r"\.(?:\s|$)", docstring, maxsplit=1)[0].replace("\n", " ")


def packages() -> str:
    """The packages in their layers, and what they stand on."""
    title = "The packages: network above firmware, firmware above companion and hardware, each in layers."
    top = 20
    parts: list[str] = []
    for package, look in (("network", "gold"), ("firmware", "blue")):
        parts += _tier(package, layers(package), look, 20, top, 960)
        top += _high(layers(package)) + 34
        parts.append(arrow((250, top - 34), (250, top)))
    parts.append(arrow((740, top - 34), (740, top)))
    for x, package, look in ((20, "companion", "green"), (510, "hardware", "rose")):
        parts += _tier(package, layers(package), look, x, top, 470)
    high = max(_high(layers(package)) for package in ("companion", "hardware"))
    note = "Each package imports from those below it, never from one above or beside it."
    parts.append(text(500, top + high + 26, note, 14, "soft"))
    return drawing(1000, top + high + 46, title, parts)


def _high(rows: Sequence[Sequence[str]]) -> int:
    return 48 + sum(_PITCH * len(row) + 8 for row in rows)


def _tier(
    package: str, rows: Sequence[Sequence[str]], look: str, x: float, y: float, wide: float
) -> Iterator[str]:
    """A package with its layers; those that share a layer stand in one box."""
    yield box(x, y, wide, _high(rows), "plain", radius=12)
    yield text(x + 20, y + 28, package, 20, anchor="start", bold=True)
    y += 42
    for row in rows:
        yield box(x + 14, y, wide - 28, _PITCH * len(row) + 2, look)
        for place, name in enumerate(row):
            line = y + 21 + _PITCH * place
            yield text(x + 26, line, name, 15, anchor="start", bold=True)
            if wide > 500:  # beside each other there is no room for more than names
                yield text(x + 170, line, about(f"{package}.{name}"), 13, "soft", anchor="start")
        y += _PITCH * len(row) + 8


# ------------------------------------------------------------------------------------------ way of a scan

_LANES: Final = (
    ("devices, in their own threads", 20, 290),
    ("game thread, the owner of the match", 320, 440),
    ("disk", 770, 210),
)
_STEPS: Final = (
    (0, "scanner driver", "bytes become one code: Scanned(text)"),
    (0, "App.post", "puts it into a queue, returns at once"),
    (1, "react", "wakes the display, drops a repeated scan"),
    (1, "action_of", "code becomes an action: card, badge, key"),
    (1, "Page.handle", "optional parts and pages may answer it"),
    (1, "Reaction.play", "else it is a play: Game.read makes a command"),
    (1, "Match.propose", "Game.judge: Refused, or events with reasons"),
    (1, "Match.then", "Game.apply: the match as it would be"),
    (1, "Reaction", "tone, and what opens for a moment"),
    (2, "Journal.write", "one commit, one sync"),
    (1, "StateStore.adopt", "only now the new match counts"),
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


# ------------------------------------------------------------------------------- from a card to a match

_CARD_WIDE: Final = 360
_CARD_HIGH: Final = 236
_WITH_KEY: Final = 3
"""So many screens are left with OK."""


CARD_SCREENS: Final = ("language", "devices", "players", "deal", "ruling")
"""The screens of the gallery that are shown in the last drawings of docs/card.md."""

WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {},
    "de": {
        "A scanner reads the cards, a Raspberry Pi rules on them, a display shows the ruling.": (
            "Ein Scanner liest die Karten, ein Raspberry Pi entscheidet, eine Anzeige sagt, wohin sie kommen."
        ),
        "code": "Code",
        "ruling": "Anzeige",
        "You scan your cards": "Ihr scannt eure Karten",
        "your own cards, with a label": "eure eigenen, mit einem Etikett,",
        "in any order": "in beliebiger Reihenfolge",
        "The Raspberry Pi referees": "Der Raspberry Pi entscheidet",
        "knows the rules, gives the reason,": "kennt die Regeln, nennt den Grund,",
        "keeps the score on its disk": "speichert die Punkte",
        "Everybody sees it": "Alle sehen es",
        "where each card goes, who takes,": "wohin jede Karte kommt, wer kassiert",
        "and why": "und warum",
        "“Use custom”": "„Eigenes Image“",
        "any program that writes images will do": "oder ein anderes Programm für Images",
        "the table": "der Tisch",
        "a network": "ein WLAN",
        "name, zone, language": "Name, Zeitzone, Sprache",
        "who may log in": "Anmeldung",
        "none of them is needed to begin": "für den Anfang ist keine davon nötig",
        "scanner": "Scanner",
        "display and keys on the pins, scanner into USB": "Anzeige und Tasten an Pins, Scanner an USB",
        "the first start takes the longest": "der erste Start dauert am längsten",
        "any key": "Taste",
    },
    "fa": {
        "A scanner reads the cards, a Raspberry Pi rules on them, a display shows the ruling.": (
            "اسکنر کارت‌ها را می‌خواند، رزبری‌پای داوری می‌کند و نمایشگر داوری را نشان می‌دهد."
        ),
        "code": "کد",
        "ruling": "داوری",
        "You scan your cards": "کارت‌ها را اسکن می‌کنید",
        "your own cards, with a label": "کارت‌های خودتان، با برچسب",
        "in any order": "به هر ترتیبی",
        "The Raspberry Pi referees": "رزبری‌پای داوری می‌کند",
        "knows the rules, gives the reason,": "قانون‌ها را می‌داند، دلیل می‌آورد",
        "keeps the score on its disk": "و امتیازها را ذخیره می‌کند",
        "Everybody sees it": "همه می‌بینند",
        "where each card goes, who takes,": "هر کارت کجا می‌رود، چه کسی برمی‌دارد",
        "and why": "و چرا",
        "“Use custom”": "“Use custom”",
        "any program that writes images will do": "یا هر برنامه‌ی دیگری که ایمیج می‌نویسد",
        "the table": "میز",
        "a network": "شبکه",
        "name, zone, language": "نام، زمان، زبان",
        "who may log in": "اجازه‌ی ورود",
        "none of them is needed to begin": "برای آغاز هیچ‌کدام لازم نیست",
        "scanner": "اسکنر",
        "display and keys on the pins, scanner into USB": "نمایشگر و کلیدها روی پایه‌ها، اسکنر در درگاهش",
        "the first start takes the longest": "بار اول بیشتر طول می‌کشد",
        "any key": "یک کلید",
    },
}
"""What the overview and the drawings of docs/card.md say, in each language in which there are any."""


def _said(language: str) -> Callable[[str], str]:
    """Says a text of these drawings in a language. Raises KeyError for one that is not translated."""
    words = WORDS[language]
    return words.__getitem__ if words else str


def card_pictures(
    titles: Sequence[tuple[str, str]], screen: Callable[[str], Image], question: Image, language: str
) -> Iterator[str]:
    """The ten drawings of docs/card.md in a language, with the numbers and titles that they have there.

    `screen` gives one of `CARD_SCREENS`, `question` is that of the first start.
    """
    say = _said(language)
    pictures = (
        _write(say),
        _files(say),
        _plug(say),
        _power(say),
        _shown(question, say("any key")),
        *(_shown(screen(name), "OK" if place < _WITH_KEY else "") for place, name in enumerate(CARD_SCREENS)),
    )
    for (number, title), parts in zip(titles, pictures, strict=True):
        yield drawing(_CARD_WIDE, _CARD_HIGH, f"{number}: {title}", [*_title(number, title), *parts])


def _title(number: str, title: str) -> Iterator[str]:
    at, beside, anchor = 30, 56, "start"
    if runs_right_to_left(title):
        at, beside, anchor = _CARD_WIDE - at, _CARD_WIDE - beside, "end"
    yield f'<circle class="blue" cx="{at}" cy="30" r="16" stroke-width="1.5"/>'
    yield text(at, 36, number, 17, bold=True)
    yield text(beside, 36, title, 17, anchor=anchor, bold=True)


def _sd_card(x: float, y: float, words: str) -> Iterator[str]:
    yield (f'<path d="M{x} {y + 6} q0 -6 6 -6 h44 l16 16 v66 q0 6 -6 6 h-54 q-6 0 -6 -6 z" fill="#20262f"/>')
    for place in range(5):
        yield filled(x + 8 + 9 * place, y + 6, 6, 16, "#e3c565", radius=1)
    yield f'<text x="{x + 33}" y="{y + 62}" font-size="13" text-anchor="middle" fill="#fff">{words}</text>'


def _write(say: Callable[[str], str]) -> Iterator[str]:
    yield box(28, 84, 160, 92, "plain")
    yield text(108, 116, "nimmt-…-arm64.img.gz", 11.5, bold=True)
    yield text(108, 138, "Raspberry Pi Imager:", 13, "soft")
    yield text(108, 156, say("“Use custom”"), 13, "soft")
    yield arrow((196, 130), (246, 130))
    yield from _sd_card(258, 84, "NIMMT")
    yield text(180, 212, say("any program that writes images will do"), 13, "soft")


def _files(say: Callable[[str], str]) -> Iterator[str]:
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
        yield text(332, y + 20, say(says), 11.5, "soft", anchor="end")
    yield text(222, 224, say("none of them is needed to begin"), 13, "soft")


def _small_pi(x: float, y: float) -> Iterator[str]:
    yield f'<g transform="translate({x} {y}) scale(0.78)">'
    yield from _raspberry_pi(0, 0)
    yield "</g>"


def _plug(say: Callable[[str], str]) -> Iterator[str]:
    yield from _small_pi(108, 104)
    yield filled(120, 46, 116, 40, "#262a32", radius=5)
    yield filled(128, 51, 86, 30, "#070a0e", radius=2)
    yield arrow((178, 88), (178, 104))
    yield from _sd_card(12, 122, "")
    yield arrow((80, 158), (102, 158))
    yield box(290, 140, 54, 36, "gold", radius=6)
    yield text(317, 163, say("scanner"), 12)
    yield arrow((288, 158), (276, 158))
    yield text(180, 228, say("display and keys on the pins, scanner into USB"), 13, "soft")


def _power(say: Callable[[str], str]) -> Iterator[str]:
    yield from _small_pi(108, 86)
    yield arrow((130, 216), (130, 198))
    yield text(142, 214, "5 V", 15, anchor="start", bold=True)
    yield '<circle cx="134" cy="166" r="6" fill="#4ac26b"/>'
    yield text(180, 74, say("the first start takes the longest"), 13, "soft")


def _shown(screen: Image, key: str) -> Iterator[str]:
    yield from _panel(screen, 52, 64)
    if key:
        yield from _key(_CARD_WIDE / 2 - 36, 209, 72, key)
