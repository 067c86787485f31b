"""Names given at the table: whose badge it is, and its name."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from companion.core.codes import BADGES
from companion.text.sentence import say
from companion.values import replace
from firmware.display.layout import Layout
from firmware.screens.parts.base import Controller, Page
from firmware.screens.parts.choice import ChoiceList, ChosenItem, draw_choices
from firmware.screens.parts.letters import EnterName
from firmware.session.actions import Action, BadgeAction, KeyAction
from hardware.ports import Signal

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


def name_players(controller: Controller) -> None:
    """Ask whose name is to be given."""
    controller.open(NameWhom())


class NameWhom(Page):
    """Which badge gets a name: it is scanned, or chosen from the list of all."""

    NAME: ClassVar[str] = "name_whom"
    cursor: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """All badges, with the names that they have."""
        t, layout = session.translate, Layout(canvas, session.plan)
        choices = self._choices(session.plan.choices)
        layout.title(t("WHOSE NAME?"), t.digits(choices.page_number))
        if layout.plan.choices_with_hints:
            layout.hints(t("SCAN A BADGE"), t("OK=THIS ONE"))
        draw_choices(layout, choices, [_label(badge, session) for badge in choices.items])

    def handle(self, action: Action, controller: Controller) -> bool:
        """A badge or a key of the list says who."""
        if isinstance(action, BadgeAction):
            controller.show(enter_name_of(action.badge, controller))
            controller.signal(Signal.ACCEPTED)
            return True
        if not isinstance(action, KeyAction):
            return False
        match self._choices(controller.session.plan.choices).key(action):
            case ChosenItem(badge):
                controller.show(enter_name_of(badge, controller))
            case ChoiceList(cursor=int(cursor)):
                controller.show(replace(self, cursor=cursor))
            case _:
                return False
        return True

    def _choices(self, per_page: int) -> ChoiceList[int]:
        return ChoiceList(tuple(BADGES), self.cursor, per_page)


def _label(badge: int, session: Session) -> str:
    name = session.names.of(badge)
    return name if name == f"P{badge}" else f"{badge} {name}"


def enter_name_of(badge: int, controller: Controller) -> EnterName:
    """The page on which a badge gets its name."""
    title = controller.session.translate("NAME OF BADGE {badge}", badge=badge)
    return EnterName(title, partial(_keep, badge), enter_name_of)


def _keep(badge: int, name: str, controller: Controller) -> None:
    if keep_name(badge, name, controller):
        controller.close()


def keep_name(badge: int, name: str, controller: Controller) -> bool:
    """Keep a name, unless the display could not tell it from another one; an empty one removes it."""
    session, t = controller.session, controller.session.translate
    if name and not session.names.is_free(badge, name):
        controller.decline(say("THIS NAME IS TAKEN"))
        return False
    session.names.give(badge, name)
    controller.signal(Signal.ACCEPTED)
    controller.say(t("{badge} IS {name}", badge=badge, name=session.names.of(badge)))
    return True
