"""What a robot at the table does: its card, shown as people turn theirs over, and the row that it takes."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from companion.core.cards import Seat
from companion.core.game import KnowsHands
from firmware.display.glyphs import LARGE, SMALL, TALL
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.extensions.robots.scan_faults import ScanFault
from firmware.extensions.robots.seats import RobotSeats
from firmware.screens.parts.base import Controller, Page, undoes
from firmware.screens.parts.choice import Menu
from firmware.screens.parts.dial import dial_on_key
from firmware.screens.parts.player_names import name_badge
from firmware.screens.turn.choose_stack import ChooseStack
from firmware.screens.turn.dealt_hand import DealtHand
from firmware.screens.turn.race import Race
from firmware.screens.turn.table import Collecting, Home
from firmware.session.actions import Action, KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from companion.core.board import Stack
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

_TWO_COLUMNS_FROM = 4


def of_question(page: Page, robots: RobotSeats) -> Page:
    """The page of a question, as it is where robots play: `page` itself where they change nothing."""
    session = robots.table.session
    match page:
        case Home(ask) if robots.to_play:
            return HomeWithRobots(ask)
        case Collecting(ask) if robots.to_play:
            return CollectingWithRobots(ask)
        case Race(asks) if robots.in_race:
            return RaceWithRobots(asks)
        case DealtHand(asks) if session.is_robot(asks[0].seats[0]):
            return HandOfRobot(asks)
        case ChooseStack(ask) if len(ask.seats) == 1 and session.is_robot(ask.seats[0]):
            return RobotThinks(ask.seats[0])
        case _:
            return page


def _plays_on_ok(action: Action, controller: Controller) -> bool:
    """Whether it is OK, which lets the robots play."""
    if not isinstance(action, KeyAction) or (action.key, action.press) != (Key.OK, Press.SHORT):
        return False
    controller.extension(RobotSeats).play()
    return True


def _reveal(session: Session, *, short: bool) -> str:
    t = session.translate
    if short:
        return t("OK: ROBOT")
    return t("OK: ROBOT'S CARD") if session.shown_by_box() == 1 else t("OK: ROBOTS' CARDS")


class HomeWithRobots(Home):
    """The table between two turns; OK shows the cards of robots."""

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK, or keys that set a card."""
        return _plays_on_ok(action, controller) or Home.handle(self, action, controller)

    def reveal(self, session: Session, *, short: bool = False) -> str:
        """What OK shows."""
        return _reveal(session, short=short)


class CollectingWithRobots(Collecting):
    """The cards of a turn come in; OK shows those of robots."""

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK, or keys that set a card."""
        return _plays_on_ok(action, controller) or Collecting.handle(self, action, controller)

    def reveal(self, session: Session, *, short: bool = False) -> str:
        """What OK shows."""
        return _reveal(session, short=short)


class RaceWithRobots(Race):
    """A race: OK says that nobody can, and then a robot plays if it can."""

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK, or keys that set a card."""
        return _plays_on_ok(action, controller) or Race.handle(self, action, controller)


class HandOfRobot(DealtHand):
    """The hand of a robot is scanned, backs to everybody. A robot cannot play without."""

    def says(self, session: Session) -> tuple[str, tuple[str, ...]]:
        """The title and the hints."""
        t = session.translate
        return t("BACKS TO ALL"), (t("SCAN ITS CARDS"), t("R1=BY KEYS"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """Its cards can be set by keys, by somebody whom nobody looks at."""
        return dial_on_key(action, controller)


class RobotCards(Page):
    """The cards that the robots play in this turn. Everybody turns a card over now."""

    NAME: ClassVar[str] = "robot_cards"
    GOES_ON_WITH_OK: ClassVar[bool] = True
    cards: tuple[tuple[Seat, str], ...]

    def handle(self, action: Action, controller: Controller) -> bool:
        """R4: a card is not in the pile of its robot. With several robots people say which one."""
        if not isinstance(action, KeyAction) or (action.key, action.press) != (Key.ROW_4, Press.SHORT):
            return False
        if len(self.cards) == 1:
            self._without(self.cards[0][1], controller)
            return True
        label = controller.session.label
        items = tuple((label(card), partial(self._without, card)) for _, card in self.cards)
        controller.open(Menu(controller.session.translate("NOT THERE: WHICH?"), items))
        return True

    def _without(self, card: str, controller: Controller) -> None:
        """Take the cards back, and know no hand any more, because this one is missing."""
        shown = controller.session.playing.steps
        for _ in self.cards:
            controller.undo()
        if controller.session.playing.steps > shown and hand_is_wrong(controller):
            controller.extension(RobotSeats).faults.note(ScanFault.MISSING, card)

    def draw(self, canvas: Canvas, session: Session) -> None:
        """One card as large as it can be; of several each beside its robot."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("ROBOT PLAYS"), t("TURN {turn}", turn=session.playing.board.turn))
        layout.hints(t("OK=LAID FOR IT"), t("R4=NOT THERE"))
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

    NAME: ClassVar[str] = "robot_row"
    GOES_ON_WITH_OK: ClassVar[bool] = True
    seat: Seat
    row: str
    reason: str

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The row, large, and the reason below it."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("ROBOT TAKES A ROW"))
        layout.hints(t("OK=NEXT"), t("UNDO=TAKE BACK"))
        _draw_choice(layout, session, self.seat, t("ROW {row}", row=self.row), self.reason)

    def handle(self, action: Action, controller: Controller) -> bool:
        """UNDO takes the choice back."""
        return undoes(action, controller)


class RobotThinks(Page):
    """A robot has to choose a row. It does so by itself.

    After an UNDO, or where its choice could not be stored, it waits for OK.
    """

    NAME: ClassVar[str] = "robot_thinks"
    GOES_ON_WITH_OK: ClassVar[bool] = True
    seat: Seat

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Who thinks, and the card that takes a row."""
        t, layout, ask = session.translate, Layout(canvas, session.plan), session.playing.asks[0]
        layout.title(t.say(ask.says))
        layout.hints(t("OK=GO ON"), t("UNDO=TAKE BACK"))
        _draw_choice(layout, session, self.seat, session.label(ask.card), t("CHOOSES A ROW"))

    def handle(self, action: Action, controller: Controller) -> bool:
        """OK lets it choose."""
        return _plays_on_ok(action, controller)


class CardOfRobot(Page):
    """Somebody has played a card that was scanned as a robot's; it lies open now, so it may be named."""

    NAME: ClassVar[str] = "card_of_robot"
    card: str

    @property
    def refusal(self) -> str:
        """The card that was refused."""
        return self.card

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The card, and the ways out."""
        t, layout = session.translate, Layout(canvas, session.plan)
        layout.title(t("ROBOT'S CARD?"))
        layout.hints(t("R4=ITS HAND IS WRONG"), t("OK=BACK"))
        said = t("{card} was scanned as a card of the robot.", card=session.label(self.card))
        layout.paragraph(said)

    def handle(self, action: Action, controller: Controller) -> bool:
        """R4: no hand is known any more in this deal. People lay any card of the robot, and scan it."""
        if not isinstance(action, KeyAction) or (action.key, action.press) != (Key.ROW_4, Press.SHORT):
            return False
        if hand_is_wrong(controller):
            controller.extension(RobotSeats).faults.note(ScanFault.OF_SOMEBODY, self.card)
            controller.play(self.card)
        return True


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
