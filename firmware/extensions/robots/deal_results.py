"""The pages at the end of a visitor's deal: the points, what cost most, and another deal."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from companion.text.sentence import BULL, Decimals, Text, in_context, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.layout import Area, Layout
from firmware.display.plan import MAIN_WORDS, without_title
from firmware.screens.parts.base import ANY_KEY, OK_BACK, Controller, Item, Keys, KeyUse, Page, back
from firmware.screens.parts.kinds import LargeList
from firmware.screens.turn.table import CardsOfGame
from firmware.session.session import Session
from firmware.text.translation import Translator
from hardware.ports import Key

if TYPE_CHECKING:
    from companion.core.cards import Seat
    from companion.robots.coach import PlayAdvice
    from firmware.extensions.robots.deal import VisitorDeal


_RESULT_S: Final = 10.0


class DealResult(Page):
    """The points of the deal, best first."""

    GOES_ON_WITH_OK = True
    GOES_ON_BY_ITSELF = True
    deal: VisitorDeal

    @property
    def stays_s(self) -> float:
        return _RESULT_S

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        _ = self.deal.worst  # the coach looks at the deal while people read
        places, points = self.deal.places, self.deal.points
        winners = [seat for rank, seat in places if rank == 1]
        you = self.deal.visitors == 1 and self.deal.is_visitor(winners[0])
        winner = t("YOU WIN!") if you else t("{name} WINS", name=name_of(self.deal, winners[0], t))
        if layout.plan.row_bar:
            layout.title(winner)
            layout.hints(*self.hints(session))
        else:  # four lines fill the display
            layout = Layout(canvas, without_title(layout.plan))
        unit = BULL if CardsOfGame(self.deal.game, t).in_heads else ""
        for row, (rank, seat) in enumerate(places):
            text = f"{t.number(rank)}. {name_of(self.deal, seat, t)}"
            end = f"{t.number(points[seat])}{unit}"
            layout.pair(row, text, end, lit=self.deal.is_visitor(seat))

    def following(self, session: Session) -> Page:
        """What cost most, and what next."""
        return AfterDeal(self.deal)

    def keys(self, session: Session) -> Keys:
        on = KeyUse(lambda at: at.show(self.following(at.session)), say("OK=NEXT"))
        return dict.fromkeys(ANY_KEY, on)


_COSTLIEST: Final = in_context("to the player", "YOUR {card} TOOK {heads} HEADS IN TURN {turn}")
_COSTLIEST_OF: Final = say("{name}: {card} TOOK {heads} HEADS IN TURN {turn}")
"""The same where two visitors share the box."""

_CARD: Final = say("TURN {turn}: {better} WAS BETTER THAN {card}")
_CARD_OF: Final = say("{name}, TURN {turn}: {better} WAS BETTER THAN {card}")
_ROW: Final = say("TURN {turn}: ROW {better} WAS BETTER THAN ROW {row}")
_ROW_OF: Final = say("{name}, TURN {turn}: ROW {better} WAS BETTER THAN ROW {row}")


class AfterDeal(LargeList):
    """The choice that another one was better than, or else what cost most; and whether to play again."""

    deal: VisitorDeal

    def draw(self, canvas: Canvas, session: Session) -> None:
        layout = Layout(canvas, self.plan(session))
        layout.words(Area(0, 0, 128, 32), self._says(session), MAIN_WORDS)
        self.draw_choices(Layout(canvas, replace(layout.plan, bar_px=32)), session)

    def offers(self, session: Session) -> list[Item]:
        return [(say("AGAIN"), self._again), (say("BACK"), back)]

    def _again(self, controller: Controller) -> None:
        controller.close()
        controller.deal(self.deal.game, self.deal.visitors)

    def _says(self, session: Session) -> str:
        t, cost, worst = session.translate, self.deal.costliest, self.deal.worst
        if worst is not None:
            return self._advice(worst, t)
        if cost is not None:
            card = CardsOfGame(self.deal.game, t).label(cost.card)
            facts = {"card": card, "heads": cost.heads, "turn": cost.turn}
            if self.deal.visitors == 1:
                return t.say(_COSTLIEST.with_facts(**facts))
            return t.say(_COSTLIEST_OF.with_facts(name=name_of(self.deal, cost.seat, t), **facts))
        return t("THANK YOU FOR PLAYING") if self.deal.visitors else t("YOUR TURN?")

    def _advice(self, worst: PlayAdvice, t: Translator) -> str:
        """What a hard robot would have chosen, in short."""
        play, cards = worst.play, CardsOfGame(self.deal.game, t)
        facts: dict[str, object] = {"turn": play.turn}
        if self.deal.visitors > 1:
            facts["name"] = name_of(self.deal, play.seat, t)
        if play.row is not None and worst.better_row is not None:
            facts |= {"row": play.row + 1, "better": worst.better_row + 1}
            return t.say((_ROW if self.deal.visitors == 1 else _ROW_OF).with_facts(**facts))
        facts |= {"card": cards.label(str(play.card)), "better": cards.label(str(worst.better))}
        return t.say((_CARD if self.deal.visitors == 1 else _CARD_OF).with_facts(**facts))

    def keys(self, session: Session) -> Keys:
        """Key 1 and OK alone play again, key 2 goes back; WHY tells what a better choice would have cost."""
        keys = {
            Key.OK: KeyUse(self._again, help=say("AGAIN")),
            **self.choices(session).keys(self.chosen, self.moved),
            Key.UNDO: KeyUse(back, help=say("BACK")),
        }
        if (worst := self.deal.worst) is not None:
            keys[Key.WHY] = KeyUse(partial(_explain_worst, worst), help=say("THE REASON"))
        return keys


def _explain_worst(worst: PlayAdvice, controller: Controller) -> None:
    says = say(
        "IT WOULD HAVE COST ABOUT {less} HEADS BY THE END OF THE DEAL, NOT {more}",
        less=Decimals(worst.expected_better, 1),
        more=Decimals(worst.expected, 1),
    )
    controller.open(Sentence(says, say("WHY?")), lasts_s=12.0)


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


class Sentence(Page):
    """Why a card goes where it goes, or cannot be played now, in the words of the referee."""

    KEYS: ClassVar = dict.fromkeys(ANY_KEY, OK_BACK)
    HAS_TIME = True
    says: Text
    title: Text = say("NOT NOW")

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.sentence(t.say(self.title), t.say(self.says), *self.hints(session))
