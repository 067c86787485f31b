"""`make release`: put what a version publishes into dist/: packages, sheets, notes, checksums, signature.

The tag of the commit that is checked out names the version: `v1.0.0` is version 1.0.0, and the program must
report the same. The Makefile has built the packages and the image before; this adds the sheets and the
notes, checks that nothing is missing, and prints the command that publishes it. A dry run needs no tag.
"""

import argparse
import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from zipfile import ZipFile, ZipInfo

from image.commands import CannotBuild
from image.update_file import checksums

from firmware import __version__
from firmware.paper.ready_sheets import ready_files

ROOT: Final = Path(__file__).parents[1]
SUMS: Final = "SHA256SUMS"
_NOTES: Final = "NOTES-"


class NotReady(Exception):
    """Something of the release is missing or does not fit. The text says what to do."""


def tagged_version(tag: str) -> str:
    """The version of a tag. Raises `NotReady` unless the program says the same of itself."""
    if tag != f"v{__version__}":
        raise NotReady(
            f"the tag of this commit is {tag or 'missing'}, and the program says {__version__}: "
            f"set __version__ in firmware/__init__.py, commit, and git tag v{__version__}"
        )
    return __version__


def notes_of(changelog: str, version: str, *, dry: bool = False) -> str:
    """What the CHANGELOG says of a version, `dry` of what comes after it. Raises `NotReady` for nothing."""
    sections = f"Unreleased|{re.escape(version)}" if dry else re.escape(version)
    found = re.search(rf"(?ms)^## \[(?:{sections})\][^\n]*\n(.*?)(?=^## |\Z)", changelog)
    if found is None or not found[1].strip():
        raise NotReady(f"CHANGELOG.md has nothing under ## [{version}]: rename [Unreleased], with the date")
    return f"# nimmt-companion {version}\n\n{found[1].strip()}\n"


def sheets(dist: Path, version: str) -> Path:
    """Write all sheets to print, as they are on the card, into one file; the same bytes every time."""
    file = dist / _sheets_name(version)
    with ZipFile(file, "w") as zipped:
        for sheet in ready_files():
            zipped.writestr(ZipInfo(sheet.name), sheet.pdf())  # with the time that it always has
    return file


def _sheets_name(version: str) -> str:
    return f"nimmt-{version}-print.zip"


def publishing(version: str, files: Sequence[Path]) -> str:
    """The command that publishes these files of a version, with the notes among them."""
    notes = next(file for file in files if file.name.startswith(_NOTES))
    others = " ".join(str(file) for file in files if file != notes)
    return f"gh release create v{version} --verify-tag --title {version} --notes-file {notes} {others}"


def expected(version: str) -> tuple[str, ...]:
    """The files without which there is no release."""
    deb = re.sub(r"\.?(dev|rc|a|b)", r"~\1", version)
    return (
        *(
            f"{name}_{deb}_{arch}.deb"
            for name in ("nimmt-companion", "nimmt-camera", "nimmt-web", "nimmt-mqtt", "nimmt-hub")
            for arch in ("amd64", "arm64")
        ),
        f"nimmt_companion-{version}-py3-none-any.whl",
        _sheets_name(version),
    )


def gathered(dist: Path, version: str) -> list[Path]:
    """The files of the release, images included if they were built. Raises `NotReady`."""
    missing = [name for name in expected(version) if not (dist / name).is_file()]
    if missing:
        raise NotReady(f"{', '.join(missing)} is not in {dist}: make release builds it")
    # Of the card only the packed file: the other one is the same, and mostly empty.
    images = {file for file in dist.glob(f"nimmt-{version}-*") if file.is_file() and file.suffix != ".img"}
    return sorted({*(dist / name for name in expected(version)), *images})


def write(dist: Path, version: str, said: str, key: Path | None = None) -> list[Path]:
    """Write the notes, `said`, and the checksums, signed with the key; gives all files. Raises `NotReady`."""
    files = gathered(dist, version)
    notes = dist / f"{_NOTES}{version}.md"
    notes.write_text(said, encoding="utf-8")
    files.append(notes)
    return [*files, *checksums(files, dist / SUMS, key)]


def main(words: Sequence[str] | None = None) -> int:
    """Check the version, or gather what was built as well."""
    given = argparse.ArgumentParser(description=__doc__)
    given.add_argument("--check", action="store_true", help="only check version and notes")
    given.add_argument("--dry", action="store_true", help="without a tag; the notes of [Unreleased], if any")
    given.add_argument("--key", type=Path, help="a private Ed25519 key in PEM that signs the checksums")
    args = given.parse_args(words)
    tag = subprocess.run(
        ["git", "describe", "--tags", "--exact-match"],  # noqa: S607 - of the machine that calls make
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    ).stdout.strip()
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    try:
        version = __version__ if args.dry else tagged_version(tag)
        said = notes_of(changelog, version, dry=args.dry)
        if args.check:
            return 0
        sheets(Path("dist"), version)
        files = write(Path("dist"), version, said, args.key)
    except (NotReady, CannotBuild) as bad:
        sys.stderr.write(f"{bad}\n")
        return 1
    for file in files:
        sys.stdout.write(f"{file.stat().st_size:12,}  {file.name}\n")
    sys.stdout.write(f"\nTo publish it:\n{publishing(version, files)}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
