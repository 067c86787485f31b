"""The files of the card that people edit, and what stands in them.

`host.txt` has the name of the box in the network, its time zone and its language; `authorized_keys` whose
keys let in. `wifi.txt` has networks with their passwords, and the country whose channels may be used:

    country  = DE
    network  = My network
    password = correct horse battery staple

Another network begins with another line `network`; the first one that is in reach and comes first is used.
Source of limits: IEEE 802.11-2020, 9.4.2.2 (a name has 1 to 32 bytes) and J.4.1 (a passphrase has 8 to 63
printable ASCII characters, and gives 256 bits by PBKDF2).
"""

import re
import tomllib
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from companion.text.errors import CompanionError, did_you_mean, quoted
from companion.text.files import NotText, text_in
from companion.text.sentence import say
from companion.values import Value
from firmware.bounded_file import read_bounded
from firmware.text.os_errors import unreadable
from firmware.text.toml import QUOTES
from firmware.text.translation import LANGUAGES

LARGEST_BYTES: Final = 64_000


def normal(content: bytes) -> bytes:
    """The content as UTF-8 without a byte order mark, with LF alone; what is no text stays as it is."""
    try:
        return text_in(content).encode()
    except NotText:
        return content


def read_text(file: Path) -> bytes | None:
    """The content of a file as `normal` gives it; None if there is none. Raises `CompanionError`."""
    try:
        return normal(read_bounded(file, LARGEST_BYTES))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise unreadable(file.name, error, say("write the file to the card again")) from error


def lines(content: bytes, file: str, names: Sequence[str]) -> list[tuple[str, str]]:
    """The name and the value of each line `name = value`; `#` begins a comment. Raises `CompanionError`."""
    found = []
    for number, raw in enumerate(text_in(content, file).split("\n"), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        name, sign, value = (part.strip() for part in line.partition("="))
        if not sign:
            raise CompanionError(
                say("{file}, line {number}: {came} has no =", file=file, number=number, came=quoted(line)),
                say("write it like this: {name} = ...", name=names[0]),
            )
        if name.lower() not in names:
            raise CompanionError(
                say("{file}, line {number}: there is no {came}", file=file, number=number, came=quoted(name)),
                did_you_mean(name.lower(), names),
            )
        if len(value) > 1 and (value[0] == value[-1] == '"' or {value[0], value[-1]} <= {*QUOTES}):
            value = value[1:-1]
        found.append((name.lower(), value))
    return found


HOST_FILE: Final = "host.txt"
HOST_NAMES: Final = ("name", "timezone", "language")

# https://www.rfc-editor.org/rfc/rfc1123#section-2.1
_HOST: Final = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
_ZONE: Final = re.compile(r"[A-Za-z0-9+_-]+(?:/[A-Za-z0-9+_-]+){0,2}")
_SCREEN: Final = re.compile(rb"(?m)^[ \t]*\[[ \t]*screen[ \t]*\][^\n]*\n?")


class Host(Value):
    """What the file says; empty where it says nothing."""

    name: str = ""
    timezone: str = ""
    language: str = ""


def read_host(content: bytes, zones: Path) -> Host:
    """What the file says. `zones` is the folder of the time zones. Raises `CompanionError`."""
    said = dict(lines(content, HOST_FILE, HOST_NAMES))
    name, zone = said.get("name", "").lower(), said.get("timezone", "")
    language = said.get("language", "").lower()
    if name and not _HOST.fullmatch(name):
        raise CompanionError(
            say("{file}: {came} cannot be a host name", file=HOST_FILE, came=quoted(name)),
            say("use letters a to z, digits and hyphens, at most 63"),
        )
    if zone and (not _ZONE.fullmatch(zone) or not (zones / zone).is_file()):
        raise CompanionError(
            say("{file}: there is no time zone {came}", file=HOST_FILE, came=quoted(zone)),
            say("write a continent and a city, such as Europe/Berlin"),
        )
    if language and language not in (*LANGUAGES, "ask"):
        raise CompanionError(
            say("{file}: there is no language {came}", file=HOST_FILE, came=quoted(language)),
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


WIFI_FILE: Final = "wifi.txt"
WIFI_NAMES: Final = ("network", "password", "country")
MOST_NAME_BYTES: Final = 32
MOST_NETWORKS: Final = 10
"""More would make the start wait: each password costs a tenth of a second."""

_COUNTRY: Final = re.compile(r"[A-Z]{2}")
_ISO_3166: Final = Path("/usr/share/zoneinfo/iso3166.tab")
"""Each line begins with a code; any two letters are one where this file is not."""
_PASSPHRASE: Final = re.compile(r"[ -~]{8,63}")
_NETWORK_KEY: Final = re.compile(r"[0-9A-Fa-f]{64}")


class Network(Value):
    """A network; an empty password is for one that is open to everybody."""

    name: str
    password: str = ""


class Wifi(Value):
    """What the file says; without a network it says nothing."""

    country: str
    networks: tuple[Network, ...]

    def as_wpa_supplicant(self) -> str:
        """The configuration file for wpa_supplicant, see wpa_supplicant.conf(5). Names are in hexadecimal."""
        parts = [f"country={self.country}\nupdate_config=0\n"]
        for place, network in enumerate(self.networks):
            ssid, key = network.name.encode(), network.password
            if not key:
                line = "key_mgmt=NONE"
            elif _NETWORK_KEY.fullmatch(key):
                line = f"psk={key.lower()}"
            else:
                import hashlib  # a new card has no network, and shows its first picture without OpenSSL

                line = f"psk={hashlib.pbkdf2_hmac('sha1', key.encode(), ssid, 4096, 32).hex()}"
            parts.append(
                f"network={{\n\tssid={ssid.hex()}\n\t{line}\n\tscan_ssid=1\n"
                f"\tpriority={len(self.networks) - place}\n}}\n"
            )
        return "\n".join(parts)


def read_wifi(content: bytes) -> Wifi | None:
    """What the file says; None if it says nothing, as the one of a new card. Raises `CompanionError`."""
    country, networks = "", list[Network]()
    for name, value in lines(content, WIFI_FILE, WIFI_NAMES):
        if not value:
            continue  # the file of a new card has the names only
        if name == "country":
            country = _country(value.upper())
        elif name == "network":
            networks.append(_named(value))
        elif not networks:
            raise CompanionError(
                say("{file}: the password comes before its network", file=WIFI_FILE),
                say("write the network line above the password line"),
            )
        else:
            networks[-1] = Network(networks[-1].name, _password(value))
    if not networks:
        return None
    if not country:
        raise CompanionError(
            say("{file}: the country is missing", file=WIFI_FILE), say("add a line such as: country = DE")
        )
    if len(networks) > MOST_NETWORKS:
        raise CompanionError(
            say("{file} has {count} networks", file=WIFI_FILE, count=len(networks)),
            say("keep at most {most}", most=MOST_NETWORKS),
        )
    return Wifi(country, tuple(networks))


def _country(came: str) -> str:
    known = {came}
    with suppress(OSError):
        known = {line[:2] for line in _ISO_3166.read_text(encoding="utf-8").splitlines()}
    if not _COUNTRY.fullmatch(came) or came not in known:
        raise CompanionError(
            say("{file}: {came} is not a country code", file=WIFI_FILE, came=quoted(came)),
            say("write its two letters, such as DE, FR, GB or US"),
        )
    return came


def _named(came: str) -> Network:
    if len(came.encode()) > MOST_NAME_BYTES or not came.isprintable():
        raise CompanionError(
            say("{file}: {came} cannot be a network name", file=WIFI_FILE, came=quoted(came)),
            say("write it as your phone shows it; it has at most {most} characters", most=MOST_NAME_BYTES),
        )
    return Network(came)


def _password(came: str) -> str:
    # It is not quoted in the fault: everybody at the table reads it.
    if not _PASSPHRASE.fullmatch(came) and not _NETWORK_KEY.fullmatch(came):
        raise CompanionError(
            say(
                "{file}: the password has {count} characters, or characters that are not allowed",
                file=WIFI_FILE,
                count=len(came),
            ),
            say("write 8 to 63 letters, digits and symbols, without accents"),
        )
    return came


KEYS_FILE: Final = "authorized_keys"

# sshd(8), "AUTHORIZED_KEYS FILE FORMAT"; options before the key are left to who knows them.
_KEY: Final = re.compile(
    r"(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-[a-z0-9.@-]+)"
    r" [A-Za-z0-9+/]{40,}={0,3}(?: .*)?"
)


def read_keys(content: bytes) -> str:
    """The keys, one in each line; empty if there are only comments. Raises `CompanionError`."""
    found = [line.strip() for line in text_in(content, KEYS_FILE).split("\n")]
    kept = [line for line in found if line and not line.startswith("#")]
    for line in kept:
        if not _KEY.fullmatch(line):
            raise CompanionError(
                say("{file} has a line that is not a key", file=KEYS_FILE),
                say("copy the whole line from the file that ends with .pub, and never the other file"),
            )
    return "".join(f"{line}\n" for line in kept)
