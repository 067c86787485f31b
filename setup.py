"""What pyproject.toml cannot say: a built package has its catalogues compiled (.mo), as gettext reads them.

A checkout has the catalogues of the translators (.po) and reads those, so it needs no build.
"""

from __future__ import annotations

import sys
from pathlib import Path
from struct import pack

from setuptools import setup
from setuptools.command.build_py import build_py

sys.path.insert(0, str(Path(__file__).parent))  # whoever builds does not look here

from firmware.catalogue import Entry, read

_MAGIC = 0x950412DE
_HEAD_BYTES, _PLACE_BYTES = 28, 8


class WithCatalogues(build_py):  # type: ignore[misc]  # it has no annotations
    """Builds the packages with compiled catalogues in place of those of the translators."""

    def run(self) -> None:
        """Build; an editable installation has nothing to compile."""
        super().run()
        if not self.editable_mode:
            for file in Path(self.build_lib).glob("firmware/catalogues/*/LC_MESSAGES/*.po"):
                file.with_suffix(".mo").write_bytes(compiled(file.read_text(encoding="utf-8")))
                file.unlink()


def compiled(catalogue: str) -> bytes:
    """A catalogue as the file that gettext reads: the place of each template and translation, then the texts.

    What is fuzzy or not translated is left out.
    """
    said = sorted(
        (_key(one).encode(), "\0".join(one.forms).encode())
        for one in read(catalogue)
        if all(one.forms) and (not one.fuzzy or not one.template)
    )
    texts = [template for template, _ in said] + [translation for _, translation in said]
    tables_bytes = 2 * len(said) * _PLACE_BYTES
    places, body = b"", b""
    for text in texts:
        places += pack("<2I", len(text), _HEAD_BYTES + tables_bytes + len(body))
        body += text + b"\0"
    head = pack("<7I", _MAGIC, 0, len(said), _HEAD_BYTES, _HEAD_BYTES + tables_bytes // 2, 0, 0)
    return head + places + body


def _key(entry: Entry) -> str:
    key = f"{entry.template}\0{entry.plural}" if entry.plural else entry.template
    return f"{entry.context}\x04{key}" if entry.context else key


if __name__ == "__main__":
    setup(cmdclass={"build_py": WithCatalogues})
