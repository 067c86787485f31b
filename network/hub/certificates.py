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

_PASSWORD: Final = 20
_NAME: Final = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)*")

_REQUEST: Final = """\
[req]
prompt = no
distinguished_name = name
[name]
CN = {name}
[authority]
basicConstraints = critical, CA:TRUE
keyUsage = critical, keyCertSign
[server]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = serverAuth
subjectAltName = {names}
"""


def make(folder: Path, names: Sequence[str], tables: int) -> list[str]:
    """Make all of it in a folder, for a broker with these names or addresses; gives its new users.

    Raises `CompanionError`.
    """
    alternatives = ", ".join(_alternative(name) for name in dict.fromkeys((*names, "localhost", "127.0.0.1")))
    users = [*OTHERS, *(str(number) for number in range(1, tables + 1))]
    try:
        (folder / PASSWORDS).mkdir(parents=True, exist_ok=True)
        (folder / PASSWORDS).chmod(0o700)
        if not (folder / "ca.crt").exists():
            _sign(folder, "ca", _REQUEST.format(name="nimmt", names="DNS:nimmt"), "authority")
        request = _REQUEST.format(name=names[0][:64], names=alternatives)
        by = ("-CA", str(folder / "ca.crt"), "-CAkey", str(folder / "ca.key"))
        _sign(folder, "server", request, "server", by)
        new = _add_users(folder, users)
        _let_the_broker_read(folder / name for name in ("server.key", _USERS))
    except OSError as bad:
        raise CompanionError(
            f"the certificates cannot be made: {bad}",
            "install openssl, and choose a folder that you may write: --folder",
        ) from bad
    return new


def _alternative(name: str) -> str:
    """A name or an address of the broker as it stands in a certificate."""
    try:
        return f"IP:{ipaddress.ip_address(name)}"
    except ValueError:
        pass
    if not _NAME.fullmatch(name.lower()):
        raise CompanionError(
            f"{quoted(name)} is neither a name nor an address", 'write only the name, such as "broker.local"'
        )
    return f"DNS:{name.lower()}"


def _sign(folder: Path, name: str, request: str, kind: str, by: Sequence[str] = ()) -> None:
    """Make a key and its certificate, in the place of those that are there."""
    with TemporaryDirectory(prefix=".certificate.", dir=folder) as made:  # nobody else may look into it
        asked, key, certificate = (Path(made) / one for one in ("request", "key", "certificate"))
        asked.write_text(request)
        openssl(
            *("req", "-x509", "-new", "-config", str(asked), "-extensions", kind, "-nodes", *by),
            *("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-days", str(_LASTS_DAYS)),
            *("-keyout", str(key), "-out", str(certificate)),
        )
        keep(key.read_bytes(), folder / f"{name}.key")
        keep(certificate.read_bytes(), folder / f"{name}.crt")
    (folder / f"{name}.crt").chmod(0o644)


def _add_users(folder: Path, wanted: Iterable[str]) -> list[str]:
    """Give each user that has none a password; gives those users."""
    file = folder / _USERS
    lines = file.read_text().splitlines() if file.exists() else []
    known = {line.partition(":")[0] for line in lines}
    new = [user for user in wanted if user not in known]
    for user in new:
        word = "".join(secrets.choice(_LETTERS) for _ in range(_PASSWORD))
        keep(f"{word}\n".encode(), folder / PASSWORDS / user)
        lines.append(f"{user}:{_hashed(word)}")
    keep("".join(f"{line}\n" for line in lines).encode(), file)
    return new


def _hashed(word: str) -> str:
    """A password as mosquitto keeps it."""
    salt = secrets.token_bytes(12)
    made = hashlib.pbkdf2_hmac("sha512", word.encode(), salt, _ROUNDS)
    return f"$7${_ROUNDS}${b64encode(salt).decode()}${b64encode(made).decode()}"


def _let_the_broker_read(files: Iterable[Path]) -> None:
    """Let the broker of this machine read files that nobody else may read."""
    for file in files:
        file.chmod(0o600)
        if os.geteuid() == 0 and _BROKER in {one.pw_name for one in pwd.getpwall()}:
            shutil.chown(file, _BROKER, _BROKER)
