"""`host.txt`: the name of the box in the network, its time zone and its language."""

import re
import tomllib
from pathlib import Path
from typing import Final

from companion.text.errors import CompanionError, did_you_mean, quoted
from companion.text.sentence import say
from companion.values import Value
from firmware.card.text_file import lines
from firmware.text.translation import LANGUAGES

FILE: Final = "host.txt"
NAMES: Final = ("name", "timezone", "language")

# https://www.rfc-editor.org/rfc/rfc1123#section-2.1
_HOST: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_ZONE: Final = re.compile(r"[A-Za-z0-9+_-]+(?:/[A-Za-z0-9+_-]+){0,2}")
_SCREEN: Final = re.compile(rb"(?m)^[ \t]*\[[ \t]*screen[ \t]*\][^\n]*\n?")


class Host(Value):
    """What the file says; empty where it says nothing."""

    name: str = ""
    timezone: str = ""
    language: str = ""


def read(content: bytes, zones: Path) -> Host:
    """What the file says. `zones` is the folder of the time zones. Raises `CompanionError`."""
    said = {line.name: line.value for line in lines(content, FILE, NAMES)}
    name, zone = said.get("name", "").lower(), said.get("timezone", "")
    language = said.get("language", "").lower()
    if name and not _HOST.fullmatch(name):
        raise CompanionError(
            say("{file}: {came} cannot be a host name", file=FILE, came=quoted(name)),
            say("use letters a to z, digits and hyphens, at most 63"),
        )
    if zone and (not _ZONE.fullmatch(zone) or not (zones / zone).is_file()):
        raise CompanionError(
            say("{file}: there is no time zone {came}", file=FILE, came=quoted(zone)),
            say("write a continent and a city, such as Europe/Berlin"),
        )
    if language and language not in (*LANGUAGES, "ask"):
        raise CompanionError(
            say("{file}: there is no language {came}", file=FILE, came=quoted(language)),
            did_you_mean(language, (*LANGUAGES, "ask")),
        )
    return Host(name, zone, language)


def with_language(toml: bytes, language: str) -> bytes:
    """A configuration in which `[screen] language` is set, if it is valid and does not set it itself."""
    try:
        screen = tomllib.loads(toml.decode()).get("screen")
    except (ValueError, RecursionError):
        return toml
    if screen is not None and (not isinstance(screen, dict) or "language" in screen):
        return toml
    line = f'language = "{language}"\n'.encode()
    if place := _SCREEN.search(toml):
        end = place.end()
        return toml[:end] + (b"" if toml[:end].endswith(b"\n") else b"\n") + line + toml[end:]
    return toml if screen is not None else toml.rstrip() + b"\n\n[screen]\n" + line
