"""The section `[speech]`: the voice of the table."""

from typing import Annotated, Final

from companion.text.errors import CompanionError, quoted
from companion.values import Value, field
from hardware.options import option

DRIVERS: Final = ("off", "espeak", "clips")
LEVELS: Final = ("rulings", "short", "asks", "end")
"""What is said: rulings with their reason, only what happened, only what is waited for, only how it ended."""


class SpeechOptions(Value):
    """The voice of the table, through `nimmt speak`; see [speech.md](speech.md)."""

    driver: Annotated[
        str, option("the voice: off, that of espeak-ng, or a folder of recorded words", among=DRIVERS)
    ] = "off"
    level: Annotated[
        str,
        option(
            "what is said: `rulings` with the reason, `short` without it, `asks` only the questions, `end` "
            "only how a deal and the match ended",
            among=LEVELS,
        ),
    ] = "rulings"
    volume: Annotated[int, option("how loud, until it is changed in the menu", low=0, high=100)] = 80
    speed: Annotated[int, option("words per minute, for espeak-ng", low=80, high=300)] = 160
    device: Annotated[str, option("the sound device, as ALSA calls it; empty: the usual one")] = ""
    folder: Annotated[str, option("the folder of the recorded words", in_file=True)] = ""
    names: Annotated[bool, option("whether names are spoken; if not, players are called by number")] = False
    sounds: Annotated[
        dict[str, str], option('how a name is written so that it sounds right: {{"Siân" = "Shahn"}}')
    ] = field(default_factory=dict)
    quiet: Annotated[
        str, option('the hours in which nothing is said, such as "22:00-09:30"; empty: none')
    ] = ""

    def __post_init__(self) -> None:
        if self.driver == "clips" and not self.folder:
            raise CompanionError(
                'driver = "clips" has no folder', "add folder, with the recorded words in it"
            )
        if self.quiet and _hours(self.quiet) is None:
            raise CompanionError(
                f"quiet = {quoted(self.quiet)} is not two times of day", 'use a form like "22:00-09:30"'
            )

    def is_quiet(self, minute: int) -> bool:
        """Whether nothing is said at this minute of the day, from 0 to 1439, by the clock of the box."""
        hours = _hours(self.quiet)
        if hours is None:
            return False
        start, end = hours
        return start <= minute < end if start <= end else minute >= start or minute < end


def _hours(text: str) -> tuple[int, int] | None:
    """The minutes of the day at which the quiet begins and ends; None for another text."""
    import re  # a start without the voice does without

    found = re.fullmatch(r"([01]?\d|2[0-3]):([0-5]\d)-([01]?\d|2[0-3]):([0-5]\d)", text)
    if found is None:
        return None
    from_hour, from_minute, to_hour, to_minute = map(int, found.groups())
    return 60 * from_hour + from_minute, 60 * to_hour + to_minute
