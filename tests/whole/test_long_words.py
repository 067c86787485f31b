"""No text stops a table: words that are too long, empty or wrongly translated leave the match in play."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from firmware.display.canvas import strictly
from firmware.loop.runtime import Runtime
from firmware.text import translation
from tests.gallery.pictures import SCREENS
from tests.gallery.script import perform
from tests.whole.catalogues import Listening, install, three_times_as_long
from tests.whole.wide_table import NAMES, configured

A_FEW = ("ruling", "row-taken", "standings", "menu", "score-sums", "correct-score", "ciao-why", "eleven-turn")


@pytest.fixture
def on_the_display() -> Iterator[None]:
    with strictly(strict=False):
        yield


def use_catalogue(
    folder: Path, words: dict[str, str], monkeypatch: pytest.MonkeyPatch, language: str = "en"
) -> None:
    """The product's own texts, English ones too, come from a catalogue from now on."""
    install(folder / "catalogues", words, language)
    monkeypatch.setattr(translation, "CATALOGUES", folder / "catalogues")
    monkeypatch.setattr(
        translation, "ENGLISH", translation.load(translation.catalogue_of("en").with_suffix(".mo"))
    )


def played(folder: Path, script: str, catalogue: Any = None) -> bytes:
    """The last picture of the loop itself, after a script."""
    with closing(Runtime(configured(NAMES), folder / "journal.sqlite")) as runtime:
        if catalogue is not None:
            runtime.session.state.texts._catalogue = catalogue
            runtime.session._spoken = None
        perform(script, runtime.app.table)
        runtime.app.stop()
        runtime.app.run()
        return runtime.app.picture().tobytes()


@pytest.mark.usefixtures("on_the_display")
@pytest.mark.parametrize("name", A_FEW)
def test_with_words_three_times_as_long_the_loop_runs(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    listening, folders = Listening(), [tmp_path / name for name in ("listening", "short", "long")]
    for folder in folders:
        folder.mkdir()
    played(folders[0], SCREENS[name], listening)
    words = three_times_as_long(listening.asked)
    assert len(words) > 1
    before = played(folders[1], SCREENS[name])
    use_catalogue(tmp_path, words, monkeypatch)
    assert played(folders[2], SCREENS[name]) != before
