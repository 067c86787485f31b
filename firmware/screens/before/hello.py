"""The first page after power-on: which devices work, and whether there is a match to go on with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from companion.text.sentence import Text, say
from companion.values import replace
from firmware.display.layout import Layout
from firmware.screens.parts.base import Controller, Page
from firmware.screens.parts.choice import ChoiceList, ChosenItem, draw_choices
from firmware.session.actions import Action, BadgeAction, CardAction, KeyAction
from firmware.session.devices import DeviceState
from firmware.text.translation import LANGUAGES
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


_DEVICES: Final[Mapping[str, Text]] = {
    "display": say("DISPLAY"),
    "buttons": say("BUTTONS"),
    "scanner": say("SCANNER"),
    "buzzer": say("BUZZER"),
    "journal": say("JOURNAL"),
}


class Hello(Page):
    """Every device in one line; a fault is shown here for as long as it lasts."""

    NAME: ClassVar[str] = "hello"

    def draw(self, canvas: Canvas, session: Session) -> None:
        """OK, none, keyboard or !! for each device, and the saved match."""
        t, match, layout = session.translate, session.match, Layout(canvas, session.plan)
        if match is None:
            layout.title(t("NIMMT COMPANION"))
        else:
            board = match.board
            layout.title(t("SAVED"), t("DEAL {deal} T{turn}", deal=match.position.deal, turn=board.turn))
        states = {device: self._state(device, session) for device in _DEVICES}
        shown = list(_DEVICES)
        if layout.plan.row_bar:
            layout.hints(t("OK=CONTINUE"), t("UNDO=NEW") if match is not None else "")
        else:
            # What does not work comes first: there is no room for all.
            fine = t("OK")
            shown = sorted(shown, key=lambda device: states[device] == fine)[: layout.plan.whole_lines]
        for place, device in enumerate(shown):
            layout.pair(place, t.say(_DEVICES[device]), states[device])

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK goes on with the match; UNDO suspends it.

        Without a match any other key is meant for the start page: players know that it comes next.
        """
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        saved = controller.session.match is not None
        if action.key in (Key.OK, Key.UNDO):
            if action.key is Key.UNDO and saved:
                controller.session.suspend()
            controller.close()
            return True
        if saved:
            return False
        controller.close()
        controller.act(action)
        return True

    @staticmethod
    def _state(device: str, session: Session) -> str:
        match session.device_state(device):
            case DeviceState.FAULT:
                return "!!"
            case DeviceState.NONE:
                return session.translate("NONE")
            case DeviceState.KEYBOARD:
                return session.translate("KEYBOARD")
            case DeviceState.OK:
                return session.translate("OK")


class Language(Page):
    """The languages; the cursor begins at the one in use. The first page of a device that has to ask."""

    NAME: ClassVar[str] = "language"
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The names of the languages, the one in use lit."""
        t, choices = session.translate, self._choices(session)
        layout = Layout(canvas, session.plan)
        layout.title(t("LANGUAGE"), t.digits(choices.page_number))
        if layout.plan.choices_with_hints:
            layout.hints(t("OK=CHOOSE"), "" if session.asks_language else t("UNDO=BACK"))
        draw_choices(layout, choices, [LANGUAGES[key].title for key in choices.items])

    def handle(self, action: Action, controller: Controller) -> bool:
        """A row key or OK chooses. A card on the first page of all keeps the language, and is not lost."""
        session = controller.session
        if isinstance(action, CardAction | BadgeAction) and session.asks_language:
            session.use_language(session.language)
            controller.act(action)
            return True
        if not isinstance(action, KeyAction):
            return False
        match self._choices(session).key(action):
            case ChosenItem(language):
                session.use_language(language)
                controller.home()  # a page that is open has its words in the language before
                controller.say(LANGUAGES[language].title)
            case ChoiceList(cursor=int(cursor)):
                controller.show(replace(self, cursor=cursor))
            case _:
                return False
        return True

    def _choices(self, session: Session) -> ChoiceList[str]:
        languages = tuple(LANGUAGES)
        cursor = languages.index(session.language) if self.cursor is None else self.cursor
        return ChoiceList(languages, cursor, session.plan.choices)
