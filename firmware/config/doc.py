"""docs/configuration.md, generated from the structs that the reader uses.

`python -m firmware.config.doc > docs/configuration.md` writes it; a test compares them.
"""

import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from companion.core import games
from firmware.config.configuration import (
    BOARD_DRIVERS,
    DEFAULT_DRIVERS,
    options_of,
    preset_of,
    sections,
)
from firmware.config.keys import Key, keys_of, plain
from hardware.boards import BOARDS
from hardware.registry import DRIVERS

_HEAD: Final = """# Configuration

One TOML file holds all settings. Without a file, the display is the terminal and there are no other devices,
so you can try the program on any machine. Ready-made files: [docs/examples](examples).

```toml
board = "hand-wired"        # fills in [display], [buttons] and [buzzer]

[scanner]
driver = "auto"             # each device section names its driver, unless the board does

[table]
names = ["Ana", "Bo", "Cem"]
```

- **All faults at once.** The whole file is checked before any device is opened. Each fault is one line: the
  key, its value, what is wrong with it, and how to fix it. An unknown name is a fault; the nearest known name
  is suggested.
- **You can play with a faulty file.** The program then uses its copy of the last valid file and shows the
  faults.
- **Keys override the board.** The file overrides the settings of the board key by key; a table such as `pins`
  is replaced as a whole. A section that names another driver uses nothing from the board.
- **Each pin has one function.** It is a fault if two keys use the same GPIO, or if a key uses a pin of the
  display's bus (GPIO 2 and 3 on I2C).

`nimmt config check` shows what is wrong with a file, `nimmt config keys` prints this page.
Pins are BCM numbers. Times are in seconds unless the name says otherwise.
"""

_ADDRESS: Final = "address"

_ABOUT: Final[Mapping[str, str]] = {
    "display": "The display.",
    "buttons": "The keys and the knob.",
    "scanner": "The scanner that reads the cards.",
    "buzzer": "The buzzer for the sound signals.",
}


def as_markdown() -> str:
    """The whole page. Imports every driver; raises `HardwareError` if a library is missing."""
    parts = [_HEAD, *_boards(), *_devices(), *_others()]
    return "\n".join(parts)


def _boards() -> Iterable[str]:
    yield "## `board`\n"
    yield "One key at the top of the file, before any section. Each board is short for these lines:\n"
    for one in BOARDS:
        yield f"### `board = {plain(one.name)}`\n\n{one.about[0].upper()}{one.about[1:]}.\n\n```toml"
        sections = []
        for section, given in preset_of(one).items():
            lines = [f"{name} = {_written(name, value)}" for name, value in given.items()]
            sections.append("\n".join([f"[{section}]", *lines]))
        yield "\n\n".join(sections)
        yield "```\n"


def _devices() -> Iterable[str]:
    for port, drivers in DRIVERS.items():
        yield f"## `[{port}]`\n\n{_ABOUT[port]}\n"
        names = ", ".join(f"`{plain(name)}`" for name in drivers)
        default = DEFAULT_DRIVERS[port]
        said = f"`{plain(default)}` if the section is missing"
        if port in BOARD_DRIVERS:
            said += " and the board does not set it"
        yield f"`driver`: one of {names}; {said}.\n"
        for name in drivers:
            yield f"### `[{port}]` with `driver = {plain(name)}`\n"
            yield _table(keys_of(options_of(port, name)))


def _others() -> Iterable[str]:
    for name, options in sections().items():
        yield f"## `[{name}]`\n\n{options[0].__doc__}\n"
        yield _table([key for one in options for key in keys_of(one)])
    yield "## `[rules.<game>]`\n\nHouse rules with which every match of a game starts; the answers given"
    yield "before a match override them. The page of the game says what each does.\n"
    yield "| section | options |\n|---|---|"
    for key in games.GAMES:
        names = ", ".join(f"`{name}`" for name in games.module(key).options_schema()["properties"])
        yield f"| [`[rules.{key}]`]({key}.md#options) | {names} |"
    yield ""


def _table(keys: Sequence[Key]) -> str:
    if not keys:
        return "No keys.\n"
    rows = ["| key | type | default | limits | meaning |", "|---|---|---|---|---|"]
    for key in keys:
        kind, about = str(key.kind()).removeprefix("a "), key.about.replace("|", "\\|").replace("<", "&lt;")
        rows.append(f"| `{key.name}` | {kind} | {_default(key)} | {_limits(key)} | {about} |")
    return "\n".join(rows) + "\n"


def _default(key: Key) -> str:
    if key.required:
        return "required"
    if key.default is None:
        return "none"
    return f"`{_written(key.name, key.default)}`"


def _limits(key: Key) -> str:
    among = ", ".join(f"`{plain(one)}`" for one in key.among)
    limits = str(key.limits() or "")
    if key.name == _ADDRESS and limits:
        limits = " to ".join(f"`{_written(key.name, limit)}`" for limit in (key.low, key.high))
    return "; ".join(part for part in (among, limits) if part)


def _written(name: str, value: object) -> str:
    """A value as users write it: addresses are in hexadecimal, as in data sheets."""
    return f"0x{int(value):02X}" if name == _ADDRESS and isinstance(value, (int, float)) else plain(value)


if __name__ == "__main__":
    sys.stdout.write(as_markdown())
