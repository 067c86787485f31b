"""The pages that tell what happened in a deal: each card placed and why, the points, and another deal."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar, Final

from companion.text.sentence import BULL, Decimals, Text, in_context, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import LARGE, TALL
from firmware.display.layout import Area, Layout
from firmware.display.plan import MAIN_WORDS, without_title
from firmware.screens.parts.base import ANY_KEY, OK_BACK, Controller, Held, Item, Keys, KeyUse, Page, back
from firmware.screens.parts.kinds import LargeList, draw_choices
from firmware.screens.turn.table import CardsOfGame, are_rows
from firmware.session.session import Session
from firmware.text.translation import Translator
from hardware.ports import Key, Signal

if TYPE_CHECKING:
    from companion.core.cards import Seat
    from companion.robots.coach import PlayAdvice
    from firmware.extensions.robots.deal import Option, PlayedCard, VisitorDeal


_RESULT_S: Final = 10.0
_WATCHED_S: Final = 3.5
"""A placement in a deal that is only watched: it is told what happens and why."""


class Placement(Page):
    """A card that was placed: where, whose it is, and what it costs. The next one follows by itself."""

    GOES_ON_WITH_OK = True
    GOES_ON_BY_ITSELF = True
    HAS_TIME = True
    deal: VisitorDeal
    told: PlayedCard

    @property
    def stays_s(self) -> float:
        """As it is configured; longer if people only watch."""
        return self.deal.placement_s if self.deal.visitors else max(_WATCHED_S, self.deal.placement_s)

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout, line = session.translate, Layout(canvas, session.plan), self.told.line
        cards = CardsOfGame(self.deal.game, t)
        label = cards.label(line.card)
        if label.isdigit():
            x_px = canvas.text(2, 1, label, LARGE)
            if self.told.on:
                canvas.text(canvas.text(x_px + 3, 1, "→", LARGE) + 4, 1, cards.label(self.told.on), LARGE)
            elif line.place and are_rows(self.deal.board.stacks):
                x_px = canvas.text(x_px + 3, 1, "→", LARGE) + 4
                layout.key(Area(x_px, 0, 24, 26), line.place, LARGE)
        else:
            layout.words(Area(0, 0, 128, 26), cards.named(line.card), MAIN_WORDS)
        name = name_of(self.deal, self.told.seat, t)
        if line.taker is not None and line.heads and not line.covered:
            canvas.text_right(111, 6, t.number(line.heads), TALL)
            canvas.icon(113, 6, "bull", large=True)
        layout.main(Area(0, 28, 128, 16), name, MAIN_WORDS)
        layout.stack(Area(0, 46, 128, 18), (self._says(t),))

    def _says(self, t: Translator) -> str:
        """What happens, in short; people who only watch read the rule."""
        line = self.told.line
        if line.taker is not None or not line.place:
            return t.say(line.outcome).upper()
        return t.say(line.because.rule.title)

    def following(self, session: Session) -> Page:
        """The next card, or what comes after the last one."""
        if self.deal.told and self.deal.told[0] is self.told:
            self.deal.told.pop(0)
        return self.deal.follows(self.deal)

    def keys(self, session: Session) -> Keys:
        """OK goes on at once; WHY tells the reason. People who only watch leave with any other key."""
        on = KeyUse(lambda at: at.show(self.following(at.session)), help=say("GO ON"))
        why = KeyUse(self._explain, help=say("THE REASON"))
        others = on if self.deal.visitors else KeyUse(back, help=say("LEAVE"))
        return {
            **dict.fromkeys(ANY_KEY, others),
            **dict.fromkeys((Key.OK, Held(Key.OK)), on),
            **dict.fromkeys((Key.WHY, Held(Key.WHY)), why),
        }

    def _explain(self, controller: Controller) -> None:
        because = self.told.line.because
        controller.open(Sentence(because.says, because.rule.title), lasts_s=12.0)


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
        choices, plan = self.choices(session), replace(layout.plan, bar_px=32)
        draw_choices(Layout(canvas, plan), choices, self.labels(session))

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


def give_answer(
    deal: VisitorDeal, option: Option, seat: Seat, controller: Controller, sounds: Signal
) -> None:
    """Give the answer of a visitor, and show what comes next, or why it is not allowed.

    Where two share the box, the hand of the one who has just answered is covered. After a refusal the
    question stays beneath.
    """
    refused = deal.answer(option, seat)
    if refused is not None:
        controller.signal(Signal.REFUSED)
        controller.open(Sentence(refused.fault), lasts_s=8.0)
        return
    controller.signal(sounds)
    if deal.visitors > 1:
        deal.shown_to = None
    controller.show(deal.follows(deal))
