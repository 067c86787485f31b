"""What a page is, and what a page may ask of the program that shows it.

Both are protocols and stand side by side, so that a page knows nothing else of the program, and the program
nothing else of a page.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Final, NamedTuple, Protocol, TypeVar

from companion.core.codes import CardCode, RowCode, UnknownCode
from companion.text.errors import UnknownCard
from companion.text.sentence import NOTHING, Text, say
from companion.values import Value, replace
from firmware.display.layout import Layout
from firmware.session import actions
from hardware.ports import OWN_KEYS, Key, Press, Signal

if TYPE_CHECKING:
    from companion.core.ask import Ask, Gives
    from companion.core.cards import Seat
    from companion.core.ruling import Refused
    from firmware.display.canvas import Canvas
    from firmware.display.plan import Plan
    from firmware.session.session import Session


Part = TypeVar("Part")

NOTICE_COLUMNS: Final = 20
"""The length of a line that is shown over a page for a moment."""


class StepResult:
    """What a step has led to, and players look at before the match goes on. Optional parts have others."""

    RULING: Final = "ruling"
    """Where the cards of the turn go."""

    DEAL: Final = "deal"
    """The scores of a finished deal."""


class VisitorAction(Enum):
    """What visitors of a kiosk do, as it is counted; the value is the column of the counts."""

    VISITOR = "visitors"
    LESSON_BEGUN = "lessons_begun"
    LESSON_FINISHED = "lessons_finished"
    DEAL_BEGUN = "deals_begun"
    DEAL_FINISHED = "deals_finished"
    SCAN = "scans"
    BAD_SCAN = "bad_scans"
    STUCK_KEY = "stuck_keys"
    """Something holds a key down."""


class Controller(Protocol):
    """What a page may ask for. Its methods are called by the game thread only."""

    @property
    def session(self) -> Session:
        """The match in play and all that is known about it."""

    # what was done

    def act(self, action: actions.Action) -> None:
        """Answer an action as if it had just come: by the page in front, else in the usual way.

        So a page that has closed itself passes on what was meant for the page below it.
        """

    def play(self, card: str, game: str = "") -> None:
        """Take a card as scanned; `game` is the two characters its code begins with, empty for any."""

    def propose(self, command: Any) -> bool:  # noqa: ANN401 - a command of the game in play
        """Carry a command out and show what it led to; False, with the reason shown, if it is refused."""

    def answer(self, ask: Ask, seat: Seat | None, text: str) -> bool:
        """Propose an answer to an open question as `propose` does, as the game reads it."""

    def join(self, badge: int | None = None) -> bool:
        """Let a player join, with a badge if there is one: at once, or with the next deal if one is played.

        False, with the reason shown, if that is refused.
        """

    def undo(self) -> None:
        """Undo the newest step."""

    def acknowledge(self, result: str) -> None:
        """Note that players have seen what the newest step led to."""

    def deal(self, game: str, visitors: int) -> None:
        """Deal a game to so many visitors, with the box in the other seats; without a visitor it plays alone.

        An optional part does it, where `Session.can_deal` says so.
        """

    def speak(self, language: str) -> None:
        """Say everything in a language; in a kiosk until the next visitor comes."""

    def count(self, what: VisitorAction) -> None:
        """Count what a visitor has done; only a kiosk counts."""

    # which page

    def extension(self, kind: type[Part]) -> Part:
        """The optional part of this class at this table. Raises `LookupError` where it is not installed."""

    def extension_items(self) -> tuple[Item, ...]:
        """What the menu offers of optional parts now."""

    def open(self, page: Page, lasts_s: float | None = None) -> None:
        """Put a page on top. It closes by itself after `lasts_s` seconds; None: it does not."""

    def show(self, page: Page) -> None:
        """Put a page in the place of the one on top; over the open question, where no page is on top."""

    def close(self) -> None:
        """Remove the page on top."""

    def home(self) -> None:
        """Remove all pages: back to the open question."""

    def set_up(self, page: Page | None) -> None:
        """Choose the page that is shown while no match is in play; None is the start page."""

    # what is seen and heard beside it

    def refuse(self, refused: Refused, command: Any = None) -> None:  # noqa: ANN401 - a command of any game
        """Show why something is refused: the command, where it is known."""

    def say(self, text: Text) -> None:
        """Show a line over the page for a moment; an empty one removes the line that is there."""

    def decline(self, says: Text, signal: Signal = Signal.REFUSED) -> None:
        """Say in a line, with a signal, why something is not done."""

    def explain(self, fault: Text, fix: Text, title: Text) -> None:
        """Open a page, with a signal, that says why something is not done, and what to do instead."""

    def signal(self, signal: Signal) -> None:
        """Sound a signal, unless sound is off."""

    # what belongs to the device

    @property
    def front(self) -> Page:
        """The page that players see."""

    @property
    def covers_question(self) -> bool:
        """Whether the page in front lies over the one for the open question."""

    @property
    def muted(self) -> bool:
        """Whether the sound is off."""

    def toggle_sound(self) -> None:
        """Turn the sound off or on, and say which."""

    @property
    def can_switch_off(self) -> bool:
        """Whether the machine can be switched off from here."""

    def begin_switch_off(self) -> None:
        """Start the countdown: the machine goes off unless the key is released before its end."""

    def restart(self) -> None:
        """Switch the machine off and on again, where it can be switched off."""


Item = tuple[Text, "Callable[[Controller], object]"]
"""A line of a menu: what it says, and what it does."""


class Change(NamedTuple):
    """The points of a player as they are and as they would be, before anybody has agreed."""

    seat: Seat
    before: int
    after: int


class KeyUse(NamedTuple):
    """What a key does on a page, and how players learn of it.

    A `hint`, such as `OK=NEXT`, stands on the page where there is room for it. The page of help tells
    of every key: in the words of its hint, else in those of `help`.
    """

    do: Callable[[Controller], object]
    hint: Text = NOTHING
    help: Text = NOTHING


class Held(NamedTuple):
    """A key that is held down."""

    key: Key


Keys = dict[Key | Held, KeyUse]

KEYS: Final = tuple(key for key in Key if key not in OWN_KEYS)
"""All keys of a table. A player's own key is a badge."""

ANY_KEY: Final[tuple[Key | Held, ...]] = (*KEYS, *map(Held, KEYS))
"""Every key, held down or not."""


class Page(Value):
    """One question or answer on the display. A page is a value: to change it, another one is shown.

    A page inherits from this class and says what is different. Nobody asks which page it is: what others have
    to know of it are the members below.
    """

    NAME: ClassVar[str]
    """What programs call it: its class in small letters (`choose_stack`), unless it says another name."""

    GOES_ON_WITH_OK: ClassVar[bool] = False
    """Whether it only tells something, and OK goes on."""

    HOLDS_EXTRA_CARD: ClassVar[bool] = False
    """Whether it shows a turn: a card that comes just after it has appeared may be one too many of it."""

    GOES_ON_BY_ITSELF: ClassVar[bool] = False
    """Whether another page follows after a while, see `following`."""

    OK_WAITS_S: ClassVar[float] = 0.0
    """Seconds after the page has opened in which OK does nothing: people press it to end the page before."""

    TITLE_ASKS: ClassVar[bool] = False
    """Whether its title is the open question: no line about the step before may lie over it."""

    HAS_TIME: ClassVar[bool] = False
    """Whether a visitor of a kiosk may think for longer here than in a menu."""

    SCORES_BY_BADGE: ClassVar[bool] = False
    """Whether a badge chooses whose points the keys set."""

    AT_THE_BOX: ClassVar[bool] = False
    """Whether it is opened and answered at the box itself only: no program and no phone presses its keys."""

    KEYS: ClassVar[Keys] = {}
    """What each key does, where that is always the same; see `keys`."""

    def __init_subclass__(cls) -> None:
        if "NAME" not in cls.__dict__:
            cls.NAME = re.sub("(?<!^)(?=[A-Z])", "_", cls.__name__).lower()

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

    def following(self, session: Session) -> Page | None:
        """The page that follows by itself after a while; None if this one stays."""
        return None

    def heading(self, session: Session) -> str:
        """The words of its title; empty where it has none of its own."""
        return ""

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Draw the page; the same page and session give the same picture."""

    def framed(
        self, canvas: Canvas, session: Session, title: str, aside: str = "", plan: Plan | None = None
    ) -> Layout:
        """The title bar, and what the keys do: most pages begin with both."""
        layout = Layout(canvas, session.plan if plan is None else plan)
        layout.title(title, aside)
        layout.hints(*self.hints(session))
        return layout

    def shows(self, **changes: Any) -> Callable[[Controller], None]:  # noqa: ANN401 - fields of the page
        """What a key does that shows this page with some fields changed."""
        changed = replace(self, **changes)
        return lambda controller: controller.show(changed)

    def keys(self, session: Session) -> Keys:
        """What each key does now, in the order in which the page tells of them; others are not answered."""
        return self.KEYS

    def hints(self, session: Session) -> tuple[str, ...]:
        """What the page tells of its keys."""
        hints = (session.translate.say(use.hint) for use in self.keys(session).values())
        return tuple(dict.fromkeys(hint for hint in hints if hint))

    def hint(self, key: Key, session: Session) -> str:
        """What the page tells of one key; empty where it does nothing, or is told in the help only."""
        use = self.keys(session).get(key)
        return "" if use is None else session.translate.say(use.hint)

    def handle(self, action: actions.Action, controller: Controller) -> bool:
        """Answer an action; False leaves it to the controller.

        The one place that looks at what kind of action it is: a page has the map and the methods below.
        """
        match action:
            case actions.KeyAction(key, press):
                pressed: Key | Held = key if press is Press.SHORT else Held(key)
                use = None if press is Press.DOUBLE else self.keys(controller.session).get(pressed)
                if use is not None:
                    use.do(controller)
                return use is not None
            case CardCode() | actions.NumberAction():
                number = actions.typed_number(action)
                if number is not None and self.take_number(number, controller):
                    return True
                return isinstance(action, CardCode) and self.take_card(action, controller)
            case actions.BadgeAction(badge):
                return self.take_badge(badge, controller)
            case RowCode(badge, row):
                return self.take_row(badge, row, controller)
            case UnknownCode(text):
                return self.take_text(text, controller)
            case _:
                return False

    def take_card(self, action: CardCode, controller: Controller) -> bool:
        """Answer a card; False leaves it to the controller, as with all of these."""
        return False

    def take_number(self, number: int, controller: Controller) -> bool:
        """Answer a number that was typed, or scanned without the code of a game; it may be a card as well."""
        return False

    def take_badge(self, badge: int, controller: Controller) -> bool:
        return False

    def take_row(self, badge: int, row: int, controller: Controller) -> bool:
        """Answer the back of a badge, which names a row, from 0."""
        return False

    def take_text(self, text: str, controller: Controller) -> bool:
        """Answer a text that is no code."""
        return False

    def choose(self, choice: str, controller: Controller) -> bool:
        """Answer the question of this page by the name of a choice; False where it is none of its choices.

        A choice is the key of a game, a choice of the open question, or `=` and points (`TYPED`).
        """
        return False


def back(controller: Controller) -> None:
    controller.close()


def undo(controller: Controller) -> None:
    controller.undo()


OK_BACK: Final = KeyUse(back, say("OK=BACK"))
OK_NEXT: Final = KeyUse(back, say("OK=NEXT"))
UNDO_BACK: Final = KeyUse(back, say("UNDO=BACK"))
TAKE_BACK: Final = KeyUse(undo, say("UNDO=TAKE BACK"))


def passed_on(keys: Iterable[Key], leave: Callable[[Controller], object]) -> Keys:
    """Keys that are meant for the page that comes when this one is left."""

    def do(key: Key, controller: Controller) -> None:
        leave(controller)
        controller.act(actions.KeyAction(key))

    return {key: KeyUse(partial(do, key), help=say("AS WITHOUT THIS PAGE")) for key in keys}


def ok_answers(page: Page, ask: Ask) -> KeyUse:
    """OK gives the first answer to a question, in its words."""
    return KeyUse(partial(page.choose, ask.choices[0]), say("OK={what}", what=ask.labels[0]))


def read_card(action: CardCode, controller: Controller) -> str | None:
    """The name of a card of the game in play; None, with the reason shown, for any other code."""
    match = controller.session.playing
    if action.game and action.game != controller.session.code:
        controller.decline(say("CARD OF ANOTHER GAME"))
        return None
    try:
        return match.game.card(match.position.table, action.card)
    except UnknownCard:
        controller.decline(say("UNKNOWN CARD {card}", card=action.card[:4]))
        return None


def read_badge(badge: int, controller: Controller) -> Seat | None:
    """The seat of who has a badge; None, with the reason shown, where nobody who plays has it."""
    seat = controller.session.seat(badge)
    if seat is None:
        controller.decline(say("BADGE {badge} NOT PLAYING", badge=badge))
    return seat


def asked_for(gives: Gives, asks: Iterable[Ask]) -> Ask | None:
    """The open question that is answered with this kind of thing; None if none is."""
    return next((ask for ask in asks if ask.kind.gives is gives), None)


def answer_one_of(ask: Ask | None, seat: Seat | None, choice: str, controller: Controller) -> bool:
    """Answer with one of the choices of a question; False where it is none, or nothing is asked."""
    if ask is None or choice not in ask.choices:
        return False
    controller.answer(ask, seat, choice)
    return True
