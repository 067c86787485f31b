"""What pyproject.toml cannot say: a built package has its catalogues compiled (.mo), as gettext reads them.

Babel compiles them. A checkout reads the catalogues of the translators (.po): it needs no build and no Babel.
"""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class WithCatalogues(build_py):  # type: ignore[misc]  # it has no annotations
    """Builds the packages with compiled catalogues in place of those of the translators."""

    def run(self) -> None:
        """Build; an editable installation has nothing to compile."""
        super().run()
        if not self.editable_mode:
            for file in Path(self.build_lib).glob("firmware/text/catalogues/*/LC_MESSAGES/*.po"):
                file.with_suffix(".mo").write_bytes(compiled(file.read_text(encoding="utf-8")))
                file.unlink()


def compiled(catalogue: str) -> bytes:
    """A catalogue as the file that gettext reads; the same catalogue gives the same bytes.

    What is fuzzy or not translated is left out.
    """
    from babel.messages.mofile import write_mo  # an editable installation is made without Babel
    from babel.messages.pofile import read_po

    read = read_po(BytesIO(catalogue.encode()))
    read.creation_date = read.revision_date = datetime(1970, 1, 1, tzinfo=UTC)  # else the time of now
    file = BytesIO()
    write_mo(file, read)
    return file.getvalue()


if __name__ == "__main__":
    setup(cmdclass={"build_py": WithCatalogues})
