"""Every screen shows its words whole in every language whose catalogue is complete."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.text.errors import CompanionError
from firmware.config.configuration import load
from firmware.play.runtime import Runtime
from firmware.scripted.gallery import KIOSK_SCREENS, PREPARED_SCREENS, SCREENS, performed, shown
from firmware.scripted.scripts import NAMED_SCREENS
from firmware.text.translation import LANGUAGES
from tests.whole.retelling import OWN_WORDS, SIZES_OF, tell

COMPLETE = [(key, size) for key, size in SIZES_OF if LANGUAGES[key].complete]
PLAYED_IN_EACH = {*OWN_WORDS, *NAMED_SCREENS, *PREPARED_SCREENS, "start"}


def each_screen() -> Iterator[tuple[str, str, str, Runtime]]:
    """Language, size, name and device; those that cannot be told again are played in each."""
    usual = load(None).screen
    for name, runtime in performed(usual):
        for language, size in COMPLETE:
            if name not in PLAYED_IN_EACH:
                tell(runtime, language, size)
                yield language, size, name, runtime
    for language, size in COMPLETE:
        for name, runtime in performed(replace(usual, language=language, size=size), only=PLAYED_IN_EACH):
            yield language, size, name, runtime


def test_no_word_is_cut_on_any_screen() -> None:
    names: dict[tuple[str, str], set[str]] = {way: set() for way in COMPLETE}
    cut = []
    for language, size, name, runtime in each_screen():
        names[language, size].add(name)
        try:
            shown(name, runtime)
        except CompanionError as too_wide:
            cut.append(f"{language} {size}: {too_wide}")
    assert cut == []
    every = {*SCREENS, *NAMED_SCREENS, *KIOSK_SCREENS, *PREPARED_SCREENS, "device-away"}
    assert all(seen == every for seen in names.values())
