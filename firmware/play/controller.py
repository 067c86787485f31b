"""The newest table, and the one place where what was decided is done: stored, sounded, told.

`react` decides. Whoever holds the messages calls `hear` and `tick`; the loop is in `app`.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, get_args

from companion.core.codes import ControlCode
from companion.core.game import RandomSource
from companion.text.sentence import NOTHING, as_it_is, say
from companion.values import replace
from firmware.config.configuration import Config
from firmware.journal.errors import JournalError
from firmware.journal.writes import Write
from firmware.play.effects import (
    Act,
    ActAnswered,
    Counted,
    Effect,
    Happening,
    PlainEffect,
    SignalGiven,
    StepStored,
    WasRefused,
)
from firmware.play.extension import Extension, Kiosk, installed
from firmware.play.react import Input, NotStored, Request, TableAction, TimePassed, react, read_input
from firmware.play.reaction import Reaction
from firmware.play.table import Equipment, Table, TableReader
from firmware.screens.before.start import interrupted_setup
from firmware.screens.parts.base import Page
from firmware.session.actions import ChoiceAction, KeyAction
from firmware.session.session import Session
from hardware.ports import KeyPressed, KeyReleased, Message, Press, Signal

_WRITES = get_args(Write)

_ONLY_AT_THE_BOX: Final = WasRefused("", say("that is done at the box itself"), say("use its keys"))


def _is_for_the_page(message: Input, config: Config) -> bool:
    """Whether the page in front answers an input, whatever it is: a card or a badge goes to the match."""
    return isinstance(read_input(message, config), KeyAction | ControlCode | ChoiceAction)


class TableController(TableReader):
    """The newest `table`. Used by the game thread only.

    It has no clock: `now_s` is the time at which it is switched on, in seconds of any monotonic clock, and
    `hear` and `tick` are told the time of the same clock. `signal` sounds a signal.
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
        self.happened: list[Happening] = []
        """What has come of the newest message, or of the time that has passed since."""
        self._signal = signal
        parts = tuple(make() for make in (installed() if extensions is None else extensions))
        session.can_deal = any(one.DEALS for one in parts)
        session.change(renaming=tuple(one.names for one in parts))
        self.table = Table(
            Equipment(config, session, parts),
            session.state,
            now_s=now_s,
            active_s=now_s,
            notice_until_s=now_s,
            muted=not config.sound.on,
        )
        self.do(lambda table: table.set_up(interrupted_setup(session)))

    # ------------------------------------------------------------------------------------------ in

    def hear(self, message: Message, now_s: float) -> bool:
        """Handle one message of a device, or what a thread of the table has found out.

        False for the same scan again, and for a key that only woke the display.
        """
        self.happened = []
        return self._carry_out(message, now_s)

    def tick(self, now_s: float) -> None:
        """Let time pass: notices end, pages that last a while close, the display dims."""
        self.happened = []
        self._carry_out(TimePassed(), now_s)

    def do(self, change: Callable[[Reaction], object]) -> None:
        """Let the program itself do something at the table."""
        self._carry_out(Request(change), self.now_s)

    def open(self, page: Page, lasts_s: float | None = None) -> None:
        """Put a page on top; it closes by itself after `lasts_s`."""
        self.do(lambda table: table.open(page, lasts_s))

    def home(self) -> None:
        """Remove all pages: back to the open question."""
        self.do(Reaction.home)

    def perform(self, act: Act, now_s: float) -> list[Happening]:
        """Do an act, unless it was meant for another moment; what has happened, and what came of it."""
        match, expect = self.session.match, act.said.expect
        newest = match.steps if match else 0
        if expect.step not in (None, newest) or expect.page not in (None, self.front.NAME):
            return [ActAnswered(act, why="changed")]
        at_the_box = self.front.AT_THE_BOX
        if at_the_box and isinstance(act.message, Input) and _is_for_the_page(act.message, self.config):
            return [ActAnswered(act, why="refused", refused=_ONLY_AT_THE_BOX)]
        self.do(Reaction.wake)  # who sends a key has seen the page, also while the display is dark
        counted = self.hear(act.message, now_s)
        happened = self.happened
        if self.front.AT_THE_BOX and not at_the_box:
            self.do(Reaction.close)
            return [*happened, ActAnswered(act, why="refused", refused=_ONLY_AT_THE_BOX)]
        if isinstance(act.message, KeyPressed) and act.message.press is Press.LONG:
            # No key stays down at the other end of a socket. So nothing that must be held is begun with it.
            self.hear(KeyReleased(act.message.key, act.message.at_s), now_s)
        steps = tuple(one.step.number for one in happened if isinstance(one, StepStored))
        signals = {one.signal for one in happened if isinstance(one, SignalGiven)}
        if not counted:
            answer = ActAnswered(act, why="repeated")
        elif signals & {Signal.REFUSED, Signal.DUPLICATE}:
            told = [one for one in happened if isinstance(one, WasRefused)]
            # A refusal without texts with facts is what the display says.
            fault, *fix = self.front.refusal or (as_it_is(self.notice),)
            shown = WasRefused("", fault, *(fix or (NOTHING,)))
            answer = ActAnswered(act, steps, "refused", told[-1] if told else shown)
        else:
            answer = ActAnswered(act, steps)
        return [*happened, answer]

    # ------------------------------------------------------------------------------------------ out

    def _carry_out(self, action: TableAction, now_s: float) -> bool:
        """Store what an action leads to, and only then let it count: what anyone has seen is on the disk.

        If that fails, the table stays as it was, and people are told. False where a message does not count.
        """
        before = replace(self.table, state=self.session.state)
        table, effects = react(before, action, now_s)
        writes = [one for one in effects if isinstance(one, _WRITES)]
        try:
            if writes:
                self.session.write(writes)
        except JournalError as error:
            before = replace(before, state=self.session.state)
            table, effects = react(before, NotStored(action, error), now_s)
        self.table = table
        self.session.adopt(table.state)
        for effect in effects:
            self._do(effect)
        if PlainEffect.KEPT_CARD_DUE in effects:
            self._carry_out(PlainEffect.KEPT_CARD_DUE, now_s)
        return PlainEffect.IGNORED not in effects

    def _do(self, effect: Effect) -> None:
        match effect:
            case SignalGiven(signal):
                self.happened.append(effect)
                if not self.muted:
                    self._signal(signal)
            case StepStored() | WasRefused():
                self.happened.append(effect)
            case PlainEffect.SWITCH_OFF if (power := self.table.equipment.power) is not None:
                power.off()
            case PlainEffect.RESTART if (power := self.table.equipment.power) is not None:
                power.restart()
            case Counted(what) if self.kiosk is not None:
                self.kiosk.count(what)
            case PlainEffect.COUNTS_DUE if self.kiosk is not None:
                self.kiosk.save_counts()

    # ------------------------------------------------------------------------------ what belongs to it

    def equip(self, **changes: Any) -> None:  # noqa: ANN401 - of any field of `Equipment`
        """Change what belongs to the table, before the loop runs."""
        self.table = replace(self.table, equipment=replace(self.table.equipment, **changes))

    def use_kiosk(self, kiosk: Kiosk, chance: RandomSource | None = None) -> None:
        """Make a kiosk of the box, before the loop runs; `chance` deals its cards, None: by chance."""
        self.equip(kiosk=kiosk, chance=chance)
        self.do(kiosk.begin)
