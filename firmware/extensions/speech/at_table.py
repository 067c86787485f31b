"""The voice at the table: how loud it is, chosen in the menu, and the pages of a lesson.

The voice itself is a process of its own, which is told both through the table's socket. The sound of the box
off mutes it as well, and so do the hours in which a kiosk is closed.
"""

from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar, Final

from companion.protocol.snapshot import Localized, sentence
from companion.text.sentence import Text, in_context, say
from firmware.extensions.speech.config import SpeechOptions
from firmware.play.page import AnyPage
from firmware.play.table import Extension, Item, Table
from firmware.screens.before.lesson import Lesson, LessonEnd, LessonRight, LessonWrong
from firmware.screens.parts.kinds import Menu
from firmware.session.session import Session

VOICE: Final = "voice"
"""The volume as the socket tells it, from 0 to 100, and the note that keeps what was chosen."""

LESSON: Final = "lesson"
"""What the page of a lesson in front says, as the socket tells it: nothing where another page is in front."""

_VOLUMES: Final = (
    (in_context("how loud the voice is", "LOUD"), 100),
    (in_context("how loud the voice is", "NORMAL"), 70),
    (in_context("how loud the voice is", "QUIET"), 35),
    (in_context("how loud the voice is", "OFF"), 0),
)


class SpeechTable(Extension):
    """The voice at one table."""

    STATE: ClassVar[Mapping[str, Any]] = {VOICE: int, LESSON: tuple[Localized, ...]}

    def __init__(self) -> None:
        self._configured: int | None = None
        """The volume of the configuration, 0 where no voice is configured; None before it was asked for."""
        self._muted = False
        self._lesson: tuple[Text, ...] = ()

    def tick(self, table: Table) -> None:
        if self._configured is None:
            options = table.config.section(SpeechOptions)
            self._configured = 0 if options.driver == "off" else options.volume
        self._muted = table.state.muted or not all(part.is_open for part in table.extensions)
        self._lesson = _lesson_of(table.front) if self._configured else ()

    def menu(self, table: Table) -> tuple[Item, ...]:
        """The row VOICE, where one is configured."""
        if table.config.section(SpeechOptions).driver == "off":
            return ()
        items = tuple((label, partial(_choose, volume)) for label, volume in _VOLUMES)
        return ((say("VOICE"), lambda at: at.open(Menu(say("VOICE"), items))),)

    def state(self, session: Session) -> Mapping[str, Any]:
        chosen = session.notes.recall(VOICE)
        volume = chosen if isinstance(chosen, int) else self._configured
        return {
            VOICE: 0 if self._muted or not self._configured else volume,
            LESSON: tuple(sentence(text, session.translate.say) for text in self._lesson),
        }


def _lesson_of(page: AnyPage) -> tuple[Text, ...]:
    """What a page of a lesson says; nothing for another page."""
    wrong = say("NOT THIS ONE")
    match page:
        case Lesson(wrong=()):
            return page.exercise.says, page.exercise.hint
        case Lesson(wrong=(*_, newest)):
            return wrong, page.known.verdicts[newest].short
        case LessonWrong():
            return wrong, page.says
        case LessonRight():
            return say("RIGHT!"), page.known.verdicts[page.answer].short
        case LessonEnd():
            return (page.TITLE,)
    return ()


def _choose(volume: int, table: Table) -> None:
    table.session.notes.remember(VOICE, volume)
    table.say(say("VOICE OFF") if not volume else say("VOICE ON"))
