"""The table in front of people: what it is, what can be done at it, and what an optional part adds to it.

Pages, parts and programs are all given the table and call its verbs. One action at a time is answered: who is
asked, and in which order, is in `firmware.loop.react`. Verbs change `state` and `session` in memory, and
gather in `effects` what else they lead to; `Table.transaction` stores all of it at the end, or nothing.
Everything here is used by the game thread only, unless it says otherwise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ClassVar, Final, Protocol, TypeVar

from companion.core.ask import Ask
from companion.core.board import Board
from companion.core.cards import Seat
from companion.core.game import RandomSource
from companion.core.ruling import Refused
from companion.match.match import Match, Step
from companion.text.errors import CompanionError
from companion.text.sentence import NOTHING, Text, say
from companion.values import Value, replace
from firmware.config.configuration import Config
from firmware.play.acts import SocketAct
from firmware.play.effects import (
    Counted,
    Effect,
    Happening,
    PlainEffect,
    SignalGiven,
    StepStored,
    VisitorAction,
    WasRefused,
)
from firmware.play.page import AnyPage
from firmware.play.pages import Pages
from firmware.play.state import NOT_SCANNED, Moment, TableState
from firmware.plugins import parts
from firmware.session.actions import Action, Hold, action_of
from firmware.session.session import Session
from firmware.session.table_notes import LAYOUTS
from hardware.ports import OWN_KEYS, ExtensionMessage, KeyPressed, Light, Message, Scanned, Signal

Part = TypeVar("Part")
Kept = TypeVar("Kept", bound=Value)

NOTICE_S: Final = 2.5
BAND_S: Final = 8.0
"""For how long a band says what was refused, while nothing else is done."""

_MAX_SEEN: Final = 300
"""Results of which it is known that people have seen them; a device runs for months."""


class Power(Protocol):
    """The switch of the machine (`firmware.service.power`); both methods return at once and raise nothing."""

    def off(self) -> None: ...

    def restart(self) -> None: ...


class Screens(Protocol):
    """The pages that come by themselves, which nobody has opened with a key: `firmware.screens.flow`."""

    def base_page(self, session: Session, has_seen: Callable[[str], bool], setup: AnyPage | None) -> AnyPage:
        """The page of the open question."""

    def show_step(self, table: Table, step: Step, before: Board) -> None:
        """Tell what the newest step has led to, given the board before it."""

    def refuse(self, table: Table, refused: Refused, command: object) -> None:
        """Show why a command is refused."""

    def explain(self, table: Table, fault: Text, fix: Text, title: Text, signal: Signal) -> None:
        """Show why something is not done, and what to do instead."""

    def undone(self, step: Step, session: Session) -> Text:
        """What to say when a step was undone."""

    def next_card(self, turn: tuple[str, ...], card: str, ruling: AnyPage | None) -> AnyPage:
        """What is told of a card that comes before a turn with these cards is over, or right after it."""

    def extra_card(self, turn: tuple[str, ...], card: str, *, plays_on: bool) -> AnyPage:
        """The page that asks which card of a turn was one too many."""


class Table:
    """What is open, said and played here (`state`, `session`), and the verbs that change it.

    It has no clock: `now_s` is the time at which it is switched on, in seconds of any monotonic clock, and
    every action comes with the time of the same clock. `signal` sounds a signal.
    """

    def __init__(
        self,
        session: Session,
        config: Config,
        signal: Callable[[Signal], None],
        screens: Screens,
        now_s: float = 0.0,
    ) -> None:
        self.session = session
        self.config = config
        self.screens = screens
        self.extensions = tuple(make() for make in installed())
        self.chance: RandomSource | None = None
        """What deals cards where the box plays; None: by chance."""
        self.power: Power | None = None
        """The switch of the machine; None where this program may not use it."""
        self.change_settings: Callable[[Mapping[str, Mapping[str, object]]], None] | None = None
        """Changes keys of the file with the configuration, by section and key; None where there is no file.

        Blocks for syncs of the disk. Raises `CompanionError`; then nothing has changed.
        """
        self.state = TableState(now_s=now_s, active_s=now_s, notice_until_s=now_s, muted=not config.sound.on)
        self.effects: list[Effect] = []
        """What the action that is answered now leads to."""
        self.queue: list[Action] = []
        """What is to be answered next: a page has passed it on."""
        self.happened: list[Happening] = []
        """What has come of the newest message, or of the time that has passed since."""
        self._signal = signal
        session.stepped = lambda step: self.effects.append(
            StepStored(session.match_id, step, session.playing)
        )
        session.can_deal = any(part.DEALS for part in self.extensions)
        session.update(renaming=tuple(part.names for part in self.extensions))

    # ------------------------------------------------------------------------------------- one action

    @contextmanager
    def transaction(self) -> Iterator[list[Effect]]:
        """Store at the end what is done within, all or nothing, and only then give signals and tell parts.

        Gives the effects. If storing fails, table and session are as they were, and it raises `JournalError`.
        """
        self.effects, self.queue, before = [], [], self.state
        effects = self.effects
        try:
            with self.session.transaction(effects):
                yield effects
        except BaseException:
            self.state = before
            raise
        for effect in effects:
            self._carry_out(effect)

    def _carry_out(self, effect: Effect) -> None:
        match effect:
            case SignalGiven(signal):
                self.happened.append(effect)
                if not self.state.muted:
                    self._signal(signal)
            case StepStored() | WasRefused():
                self.happened.append(effect)
            case PlainEffect.SWITCH_OFF if self.power is not None:
                self.power.off()
            case PlainEffect.RESTART if self.power is not None:
                self.power.restart()
            case PlainEffect() | Counted():
                for part in self.extensions:
                    part.carry_out(effect)

    def act(self, action: Action) -> None:
        """Answer an action as if it had just come: by the page in front, else in the usual way.

        So a page that has closed itself passes on what was meant for the page below it.
        """
        self.queue.append(action)

    def update(self, **changes: Any) -> None:  # noqa: ANN401 - of any field of the state
        """Put a state with other fields in the place of the one there is."""
        self.state = replace(self.state, **changes)

    def offer_to_parts(self, message: Message) -> bool:
        """Let a part handle a message, one that it intercepts or one of its own; whether that is all."""
        own = message if isinstance(message, ExtensionMessage) else None
        is_input = own is None or own.IS_INPUT
        if is_input and any(part.intercept(message, self) for part in self.extensions):
            return True
        if own is not None:
            any(part.handle_message(own, self) for part in self.extensions)
        return own is not None

    def counts(self, message: Message) -> bool:
        """Whether an input counts: not the same scan again, nor a key that only wakes the display."""
        dark = self.state.light is Light.OFF
        self.wake()
        # A key only lights a dark display up, for nobody could see what it would do. A scan always counts:
        # the scanner has told its player that it has read the card. So does a player's own key.
        if dark and isinstance(message, KeyPressed) and message.key not in OWN_KEYS:
            self.say(say("AWAKE: TRY AGAIN"))
        elif not isinstance(message, Scanned) or not self.is_repeated(message):
            return True
        self.effects.append(PlainEffect.IGNORED)
        return False

    def wake(self) -> None:
        """Light a dark display up, so that the next key counts."""
        self.update(active_s=self.now_s, light=Light.FULL)

    def is_repeated(self, scanned: Scanned) -> bool:
        """Whether the scanner has read the same code again while the card was still held before it.

        A number that is typed twice is meant twice: two players have the same points.
        """
        before, scanned_s = self.state.scanned
        self.update(scanned=(scanned.text, self.now_s))
        if scanned.typed and scanned.text.lstrip("-").isdigit():
            return False
        return scanned.text == before and self.now_s - scanned_s < self.config.table.duplicate_s

    def read(self, message: KeyPressed | Scanned) -> Action:
        """What players do with a key or a scan; to which keyboard a scanner is set, is noted."""
        codes, notes = self.config.codes, self.session.notes
        scanner, layout = "", ""
        if isinstance(message, Scanned):
            scanner, layout = message.scanner, notes.layouts.get(message.scanner, "")
        action, found = action_of(message, plain_numbers=codes.plain_numbers, box=codes.box, layout=layout)
        if found != layout:
            notes.remember(LAYOUTS, {**notes.layouts, scanner: found})
        return action

    # ------------------------------------------------------------------------------- what can be read

    @property
    def now_s(self) -> float:
        """The time of what is answered now, in seconds of a monotonic clock."""
        return self.state.now_s

    @property
    def pages(self) -> Pages:
        """The open pages."""
        return self.state.pages

    @property
    def front(self) -> AnyPage:
        """The page that players see."""
        return self.state.pages.front or self.base

    @property
    def base(self) -> AnyPage:
        """The page of the open question, beneath all others; it is computed, and kept nowhere."""
        page = self.screens.base_page(self.session, self.has_seen, self.state.setup)
        for part in self.extensions:
            page = part.page(page, self)
        return page

    @property
    def notice(self) -> str:
        """The line over the page; empty where there is none."""
        return self.state.notice

    @property
    def refusal(self) -> tuple[Text, ...]:
        """What was refused last, and what to do instead, while the display says so; else empty."""
        return (self.state.refused or self.front).refusal

    @property
    def moment(self) -> Moment:
        """The match, and the number of its newest step."""
        match = self.session.match
        return self.session.match_id, match.newest.number if match is not None and match.newest else 0

    @property
    def counts_down(self) -> bool:
        """Whether the display changes within a second although nobody does anything."""
        front = self.front
        return bool(self.state.hold.held or self.state.chord.held or front.MOVES or front.stays_s)

    def has_seen(self, result: str) -> bool:
        """Whether players have acknowledged this result of the newest step.

        Of a match that was read back from the journal, all that people have played past counts as seen: else
        an UNDO would show an old ruling as if it were new.
        """
        moment = self.moment
        return moment[1] < self.session.state.acknowledged_step or result in self.state.seen.get(moment, ())

    def extension(self, kind: type[Part]) -> Part:
        """The optional part of this class at this table. Raises `LookupError` where it is not installed."""
        for part in self.extensions:
            if isinstance(part, kind):
                return part
        raise LookupError(kind.__name__)

    def kept(self, kind: type[Kept]) -> Kept:
        """What was kept of this class (`keep`), or its defaults."""
        value = self.state.kept.get(kind)
        return value if isinstance(value, kind) else kind()

    def keep(self, value: Value) -> None:
        """Keep a value as part of the table, in the place of another one of its class."""
        self.update(kept={**self.state.kept, type(value): value})

    # ------------------------------------------------------------------------------------- the pages

    def open(self, page: AnyPage, lasts_s: float | None = None) -> None:
        """Put a page on top, without a notice over it; it closes by itself after `lasts_s` seconds."""
        until_s = None if lasts_s is None else self.now_s + lasts_s
        self.update(notice="", refused=None, pages=self.pages.open(page, until_s))

    def interrupt(self, page: AnyPage, lasts_s: float | None = None) -> None:
        """Put a page on top that nobody has asked for: a key of this moment was not meant for it."""
        until_s = None if lasts_s is None else self.now_s + lasts_s
        self.update(notice="", refused=None, pages=self.pages.interrupt(page, until_s, self.now_s))

    def show(self, page: AnyPage) -> None:
        """Put a page in the place of the one on top; over the open question, where no page is on top."""
        if self.pages.opened:
            self.update(pages=self.pages.show(page))
        else:
            self.open(page)

    def close(self) -> None:
        """Remove the page on top."""
        self.update(pages=self.pages.close())

    def home(self) -> None:
        """Remove all pages: back to the open question."""
        if self.pages.opened:
            self.update(pages=self.pages.close(len(self.pages.opened)))

    def set_up(self, page: AnyPage | None) -> None:
        """Choose the page that is shown while no match is in play; None is the start page."""
        self.update(setup=page)
        if page is not None:
            for part in self.extensions:
                page = part.set_up(page, self)
                self.update(setup=page)

    def acknowledge(self, result: str) -> None:
        """Note that players have seen what the newest step led to."""
        seen = {**self.state.seen, self.moment: self.state.seen.get(self.moment, frozenset()) | {result}}
        if len(seen) > _MAX_SEEN:
            del seen[next(iter(seen))]
        self.update(seen=seen)

    # --------------------------------------------------------------------- what is seen and heard beside

    def say(self, text: Text) -> None:
        """Show a line over the page for a moment; an empty one removes the line that is there."""
        says = self.session.translate.say(text)
        self.update(notice=says, notice_until_s=self.now_s + NOTICE_S, refused=None)

    def show_band(self, page: AnyPage) -> None:
        """Say what a page explains in a band over the open question; explanations never stack."""
        if self.front.refusal:
            self.close()
        self.update(notice=page.brief(self.session), notice_until_s=self.now_s + BAND_S, refused=page)

    def signal(self, signal: Signal) -> None:
        """Sound a signal, unless sound is off."""
        self.effects.append(SignalGiven(signal))

    @property
    def signals(self) -> int:
        """How many signals were given in answer to this action."""
        return sum(isinstance(effect, SignalGiven) for effect in self.effects)

    def decline(self, says: Text, signal: Signal = Signal.REFUSED) -> None:
        """Say in a line, with a signal, why something is not done."""
        self.signal(signal)
        self.note_refusal(says)
        self.say(says)

    def refuse(self, refused: Refused, command: Any = None) -> None:  # noqa: ANN401 - a command of any game
        """Show why something is refused: the command, where it is known."""
        self.screens.refuse(self, refused, command)

    def explain(self, fault: Text, fix: Text, title: Text = NOTHING, signal: Signal = Signal.REFUSED) -> None:
        """Say in a band, with a signal, why something is not done, and what to do instead."""
        self.screens.explain(self, fault, fix, title, signal)

    def refuse_error(self, bad: CompanionError) -> None:
        """Show that something could not be done."""
        self.explain(bad.fault_text, bad.fix_text)

    def refuse_on(self, page: AnyPage, rule: str = "", signal: Signal = Signal.REFUSED) -> None:
        """Tell what a page of a refusal explains, with a signal; `rule` is the key of what forbids it."""
        fault, fix = page.refusal
        self.signal(signal)
        self.note_refusal(fault, fix, rule)
        self.show_band(page)

    def note_refusal(self, fault: Text, fix: Text = NOTHING, rule: str = "") -> None:
        """Note, for those who watch, that something was refused; `rule` is the key of what forbids it."""
        self.effects.append(WasRefused(rule, fault, fix))

    # ------------------------------------------------------------------------------------- the match

    def propose(self, command: Any) -> bool:  # noqa: ANN401 - a command of the game in play
        """Carry a command out and show what it led to; False, with the reason shown, if it is refused."""
        before = self.session.playing.board
        return self.show_result(self.session.propose(command), before, command)

    def answer(self, ask: Ask, seat: Seat | None, text: str) -> bool:
        """Propose an answer to an open question as `propose` does, as the game reads it."""
        return self.propose(self.session.playing.game.read(ask, seat, text))

    def show_result(self, result: Step | Refused, before: Board, command: object) -> bool:
        """Tell what became of a command, given the board before it; no page stays open over a step."""
        if isinstance(result, Refused):
            self.refuse(result, command)
            return False
        self.home()
        self.screens.show_step(self, result, before)
        return True

    def undo(self) -> None:
        """Undo the newest step; before the first one, go back to the set-up or to the result before."""
        session, match = self.session, self.session.match
        kept, joins = session.notes.kept_cards, session.notes.joins_noted
        if match is None:
            return
        says = NOTHING
        if kept:
            session.notes.keep_cards(kept[:-1])
            says = say("UNDONE: {what}", what=session.label(kept[-1]))
        elif joins and joins[-1].steps == match.steps:
            session.notes.join_next(joins[:-1])
            says = say("{name} DOES NOT JOIN", name=session.names.short(joins[-1].badge, 8))
        elif match.newest is not None:
            self.go(1)
            self.say(self.screens.undone(match.newest, session))
            return
        elif any(len(line) > 1 for line in match.lines):  # a set-up would be too much for a key too many
            self.explain(say("there is nothing to undo"), say("HISTORY brings back what was undone"))
            return
        elif self.state.setup is None and session.has_result_before:
            session.reopen_result()
            says = say("BACK TO THE RESULT")
        else:
            session.suspend()
        self.go(0)
        self.say(says)

    def go(self, back: int, redone: Sequence[Step] = ()) -> None:
        """Undo this number of steps, with the cards that are kept; then redo steps that were undone there."""
        if back and self.session.notes.kept_cards:
            self.session.notes.keep_cards(())
        for _ in range(back):
            for part in self.extensions:
                part.undoes(self.session.playing, self)
            self.session.undo()
        for step in redone:
            self.session.redo(step)
        self.update(scanned=NOT_SCANNED)  # a card that is taken back may be scanned again at once
        self.home()
        self.signal(Signal.ACCEPTED)

    def deal(self, game: str, visitors: int) -> None:
        """Deal a game to this many visitors, with the box in the other seats; without one it plays alone.

        An optional part does it, where `Session.can_deal` says so.
        """
        if not any(part.deal(game, visitors, self) for part in self.extensions):
            self.decline(say("NOT POSSIBLE NOW"))

    # ------------------------------------------------------------------------- what belongs to the device

    def speak(self, language: str) -> None:
        """Say everything in a language; in a kiosk until the next visitor comes."""
        if not any(part.speak(language, self) for part in self.extensions):
            self.session.use_language(language)

    def count(self, what: VisitorAction) -> None:
        """Count what a visitor has done; only a kiosk counts."""
        self.effects.append(Counted(what))

    def toggle_sound(self) -> None:
        """Turn the sound off or on, and say which."""
        self.update(muted=not self.state.muted)
        self.say(say("SOUND OFF") if self.state.muted else say("SOUND ON"))

    def begin_switch_off(self) -> None:
        """Start the countdown: the machine goes off unless the key is released before its end."""
        self.hold(Hold(self.now_s))

    def hold(self, hold: Hold) -> None:
        """Hold a key down to switch the machine off, or release it."""
        left_s = hold.left(self.now_s)
        if left_s != self.session.state.switch_off_in_s:
            self.session.update(switch_off_in_s=left_s)
        self.update(hold=hold)

    def restart(self) -> None:
        """Switch the machine off and on again, where it can be switched off."""
        self.effects.append(PlainEffect.RESTART)


Item = tuple[Text, Callable[[Table], object]]
"""A line of a menu: what it says, and what it does."""


def installed() -> tuple[type[Extension], ...]:
    """What the installed parts do at a table, in the order of their names."""
    return tuple(part for _, part in parts("table"))


class Extension:
    """An optional part at one table. A method that is left as it is adds nothing.

    The game thread calls all methods but `start` and `close`. `page` and `tick` are called for every picture,
    so they are quick. What a part must know at the next action it keeps in a value of the table
    (`Table.keep`): so it forgets an action that cannot be stored.
    """

    ACTS: ClassVar[tuple[type[SocketAct], ...]] = ()
    """The acts that this part adds to the table's socket."""

    STATE: ClassVar[Mapping[str, Any]] = {}
    """The type of each value of `state`, by its name: it is sent in a message of that kind."""

    USES_EVENING_BADGES: ClassVar[bool] = False
    """Whether badges above 10 mean something with this part: it answers those that do not (`answer`)."""

    DEALS: ClassVar[bool] = False
    """Whether this part can deal a game and play the other seats (`deal`)."""

    def start(self, post: Callable[[Message], None]) -> None:
        """The loop is about to run. `post` puts a message into its queue, also one that a device would send.

        Any thread may call it. Before this, and where it is never called, a part does all in the thread that
        asks it.
        """

    def close(self) -> None:
        """End the threads of this part."""

    def intercept(self, message: Message, table: Table) -> bool:
        """Handle what a device or a program posts before the table does; False leaves it to the table."""
        return False

    def handle_message(self, message: ExtensionMessage, table: Table) -> bool:
        """Handle a message of a part; False where it is one of another part."""
        return False

    def not_stored(self, message: ExtensionMessage, bad: CompanionError, table: Table) -> bool:
        """Tell that nothing could be stored of what a message led to; False: the display says it."""
        return False

    def answer(self, action: Action, table: Table) -> bool:
        """Answer an action before any page does; False leaves it to the page in front."""
        return False

    def take_card(self, card: str, ask: Ask | None, table: Table) -> bool:
        """Answer a scanned card of the game in play, instead of playing it; False leaves it to the table.

        `ask` is the question that a card can answer; None where there is none.
        """
        return False

    def undoes(self, match: Match, table: Table) -> None:
        """The newest step of the match is about to be undone."""

    def tick(self, table: Table) -> None:
        """Let time pass; called before every picture."""

    def page(self, page: AnyPage, table: Table) -> AnyPage:
        """The page beneath all that players have opened: `page`, or another one in its place.

        Like `page` it follows from the match alone, so undo, redo and a power cut need no code here.
        """
        return page

    def set_up(self, page: AnyPage, table: Table) -> AnyPage:
        """The page that is kept while no match is in play: `page`, which was chosen, or one in its place."""
        return page

    def names(self, names: tuple[str, ...], notes: Mapping[str, object]) -> tuple[str, ...]:
        """The names by badge, from badge 1: `names`, or others in their place, given the notes."""
        return names

    def menu(self, table: Table) -> tuple[Item, ...]:
        """What the menu offers of this part now."""
        return ()

    def deal(self, game: str, visitors: int, table: Table) -> bool:
        """Deal a game to so many visitors, with the box in the other seats; False where this part cannot.

        Without a visitor the box plays alone.
        """
        return False

    def speak(self, language: str, table: Table) -> bool:
        """Say everything in a language for now; False: it is stored as the language of the table."""
        return False

    def carry_out(self, effect: PlainEffect | Counted) -> None:
        """Do what was decided at the table and is neither stored, sounded nor told; all of that is done."""

    @property
    def is_open(self) -> bool:
        """Whether these are hours in which the box may speak: a kiosk can be closed."""
        return True

    def status(self, table: Table) -> Mapping[str, object]:
        """What the status of the device says of this part, by name."""
        return {}

    def state(self, session: Session) -> Mapping[str, Any]:
        """What the table's socket sends of this part: all values of `STATE`."""
        return {}
