"""A tie for the first place: no rulebook says who wins, so the players are asked when it happens."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar

from companion.match_commands import SettleTie
from companion.score_sheet import TieChoice
from firmware.display.layout import Layout
from firmware.screens.base import Page
from firmware.screens.ceremony import celebrate
from firmware.screens.choice import ChoiceList, Chosen, draw_choices
from firmware.screens.player_names import join_names
from firmware.session.actions import Action, KeyAction

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.screens.base import Controller
    from firmware.session.session import Session


@dataclass(frozen=True, slots=True)
class Tie(Page):
    """Who is first together, and what the players make of it; the cursor stands on the shared victory."""

    NAME: ClassVar[str] = "tie"
    cursor: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The choices, and below them who is asked."""
        t, layout = session.translate, Layout(canvas, session.plan)
        places = session.playing.tied
        layout.title(t("TIE FOR FIRST"), t.number(places[0].total) if places else "")
        if layout.plan.choices_with_hints:
            layout.hints(t("OK=CHOOSE"), t("UNDO=BACK"))
        labels = {
            TieChoice.SHARED: t("SHARED WIN"),
            TieChoice.LAST_DEAL: t("BETTER LAST DEAL"),
            TieChoice.ONE_MORE: t("ONE MORE DEAL"),
        }
        draw_choices(layout, self._choices(session.plan.choices), [labels[choice] for choice in TieChoice])
        if layout.plan.choices_with_hints:
            room = layout.free.below(layout.plan.choice_pitch_px * len(TieChoice) + 2)
            seats = [seat for place in places for seat in place.seats]
            layout.put(
                room,
                join_names(session, seats, room.width_px, layout.plan.text[-1]),
                layout.plan.text[-1],
                centre=True,
            )

    def handle(self, action: Action, controller: Controller) -> bool:
        """A key of the list settles it; UNDO takes back what led here, as everywhere."""
        if not isinstance(action, KeyAction):
            return False
        match self._choices(controller.session.plan.choices).key(action):
            case Chosen(choice):
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
