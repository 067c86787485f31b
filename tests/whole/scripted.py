"""An evening that is known beforehand: every code that is scanned, and what it leads to on disk and display.

It is played once on a device that nobody disturbs. Tests that disturb another device compare it with this.
"""

import itertools
import random
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from PIL.Image import Image

from companion.core.ask import AskKind
from companion.core.codes import Control, badge_code, card_code, control_code, row_code
from companion.match.match import Match
from firmware.config.configuration import Config, load
from firmware.display.canvas import Canvas
from firmware.display.layout import Layout
from firmware.loop.react import handle_message, tick
from firmware.loop.runtime import Runtime
from firmware.play.page import AnyPage
from firmware.play.table import Table
from firmware.screens.before.start import HelloPage, interrupted_setup
from firmware.screens.flow import base_page
from hardware.ports import Scanned
from tests.whole import reading

SEATS: Final = 4
STRANGER: Final = row_code(10, 0)  # the back of the badge of nobody at the table
CODE: Final = "6N"
NOTICE_PX: Final = 10
"""The title bar, and the edge below it, may hold a notice, which comes and goes with time."""
_GAP_S: Final = 0.1
_LONGEST: Final = 2000
_ANSWERS: Final = {
    "start": "6NC-R1U",
    "ruling": "6NC-OKB",
    "standings": "6NC-TOTALSX",
    "tie": "6NC-R1U",
    "winner": "6NC-OKB",
    "awards": "6NC-OKB",
}
CONFIG: Final = """
[display]
driver = "png"
folder = "{folder}/pictures"
scale_px = 1
keep = "all"

[scanner]
driver = "serial"
port = "{folder}/nimmt-scanner"

[codes]
plain_numbers = true

[table]
duplicate_s = 0
take_shown_s = 0
ruling_s = 0
missing_card_s = 600

[screen]
heartbeat_s = 0
shift_every_s = 0
dim_after_s = 0
hide_after_s = 0
"""
"""A device on this computer, in a folder; nothing changes on its display but by what people do."""

Place = tuple[str, int, int]
"""What the disk knows: ("joined", how many, 0), or ("played", matches before this one, its steps)."""


class Shown(bytes):
    """What the display shows below its title bar; two of them are equal whatever the notice says.

    `picture` is the whole of it.
    """

    picture: Image

    @property
    def heading(self) -> str:
        """What the title bar says."""
        return reading.title(self.picture)


def shown(picture: Image) -> Shown:
    """What a picture shows."""
    picture = picture.convert("1")
    below = Shown(picture.crop((0, NOTICE_PX, *picture.size)).tobytes())
    below.picture = picture
    return below


@dataclass(frozen=True, slots=True)
class Moment:
    """What holds after a code (`Evening.codes[n - 1]` leads to moment n)."""

    place: Place
    live: Shown
    waits: bool
    """Whether OK does nothing for a moment after the page has come."""


@dataclass(frozen=True, slots=True)
class Return:
    """What a device shows that is switched on at a place: hello, then the question that is open."""

    hello: Shown
    question: Shown
    noticed: Shown
    """The question while a notice tells of `STRANGER`: without a title bar, the notice hides more of it."""


@dataclass(frozen=True, slots=True)
class Evening:
    """Two matches of three deals, with looks at the totals, undo and redo."""

    codes: tuple[str, ...]
    moments: tuple[Moment, ...]
    returns: dict[Place, Return]
    first: dict[Place, int]
    """The first moment of each place."""
    records: tuple[tuple[dict[str, Any], ...], ...]
    """The steps of each match as they stand in the journal."""
    totals: tuple[tuple[int, ...], ...]


class _People:
    """What four people scan next, by what the device asks."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)
        self._matches = 0
        self._deal = (0, 0)
        self._rows: list[int] = []
        self._hands: list[list[int]] = []
        self._owner: dict[str, int] = {}
        self._turn: list[tuple[int, int]] = []
        self._again: list[str] = []
        self._done: list[str] = []  # the codes of the live steps
        self._undone = ""

    def scan(self, table: Table) -> str | None:
        """The next code; None when everybody goes home."""
        page = table.front.NAME
        if page in _ANSWERS:
            return _ANSWERS[page]
        if page == "players":
            joined = len(getattr(table.front, "badges", ()))
            return badge_code(joined + 1) if joined < SEATS else "6NC-OKB"
        if page == "agree":
            return ("6NC-R3G", "6NC-R1U")[getattr(table.front, "at", 0)]  # three deals, all cards
        if self._again:
            return self._again.pop()
        if self._done and self._rng.random() < 0.06:
            self._undone = self._done.pop()
            self._again = [self._rng.choice(("6NC-REDOL", self._undone))]
            return "6NC-UNDOL"
        if page == "match_end":
            self._matches, self._done = self._matches + 1, []
            return "6NC-OKB" if self._matches == 1 else None
        if page == "deal_end":
            return "6NC-OKB"
        return self._distraction(page) or self._play(table.session.playing)

    def made(self, code: str) -> None:
        """The code has made a step."""
        if code != "6NC-UNDOL":
            self._done.append(self._undone if code == "6NC-REDOL" else code)

    def _distraction(self, page: str) -> str:
        """Now and then somebody looks at the totals."""
        return "6NC-TOTALSX" if page in ("home", "collecting") and self._rng.random() < 0.08 else ""

    def _play(self, match: Match) -> str:
        if (self._matches, match.position.deal) != self._deal:
            self._deal = (self._matches, match.position.deal)
            cards = self._rng.sample(range(1, 105), 44)
            self._rows, self._hands = cards[:4], [cards[at : at + 10] for at in range(4, 44, 10)]
            self._turn = []
        ask = match.asks[0]
        if ask.kind is AskKind.LAY:
            return card_code(CODE, self._rows[len(ask.have)])
        if ask.kind is AskKind.CHOOSE:
            return control_code(Control(f"R{self._rng.randint(1, 4)}"))
        if ask.kind is AskKind.CLAIM:
            return badge_code(self._owner[ask.card] + 1)
        if not ask.have:
            self._turn = [(hand.pop(), seat) for seat, hand in enumerate(self._hands)]
            self._rng.shuffle(self._turn)
        card, seat = self._turn[len(ask.have)]
        self._owner[str(card)] = seat
        return card_code(CODE, card)


def evening(config: Config, folder: Path, seed: int) -> Evening:
    """Play an evening on a device of this configuration whose wires nobody has plugged in."""
    runtime = Runtime(config, folder / "undisturbed.sqlite")
    table, people = runtime.app.table, _People(seed)
    codes: list[str] = []
    moments: list[Moment] = []
    returns: dict[Place, Return] = {}
    first: dict[Place, int] = {}
    totals: list[tuple[int, ...]] = []
    try:
        while True:
            place = _place(runtime)
            waits_s = table.front.WAITS[1]
            moments.append(Moment(place, shown(runtime.app.picture()), waits_s > 0))
            if place not in first:
                first[place] = len(codes)
                returns[place] = _return(runtime)
            code = people.scan(table)
            if table.front.NAME == "match_end" and code != "6NC-UNDOL":
                totals.append(runtime.session.playing.totals)
            if code is None:
                break
            codes.append(code)
            assert len(codes) < _LONGEST, "the evening does not come to an end"
            tick(table, table.now_s + max(waits_s, _GAP_S))
            handle_message(table, Scanned(code), table.now_s)
            if _place(runtime)[2] > place[2]:
                people.made(code)
        records = tuple(tuple(runtime.journal.reader.steps(number)) for number in (1, 2))
    finally:
        runtime.close()
    _tellable(moments, returns)
    return Evening(tuple(codes), tuple(moments), returns, first, records, tuple(totals))


@cache
def known_evening(seed: int) -> Evening:
    """An evening on a device that is configured as a `LiveDevice` is."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "table.toml"
        file.write_text(CONFIG.format(folder=folder))
        return evening(load(file), Path(folder), seed)


def _place(runtime: Runtime) -> Place:
    session = runtime.session
    if session.match is None or session.match_id is None:
        _, badges = session.notes.joining()
        return ("joined", len(badges), 0)
    return ("played", session.match_id - 1, session.match.steps)


def _tellable(moments: list[Moment], returns: dict[Place, Return]) -> None:
    """Each code shows something new, and nobody can take what it leads to for what was there before."""
    for before, after in itertools.pairwise(moments):
        shown = {before.live, returns[before.place].question}
        assert after.live != before.live
        if after.place != before.place:
            assert not shown & {after.live, returns[after.place].question}


def _return(runtime: Runtime) -> Return:
    hello, question = Canvas(), Canvas()
    HelloPage().draw(hello, runtime.session)
    setup: AnyPage | None = interrupted_setup(runtime.session)
    if setup is not None:
        for extension in runtime.app.table.extensions:
            setup = extension.set_up(setup, runtime.app.table)
    base_page(runtime.session, lambda _result: False, setup).draw(question, runtime.session)
    asked = shown(question.image())
    says = runtime.session.translate("BADGE {badge} NOT PLAYING", badge=10)
    Layout(question, runtime.session.plan).notice(says)
    return Return(shown(hello.image()), asked, shown(question.image()))
