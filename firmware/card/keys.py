"""`authorized_keys`: who may log in over SSH; without the file nobody can, and no port is open."""

from __future__ import annotations

import re
from typing import Final

from companion.text.errors import CompanionError
from companion.text.sentence import say

FILE: Final = "authorized_keys"

# sshd(8), "AUTHORIZED_KEYS FILE FORMAT"; options before the key are left to who knows them.
_KEY: Final = re.compile(
    r"(?:ssh-ed25519|ssh-rsa|ecdsa-sha2-nistp(?:256|384|521)|sk-[a-z0-9.@-]+)"
    r" [A-Za-z0-9+/]{40,}={0,3}(?: .*)?"
)


def read(content: bytes) -> str:
    """The keys, one in each line; empty if there are only comments. Raises `CompanionError`."""
    try:
        found = [line.strip() for line in content.decode().split("\n")]
    except UnicodeDecodeError:
        found = ["?"]
    kept = [line for line in found if line and not line.startswith("#")]
    for line in kept:
        if not _KEY.fullmatch(line):
            raise CompanionError(
                say("{file} has a line that is no key", file=FILE),
                say("copy the whole line from the file that ends with .pub, and never the other file"),
            )
    return "".join(f"{line}\n" for line in kept)
