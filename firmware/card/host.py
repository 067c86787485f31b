"""`host.txt`: the name of the box in the network, its time zone and its language; and setting its clock."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from companion.text.errors import CompanionError, did_you_mean, quoted
from companion.text.sentence import say
from companion.values import Value
from firmware.card.text_file import lines
from firmware.service.clock import Clock
from firmware.service.machine import KNOWN_PAST_S
from firmware.text.translation import LANGUAGES

SAVED: Final = "var/lib/systemd/timesync/clock"
"""Its time is that of the box when it was switched off; systemd-timesyncd keeps it."""
LATEST_S: Final = KNOWN_PAST_S + 50 * 365 * 86_400
"""Who says a later time is wrong."""


def take(clock: Clock, saved: Path, set_s: Callable[[float], None]) -> str:
    """Set the clock with `set_s` if the time that is offered can be right; what was done, for the log.

    Never where something better has told the time, and never to a time before the one that was saved: what
    was played before must not seem to be later. The offer is gone afterwards. Raises `OSError`.
    """
    try:
        offered_s = clock.offered_s()
        if offered_s is None:
            return "no time is offered"
        if clock.is_told():
            return "the clock is set already"
        earliest_s = max(KNOWN_PAST_S, saved.stat().st_mtime if saved.exists() else 0.0)
        if not earliest_s <= offered_s <= LATEST_S:
            return f"{offered_s:.0f} is refused: it is not from {earliest_s:.0f} to {LATEST_S}"
        set_s(offered_s)
        clock.tell()
        return f"the clock is set to {offered_s:.0f}"
    finally:
        clock.withdraw()


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
