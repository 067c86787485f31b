"""Who answers an action: the page in front, else the controller.

See the package for the page stack, the way of a scan, and why one thread does all of it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.core.codes import BADGES
from companion.core.ruling import Refused
from companion.text.errors import CompanionError
from companion.text.sentence import NOTHING, say
from firmware.play.brightness import Brightness
from firmware.play.extension import installed
from firmware.play.feedback import feedback
from firmware.play.flow import base_page
from firmware.play.machine import TableMachine
from firmware.play.observer import Nobody
from firmware.play.page_stack import LATE_S, PageStack
from firmware.play.seen_results import SeenResults
from firmware.play.turn_input import TurnInput
from firmware.play.usual_answers import answer, toggle, view_of
from firmware.screens.before.language import Language
from firmware.screens.before.start import interrupted_setup
from firmware.screens.parts.base import Counted, Result
from firmware.screens.turn.named_step import undone
from firmware.screens.turn.refusal import DeviceAway, Refusal, title_of
from firmware.session.actions import (
    Action,
    BadgeAction,
    CardAction,
    ChoiceAction,
    NameAction,
    NumberAction,
    RowAction,
    action_of,
)
from firmware.session.chord import Chord
from firmware.session.lookback import steps_to_card
from firmware.text.device_text import text_of
from hardware.ports import (
    ChoiceMade,
    DeviceFault,
    DeviceRecovered,
    ExtensionMessage,
    KeyReleased,
    Light,
    NameTyped,
    Scanned,
    Signal,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.core.ask import Ask
    from companion.core.board import Board
    from companion.core.cards import Seat
    from companion.core.game import RandomSource
    from companion.match.match import Step
    from companion.text.sentence import Text
    from firmware.config.configuration import Config
    from firmware.play.extension import Extension
    from firmware.play.kiosk import Kiosk
    from firmware.play.observer import Observer
    from firmware.screens.parts.base import Item, Page, Part
    from firmware.session.session import Session
    from hardware.ports import Message

NOTICE_S: Final = 2.5
FAULT_S: Final = 5.0
_NOTHING_SCANNED: Final = ("", float("-inf"))


class TableController:
    """The controller of the screens (`firmware.screens.parts.base.Controller`). Used by the game thread only.

    It has no clock: `now_s` is the time at which it is switched on, in seconds of any monotonic clock, and
    `hear` and `tick` are told the time of the same clock.
    """

    def __init__(
        self,
        session: Session,
        config: Config,
        signal: Callable[[Signal], None],
        now_s: float = 0.0,
        extensions: Sequence[type[Extension]] | None = None,
    ) -> None:
        self.session = session
        self.config = config
        self.now_s = now_s
        self.stack = PageStack(lambda: self.base)
        self.notice = ""
        self.muted = not config.sound.on
        self.signals = 0
        """How many signals were given so far, heard or not."""
        self.brightness = Brightness(config.screen, now_s)
        self.machine = TableMachine(lambda: self.now_s)
        self.turn = TurnInput(self, config.table)
        self.chord = Chord()
        self.kiosk: Kiosk | None = None
        """What answers visitors where the box is a kiosk; None at an ordinary table."""
        self.chance: RandomSource | None = None
        """What deals cards where the box plays; None: by chance."""
        self.observer: Observer = Nobody()
        self._signal = signal
        self.setup: Page | None = None
        self._seen = SeenResults(session)
        self._notice_until_s = now_s
        self._scanned = _NOTHING_SCANNED
        self.extensions = tuple(make(self) for make in (installed() if extensions is None else extensions))
        self.set_up(interrupted_setup(session))

    def extension(self, kind: type[Part]) -> Part:
        """The optional part of this class at this table. Raises `LookupError` where it is not installed."""
        for one in self.extensions:
            if isinstance(one, kind):
                return one
        raise LookupError(kind.__name__)

    # ------------------------------------------------------------------------------------------ in

    def hear(self, message: Message, now_s: float) -> bool:
        """Handle one message of a device, or what a thread of the table has found out.

        False for the same scan again, and for a key that only woke the display.
        """
        self.now_s = now_s
        if isinstance(message, ExtensionMessage) and self._hear_part(message):
            counts = True
        else:
            counts = self._hear(message)
        self._play_kept_cards()
        return counts

    def _hear_part(self, message: ExtensionMessage) -> bool:
        """Let the optional parts handle a message; whether it is done with."""
        if message.IS_INPUT and self.kiosk is not None and self.kiosk.takes(message, self.now_s):
            return True
        return any(one.hear(message) for one in self.extensions)

    def _hear(self, message: Message) -> bool:
        now_s = self.now_s
        self.chord.hear(message, now_s)
        if self.kiosk is not None and self.kiosk.takes(message, now_s):
            return True
        if isinstance(message, DeviceFault):
            self._enter_fault(message)
        elif isinstance(message, DeviceRecovered):
            self._remove_fault(message.device)
        elif isinstance(message, KeyReleased):
            self.machine.hold.let_go()
        elif self.brightness.is_woken_by(message, now_s):
            self.say(self.session.translate("AWAKE: TRY AGAIN"))
            return False
        elif isinstance(message, NameTyped):
            self.act(NameAction(message.badge, message.name))
        elif isinstance(message, ChoiceMade):
            self.act(ChoiceAction(message.choice))
        elif isinstance(message, Scanned) and self.is_repeated(message):
            return False
        elif not isinstance(message, ExtensionMessage):
            codes = self.config.codes
            self.act(
                action_of(message, plain_numbers=codes.plain_numbers, box=codes.box, strict=codes.strict)
            )
        return True

    def wake(self, now_s: float) -> None:
        """Light a dark display up, so that the next key counts: for one who sees the page elsewhere."""
        self.brightness.wake(now_s)

    def act(self, action: Action) -> None:
        """Answer an action: by the page in front, else by what it means everywhere.

        An error, such as a journal that cannot be written, is shown; then nothing has changed.
        """
        self.machine.hold.let_go()  # the action may close the page that shows the countdown
        try:
            with self.stack.below_unseen(action, self.now_s):
                self._answer(action)
        except CompanionError as bad:
            self.refuse_error(bad)

    def _answer(self, action: Action) -> None:
        if (closed := self.stack.reopen_for(action, self.now_s)) is not None:
            self.open(closed, lasts_s=LATE_S)
        if any(one.answer(action) for one in self.extensions):
            return
        evening = isinstance(action, BadgeAction | RowAction) and action.badge not in BADGES
        if evening and not any(one.USES_EVENING_BADGES for one in self.extensions):
            self.decline(say("USE BADGES 1 TO 10"))
        elif not self._handled(action):
            answer(action, self)

    def _play_kept_cards(self) -> None:
        """Play the cards that have waited for an answer; what cannot be stored waits for the next act."""
        try:
            self.turn.play_kept()
        except CompanionError as bad:
            self.refuse_error(bad)

    def refuse_error(self, bad: CompanionError) -> None:
        """Show that something could not be done; nothing has changed."""
        self.signal(Signal.REFUSED)
        self.observer.refused("", bad.fault_text, bad.fix_text)
        t = self.session.translate
        self.open(Refusal(t.say(bad.fault_text), t.say(bad.fix_text)))

    def _handled(self, action: Action) -> bool:
        """Whether a page has answered an action.

        A card or a badge, its back too, is for the page in front that makes something of it.
        """
        if self.session.match is not None and (view := view_of(action)) is not None:
            toggle(view, self)
            return True
        if not isinstance(action, CardAction | NumberAction | BadgeAction | RowAction):
            return self.front.handle(action, self)
        return self.stack.hand_down(lambda page: page.handle(action, self))

    def tick(self, now_s: float) -> None:
        """Let time pass: notices end, pages that last a while close, the display dims."""
        self.now_s = now_s
        if self.machine.tick(now_s):
            self.say(self.session.translate("SWITCHING OFF"))
        if self.chord.due(now_s) and not (self.kiosk is not None and self.kiosk.offers_languages(now_s)):
            toggle(Language(), self)
        if self.notice and now_s >= self._notice_until_s:
            self.notice = ""
        self.turn.tick()
        self.stack.expire(now_s)
        before = self.session.match
        for extension in self.extensions:
            extension.tick()
        if self.session.match is not before:
            self._play_kept_cards()
        following = self.stack.following(self.session, self.config.table.ruling_s, now_s)
        if following is not None:
            self.show(following)
        self.brightness.tick(now_s)
        self.turn.remind()
        if self.kiosk is not None:
            self.kiosk.tick(now_s)
            self.brightness.light = self.kiosk.light

    @property
    def counts_down(self) -> bool:
        """Whether the display changes within a second although nobody does anything."""
        counting = self.kiosk is not None and self.kiosk.counts_down
        return bool(self.machine.hold.held or self.chord.held or counting or self.front.stays_s)

    # ------------------------------------------------------------------------------------- the pages

    @property
    def front(self) -> Page:
        """The page that players see."""
        return self.stack.front

    @property
    def base(self) -> Page:
        """The page of the open question, beneath all others; it is computed, and kept nowhere."""
        page = base_page(self.session, self.has_seen, self.setup)
        for extension in self.extensions:
            page = extension.page(page)
        return page

    @property
    def light(self) -> Light:
        """How bright the display is."""
        return self.brightness.light

    def extension_items(self) -> tuple[Item, ...]:
        """What the menu offers of optional parts now."""
        return tuple(item for one in self.extensions for item in one.menu())

    def open(self, page: Page, lasts_s: float | None = None) -> None:
        """Put a page on top, without a notice over it; it closes by itself after `lasts_s`."""
        self.notice = ""
        self.stack.open(page, None if lasts_s is None else self.now_s + lasts_s)

    def interrupt(self, page: Page, lasts_s: float | None = None) -> None:
        """Put a message on top that nobody has asked for: a key of this moment was not meant for it."""
        self.notice = ""
        self.stack.interrupt(page, None if lasts_s is None else self.now_s + lasts_s, self.now_s)

    def show(self, page: Page) -> None:
        """Put a page in the place of the one on top; over the open question, where no page is on top."""
        if self.stack.pages:
            self.stack.show(page)
        else:
            self.open(page)

    def close(self) -> None:
        """Remove the page on top."""
        self.stack.close()

    def home(self) -> None:
        """Remove all pages: back to the open question."""
        self.stack.home()

    def set_up(self, page: Page | None) -> None:
        """Choose the page that is shown while no match is in play; None is the start page."""
        self.setup = page
        if page is not None:
            for extension in self.extensions:
                self.setup = page = extension.set_up(page)

    def acknowledge(self, result: str) -> None:
        """Note that players have seen what the newest step led to."""
        newest = self.session.playing.newest
        self._seen.note(result, newest.number if newest else 0)

    def has_seen(self, result: str) -> bool:
        """Whether players have acknowledged this result of the newest step."""
        newest = self.session.playing.newest
        return self._seen.has(result, newest.number if newest else 0)

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

    def deal(self, game: str, visitors: int) -> None:
        """Deal a game to so many visitors, with the box in the other seats; without one it plays alone."""
        if not any(one.deal(game, visitors) for one in self.extensions):
            self.decline(say("NOT POSSIBLE NOW"))

    def toggle_sound(self) -> None:
        """Turn the sound off or on, and say which."""
        self.muted = not self.muted
        t = self.session.translate
        self.say(t("SOUND OFF") if self.muted else t("SOUND ON"))

    def refuse(self, refused: Refused, command: Any = None) -> None:  # noqa: ANN401 - a command of any game
        """Show why a command is refused, and the way back to where its card was played before."""
        self.signal(Signal.REFUSED)
        self.observer.refused(refused.rule.key, refused.fault, refused.fix)
        translate, card = self.session.translate, str(getattr(command, "card", ""))
        fault, fix = translate.say(refused.fault), translate.say(refused.fix)
        back = steps_to_card(self.session.playing, card) if card and self.session.match else None
        if back is not None:
            back += len(self.session.kept_cards.cards)  # they are the newest
        self.open(Refusal(fault, fix, translate.say(title_of(refused, command)), refused.penalty, back))

    # ------------------------------------------------------------------------------------- the match

    def propose(self, command: Any) -> bool:  # noqa: ANN401 - a command of the game in play
        """Carry a command out and show what it led to; False, with the reason shown, if it is refused."""
        match = self.session.playing
        before = match.board
        return self._show_result(self.session.propose(command), before, command)

    def answer(self, ask: Ask, seat: Seat | None, text: str) -> bool:
        """Propose an answer to an open question as `propose` does, as the game reads it."""
        return self.propose(self.session.playing.game.read(ask, seat, text))

    def join(self, seat: Seat, badge: int | None = None) -> bool:
        """Let a player join at a seat; False, with the reason shown, if that is refused."""
        match = self.session.playing
        return self._show_result(self.session.join(seat, badge), match.board, match.game.join(seat))

    def undo(self) -> None:
        """Undo the newest step."""
        match, kept = self.session.match, self.session.kept_cards
        if match is None:
            return
        self._scanned = _NOTHING_SCANNED  # a card that is taken back may be scanned again at once
        if kept.cards:
            card = kept.cards[-1]
            kept.remove(card)
            self.home()
            self.signal(Signal.ACCEPTED)
            self.say(self.session.translate("{what} UNDONE", what=self.session.label(card)))
            return
        if self.session.has_result_before:
            self.session.back_to_result()
            self.home()
            self.signal(Signal.ACCEPTED)
            self.say(self.session.translate("BACK TO THE RESULT"))
            return
        for extension in self.extensions:
            extension.undoes(match)
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
        self.turn.play(card, game)

    def _show_result(self, result: Step | Refused, before: Board, command: object) -> bool:
        """Tell what became of a command, given the board before it; no page stays open over a step."""
        if isinstance(result, Refused):
            self.refuse(result, command)
            return False
        self.home()
        told = feedback(result, before, self.session)
        self.turn.after_step(ruled=told.ruled)
        if not told.ruled:
            self._seen.note(Result.RULING, result.number)  # there is nothing to place
        for signal in told.signals:
            self.signal(signal)
        hides = self.base.TITLE_ASKS and Signal.LAST_CARD not in told.signals
        self.say("" if hides else told.says)  # also where it is empty: what stands there was before
        lasts_s = self.config.table.take_shown_s
        for place, taken in reversed([*enumerate(told.takings, start=1)] if lasts_s else []):
            self.open(taken, lasts_s=place * lasts_s)
        return True

    # ---------------------------------------------------------------------------- devices and time

    def _enter_fault(self, fault: DeviceFault) -> None:
        self.machine.hold.let_go()  # it may be the key that is held: then nobody would hear its release
        fresh = fault.device not in self.session.faults
        self.session.faults[fault.device] = fault
        if fresh:
            told = DeviceAway(fault.device, text_of(fault.fault), text_of(fault.check))
            self.interrupt(told, FAULT_S)

    def _remove_fault(self, device: str) -> None:
        if self.session.faults.pop(device, None) is not None:
            told = [
                page for page, _ in self.stack.pages if isinstance(page, DeviceAway) and page.device == device
            ]
            self.stack.remove(told)
            self.say(self.session.translate("{device} OK", device=device.partition("/")[0].upper()))

    def is_repeated(self, scanned: Scanned) -> bool:
        """Whether the scanner has read the same code again while the card was still held before it.

        A number that is typed twice is meant twice: two players have the same points.
        """
        before, scanned_s = self._scanned
        self._scanned = (scanned.text, self.now_s)
        if scanned.typed and scanned.text.lstrip("-").isdigit():
            return False
        return scanned.text == before and self.now_s - scanned_s < self.config.table.duplicate_s
