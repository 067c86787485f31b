"""Applying the files of the card: they become files of the root, whose upper layer is in memory."""

import re
import shutil
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from companion.text.errors import CompanionError
from firmware.bounded_file import publish, read_bounded
from firmware.card import text_files
from firmware.card.text_files import Host, read_text
from firmware.config.configuration import parse
from firmware.text.toml import toml_in

Said = TypeVar("Said")

CONFIGURATION: Final = "nimmt.toml"

INSTALLED: Final = "etc/nimmt/nimmt.toml"
WPA_SUPPLICANT: Final = "etc/wpa_supplicant/wpa_supplicant-wlan0.conf"
ON: Final = "run/table/on"
"""A folder with a file for each section of the configuration that says `on = true`; units start by it."""
AUTHORIZED: Final = "root/.ssh/authorized_keys"
ZONES: Final = "usr/share/zoneinfo"
_SECTION: Final = re.compile(r"[a-z][a-z0-9_]*")


def apply(boot: Path, root: Path) -> list[tuple[str, CompanionError]]:
    """Read the files in `boot` and write what they say below `root`; gives the faults, each with its file.

    A file with a fault has no effect. Raises `OSError` if something cannot be written.
    """
    faults: list[tuple[str, CompanionError]] = []

    def said_in(name: str, understood: Callable[[bytes], Said]) -> Said | None:
        try:
            content = read_text(boot / name)
            return None if content is None else understood(content)
        except CompanionError as bad:
            faults.append((name, bad))
            return None

    read_host = partial(text_files.read_host, zones=root / ZONES)
    named = said_in(text_files.HOST_FILE, read_host) or Host()
    _apply_host(named, root)
    if networks := said_in(text_files.WIFI_FILE, text_files.read_wifi):
        publish(networks.as_wpa_supplicant().encode(), root / WPA_SUPPLICANT, 0o600)
    if keys := said_in(text_files.KEYS_FILE, text_files.read_keys):
        file = root / AUTHORIZED
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        publish(keys.encode(), file, 0o600)
    installed = root / INSTALLED
    if (configuration := said_in(CONFIGURATION, toml_in)) is not None:
        publish(configuration.encode(), installed)
    if named.language and installed.is_file():
        publish(text_files.with_language(installed.read_bytes(), named.language), installed)
    shutil.rmtree(root / ON, ignore_errors=True)
    for section in _switched_on(installed.read_bytes()) if installed.is_file() else ():
        publish(b"", root / ON / section)
    return faults


def _switched_on(content: bytes) -> list[str]:
    """The sections that a configuration itself switches on: no port is open because of a default."""
    try:
        sections = tomllib.loads(content.decode())
    except (UnicodeDecodeError, tomllib.TOMLDecodeError):
        return []
    # The names become files of root's, so only those are taken that a section can have.
    return [
        name
        for name, section in sections.items()
        if _SECTION.fullmatch(name) and isinstance(section, dict) and section.get("on") is True
    ]


def for_the_card(boot: Path, root: Path) -> bytes | None:
    """The game's configuration as it is to be on the card, after a change; None if the card has it already.

    A language that only `host.txt` says is left to `host.txt`. The page may replace the file, so no link is
    followed. Raises `OSError`, and `CompanionError` for a configuration that the game cannot use: the card
    keeps the last good one.
    """
    used = read_bounded(root / INSTALLED, text_files.LARGEST_BYTES, follow=False)
    parse(used.decode(errors="replace"), CONFIGURATION)
    try:
        language = text_files.read_host(read_text(boot / text_files.HOST_FILE) or b"", root / ZONES).language
    except CompanionError:
        language = ""
    try:
        on_card = read_text(boot / CONFIGURATION)
    except CompanionError:  # whatever it is, it is not this
        on_card = None
    if on_card is not None and used in (on_card, text_files.with_language(on_card, language)):
        return None
    own = used.replace(f'language = "{language}"\n'.encode(), b"", 1)
    own = own if language and text_files.with_language(own, language) == used else used
    return None if own == on_card else own


def _apply_host(said: Host, root: Path) -> None:
    if said.name:
        publish(f"{said.name}\n".encode(), root / "etc/hostname")
        hosts = f"127.0.0.1 localhost\n127.0.1.1 {said.name}\n::1 localhost\n"
        publish(hosts.encode(), root / "etc/hosts")
    if said.timezone:
        publish(f"{said.timezone}\n".encode(), root / "etc/timezone")
        link = root / "etc/localtime"
        link.unlink(missing_ok=True)
        link.symlink_to(f"/{ZONES}/{said.timezone}")
