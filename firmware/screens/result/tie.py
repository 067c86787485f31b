"""A tie for the first place: no rulebook says who wins, so the players are asked when it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from companion.core.score_sheet import TieChoice
from companion.match.commands import SettleTie
from companion.values import replace
from firmware.display.layout import Layout
from firmware.display.plan import MAIN_WORDS
from firmware.screens.parts.base import Controller, Page
from firmware.screens.parts.choice import ChoiceList, ChosenItem, draw_choices
from firmware.screens.parts.player_names import join_names
from firmware.screens.result.ceremony import celebrate
from firmware.session.actions import Action, KeyAction

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

_PITCH_PX: Final = 18
"""From choice to choice: three of 16 px below the title."""
_GAP_PX: Final = 6
"""Between the title and the names."""


class Tie(Page):
    """Who is first together, and what the players make of it; the cursor stands on the shared victory."""

    NAME: ClassVar[str] = "tie"
    cursor: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The choices, and in the title who is asked."""
        t, plan = session.translate, session.plan
        if plan.choices_with_hints:  # the three choices are for all around the table: they need all the room
            plan = replace(plan, text=MAIN_WORDS, choice_pitch_px=_PITCH_PX, choices_with_hints=False)
        layout, title = Layout(canvas, plan), t("TIE FOR FIRST")
        seats = [seat for place in session.playing.tied for seat in place.seats]
        room_px = max(0, layout.title_room_px(title) - _GAP_PX)
        layout.title(title, join_names(session, seats, room_px, plan.title[0]))
        labels = {
            TieChoice.SHARED: t("SHARED WIN"),
            TieChoice.LAST_DEAL: t("BETTER LAST DEAL"),
            TieChoice.ONE_MORE: t("ONE MORE DEAL"),
        }
        draw_choices(layout, self._choices(session.plan.choices), [labels[choice] for choice in TieChoice])

    def handle(self, action: Action, controller: Controller) -> bool:
        """A key of the list settles it; UNDO takes back what led here, as everywhere."""
        if not isinstance(action, KeyAction):
            return False
        match self._choices(controller.session.plan.choices).key(action):
            case ChosenItem(choice):
                _settle(choice, controller)
            case ChoiceList(cursor=int(cursor)):
                controller.show(replace(self, cursor=cursor))
            case _:
                return False
        return True

    def _choices(self, per_page: int) -> ChoiceList[TieChoice]:
        return ChoiceList(tuple(TieChoice), self.cursor, per_page)


def _settle(choice: TieChoice, controller: Controller) -> None:
    controller.home()
    if controller.propose(SettleTie(choice.value)):
        celebrate(controller)
