"""What `nimmt doctor` says of the voice: whether it can be heard."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from companion.text.errors import CompanionError
from firmware.commands.declared import counted
from firmware.commands.doctor import Finding
from firmware.extensions.speech.config import SpeechOptions
from firmware.text.translation import DEFAULT, LANGUAGES

if TYPE_CHECKING:
    from firmware.config.configuration import Config


def findings(config: Config) -> list[Finding]:
    """One for a voice that is configured: a moment of silence is played. Takes up to some seconds."""
    options = config.section(SpeechOptions)
    if options.driver == "off":
        return []
    # A doctor without a voice to look at imports none of it.
    from firmware.extensions.speech.script_sheet import words_of
    from firmware.extensions.speech.speaking import try_out
    from firmware.extensions.speech.voices import Clips

    found = partial(
        Finding, device="speech", driver=options.driver, link="docs/speech.md#if-nothing-is-heard"
    )
    language = config.screen.language if config.screen.language in LANGUAGES else DEFAULT
    try:
        try_out(options, language, silent=True)
    except CompanionError as bad:
        return [found(ok=False, says=bad.fault, fix=bad.fix)]
    missing = Clips(Path(options.folder)).missing(words_of(language)) if options.driver == "clips" else []
    if missing:
        says = f"{counted(len(missing), 'word')} not recorded"
        return [found(ok=False, says=says, fix="record the words that `nimmt print script` lists")]
    return [found(ok=True, says="it can speak")]
