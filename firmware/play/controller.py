"""Who answers an act: the page in front, else the desk. Nothing is drawn, no device is touched here.

One scan's way: `hear` makes an act of the message, the page in front may answer it, else the
desk takes it as a play; `Session.propose` writes it to the disk; the desk gives the signal and
remembers that the picture is old.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion import games
from companion.errors import CompanionError
from companion.game import Ask, AskKind, Gives, Wait
from companion.ruling import Refused
from companion.text import NOTHING
from firmware.play.feedback import show
from firmware.play.flow import base_page, interrupted_setup
from firmware.play.turn_clock import arm
from firmware.session.actions import (
    Action,
    BadgeAction,
    CardAction,
    ControlAction,
    KeyAction,
    UnknownCodeAction,
    action_of,
)
from firmware.session.lookback import steps_to_card
from firmware.session.switch import Hold
from hardware.ports import DeviceFault, DeviceRecovered, Key, KeyReleased, Light, Press, Scanned, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.cards import Seat
    from companion.codes import Control
    from companion.game import Board
    from companion.match import Match, Step
    from firmware.screens.base import Page
    from firmware.session.session import Session
    from firmware.session.switch import Power
    from hardware.ports import Message

NOTICE_S = 2.5
AGAIN_S = 2.0
FAULT_S = 5.0


class Controller:
    """The pages that lie open over the world. Used by the game thread only; time is given to it.

    `now_s` is the time at which it is switched on, of the clock that `hear` and `tick` are told.
    """

    def __init__(self, session: Session, signal: Callable[[Signal], None], now_s: float = 0.0) -> None:
        self.session = session
        self.now_s = now_s
        self.pages: list[tuple[Page, float | None]] = []
        self.armed: Seat | None = None
        self.notice = ""
        self.light = Light.FULL
        self.muted = not session.config.sound.on
        self.setup: Page | None = interrupted_setup(session)
        self.hold = Hold()
        self.power: Power | None = None  # the switch of the machine, where it is ours to use
        self._signal = signal
        self._seen: dict[int | None, set[tuple[str, int]]] = {}
        self.armed_until_s = self._notice_until_s = self._active_s = now_s
        self._code = ("", -1e9)
        self._scan_s: float | None = None
        self.ruled_s = -1e9
        self.stepped_s = self.armed_at_s = -1e9

    # ------------------------------------------------------------------------------------------ in

    def hear(self, message: Message, now_s: float) -> None:
        """Take one message of a device."""
        self.now_s = now_s
        if isinstance(message, DeviceFault):
            self._fault(message)
        elif isinstance(message, DeviceRecovered):
            self._recovered(message.device)
        elif isinstance(message, KeyReleased):
            self.hold.let_go()
        elif self._wakes():
            self.say(self.session.translate("AWAKE. ONCE MORE."))
        elif not (isinstance(message, Scanned) and self._is_repeated(message.text)):
            codes = self.session.config.codes
            self.act(action_of(message, plain_numbers=codes.plain_numbers, box=codes.box))

    def act(self, action: Action) -> None:
        """Answer an act. A journal that cannot write is told on the glass, and nothing has changed."""
        self.hold.let_go()  # whatever is done beside it may leave the page that counts
        try:
            if not self.front.handle(action, self):
                self._by_default(action)
        except CompanionError as bad:
            from firmware.screens.refusal import Refusal

            self.signal(Signal.REFUSED)
            self.open(Refusal(bad.fault, bad.fix))

    def tick(self, now_s: float) -> None:
        """Let time pass: notices fade, pages that last a while close, the glass dims."""
        self.now_s = now_s
        if self.hold.due(now_s) and self.power is not None:
            self.power.off()
            self.say(self.session.translate("SWITCHING OFF"))
        if self.notice and now_s >= self._notice_until_s:
            self.notice = ""
        if self.armed is not None and now_s >= self.armed_until_s:
            self.armed = None
        self.pages = [(page, until) for page, until in self.pages if until is None or now_s < until]
        screen, idle_s = self.session.config.screen, now_s - self._active_s
        self.light = Light.FULL
        if screen.dim_after_s and idle_s >= screen.dim_after_s:
            self.light = Light.DIM
        if screen.hide_after_s and idle_s >= screen.hide_after_s:
            self.light = Light.OFF
        self._ask_for_missing()

    @property
    def front(self) -> Page:
        """The page that people see."""
        return self.pages[-1][0] if self.pages else base_page(self.session, self.seen, self.setup)

    @property
    def seen(self) -> set[tuple[str, int]]:
        """What people have acknowledged in the match in play, by the number of the step that led to it."""
        return self._seen.setdefault(self.session.match_id, set())

    # --------------------------------------------------------------------------- what pages may order

    def open(self, page: Page, lasts_s: float | None = None) -> None:
        """Lay a page on top, and no notice over it; it closes by itself after `lasts_s`."""
        self.notice = ""
        self.pages.append((page, None if lasts_s is None else self.now_s + lasts_s))

    def close(self) -> None:
        """Take the top page away."""
        if self.pages:
            self.pages.pop()

    def swap(self, page: Page) -> None:
        """Put another page in the place of the one in front."""
        if self.pages:
            self.pages[-1] = (page, self.pages[-1][1])
        else:
            self.setup = page

    def home(self) -> None:
        """Back to the question that is open."""
        self.pages.clear()

    def set_up_again(self) -> None:
        """Back to the question that is open, as it is in the journal; what was only begun is forgotten."""
        self.home()
        self.setup = interrupted_setup(self.session)

    def say(self, text: str) -> None:
        """Show a line for a moment."""
        self.notice, self._notice_until_s = text, self.now_s + NOTICE_S

    def signal(self, signal: Signal) -> None:
        """Sound a signal, unless the sound is off."""
        if not self.muted:
            self._signal(signal)

    def acknowledge(self, what: str) -> None:
        """Remember that people have seen what the newest step led to."""
        newest = self.session.playing.newest
        self.seen.add((what, newest.number if newest else 0))

    def ask(self, kind: AskKind) -> Ask | None:
        """The open question of a kind."""
        match = self.session.match
        return next((ask for ask in match.asks if ask.kind is kind), None) if match else None

    def propose(self, command: Any) -> bool:  # noqa: ANN401 - a command of the game in play
        """Make a command so and show what it led to; False, with the reason shown, if it is refused."""
        match = self.session.playing
        before = match.game.board(match.position.table)
        return self._show_result(self.session.propose(command), before, str(getattr(command, "card", "")))

    def join(self, seat: Seat, badge: int | None = None) -> bool:
        """Let somebody come to a seat, with a badge or none; False, with the reason shown, if refused."""
        match = self.session.playing
        return self._show_result(self.session.join(seat, badge), match.game.board(match.position.table))

    def _show_result(self, result: Step | Refused, before: Board, card: str = "") -> bool:
        if isinstance(result, Refused):
            self.refuse(result, card)
            return False
        self.notice = ""  # what it says belongs to the question that has just been answered
        show(result, before, self)
        return True

    def refuse(self, refused: Refused, card: str = "") -> None:
        """Show why something does not stand, and the way back to where the card came before."""
        from firmware.screens.refusal import Refusal

        self.signal(Signal.REFUSED)
        translate = self.session.translate
        fault, fix = translate.say(refused.fault), translate.say(refused.fix)
        back = steps_to_card(self.session.playing, card) if card and self.session.match else None
        self.open(Refusal(fault, fix, translate(refused.rule.short), refused.penalty, back))

    def undo(self) -> None:
        """Take back the newest step."""
        if self.session.match is None:
            return
        result = self.session.undo()
        if isinstance(result, Refused):
            self.refuse(result)
            return
        self.home()
        self.signal(Signal.ACCEPTED)
        self.say(self.session.translate("TAKEN BACK"))

    def play(self, card: str, game: str = "") -> None:
        """A card was shown to the device."""
        from firmware.screens.refusal import DuplicateCard, Refusal

        match = self.session.match
        translate = self.session.translate
        if match is None or not match.asks:
            self.signal(Signal.REFUSED)
            self.say(translate("NO MATCH IS GOING ON"))
            return
        if game and game != self.session.code:
            self.signal(Signal.REFUSED)
            title = next((one.TITLE for one in map(games.module, games.GAMES) if game == one.CODE), game)
            fault = translate("this is a card of {game}", game=title)
            fix = translate("play the cards of {game}", game=match.game.title)
            self.open(Refusal(fault, fix, translate("OF ANOTHER GAME")))
            return
        if self._is_extra_card(card, match):
            return
        ask = next((one for one in match.asks if one.kind.gives is Gives.CARD), None)
        if ask is not None and card in ask.have:
            self.signal(Signal.DUPLICATE)
            self.home()
            self.open(DuplicateCard(card, ask.have.index(card) + 1, ask.need), lasts_s=AGAIN_S)
            return
        # A card while something else is asked is one card too many: the referee says so.
        ask = ask or Ask(AskKind.PLAY, match.asks[0].seats, Wait.ALL, NOTHING)
        seat = self.armed
        self.home()
        command = match.game.read(ask, seat, card)
        if self.propose(command):
            self.armed = None
            self._scan_s = self.now_s

    # ----------------------------------------------------------------------------------------- inner

    def _by_default(self, action: Action) -> None:
        match action:
            case CardAction(card, game):
                self.play(card, game)
            case BadgeAction():
                if not self._answers_below(action):
                    arm(action, self)
            case KeyAction():
                self._key(action)
            case ControlAction(control):
                self._run_control(control)
            case UnknownCodeAction(text, why):
                self._show_unknown_code(text, why)

    def _key(self, action: KeyAction) -> None:
        from firmware.screens import menu, views

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

    def _toggle(self, page: Page) -> None:
        if self.pages and self.pages[-1][0] == page:
            self.close()
        else:
            self.open(page)

    def _run_control(self, control: Control) -> None:
        from firmware.screens import menu

        if not menu.run_control(control, self):
            self.signal(Signal.REFUSED)
            self.say(self.session.translate("NOT NOW"))

    def _show_unknown_code(self, text: str, why: str) -> None:
        from firmware.screens.refusal import UnknownCodePage

        self.signal(Signal.REFUSED)
        self.open(UnknownCodePage(text, why), lasts_s=FAULT_S)

    def _answers_below(self, action: Action) -> bool:
        """Whether it answers the question beneath what lies on top: who takes next need not wait."""
        return bool(self.pages) and base_page(self.session, self.seen, self.setup).handle(action, self)

    def _fault(self, fault: DeviceFault) -> None:
        from firmware.screens.refusal import DeviceAway

        self.hold.let_go()  # a key that has gone cannot be let go
        fresh = fault.device not in self.session.faults
        self.session.faults[fault.device] = fault
        if fresh:
            self.open(DeviceAway(fault.device, fault.fault, fault.check), lasts_s=FAULT_S)

    def _recovered(self, device: str) -> None:
        from firmware.screens.refusal import DeviceAway

        if self.session.faults.pop(device, None) is not None:
            told = [page for page, _ in self.pages if isinstance(page, DeviceAway) and page.device == device]
            self.pages = [(page, until_s) for page, until_s in self.pages if page not in told]
            self.say(self.session.translate("{device} IS BACK", device=device.partition("/")[0].upper()))

    def _wakes(self) -> bool:
        dark = self.light is Light.OFF
        self._active_s, self.light = self.now_s, Light.FULL
        return dark

    def _is_repeated(self, text: str) -> bool:
        before, seen_s = self._code
        self._code = (text, self.now_s)
        return text == before and self.now_s - seen_s < self.session.config.table.duplicate_s

    def _ask_for_missing(self) -> None:
        from firmware.screens.refusal import MissingCards

        ask = self.ask(AskKind.PLAY)
        if ask is None or not ask.have:
            self._scan_s = None
        elif (
            self._scan_s is not None and self.now_s - self._scan_s >= self.session.config.table.missing_card_s
        ):
            self._scan_s = None
            if not self.pages:
                self.open(MissingCards())

    def _is_extra_card(self, card: str, match: Match) -> bool:
        """Whether a card came so soon after a ruling that it cannot belong to the next turn."""
        from firmware.screens.extra_card import ExtraCard

        page = base_page(self.session, self.seen, self.setup)
        soon = self.now_s - self.ruled_s < self.session.config.table.extra_card_s
        if page.NAME != "ruling" or not soon:
            return False
        here = match.game.board(match.position.table).newest
        lines = here or match.game.board(match.position.finished).newest
        turn = tuple(line.card for line in lines)
        if card in turn:
            self.signal(Signal.DUPLICATE)
            self.say(self.session.translate("{card} IS IN THIS TURN", card=card))
            return True
        self.signal(Signal.REFUSED)
        self.home()
        self.open(ExtraCard(turn, card))
        return True
