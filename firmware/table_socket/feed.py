"""The half of the socket in the game thread: it watches the table and hands over what it saw.

`Feed.act` is for the thread of the server, everything else for the game thread. Nothing here waits.
"""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Final

from companion.text.sentence import NOTHING, as_it_is
from firmware.table_socket.acts import ACTS
from firmware.table_socket.seen import Answered, Handover, Seen, Signalled, Stepped, WasRefused
from hardware.ports import KeyPressed, KeyReleased, Press, Signal

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from companion.match.match import Step
    from companion.text.sentence import Text
    from firmware.play.app import App
    from firmware.screens.parts.base import Page
    from firmware.service.health import Issue
    from firmware.table_socket.acts import Act
    from firmware.table_socket.seen import Happening
    from hardware.ports import Message

MOST_WAITING: Final = 500
"""Looks that the server has not taken yet. If it takes none for so long, the oldest ones are lost."""

MOST_ACTS: Final = 60
"""Acts that wait for the game thread; more are refused."""


class Feed:
    """An observer (`firmware.play.observer`) that hands over to `wake`, which is called after each look.

    `issues` gives what is wrong with the device.
    """

    def __init__(self, app: App, issues: Callable[[], Sequence[Issue]], wake: Callable[[], None]) -> None:
        self._app = app
        self.acts = (*ACTS, *(act for part in app.controller.extensions for act in part.ACTS))
        """The acts that the table takes; any thread may read it."""
        self._issues = issues
        self._wake = wake
        self._handed: deque[Handover] = deque(maxlen=MOST_WAITING)
        self._number = 0
        self._happened: list[Happening] = []
        self._waiting: dict[int, Act] = {}
        """The acts that are in the queue of the loop, by the identity of their message."""
        self._answering: Act | None = None
        self._from = 0
        """What had happened before the message that is being answered."""
        self._last: Seen | None = None
        self.followed = False
        """Whether anybody wants to know; the thread of the server says so."""
        self.turns = 0
        """How often the game thread has said anything; any thread may read it."""

    # ------------------------------------------------------------------------------- the thread of the server

    def taken(self) -> list[Handover]:
        """What was handed over since the last call, the oldest first."""
        found = []
        while self._handed:
            found.append(self._handed.popleft())
        return found

    def act(self, act: Act) -> bool:
        """Post the message of an act; False if too many are waiting. Its answer is handed over later."""
        if len(self._waiting) >= MOST_ACTS:
            return False
        self._waiting[id(act.message)] = act
        self._app.post(act.message)
        return True

    # ------------------------------------------------------------------------------- the game thread

    def takes(self, message: Message) -> bool:
        """Whether a message counts: an act that was meant for another moment does not."""
        self.turns += 1
        act = self._answering = self._waiting.pop(id(message), None)
        self._from = len(self._happened)
        if act is None:
            return True
        if self._is_late(act):
            self._happened.append(Answered(act, why="changed"))
            return False
        # Who sends a key has seen the page: it is in the snapshot, also while the display is dark.
        self._app.controller.wake(self._app.controller.now_s)
        return True

    def answered(self, message: Message, *, counted: bool) -> None:
        """Say what came of an act."""
        act = self._answering
        if act is None:
            return
        if isinstance(message, KeyPressed) and message.press is Press.LONG:
            # No key stays down at the other end of a socket. So nothing that must be held is begun with it.
            self._app.controller.hear(KeyReleased(message.key, message.at_s), self._app.controller.now_s)
        since = self._happened[self._from :]
        steps = tuple(one.step.number for one in since if isinstance(one, Stepped))
        signals = {one.signal for one in since if isinstance(one, Signalled)}
        if not counted:
            answer = Answered(act, why="repeated")
        elif signals & {Signal.REFUSED, Signal.DUPLICATE}:
            told = [one for one in since if isinstance(one, WasRefused)]
            answer = Answered(act, steps, "refused", told[-1] if told else self._on_display())
        else:
            answer = Answered(act, steps)
        self._happened.append(answer)

    def stepped(self, step: Step) -> None:
        """A step was stored."""
        session = self._app.controller.session
        self._happened.append(Stepped(session.match_id, step, session.playing))

    def refused(self, rule: str, fault: Text, fix: Text) -> None:
        """Something was refused."""
        self._happened.append(WasRefused(rule, fault, fix))

    def signalled(self, signal: Signal) -> None:
        """A signal was given."""
        self._happened.append(Signalled(signal))

    def looked(self, page: Page, bits: bytes) -> None:
        """Hand over what is seen now, if anything differs from the look before."""
        self.turns += 1
        seen = self._seen(page, bits)
        if seen == self._last and not self._happened:
            return
        self._last = seen
        self._number += 1
        if not self.followed:  # who comes later is told how things are then
            self._handed.clear()
        self._handed.append(Handover(self._number, seen, tuple(self._happened)))
        self._happened.clear()
        if self.followed:
            self._wake()

    def _is_late(self, act: Act) -> bool:
        controller = self._app.controller
        match = controller.session.match
        newest = match.steps if match else 0
        step, page = act.said.expect.step, act.said.expect.page
        return (step is not None and step != newest) or (page is not None and page != controller.front.NAME)

    def _on_display(self) -> WasRefused:
        """What the display says of a refusal that has no texts with facts."""
        controller = self._app.controller
        return WasRefused("", as_it_is(controller.front.refusal or controller.notice), NOTHING)

    def _seen(self, page: Page, bits: bytes) -> Seen:
        controller = self._app.controller
        session = controller.session
        match = session.match
        return Seen(
            match=match,
            match_id=None if match is None else session.match_id,
            names=session.names.all,
            translate=session.translate,
            digits=controller.config.screen.digits,
            page=page.NAME,
            goes_on=page.GOES_ON_WITH_OK,
            joined=page.joined,
            changes=page.changes(session),
            refusal=page.refusal,
            notice=controller.notice,
            light=controller.light,
            bits=bytes(len(bits)) if page.is_secret(session) else bits,
            issues=tuple(self._issues()),
            parts={name: value for part in controller.extensions for name, value in part.state().items()},
        )
