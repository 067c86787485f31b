"""Signatures: Ed25519, made and checked by openssl. The builder keeps the key; it is in no repository."""

from __future__ import annotations

import tempfile
from pathlib import Path

from image.commands import CannotBuild, run


def sign(content: bytes, key: Path) -> bytes:
    """The 64 bytes of the signature. `key` is a private key in PEM: openssl genpkey -algorithm ed25519."""
    with tempfile.TemporaryDirectory() as place:
        signed = Path(place) / "signed"
        signed.write_bytes(content)
        return run("openssl", "pkeyutl", "-sign", "-rawin", "-inkey", key, "-in", signed, epoch=0)


def public(key: Path) -> bytes:
    """The public part of a private key, in PEM."""
    return run("openssl", "pkey", "-in", key, "-pubout", epoch=0)


def is_signed(content: bytes, signature: bytes, public_key: Path) -> bool:
    """Whether it is the signature of this content."""
    with tempfile.TemporaryDirectory() as place:
        signed, said = Path(place) / "signed", Path(place) / "signature"
        signed.write_bytes(content)
        said.write_bytes(signature)
        try:
            run(
                *("openssl", "pkeyutl", "-verify", "-rawin", "-pubin", "-inkey", public_key),
                *("-in", signed, "-sigfile", said),
                epoch=0,
            )
        except CannotBuild:
            return False
    return True
