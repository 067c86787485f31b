"""Brings docs/api.md up to date with the program: the output of its example. `python -m tools.api_page`."""

from __future__ import annotations

import re
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Final

PAGE: Final = Path(__file__).parents[1] / "docs" / "api.md"
_EXAMPLE: Final = re.compile(r"(```python\n(.*?)```\n\n```text\n)(.*?)(?=```)", re.DOTALL)


def up_to_date(page: str) -> str:
    """The page with what its example prints today."""
    return _EXAMPLE.sub(lambda example: example[1] + _printed(example[2]), page)


def _printed(code: str) -> str:
    output = StringIO()
    with redirect_stdout(output):
        exec(code, {})  # noqa: S102 - our own page
    return output.getvalue()


if __name__ == "__main__":
    PAGE.write_text(up_to_date(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
