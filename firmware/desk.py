"""Who answers an act: the page in front, else the desk. Nothing is drawn, no device is touched here.

One scan's way: `hear` makes an act of the message, the page in front may answer it, else the
desk takes it as a play; `World.propose` writes it to the disk; the desk gives the signal and
remembers that the picture is old.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from companion import games
from companion.errors import CompanionError
from companion.game import Ask, Gives, Wait
from companion.game import Verb as Asked
from companion.ruling import Refused
from companion.text import NOTHING
from firmware.acts import Act, BadgeAct, CardAct, ForeignAct, KeyAct, OrderAct, act_of
from firmware.arming import arm
from firmware.earlier import steps_to_card
from firmware.flow import base, resumed
from firmware.outcome import show
from firmware.power import Hold
from hardware.ports import DeviceFault, DeviceMended, Key, KeyReleased, Light, Press, Scanned, Signal

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.cards import Seat
    from companion.codes import Verb
    from companion.game import Board
    from companion.match import Match, Step
    from firmware.power import Power
    from firmware.screens.base import Page
    from firmware.world import World
    from hardware.ports import Message

NOTICE_S = 2.5
AGAIN_S = 2.0
FAULT_S = 5.0


class Desk:
    """The pages that lie open over the world. Used by the game thread only; time is given to it.

    `now_s` is the time at which it is switched on, of the clock that `hear` and `tick` are told.
    """

    def __init__(self, world: World, signal: Callable[[Signal], None], now_s: float = 0.0) -> None:
        self.world = world
        self.now_s = now_s
        self.pages: list[tuple[Page, float | None]] = []
        self.armed: Seat | None = None
        self.notice = ""
        self.light = Light.FULL
        self.muted = not world.config.sound.on
        self.setup: Page | None = resumed(world)
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
        elif isinstance(message, DeviceMended):
            self._mended(message.device)
        elif isinstance(message, KeyReleased):
            self.hold.let_go()
        elif self._wakes():
            self.say(self.world.words("AWAKE. ONCE MORE."))
        elif not (isinstance(message, Scanned) and self._same_again(message.text)):
            codes = self.world.config.codes
            self.act(act_of(message, plain_numbers=codes.plain_numbers, box=codes.box))

    def act(self, act: Act) -> None:
        """Answer an act. A journal that cannot write is told on the glass, and nothing has changed."""
        self.hold.let_go()  # whatever is done beside it may leave the page that counts
        try:
            if not self.front.on(act, self):
                self._by_default(act)
        except CompanionError as bad:
            from firmware.screens.refusal import Refusal

            self.signal(Signal.REFUSED)
            self.open(Refusal(bad.fault, bad.fix))

    def tick(self, now_s: float) -> None:
        """Let time pass: notices fade, pages that last a while close, the glass dims."""
        self.now_s = now_s
        if self.hold.due(now_s) and self.power is not None:
            self.power.off()
            self.say(self.world.words("SWITCHING OFF"))
        if self.notice and now_s >= self._notice_until_s:
            self.notice = ""
        if self.armed is not None and now_s >= self.armed_until_s:
            self.armed = None
        self.pages = [(page, until) for page, until in self.pages if until is None or now_s < until]
        screen, idle_s = self.world.config.screen, now_s - self._active_s
        self.light = Light.FULL
        if screen.dim_after_s and idle_s >= screen.dim_after_s:
            self.light = Light.DIM
        if screen.hide_after_s and idle_s >= screen.hide_after_s:
            self.light = Light.OFF
        self._ask_for_missing()

    @property
    def front(self) -> Page:
        """The page that people see."""
        return self.pages[-1][0] if self.pages else base(self.world, self.seen, self.setup)

    @property
    def seen(self) -> set[tuple[str, int]]:
        """What people have acknowledged in the match in play, by the number of the step that led to it."""
        return self._seen.setdefault(self.world.match_id, set())

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
        self.setup = resumed(self.world)

    def say(self, text: str) -> None:
        """Show a line for a moment."""
        self.notice, self._notice_until_s = text, self.now_s + NOTICE_S

    def signal(self, signal: Signal) -> None:
        """Sound a signal, unless the sound is off."""
        if not self.muted:
            self._signal(signal)

    def acknowledge(self, what: str) -> None:
        """Remember that people have seen what the newest step led to."""
        newest = self.world.playing.newest
        self.seen.add((what, newest.number if newest else 0))

    def ask(self, verb: Asked) -> Ask | None:
        """The open question of a kind."""
        match = self.world.match
        return next((ask for ask in match.asks if ask.verb is verb), None) if match else None

    def propose(self, command: Any) -> bool:  # noqa: ANN401 - a command of the game in play
        """Make a command so and show what it led to; False, with the reason shown, if it is refused."""
        match = self.world.playing
        before = match.game.board(match.position.table)
        return self._told(self.world.propose(command), before, str(getattr(command, "card", "")))

    def join(self, seat: Seat, badge: int | None = None) -> bool:
        """Let somebody come to a seat, with a badge or none; False, with the reason shown, if refused."""
        match = self.world.playing
        return self._told(self.world.join(seat, badge), match.game.board(match.position.table))

    def _told(self, result: Step | Refused, before: Board, card: str = "") -> bool:
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
        words = self.world.words
        fault, fix = words.say(refused.fault), words.say(refused.fix)
        back = steps_to_card(self.world.playing, card) if card and self.world.match else None
        self.open(Refusal(fault, fix, words(refused.rule.short), refused.penalty, back))

    def undo(self) -> None:
        """Take back the newest step."""
        if self.world.match is None:
            return
        result = self.world.undo()
        if isinstance(result, Refused):
            self.refuse(result)
            return
        self.home()
        self.signal(Signal.ACCEPTED)
        self.say(self.world.words("TAKEN BACK"))

    def play(self, card: str, game: str = "") -> None:
        """A card was shown to the device."""
        from firmware.screens.refusal import Again, Refusal

        match = self.world.match
        words = self.world.words
        if match is None or not match.asks:
            self.signal(Signal.REFUSED)
            self.say(words("NO MATCH IS GOING ON"))
            return
        if game and game != self.world.code:
            self.signal(Signal.REFUSED)
            title = next((one.TITLE for one in map(games.module, games.GAMES) if game == one.CODE), game)
            fault = words("this is a card of {game}", game=title)
            fix = words("play the cards of {game}", game=match.game.title)
            self.open(Refusal(fault, fix, words("OF ANOTHER GAME")))
            return
        if self._on_top(card, match):
            return
        ask = next((one for one in match.asks if one.verb.gives is Gives.CARD), None)
        if ask is not None and card in ask.have:
            self.signal(Signal.DUPLICATE)
            self.home()
            self.open(Again(card, ask.have.index(card) + 1, ask.need), lasts_s=AGAIN_S)
            return
        # A card while something else is asked is one card too many: the referee says so.
        ask = ask or Ask(Asked.PLAY, match.asks[0].seats, Wait.ALL, NOTHING)
        seat = self.armed
        self.home()
        command = match.game.read(ask, seat, card)
        if self.propose(command):
            self.armed = None
            self._scan_s = self.now_s

    # ----------------------------------------------------------------------------------------- inner

    def _by_default(self, act: Act) -> None:
        match act:
            case CardAct(card, game):
                self.play(card, game)
            case BadgeAct():
                if not self._answers_below(act):
                    arm(act, self)
            case KeyAct():
                self._key(act)
            case OrderAct(verb):
                self._order(verb)
            case ForeignAct(text, why):
                self._foreign(text, why)

    def _key(self, act: KeyAct) -> None:
        from firmware.screens import menu, views

        if act.key is Key.OK and act.press is Press.LONG:
            self.open(menu.main(self))
        elif self.pages and act.key in (Key.OK, Key.UNDO):
            self.close()
        elif act.key is Key.UNDO:
            self.undo()
        elif self.world.match is not None and act.key in (Key.LEFT, Key.TURN_LEFT):
            self._toggle(views.Standings())
        elif self.world.match is not None and act.key in (Key.RIGHT, Key.TURN_RIGHT):
            self._toggle(views.Rows())
        elif self.world.match is not None and act.key is Key.WHY:
            views.why(self)

    def _toggle(self, page: Page) -> None:
        if self.pages and self.pages[-1][0] == page:
            self.close()
        else:
            self.open(page)

    def _order(self, verb: Verb) -> None:
        from firmware.screens import menu

        if not menu.order(verb, self):
            self.signal(Signal.REFUSED)
            self.say(self.world.words("NOT NOW"))

    def _foreign(self, text: str, why: str) -> None:
        from firmware.screens.refusal import Foreign

        self.signal(Signal.REFUSED)
        self.open(Foreign(text, why), lasts_s=FAULT_S)

    def _answers_below(self, act: Act) -> bool:
        """Whether it answers the question beneath what lies on top: who takes next need not wait."""
        return bool(self.pages) and base(self.world, self.seen, self.setup).on(act, self)

    def _fault(self, fault: DeviceFault) -> None:
        from firmware.screens.refusal import DeviceAway

        self.hold.let_go()  # a key that has gone cannot be let go
        fresh = fault.device not in self.world.faults
        self.world.faults[fault.device] = fault
        if fresh:
            self.open(DeviceAway(fault.device, fault.fault, fault.check), lasts_s=FAULT_S)

    def _mended(self, device: str) -> None:
        from firmware.screens.refusal import DeviceAway

        if self.world.faults.pop(device, None) is not None:
            told = [page for page, _ in self.pages if isinstance(page, DeviceAway) and page.device == device]
            self.pages = [(page, until_s) for page, until_s in self.pages if page not in told]
            self.say(self.world.words("{device} IS BACK", device=device.partition("/")[0].upper()))

    def _wakes(self) -> bool:
        dark = self.light is Light.OFF
        self._active_s, self.light = self.now_s, Light.FULL
        return dark

    def _same_again(self, text: str) -> bool:
        before, seen_s = self._code
        self._code = (text, self.now_s)
        return text == before and self.now_s - seen_s < self.world.config.table.duplicate_s

    def _ask_for_missing(self) -> None:
        from firmware.screens.refusal import Missing

        ask = self.ask(Asked.PLAY)
        if ask is None or not ask.have:
            self._scan_s = None
        elif self._scan_s is not None and self.now_s - self._scan_s >= self.world.config.table.missing_card_s:
            self._scan_s = None
            if not self.pages:
                self.open(Missing())

    def _on_top(self, card: str, match: Match) -> bool:
        """Whether a card came so soon after a ruling that it cannot belong to the next turn."""
        from firmware.screens.extra import TooMany

        page = base(self.world, self.seen, self.setup)
        soon = self.now_s - self.ruled_s < self.world.config.table.extra_card_s
        if page.NAME != "ruling" or not soon:
            return False
        here = match.game.board(match.position.table).newest
        lines = here or match.game.board(match.position.finished).newest
        turn = tuple(line.card for line in lines)
        if card in turn:
            self.signal(Signal.DUPLICATE)
            self.say(self.world.words("{card} IS IN THIS TURN", card=card))
            return True
        self.signal(Signal.REFUSED)
        self.home()
        self.open(TooMany(turn, card))
        return True
