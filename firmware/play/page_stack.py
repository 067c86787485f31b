"""The pages that people have opened on top of the open question."""

from __future__ import annotations

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

from firmware.session.actions import KeyAction
from hardware.ports import Key, Press

if TYPE_CHECKING:
    from collections.abc import Callable, Container, Iterator

    from firmware.screens.parts.base import Page
    from firmware.session.actions import Action
    from firmware.session.session import Session

LATE_S: Final = 1.5
"""OK or UNDO so soon after a page has closed by itself was meant for that page."""

UNSEEN_S: Final = 0.5
"""A key so soon after a message has come by itself was meant for the page below: nobody reads so quickly."""


class PageStack:
    """The open pages. `base` computes the page beneath them. Seconds are those of the controller's clock."""

    def __init__(self, base: Callable[[], Page]) -> None:
        self._base = base
        self.pages: list[tuple[Page, float | None]] = []
        """The open pages, the one in front last, each with the time at which it closes by itself."""
        self._since: tuple[Page, float] | None = None
        """The page in front that goes on by itself, and since when it is there."""
        self._closed: tuple[Page, float] | None = None
        """The page that has closed by itself since the newest action, and when."""
        self._came: list[tuple[Page, float]] = []
        """The newest messages that nobody has asked for, and when they came."""

    @property
    def front(self) -> Page:
        """The page that players see."""
        return self.pages[-1][0] if self.pages else self._base()

    @property
    def closes_itself(self) -> bool:
        """Whether the page on top closes by itself after a time."""
        return bool(self.pages) and self.pages[-1][1] is not None

    def open(self, page: Page, until_s: float | None) -> None:
        """Put a page on top; it closes by itself at `until_s`."""
        self.pages.append((page, until_s))

    def interrupt(self, page: Page, until_s: float | None, now_s: float) -> None:
        """Put a message on top that nobody has asked for."""
        self.open(page, until_s)
        self._came = [
            *((one, came_s) for one, came_s in self._came if now_s - came_s < UNSEEN_S),
            (page, now_s),
        ]

    @contextmanager
    def below_unseen(self, action: Action, now_s: float) -> Iterator[None]:
        """For a key, without the messages on top that nobody can have read yet; they are back afterwards."""
        key = isinstance(action, KeyAction)
        unseen = [page for page, came_s in self._came if key and now_s - came_s < UNSEEN_S]
        depth = len(self.pages)
        while depth and self.pages[depth - 1][0] in unseen:
            depth -= 1
        aside = self.pages[depth:]
        del self.pages[depth:]
        try:
            yield
        finally:
            self.pages += aside

    def show(self, page: Page) -> None:
        """Put a page in the place of the one on top, for as long as that would have stayed."""
        self.pages[-1] = (page, self.pages[-1][1])

    def close(self) -> None:
        """Remove the page on top."""
        if self.pages:
            self.pages.pop()

    def home(self) -> None:
        """Remove all pages: back to the open question."""
        self.pages.clear()

    def remove(self, pages: Container[Page]) -> None:
        """Remove some pages."""
        self.pages = [(page, until_s) for page, until_s in self.pages if page not in pages]

    def keep_longer(self, by_s: float) -> None:
        """Let pages that close by themselves stay longer: another one comes over them."""
        self.pages = [(page, None if until is None else until + by_s) for page, until in self.pages]

    def hand_down(self, answers: Callable[[Page], bool]) -> bool:
        """Ask the pages from the one in front to the open question; whether one of them answers.

        Those above it only tell something, or wait for a key. They close.
        """
        here = self.pages
        for depth in range(len(here) + 1):
            self.pages = here[: len(here) - depth]
            if answers(self.front):
                return True
        self.pages = here
        return False

    def expire(self, now_s: float) -> None:
        """Close the pages whose time is over."""
        for page, until_s in self.pages:
            if until_s is not None and now_s >= until_s:
                self._closed = (page, until_s)
        self.pages = [(page, until) for page, until in self.pages if until is None or now_s < until]

    def reopen_for(self, action: Action, now_s: float) -> Page | None:
        """The page that has just closed by itself, if OK or UNDO must have been pressed for it.

        Else a key that was meant for a message would answer the question below, undo a step, or close what
        nobody has read yet. A page below that closes by itself as well is the next one of the same news.
        """
        closed, self._closed = self._closed, None
        if closed is None or self.closes_itself or not isinstance(action, KeyAction):
            return None
        page, closed_s = closed
        pressed = action.key in (Key.OK, Key.UNDO) and action.press is Press.SHORT
        return page if pressed and now_s - closed_s < LATE_S else None

    def following(self, session: Session, usual_s: float, now_s: float) -> Page | None:
        """The page that follows the one in front by itself, once people had the time to read it.

        `usual_s` is that time for a page that says nothing of it; 0 means that none follows.
        """
        front = self.front
        limit_s = usual_s if front.stays_s is None else front.stays_s
        if not front.GOES_ON_BY_ITSELF or not limit_s:
            self._since = None
            return None
        if self._since is None or self._since[0] != front:
            self._since = (front, now_s)
        elif now_s - self._since[1] >= limit_s:
            following = front.following(session)
            if following is not None:
                self._since = (following, now_s)
            return following
        return None
