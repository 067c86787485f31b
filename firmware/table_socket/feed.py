"""The half of the socket in the game thread: it watches the table and hands over what it saw.

`Feed.act` is for the thread of the server, everything else for the game thread. Nothing here waits.
"""

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from companion.core.cards import Seat
from companion.match.match import Match
from companion.protocol.snapshot import Render
from companion.text.sentence import in_sentences
from companion.values import Value, field
from firmware.history.players import badge_of, called, shown_name
from firmware.loop.app import App
from firmware.play.effects import Act, Happening
from firmware.play.page import AnyPage
from firmware.service.health import Issue
from firmware.table_socket.acts import ACTS
from firmware.table_socket.messages import PublicChange, PublicPage, PublicPicture
from firmware.text.translation import Translator


class SeenTable(Value):
    """The table as it was when the page in front was looked at. It never changes: any thread may read it.

    `names` are by badge, from badge 1. `page` and `picture` are of the page in front, without the heartbeat.
    """

    match: Match | None
    match_id: int | None
    names: tuple[str, ...]
    translate: Translator
    digits: str
    page: PublicPage
    notice: str
    picture: PublicPicture
    issues: tuple[Issue, ...]
    parts: Mapping[str, Any] = field(default_factory=dict)
    """What optional parts tell, by name."""

    # Worked out by who asks: the game thread has cards to draw.

    def people(self) -> tuple[tuple[int, str], ...]:
        """Badge and name of each player, by seat."""
        if self.match is None:
            return ()
        seats = [Seat(seat) for seat in range(len(self.match.totals))]
        badges = [badge_of(self.match.terms.badges, seat) for seat in seats]
        return tuple(
            [(badge, called(badge, seat, self.names)) for badge, seat in zip(badges, seats, strict=True)]
        )

    @property
    def render(self) -> Render:
        """Gives a sentence in the language of the table; the display calls players by shorter names."""
        t, people = self.translate, enumerate(self.people())
        return t.calling([shown_name(name, badge, seat, t) for seat, (badge, name) in people]).say


Look: TypeAlias = tuple[SeenTable, tuple[Happening, ...]]
"""What one look of the game thread saw, and what had happened since the one before."""

MOST_WAITING: Final = 500
"""Looks that the server has not taken yet. If it takes none for so long, the oldest ones are lost."""

MOST_ACTS: Final = 60
"""Acts that wait for the game thread; more are refused."""


class Feed:
    """Hands over what `looked` is told (see `App.observe`), and calls `wake` after that.

    `issues` gives what is wrong with the device.
    """

    def __init__(self, app: App, issues: Callable[[], Sequence[Issue]], wake: Callable[[], None]) -> None:
        self._app = app
        self.acts = (*ACTS, *(act for part in app.table.extensions for act in part.ACTS))
        """The acts that the table takes; any thread may read it."""
        self._issues = issues
        self._wake = wake
        self._handed: deque[Look] = deque(maxlen=MOST_WAITING)
        self.lost = 0
        """How many looks were lost; any thread may read it."""
        self._last: SeenTable | None = None
        self.followed = False
        """Whether anybody wants to know; the thread of the server says so."""
        self.turns = 0
        """How often the game thread has looked; any thread may read it."""

    # ------------------------------------------------------------------------------- the thread of the server

    def taken(self) -> list[Look]:
        """What was handed over since the last call, the oldest first."""
        found = []
        while self._handed:
            found.append(self._handed.popleft())
        return found

    def act(self, act: Act) -> bool:
        """Post an act; False if too many messages are waiting. Its answer is handed over later."""
        if self._app.waiting >= MOST_ACTS:
            return False
        self._app.post(act)
        return True

    # ------------------------------------------------------------------------------- the game thread

    def looked(self, page: AnyPage, bits: bytes, happened: tuple[Happening, ...]) -> None:
        """Hand over what is seen now, if anything differs from the look before."""
        self.turns += 1
        seen = self._seen(page, bits)
        if seen == self._last and not happened:
            return
        self._last = seen
        if not self.followed:  # who comes later is told how things are then
            self._handed.clear()
        self.lost += len(self._handed) == MOST_WAITING
        self._handed.append((seen, happened))
        if self.followed:
            self._wake()

    def _seen(self, page: AnyPage, bits: bytes) -> SeenTable:
        table = self._app.table
        session = table.session
        match, is_secret = session.match, page.is_secret(session)
        return SeenTable(
            match=match,
            match_id=None if match is None else session.match_id,
            names=session.names.all,
            translate=session.translate,
            digits=table.config.screen.digits,
            page=PublicPage(
                page.NAME,
                page.DISMISS_ON_OK,
                page.joined,
                tuple([PublicChange(*change) for change in page.changes(session)]),
                in_sentences(*map(session.translate.say, table.refusal)),
                bool(table.pages.opened),
                "" if is_secret else page.heading(session),
            ),
            notice=table.notice,
            picture=PublicPicture(128, 64, table.state.light, bytes(len(bits)) if is_secret else bits),
            issues=tuple(self._issues()),
            parts={name: value for part in table.extensions for name, value in part.state(session).items()},
        )
