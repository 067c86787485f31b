"""Every screen shows its words whole in every language whose catalogue is complete."""

from __future__ import annotations

from dataclasses import replace

import pytest

from firmware.config.configuration import load
from firmware.config.sections.screen import SIZES
from firmware.scripted.gallery import (
    KIOSK_SCREENS,
    NAMED_SCREENS,
    SCREENS,
    TOURNAMENT_SCREENS,
    UPDATE_SCREENS,
    pictures,
)
from firmware.translation import LANGUAGES

COMPLETE = [key for key, language in LANGUAGES.items() if language.complete]


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", COMPLETE)
def test_no_word_is_cut_on_any_screen(language: str, size: str) -> None:
    shown = dict(pictures(replace(load(None).screen, language=language, size=size)))
    assert shown.keys() > {*SCREENS, *NAMED_SCREENS, *KIOSK_SCREENS, *TOURNAMENT_SCREENS, *UPDATE_SCREENS}
