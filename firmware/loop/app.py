"""The loop of the program: messages in, time passes, pictures out."""

import queue
from collections.abc import Callable
from typing import Final

from PIL.Image import Image

from companion.text.sentence import NOTHING, literal, say
from firmware.display.canvas import Canvas
from firmware.display.layout import Layout
from firmware.loop.react import do, handle_message, is_for_page, tick
from firmware.play.effects import Act, ActAnswered, Happening, SignalGiven, StepStored, WasRefused
from firmware.play.page import AnyPage
from firmware.play.table import Table
from firmware.screens.turn.refusal import key_of_band
from hardware.ports import Display, KeyPressed, KeyReleased, Light, Message, Press, Signal

BEAT_S_WHEN_STILL: Final = 1.0
LONGEST_PAUSE_S: Final = 1.0
"""The loop turns at least so often, however slow the heartbeat is: the watchdog waits for that."""

CARE_S: Final = 0.02
CARE_PAUSE_S: Final = 0.1
"""Once nobody has done anything for a pause, the journal is looked after for a moment, again and again."""

COUNTDOWN_PAUSE_S: Final = 0.1
"""While a countdown runs, or a page follows by itself, it has to be drawn in time."""


class App:
    """The loop that owns the table. `post`, `waiting` and `stop` may be called from any thread.

    Everything else belongs to the thread that calls `run`.
    """

    def __init__(self, table: Table, display: Display, now_s: Callable[[], float]) -> None:
        self.table = table
        self._display = display
        self._now_s = now_s
        self._inbox: queue.SimpleQueue[Message | Act | None] = queue.SimpleQueue()
        self._light = Light.FULL
        self._beats = False
        self._beat_s = self._shift_s = 0.0
        self._shift = 0
        self._drawn: tuple[bytes, bool, int] | None = None
        """The bits of the page that was drawn last, whether with the dot, and by how much it was moved."""
        self._more_idle_work = False
        self._happened: list[Happening] = []
        """Since the refresh before."""
        self._observer: Callable[[AnyPage, bytes, tuple[Happening, ...]], None] = lambda *_: None
        self.drawn: Callable[[Table], None] = lambda _table: None
        """Called after every refresh, whether the picture has changed or not."""

        self.turned: Callable[[float], None] = lambda _now_s: None
        """Called after every turn of the loop, with the time."""

    def observe(self, observer: Callable[[AnyPage, bytes, tuple[Happening, ...]], None]) -> None:
        """Call this after every refresh: with the page, its bits without the heartbeat, what has happened.

        Before `run`, or by the thread that runs it; that waits, so the observer returns at once.
        """
        self._observer = observer

    def post(self, message: Message | Act) -> None:
        """Put a message into the queue; returns at once."""
        self._inbox.put(message)

    @property
    def waiting(self) -> int:
        """How many messages are in the queue; any thread may call this."""
        return self._inbox.qsize()

    def stop(self) -> None:
        """End the loop after it has handled what is in the queue."""
        self._inbox.put(None)

    def run(self) -> None:
        """Work until `stop`. Sleeps until a message comes or the heartbeat is due."""
        self.refresh()
        going = True
        while going:
            try:
                message = self._inbox.get(timeout=self._pause_s())
            except queue.Empty:
                self.refresh()
                self._run_idle_tasks()
                self.turned(self._now_s())
                continue
            self._more_idle_work = False  # the next quiet moment is not before a whole pause
            if message is None:
                going = False
            elif isinstance(message, Act):
                self._happened += perform(self.table, message, self._now_s())
            else:
                handle_message(self.table, message, self._now_s())
                self._happened += self.table.happened
            if self._inbox.empty():  # a picture that the next message replaces would only cost time
                self.refresh()
            self.turned(self._now_s())

    def refresh(self) -> None:
        """Let time pass, and draw if the picture has changed."""
        now_s = self._now_s()
        tick(self.table, now_s)
        self._happened += self.table.happened
        self._beat(now_s)
        page = self.table.front
        canvas = self._with_page(Canvas(), page)
        bits = canvas.bits()
        drawn = bits, self._beats, self._shift
        if drawn != self._drawn:
            self._drawn = drawn
            self._display.draw(self._picture_of(canvas, bits))
        if self.table.state.light is not self._light:
            self._light = self.table.state.light
            self._display.light(self._light)
        self.drawn(self.table)
        happened, self._happened = tuple(self._happened), []
        self._observer(page, bits, happened)

    def picture(self, canvas: Canvas | None = None) -> Image:
        """The page in front with its notice and the heartbeat, a dot that shows that the program runs.

        It is drawn on `canvas`, which is empty, if there is one.
        """
        return self._picture_of(self._with_page(canvas or Canvas(), self.table.front))

    def _picture_of(self, canvas: Canvas, bits: bytes | None = None) -> Image:
        if self._beats:
            canvas.invert(126, 62, 2, 2)
            bits = None
        return _moved(canvas.image(bits), self._shift)

    def _with_page(self, canvas: Canvas, page: AnyPage) -> Canvas:
        page.draw(canvas, self.table.session)
        if self.table.notice:
            Layout(canvas, self.table.session.plan).notice(self.table.notice, key_of_band(self.table))
        return canvas

    def _run_idle_tasks(self) -> None:
        session = self.table.session
        session.journal_care.checkpoint()
        until_s = self._now_s() + CARE_S
        while self._inbox.empty():
            self._more_idle_work = session.journal_care.portion(lambda: not self._inbox.empty())
            if not self._more_idle_work or self._now_s() >= until_s:
                return

    def _pause_s(self) -> float:
        if self._more_idle_work:
            return CARE_PAUSE_S
        if self.table.counts_down:
            return COUNTDOWN_PAUSE_S
        return min(self.table.config.screen.heartbeat_s or BEAT_S_WHEN_STILL, LONGEST_PAUSE_S)

    def _beat(self, now_s: float) -> None:
        screen = self.table.config.screen
        if screen.heartbeat_s and now_s - self._beat_s >= screen.heartbeat_s * 0.9:
            self._beat_s, self._beats = now_s, not self._beats
        if screen.shift_every_s and now_s - self._shift_s >= screen.shift_every_s:
            self._shift_s, self._shift = now_s, (self._shift + 1) % 4 if self._shift_s else 0


_ONLY_AT_THE_BOX: Final = WasRefused("", say("that is done at the box itself"), say("use its keys"))


def perform(table: Table, act: Act, now_s: float) -> list[Happening]:
    """Do an act, unless it was meant for another moment; what has happened, and what came of it."""
    match, expect, message = table.session.match, act.request.expect, act.message
    newest = match.steps if match else 0
    if expect.step not in (None, newest) or expect.page not in (None, table.front.NAME):
        return [ActAnswered(act, why="changed")]
    at_the_box = table.front.AT_THE_BOX
    if at_the_box and is_for_page(message, table):
        return [ActAnswered(act, why="refused", refused=_ONLY_AT_THE_BOX)]
    do(table, Table.wake)  # who sends a key has seen the page, also while the display is dark
    counted = handle_message(table, message, now_s)
    happened = table.happened
    if table.front.AT_THE_BOX and not at_the_box:
        do(table, Table.close)
        return [*happened, ActAnswered(act, why="refused", refused=_ONLY_AT_THE_BOX)]
    if isinstance(message, KeyPressed) and message.press is Press.LONG:
        # No key stays down at the other end of a socket. So nothing that must be held is begun with it.
        handle_message(table, KeyReleased(message.key, message.at_s), now_s)
    steps = tuple(event.step.number for event in happened if isinstance(event, StepStored))
    signals = {event.signal for event in happened if isinstance(event, SignalGiven)}
    if not counted:
        answer = ActAnswered(act, why="repeated")
    elif signals & {Signal.REFUSED, Signal.DUPLICATE}:
        refusals = [event for event in happened if isinstance(event, WasRefused)]
        # A refusal without texts with facts is what the display says.
        fault, *fix = table.refusal or (literal(table.notice),)
        shown = WasRefused("", fault, *(fix or (NOTHING,)))
        answer = ActAnswered(act, steps, "refused", refusals[-1] if refusals else shown)
    else:
        answer = ActAnswered(act, steps)
    return [*happened, answer]


def _moved(picture: Image, shift: int) -> Image:
    """The picture moved by a pixel to the right, down, or both, so that no pixel of an OLED burns in."""
    if not shift:
        return picture
    from PIL import Image, ImageChops

    moved = ImageChops.offset(picture.convert("L"), shift & 1, shift >> 1)
    if shift & 1:
        moved.paste(0, (0, 0, 1, moved.height))
    if shift >> 1:
        moved.paste(0, (0, 0, moved.width, 1))
    return moved.convert("1", dither=Image.Dither.NONE)
