"""Who answers a stranger: the attract loop, the pages that are open, the time after which it goes back to it.

See the package for the way of a key press.
"""

import math
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path
from typing import Final

from companion.core import games
from companion.core.game import RandomSource
from companion.match.lesson import scenes_of
from companion.text.errors import CompanionError
from companion.text.sentence import NOTHING, as_it_is, say
from firmware.config.configuration import Config
from firmware.kiosk.counts import FILE, STUCK, UNKNOWN_DAY, Counts, is_open
from firmware.kiosk.operator import Pin
from firmware.play.extension import ExtendedTable, VisitedTable, extended
from firmware.play.runtime import Runtime
from firmware.screens import visitor
from firmware.screens.menu import main_menu
from firmware.screens.parts.base import Controller, Page, VisitorAction
from firmware.session import actions
from firmware.session.session import Session
from firmware.text.translation import DEFAULT, LANGUAGES, Translator
from hardware import ports

PICTURE_S: Final = 4.0
"""How long a picture of the attract loop stays: all four pass while somebody walks by."""

SCENE_EVERY: Final = 5
"""Every fifth time a played scene is shown in place of the pictures."""

DUSK_S: Final = 600.0
"""For so long after the last visitor, and after closing time, the display is dim before it goes dark."""

STUCK_S: Final = 30.0
"""A key that is held down for so long is held by something, not by somebody."""

SAVE_S: Final = 300.0
"""The longest time in which counts are not written while visitors come without a break."""


OPERATOR_S: Final = 5.0
"""OK and UNDO are held down together for so long to open the page of the operator."""

_LONG_S: Final = 0.8
"""After so long a press is a long one, and posted."""

_OPERATOR_KEYS: Final = (ports.Key.OK, ports.Key.UNDO)
_TRIES: Final = 3
SILENT_S: Final = 60.0
"""For so long nothing opens it after three wrong tries."""

OWNER_S: Final = 120.0
"""Without any input for so long, the owner has gone."""

_DAY_S: Final = 86_400
_HOUR_S: Final = 3600


class Kiosk:
    """The ways of a kiosk at one table (`firmware.play.extension.Kiosk`). Used by the game thread only.

    `clock` gives the time of day at this place; None while the clock of the machine is not set. `celsius` is
    the temperature of the machine, None where it is not known.
    """

    def __init__(
        self,
        config: Config,
        counts: Counts,
        clock: Callable[[], datetime | None] = lambda: None,
        celsius: Callable[[], int | None] = lambda: None,
    ) -> None:
        self.counts = counts
        self._options = config.kiosk
        self._digits = config.screen.digits
        self._clock = clock
        self._celsius = celsius
        self._began_s = 0.0
        self._owner_is_in = False
        self._wrong_tries = 0
        self._silent_until_s = float("-inf")
        self._translators: dict[str, Translator] = {}
        self._languages = _beginning_with(DEFAULT)
        self._now_s = self._active_s = self._quiet_s = self._saved_s = 0.0
        self._front: Page | None = None
        self._held: dict[ports.Key, float] = {}
        self.stuck: set[ports.Key] = set()
        """Keys that something holds down; they are ignored until they are released."""
        self._loop = 0
        self._loop_s = 0.0
        self._at_rest = False

    def begin(self, table: VisitedTable) -> None:
        """Begin the attract loop, in the language of the table."""
        self._began_s = self._now_s = self._active_s = self._quiet_s = self._saved_s = table.now_s
        self._languages = _beginning_with(table.session.language)
        self._rest(table)

    # ---------------------------------------------------------------------------- what the table asks

    @property
    def light(self) -> ports.Light:
        """Full while somebody is there and while it is open; then dim for a while, then dark."""
        if not self._at_rest or self.is_open:
            return ports.Light.FULL
        return ports.Light.DIM if self._now_s - self._quiet_s < DUSK_S else ports.Light.OFF

    def counts_down(self, front: Page) -> bool:
        """Whether seconds are counted on the display."""
        return isinstance(front, visitor.StillThere)

    @property
    def is_open(self) -> bool:
        """Whether it is open now; a box whose clock is not set is."""
        return is_open(self._options.hours, self._clock())

    @property
    def resting(self) -> bool:
        """Whether nobody is there and the attract loop runs."""
        return self._at_rest

    @property
    def clock_is_set(self) -> bool:
        """Whether the time of day is known."""
        return self._clock() is not None

    @property
    def today(self) -> str:
        """The day as it is counted, such as 2026-02-21."""
        now = self._clock()
        return UNKNOWN_DAY if now is None else f"{now:%Y-%m-%d}"

    def takes(self, message: ports.Message, table: VisitedTable) -> bool:
        """Answer a message; nothing of it reaches the ways of the table, unless the owner is in."""
        now_s = self._now_s = table.now_s
        self._follow_keys(message)
        if self._owner_is_in:
            if isinstance(message, ports.KeyPressed | ports.Scanned):
                self._active_s = now_s
            return False
        if isinstance(message, ports.DeviceFault):
            table.session.note_fault(message)
        elif isinstance(message, ports.DeviceRecovered):
            table.session.note_recovery(message.device)
        elif isinstance(message, ports.KeyPressed | ports.Scanned):
            self._answer_input(message, table)
        return True

    def offers_languages(self, table: VisitedTable) -> bool:
        """Put the list of languages over what the visitor does; what it covers goes on then."""
        if self._owner_is_in:
            return False
        self._active_s = self._now_s = table.now_s
        if self._at_rest:  # who held the keys had left by then, as it seemed
            return True
        if isinstance(table.front, visitor.StillThere):
            table.close()
        if not isinstance(table.front, visitor.VisitorLanguage):
            table.open(visitor.VisitorLanguage(over=True))
            table.signal(ports.Signal.ACCEPTED)
        return True

    def tick(self, table: VisitedTable) -> None:
        """Let time pass: the attract loop goes on, a visitor who has left is missed."""
        now_s = self._now_s = table.now_s
        self._look_for_stuck_keys()
        self._look_for_operator(table)
        if self._owner_is_in:
            if now_s - self._active_s >= OWNER_S:
                self._rest(table)
        elif self._at_rest:
            self._turn_picture(table)
        else:
            self._cover_table(table)
            self._wait_for_visitor(table)
        if now_s - self._saved_s >= SAVE_S:
            self._save()

    def count(self, what: VisitorAction) -> None:
        """Count what a visitor has done."""
        self.counts.add(self.today, what.value)

    def speak(self, language: str, table: ExtendedTable) -> None:
        """Say everything in a language until the next visitor comes."""
        if language not in self._translators:
            self._translators[language] = Translator(language, self._digits)
        table.session.speak(self._translators[language])

    def close(self) -> None:
        self._save()

    def figures(self) -> dict[str, object]:
        """What the status says of a kiosk."""
        return {
            "open": self.is_open,
            "clock_is_set": self.clock_is_set,
            "days_up": round((self._now_s - self._began_s) / _DAY_S, 2),
            "celsius": self._celsius(),
            "stuck_keys": sorted(key.value for key in self.stuck),
            "today": dict(self.counts.of(self.today)),
            "in_all": dict(self.counts.in_all()),
        }

    # ----------------------------------------------------------------------------------- the operator

    def open_with(self, pin: str) -> bool:
        """Whether these digits open the page of the operator; three wrong ones close it for a minute."""
        if pin == self._options.pin:
            self._wrong_tries = 0
            return True
        self._wrong_tries += 1
        if self._wrong_tries >= _TRIES:
            self._wrong_tries, self._silent_until_s = 0, self._now_s + SILENT_S
        return False

    def lines(self, session: Session) -> tuple[str, ...]:
        t = session.translate
        celsius, up_s = self._celsius(), int(self._now_s - self._began_s)
        days, hours = up_s // _DAY_S, up_s % _DAY_S // _HOUR_S
        stuck = ", ".join(sorted(key.value.replace("_", " ").upper() for key in self.stuck))
        today, in_all = self.counts.of(self.today), self.counts.in_all()
        return (
            t("VISITORS {today} / {all}", today=today["visitors"], all=in_all["visitors"]),
            t("LESSONS {begun}, DONE {done}", begun=in_all["lessons_begun"], done=in_all["lessons_finished"]),
            t("DEALS {begun}, DONE {done}", begun=in_all["deals_begun"], done=in_all["deals_finished"]),
            t("SCANS {scans}, BAD {bad}", scans=in_all["scans"], bad=in_all["bad_scans"]),
            t("STUCK KEYS: {keys}", keys=stuck or "-"),
            t("ON FOR {days} D {hours} H", days=days, hours=hours),
            t("{celsius} °C", celsius="-" if celsius is None else celsius),
            *(t("{device}: FAULT", device=device.upper()) for device in session.faults),
        )

    def begin_with(self, language: str, controller: Controller) -> None:
        """Speak a language, and begin the attract loop with it, until the box is started again."""
        self._languages = _beginning_with(language)
        self._loop = 0
        self.speak(language, extended(controller))

    def let_owner_in(self, table: Controller) -> None:
        """Open the menu of the owner: from now on the box answers as at a table."""
        self._owner_is_in = True
        table.home()
        table.open(main_menu(table))

    def _follow_keys(self, message: ports.Message) -> None:
        if isinstance(message, ports.KeyReleased):
            self._held.pop(message.key, None)
            self.stuck.discard(message.key)
        elif isinstance(message, ports.KeyPressed) and message.press is ports.Press.LONG:
            self._held.setdefault(message.key, self._now_s)

    def _look_for_operator(self, table: VisitedTable) -> None:
        held_s = [self._held[key] for key in _OPERATOR_KEYS if key in self._held]
        together = len(held_s) == len(_OPERATOR_KEYS) and not self.stuck.intersection(_OPERATOR_KEYS)
        if not together or self._now_s - max(held_s) < OPERATOR_S - _LONG_S:
            return
        for key in _OPERATOR_KEYS:
            del self._held[key]
        if self._owner_is_in:
            self._rest(table)
        elif self._options.pin and self._now_s >= self._silent_until_s:
            self._active_s, self._at_rest = self._now_s, False
            table.home()
            table.open(Pin(self))
            table.signal(ports.Signal.ACCEPTED)

    # ------------------------------------------------------------------------------------- inputs

    def _cover_table(self, table: VisitedTable) -> None:
        """Put the menu of visitors over the pages of the table, where nothing lies on them.

        A page closes itself, and a fault in safe mode closes all of them.
        """
        if not table.pages.opened:
            table.open(visitor.VisitorMenu())

    def _answer_input(self, message: ports.KeyPressed | ports.Scanned, table: VisitedTable) -> None:
        if isinstance(message, ports.KeyPressed) and message.key in self.stuck:
            return
        self._active_s = self._quiet_s = self._now_s
        if isinstance(message, ports.Scanned) and table.is_repeated(message):
            return
        codes = table.config.codes
        action = actions.action_of(
            message, plain_numbers=codes.plain_numbers, box=codes.box, strict=codes.strict
        )
        if isinstance(message, ports.Scanned):
            bad = isinstance(action, actions.UnknownCodeAction | actions.NumberAction)
            self.count(VisitorAction.BAD_SCAN if bad else VisitorAction.SCAN)
        if self._at_rest:
            self._welcome(action, table)
            return
        if isinstance(table.front, visitor.StillThere):
            table.close()
            if isinstance(action, actions.KeyAction):  # "press any key" was all that could be read
                table.signal(ports.Signal.ACCEPTED)
                return
        self._answer(action, table)

    def _welcome(self, action: actions.Action, table: VisitedTable) -> None:
        """Somebody has come: answer at once, with sound and picture, whatever was done."""
        self._at_rest = False
        self.count(VisitorAction.VISITOR)
        table.home()
        shown = visitor.shown_card(action, table) if isinstance(action, actions.CardAction) else None
        table.signal(ports.Signal.ACCEPTED)
        table.open(visitor.first_page() if shown is None else shown)
        self._front = table.front

    def _answer(self, action: actions.Action, table: VisitedTable) -> None:
        """Let the page in front answer; say so if it makes nothing of the action."""
        long = isinstance(action, actions.KeyAction) and action.press is ports.Press.LONG
        if long:
            return  # it is for the operator
        self._cover_table(table)
        handled, silent = False, table.signals
        if not isinstance(action, actions.ControlAction | actions.BadgeAction | actions.RowAction):
            try:
                handled = table.front.handle(action, table)
            except CompanionError as bad:
                table.say(as_it_is(table.session.translate.say(bad.fault_text).upper()))
        self._cover_table(table)
        if handled:
            if table.signals == silent:
                table.signal(ports.Signal.ACCEPTED)
            return
        table.signal(ports.Signal.REFUSED)
        key = isinstance(action, actions.KeyAction)
        table.say(say("NOT THIS KEY") if key else say("NOT A CARD FOR THIS"))

    # --------------------------------------------------------------------------------------- time

    def _turn_picture(self, table: VisitedTable) -> None:
        """Show the picture of the attract loop whose time it is."""
        place = int((self._now_s - self._loop_s) / PICTURE_S)
        if not 0 <= place < self._pictures:
            self._begin_loop(self._loop + 1, table)
            place = 0
        page = self._picture(place)
        if table.front != page:
            table.show(page)

    def _begin_loop(self, loop: int, table: VisitedTable) -> None:
        languages = self._languages
        self._loop, self._loop_s = loop, self._now_s
        self.speak(languages[loop % len(languages)], table)
        table.session.change(visitors=None)

    @property
    def _scene(self) -> int | None:
        """Which played scene this time; None: the pictures."""
        scenes = len(scenes_of(games.first()))
        if self._loop % SCENE_EVERY != SCENE_EVERY - 1 or not scenes:
            return None
        return self._loop // SCENE_EVERY % scenes

    @property
    def _pictures(self) -> int:
        return visitor.PICTURES if self._scene is None else visitor.parts_of(games.first(), self._scene)

    def _picture(self, place: int) -> Page:
        return (
            visitor.Attract(place)
            if self._scene is None
            else visitor.ScenePage(games.first(), self._scene, place)
        )

    def _wait_for_visitor(self, table: VisitedTable) -> None:
        """Ask who is there if nothing was done for a while, and go back to the loop if nobody answers."""
        front = table.front
        asking = isinstance(front, visitor.StillThere)
        if not asking and front is not self._front:  # it has just appeared, perhaps by itself
            self._front, self._active_s = front, self._now_s
        beneath = self._front
        options, has_time = self._options, beneath is not None and beneath.HAS_TIME
        warn_s = options.deal_warn_s if has_time else options.menu_warn_s
        leave_s = options.deal_leave_s if has_time else options.menu_leave_s
        left_s = warn_s + leave_s - (self._now_s - self._active_s)
        if left_s <= 0:
            self._rest(table)
        elif left_s <= leave_s:
            page = visitor.StillThere(math.ceil(left_s))
            if not asking:
                table.open(page)
                table.signal(ports.Signal.DUPLICATE)
            elif page != front:
                table.show(page)

    def _rest(self, table: VisitedTable) -> None:
        """Back to the attract loop; nothing of the visitor is left."""
        if self._owner_is_in:
            self._owner_is_in = False
            table.session.suspend()
        self._at_rest, self._front = True, None
        self._quiet_s = self._now_s
        table.home()
        table.set_up(None)
        table.say(NOTHING)
        self._begin_loop(self._loop, table)
        table.open(self._picture(0))
        self._save()

    def _look_for_stuck_keys(self) -> None:
        for key, since_s in list(self._held.items()):
            if key not in self.stuck and self._now_s - since_s >= STUCK_S:
                self.stuck.add(key)
                self.counts.add(self.today, STUCK)

    def _save(self) -> None:
        self._saved_s = self._now_s
        self.counts.save()


def _beginning_with(language: str) -> tuple[str, ...]:
    """All languages, this one first."""
    languages = tuple(LANGUAGES)
    before = languages.index(language)
    return languages[before:] + languages[:before]


JOURNAL: Final = "kiosk.sqlite"
"""The journal of a kiosk: nothing that visitors do is kept in the one of the household."""


def empty_journal(folder: Path) -> Path:
    """The path of the journal of a kiosk in a folder; what an earlier run left there is removed."""
    for file in folder.glob(f"{JOURNAL}*"):
        with suppress(OSError):
            file.unlink()
    return folder / JOURNAL


def install(
    runtime: Runtime,
    folder: Path | None = None,
    clock: Callable[[], datetime | None] = lambda: None,
    rng: RandomSource | None = None,
    celsius: Callable[[], int | None] = lambda: None,
) -> Kiosk:
    """Make a kiosk of a device before its loop runs. The counts are kept in `folder`; None: in memory only.

    `rng` deals cards to visitors; None: by chance. The rest is as for `Kiosk`.
    """
    counts = Counts(None if folder is None else folder / FILE)
    kiosk = Kiosk(runtime.config, counts, clock, celsius)
    runtime.app.controller.use_kiosk(kiosk, rng)
    return kiosk
