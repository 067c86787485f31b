"""docs/configuration.md, generated from the structs that the reader uses, and the template beside this file.

`python -m firmware.config.doc > docs/configuration.md` writes it; a test compares them.
"""

import sys
from pathlib import Path
from typing import Final

from companion.core import games
from firmware.config.configuration import BOARD_DRIVERS, DEFAULT_DRIVERS, options_of, preset_of, sections
from firmware.config.keys import Field, keys_of, plain
from hardware.boards import BOARDS
from hardware.registry import DRIVERS

_TEMPLATE: Final = Path(__file__).with_name("configuration.txt")

_ADDRESS: Final = "address"


def as_markdown() -> str:
    """The whole page. Imports every driver; raises `HardwareError` if a library is missing."""
    from jinja2 import Environment, StrictUndefined  # the help of all commands does without

    environment = Environment(  # noqa: S701 - it is no HTML
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    return environment.from_string(_TEMPLATE.read_text(encoding="utf-8")).render(
        boards=[(board, preset_of(board)) for board in BOARDS],
        devices={
            port: {name: keys_of(options_of(port, name)) for name in drivers}
            for port, drivers in DRIVERS.items()
        },
        sections={
            name: (options[0].__doc__, [key for part in options for key in keys_of(part)])
            for name, options in sections().items()
        },
        rules={game: games.module(game).options_schema()["properties"] for game in games.GAMES},
        usual=DEFAULT_DRIVERS,
        of_a_board=BOARD_DRIVERS,
        kind=lambda key: str(key.kind()).removeprefix("a "),
        default=_default,
        limits=_limits,
        plain=plain,
        written=_written,
    )


def _default(key: Field) -> str:
    if key.required:
        return "required"
    if key.default is None:
        return "none"
    return f"`{_written(key.name, key.default)}`"


def _limits(key: Field) -> str:
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
