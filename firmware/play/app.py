"""The loop of the program: messages in, time passes, pictures out."""

import queue
from collections.abc import Callable
from typing import Final

from PIL.Image import Image

from firmware.display.canvas import Canvas
from firmware.display.layout import Layout
from firmware.play.controller import TableController
from firmware.play.effects import Act, Happening
from firmware.screens.parts.base import Page
from hardware.ports import Display, Light, Message

BEAT_S_WHEN_STILL: Final = 1.0
LONGEST_PAUSE_S: Final = 1.0
"""The loop turns at least so often, however slow the heartbeat is: the watchdog waits for that."""

CARE_S: Final = 0.02
CARE_PAUSE_S: Final = 0.1
"""Once nobody has done anything for a pause, the journal is looked after for a moment, again and again."""

COUNTDOWN_PAUSE_S: Final = 0.1
"""While a countdown runs, or a page follows by itself, it has to be drawn in time."""


class App:
    """The loop that owns the controller. `post`, `waiting` and `stop` may be called from any thread.

    Everything else belongs to the thread that calls `run`.
    """

    def __init__(self, controller: TableController, display: Display, now_s: Callable[[], float]) -> None:
        self.controller = controller
        self._display = display
        self._now_s = now_s
        self._inbox: queue.SimpleQueue[Message | Act | None] = queue.SimpleQueue()
        self._light = Light.FULL
        self._beats = False
        self._beat_s = self._shift_s = 0.0
        self._shift = 0
        self._drawn: tuple[bytes, bool, int] | None = None
        """The bits of the page that was drawn last, whether with the dot, and by how much it was moved."""
        self._more_care = False
        self._happened: list[Happening] = []
        """Since the look before."""
        self._looked: Callable[[Page, bytes, tuple[Happening, ...]], None] = lambda *_: None
        self.drawn: Callable[[TableController], None] = lambda _controller: None
        """Called after every look at the page in front, drawn or not."""

        self.turned: Callable[[float], None] = lambda _now_s: None
        """Called after every turn of the loop, with the time."""

    def observe(self, looked: Callable[[Page, bytes, tuple[Happening, ...]], None]) -> None:
        """Call this after every look: with the page, its bits without the heartbeat, and what has happened.

        Before `run`, or by the thread that runs it, which waits for it: so it keeps that and returns at once.
        """
        self._looked = looked

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
        self.look()
        going = True
        while going:
            try:
                message = self._inbox.get(timeout=self._pause_s())
            except queue.Empty:
                self.look()
                self._use_the_quiet()
                self.turned(self._now_s())
                continue
            self._more_care = False  # the next quiet moment is not before a whole pause
            if message is None:
                going = False
            elif isinstance(message, Act):
                self._happened += self.controller.perform(message, self._now_s())
            else:
                self.controller.hear(message, self._now_s())
                self._happened += self.controller.happened
            if self._inbox.empty():  # a picture that the next message replaces would only cost time
                self.look()
            self.turned(self._now_s())

    def look(self) -> None:
        """Let time pass, and draw if the picture has changed."""
        now_s = self._now_s()
        self.controller.tick(now_s)
        self._happened += self.controller.happened
        self._beat(now_s)
        page = self.controller.front
        canvas = self._with_page(Canvas(), page)
        bits = canvas.bits()
        drawn = bits, self._beats, self._shift
        if drawn != self._drawn:
            self._drawn = drawn
            self._display.draw(self._picture_of(canvas, bits))
        if self.controller.light is not self._light:
            self._light = self.controller.light
            self._display.light(self._light)
        self.drawn(self.controller)
        happened, self._happened = tuple(self._happened), []
        self._looked(page, bits, happened)

    def picture(self, canvas: Canvas | None = None) -> Image:
        """The page in front with its notice and the heartbeat, a dot that shows that the program runs.

        It is drawn on `canvas`, which is empty, if there is one.
        """
        return self._picture_of(self._with_page(canvas or Canvas(), self.controller.front))

    def _picture_of(self, canvas: Canvas, bits: bytes | None = None) -> Image:
        if self._beats:
            canvas.invert(126, 62, 2, 2)
            bits = None
        return _moved(canvas.image(bits), self._shift)

    def _with_page(self, canvas: Canvas, page: Page) -> Canvas:
        page.draw(canvas, self.controller.session)
        if self.controller.notice:
            Layout(canvas, self.controller.session.plan).notice(self.controller.notice)
        return canvas

    def _use_the_quiet(self) -> None:
        session = self.controller.session
        session.journal_care.tidy()
        until_s = self._now_s() + CARE_S
        while self._inbox.empty():
            self._more_care = session.journal_care.portion(lambda: not self._inbox.empty())
            if not self._more_care or self._now_s() >= until_s:
                return

    def _pause_s(self) -> float:
        if self._more_care:
            return CARE_PAUSE_S
        if self.controller.counts_down:
            return COUNTDOWN_PAUSE_S
        return min(self.controller.config.screen.heartbeat_s or BEAT_S_WHEN_STILL, LONGEST_PAUSE_S)

    def _beat(self, now_s: float) -> None:
        screen = self.controller.config.screen
        if screen.heartbeat_s and now_s - self._beat_s >= screen.heartbeat_s * 0.9:
            self._beat_s, self._beats = now_s, not self._beats
        if screen.shift_every_s and now_s - self._shift_s >= screen.shift_every_s:
            self._shift_s, self._shift = now_s, (self._shift + 1) % 4 if self._shift_s else 0


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
