"""What all pages of a deal with robots share: its pace, its names, what comes after an answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from companion.values import Value
from firmware.display.layout import Layout
from firmware.screens.parts.base import ANY_KEY, Controller, Keys, KeyUse, Page, back
from hardware.ports import Signal

if TYPE_CHECKING:
    from companion.core.cards import Seat
    from firmware.display.canvas import Canvas
    from firmware.extensions.robots.visitors.deal import Option, VisitorDeal
    from firmware.session.session import Session
    from firmware.text.translation import Translator


def name_of(deal: VisitorDeal, seat: Seat, t: Translator) -> str:
    """What a player is called on the pages of a deal."""
    if not deal.is_visitor(seat):
        return t("ROBOT {number}", number=seat - deal.visitors + 1)
    return t("YOU") if deal.visitors == 1 else t("PLAYER {number}", number=seat + 1)


def names_of(deal: VisitorDeal, t: Translator) -> tuple[str, ...]:
    """What players are called in the sentences of the referee, by seat."""
    guest = t("GUEST")
    return tuple(
        name_of(deal, seat, t) if deal.visitors != 1 or seat else guest for seat in deal.match.players
    )


class DealTable(Value):
    """What the pages of a deal need beside it: their pace, what comes next, and how another deal begins."""

    placement_s: float
    again: Callable[[Controller], None]
    follows: Callable[[VisitorDeal, DealTable], Page]
    """Gives the page that comes next; robots answer before it, as far as they have made up their minds."""

    def next_page(self, deal: VisitorDeal) -> Page:
        return self.follows(deal, self)


class Sentence(Page):
    """Why a card goes where it goes, or cannot be played now, in the words of the referee."""

    HAS_TIME = True
    says: str
    title: str = ""

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.sentence(self.title or t("NOT NOW"), self.says, *self.hints(session))

    def keys(self, session: Session) -> Keys:
        return dict.fromkeys(ANY_KEY, KeyUse(back, session.translate("OK=BACK")))


def give_answer(  # noqa: PLR0913, PLR0917 - who answers what where, and how it sounds
    deal: VisitorDeal, table: DealTable, option: Option, seat: Seat, controller: Controller, sounds: Signal
) -> None:
    """Give the answer of a visitor, and show what comes next, or why it is not allowed.

    Where two share the box, the hand of the one who has just answered is covered. After a refusal the
    question stays beneath.
    """
    refused = deal.answer(option, seat)
    if refused is not None:
        controller.signal(Signal.REFUSED)
        controller.open(Sentence(controller.session.translate.say(refused.fault)), lasts_s=8.0)
        return
    controller.signal(sounds)
    if deal.visitors > 1:
        deal.shown_to = None
    controller.show(table.next_page(deal))
