"""The update: its list, its order, its signature; what another program would read from it."""

import hashlib
import json
import subprocess
import tarfile
from pathlib import Path

import pytest
from image import update_file
from image.commands import CannotBuild
from image.layout import SLOT_FILES
from image.update_file import Slot, sign, slot, trusted

from companion.text.errors import CompanionError
from firmware.extensions.update.update_file import verify
from tests.packaging.image.debian_tools import EPOCH, needs


@pytest.fixture
def made(tmp_path: Path) -> Slot:
    kernel, root = tmp_path / "vmlinuz", tmp_path / "squashfs"
    kernel.write_bytes(b"kernel" * 1000)
    root.write_bytes(b"root" * 1000)
    return slot("1.2.3", kernel, b"initrd", root, tmp_path / "slot")


@pytest.fixture
def key(tmp_path: Path) -> Path:
    file = tmp_path / "key.pem"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", file], check=True)
    return file


@needs("openssl")
def test_an_update_can_be_read_and_its_signature_holds(made: Slot, key: Path, tmp_path: Path) -> None:
    to, public_key = tmp_path / "nimmt.update", tmp_path / "update.pub"
    public_key.write_bytes(trusted(key, ()))
    update_file.write(made, to, key, EPOCH)
    with tarfile.open(to, "r:") as tar:
        assert tar.getnames() == ["manifest.json", "manifest.sig", *SLOT_FILES]
        content = {member.name: opened.read() for member in tar if (opened := tar.extractfile(member))}
        assert all(member.isfile() and member.mtime == EPOCH and member.uid == 0 for member in tar)
    verify(content["manifest.json"], content["manifest.sig"], public_key)
    assert len(content["manifest.sig"]) == 64
    with pytest.raises(CompanionError, match="signature"):
        verify(content["manifest.json"] + b" ", content["manifest.sig"], public_key)
    assert content["manifest.json"] == made.files["kernel"].with_name("manifest.json").read_bytes()
    said = json.loads(content["manifest.json"])
    assert (said["format"], said["version"], said["architecture"]) == (1, "1.2.3", "arm64")
    assert said["files"] == {
        name: {"size": len(content[name]), "sha256": hashlib.sha256(content[name]).hexdigest()}
        for name in SLOT_FILES
    }


@needs("openssl")
def test_an_image_can_bring_the_next_key(key: Path, tmp_path: Path) -> None:
    after, keys = tmp_path / "after.pem", tmp_path / "update.pub"
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", after], check=True)
    after.with_suffix(".pub").write_bytes(trusted(after, ()))
    keys.write_bytes(trusted(key, [after.with_suffix(".pub")]))
    for signer in (key, after):
        verify(b"list", sign(b"list", signer), keys)
    with pytest.raises(CannotBuild, match="pkey"):
        trusted(key, [tmp_path / "none"])
    with pytest.raises(CannotBuild, match="pkey"):
        trusted(key, [after])  # a private key is no public one: it must not get onto a card


def test_an_update_has_no_time_and_without_a_key_no_signature(made: Slot, tmp_path: Path) -> None:
    packed = made.files["kernel"].read_bytes()
    assert (packed[:3], packed[4:8]) == (b"\x1f\x8b\x08", bytes(4))  # a file of gzip without a time
    first, two = tmp_path / "one", tmp_path / "two"
    for file in (first, two):
        update_file.write(made, file, None, EPOCH)
    assert first.read_bytes() == two.read_bytes()
    with tarfile.open(first, "r:") as tar:
        assert "manifest.sig" not in tar.getnames()
