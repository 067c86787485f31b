"""What pyproject.toml cannot say: a built package has compiled catalogues (.mo), as gettext reads them."""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py


class WithCatalogues(build_py):  # type: ignore[misc]  # it has no annotations
    """Builds the packages with compiled catalogues in place of those of the translators."""

    def run(self) -> None:
        """Build; in an editable installation the Makefile compiles them."""
        super().run()
        if not self.editable_mode:
            from babel.messages.frontend import CommandLineInterface

            folder = Path(self.build_lib, "firmware/text/catalogues")
            words = ["pybabel", "-q", "compile", "-D", "nimmt", "-d", str(folder)]
            CommandLineInterface().run(words)  # type: ignore[no-untyped-call]
            for file in folder.glob("*/LC_MESSAGES/*.po"):
                file.unlink()


if __name__ == "__main__":
    setup(cmdclass={"build_py": WithCatalogues})
