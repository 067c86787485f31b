"""The language of what a command prints for players: that of the device, else that of the login.

Texts are written in their logical order, with isolates (U+2066 to U+2069) round what runs the other way: a
terminal that knows the bidirectional algorithm shows Persian rightly, and what is copied or piped is right in
any case.
"""

import os
from collections.abc import Mapping
from pathlib import Path

from firmware.config.configuration import Config
from firmware.session.language import Recall, chosen
from firmware.text.translation import ASK, DEFAULT, LANGUAGES, Translator


def spoken(config: Config, file: Path | None, recall: Recall | None = None) -> Translator:
    """The texts for players: as was chosen at the device, else as its configuration in `file` says.

    Where it leaves the choice to people, and where there is none, the login says it.
    """
    language = (recall and chosen(recall, config)) or (config.screen.language if file else ASK)
    if language == ASK:
        language = of_login(os.environ)
    return Translator(language, config.screen.digits, config.screen.calendar)


def of_login(environ: Mapping[str, str]) -> str:
    """The language of a login; English if it is not one of ours."""
    # POSIX, "Environment Variables", 8.2: the first one that is set counts.
    named = next((environ[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if environ.get(name)), "")
    language = named.partition(".")[0].partition("@")[0].partition("_")[0]
    return language if language in LANGUAGES else DEFAULT
