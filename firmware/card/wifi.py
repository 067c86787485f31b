"""`wifi.txt`: networks with their passwords, and the country whose channels may be used.

    country  = DE
    network  = My network
    password = correct horse battery staple

Another network begins with another line `network`; the first one that is in reach and comes first is used.
Source of limits: IEEE 802.11-2020, 9.4.2.2 (a name has 1 to 32 bytes) and J.4.1 (a passphrase has 8 to 63
printable ASCII characters, and gives 256 bits by PBKDF2).
"""

import hashlib
import re
from collections.abc import Sequence
from typing import Final

from companion.text.errors import CompanionError, quoted
from companion.text.sentence import say
from companion.values import Value
from firmware.card.text_file import lines

FILE: Final = "wifi.txt"
NAMES: Final = ("network", "password", "country")
MOST_NAME_BYTES: Final = 32
MOST_NETWORKS: Final = 10
"""More would make the start wait: each password costs a tenth of a second."""

_COUNTRY: Final = re.compile(r"[A-Z]{2}")
_PASSPHRASE: Final = re.compile(r"[ -~]{8,63}")
_KEY: Final = re.compile(r"[0-9A-Fa-f]{64}")


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
            elif _KEY.fullmatch(key):
                line = f"psk={key.lower()}"
            else:
                line = f"psk={hashlib.pbkdf2_hmac('sha1', key.encode(), ssid, 4096, 32).hex()}"
            parts.append(
                f"network={{\n\tssid={ssid.hex()}\n\t{line}\n\tscan_ssid=1\n"
                f"\tpriority={len(self.networks) - place}\n}}\n"
            )
        return "\n".join(parts)


def read(content: bytes) -> Wifi | None:
    """What the file says; None if it says nothing, as the one of a new card. Raises `CompanionError`."""
    country, networks = "", list[Network]()
    for line in lines(content, FILE, NAMES):
        if not line.value:
            continue  # the file of a new card has the names only
        if line.name == "country":
            country = _country(line.value.upper())
        elif line.name == "network":
            networks.append(_named(line.value))
        elif not networks:
            raise CompanionError(
                say("{file}: the password comes before its network", file=FILE),
                say("write the line network above the line password"),
            )
        else:
            networks[-1] = Network(networks[-1].name, _password(line.value))
    if not networks:
        return None
    if not country:
        raise CompanionError(
            say("{file}: the country is missing", file=FILE), say("add a line such as: country = DE")
        )
    return Wifi(country, _few(networks))


def _few(networks: Sequence[Network]) -> tuple[Network, ...]:
    if len(networks) > MOST_NETWORKS:
        raise CompanionError(
            say("{file} has {count} networks", file=FILE, count=len(networks)),
            say("keep at most {most}", most=MOST_NETWORKS),
        )
    return tuple(networks)


def _country(came: str) -> str:
    if not _COUNTRY.fullmatch(came):
        raise CompanionError(
            say("{file}: {came} is not a country code", file=FILE, came=quoted(came)),
            say("write its two letters, such as DE, FR or US"),
        )
    return came


def _named(came: str) -> Network:
    if len(came.encode()) > MOST_NAME_BYTES or not came.isprintable():
        raise CompanionError(
            say("{file}: {came} cannot be a network name", file=FILE, came=quoted(came)),
            say("write it as your phone shows it; it has at most {most} letters", most=MOST_NAME_BYTES),
        )
    return Network(came)


def _password(came: str) -> str:
    # It is not quoted in the fault: everybody at the table reads it.
    if not _PASSPHRASE.fullmatch(came) and not _KEY.fullmatch(came):
        raise CompanionError(
            say("{file}: the password has {count} characters, or characters that are not allowed", file=FILE,
                count=len(came)),
            say("write 8 to 63 letters, digits and signs without accents"),
        )  # fmt: skip
    return came
