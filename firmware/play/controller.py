"""Who answers an action, in their order; and all that may be done at the table.

See the package for the way of a scan, and why one thread does all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from companion.core.ask import Ask
from companion.core.board import Board
from companion.core.cards import Seat
from companion.core.codes import BADGES
from companion.core.game import RandomSource
from companion.core.ruling import Refused
from companion.match.match import Step
from companion.text.errors import CompanionError
from companion.text.sentence import NOTHING, Text, say
from companion.values import replace
from firmware.journal.errors import JournalError
from firmware.play import cards
from firmware.play.cards import NewRuling
from firmware.play.extension import Extension, installed
from firmware.play.feedback import feedback
from firmware.play.flow import base_page
from firmware.play.happenings import Happening, SignalGiven, StepStored, WasRefused
from firmware.play.pages import LATE_S, Pages
from firmware.play.strict_turn import Reply, hear_ready
from firmware.play.table import Table
from firmware.play.turn_clock import announce
from firmware.play.usual_answers import VIEWS, run_control, take_key, toggle
from firmware.screens.before.naming import keep_name
from firmware.screens.before.start import Language, interrupted_setup
from firmware.screens.parts.base import Item, Page, Part, StepResult, VisitorAction
from firmware.screens.turn.corrections import undone
from firmware.screens.turn.refusal import DeviceAway, EarlyCard, Refusal, UnknownCodePage, title_of
from firmware.session.actions import (
    Action,
    BadgeAction,
    CardAction,
    ChoiceAction,
    Chord,
    ControlAction,
    KeyAction,
    NameAction,
    NumberAction,
    RowAction,
    UnknownCodeAction,
    action_of,
)
from firmware.session.session import Session, steps_to_card
from firmware.session.switch import Machine
from firmware.text.translation import text_of
from hardware.ports import (
    OWN_KEYS,
    ChoiceMade,
    DeviceFault,
    DeviceRecovered,
    ExtensionMessage,
    Key,
    KeyPressed,
    KeyReleased,
    Light,
    Message,
    NameTyped,
    Press,
    Scanned,
    Signal,
)

if TYPE_CHECKING:
    from firmware.config.configuration import Config
    from firmware.play.kiosk import Kiosk

NOTICE_S: Final = 2.5
FAULT_S: Final = 5.0
UNKNOWN_CODE_S: Final = 5.0
"""For how long a page about an unknown code is shown."""

_ALL: Final = frozenset((StepResult.RULING, StepResult.DEAL))


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
        self.table = Table(now_s=now_s, active_s=now_s, notice_until_s=now_s, muted=not config.sound.on)
        """Everything that changes but the match; it is replaced whole."""
        self.happened: list[Happening] = []
        """What has come of the newest message, or of the time that has passed since."""
        self.machine = Machine(lambda: self.now_s)
        self.chord = Chord()
        self.kiosk: Kiosk | None = None
        """What answers visitors where the box is a kiosk; None at an ordinary table."""
        self.chance: RandomSource | None = None
        """What deals cards where the box plays; None: by chance."""
        self._signal = signal
        session.stepped = self._note_step
        self.extensions = tuple(make(self) for make in (installed() if extensions is None else extensions))
        # Most parts leave most methods as they are: those need not be asked about every scan and picture.
        self._answering = [one for one in self.extensions if type(one).answer is not Extension.answer]
        self._taking = [one for one in self.extensions if type(one).take_card is not Extension.take_card]
        self._paging = [one for one in self.extensions if type(one).page is not Extension.page]
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
        self.happened = []
        self._set(now_s=now_s)
        counts = self._hear(message)
        self._play_kept_cards()
        return counts

    def _hear(self, message: Message) -> bool:
        now_s = self.now_s
        if isinstance(message, KeyPressed | KeyReleased):
            self.chord.hear(message, now_s)
        is_input = not isinstance(message, ExtensionMessage) or message.IS_INPUT
        if is_input and self.kiosk is not None and self.kiosk.takes(message, now_s):
            return True
        if isinstance(message, ExtensionMessage):
            any(one.hear(message) for one in self.extensions)
        elif isinstance(message, DeviceFault):
            self._enter_fault(message)
        elif isinstance(message, DeviceRecovered):
            self._remove_fault(message.device)
        elif isinstance(message, KeyReleased):
            self.machine.hold.let_go()
        else:
            return self._hear_input(message)
        return True

    def _hear_input(self, message: KeyPressed | Scanned | NameTyped | ChoiceMade) -> bool:
        dark = self.light is Light.OFF
        self._set(active_s=self.now_s, light=Light.FULL)
        # A key only lights a dark display up, for nobody could see what it would do. A scan always counts:
        # the scanner has told its player that it has read the card. So does a player's own key.
        if dark and isinstance(message, KeyPressed) and message.key not in OWN_KEYS:
            self.say(self.session.translate("AWAKE: TRY AGAIN"))
            return False
        if isinstance(message, Scanned) and self.is_repeated(message):
            return False
        if isinstance(message, NameTyped):
            self.act(NameAction(message.badge, message.name))
        elif isinstance(message, ChoiceMade):
            self.act(ChoiceAction(message.choice))
        else:
            codes = self.config.codes
            self.act(
                action_of(message, plain_numbers=codes.plain_numbers, box=codes.box, strict=codes.strict)
            )
        return True

    def wake(self) -> None:
        """Light a dark display up, so that the next key counts: for one who sees the page elsewhere."""
        self._set(active_s=self.now_s, light=Light.FULL)

    def act(self, action: Action) -> None:
        """Answer an action: by the page in front, else by what it means everywhere.

        An error is shown. Where the journal could not be written, nothing has happened.
        """
        before, match = self.table, self.session.match
        if self.machine.hold.held:  # the action may close the page that shows the countdown
            self.machine.hold.let_go()
        try:
            if isinstance(action, KeyAction):
                self._act_with_key(action)
            else:
                self._set(pages=replace(self.pages, closed=None))
                self._answer(action)
        except CompanionError as bad:
            if isinstance(bad, JournalError) and self.session.match is match:
                self.table = before
            self.refuse_error(bad)

    def _act_with_key(self, action: KeyAction) -> None:
        """Answer a key as the page is meant that people have read: not what came or went just now."""
        unseen = self.pages.unseen(self.now_s)
        pages = self.pages.close(len(unseen))
        ends = action.key in (Key.OK, Key.UNDO) and action.press is Press.SHORT
        closed = pages.closed_just_now(self.now_s) if ends else None
        self._set(pages=replace(pages, closed=None))
        try:
            if closed is not None:
                self.open(closed, lasts_s=LATE_S)
            self._answer(action)
        finally:
            if unseen:
                self._set(pages=replace(self.pages, opened=(*self.pages.opened, *unseen)))

    def _answer(self, action: Action) -> None:
        """Ask those who may answer an action, in this order; the first one that does is the last one asked.

        A kiosk and an optional part have had their messages before (`hear`). The referee rules on what one of
        these proposes.
        """
        for answers in (
            self._extension_answers,
            self._high_badge_is_refused,
            self._view_opens,
            self._page_answers,
            self._answer_as_usual,
        ):
            if answers(action):
                return

    def _extension_answers(self, action: Action) -> bool:
        return any(one.answer(action) for one in self._answering)

    def _high_badge_is_refused(self, action: Action) -> bool:
        high = isinstance(action, BadgeAction | RowAction) and action.badge not in BADGES
        if not high or any(one.USES_EVENING_BADGES for one in self.extensions):
            return False
        self.decline(say("USE BADGES 1 TO 10"))
        return True

    def _view_opens(self, action: Action) -> bool:
        view = VIEWS.get(action.control) if isinstance(action, ControlAction) else None
        if view is None or self.session.match is None:
            return False
        toggle(view(), self.front, self)
        return True

    def _page_answers(self, action: Action) -> bool:
        """Ask the page in front; with a scan all pages from the top, until one makes something of it.

        Those above that one only tell something, or wait for a key. They close.
        """
        if not isinstance(action, CardAction | NumberAction | BadgeAction | RowAction):
            return self.front.handle(action, self)
        here = self.pages
        for depth in range(len(here.opened) + 1):
            if depth:
                self._set(pages=here.close(depth))
            if self.front.handle(action, self):
                return True
        self._set(pages=here)
        return False

    def _answer_as_usual(self, action: Action) -> bool:
        match action:
            case CardAction(card, game):
                self.play(card, game)
            case BadgeAction():
                self._take_badge(action)
            case RowAction():
                self.decline(say("NO ROW TO CHOOSE NOW"))
            case KeyAction():
                take_key(action, self.front, self, covered=bool(self.pages.opened))
            case ControlAction(control):
                run_control(control, self)
            case NameAction(badge, name):
                keep_name(badge, name, self)
            case ChoiceAction(choice):
                if not self.front.choose(choice, self):
                    self.decline(say("NOT POSSIBLE NOW"))
            case NumberAction(number):
                self._refuse_code(UnknownCodePage(str(number), say("no card")))
            case UnknownCodeAction(text, why, fix):
                self._refuse_code(UnknownCodePage(text, why, fix))
        return True

    def tick(self, now_s: float) -> None:
        """Let time pass: notices end, pages that last a while close, the display dims."""
        self.happened, table = [], self.table
        notice = "" if now_s >= table.notice_until_s else table.notice
        self._set(now_s=now_s, notice=notice, turn=table.turn.tick(now_s), pages=table.pages.expire(now_s))
        if self.machine.tick(now_s):
            self.say(self.session.translate("SWITCHING OFF"))
        if self.chord.due(now_s) and not (self.kiosk is not None and self.kiosk.offers_languages(now_s)):
            toggle(Language(), self.front, self)
        before = self.session.match
        for extension in self.extensions:
            extension.tick()
        if self.session.match is not before:
            self._play_kept_cards()
        self._follow()
        self.table = self.table.dimmed(self.config.screen)
        self._remind()
        if self.kiosk is not None:
            self.kiosk.tick(now_s)
            self._set(light=self.kiosk.light)

    def _follow(self) -> None:
        """Show the page that follows the one in front by itself, once people had the time to read it."""
        front = self.front
        self.table, due = self.table.following(front, self.config.table.ruling_s)
        if due and (following := front.following(self.session)) is not None:
            self._set(since=(following, self.now_s))
            self.show(following)

    def _remind(self) -> None:
        """Ask for cards that are missing for long, and for a choice whose time runs out."""
        match, options = self.session.match, self.config.table
        self.table, page = cards.missing(match, self.table, options.missing_card_s)
        if page is not None:
            self.open(page)
        choice, said = self.table.choice.tick(self.session, options.choice_s, self.now_s)
        self._set(choice=choice)
        if said is not None:
            self._tell(said)

    @property
    def counts_down(self) -> bool:
        """Whether the display changes within a second although nobody does anything."""
        counting = self.kiosk is not None and self.kiosk.counts_down
        return bool(self.machine.hold.held or self.chord.held or counting or self.front.stays_s)

    # ------------------------------------------------------------------------------------- the table

    def _set(self, **changes: Any) -> None:  # noqa: ANN401 - of any field
        self.table = replace(self.table, **changes)

    @property
    def now_s(self) -> float:
        """The time of what is answered now."""
        return self.table.now_s

    @property
    def pages(self) -> Pages:
        """The open pages."""
        return self.table.pages

    @property
    def setup(self) -> Page | None:
        """The page that was chosen for a table without a match; None is the start page."""
        return self.table.setup

    @property
    def notice(self) -> str:
        """The line over the page."""
        return self.table.notice

    @property
    def light(self) -> Light:
        """How bright the display is."""
        return self.table.light

    @property
    def muted(self) -> bool:
        """Whether the sound is off."""
        return self.table.muted

    @property
    def front(self) -> Page:
        """The page that players see."""
        return self.table.pages.front or self.base

    @property
    def base(self) -> Page:
        """The page of the open question, beneath all others; it is computed, and kept nowhere."""
        past = self._moment[1] < self.session.played_past
        seen = _ALL if past else self.table.seen.get(self._moment, frozenset())
        page = base_page(self.session, seen, self.table.setup)
        for one in self._paging:
            page = one.page(page)
        return page

    # ------------------------------------------------------------------------------------- the pages

    def extension_items(self) -> tuple[Item, ...]:
        """What the menu offers of optional parts now."""
        return tuple(item for one in self.extensions for item in one.menu())

    def open(self, page: Page, lasts_s: float | None = None) -> None:
        """Put a page on top, without a notice over it; it closes by itself after `lasts_s`."""
        until_s = None if lasts_s is None else self.now_s + lasts_s
        self._set(notice="", pages=self.pages.open(page, until_s))

    def interrupt(self, page: Page, lasts_s: float | None = None) -> None:
        """Put a message on top that nobody has asked for: a key of this moment was not meant for it."""
        until_s = None if lasts_s is None else self.now_s + lasts_s
        self._set(notice="", pages=self.pages.interrupt(page, until_s, self.now_s))

    def show(self, page: Page) -> None:
        """Put a page in the place of the one on top; over the open question, where no page is on top."""
        if self.pages.opened:
            self._set(pages=self.pages.show(page))
        else:
            self.open(page)

    def close(self) -> None:
        """Remove the page on top."""
        self._set(pages=self.pages.close())

    def home(self) -> None:
        """Remove all pages: back to the open question."""
        if self.pages.opened:
            self._set(pages=self.pages.home())

    def keep_longer(self, by_s: float) -> None:
        """Let pages that close by themselves stay longer: another one comes over them."""
        self._set(pages=self.pages.keep_longer(by_s))

    def set_up(self, page: Page | None) -> None:
        """Choose the page that is shown while no match is in play; None is the start page."""
        self._set(setup=page)
        if page is not None:
            for extension in self.extensions:
                page = extension.set_up(page)
                self._set(setup=page)

    def acknowledge(self, result: str) -> None:
        """Note that players have seen what the newest step led to."""
        self.table = self.table.noting(result, self._moment)

    def has_seen(self, result: str) -> bool:
        """Whether players have acknowledged this result of the newest step.

        Of a match that was read back from the journal, all that people have played past counts as seen: else
        an UNDO would show an old ruling as if it were new.
        """
        return self._moment[1] < self.session.played_past or self.table.has_seen(result, self._moment)

    @property
    def _moment(self) -> tuple[int | None, int]:
        match = self.session.match
        return self.session.match_id, match.newest.number if match is not None and match.newest else 0

    # --------------------------------------------------------------------------- beside the pages

    def say(self, text: str) -> None:
        """Show a line over the page for a moment; an empty one removes the line that is there."""
        self._set(notice=text, notice_until_s=self.now_s + NOTICE_S)

    def decline(self, says: Text, signal: Signal = Signal.REFUSED) -> None:
        """Say in a line, with a signal, why something is not done."""
        self.signal(signal)
        self.note_refusal(says)
        self.say(self.session.translate.say(says))

    def explain(self, fault: Text, fix: Text, title: Text) -> None:
        """Open a page, with a signal, that says why something is not done, and what to do instead."""
        t = self.session.translate
        self.signal(Signal.REFUSED)
        self.note_refusal(fault, fix)
        self.open(Refusal(t.say(fault), t.say(fix), t.say(title)))

    def note_refusal(self, fault: Text, fix: Text = NOTHING, rule: str = "") -> None:
        """Note, for those who watch, that something was refused; `rule` is the key of what forbids it."""
        self.happened.append(WasRefused(rule, fault, fix))

    def signal(self, signal: Signal) -> None:
        """Sound a signal, unless sound is off."""
        self.happened.append(SignalGiven(signal))
        if not self.muted:
            self._signal(signal)

    def count(self, what: VisitorAction) -> None:
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
        self._set(muted=not self.muted)
        t = self.session.translate
        self.say(t("SOUND OFF") if self.muted else t("SOUND ON"))

    def refuse(self, refused: Refused, command: Any = None) -> None:  # noqa: ANN401 - a command of any game
        """Show why a command is refused, and the way back to where its card was played before."""
        self.signal(Signal.REFUSED)
        self.note_refusal(refused.fault, refused.fix, refused.rule.key)
        translate, card = self.session.translate, str(getattr(command, "card", ""))
        fault, fix = translate.say(refused.fault), translate.say(refused.fix)
        back = steps_to_card(self.session.playing, card) if card and self.session.match else None
        if back is not None:
            back += len(self.session.kept_cards.cards)  # they are the newest
        self.open(Refusal(fault, fix, translate.say(title_of(refused, command)), refused.penalty, back))

    def refuse_error(self, bad: CompanionError) -> None:
        """Show that something could not be done; nothing has changed."""
        t = self.session.translate
        self.signal(Signal.REFUSED)
        self.note_refusal(bad.fault_text, bad.fix_text)
        self.open(Refusal(t.say(bad.fault_text), t.say(bad.fix_text)))

    def _refuse_code(self, page: UnknownCodePage) -> None:
        self.signal(Signal.REFUSED)
        self.note_refusal(page.why, page.fix)
        self.open(page, lasts_s=UNKNOWN_CODE_S)

    def _tell(self, said: Reply) -> None:
        if said.signal is not None:
            self.signal(said.signal)
        self.say(said.says)

    # ------------------------------------------------------------------------------ cards and badges

    def play(self, card: str, game: str = "") -> None:
        """Take a card as scanned; `game` is the two characters its code begins with, empty for any."""
        session, match = self.session, self.session.match
        read, card = card, session.card_named(card, game) or card  # a code has the number of a card
        other = match is not None and game not in ("", session.code)
        ruling = None if other else self._new_ruling
        no = cards.without_turn(card, ruling, session)
        if no is not None or match is None:
            self._decline_card(no or cards.NO_MATCH)
            return
        if other:
            self.explain(*cards.of_other_game(game, match), say("CARD OF ANOTHER GAME"))
            return
        ask = cards.asked(match)
        if any(one.take_card(card, ask) for one in self._taking):
            return
        if ask is not None and card in ask.have:
            self._decline_card(cards.already_scanned(card, session, ask))
        elif ask is not None or not self._keeps(card):
            self._propose_card(ask or cards.any_time(match), card, read, ruling)

    def _propose_card(self, ask: Ask, card: str, read: str, ruling: NewRuling | None) -> None:
        session, match, announced = self.session, self.session.playing, self.table.turn.announced
        self.home()
        seat = session.next_in_order(ask) if announced is None else announced
        command, before = match.game.read(ask, seat, read), match.board
        if not self._show_result(session.propose(command), before, command):
            for extension in self.extensions:
                extension.card_refused(card, ask)
            return
        self._set(turn=self.table.turn.after_card(self.now_s))
        if ruling is not None:
            early = EarlyCard(ruling.turn, card, ruling.page)
            self._set(early=(session.playing.steps, early))
            self.open(early, lasts_s=cards.EARLY_S)

    def _decline_card(self, no: cards.DeclinedCard) -> None:
        if no.says is NOTHING:
            self.signal(no.signal)
        else:
            self.decline(no.says, no.signal)
        if no.page is not None:
            self.home()
            self.open(no.page, lasts_s=no.lasts_s)

    def _keeps(self, card: str) -> bool:
        """Keep a card for the next turn, if nothing but the open question about this one is against it."""
        session = self.session
        if session.playing.board.placing and card in session.kept_cards.cards:
            self._decline_card(cards.already_scanned(card, session))
            return True
        if (page := cards.kept(card, session.playing)) is None:
            return False
        session.kept_cards.keep(card)
        self.signal(Signal.ACCEPTED)
        self.home()
        self.open(page)
        return True

    def _play_kept_cards(self) -> None:
        """Play the cards that have waited for an answer; what cannot be stored waits for the next act."""
        session = self.session
        try:
            while session.kept_cards.cards and (match := session.match) is not None:
                if match.asks and cards.asked(match) is None:
                    return
                if not match.asks and self._new_ruling is None:
                    session.kept_cards.clear()  # the match was ended before the turn was
                    continue
                card, on_top = session.kept_cards.cards[0], self.pages.opened
                if not (match.asks and card in match.asks[0].have):  # it was played, then the power went
                    self.play(card)
                session.kept_cards.remove(card)
                # What the answer led to is told first.
                self._set(pages=replace(self.pages, opened=(*self.pages.opened, *on_top)))
        except CompanionError as bad:
            self.refuse_error(bad)

    @property
    def _new_ruling(self) -> NewRuling | None:
        """The ruling that has just appeared and is still shown."""
        options, match = self.config.table, self.session.match
        if match is None or self.now_s - self.table.turn.ruled_s >= options.extra_card_s:
            return None
        return cards.new_ruling(match, self.base)

    def _take_badge(self, action: BadgeAction) -> None:
        """Note that the player of a badge is ready, or that the next card is theirs."""
        if (ready := hear_ready(action, self.session)) is not None:
            self._tell(ready)
            return
        result = announce(action, self.session, self.table.turn, self.now_s)
        self._set(turn=result.clock)
        if result.signal is Signal.REFUSED:
            self.decline(result.says)
            return
        if result.signal is not None:
            self.signal(result.signal)
        self.say(self.session.translate.say(result.says))

    # ------------------------------------------------------------------------------------- the match

    def propose(self, command: Any) -> bool:  # noqa: ANN401 - a command of the game in play
        """Carry a command out and show what it led to; False, with the reason shown, if it is refused."""
        before = self.session.playing.board
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
        match, kept, t = self.session.match, self.session.kept_cards, self.session.translate
        if match is None:
            return
        self._set(scanned=Table().scanned)  # a card that is taken back may be scanned again at once
        if kept.cards:
            card = kept.cards[-1]
            kept.remove(card)
            says = t("{what} UNDONE", what=self.session.label(card))
        elif self.session.has_result_before:
            self.session.back_to_result()
            says = t("BACK TO THE RESULT")
        else:
            for extension in self.extensions:
                extension.undoes(match)
            result = self.session.undo()
            if isinstance(result, Refused):
                self.refuse(result)
                return
            says = "" if match.newest is None else undone(match.newest, self.session)
        self.home()
        self.signal(Signal.ACCEPTED)
        if says:
            self.say(says)

    def _show_result(self, result: Step | Refused, before: Board, command: object) -> bool:
        """Tell what became of a command, given the board before it; no page stays open over a step."""
        if isinstance(result, Refused):
            self.refuse(result, command)
            return False
        self.home()
        told = feedback(result, before, self.session)
        self._set(turn=self.table.turn.after_step(self.now_s, ruled=told.ruled))
        if not told.ruled:
            self.acknowledge(StepResult.RULING)  # there is nothing to place
        for signal in told.signals:
            self.signal(signal)
        hides = self.base.TITLE_ASKS and Signal.LAST_CARD not in told.signals
        self.say("" if hides else told.says)  # also where it is empty: what stands there was before
        lasts_s = self.config.table.take_shown_s
        for place, taken in reversed([*enumerate(told.takings, start=1)] if lasts_s else []):
            self.open(taken, lasts_s=place * lasts_s)
        return True

    def _note_step(self, step: Step) -> None:
        self.happened.append(StepStored(self.session.match_id, step, self.session.playing))

    # ------------------------------------------------------------------------------------- devices

    def _enter_fault(self, fault: DeviceFault) -> None:
        self.machine.hold.let_go()  # it may be the key that is held: then nobody would hear its release
        fresh = fault.device not in self.session.faults
        self.session.faults[fault.device] = fault
        if fresh:
            told = DeviceAway(fault.device, text_of(fault.fault), text_of(fault.check))
            self.interrupt(told, FAULT_S)

    def _remove_fault(self, device: str) -> None:
        if self.session.faults.pop(device, None) is not None:
            self._set(
                pages=self.pages.remove(
                    [
                        one.page
                        for one in self.pages.opened
                        if isinstance(one.page, DeviceAway) and one.page.device == device
                    ]
                )
            )
            self.say(self.session.translate("{device} OK", device=device.partition("/")[0].upper()))

    def is_repeated(self, scanned: Scanned) -> bool:
        """Whether the scanner has read the same code again while the card was still held before it.

        A number that is typed twice is meant twice: two players have the same points.
        """
        before, scanned_s = self.table.scanned
        self._set(scanned=(scanned.text, self.now_s))
        if scanned.typed and scanned.text.lstrip("-").isdigit():
            return False
        return scanned.text == before and self.now_s - scanned_s < self.config.table.duplicate_s
