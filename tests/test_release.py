"""A release has one version everywhere, its notes and a checksum of every file."""

import hashlib
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from companion.text.errors import CompanionError
from firmware import __version__
from firmware.extensions.update.update_file import verify
from tests.firmware.extensions.update.update_card import signing_key
from tools import release

ROOT = Path(__file__).parents[1]
CHANGES = ROOT / "CHANGELOG.md"
CHANGELOG = f"""# Changelog

## [Unreleased]

- later

## [{__version__}] - 2026-11-22

### Added

- The first one.

## [0.0.1] - 2026-01-01

- older
"""


def test_the_tag_and_the_program_name_the_same_version() -> None:
    assert release.tagged_version(f"v{__version__}") == __version__
    for tag in ("", "v9.9.9", __version__):
        with pytest.raises(release.NotReady, match=f"git tag v{__version__}"):
            release.tagged_version(tag)


def test_the_program_the_packages_the_image_and_the_changelog_name_the_same_version() -> None:
    """The image has the version of its packages, and refuses packages of several (`packaging/image`)."""
    said = subprocess.run(
        [sys.executable, "-m", "firmware.cli", "--version"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert said.stdout == f"nimmt {__version__}\n"
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    assert project["tool"]["setuptools"]["dynamic"]["version"] == {"attr": "firmware.__version__"}
    line = re.search(r"^version=\$\(.*\)$", (ROOT / "packaging/debian/build").read_text(), re.MULTILINE)
    assert line is not None
    of_package = subprocess.run(
        ["sh", "-c", f'{line[0]}\necho "$version"'], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert f"nimmt-companion_{of_package.stdout.strip()}_arm64.deb" in release.expected(__version__)
    newest = re.search(r"(?m)^## \[(\d.*?)\] - (\d{4}-\d\d-\d\d|not released yet)$", CHANGES.read_text())
    assert newest is not None
    assert newest[1] == __version__


def test_make_release_can_begin_at_any_commit_with_a_dry_run() -> None:
    line = re.search(r"^\t(.*tools\.release --check.*)$", (ROOT / "Makefile").read_text(), re.MULTILINE)
    assert line is not None
    words = line[1].replace("$(IN_VENV)", sys.executable).replace("$(if $(DRY),--dry)", "--dry")
    plain = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        ["sh", "-c", words], cwd=ROOT, env=plain, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_the_notes_are_what_the_changelog_says_of_this_version() -> None:
    notes = release.notes_of(CHANGELOG, __version__)
    assert notes == f"# nimmt-companion {__version__}\n\n### Added\n\n- The first one.\n"
    with pytest.raises(release.NotReady, match="rename"):
        release.notes_of(CHANGELOG, "9.9.9")
    assert (
        release.notes_of(CHANGELOG, __version__, dry=True) == f"# nimmt-companion {__version__}\n\n- later\n"
    )
    released = CHANGELOG.replace("## [Unreleased]\n\n- later\n\n", "")
    assert release.notes_of(released, __version__, dry=True) == notes


def test_every_file_has_its_checksum_and_nothing_old_is_published(tmp_path: Path) -> None:
    with pytest.raises(release.NotReady, match=r"nimmt-companion_.*_arm64\.deb"):
        release.write(tmp_path, __version__, "notes")
    names = (*release.expected(__version__), f"nimmt-{__version__}-arm64.img.gz")
    for name in (
        *names,
        "nimmt-companion_0.0.1_arm64.deb",
        "nimmt-0.0.1-arm64.img.gz",
        f"nimmt-{__version__}-arm64.img",
    ):
        (tmp_path / name).write_bytes(name.encode())
    published = release.publishing(__version__, release.write(tmp_path, __version__, "notes")).split()
    sums = dict(line.split("  ")[::-1] for line in (tmp_path / release.SUMS).read_text().splitlines())
    assert sums.keys() == {*names, f"NOTES-{__version__}.md"}
    uploaded = {Path(word).name for word in published if word.startswith(str(tmp_path))}
    assert uploaded == {*sums, release.SUMS}
    assert sums[names[0]] == hashlib.sha256(names[0].encode()).hexdigest()


def test_the_checksums_are_signed_if_there_is_a_key(tmp_path: Path) -> None:
    for name in release.expected(__version__):
        (tmp_path / name).write_bytes(b"package")
    key = signing_key(tmp_path / "key")
    signed = [file.name for file in release.write(tmp_path, __version__, "notes", key)]
    assert signed[-2:] == ["SHA256SUMS", "SHA256SUMS.sig"]
    content, signature = ((tmp_path / name).read_bytes() for name in signed[-2:])
    verify(content, signature, key.with_name("update.pub"))
    with pytest.raises(CompanionError, match="signature"):
        verify(content + b"x", signature, key.with_name("update.pub"))
    release.write(tmp_path, __version__, "notes")
    assert not (tmp_path / "SHA256SUMS.sig").exists()  # the one of other files would not fit
