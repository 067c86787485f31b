"""`python -m tools.texts` writes nimmt.pot and all catalogues; with --check it only says what is wrong."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from firmware.text.catalogue import plural_rule, read
from firmware.text.translation import CATALOGUES, LANGUAGES, catalogue_of
from tools.texts import check, po_file
from tools.texts.extract import extract

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

ROOT = Path(__file__).parents[2]


def wanted() -> tuple[Mapping[Path, str], list[str]]:
    """What each file should contain, and the faults of the texts in the source code."""
    found = extract(ROOT)
    templates = list(found.templates.values())
    files = {CATALOGUES / "nimmt.pot": po_file.pot(templates)}
    for language in LANGUAGES:
        if language != "en":
            file = catalogue_of(language)
            there = file.read_text(encoding="utf-8") if file.exists() else po_file.new(language)
            header = next(read(there)).forms[0]
            files[file] = po_file.merged(there, templates, plural_rule(header)[0])
    return files, found.faults


def faults() -> Iterator[str]:
    """What is wrong with the texts and the files as they are."""
    files, found = wanted()
    yield from found
    for file, content in files.items():
        name = file.relative_to(ROOT)
        if not file.exists() or file.read_text(encoding="utf-8") != content:
            yield f"{name}: not up to date; type: make texts"
        elif file.suffix == ".po":
            language = LANGUAGES[file.parts[-3]]
            yield from (f"{name}: {fault}" for fault in check.faults(content, complete=language.complete))
    unknown = {file.parts[-3] for file in (CATALOGUES).glob("*/*/*.po")} - set(LANGUAGES)
    yield from (
        f"firmware/text/catalogues/{name}: add it to LANGUAGES in firmware/text/translation.py"
        for name in unknown
    )


def main() -> int:
    """Write the files, unless told to check only; gives the exit status."""
    if "--check" not in sys.argv:
        for file, content in wanted()[0].items():
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
    found = list(faults())
    for fault in found:
        sys.stderr.write(f"{fault}\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
