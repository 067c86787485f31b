"""The first page after power-on: which devices work, and whether there is a match to go on with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, Final

from companion.text.sentence import Text, say
from firmware.display.layout import Layout
from firmware.screens.parts.base import KEYS, Controller, Keys, KeyUse, Page, back, passed_on
from firmware.screens.parts.choice import ChoiceList, ListPage
from firmware.session.actions import BadgeAction, CardAction
from firmware.session.devices import DeviceState
from firmware.text.translation import LANGUAGES
from hardware.ports import Key

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
            layout.hints(*self.hints(session))
        else:
            # What does not work comes first: there is no room for all.
            fine = t("OK")
            shown = sorted(shown, key=lambda device: states[device] == fine)[: layout.plan.whole_lines]
        for place, device in enumerate(shown):
            layout.pair(place, t.say(_DEVICES[device]), states[device])

    def keys(self, session: Session) -> Keys:
        """OK goes on with the match; UNDO suspends it.

        Without a match any other key is meant for the start page: players know that it comes next.
        """
        t = session.translate
        go_on = KeyUse(back, t("OK=CONTINUE"))
        if session.match is not None:
            return {Key.OK: go_on, Key.UNDO: KeyUse(_suspend, t("UNDO=NEW"))}
        others = passed_on([key for key in KEYS if key is not Key.UNDO], back)
        return {**others, Key.OK: go_on, Key.UNDO: KeyUse(back, help=say("CONTINUE"))}

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


def _suspend(controller: Controller) -> None:
    controller.session.suspend()
    controller.close()


class LanguageList(ListPage):
    """The names of the languages, each in its own letters; the cursor begins at the one in use."""

    def choices(self, session: Session) -> ChoiceList[str]:
        """The languages."""
        languages = tuple(LANGUAGES)
        at = languages.index(session.language) if self.cursor is None else self.cursor
        return ChoiceList(languages, at, session.plan.choices)

    def keys(self, session: Session) -> Keys:
        """The keys of the list."""
        t = session.translate
        keys = self.choices(session).keys(self.chosen, self.moved, t("OK=CHOOSE"))
        return {**keys, Key.UNDO: KeyUse(back, t("UNDO=BACK"))}

    def heading(self, session: Session) -> str:
        """The title."""
        return session.translate("LANGUAGE")

    def label(self, item: str, session: Session) -> str:
        """The name of a language."""
        return LANGUAGES[item].title


class Language(LanguageList):
    """The languages. The first page of a device that has to ask."""

    NAME: ClassVar[str] = "language"

    def keys(self, session: Session) -> Keys:
        """The keys of the list; where the device has to ask, there is no way back."""
        keys = super().keys(session)
        if session.asks_language:
            del keys[Key.UNDO]
        return keys

    def chosen(self, item: str, controller: Controller) -> None:
        """Use a language."""
        controller.session.use_language(item)
        controller.home()  # a page that is open has its words in the language before
        controller.say(LANGUAGES[item].title)

    def take_card(self, action: CardAction, controller: Controller) -> bool:
        """A card on the first page of all keeps the language, and is not lost."""
        return self._keeps(action, controller)

    def take_badge(self, badge: int, controller: Controller) -> bool:
        """So is a badge."""
        return self._keeps(BadgeAction(badge), controller)

    def _keeps(self, action: CardAction | BadgeAction, controller: Controller) -> bool:
        session = controller.session
        if session.asks_language:
            session.use_language(session.language)
            controller.act(action)
            return True
        return False
