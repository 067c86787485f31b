"""The language in which a command speaks: that of the device's configuration, else that of the login.

A command without a configuration file speaks as `LC_ALL`, `LC_MESSAGES` or `LANG` say, and so does one whose
configuration leaves the choice to people (`language = "ask"`). Texts are written in their logical order, with
isolates (U+2066 to U+2069) round what runs the other way: a terminal that knows the bidirectional algorithm
shows Persian rightly, and what is copied or piped is right in any case.
"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from firmware.bounded_file import read_bounded
from firmware.config.configuration import LARGEST_BYTES, Config
from firmware.session.language import Recall, chosen
from firmware.text.translation import CALENDAR_CHOICES, DEFAULT, DIGIT_CHOICES, LANGUAGES, Translator


def spoken(file: Path | None, environ: Mapping[str, str] | None = None) -> Translator:
    """The texts for a command with this configuration file, which may be faulty."""
    screen = _screen(file)
    language = str(screen.get("language"))
    digits, calendar = (str(screen.get(key)) for key in ("digits", "calendar"))
    if language not in LANGUAGES:
        language = of_login(os.environ if environ is None else environ)
    return Translator(
        language,
        digits if digits in DIGIT_CHOICES else DIGIT_CHOICES[0],
        calendar if calendar in CALENDAR_CHOICES else CALENDAR_CHOICES[0],
    )


def of_records(file: Path | None, config: Config, recall: Recall) -> Translator:
    """The texts for a command about stored matches: as was chosen at the device, if anything was."""
    found = chosen(recall, config)
    return spoken(file) if found is None else Translator(found, config.screen.digits, config.screen.calendar)


def of_login(environ: Mapping[str, str]) -> str:
    """The language of a login; English if it is not one of ours."""
    # POSIX, "Environment Variables", 8.2: the first one that is set counts.
    named = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    language = named.partition(".")[0].partition("@")[0].partition("_")[0]
    return language if language in LANGUAGES else DEFAULT


def _screen(file: Path | None) -> dict[str, Any]:
    """The section of the screen, with the language that a file without one has; empty without a file."""
    if file is None:
        return {}
    try:
        screen = tomllib.loads(read_bounded(file, LARGEST_BYTES).decode()).get("screen", {})
    except (OSError, ValueError, RecursionError):  # who reads all of it says what is wrong
        return {}
    return {"language": DEFAULT, **screen} if isinstance(screen, dict) else {}
