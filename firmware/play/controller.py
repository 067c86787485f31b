"""Who answers an action: the page in front, else the controller.

See the package for the page stack, the way of a scan, and why one thread does all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple, Protocol

from companion import games
from companion.ask import Ask, AskKind, Gives, Wait
from companion.codes import Control
from companion.errors import CompanionError
from companion.ruling import Refused
from companion.text import NOTHING, say
from firmware.device_text import text_of
from firmware.play import robot_seats
from firmware.play.feedback import feedback
from firmware.play.flow import base_page
from firmware.play.observer import Nobody
from firmware.play.robots import Robots, Thought
from firmware.play.robots import check as check_level
from firmware.play.strict_turn import ChoiceClock, Said, hear_ready
from firmware.play.turn_clock import TurnClock, announce
from firmware.screens import menu, views
from firmware.screens.base import Counted, Result
from firmware.screens.extra_card import EarlyCard, ExtraCard
from firmware.screens.language import Language
from firmware.screens.named_step import undone
from firmware.screens.naming import keep_name
from firmware.screens.refusal import (
    DeviceAway,
    DuplicateCard,
    MissingCards,
    Refusal,
    UnknownCodePage,
    title_of,
)
from firmware.screens.robot import CardOfRobot, RobotCards, RobotRow, why_row
from firmware.screens.start import interrupted_setup
from firmware.screens.tournament import SHOWN_S, sent_away
from firmware.session.actions import (
    Action,
    BadgeAction,
    CardAction,
    ChoiceAction,
    ControlAction,
    KeyAction,
    NameAction,
    NumberAction,
    PairingAction,
    UnknownCodeAction,
    action_of,
)
from firmware.session.chord import Chord
from firmware.session.lookback import steps_to_card
from firmware.session.seats import read_seats
from firmware.session.session import MOST_SUSPENDED
from firmware.session.switch import Hold
from firmware.update.at_table import Stage, UpdateSeen
from hardware.ports import (
    OWN_KEYS,
    ChoiceMade,
    CodeTyped,
    DeviceFault,
    DeviceRecovered,
    Key,
    KeyPressed,
    KeyReleased,
    Light,
    NameTyped,
    Press,
    Scanned,
    SeatsGiven,
    Signal,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from companion.ask import Answer
    from companion.board import Board
    from companion.cards import Seat
    from companion.match import Match, Step
    from companion.text import Text
    from firmware.config.configuration import Config
    from firmware.play.observer import Observer
    from firmware.screens.base import Page
    from firmware.session.session import Session
    from firmware.session.switch import Power
    from firmware.update.at_table import Updates
    from hardware.ports import Message

NOTICE_S: Final = 2.5
LATE_S: Final = 1.5
"""OK or UNDO so soon after a page has closed by itself was meant for that page."""

EARLY_S: Final = 8.0
"""For how long the display says that a card has begun the next turn, while no other one comes."""

DUPLICATE_S: Final = 2.0
FAULT_S: Final = 5.0

_VIEWS: Final[Mapping[Control, Callable[[], Page]]] = {
    Control.TOTALS: views.Standings,
    Control.ROWS: views.Rows,
}
"""Control codes that open a view on top of any page."""

_VIEW_NAMES: Final = (views.Standings.NAME, views.Rows.NAME)


class Kiosk(Protocol):
    """What takes the place of the table's own ways while strangers play: see `firmware.kiosk`."""

    @property
    def light(self) -> Light:
        """How bright the display is."""

    @property
    def counts_down(self) -> bool:
        """Whether seconds are counted on the display."""

    def takes(self, message: Message, now_s: float) -> bool:
        """Answer a message; False leaves it to the table."""

    def tick(self, now_s: float) -> None:
        """Let time pass."""

    def count(self, what: Counted) -> None:
        """Count what a visitor has done."""

    def speak(self, language: str) -> None:
        """Say everything in a language until the next visitor comes."""

    def figures(self) -> dict[str, object]:
        """What the status says of it."""


class _RulingBefore(NamedTuple):
    page: Page
    turn: tuple[str, ...]


class TableController:
    """The controller of the screens (`firmware.screens.base.Controller`). Used by the game thread only.

    It has no clock: `now_s` is the time at which it is switched on, in seconds of any monotonic clock, and
    `hear` and `tick` are told the time of the same clock.
    """

    def __init__(
        self,
        session: Session,
        config: Config,
        signal: Callable[[Signal], None],
        now_s: float = 0.0,
        robots: Robots | None = None,
    ) -> None:
        self.session = session
        self.config = config
        self.now_s = now_s
        self.pages: list[tuple[Page, float | None]] = []
        """The open pages, the one in front last, each with the time at which it closes by itself."""
        self.notice = ""
        self.light = Light.FULL
        self.muted = not config.sound.on
        self.signals = 0
        """How many signals were given so far, heard or not."""
        self.clock = TurnClock()
        self._choice = ChoiceClock()
        self.hold = Hold()
        self.chord = Chord()
        self.robots = Robots(waits=True) if robots is None else robots
        self.kiosk: Kiosk | None = None
        """Whom strangers meet; None at a table of its own."""
        self.deal_with_robots: Callable[[str, int], None] | None = None
        """Opens the pages of a deal with robots; None where none can play."""
        self._robots_may = False
        """Whether people have told the robots to answer, that may still think."""
        self._robots_failed: Match | None = None
        """The match in which the answer of a robot could not be stored."""
        self.power: Power | None = None
        """The switch of the machine; None where this program may not use it."""
        self.updates: Updates | None = None
        """New versions on USB sticks; None where this program was not flashed as an image."""
        self.observer: Observer = Nobody()
        self._signal = signal
        self._setup: Page | None = interrupted_setup(session)
        self._seen: dict[int | None, set[tuple[Result, int]]] = {}
        self._notice_until_s = self._active_s = now_s
        self._scanned = ("", float("-inf"))
        self._since: tuple[Page, float] | None = None
        """The page in front that goes on by itself, and since when it is there."""
        self._closed: tuple[Page, float] | None = None
        """The page that has closed by itself since the newest action, and when."""
        self._early: tuple[int, EarlyCard] | None = None
        """The newest card that came right after a ruling, with the number of its step."""

    # ------------------------------------------------------------------------------------------ in

    def hear(self, message: Message | Thought, now_s: float) -> bool:
        """Handle one message of a device, or what a robot has thought.

        False for the same scan again, and for a key that only woke the display.
        """
        self.now_s = now_s
        if isinstance(message, Thought):
            self.robots.hear(message)
            self._tell_fault_of_robot()
            self._hear_robots()
            return True
        if self.kiosk is not None and self.kiosk.takes(message, now_s):
            return True
        self.chord.hear(message, now_s)
        if isinstance(message, DeviceFault):
            self._enter_fault(message)
        elif isinstance(message, DeviceRecovered):
            self._remove_fault(message.device)
        elif isinstance(message, KeyReleased):
            self.hold.let_go()
        elif self._wakes(message):
            self.say(self.session.translate("AWAKE: TRY AGAIN"))
            return False
        elif isinstance(message, NameTyped):
            self.act(NameAction(message.badge, message.name))
        elif isinstance(message, ChoiceMade):
            self.act(ChoiceAction(message.choice))
        elif isinstance(message, CodeTyped):
            self.act(PairingAction(message.code))
        elif isinstance(message, SeatsGiven):
            self._take_seats(message)
        elif isinstance(message, Scanned) and self.is_repeated(message):
            return False
        else:
            codes = self.config.codes
            self.act(
                action_of(message, plain_numbers=codes.plain_numbers, box=codes.box, strict=codes.strict)
            )
        return True

    def wake(self, now_s: float) -> None:
        """Light a dark display up, so that the next key counts: for one who sees the page elsewhere."""
        self._active_s, self.light = now_s, Light.FULL

    def act(self, action: Action) -> None:
        """Answer an action: by the page in front, else by what it means everywhere.

        An error, such as a journal that cannot be written, is shown; then nothing has changed.
        """
        self.hold.let_go()  # the action may close the page that shows the countdown
        self._reopen_for(action)
        try:
            if isinstance(action, BadgeAction) and (page := sent_away(action, self.session)) is not None:
                self.signal(Signal.REFUSED)
                self.open(page, lasts_s=SHOWN_S)
            elif not self._handled(action):
                self._answer(action)
        except CompanionError as bad:
            self._refuse_error(bad)

    def _take_seats(self, message: SeatsGiven) -> None:
        """Note who is to play here; what people have open stays in front while a match is in play."""
        try:
            self.session.take_seats(None if message.record is None else read_seats(message.record))
        except CompanionError as bad:
            self.signal(Signal.REFUSED)
            self.observer.refused("", bad.fault_text, bad.fix_text)
            return
        if self.session.round.is_to_begin and (self.session.match is None or not self.session.match.asks):
            self.set_up(None)
            self.home()

    def _refuse_error(self, bad: CompanionError) -> None:
        self.signal(Signal.REFUSED)
        self.observer.refused("", bad.fault_text, bad.fix_text)
        t = self.session.translate
        self.open(Refusal(t.say(bad.fault_text), t.say(bad.fix_text)))

    def _reopen_for(self, action: Action) -> None:
        """Show a page again that has just closed by itself, if OK or UNDO must have been pressed for it.

        Else a key that was meant for a message would answer the question below, or undo a step.
        """
        closed, self._closed = self._closed, None
        if closed is None or self.pages or not isinstance(action, KeyAction):
            return
        page, closed_s = closed
        pressed = action.key in (Key.OK, Key.UNDO) and action.press is Press.SHORT
        if pressed and self.now_s - closed_s < LATE_S:
            self.open(page, lasts_s=LATE_S)

    def _handled(self, action: Action) -> bool:
        """Whether a page has answered an action.

        A card or a badge is for the page in front that makes something of it: those above it only tell
        something, or wait for a key. They close if it is answered.
        """
        if isinstance(action, ControlAction) and (view := _VIEWS.get(action.control)) and self.session.match:
            self._toggle(view())
            return True
        if not isinstance(action, CardAction | NumberAction | BadgeAction):
            return self.front.handle(action, self)
        here = self.pages
        for depth in range(len(here) + 1):
            self.pages = here[: len(here) - depth]
            if self.front.handle(action, self):
                return True
        self.pages = here
        return False

    def tick(self, now_s: float) -> None:
        """Let time pass: notices end, pages that last a while close, the display dims."""
        self.now_s = now_s
        if self.hold.due(now_s) and self.power is not None:
            self.power.off()
            self.say(self.session.translate("SWITCHING OFF"))
        if self.chord.due(now_s):
            self._toggle(Language())
        if self.notice and now_s >= self._notice_until_s:
            self.notice = ""
        self.clock = self.clock.tick(now_s)
        for page, until_s in self.pages:
            if until_s is not None and now_s >= until_s:
                self._closed = (page, until_s)
        self.pages = [(page, until) for page, until in self.pages if until is None or now_s < until]
        self._hear_robots()
        self._turn_page()
        screen, idle_s = self.config.screen, now_s - self._active_s
        self.light = Light.FULL
        if screen.dim_after_s and idle_s >= screen.dim_after_s:
            self.light = Light.DIM
        if screen.hide_after_s and idle_s >= screen.hide_after_s:
            self.light = Light.OFF
        self._ask_for_missing()
        self._choice, said = self._choice.tick(self.session, self.config.table.choice_s, now_s)
        if said is not None:
            self._tell(said)
        if self.kiosk is not None:
            self.kiosk.tick(now_s)
            self.light = self.kiosk.light

    @property
    def counts_down(self) -> bool:
        """Whether the display changes within a second although nobody does anything."""
        counting = self.kiosk is not None and self.kiosk.counts_down
        return bool(self.hold.held or self.chord.held or counting or self.front.stays_s)

    # ------------------------------------------------------------------------------------- the pages

    @property
    def front(self) -> Page:
        """The page that players see."""
        return self.pages[-1][0] if self.pages else self._base

    @property
    def _base(self) -> Page:
        return base_page(self.session, self._seen_here, self._setup)

    @property
    def _seen_here(self) -> set[tuple[Result, int]]:
        """What players have seen in the match in play, with the number of the step that led to it.

        What they acknowledged is stored nowhere. Of a match that was read back from the journal, all that
        they have played past counts as seen: else an UNDO would show an old ruling as if it were new.
        """
        match_id = self.session.match_id
        if match_id not in self._seen:
            past = range(self.session.played_past)
            self._seen[match_id] = {(result, number) for result in Result for number in past}
            if len(self._seen) > 1 + MOST_SUSPENDED:  # a device runs for months
                del self._seen[next(iter(self._seen))]
        return self._seen[match_id]

    def open(self, page: Page, lasts_s: float | None = None) -> None:
        """Put a page on top, without a notice over it; it closes by itself after `lasts_s`."""
        self.notice = ""
        self.pages.append((page, None if lasts_s is None else self.now_s + lasts_s))

    def show(self, page: Page) -> None:
        """Put a page in the place of the one on top; over the open question, where no page is on top."""
        if self.pages:
            self.pages[-1] = (page, self.pages[-1][1])
        else:
            self.open(page)

    def close(self) -> None:
        """Remove the page on top."""
        if self.pages:
            self.pages.pop()

    def home(self) -> None:
        """Remove all pages: back to the open question."""
        self.pages.clear()

    def set_up(self, page: Page | None) -> None:
        """Choose the page that is shown while no match is in play; None is the start page."""
        self._setup = page

    def acknowledge(self, result: Result) -> None:
        """Note that players have seen what the newest step led to."""
        newest = self.session.playing.newest
        self._seen_here.add((result, newest.number if newest else 0))

    # --------------------------------------------------------------------------- beside the pages

    def say(self, text: str) -> None:
        """Show a line over the page for a moment; an empty one removes the line that is there."""
        self.notice, self._notice_until_s = text, self.now_s + NOTICE_S

    def decline(self, says: Text, signal: Signal = Signal.REFUSED) -> None:
        """Say in a line, with a signal, why something is not done."""
        self.signal(signal)
        self.observer.refused("", says, NOTHING)
        self.say(self.session.translate.say(says))

    def explain(self, fault: Text, fix: Text, title: Text) -> None:
        """Open a page, with a signal, that says why something is not done, and what to do instead."""
        t = self.session.translate
        self.signal(Signal.REFUSED)
        self.observer.refused("", fault, fix)
        self.open(Refusal(t.say(fault), t.say(fix), t.say(title)))

    def signal(self, signal: Signal) -> None:
        """Sound a signal, unless sound is off."""
        self.signals += 1
        self.observer.signalled(signal)
        if not self.muted:
            self._signal(signal)

    def count(self, what: Counted) -> None:
        """Count what a visitor has done; only a kiosk counts."""
        if self.kiosk is not None:
            self.kiosk.count(what)

    def speak(self, language: str) -> None:
        """Say everything in a language; a kiosk does so until the next visitor comes."""
        if self.kiosk is not None:
            self.kiosk.speak(language)
        else:
            self.session.use_language(language)

    def play_with_robots(self, game: str, visitors: int) -> None:
        """Deal a game to so many visitors and to robots; without a visitor the robots play alone."""
        if self.deal_with_robots is None:
            self.decline(say("NOT POSSIBLE NOW"))
        else:
            self.deal_with_robots(game, visitors)

    def toggle_sound(self) -> None:
        """Turn the sound off or on, and say which."""
        self.muted = not self.muted
        t = self.session.translate
        self.say(t("SOUND OFF") if self.muted else t("SOUND ON"))

    @property
    def can_switch_off(self) -> bool:
        """Whether the machine can be switched off from here."""
        return self.power is not None

    def begin_switch_off(self) -> None:
        """Start the countdown: the machine goes off unless the key is released before its end."""
        self.hold.begin(self.now_s)

    def switch_off_in_s(self) -> int:
        """Whole seconds left in that countdown; 0 where none runs."""
        return self.hold.left(self.now_s)

    @property
    def can_update(self) -> bool:
        """Whether a new version can be installed from here."""
        return self.updates is not None

    def look_for_update(self) -> None:
        """Look whether a USB stick has a new version; `update_seen` tells what came of it."""
        if self.updates is not None:
            self.updates.look()

    def begin_update(self) -> None:
        """Install the version that was found."""
        if self.updates is not None:
            self.updates.begin()

    def update_seen(self) -> UpdateSeen:
        """How far that is."""
        return UpdateSeen(Stage.NONE) if self.updates is None else self.updates.seen()

    def restart_machine(self) -> None:
        """Switch the machine off and on again, where it can be switched off."""
        if self.power is not None:
            self.power.restart()

    def refuse(self, refused: Refused, command: Any = None) -> None:  # noqa: ANN401 - a command of any game
        """Show why a command is refused, and the way back to where its card was played before."""
        self.signal(Signal.REFUSED)
        self.observer.refused(refused.rule.key, refused.fault, refused.fix)
        translate, card = self.session.translate, str(getattr(command, "card", ""))
        fault, fix = translate.say(refused.fault), translate.say(refused.fix)
        back = steps_to_card(self.session.playing, card) if card and self.session.match else None
        self.open(Refusal(fault, fix, translate.say(title_of(refused, command)), refused.penalty, back))

    # ------------------------------------------------------------------------------------- the match

    def propose(self, command: Any) -> bool:  # noqa: ANN401 - a command of the game in play
        """Carry a command out and show what it led to; False, with the reason shown, if it is refused."""
        match = self.session.playing
        before = match.board
        return self._show_result(self.session.propose(command), before, command)

    def join(self, seat: Seat, badge: int | None = None) -> bool:
        """Let a player join at a seat; False, with the reason shown, if that is refused."""
        match = self.session.playing
        return self._show_result(self.session.join(seat, badge), match.board, match.game.join(seat))

    def undo(self) -> None:
        """Undo the newest step."""
        match = self.session.match
        if match is None:
            return
        if self.session.has_result_before:
            self.session.back_to_result()
            self.home()
            self.signal(Signal.ACCEPTED)
            self.say(self.session.translate("BACK TO THE RESULT"))
            return
        self._robots_may = False
        result = self.session.undo()
        if isinstance(result, Refused):
            self.refuse(result)
            return
        self.home()
        self.signal(Signal.ACCEPTED)
        if match.newest is not None:
            self.say(undone(match.newest, self.session))

    def play(self, card: str, game: str = "") -> None:
        """Take a card as scanned; `game` is the two characters its code begins with, empty for any."""
        match, t = self.session.match, self.session.translate
        ruling = self._ruling_before(match) if match is not None and game in ("", self.session.code) else None
        if ruling is not None and card in ruling.turn:
            self.decline(say("{card} ALREADY SCANNED", card=self.session.label(card)), Signal.DUPLICATE)
            return
        if match is None or not match.asks:
            if ruling is None:
                self.decline(say("NO MATCH IN PROGRESS"))
            else:  # no turn follows, so it is one too many of the last one
                self.signal(Signal.REFUSED)
                self.home()
                self.open(ExtraCard(ruling.turn, card, plays_on=False))
            return
        if game and game != self.session.code:
            self._refuse_other_game(game, match)
            return
        ask = next((one for one in match.asks if one.kind.gives is Gives.CARD), None)
        if ask is not None and card in ask.have and self._is_of_robot(card):
            self.signal(Signal.ACCEPTED)
            self.say(t("{card}: ROBOT'S CARD", card=self.session.label(card)))
            return
        if ask is not None and card in ask.have:
            self.decline(say("{card} ALREADY SCANNED", card=self.session.label(card)), Signal.DUPLICATE)
            self.home()
            self.open(DuplicateCard(card, ask.have.index(card) + 1, ask.need), lasts_s=DUPLICATE_S)
            return
        if any(card in self.session.robot_hand(seat) for seat in self.session.robots_to_play):
            self.signal(Signal.REFUSED)
            self.open(CardOfRobot(card))
            return
        # Where no card is asked for, it is proposed as played: the referee says why that cannot be now.
        ask = ask or Ask(AskKind.PLAY, match.asks[0].seats, Wait.ALL, NOTHING)
        seat = self.session.next_in_order(ask) if self.clock.announced is None else self.clock.announced
        self.home()
        if self.propose(match.game.read(ask, seat, card)):
            self.clock = self.clock.after_card(self.now_s)
            if ruling is not None:
                begun = self.session.playing
                self._early = (begun.steps, EarlyCard(ruling.turn, card, ruling.page))
                self.open(self._early[1], lasts_s=EARLY_S)

    def _show_result(self, result: Step | Refused, before: Board, command: object) -> bool:
        """Tell what became of a command, given the board before it; no page stays open over a step."""
        if isinstance(result, Refused):
            self.refuse(result, command)
            return False
        self.home()
        told = feedback(result, before, self.session)
        self.clock = self.clock.after_step(self.now_s, ruled=told.ruled)
        if not told.ruled:
            self._seen_here.add((Result.RULING, result.number))  # there is nothing to place
        for signal in told.signals:
            self.signal(signal)
        self.say(told.says)  # also where it is empty: what stands there belongs to the question before
        lasts_s = self.config.table.take_shown_s
        for place, taken in reversed([*enumerate(told.takings, start=1)] if lasts_s else []):
            self.open(taken, lasts_s=place * lasts_s)
        return True

    # ------------------------------------------------------------------------------- robots at the table

    def check_robot(self, game: str, level: str) -> None:
        """Raises `CompanionError`, with what to do, where no robot of this level can play this game here."""
        check_level(game, level)

    def let_robots_play(self) -> None:
        """Let the robots that are asked answer, as soon as they have thought."""
        self._robots_may = True
        self._hear_robots()
        if self._robots_may:
            self.say(self.session.translate("ROBOT THINKS ..."))

    def _hear_robots(self) -> None:
        """Let robots think about the open question, and answer it where it is time for that.

        Their cards are shown on OK, or once all others have theirs on the table; a row they choose at once.
        After an UNDO they wait for OK, else nobody could undo what was before their answer.
        """
        match = self.session.match
        if match is None or not match.asks or not robot_seats.asked(self.session):
            self._robots_may = False
            return
        ask = match.asks[0]
        turn = bool(self.session.robots_to_play)
        if not turn and not (ask.kind is AskKind.CHOOSE and len(ask.seats) == 1):
            self._robots_may = False
            return
        found, thinks = robot_seats.answers(self.session, self.robots)
        last = bool(ask.have) and ask.need - len(ask.have) == len(self.session.robots_to_play)
        by_themselves = not match.undone and match is not self._robots_failed and (last or not turn)
        if thinks or not (self._robots_may or by_themselves):
            return
        self._robots_may = False
        try:
            if turn:
                self._show_cards(found)
            else:
                self._take_row(found)
        except CompanionError as bad:  # it cannot be stored; people try again with OK
            self._robots_failed = self.session.match
            self._refuse_error(bad)

    def _show_cards(self, found: list[Answer]) -> None:
        shown = []
        for answer in found:
            match = self.session.playing
            seat, card = answer.seat, answer.text
            if seat is not None and self.propose(match.game.read(match.asks[0], seat, card)):
                shown.append((seat, card))
        if shown:
            self.open(RobotCards(tuple(shown)))

    def _take_row(self, found: list[Answer]) -> None:
        for answer in found[:1]:
            match, stacks = self.session.playing, self.session.playing.board.stacks
            place = next(at for at, stack in enumerate(stacks) if stack.choice == answer.text)
            why = why_row(stacks, place, self.session)
            if answer.seat is not None and self.propose(
                match.game.read(answer.ask, answer.seat, answer.text)
            ):
                lasts_s = max(self.config.table.take_shown_s, NOTICE_S)
                self.pages = [
                    (page, None if until is None else until + lasts_s) for page, until in self.pages
                ]
                self.open(RobotRow(answer.seat, stacks[place].name, why), lasts_s=lasts_s)

    # ------------------------------------------------------------------- what is the same on every page

    def _answer(self, action: Action) -> None:
        """Do what an action means where the page in front makes nothing of it."""
        match action:
            case CardAction(card, game):
                self.play(card, game)
            case BadgeAction():
                self._take_badge(action)
            case KeyAction():
                self._take_key(action)
            case ControlAction(control):
                self._run_control(control)
            case NameAction(badge, name):
                keep_name(badge, name, self)
            case ChoiceAction(choice):
                self._choose(choice)
            case PairingAction():
                self.signal(Signal.REFUSED)  # no code is shown
            case NumberAction(number):
                self._refuse_code(UnknownCodePage(str(number), say("no card")))
            case UnknownCodeAction(text, why, fix):
                self._refuse_code(UnknownCodePage(text, why, fix))

    def _choose(self, choice: str) -> None:
        """Press the keys that give an answer on the page of the question, which must be in front."""
        keys = self.front.keys_for(choice)
        if not keys:
            self.decline(say("NOT POSSIBLE NOW"))
        for key in keys:
            self.act(KeyAction(key))

    def _take_key(self, action: KeyAction) -> None:
        if action.key is Key.OK and action.press is Press.LONG:
            self.open(menu.main_menu(self))
        elif self.pages and action.key in (Key.OK, Key.UNDO):
            self.close()
        elif action.key is Key.UNDO:
            self.undo()
        elif self.session.match is not None and action.key in (Key.LEFT, Key.TURN_LEFT):
            self._toggle(views.Standings())
        elif self.session.match is not None and action.key in (Key.RIGHT, Key.TURN_RIGHT):
            self._toggle(views.Rows())
        elif self.session.match is not None and action.key is Key.WHY:
            views.explain(self)

    def _toggle(self, view: Page) -> None:
        """Open a view, in the place of the other one if that is open; close it if it is open itself."""
        if self.front.NAME == view.NAME:
            self.close()
        elif self.front.NAME in _VIEW_NAMES:
            self.show(view)
        else:
            self.open(view)

    def _take_badge(self, action: BadgeAction) -> None:
        if (ready := hear_ready(action, self.session)) is not None:
            self._tell(ready)
            return
        result = announce(action, self.session, self.clock, self.now_s)
        self.clock = result.clock
        if result.signal is Signal.REFUSED:
            self.decline(result.says)
            return
        if result.signal is not None:
            self.signal(result.signal)
        self.say(self.session.translate.say(result.says))

    def _tell(self, said: Said) -> None:
        if said.signal is not None:
            self.signal(said.signal)
        self.say(said.says)

    def _run_control(self, control: Control) -> None:
        if not menu.run_control(control, self):
            self.decline(say("NOT POSSIBLE NOW"))

    def _refuse_code(self, page: UnknownCodePage) -> None:
        self.signal(Signal.REFUSED)
        self.observer.refused("", page.why, page.fix)
        self.open(page, lasts_s=FAULT_S)

    def _is_of_robot(self, card: str) -> bool:
        """Whether a robot has shown a card in the turn that is played."""
        at: Match | None = self.session.playing
        while at is not None and at.newest is not None and at.asks and card in at.asks[0].have:
            command = at.newest.command
            if str(getattr(command, "card", "")) == card:
                seat = getattr(command, "seat", None)
                return seat is not None and self.session.is_robot(seat)
            at = at.before
        return False

    def _refuse_other_game(self, game: str, match: Match) -> None:
        title = next((one.TITLE for one in map(games.module, games.GAMES) if game == one.CODE), game)
        fault = say("this card belongs to {game}", game=title)
        fix = say("scan a card of {game}", game=match.game.title)
        self.explain(fault, fix, say("CARD OF ANOTHER GAME"))

    def _ruling_before(self, match: Match) -> _RulingBefore | None:
        """The ruling that has just appeared and is still shown, and its cards; None where there is none.

        Players need some seconds to place the cards of a turn. A card that comes before that may be one too
        many of it. It may as well be the first one of the next turn, and nobody can see which: so it is
        played as that, and one key puts it right.
        """
        page = self._base
        soon = self.now_s - self.clock.ruled_s < self.config.table.extra_card_s
        if not soon or not page.HOLDS_EXTRA_CARD:
            return None
        lines = () if match.position.over else match.board.newest
        lines = lines or match.game.board(match.position.finished).newest
        return _RulingBefore(page, tuple(line.card for line in lines))

    # ---------------------------------------------------------------------------- devices and time

    def _enter_fault(self, fault: DeviceFault) -> None:
        self.hold.let_go()  # the device may be the key that is held: then nobody would hear its release
        fresh = fault.device not in self.session.faults
        self.session.faults[fault.device] = fault
        if fresh:
            told = DeviceAway(fault.device, text_of(fault.fault), text_of(fault.check))
            self.open(told, lasts_s=FAULT_S)

    def _tell_fault_of_robot(self) -> None:
        if (bad := self.robots.fault) is not None:
            self.robots.fault = None
            t = self.session.translate
            self.open(Refusal(t.say(bad.fault_text), t.say(bad.fix_text), t("NO HARD ROBOT")))

    def _remove_fault(self, device: str) -> None:
        if self.session.faults.pop(device, None) is not None:
            told = [page for page, _ in self.pages if isinstance(page, DeviceAway) and page.device == device]
            self.pages = [(page, until_s) for page, until_s in self.pages if page not in told]
            self.say(self.session.translate("{device} OK", device=device.partition("/")[0].upper()))

    def _wakes(self, message: Message) -> bool:
        """Whether it only lights the dark display up: a key does, for nobody could see what it would do.

        A scan always counts. The scanner has told its player that it has read the card. So does a player's
        own key, which stands for a badge.
        """
        dark = self.light is Light.OFF
        self._active_s, self.light = self.now_s, Light.FULL
        return dark and isinstance(message, KeyPressed) and message.key not in OWN_KEYS

    def is_repeated(self, scanned: Scanned) -> bool:
        """Whether the scanner has read the same code again while the card was still held before it.

        A number that is typed twice is meant twice: two players have the same points.
        """
        before, scanned_s = self._scanned
        self._scanned = (scanned.text, self.now_s)
        if scanned.typed and scanned.text.lstrip("-").isdigit():
            return False
        return scanned.text == before and self.now_s - scanned_s < self.config.table.duplicate_s

    def _turn_page(self) -> None:
        """Show the page that follows the one in front by itself, once people had the time to read it."""
        front = self.front
        limit_s = self.config.table.ruling_s if front.stays_s is None else front.stays_s
        if not front.GOES_ON_BY_ITSELF or not limit_s:
            self._since = None
            return
        if self._since is None or self._since[0] != front:
            self._since = (front, self.now_s)
        elif self.now_s - self._since[1] >= limit_s:
            following = front.following(self.session)
            if following is not None:
                self.show(following)
                self._since = (following, self.now_s)

    def _ask_for_missing(self) -> None:
        match = self.session.match
        ask = next((one for one in match.asks if one.kind is AskKind.PLAY), None) if match else None
        if ask is None or not ask.have:
            self.clock = self.clock.without_waiting()
        elif self.clock.has_waited(self.now_s, self.config.table.missing_card_s):
            self.clock = self.clock.without_waiting()
            if not self.pages:
                early = self._early
                newest = match.newest.number if match is not None and match.newest else 0
                alone = early is not None and early[0] == newest
                self.open(MissingCards(early[1].question if early is not None and alone else None))
