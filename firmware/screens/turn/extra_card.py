"""A card that comes just after a ruling: it begins the next turn, or was one too many of the turn before."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.core.ask import AskKind
from companion.core.ruling import Refused
from firmware.display.layout import Big, Layout
from firmware.screens.parts.base import Controller, Page
from firmware.session.actions import Action, CardAction, KeyAction
from hardware.ports import Key, Press, Signal

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session


class EarlyCard(Page):
    """A card came while the ruling of a turn was new; it was kept as the first one of the next turn.

    `turn` are the cards of the turn before, `ruling` is the page that was in front.
    """

    NAME: ClassVar[str] = "early_card"
    turn: tuple[str, ...]
    card: str
    ruling: Page

    @property
    def question(self) -> ExtraCard:
        """The page for the case that it was one too many."""
        return ExtraCard(self.turn, self.card)

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The card, which turn it begins, and how to correct that."""
        t, match, label = session.translate, session.playing, session.label(self.card)
        layout = Layout(canvas, session.plan)
        if any(ask.kind is AskKind.PLAY for ask in match.asks):
            layout.title(t("{card} BEGINS TURN {turn}", card=label, turn=match.board.turn))
        else:
            layout.title(t("{card} BEGINS DEAL {deal}", card=label, deal=match.position.deal))
        layout.hints(t("OK=RULING"), t("UNDO=LAST"))
        layout.hints(t("R4=IT WAS TOO MANY"))
        big = (Big(label),) if layout.plan.row_bar else ()
        layout.stack(layout.free, (*big, t("SCAN THE NEXT CARD")))

    def handle(self, action: Action, controller: Controller) -> bool:
        """R4 asks which card was too many, OK shows the ruling again; other keys act as without the page."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        controller.close()
        if action.key is Key.ROW_4:
            controller.open(self.question)
        elif action.key is Key.OK:
            controller.open(self.ruling)
        else:
            controller.act(action)
        return True


class KeptCard(Page):
    """A card came while a question about its turn is open; it is kept as the first one of the next turn.

    `turn` are the cards of the turn that is being placed. The page stays until somebody answers the question
    or presses a key: a key that is meant for a page must not choose a row because the page has just gone.
    """

    NAME: ClassVar[str] = "kept_card"
    turn: tuple[str, ...]
    card: str

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The card, that it is kept, and the open question."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("{card}: KEPT FOR NEXT TURN", card=session.label(self.card)))
        may_be_extra = self._may_be_extra(session)
        if layout.plan.row_bar or not may_be_extra:
            layout.hints(t("OK=QUESTION"), t("UNDO=TAKE BACK"))
        if may_be_extra:
            layout.hints(t("R4=IT WAS TOO MANY"))
        asks = session.playing.asks
        layout.stack(layout.free, (Big(t.say(asks[0].says)),) if asks else ())

    def handle(self, action: Action, controller: Controller) -> bool:
        """R4 asks which card was too many; a badge and the other keys are for the question below."""
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        controller.close()
        if action.key is Key.ROW_4 and self._may_be_extra(controller.session):
            controller.open(ExtraCard(self.turn, self.card))
        elif action.key is Key.UNDO:
            controller.undo()
        elif action.key is not Key.OK:
            controller.act(action)
        return True

    def _may_be_extra(self, session: Session) -> bool:
        """Whether it is the only card that has come: several begin a turn."""
        return session.kept_cards.cards == (self.card,)


class ExtraCard(Page):
    """The cards of the turn before, and the one that is too many: it is asked which.

    `plays_on`: the extra card has begun the next turn, and stays there if nothing else is said. After the
    last turn of a match there is no next one.
    """

    NAME: ClassVar[str] = "extra_card"
    turn: tuple[str, ...]
    extra: str
    plays_on: bool = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The number of cards, and the options."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("{cards} CARDS, {players} PLAYERS", cards=len(self.turn) + 1, players=len(self.turn)))
        layout.hints(t("R2=NEXT TURN") if self.plays_on else "", t("UNDO=BACK"))
        if layout.plan.row_bar:
            layout.stack(
                layout.free, (Big(session.label(self.extra)), t("SCAN CARD TO REMOVE, OR R1=RESCAN THE TURN"))
            )
        else:
            layout.stack(layout.free, (t("SCAN CARD TO REMOVE, OR R1=RESCAN THE TURN"),))

    def handle(self, action: Action, controller: Controller) -> bool:
        """A scan removes that card; R1 starts the turn again; R2 leaves the extra card in the next turn.

        Another card is the next one of the next turn.
        """
        if isinstance(action, CardAction):
            self._take(action, controller)
            return True
        if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
            return False
        if action.key is Key.ROW_1:
            self._correct(self.turn, (), controller)
            return True
        if action.key is Key.ROW_2 and self.plays_on:
            controller.close()
            return True
        return False

    def _take(self, action: CardAction, controller: Controller) -> None:
        if action.card == self.extra:
            if self.plays_on:
                controller.undo()
            controller.home()
            controller.signal(Signal.ACCEPTED)
            t, label = controller.session.translate, controller.session.label(self.extra)
            controller.say(t("{card} IS REMOVED", card=label))
        elif action.card in self.turn:
            self._correct((action.card,), (self.extra,), controller)
        elif self.plays_on:
            controller.close()
            controller.act(action)
        else:
            controller.signal(Signal.REFUSED)
            controller.say(controller.session.translate("SCAN ONE OF THESE"))

    def _correct(self, remove: tuple[str, ...], add: tuple[str, ...], controller: Controller) -> None:
        """Take the extra card out of the next turn, and correct the one before.

        What would be refused is refused first: else the extra card would be gone from both.
        """
        match = controller.session.playing
        command = match.game.correct(remove, add)
        played = self.plays_on and self.extra not in controller.session.kept_cards.cards
        turn = match.before if played and match.before is not None else match
        refused = turn.propose(command)
        if isinstance(refused, Refused):
            controller.refuse(refused, command)
            return
        if self.plays_on:
            controller.undo()
        controller.home()
        controller.propose(command)
