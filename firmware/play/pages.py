"""The pages that people have opened on top of the open question. Seconds of the table's clock."""

from __future__ import annotations

from collections.abc import Container
from typing import Final, NamedTuple

from companion.values import Value, replace
from firmware.play.page import AnyPage

LATE_S: Final = 1.5
"""OK or UNDO so soon after a page has closed by itself was meant for that page."""

UNSEEN_S: Final = 0.5
"""A key so soon after a message has come by itself was meant for the page below: nobody reads so quickly."""


class OpenPage(NamedTuple):
    """A page, and when it closes by itself; None: it does not."""

    page: AnyPage
    until_s: float | None


class Pages(Value):
    """The open pages, the one in front last. Each change gives another value."""

    opened: tuple[OpenPage, ...] = ()
    closed: tuple[AnyPage, float] | None = None
    """The page that has closed by itself since the newest action, and when."""
    turned: tuple[AnyPage, float] | None = None
    """The page that another one has followed by itself since the newest action, and when."""
    came: tuple[tuple[AnyPage, float], ...] = ()
    """The newest messages that nobody has asked for, and when they came."""

    @property
    def front(self) -> AnyPage | None:
        """The page on top; None where the open question is in front."""
        return self.opened[-1].page if self.opened else None

    def open(self, page: AnyPage, until_s: float | None) -> Pages:
        """With a page on top; it closes by itself at `until_s`."""
        return replace(self, opened=(*self.opened, OpenPage(page, until_s)))

    def interrupt(self, page: AnyPage, until_s: float | None, now_s: float) -> Pages:
        """With a message on top that nobody has asked for."""
        recent = tuple(message for message in self.came if now_s - message[1] < UNSEEN_S)
        return replace(self.open(page, until_s), came=(*recent, (page, now_s)))

    def show(self, page: AnyPage) -> Pages:
        """With a page in the place of the one on top, for as long as that would have stayed."""
        return replace(self, opened=(*self.opened[:-1], OpenPage(page, self.opened[-1].until_s)))

    def turn(self, page: AnyPage, following: AnyPage, now_s: float) -> Pages:
        """With the page that follows the one in front by itself."""
        shown = self.show(following) if self.opened else self.open(following, None)
        return replace(shown, turned=(page, now_s))

    def close(self, many: int = 1) -> Pages:
        """Without so many pages on top."""
        return replace(self, opened=self.opened[: max(0, len(self.opened) - many)])

    def remove(self, pages: Container[AnyPage]) -> Pages:
        return replace(self, opened=tuple(opened for opened in self.opened if opened.page not in pages))

    def keep_longer(self, by_s: float) -> Pages:
        """With more time for pages that close by themselves: another one comes over them."""
        later = [OpenPage(page, None if until is None else until + by_s) for page, until in self.opened]
        return replace(self, opened=tuple(later))

    def unseen(self, now_s: float) -> tuple[OpenPage, ...]:
        """The messages on top that nobody can have read yet: no key is meant for them."""
        unseen = [page for page, came_s in self.came if now_s - came_s < UNSEEN_S]
        depth = len(self.opened)
        while depth and self.opened[depth - 1].page in unseen:
            depth -= 1
        return self.opened[depth:]

    def expire(self, now_s: float) -> Pages:
        """Without the pages whose time is over."""
        over = [opened for opened in self.opened if opened.until_s is not None and now_s >= opened.until_s]
        if not over:
            return self
        page, until_s = over[-1]
        left = tuple(opened for opened in self.opened if opened not in over)
        return replace(self, opened=left, closed=(page, until_s or now_s))

    def recently_closed(self, now_s: float) -> AnyPage | None:
        """The page that has just closed by itself, for which OK or UNDO must have been pressed.

        Else a key that was meant for a message would answer the question below, undo a step, or close what
        nobody has read yet. A page below that closes by itself as well is the next one of the same news.
        """
        closes_itself = bool(self.opened) and self.opened[-1].until_s is not None
        if self.closed is None or closes_itself or now_s - self.closed[1] >= LATE_S:
            return None
        return self.closed[0]

    def recently_replaced(self, now_s: float) -> AnyPage | None:
        """The page that another one has just followed by itself, for which OK must have been pressed.

        Else OK would pass over the page that has come, which nobody has read yet.
        """
        return None if self.turned is None or now_s - self.turned[1] >= LATE_S else self.turned[0]
