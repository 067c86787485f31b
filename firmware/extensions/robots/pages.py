"""What a robot at the table does: its card, shown as people turn theirs over, and the row that it takes."""

from functools import partial
from typing import Final

from companion.core.board import Stack
from companion.core.cards import Seat
from companion.core.game import KnowsHands
from companion.text.sentence import say
from firmware.display.canvas import Canvas
from firmware.display.glyphs import LARGE, SMALL, TALL
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.extensions.robots import scan_faults
from firmware.extensions.robots.moves import in_race
from firmware.extensions.robots.scan_faults import ScanFault
from firmware.extensions.robots.seats import RobotSeats, to_play
from firmware.screens.parts.base import Controller, Keys, KeyUse, Page, back, undo
from firmware.screens.parts.kinds import Menu
from firmware.screens.parts.names import name_badge
from firmware.screens.parts.numbers import dial_keys
from firmware.screens.turn.on_turn import Race
from firmware.screens.turn.questions import ChooseStack
from firmware.screens.turn.table import Collecting, DealtHand, Home
from firmware.session.session import Session
from hardware.ports import Key

_TWO_COLUMNS_FROM = 4


def of_question(page: Page, session: Session) -> Page:
    """The page of a question, as it is where robots play: `page` itself where they change nothing."""
    match page:
        case Home(ask) if to_play(session):
            return HomeWithRobots(ask)
        case Collecting(ask) if to_play(session):
            return CollectingWithRobots(ask)
        case Race(asks) if in_race(session.match):
            return RaceWithRobots(asks)
        case DealtHand(asks) if session.is_robot(asks[0].seats[0]):
            return HandOfRobot(asks)
        case ChooseStack(ask) if len(ask.seats) == 1 and session.is_robot(ask.seats[0]):
            return RobotThinks(ask.seats[0])
        case _:
            return page


def _play(controller: Controller) -> None:
    controller.extension(RobotSeats).play(controller)


_PLAYS: Final = KeyUse(_play, help=say("ROBOT PLAYS"))


def _reveal(session: Session, *, short: bool) -> str:
    t = session.translate
    if short:
        return t("OK: ROBOT")
    return t("OK: ROBOT'S CARD") if session.shown_by_box() == 1 else t("OK: ROBOTS' CARDS")


class HomeWithRobots(Home):
    """The table between two turns; OK shows the cards of robots."""

    NAME = Home.NAME

    def keys(self, session: Session) -> Keys:
        """OK, or keys that set a card."""
        return {**super().keys(session), Key.OK: _PLAYS}

    def reveal(self, session: Session, *, short: bool = False) -> str:
        return _reveal(session, short=short)


class CollectingWithRobots(Collecting):
    """The cards of a turn come in; OK shows those of robots."""

    NAME = Collecting.NAME

    def keys(self, session: Session) -> Keys:
        """OK, or keys that set a card."""
        return {**super().keys(session), Key.OK: _PLAYS}

    def reveal(self, session: Session, *, short: bool = False) -> str:
        return _reveal(session, short=short)


class RaceWithRobots(Race):
    """A race: OK says that nobody can, and then a robot plays if it can."""

    NAME = Race.NAME

    def keys(self, session: Session) -> Keys:
        """OK says that nobody can, and then a robot plays; or keys set a card."""
        keys = super().keys(session)
        hint = keys[Key.OK].hint if Key.OK in keys else ""
        return {**keys, Key.OK: _PLAYS._replace(hint=hint)}


class HandOfRobot(DealtHand):
    """The hand of a robot is scanned, backs to everybody. A robot cannot play without."""

    NAME = DealtHand.NAME

    def heading(self, session: Session) -> str:
        return session.translate("KEEP CARDS HIDDEN")

    def keys(self, session: Session) -> Keys:
        """Its cards can be set by keys, by somebody whom nobody looks at."""
        keys, t = dial_keys(), session.translate
        return {**keys, Key.ROW_1: keys[Key.ROW_1]._replace(hint=t("R1=BY KEYS"))}

    def hints(self, session: Session) -> tuple[str, ...]:
        """The cards are scanned, or set by keys."""
        return session.translate("SCAN ITS CARDS"), *super().hints(session)


class RobotCards(Page):
    """The cards that the robots play in this turn. Everybody turns a card over now."""

    GOES_ON_WITH_OK = True
    cards: tuple[tuple[Seat, str], ...]

    def keys(self, session: Session) -> Keys:
        """R4: a card is not in the pile of its robot."""
        t = session.translate
        return {
            Key.OK: KeyUse(back, t("OK=PLACED")),
            Key.ROW_4: KeyUse(self._not_there, t("R4=MISSING")),
        }

    def _not_there(self, controller: Controller) -> None:
        """With several robots people say which card is missing."""
        if len(self.cards) == 1:
            self._without(self.cards[0][1], controller)
            return
        label = controller.session.label
        items = tuple((label(card), partial(self._without, card)) for _, card in self.cards)
        controller.open(Menu(controller.session.translate("WHICH IS MISSING?"), items))

    def _without(self, card: str, controller: Controller) -> None:
        """Take the cards back, and know no hand any more, because this one is missing."""
        shown = controller.session.playing.steps
        for _ in self.cards:
            controller.undo()
        if controller.session.playing.steps > shown and hand_is_wrong(controller):
            scan_faults.note(ScanFault.MISSING, card, controller.session)

    def draw(self, canvas: Canvas, session: Session) -> None:
        """One card as large as it can be; of several each beside its robot."""
        t = session.translate
        layout = self.framed(
            canvas, session, t("ROBOT PLAYS"), t("TURN {turn}", turn=session.playing.board.turn)
        )
        free = layout.free
        if len(self.cards) == 1:
            layout.stack(free, (Big(session.label(self.cards[0][1])),))
            layout.canvas.note_main(LARGE.capital_px)
            return
        columns = 2 if len(self.cards) >= _TWO_COLUMNS_FROM else 1
        lines = -(-len(self.cards) // columns)
        pitch_px = min(24, free.height_px // lines)
        font = next((font for font in (TALL, *MAIN_WORDS) if font.capital_px < pitch_px), SMALL)
        layout.canvas.note_main(font.capital_px)
        width_px = free.width_px // columns
        for place, (seat, card) in enumerate(self.cards):
            line, column = divmod(place, columns)
            area = Area(2 + width_px * column, free.y_px + 1 + pitch_px * line, width_px - 6, pitch_px)
            label = session.label(card)
            number_px = font.width_px("104") + 4
            name = Area(area.x_px, area.y_px, area.width_px - number_px, area.height_px)
            fonts = (font, SMALL) if columns == 1 else (SMALL,)
            name_badge(layout, name, session, session.badge(seat), fonts)
            canvas.text_right(area.right_px, area.y_px + (pitch_px - font.capital_px) // 2, label, font)


class RobotRow(Page):
    """Which row a robot takes, and why."""

    GOES_ON_WITH_OK = True
    seat: Seat
    row: str
    reason: str

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The row, large, and the reason below it."""
        t = session.translate
        layout = self.framed(canvas, session, t("ROBOT TAKES A ROW"))
        _draw_choice(layout, session, self.seat, t("ROW {row}", row=self.row), self.reason)

    def keys(self, session: Session) -> Keys:
        t = session.translate
        return {Key.OK: KeyUse(back, t("OK=NEXT")), Key.UNDO: KeyUse(undo, t("UNDO=TAKE BACK"))}


class RobotThinks(Page):
    """A robot has to choose a row. It does so by itself.

    After an UNDO, or where its choice could not be stored, it waits for OK.
    """

    GOES_ON_WITH_OK = True
    seat: Seat

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Who thinks, and the card that takes a row."""
        t, ask = session.translate, session.playing.asks[0]
        layout = self.framed(canvas, session, t.say(ask.says))
        _draw_choice(layout, session, self.seat, session.label(ask.card), t("CHOOSES A ROW"))

    def keys(self, session: Session) -> Keys:
        t = session.translate
        return {
            Key.OK: _PLAYS._replace(hint=t("OK=GO ON")),
            Key.UNDO: KeyUse(undo, t("UNDO=TAKE BACK")),
        }


class CardOfRobot(Page):
    """Somebody has played a card that was scanned as a robot's; it lies open now, so it may be named."""

    card: str

    @property
    def refusal(self) -> str:
        return self.card

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The card, and the ways out."""
        t = session.translate
        layout = self.framed(canvas, session, t("ROBOT'S CARD?"))
        said = t("{card} was scanned as a card of the robot.", card=session.label(self.card))
        layout.paragraph(said)

    def keys(self, session: Session) -> Keys:
        """R4: no hand is known any more in this deal. People lay any card of the robot, and scan it."""
        t = session.translate
        return {
            Key.ROW_4: KeyUse(self._its_hand_is_wrong, t("R4=ITS HAND IS WRONG")),
            Key.OK: KeyUse(back, t("OK=BACK")),
        }

    def _its_hand_is_wrong(self, controller: Controller) -> None:
        if hand_is_wrong(controller):
            scan_faults.note(ScanFault.OF_SOMEBODY, self.card, controller.session)
            controller.play(self.card)


def hand_is_wrong(controller: Controller) -> bool:
    """Know no hand any more in this deal: people lay any card of the robots. False: it cannot be stored."""
    game = controller.session.playing.game
    return isinstance(game, KnowsHands) and controller.propose(game.without_hands())


def why_row(stacks: tuple[Stack, ...], place: int, session: Session) -> str:
    """Why a robot takes a row, in a few words."""
    t = session.translate
    if stacks[place].heads == min(stack.heads for stack in stacks):
        return t("FEWEST HEADS")
    if len(stacks[place].cards) == min(len(stack.cards) for stack in stacks):
        return t("SHORTEST ROW")
    return t("COSTS LESS IN THE END")


def _draw_choice(layout: Layout, session: Session, seat: Seat, what: str, says: str) -> None:
    """The robot and its card or row side by side, and a sentence below them."""
    free = layout.free
    half_px = free.width_px // 2
    name_badge(layout, Area(2, free.y_px, half_px - 2, 15), session, session.badge(seat), MAIN_WORDS)
    layout.main(Area(half_px, free.y_px, half_px, 16), what, MAIN_WORDS)
    layout.stack(free.below(17), (Big(says),))
