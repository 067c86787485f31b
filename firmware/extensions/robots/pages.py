"""The pages of robots at a table: who plays, their hands, what they play, and the rows that they take."""

from __future__ import annotations

from typing import ClassVar, Final

from companion.core import games
from companion.core.ask import Ask
from companion.core.board import Stack
from companion.core.cards import Seat
from companion.core.codes import CardCode
from companion.core.ruling import ForgetHands
from companion.match.match import Terms
from companion.robots.levels import LEVELS, Level, check
from companion.text.errors import CompanionError
from companion.text.sentence import NOTHING, Text, count, literal, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import LARGE, SMALL, TALL
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN, MAIN_WORDS
from firmware.extensions.robots import seats
from firmware.history import players
from firmware.play.cards import play
from firmware.play.page import AnyPage
from firmware.play.table import Table
from firmware.screens.before.start import PlayersPage
from firmware.screens.parts import base
from firmware.screens.parts.base import Keys, KeyUse, Page
from firmware.screens.parts.names import name_badge
from firmware.screens.parts.numbers import dial_keys
from firmware.screens.turn.on_turn import RacePage
from firmware.screens.turn.questions import ChooseStack
from firmware.screens.turn.refusal import RefusalPage
from firmware.screens.turn.table import Collecting, DealtHand, Home, Reveal, big_card
from firmware.session.session import Session
from hardware.ports import Key, Signal


def with_robots(page: PlayersPage, session: Session) -> PlayersAndRobots:
    """The players with the robots among them that the journal has noted."""
    noted = session.notes.joining() == (page.game, page.badges)
    robots = session.notes.joining_robots() if noted else ()
    return PlayersAndRobots(page.game, page.badges, robots=robots)


class PlayersAndRobots(PlayersPage):
    """Who plays. R3 adds a robot; once it is the last one, R3 changes its level, and R4 adds another one."""

    NAME = PlayersPage.NAME
    robots: tuple[str, ...] = ()
    """The level of the robot at each place; empty for a person. May be shorter than the badges."""

    def keys(self, session: Session) -> Keys:
        keys = super().keys(session)
        if self.game not in LEVELS or games.with_hands(self.game, ()) is None:  # all hands are seen
            none = say("NO ROBOTS IN THIS GAME")
            no = KeyUse(lambda at: at.decline(none), help=none)
            return {**keys, Key.ROW_3: no, Key.ROW_4: no}
        says = say("R3=LEVEL") if self._last else say("R3=ROBOT")
        few = not self._last and self.again is None and len(self.badges) < games.module(self.game).SEATS[0]
        robot: Keys = {
            Key.ROW_3: KeyUse(self._change_last, says, say("ROBOT")),
            Key.ROW_4: KeyUse(
                self._add_robot, say("R4=MORE") if self._last else NOTHING, say("ONE MORE ROBOT")
            ),
        }
        ok = KeyUse(keys.pop(Key.OK).do, NOTHING if few else say("OK=READY"), say("READY"))
        if few:
            return {**keys, **robot, Key.OK: ok}
        if self.again is not None:  # whom R2 takes out is told then, not what else could be done
            robot = {key: use._replace(hint=NOTHING) for key, use in robot.items()}
        elif not self._last and session.plan.lines < 3:  # noqa: PLR2004 - one of the badges, two to say
            # There is no room to say above the hints how the next player joins.
            return {**keys, **robot, Key.ROW_3: robot[Key.ROW_3]._replace(hint=NOTHING), Key.OK: ok}
        for key, use in keys.items():
            if use.hint.template and key is not Key.ROW_2:
                keys[key] = KeyUse(use.do, help=say("ONE MORE"))
        return {**keys, **robot, Key.OK: ok}

    def called(self, session: Session) -> dict[int, str]:
        """A robot by its level."""
        t, levels = session.translate, dict(zip(self.badges, self.robots, strict=False))
        return {badge: t.say(players.LEVELS[level]).upper() for badge, level in levels.items() if level}

    def take_badge(self, badge: int, table: Table) -> bool:
        """A person whose badge a robot has takes it: the robot gets another one."""
        place = self.badges.index(badge) if badge in self.badges else None
        if place is None or self.free is None or not self._levels[place]:
            return super().take_badge(badge, table)
        others = (*self.badges[:place], self.free, *self.badges[place + 1 :])
        self._with((*others, badge), (*self._levels, ""), table)
        return True

    def with_badges(self, badges: tuple[int, ...], table: Table) -> None:
        robots = dict(zip(self.badges, self.robots, strict=False))
        self._with(badges, tuple(robots.get(badge, "") for badge in badges), table)

    def terms(self, session: Session) -> Terms:
        """What is settled with these players: the hands of robots are scanned."""
        terms = super().terms(session)
        those = tuple(Seat(seat) for seat, level in enumerate(self.robots) if level)
        if not those:
            return terms
        options = {**terms.options, **(games.with_hands(self.game, those) or {})}
        return replace(terms, options=options, robots=self.robots)

    @property
    def _last(self) -> str:
        """The level of the player who came last; empty for a person."""
        return self.robots[-1] if self.badges and len(self.robots) == len(self.badges) else ""

    @property
    def _levels(self) -> tuple[str, ...]:
        return (*self.robots, *("",) * (len(self.badges) - len(self.robots)))

    def _add_robot(self, table: Table) -> None:
        if self.free is None or len(self.badges) >= games.module(self.game).SEATS[-1]:
            self.decline_number(table)
        else:
            self._with((*self.badges, self.free), (*self._levels, self._last or Level.EASY.value), table)

    def _change_last(self, table: Table) -> None:
        """Change the level of the robot that came last; where a person did, add a robot.

        A level that cannot play here says what it needs, and the next one is set.
        """
        if not self._last:
            self._add_robot(table)
            return
        levels = [level.value for level in LEVELS[self.game]]
        following = levels.index(self._last) + 1
        missing: NoHardRobot | None = None
        for level in (*levels[following:], *levels[:following]):
            try:
                check(self.game, Level(level))
            except CompanionError as bad:
                missing = NoHardRobot(bad.fault_text, bad.fix_text, say("NO BETTER ROBOT"))
                continue
            self._with(self.badges, (*self._levels[:-1], level), table)
            break
        if missing is not None:
            table.open(missing)

    def _with(self, badges: tuple[int, ...], robots: tuple[str, ...], table: Table) -> None:
        robots = robots if any(robots) else ()
        table.session.notes.remember_joining(self.game, badges, robots)
        table.set_up(replace(self, badges=badges, robots=robots, again=None))
        table.signal(Signal.ACCEPTED)


class NoHardRobot(RefusalPage):
    """What is missing for a level; the next one is set."""

    NAME = RefusalPage.NAME

    def aside(self) -> Text:
        return NOTHING


_TWO_COLUMNS_FROM = 4


def of_question(page: AnyPage, session: Session) -> AnyPage:
    """The page of a question, as it is where robots play: `page` itself where they change nothing."""
    match page:
        case Home() | Collecting() if seats.to_play(session):
            alone = session.shown_by_box() == 1
            says = say("CHOSEN? OK=ROBOT'S CARD") if alone else say("CHOSEN? OK=ROBOTS' CARDS")
            return replace(page, reveal=Reveal(_PLAYS, says, say("CHOSEN? PRESS OK")))
        case RacePage(asks) if seats.in_race(session.match):
            return RaceWithRobots(asks)
        case DealtHand(asks) if session.is_robot(asks[0].seats[0]):
            return HandOfRobot(asks)
        case ChooseStack(ask) if len(ask.seats) == 1 and session.is_robot(ask.seats[0]):
            return RobotThinks(ask.seats[0])
        case _:
            return page


def _play(table: Table) -> None:
    table.extension(seats.RobotSeats).play(table)


_PLAYS: Final = KeyUse(_play, help=say("ROBOT PLAYS"))


class RaceWithRobots(RacePage):
    """A race: OK says that nobody can, and then a robot plays if it can."""

    NAME = RacePage.NAME

    def keys(self, session: Session) -> Keys:
        keys = super().keys(session)
        hint = keys[Key.OK].hint if Key.OK in keys else NOTHING
        return {**keys, Key.OK: _PLAYS._replace(hint=hint)}


class HandOfRobot(DealtHand):
    """The hand of a robot is scanned, backs to everybody. A robot cannot play without."""

    NAME = DealtHand.NAME

    def heading(self, session: Session) -> str:
        return session.translate("KEEP CARDS HIDDEN")

    def keys(self, session: Session) -> Keys:
        keys = dial_keys()
        return {**keys, Key.ROW_1: keys[Key.ROW_1]._replace(hint=say("R1=BY KEYS"))}

    def hints(self, session: Session) -> tuple[str, ...]:
        return session.translate("SCAN ITS CARDS"), *super().hints(session)


class RobotCards(Page):
    """The cards that the robots play in this turn. Everybody turns a card over now."""

    DISMISS_ON_OK = True
    cards: tuple[tuple[Seat, str], ...]

    def keys(self, session: Session) -> Keys:
        return {
            Key.OK: KeyUse(base.back, say("OK=PLACED")),
            Key.ROW_4: KeyUse(self._not_there, say("R4=MISSING")),
        }

    def _not_there(self, table: Table) -> None:
        """Take the cards back, and know no hand any more, because one of them is missing."""
        shown = table.session.playing.steps
        for _ in self.cards:
            table.undo()
        if table.session.playing.steps > shown:
            hand_is_wrong(table)

    def draw(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        title = t.say(count("ROBOT PLAYS", "ROBOTS PLAY", len(self.cards)))
        layout = self.framed(canvas, session, title, t("TURN {turn}", turn=session.playing.board.turn))
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
        for place, (seat, card) in enumerate(self.cards):
            line, column = divmod(place, columns)
            top_px = free.y_px + layout.plan.below_bar_px + pitch_px * line
            area = layout.column(Area(0, top_px, free.width_px, pitch_px), columns, column)
            area = replace(area, x_px=area.x_px + 2, width_px=area.width_px - 6)
            name, _ = layout.split(area, area.width_px - font.width_px("104") - 4)
            fonts = (font, SMALL) if columns == 1 else (SMALL,)
            name_badge(layout, name, session, session.badge(seat), fonts)
            layout.put(area, session.label(card), font, end=True)


class RobotRow(Page):
    """Which row a robot takes, and why."""

    KEYS: ClassVar = {Key.OK: base.OK_NEXT, Key.UNDO: base.TAKE_BACK}
    DISMISS_ON_OK = True
    seat: Seat
    row: int
    reason: Text

    def draw(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        layout, row = self.framed(canvas, session, t("ROBOT TAKES A ROW")), t("ROW {row}", row=self.row)
        _draw_robot(layout, session, self.seat, row, Big(t.say(self.reason)))


class RobotThinks(Page):
    """It is the turn of a robot, or it has to choose a row: it thinks, and then does so by itself.

    After an UNDO, or where its answer could not be stored, it waits for OK.
    """

    DISMISS_ON_OK = True
    seat: Seat

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, ask = session.translate, session.playing.asks[0]
        choice = (session.label(ask.card), Big(t("CHOOSES A ROW"))) if ask.card else ()
        title = t.say(ask.says) if choice else t("ROBOT THINKING")
        _draw_robot(self.framed(canvas, session, title), session, self.seat, *choice)

    def keys(self, session: Session) -> Keys:
        """OK is always there; after an UNDO, R4 says that the cards of who is on turn were scanned wrong."""
        keys: Keys = {Key.OK: _PLAYS._replace(hint=say("OK=GO ON")), Key.UNDO: base.TAKE_BACK}
        if session.playing.lines and not session.playing.asks[0].card:
            keys[Key.ROW_4] = KeyUse(hand_is_wrong, say("R4=MISSING"))
            keys[Key.UNDO] = base.TAKE_BACK._replace(hint=NOTHING, help=say("TAKE BACK"))
        return keys


class CardOfRobot(Page):
    """Somebody has played a card that was scanned as a robot's; it lies open now, so it may be named."""

    card: str

    @property
    def refusal(self) -> tuple[Text, ...]:
        return (literal(self.card),)

    def draw(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        layout = self.framed(canvas, session, t("ROBOT'S CARD?"))
        said = t("{card} was scanned as the robot's card.", card=session.label(self.card))
        layout.paragraph(said)

    def keys(self, session: Session) -> Keys:
        """R4: no hand is known any more in this deal. People lay any card of the robot, and scan it."""
        return {
            Key.ROW_4: KeyUse(self._its_hand_is_wrong, say("R4=ITS HAND IS WRONG")),
            Key.OK: base.OK_BACK,
        }

    def _its_hand_is_wrong(self, table: Table) -> None:
        if hand_is_wrong(table):
            play(table, self.card)


def hand_is_wrong(table: Table) -> bool:
    """Know no hand any more in this deal: people lay any card of the robots. False: it cannot be stored."""
    knows_hands = bool(table.session.playing.game.tells_hands)
    return knows_hands and table.propose(ForgetHands())


def why_row(stacks: tuple[Stack, ...], place: int) -> Text:
    """Why a robot takes a row, in a few words."""
    if stacks[place].heads == min(stack.heads for stack in stacks):
        return say("FEWEST HEADS")
    if len(stacks[place].cards) == min(len(stack.cards) for stack in stacks):
        return say("SHORTEST ROW")
    return say("COSTS LESS IN THE END")


def _draw_robot(layout: Layout, session: Session, seat: Seat, what: str = "", *says: str | Big) -> None:
    """The name of a player, what it is about beside it, and words below; without them the name is larger."""
    free = layout.free
    line = Area(2, free.y_px + 1, free.width_px - 4, 15 if says else min(24, free.height_px - 2))
    name, beside = layout.split(line, line.width_px // 2 if what else line.width_px)
    name_badge(layout, name, session, session.badge(seat), MAIN_WORDS if says else MAIN)
    if what:
        layout.main(beside, what, MAIN_WORDS)
    layout.stack(free.below(16), says)


MOVE: Final = "robot"
"""A result that people look at: the move of a robot, which they make for it."""


def _done(table: Table) -> None:
    table.home()
    table.acknowledge(MOVE)


class RobotMoved(Page):
    """What a robot does: somebody does it for the robot. The next card may be scanned without OK."""

    KEYS: ClassVar = {Key.OK: KeyUse(_done, say("OK=PLACED")), Key.UNDO: base.TAKE_BACK}
    DISMISS_ON_OK = True
    move: seats.RobotMove

    def draw(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        layout = self.framed(canvas, session, t("{name} PLAYS", name=session.name(self.move.seat)))
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

    def take_card(self, action: CardCode, table: Table) -> bool:
        """The card itself says so, too, if somebody scans it."""
        session = table.session
        card, game = session.card_named(action.card, action.game), session.playing.game
        if card is None:
            return False
        for line in self.move.lines:
            if line.card and game.may_be_same(line.card, card):
                table.acknowledge(MOVE)
                table.signal(Signal.ACCEPTED)
                table.say(say("{card}: ROBOT'S CARD", card=session.label(line.card)))
                return True
        return False


class RobotGives(Page):
    """A robot gives a card away: only who gets it may look."""

    KEYS: ClassVar = {Key.OK: KeyUse(_play, say("OK=SHOW IT")), Key.UNDO: base.TAKE_BACK}
    DISMISS_ON_OK = True
    ask: Ask

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, to = session.translate, seats.chosen_player(session.playing)
        layout = self.framed(canvas, session, t("ROBOT GIVES A CARD"))
        _draw_robot(layout, session, self.ask.seats[0] if to is None else to, "", t("ALL OTHERS LOOK AWAY"))


class GivenCard(Page):
    """The card that a robot gives, for who gets it."""

    KEYS: ClassVar = {Key.OK: KeyUse(_done, say("OK=TAKEN")), Key.UNDO: base.TAKE_BACK}
    """OK closes it for good; UNDO takes the gift back."""
    DISMISS_ON_OK = True
    card: str

    def is_secret(self, session: Session) -> bool:
        return True

    def draw(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        layout = self.framed(canvas, session, t("ROBOT GIVES A CARD"))
        layout.stack(layout.free, big_card(session, self.card))
