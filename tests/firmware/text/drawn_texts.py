"""The texts of a page as they reach the letters, whoever draws them."""

from typing import Any

import pytest

from firmware.display import glyphs
from firmware.loop.runtime import Runtime


def drawn(runtime: Runtime, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts of which the page in front of a device makes pictures."""
    texts: list[str] = []
    draw = glyphs.Font.bitmap

    def noted(self: glyphs.Font, text: str) -> Any:
        texts.append(text)
        return draw(self, text)

    with monkeypatch.context() as meanwhile:
        meanwhile.setattr(glyphs.Font, "bitmap", noted)
        runtime.app.picture()
    assert texts
    return texts
