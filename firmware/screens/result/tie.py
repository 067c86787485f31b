"""A tie for the first place: no rulebook says who wins, so the players are asked when it happens."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from companion.core.score_sheet import TieChoice
from companion.match.commands import SettleTie
from companion.values import replace
from firmware.display.layout import Layout
from firmware.display.plan import MAIN_WORDS, Plan
from firmware.screens.parts.base import Controller
from firmware.screens.parts.choice import ChoiceList, ListPage, draw_choices
from firmware.screens.parts.player_names import join_names
from firmware.screens.result.ceremony import celebrate

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

_PITCH_PX: Final = 18
"""From choice to choice: three of 16 px below the title."""
_GAP_PX: Final = 6
"""Between the title and the names."""


class Tie(ListPage):
    """Who is first together, and what the players make of it; the cursor stands on the shared victory."""

    NAME: ClassVar[str] = "tie"

    def plan(self, session: Session) -> Plan:
        """The three choices are for all around the table: they need all the room."""
        plan = session.plan
        if plan.choices_with_hints:
            plan = replace(plan, text=MAIN_WORDS, choice_pitch_px=_PITCH_PX, choices_with_hints=False)
        return plan

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The choices, and in the title who is asked."""
        t, plan = session.translate, self.plan(session)
        layout, title, choices = Layout(canvas, plan), t("TIE FOR FIRST"), self.choices(session)
        seats = [seat for place in session.playing.tied for seat in place.seats]
        room_px = max(0, layout.title_room_px(title) - _GAP_PX)
        layout.title(title, join_names(session, seats, room_px, plan.title[0]))
        draw_choices(layout, choices, [self.label(choice, session) for choice in choices.items])

    def choices(self, session: Session) -> ChoiceList[TieChoice]:
        """What a tie can mean."""
        return ChoiceList(tuple(TieChoice), self.cursor or 0, session.plan.choices)

    def label(self, item: TieChoice, session: Session) -> str:
        """In words."""
        t = session.translate
        return {
            TieChoice.SHARED: t("SHARED WIN"),
            TieChoice.LAST_DEAL: t("BETTER LAST DEAL"),
            TieChoice.ONE_MORE: t("ONE MORE DEAL"),
        }[item]

    def chosen(self, item: TieChoice, controller: Controller) -> None:
        """Settle it; UNDO takes back what led here, as everywhere."""
        controller.home()
        if controller.propose(SettleTie(item.value)):
            celebrate(controller)
