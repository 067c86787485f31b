"""An update for a flashed card, signed with a key of the test."""

import hashlib
import io
import json
import subprocess
import tarfile
from pathlib import Path
from typing import Any

from tests.firmware.flashed.flashed_card import CONTENT


def signing_key(folder: Path) -> Path:
    """A key pair; gives the private one, beside which lies `update.pub`."""
    folder.mkdir(exist_ok=True)
    private, public = folder / "update.pem", folder / "update.pub"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", str(private)], check=True)
    subprocess.run(["openssl", "pkey", "-in", str(private), "-pubout", "-out", str(public)], check=True)
    return private


def sign(content: bytes, key: Path) -> bytes:
    text = key.with_name("to-sign")
    text.write_bytes(content)
    return subprocess.run(
        ["openssl", "pkeyutl", "-sign", "-inkey", str(key), "-rawin", "-in", str(text)],
        check=True,
        capture_output=True,
    ).stdout


def manifest_of(content: dict[str, bytes], **other: Any) -> bytes:
    files = {
        name: {"size": len(one), "sha256": hashlib.sha256(one).hexdigest()} for name, one in content.items()
    }
    said = {"format": 1, "version": "0.9.1", "architecture": "arm64", "files": files, **other}
    return json.dumps(said, sort_keys=True).encode()


def members(key: Path, content: dict[str, bytes] = CONTENT, **other: Any) -> dict[str, bytes]:
    manifest = manifest_of(content, **other)
    return {"manifest.json": manifest, "manifest.sig": sign(manifest, key), **content}


def packed(path: Path, content: dict[str, bytes]) -> Path:
    with tarfile.open(path, "w", format=tarfile.USTAR_FORMAT) as tar:
        for name, one in content.items():
            head = tarfile.TarInfo(name)
            head.size = len(one)
            tar.addfile(head, io.BytesIO(one))
    return path
