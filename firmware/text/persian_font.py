"""The letters of Persian for what a browser shows: few devices have good ones of their own."""

from base64 import b64encode
from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).with_name("fonts")
FILE: Final = FOLDER / "vazirmatn.woff2"


def embedded(language: str) -> str:
    """The font of a language as CSS that needs no other file; empty where it needs none."""
    if language != "fa":
        return ""
    content = b64encode(FILE.read_bytes()).decode()
    source = f'url("data:font/woff2;base64,{content}") format("woff2")'
    return f'@font-face {{ font-family: "Vazirmatn"; src: {source}; font-weight: 400 800; }}\n'
