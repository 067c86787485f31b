"""What a page is, and how it answers keys and scans: with the verbs of the table."""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, ClassVar, Final, NamedTuple

from companion.core.ask import Ask, Gives
from companion.core.cards import Seat
from companion.core.codes import CardCode, RowCode, UnknownCode
from companion.text.errors import UnknownCard
from companion.text.sentence import NOTHING, Text, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.layout import Layout
from firmware.display.plan import Plan
from firmware.play.page import AnyPage
from firmware.play.table import Table
from firmware.session import actions
from firmware.session.session import Session
from hardware.ports import OWN_KEYS, Key, Press


class KeyUse(NamedTuple):
    """What a key does on a page, and how players learn of it.

    A `hint`, such as `OK=NEXT`, stands on the page where there is room for it. The page of help tells
    of every key: in the words of its hint, else in those of `help`.
    """

    do: Callable[[Table], object]
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


class Page(AnyPage):
    """One question or answer on the display: it inherits from this class and says what is different."""

    KEYS: ClassVar[Keys] = {}
    """What each key does, where that is always the same; see `keys`."""

    def framed(
        self, canvas: Canvas, session: Session, title: str, aside: str = "", plan: Plan | None = None
    ) -> Layout:
        """The title bar, and what the keys do: most pages begin with both."""
        layout = Layout(canvas, session.plan if plan is None else plan)
        layout.title(title, aside)
        layout.hints(*self.hints(session))
        return layout

    def shows(self, **changes: Any) -> Callable[[Table], None]:  # noqa: ANN401 - fields of the page
        """What a key does that shows this page with some fields changed."""
        changed = replace(self, **changes)
        return lambda table: table.show(changed)

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

    def handle(self, action: actions.Action, table: Table) -> bool:
        """Answer an action; False leaves it to the table.

        The one place that looks at what kind of action it is: a page has the map and the methods below.
        """
        match action:
            case actions.KeyAction(key, press):
                pressed: Key | Held = key if press is Press.SHORT else Held(key)
                use = None if press is Press.DOUBLE else self.keys(table.session).get(pressed)
                if use is not None:
                    use.do(table)
                return use is not None
            case CardCode() | actions.NumberAction():
                number = actions.typed_number(action)
                if number is not None and self.take_number(number, table):
                    return True
                return isinstance(action, CardCode) and self.take_card(action, table)
            case actions.BadgeAction(badge):
                return self.take_badge(badge, table)
            case RowCode(badge, row):
                return self.take_row(badge, row, table)
            case UnknownCode(text):
                return self.take_text(text, table)
            case _:
                return False

    def take_card(self, action: CardCode, table: Table) -> bool:
        """Answer a card; False leaves it to the table, as with all of these."""
        return False

    def take_number(self, number: int, table: Table) -> bool:
        """Answer a number that was typed, or scanned without the code of a game; it may be a card as well."""
        return False

    def take_badge(self, badge: int, table: Table) -> bool:
        return False

    def take_row(self, badge: int, row: int, table: Table) -> bool:
        """Answer the back of a badge, which names a row, from 0."""
        return False

    def take_text(self, text: str, table: Table) -> bool:
        """Answer a text that is no code."""
        return False


def back(table: Table) -> None:
    table.close()


def undo(table: Table) -> None:
    table.undo()


OK_BACK: Final = KeyUse(back, say("OK=BACK"))
OK_NEXT: Final = KeyUse(back, say("OK=NEXT"))
UNDO_BACK: Final = KeyUse(back, say("UNDO=BACK"))
TAKE_BACK: Final = KeyUse(undo, say("UNDO=TAKE BACK"))


def forward_keys(keys: Iterable[Key], leave: Callable[[Table], object]) -> Keys:
    """Keys that are meant for the page that comes when this one is left."""

    def do(key: Key, table: Table) -> None:
        leave(table)
        table.act(actions.KeyAction(key))

    return {key: KeyUse(partial(do, key), help=say("AS USUAL")) for key in keys}


def ok_answers(page: Page, ask: Ask) -> KeyUse:
    """OK gives the first answer to a question, in its words."""
    return KeyUse(partial(page.choose, ask.choices[0]), say("OK={what}", what=ask.labels[0]))


def read_card(action: CardCode, table: Table) -> str | None:
    """The name of a card of the game in play; None, with the reason shown, for any other code."""
    match = table.session.playing
    if action.game and action.game != table.session.code:
        table.decline(say("CARD OF ANOTHER GAME"))
        return None
    try:
        return match.game.card(match.position.table, action.card)
    except UnknownCard:
        table.decline(say("UNKNOWN CARD {card}", card=action.card[:4]))
        return None


def read_badge(badge: int, table: Table) -> Seat | None:
    """The seat of who has a badge; None, with the reason shown, where nobody who plays has it."""
    seat = table.session.seat(badge)
    if seat is None:
        table.decline(say("BADGE {badge} NOT PLAYING", badge=badge))
    return seat


def asked_for(gives: Gives, asks: Iterable[Ask]) -> Ask | None:
    """The open question that is answered with this kind of thing; None if none is."""
    return next((ask for ask in asks if ask.kind.gives is gives), None)


def answer_one_of(ask: Ask | None, seat: Seat | None, choice: str, table: Table) -> bool:
    """Answer with one of the choices of a question; False where it is none, or nothing is asked."""
    if ask is None or choice not in ask.choices:
        return False
    table.answer(ask, seat, choice)
    return True
