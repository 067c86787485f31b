"""Who answers a stranger: the attract loop, the pages that are open, the time after which it goes back to it.

See the package for the way of a key press.
"""

import math
from collections.abc import Callable, Mapping
from contextlib import suppress
from datetime import datetime
from functools import cache, partial
from pathlib import Path
from typing import Any, Final

from companion.core import games
from companion.core.codes import CardCode, ControlCode, RowCode, UnknownCode
from companion.core.game import RandomSource
from companion.text.errors import CompanionError
from companion.text.sentence import NOTHING, Text, literal, say
from companion.values import Value, field, replace
from firmware.config.configuration import Config
from firmware.kiosk import visitor
from firmware.kiosk.counts import FILE, UNKNOWN_DAY, Counts, is_open
from firmware.kiosk.operator import Pin
from firmware.loop.react import do
from firmware.loop.runtime import Runtime
from firmware.play.effects import Counted, PlainEffect, VisitorAction
from firmware.play.table import Extension, Table
from firmware.screens.before.lesson import shown_card
from firmware.screens.menu import main_menu
from firmware.screens.parts.base import Page
from firmware.screens.turn.table import CardsOfGame
from firmware.session import actions
from firmware.text.translation import LANGUAGES, Translator
from hardware import ports

PICTURE_S: Final = 6.0
"""How long a picture of the attract loop stays. Meanwhile its words are said in each language."""

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


class KioskState(Value):
    """What a kiosk must know at the next action. Seconds of the table's clock."""

    began_s: float = 0.0
    languages: tuple[str, ...] = tuple(LANGUAGES)
    """Of the attract loop, one after the other."""
    at_rest: bool = False
    """Whether nobody is there and the attract loop runs."""
    loop_s: float = 0.0
    """When the attract loop began."""
    counted: bool = False
    """Whether the visitor of now was counted."""
    active_s: float = 0.0
    """When something was done last, or a page appeared."""
    quiet_s: float = 0.0
    """When the last visitor did something, or had left."""
    saved_s: float = 0.0
    front: Page | None = None
    """The page that waits for the visitor."""
    owner_is_in: bool = False
    wrong_tries: int = 0
    silent_until_s: float = float("-inf")
    held: Mapping[ports.Key, float] = field(default_factory=dict)
    """The keys that are held down, and since when."""
    stuck: frozenset[ports.Key] = frozenset()
    """Keys that something holds down; they are ignored until they are released."""


class Kiosk(Extension):
    """The ways of a kiosk. Used by the game thread only.

    What it must remember is a `KioskState` of the table. `clock` gives the time of day at this place; None
    while the clock of the machine is not set. `celsius` is the temperature of the machine, None where it is
    not known.
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
        screen = config.screen
        self._translator = cache(partial(Translator, digits=screen.digits, calendar=screen.calendar))
        self._clock = clock
        self._celsius = celsius

    def begin(self, table: Table) -> None:
        """Begin the attract loop, in the language of the table."""
        now_s, languages = table.now_s, _beginning_with(table.session.language)
        table.keep(
            KioskState(began_s=now_s, active_s=now_s, quiet_s=now_s, saved_s=now_s, languages=languages)
        )
        self._rest(table)

    # ---------------------------------------------------------------------------- what the table asks

    @property
    def is_open(self) -> bool:
        """Whether it is open now; a box whose clock is not set is."""
        return is_open(self._options.hours, self._clock())

    @property
    def today(self) -> str:
        """The day as it is counted, such as 2026-02-21."""
        now = self._clock()
        return UNKNOWN_DAY if now is None else f"{now:%Y-%m-%d}"

    def intercept(self, message: ports.Message, table: Table) -> bool:
        """Answer a message; nothing of it reaches the ways of the table, unless the owner is in."""
        _follow_keys(message, table)
        if table.kept(KioskState).owner_is_in:
            if isinstance(message, ports.KeyPressed | ports.Scanned):
                _change(table, active_s=table.now_s)
            return False
        if isinstance(message, ports.DeviceFault):
            table.session.note_fault(message)
        elif isinstance(message, ports.DeviceRecovered):
            table.session.note_recovery(message.device)
        elif isinstance(message, ports.KeyPressed | ports.Scanned):
            self._answer_input(message, table)
        return True

    def answer(self, action: actions.Action, table: Table) -> bool:
        """Put the list of languages over what the visitor does; what it covers goes on then."""
        state = table.kept(KioskState)
        if state.owner_is_in or not isinstance(action, actions.LanguageAction):
            return False
        _change(table, active_s=table.now_s)
        if state.at_rest:  # who held the keys had left by then, as it seemed
            return True
        if isinstance(table.front, visitor.StillThere):
            table.close()
        if not isinstance(table.front, visitor.VisitorLanguage):
            table.open(visitor.VisitorLanguage(over=True))
            table.signal(ports.Signal.ACCEPTED)
        return True

    def tick(self, table: Table) -> None:
        """Let time pass: the attract loop goes on, a visitor who has left is missed."""
        _look_for_stuck_keys(table)
        self._look_for_operator(table)
        state = table.kept(KioskState)
        if state.owner_is_in:
            if table.now_s - state.active_s >= OWNER_S:
                self._rest(table)
        elif state.at_rest:
            self._turn_picture(table)
        else:
            _cover_table(table)
            self._wait_for_visitor(table)
        if table.now_s - table.kept(KioskState).saved_s >= SAVE_S:
            _save(table)
        table.update(light=self._light(table))

    def _light(self, table: Table) -> ports.Light:
        """Full while somebody is there and while it is open; then dim for a while, then dark."""
        state = table.kept(KioskState)
        if not state.at_rest or self.is_open:
            return ports.Light.FULL
        return ports.Light.DIM if table.now_s - state.quiet_s < DUSK_S else ports.Light.OFF

    def carry_out(self, effect: PlainEffect | Counted) -> None:
        """Count what a visitor has done, and write the counts."""
        if isinstance(effect, Counted):
            self.counts.add(self.today, effect.what.value)
        elif effect is PlainEffect.COUNTS_DUE:
            self.save_counts()

    def save_counts(self) -> None:
        """Write what was counted."""
        self.counts.save()

    def speak(self, language: str, table: Table) -> bool:
        """Say everything in a language until the next visitor comes."""
        table.session.speak(self._translator(language))
        return True

    def status(self, table: Table) -> dict[str, object]:
        return {"kiosk": self.figures(table)}

    def figures(self, table: Table) -> dict[str, object]:
        """What the status says of a kiosk."""
        state = table.kept(KioskState)
        return {
            "open": self.is_open,
            "clock_is_set": self._clock() is not None,
            "days_up": round((table.now_s - state.began_s) / _DAY_S, 2),
            "celsius": self._celsius(),
            "stuck_keys": sorted(key.value for key in state.stuck),
            "today": dict(self.counts.of(self.today)),
            "in_all": dict(self.counts.in_all()),
        }

    # ----------------------------------------------------------------------------------- the operator

    def open_with(self, pin: str, table: Table) -> bool:
        """Whether these digits open the page of the operator; three wrong ones close it for a minute."""
        if pin == self._options.pin:
            _change(table, wrong_tries=0)
            return True
        tries = table.kept(KioskState).wrong_tries + 1
        if tries < _TRIES:
            _change(table, wrong_tries=tries)
        else:
            _change(table, wrong_tries=0, silent_until_s=table.now_s + SILENT_S)
        return False

    def lines(self, table: Table) -> tuple[Text, ...]:
        """What there is to know, one line each."""
        state, celsius = table.kept(KioskState), self._celsius()
        up_s = int(table.now_s - state.began_s)
        days, hours = up_s // _DAY_S, up_s % _DAY_S // _HOUR_S
        stuck = ", ".join(sorted(key.value.replace("_", " ").upper() for key in state.stuck))
        today, in_all = self.counts.of(self.today), self.counts.in_all()
        return (
            say("VISITORS {today} / {all}", today=today["visitors"], all=in_all["visitors"]),
            say(
                "LESSONS {begun}, DONE {done}", begun=in_all["lessons_begun"], done=in_all["lessons_finished"]
            ),
            say("DEALS {begun}, DONE {done}", begun=in_all["deals_begun"], done=in_all["deals_finished"]),
            say("SCANS {scans}, BAD {bad}", scans=in_all["scans"], bad=in_all["bad_scans"]),
            say("STUCK KEYS: {keys}", keys=stuck or "-"),
            say("ON FOR {days} D {hours} H", days=days, hours=hours),
            say("{celsius} °C", celsius="-" if celsius is None else celsius),
            *(say("{device}: FAULT", device=device.upper()) for device in table.session.faults),
        )

    def begin_with(self, language: str, table: Table) -> None:
        """Speak a language, and begin the attract loop with it, until the box is started again."""
        _change(table, languages=_beginning_with(language))
        self.speak(language, table)

    def let_owner_in(self, table: Table) -> None:
        """Open the menu of the owner: from now on the box answers as at a table."""
        _change(table, owner_is_in=True)
        table.home()
        table.open(main_menu(table))

    def _look_for_operator(self, table: Table) -> None:
        state = table.kept(KioskState)
        held_s = [state.held[key] for key in _OPERATOR_KEYS if key in state.held]
        together = len(held_s) == len(_OPERATOR_KEYS) and not state.stuck.intersection(_OPERATOR_KEYS)
        if not together or table.now_s - max(held_s) < OPERATOR_S - _LONG_S:
            return
        _change(table, held={key: since for key, since in state.held.items() if key not in _OPERATOR_KEYS})
        if state.owner_is_in:
            self._rest(table)
        elif self._options.pin and table.now_s >= state.silent_until_s:
            _change(table, active_s=table.now_s, at_rest=False, counted=True)
            table.home()
            table.open(Pin(self))
            table.signal(ports.Signal.ACCEPTED)

    # ------------------------------------------------------------------------------------- inputs

    def _answer_input(self, message: ports.KeyPressed | ports.Scanned, table: Table) -> None:
        state = table.kept(KioskState)
        if isinstance(message, ports.KeyPressed) and message.key in state.stuck:
            return
        _change(table, active_s=table.now_s, quiet_s=table.now_s)
        if isinstance(message, ports.Scanned) and table.is_repeated(message):
            return
        action = table.read(message)
        if isinstance(message, ports.Scanned):
            bad = isinstance(action, UnknownCode | actions.NumberAction)
            table.count(VisitorAction.BAD_SCAN if bad else VisitorAction.SCAN)
        if not state.counted and not _may_be_operator(action):
            table.count(VisitorAction.VISITOR)
            _change(table, counted=True)
        if state.at_rest:
            self._welcome(action, table)
            return
        if isinstance(table.front, visitor.StillThere):
            table.close()
            if isinstance(action, actions.KeyAction):  # "press any key" was all that could be read
                table.signal(ports.Signal.ACCEPTED)
                return
        _answer(action, table)

    # --------------------------------------------------------------------------------------- time

    def _turn_picture(self, table: Table) -> None:
        """Show the picture of the attract loop whose time it is, in the language whose turn it is."""
        state = table.kept(KioskState)
        loop_s = _passed_s(table, state.loop_s)
        if not 0 <= loop_s < PICTURE_S * visitor.PICTURES:
            _change(table, loop_s=table.now_s)
            loop_s = 0.0
        picture, shown_s = divmod(loop_s, PICTURE_S)
        spoken, shown = divmod(shown_s / PICTURE_S * len(state.languages), 1.0)
        language = state.languages[int(spoken)]
        if table.session.language != language:
            self.speak(language, table)
        page = _picture(int(picture), shown, int(spoken))
        if table.front != page:
            table.show(page)

    def _welcome(self, action: actions.Action, table: Table) -> None:
        """Somebody has come: answer at once, with sound and picture, whatever was done.

        A key beside a language chooses it.
        """
        language = _language_of(action)
        table.home()
        table.signal(ports.Signal.ACCEPTED)
        if language is not None:
            self.speak(language, table)
            table.open(visitor.VisitorMenu())
        else:
            table.open(visitor.first_page())
            if isinstance(action, CardCode):
                table.front.handle(action, table)
        _change(table, at_rest=False, front=table.front)

    def _wait_for_visitor(self, table: Table) -> None:
        """Ask who is there if nothing was done for a while, and go back to the loop if nobody answers."""
        front = table.front
        asking = isinstance(front, visitor.StillThere)
        if not asking and front is not table.kept(KioskState).front:
            _change(table, front=front, active_s=table.now_s)  # it has just appeared, perhaps by itself
        state, options = table.kept(KioskState), self._options
        has_time = state.front is not None and state.front.HAS_TIME
        warn_s = options.deal_warn_s if has_time else options.menu_warn_s
        leave_s = options.deal_leave_s if has_time else options.menu_leave_s
        left_s = warn_s + leave_s - _passed_s(table, state.active_s)
        if left_s <= 0:
            self._rest(table)
        elif left_s <= leave_s:
            page = visitor.StillThere(math.ceil(left_s))
            if not asking:
                table.open(page)
                table.signal(ports.Signal.DUPLICATE)
            elif page != front:
                table.show(page)

    def _rest(self, table: Table) -> None:
        """Back to the attract loop; nothing of the visitor is left."""
        state = table.kept(KioskState)
        if state.owner_is_in:
            table.session.suspend()
        _change(
            table,
            owner_is_in=False,
            at_rest=True,
            counted=False,
            front=None,
            quiet_s=table.now_s,
            loop_s=table.now_s,
        )
        table.home()
        table.set_up(None)
        table.say(NOTHING)
        table.session.update(visitors=None)
        self.speak(state.languages[0], table)
        table.open(_picture(0))
        _save(table)


def _change(table: Table, **changes: Any) -> None:  # noqa: ANN401 - of any field of the state
    table.keep(replace(table.kept(KioskState), **changes))


def _save(table: Table) -> None:
    _change(table, saved_s=table.now_s)
    table.effects.append(PlainEffect.COUNTS_DUE)


def _follow_keys(message: ports.Message, table: Table) -> None:
    """Note which keys are held down, and since when."""
    state = table.kept(KioskState)
    if isinstance(message, ports.KeyReleased):
        held = {key: since for key, since in state.held.items() if key is not message.key}
        _change(table, held=held, stuck=state.stuck - {message.key})
    elif isinstance(message, ports.KeyPressed) and message.press is ports.Press.LONG:
        _change(table, held={message.key: table.now_s, **state.held})


def _look_for_stuck_keys(table: Table) -> None:
    state = table.kept(KioskState)
    for key, since_s in state.held.items():
        if key not in state.stuck and table.now_s - since_s >= STUCK_S:
            _change(table, stuck=table.kept(KioskState).stuck | {key})
            table.count(VisitorAction.STUCK_KEY)


def _cover_table(table: Table) -> None:
    """Put the menu of visitors over the pages of the table, where nothing lies on them.

    A page closes itself, and a fault in safe mode closes all of them.
    """
    if not table.pages.opened:
        table.open(visitor.VisitorMenu())


def _may_be_operator(action: actions.Action) -> bool:
    """Whether somebody may be about to open the page of the operator, who is no visitor."""
    key = action if isinstance(action, actions.KeyAction) else None
    return key is not None and key.key in _OPERATOR_KEYS and key.press is ports.Press.LONG


def _passed_s(table: Table, since_s: float) -> float:
    """How long ago that was, to a millisecond.

    The clock counts from the start of the machine, and the more it has counted, the less exact is a
    difference: without rounding it depended on that whether a picture is due now, or at the next look.
    """
    return round(table.now_s - since_s, 3)


def _language_of(action: actions.Action) -> str | None:
    if not isinstance(action, actions.KeyAction) or action.press is ports.Press.LONG:
        return None
    return dict(zip(actions.ROW_KEYS, LANGUAGES, strict=False)).get(action.key)


def _answer(action: actions.Action, table: Table) -> None:
    """Let the page in front answer; say so if it makes nothing of the action."""
    long = isinstance(action, actions.KeyAction) and action.press is ports.Press.LONG
    if long:
        return  # it is for the operator
    _cover_table(table)
    handled, silent = False, table.signals
    if not isinstance(action, ControlCode | actions.BadgeAction | RowCode):
        try:
            handled = table.front.handle(action, table)
        except CompanionError as bad:
            table.say(literal(table.session.translate.say(bad.fault_text).upper()))
    _cover_table(table)
    if handled:
        if table.signals == silent:
            table.signal(ports.Signal.ACCEPTED)
        return
    table.decline(_refusal(action, table))


def _refusal(action: actions.Action, table: Table) -> Text:
    """Why the page in front makes nothing of an action; a card is called by its name."""
    if isinstance(action, actions.KeyAction):
        return say("NOT THIS KEY")
    shown = shown_card(action, table) if isinstance(action, CardCode) else None
    if shown is None:
        return say("NOT A CARD FOR THIS")
    label = CardsOfGame(shown.game, table.session.translate).label(shown.card)
    return say("{card}: USE A KEY HERE", card=label)


def _picture(place: int, shown: float = 0.0, spoken: int = 0) -> Page:
    """A picture of the attract loop; `shown` is the part of the time of a language that is over, 0 to 1.

    With each language the next card of the scene goes to its row.
    """
    if place == visitor.SCENE_PICTURE:
        return visitor.ScenePage(
            games.first(), visitor.SCENE_STEPS * spoken + int(shown * visitor.SCENE_STEPS)
        )
    return visitor.Attract(place, open_cards=shown >= 0.5)  # noqa: PLR2004 - half of it


def _beginning_with(language: str) -> tuple[str, ...]:
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
    table = runtime.app.table
    table.extensions, table.chance = (*table.extensions, kiosk), rng
    do(table, kiosk.begin)
    return kiosk
