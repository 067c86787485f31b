"""A card that comes just after a ruling: it begins the next turn, or was one too many of the turn before."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from companion.core.ask import AskKind
from companion.core.ruling import Refused
from companion.text.sentence import say
from firmware.display.layout import Big, Layout
from firmware.screens.parts.base import KEYS, Controller, Keys, KeyUse, Page, back, passed_on
from firmware.session.actions import CardAction
from hardware.ports import Key, Signal

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
        ruling, last, too_many = (self.keys(session)[key].hint for key in (Key.OK, Key.UNDO, Key.ROW_4))
        layout.hints(ruling, last)
        layout.hints(too_many)
        big = (Big(label),) if layout.plan.row_bar else ()
        layout.stack(layout.free, (*big, t("SCAN THE NEXT CARD")))

    def keys(self, session: Session) -> Keys:
        """R4 asks which card was too many, OK shows the ruling again; other keys act as without the page."""
        t = session.translate
        return {
            **passed_on(KEYS, back),
            Key.OK: KeyUse(partial(_open_instead, self.ruling), t("OK=RULING")),
            Key.UNDO: passed_on((Key.UNDO,), back)[Key.UNDO]._replace(hint=t("UNDO=LAST")),
            Key.ROW_4: KeyUse(partial(_open_instead, self.question), t("R4=IT WAS TOO MANY")),
        }


def _open_instead(page: Page, controller: Controller) -> None:
    """Open a page that stays, in the place of one that closes by itself."""
    controller.close()
    controller.open(page)


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
        keys = self.keys(session)
        too_many = keys[Key.ROW_4].hint
        if layout.plan.row_bar or not too_many:
            layout.hints(keys[Key.OK].hint, keys[Key.UNDO].hint)
        layout.hints(too_many)
        asks = session.playing.asks
        layout.stack(layout.free, (Big(t.say(asks[0].says)),) if asks else ())

    def keys(self, session: Session) -> Keys:
        """R4 asks which card was too many; a badge and the other keys are for the question below."""
        t = session.translate
        keys = {
            **passed_on(KEYS, back),
            Key.OK: KeyUse(back, t("OK=QUESTION")),
            Key.UNDO: KeyUse(_take_back, t("UNDO=TAKE BACK")),
        }
        if session.kept_cards.cards == (self.card,):  # several begin a turn
            extra = ExtraCard(self.turn, self.card)
            keys[Key.ROW_4] = KeyUse(partial(_open_instead, extra), t("R4=IT WAS TOO MANY"))
        return keys


def _take_back(controller: Controller) -> None:
    controller.close()
    controller.undo()


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
        layout.hints(*self.hints(session))
        if layout.plan.row_bar:
            layout.stack(
                layout.free, (Big(session.label(self.extra)), t("SCAN CARD TO REMOVE, OR R1=RESCAN THE TURN"))
            )
        else:
            layout.stack(layout.free, (t("SCAN CARD TO REMOVE, OR R1=RESCAN THE TURN"),))

    def keys(self, session: Session) -> Keys:
        """R1 starts the turn again; R2 leaves the extra card in the next turn."""
        t = session.translate
        keys: Keys = {Key.ROW_1: KeyUse(partial(self._correct, self.turn, ()), help=say("RESCAN THE TURN"))}
        if self.plays_on:
            keys[Key.ROW_2] = KeyUse(back, t("R2=NEXT TURN"))
        return keys | {Key.UNDO: KeyUse(back, t("UNDO=BACK"))}

    def take_card(self, action: CardAction, controller: Controller) -> bool:
        """A scan removes that card. Another card is the next one of the next turn."""
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
        return True

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
