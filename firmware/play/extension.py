"""Optional parts of a table: their pages, their messages, what they do by themselves.

A distribution offers one by an entry point of the group `nimmt.pages`:

    [project.entry-points."nimmt.pages"]
    dice = "nimmt_dice.table:Dice"

On the right is a class that derives from `Extension`; the controller makes one for its table. The table asks
all of them, in the order of their names. docs/extending.md has a complete example.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    ClassVar,
    Final,
    Literal,
    Protocol,
    TypeVar,
    cast,
    dataclass_transform,
)

from msgspec import Meta

from companion.core.ask import Ask
from companion.core.game import RandomSource
from companion.match.match import Match
from companion.text.errors import CompanionError
from companion.text.sentence import Text
from companion.values import Value
from firmware.plugins import parts
from firmware.screens.parts.base import Controller, Item, Page, VisitorAction
from firmware.session.actions import Action
from hardware.ports import ExtensionMessage, Light, Message, Scanned

if TYPE_CHECKING:
    from firmware.config.configuration import Config
    from firmware.play.pages import Pages
    from firmware.session.session import Session

GROUP: Final = "nimmt.pages"

Kept = TypeVar("Kept", bound=Value)


def installed() -> tuple[type[Extension], ...]:
    """The optional parts that are installed, in the order of their names."""
    return tuple(part for _, part in parts(GROUP))


LONGEST_ID: Final = 40
LONGEST_CODE: Final = 100

# In Python "$" also matches before a last line end.
Code = Annotated[str, Meta(pattern="^[ -~]+$(?!\n)", min_length=1, max_length=LONGEST_CODE)]
"""The text of a code, as a scanner would give it."""


class Expect(Value, forbid_unknown_fields=True):
    """The moment that an act is meant for: so many steps in the match, this page in front; None: whatever."""

    step: Annotated[int, Meta(ge=0)] | None = None
    page: str | None = None


ANY_TIME: Final = Expect()


@dataclass_transform(frozen_default=True)
class SocketAct(ExtensionMessage, frozen=True, tag_field="act", forbid_unknown_fields=True, kw_only=True):
    """An act that programs may do through the table's socket; see docs/table-socket.md.

    One act derives from this class: `class RollDice(SocketAct, tag="roll")`, with its own fields. It is a
    message for `Extension.hear`. `id` is what the client calls it, for the answer.
    """

    OWNED: ClassVar[bool] = False
    """Only programs of the user of the game may do it, and of root."""

    kind: Literal["act"]
    id: Annotated[str, Meta(max_length=LONGEST_ID)] = ""
    expect: Expect = ANY_TIME

    def message(self, now_s: float) -> Message:
        """What is posted, such as what a device would; it came at `now_s`. In the thread of the server.

        Raises `InvalidRecord`.
        """
        return self


class ReadableTable(Protocol):
    """What an optional part may read of a table. Game thread only."""

    @property
    def session(self) -> Session:
        """The match in play and all that is known about it."""

    @property
    def config(self) -> Config:
        """The configuration."""

    @property
    def now_s(self) -> float:
        """The time of what is answered now, in seconds of a monotonic clock."""

    @property
    def front(self) -> Page:
        """The page that players see."""

    @property
    def base(self) -> Page:
        """The page of the open question, beneath all others."""

    @property
    def setup(self) -> Page | None:
        """The page that was chosen for a table without a match; None is the start page."""

    @property
    def chance(self) -> RandomSource | None:
        """What deals cards where the box plays; None: by chance."""

    @property
    def pages(self) -> Pages:
        """The open pages."""

    @property
    def kiosk(self) -> Kiosk | None:
        """What answers visitors where the box is a kiosk; None at an ordinary table."""

    @property
    def unstored(self) -> Match | None:
        """The match in which something could not be stored: a part tries nothing again there by itself."""

    def kept(self, kind: type[Kept]) -> Kept:
        """What was kept of this class (`ExtendedTable.keep`), or its defaults."""

    def has_seen(self, result: str) -> bool:
        """Whether players have acknowledged this result of the newest step; see `acknowledge`."""


class ExtendedTable(Controller, ReadableTable, Protocol):
    """What an optional part may do while an action is answered, beside what pages may."""

    def keep(self, value: Value) -> None:
        """Keep a value as part of the table, in the place of another one of its class."""

    def keep_longer(self, by_s: float) -> None:
        """Let pages that close by themselves stay longer: another one comes over them."""

    def note_refusal(self, fault: Text, fix: Text) -> None:
        """Note, for those who watch, that something was refused that the display does not show."""

    def interrupt(self, page: Page, lasts_s: float | None = None) -> None:
        """Put a page on top that nobody has asked for: a key of this moment was not meant for it."""

    def refuse_error(self, bad: CompanionError) -> None:
        """Show that something could not be done."""

    def try_again(self) -> None:
        """Forget that something could not be stored: people want it to be tried once more."""


class VisitedTable(ExtendedTable, Protocol):
    """What a kiosk may do while an action is answered."""

    @property
    def signals(self) -> int:
        """How many signals were given in answer to this action."""

    def save_counts(self) -> None:
        """Write what was counted, once all that was done now is done."""

    def is_repeated(self, scanned: Scanned) -> bool:
        """Whether the scanner has read the same code again while the card was still held before it."""


class Kiosk(Protocol):
    """What takes the place of the table's own ways while strangers play: see `firmware.kiosk`."""

    @property
    def is_open(self) -> bool:
        """Whether these are the hours in which it is open; a box whose clock is not set always is."""

    def light(self, table: ReadableTable) -> Light:
        """How bright the display is."""

    def begin(self, table: VisitedTable) -> None:
        """The box has become a kiosk."""

    def counts_down(self, front: Page) -> bool:
        """Whether seconds are counted on the display."""

    def takes(self, message: Message, table: VisitedTable) -> bool:
        """Answer a message; False leaves it to the table."""

    def offers_languages(self, table: VisitedTable) -> bool:
        """Show a visitor who holds two keys down the list of languages; False leaves it to the table."""

    def tick(self, table: VisitedTable) -> None:
        """Let time pass."""

    def count(self, what: VisitorAction) -> None:
        """Count what a visitor has done."""

    def save_counts(self) -> None:
        """Write what was counted."""

    def speak(self, language: str, table: ExtendedTable) -> None:
        """Say everything in a language until the next visitor comes."""

    def figures(self, table: ReadableTable) -> dict[str, object]:
        """What the status says of it."""


def extended(controller: Controller) -> ExtendedTable:
    """The table of a page, as an optional part may use it."""
    return cast("ExtendedTable", controller)


class Extension:
    """An optional part at one table. A method that is left as it is adds nothing.

    The game thread calls all methods but `start` and `close`. `page` and `tick` are called for every picture,
    so they are quick. `table` is the table as it becomes while an action is answered: no part keeps it. What
    a part must know at the next action it keeps in a value of the table (`ExtendedTable.keep`).
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
        """The loop is about to run. `post` puts a message into its queue; any thread may call it.

        It may be one that a device would send.

        Before this, and where it is never called, a part does everything in the thread that asks it.
        """

    def close(self) -> None:
        """End the threads of this part."""

    def hear(self, message: ExtensionMessage, table: ExtendedTable) -> bool:
        """Handle a message; False where it is one of another part."""
        return False

    def not_stored(self, message: ExtensionMessage, bad: CompanionError, table: ExtendedTable) -> bool:
        """Tell that nothing could be stored of what a message led to; False: the display says it."""
        return False

    def answer(self, action: Action, table: ExtendedTable) -> bool:
        """Answer an action before any page does; False leaves it to the page in front."""
        return False

    def take_card(self, card: str, ask: Ask | None, table: ExtendedTable) -> bool:
        """Answer a scanned card of the game in play, instead of playing it; False leaves it to the table.

        `ask` is the question that a card can answer; None where there is none.
        """
        return False

    def undoes(self, match: Match, table: ExtendedTable) -> None:
        """The newest step of the match is about to be undone."""

    def tick(self, table: ExtendedTable) -> None:
        """Let time pass; called before every picture."""

    def page(self, page: Page, table: ReadableTable) -> Page:
        """The page beneath all that players have opened: `page`, or another one in its place.

        Like `page` it follows from the match alone, so undo, redo and a power cut need no code here.
        """
        return page

    def set_up(self, page: Page, table: ReadableTable) -> Page:
        """The page that is kept while no match is in play: `page`, which was chosen, or one in its place."""
        return page

    def names(self, names: tuple[str, ...], notes: Mapping[str, object]) -> tuple[str, ...]:
        """The names by badge, from badge 1: `names`, or others in their place, given the notes."""
        return names

    def menu(self, table: ExtendedTable) -> tuple[Item, ...]:
        """What the menu offers of this part now."""
        return ()

    def deal(self, game: str, visitors: int, table: ExtendedTable) -> bool:
        """Deal a game to so many visitors, with the box in the other seats; False where this part cannot.

        Without a visitor the box plays alone.
        """
        return False

    def state(self, session: Session) -> Mapping[str, Any]:
        """What the table's socket sends of this part: all values of `STATE`."""
        return {}
