"""What the table knows of the pages that it shows: it draws none of them, and asks them nothing by name."""

from __future__ import annotations

import re
from typing import Any, ClassVar, Final, NamedTuple

from companion.core.cards import Seat
from companion.text.sentence import Text
from companion.values import Value
from firmware.display.canvas import Canvas
from firmware.session.actions import Action
from firmware.session.session import Session
from hardware.ports import Key


class StepResult:
    """What a step has led to, and players look at before the match goes on. Optional parts have others."""

    RULING: Final = "ruling"
    """Where the cards of the turn go."""

    OWNER: Final = "owner"
    """That a card of a finished deal has no owner yet; the card follows."""

    DEAL: Final = "deal"
    """The scores of a finished deal."""


class Change(NamedTuple):
    """The points of a player as they are and as they would be, before anybody has agreed."""

    seat: Seat
    before: int
    after: int


class AnyPage(Value):
    """A question or an answer on the display, as the table knows it; the rest is in `firmware.screens.parts`.

    A page is a value: to change it, another one is shown. Nobody asks which page it is: what others have to
    know of it are the members below.
    """

    NAME: ClassVar[str]
    """What programs call it: its class in small letters (`choose_stack`), unless it says another name."""

    DISMISS_ON_OK: ClassVar[bool] = False
    """Whether it only tells something, and OK goes on."""

    HOLDS_EXTRA_CARD: ClassVar[bool] = False
    """Whether it shows a turn: a card that comes just after it has appeared may be one too many of it."""

    CONTINUES_BY_ITSELF: ClassVar[bool] = False
    """Whether another page follows after a while, see `following`."""

    WAITS: ClassVar[tuple[Key, float]] = (Key.OK, 0.0)
    """A key, and for how many seconds after a change of the page it does nothing: nobody has read it yet."""

    TITLE_IS_PROMPT: ClassVar[bool] = False
    """Whether its title is the open question: no line about the step before may lie over it."""

    HAS_TIME: ClassVar[bool] = False
    """Whether a visitor of a kiosk may think for longer here than in a menu."""

    SCORES_BY_BADGE: ClassVar[bool] = False
    """Whether a badge chooses whose points the keys set."""

    AT_THE_BOX: ClassVar[bool] = False
    """Whether it is opened and answered at the box itself only: no program and no phone presses its keys."""

    MOVES: ClassVar[bool] = False
    """Whether its picture changes more than once a second."""

    def __init_subclass__(cls) -> None:
        if "NAME" not in cls.__dict__:
            cls.NAME = re.sub("(?<!^)(?=[A-Z])", "_", cls.__name__.removesuffix("Page")).lower()

    @property
    def refusal(self) -> tuple[Text, ...]:
        """What was refused, and what to do instead; empty on a page that shows no refusal."""
        return ()

    @property
    def stays_s(self) -> float | None:
        """For how many seconds it stays before another one follows; None: as long as a ruling."""
        return None

    @property
    def joined(self) -> tuple[int, ...] | None:
        """The badges that have joined so far; None where nobody joins."""
        return None

    def is_secret(self, session: Session) -> bool:
        """Whether only who stands at the display may see it: no picture of it leaves the device."""
        return False

    def changes(self, session: Session) -> tuple[Change, ...]:
        """Whose points OK would change here, by seat; none where OK changes no points."""
        return ()

    def explains(self, session: Session) -> tuple[Text, ...]:
        """What WHY tells of it before a match, above what the keys do."""
        return ()

    def following(self, session: Session) -> AnyPage | None:
        """The page that follows by itself after a while; None if this one stays."""
        return None

    def heading(self, session: Session) -> str:
        """The words of its title; empty where it has none of its own."""
        return ""

    def brief(self, session: Session) -> str:
        """What a band over another page says of it, in one line."""
        return self.heading(session)

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Draw the page; the same page and session give the same picture."""

    def keys(self, session: Session) -> dict[Any, Any]:
        """What each key does now, in the order in which the page tells of them; others are not answered."""
        return {}

    # A page knows the table; the table does not know what a page does with it.

    def handle(self, action: Action, table: Any) -> bool:  # noqa: ANN401 - a `Table`
        """Answer an action; False leaves it to the table."""
        return False

    def choose(self, choice: str, table: Any) -> bool:  # noqa: ANN401 - a `Table`
        """Answer the question of this page by the name of a choice; False where it is none of its choices.

        A choice is the key of a game, a choice of the open question, or `=` and points (`TYPED`).
        """
        return False
