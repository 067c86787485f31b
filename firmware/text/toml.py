"""The text of configuration files, with the quotes that people's editors put into it."""

import re
from typing import Final

from companion.text.files import text_in

QUOTES: Final = "“”„‟«»"
"""Double quotes of any country."""

_QUOTED: Final = re.compile(
    r'''(?P<toml>"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\#[^\n]*)'''
    rf'|[{QUOTES}](?P<double>[^"\\\n{QUOTES}]*)[{QUOTES}]|[‘’‚‛‹›](?P<single>[^"\\\n‘’‚‛‹›]*)[‘’‚‛‹›]'
)
"""What has such quotes in TOML, a string or a comment; or a text between two of them."""


def toml_in(content: bytes, file: str = "the file") -> str:
    """The text in a TOML file, with `"` where an editor for letters wrote typographic quotes around a value.

    TOML knows these only within strings and comments, where they stay. Each sign keeps its place. Raises
    `NotText`, as `text_in` does.
    """
    return _QUOTED.sub(_straight, text_in(content, file))


def _straight(found: re.Match[str]) -> str:
    return found["toml"] or f'"{found["double"] or found["single"] or ""}"'
