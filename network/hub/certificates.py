"""What the broker of a hub needs so that nobody else can listen or speak: `nimmt hub certificates`.

An authority of its own vouches for the broker; tables and hub are given its certificate (`ca.crt`). Each has
a user and a password at the broker, in the form of mosquitto. Who was given a password keeps it, so that the
command can be used again, for more tables or another name of the broker.
"""

import hashlib
import ipaddress
import os
import pwd
import re
import secrets
import shutil
from base64 import b64encode
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from companion.text.errors import CompanionError, quoted
from firmware.bounded_file import keep
from network.web.certificate import openssl

OTHERS: Final = ("hub", "homeassistant")
"""The users besides the tables, as the access list has them."""

PASSWORDS: Final = "passwords"
"""The folder with a file for each user."""

_USERS: Final = "nimmt.users"
_BROKER: Final = "mosquitto"
"""The user and the group that a broker runs as on Debian."""

_LASTS_DAYS: Final = 30 * 365
"""No browser comes here, and who renews a certificate every year forgets it in one of them."""

_ROUNDS: Final = 101
"""Of the hash, as mosquitto has them. What is hashed here is long and by chance, so nobody can guess it."""

_LETTERS: Final = "abcdefghijkmnpqrstuvwxyz23456789"
"""Those that nobody mistakes for each other."""

_NAME: Final = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")
_AUTHORITY: Final = ("basicConstraints=critical,CA:TRUE", "keyUsage=critical,keyCertSign")
_SERVER: Final = (
    "basicConstraints=critical,CA:FALSE",
    "keyUsage=critical,digitalSignature",
    "extendedKeyUsage=serverAuth",
)


def make(folder: Path, names: Sequence[str], tables: int) -> list[str]:
    """Make all of it in a folder, for a broker with these names or addresses; gives its new users.

    Raises `CompanionError`.
    """
    alternatives = ",".join(_alternative(name) for name in dict.fromkeys((*names, "localhost", "127.0.0.1")))
    ca, server = folder / "ca", folder / "server"
    try:
        (folder / PASSWORDS).mkdir(parents=True, exist_ok=True)
        (folder / PASSWORDS).chmod(0o700)
        if not ca.with_suffix(".crt").exists():
            _sign(ca, "nimmt", _AUTHORITY)
        by = ("-CA", f"{ca}.crt", "-CAkey", f"{ca}.key")
        _sign(server, names[0][:64], (*_SERVER, f"subjectAltName={alternatives}"), by)
        new = _add_users(folder, [*OTHERS, *(str(number) for number in range(1, tables + 1))])
        for file in (server.with_suffix(".key"), folder / _USERS):
            file.chmod(0o600)
            if os.geteuid() == 0 and _BROKER in {user.pw_name for user in pwd.getpwall()}:
                shutil.chown(file, _BROKER, _BROKER)
    except OSError as bad:
        fix = "install openssl, and choose a folder that you may write: --folder"
        raise CompanionError(f"the certificates cannot be made: {bad}", fix) from bad
    return new


def _alternative(name: str) -> str:
    with suppress(ValueError):
        return f"IP:{ipaddress.ip_address(name)}"
    if not _NAME.fullmatch(name.lower()):
        raise CompanionError(
            f"{quoted(name)} is neither a name nor an address", 'write only the name, such as "broker.local"'
        )
    return f"DNS:{name.lower()}"


def _sign(place: Path, name: str, extensions: Iterable[str], by: Sequence[str] = ()) -> None:
    with TemporaryDirectory(prefix=".certificate.", dir=place.parent) as made:  # nobody else may look into it
        key, certificate = Path(made) / "key", Path(made) / "certificate"
        openssl(
            *("req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"),
            *("-config", os.devnull, "-subj", f"/CN={name}", "-days", str(_LASTS_DAYS), *by),
            *(word for extension in extensions for word in ("-addext", extension)),
            *("-keyout", str(key), "-out", str(certificate)),
        )
        keep(key.read_bytes(), place.with_suffix(".key"))
        keep(certificate.read_bytes(), place.with_suffix(".crt"))
    place.with_suffix(".crt").chmod(0o644)


def _add_users(folder: Path, wanted: Iterable[str]) -> list[str]:
    file = folder / _USERS
    lines = file.read_text().splitlines() if file.exists() else []
    known = {line.partition(":")[0] for line in lines}
    new = [user for user in wanted if user not in known]
    for user in new:
        word, salt = "".join(secrets.choice(_LETTERS) for _ in range(20)), secrets.token_bytes(12)
        digest = hashlib.pbkdf2_hmac("sha512", word.encode(), salt, _ROUNDS)
        keep(f"{word}\n".encode(), folder / PASSWORDS / user)
        lines.append(f"{user}:$7${_ROUNDS}${b64encode(salt).decode()}${b64encode(digest).decode()}")
    keep("".join(f"{line}\n" for line in lines).encode(), file)
    return new
