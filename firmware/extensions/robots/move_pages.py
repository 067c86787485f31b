"""Robots in games in which one player moves after the other: what a robot does, and what it is told."""

from functools import partial
from typing import Final

from companion.core.ask import Ask
from companion.core.cards import Seat
from companion.core.game import KnowsHands
from companion.text.sentence import say
from firmware.display.canvas import Canvas
from firmware.display.layout import Area, Big
from firmware.display.plan import MAIN, MAIN_WORDS
from firmware.extensions.robots import scan_faults
from firmware.extensions.robots.moves import RobotMove, chosen_player
from firmware.extensions.robots.pages import hand_is_wrong
from firmware.extensions.robots.scan_faults import FaultyCard, ScanFault
from firmware.extensions.robots.seats import RobotSeats
from firmware.screens.parts.base import Controller, Keys, KeyUse, Page, undo
from firmware.screens.parts.names import name_badge
from firmware.session.actions import CardAction
from firmware.session.session import Session
from hardware.ports import Key, Signal

MOVE: Final = "robot"
"""A result that people look at: the move of a robot, which they make for it."""

CARDS: Final = "robot cards"
"""Another one: what was wrong with the cards of robots in a finished deal."""


def _play(controller: Controller) -> None:
    controller.extension(RobotSeats).play(controller)


def _done(result: str, controller: Controller) -> None:
    """Close the page for good: people have seen this result."""
    controller.home()
    controller.acknowledge(result)


class RobotOnTurn(Page):
    """It is the turn of a robot, which thinks. It moves by itself.

    After an UNDO, or where its move could not be stored, it waits for OK.
    """

    GOES_ON_WITH_OK = True
    seat: Seat

    def draw(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        layout = self.framed(canvas, session, t("ROBOT THINKS ..."))
        free = layout.free
        name = Area(2, free.y_px + 1, free.width_px - 4, min(24, free.height_px - 2))
        name_badge(layout, name, session, session.badge(self.seat), MAIN)

    def keys(self, session: Session) -> Keys:
        """OK lets it go on; after an UNDO, R4 says that its cards were scanned wrong.

        OK is always there: also where its answer could not be stored, and it waits to try again.
        """
        t, waits = session.translate, bool(session.playing.undone)
        keys: Keys = {Key.OK: KeyUse(_play, t("OK=GO ON"))}
        if waits:
            keys[Key.ROW_4] = KeyUse(_not_there, t("R4=MISSING"))
        keys[Key.UNDO] = KeyUse(undo, "" if waits else t("UNDO=TAKE BACK"), say("TAKE BACK"))
        return keys


def _not_there(controller: Controller) -> None:
    card = getattr(controller.session.playing.undone[0].command, "card", None)
    if hand_is_wrong(controller) and card is not None:
        scan_faults.note(ScanFault.MISSING, str(card), controller.session)


_SAYS: Final = {
    ScanFault.AGAIN: say("SCANNED TWICE"),
    ScanFault.MISSING: say("NOT IN THE PILE"),
    ScanFault.OF_SOMEBODY: say("SOMEBODY ELSE'S"),
}


class FaultyCards(Page):
    """What was wrong with the cards of the robots in the deal that is over."""

    GOES_ON_WITH_OK = True
    cards: tuple[FaultyCard, ...]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """A line for each card; the newest ones, where there are too many."""
        t = session.translate
        layout = self.framed(canvas, session, t("ROBOT'S CARDS"))
        room = max(1, layout.free.height_px // layout.plan.pitch_px)
        for row, one in enumerate(self.cards[-room:]):
            layout.pair(row, session.label(one.card), t.say(_SAYS[one.fault]))

    def keys(self, session: Session) -> Keys:
        return {Key.OK: KeyUse(partial(_done, CARDS), session.translate("OK=NEXT"))}


class RobotMoved(Page):
    """What a robot does: somebody does it for the robot. The next card may be scanned without OK."""

    GOES_ON_WITH_OK = True
    move: RobotMove

    def draw(self, canvas: Canvas, session: Session) -> None:
        """One act as large as it can be; of several a line each."""
        t = session.translate
        layout = self.framed(
            canvas, session, t("ROBOT PLAYS"), session.names.of(session.badge(self.move.seat))
        )
        lines = self.move.lines
        if len(lines) == 1:
            card = lines[0].card
            label = (Big(session.label(card)),) if card else ()
            outcome = t.say(lines[0].outcome)
            layout.stack(layout.free, (*label, outcome if label else Big(outcome)))
            return
        room = max(1, layout.free.height_px // layout.plan.pitch_px)
        for row, line in enumerate(lines[-room:]):
            layout.pair(row, session.label(line.card) if line.card else "", t.say(line.outcome))

    def keys(self, session: Session) -> Keys:
        """OK says that it was done for the robot."""
        t = session.translate
        return {
            Key.OK: KeyUse(partial(_done, MOVE), t("OK=PLACED")),
            Key.UNDO: KeyUse(undo, t("UNDO=TAKE BACK")),
        }

    def take_card(self, action: CardAction, controller: Controller) -> bool:
        """The card itself says so, too, if somebody scans it."""
        if not (card := self._laid(action, controller.session)):
            return False
        controller.acknowledge(MOVE)
        controller.signal(Signal.ACCEPTED)
        t, session = controller.session.translate, controller.session
        controller.say(t("{card}: ROBOT'S CARD", card=session.label(card)))
        return True

    def _laid(self, action: CardAction, session: Session) -> str:
        """The card of this move that was scanned; empty for any other one, also of another game."""
        card, game = session.card_named(action.card, action.game), session.playing.game
        if card is None or not isinstance(game, KnowsHands):
            return ""
        cards = (line.card for line in self.move.lines if line.card)
        return next((one for one in cards if game.may_be_same(one, card)), "")


class RobotGives(Page):
    """A robot gives a card away: only who gets it may look."""

    GOES_ON_WITH_OK = True
    ask: Ask

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Who gets it, and that the others look away."""
        t = session.translate
        layout = self.framed(canvas, session, t("ROBOT GIVES A CARD"))
        free = layout.free
        name = Area(2, free.y_px + 1, free.width_px - 4, 16)
        to = chosen_player(session.playing)
        name_badge(layout, name, session, session.badge(self.ask.seats[0] if to is None else to), MAIN_WORDS)
        layout.stack(free.below(17), (t("ALL OTHERS LOOK AWAY"),))

    def keys(self, session: Session) -> Keys:
        t = session.translate
        return {Key.OK: KeyUse(_play, t("OK=SHOW IT")), Key.UNDO: KeyUse(undo, t("UNDO=TAKE BACK"))}


class GivenCard(Page):
    """The card that a robot gives, for who gets it."""

    GOES_ON_WITH_OK = True
    card: str

    def is_secret(self, session: Session) -> bool:
        """Only who gets the card may see it."""
        return True

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The card, as large as it can be."""
        t = session.translate
        layout = self.framed(canvas, session, t("ROBOT GIVES A CARD"))
        layout.stack(layout.free, (Big(session.label(self.card)),))

    def keys(self, session: Session) -> Keys:
        """OK closes it for good; UNDO takes the gift back."""
        t = session.translate
        return {
            Key.OK: KeyUse(partial(_done, MOVE), t("OK=TAKEN")),
            Key.UNDO: KeyUse(undo, t("UNDO=TAKE BACK")),
        }
