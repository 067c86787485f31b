"""The steps of the match in play: back to any of them, and to what was there before people went back."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from companion.core.codes import CardCode
from companion.core.score_sheet import DealScored
from companion.match.match import Match, Step
from companion.text.sentence import Text, count, literal, say
from companion.values import Value, replace
from firmware.display.layout import Layout
from firmware.play.table import Table
from firmware.screens.parts.base import UNDO_BACK, read_card
from firmware.screens.parts.kinds import Confirm, ListPage
from firmware.screens.turn.step_names import named
from firmware.session.session import Session
from hardware.ports import Signal

UNASKED: Final = 3
"""The number of steps that are undone without a question."""
_MOST: Final = 100
"""The number of steps that are listed; from the oldest of them one goes back further."""
_COLUMNS: Final = 16


def ask_to_go(back: int, table: Table, redone: tuple[Step, ...] = (), unasked: int = 0) -> None:
    """Undo `back` steps, then redo others there; more than `unasked` steps are asked about first."""
    if back <= unasked:
        _go(back, redone, table)
        return
    title = count("UNDO {count} STEP?", "UNDO {count} STEPS?", back)
    follows = say("HISTORY IN THE MENU CAN REDO THIS.")
    table.open(Confirm(title, follows, say("UNDO"), partial(_go, back, redone)))


def _go(back: int, redone: tuple[Step, ...], table: Table) -> None:
    table.go(back, redone)
    if redone:
        table.say(count("{count} STEP RESTORED", "{count} STEPS RESTORED", len(redone)))
    else:
        table.say(count("{count} STEP UNDONE", "{count} STEPS UNDONE", back))


class _Entry(Value):
    """A line of the list: what it says and how far it is, and the steps to undo, then those to redo."""

    says: Text
    back: int
    redone: tuple[Step, ...] = ()
    card: str = ""

    @property
    def distance(self) -> str:
        return "" if self.redone else f"-{self.back}"


class History(ListPage):
    """The newest step first. What was undone stands where it would follow, also after other steps."""

    TITLE = say("BACK TO BEFORE?")
    OK_HINT = say("OK=GO BACK")
    UNDO = UNDO_BACK
    entries: tuple[_Entry, ...]

    def offers(self, session: Session) -> list[tuple[Text, Callable[[Table], object]]]:
        return [
            (entry.says, partial(ask_to_go, entry.back, redone=entry.redone, unasked=UNASKED))
            for entry in self.entries
        ]

    def draw_choices(self, layout: Layout, session: Session, *, width_px: int = 0) -> None:
        choices, labels = self.choices(session), self.labels(session)
        lit = None if choices.cursor is None else choices.cursor - choices.first
        ends = [session.translate.digits(self.entries[place].distance) for place in choices.shown]
        layout.choices([labels[place] for place in choices.shown], lit, ends=ends)

    def take_card(self, action: CardCode, table: Table) -> bool:
        """The cursor goes to the newest step of that card."""
        card = read_card(action, table)
        places = [place for place, entry in enumerate(self.entries) if card and entry.card == card]
        if places:
            table.signal(Signal.ACCEPTED)
            table.show(replace(self, cursor=places[0]))
        elif card:
            table.decline(say("{card} IS NOT IN THIS LIST", card=table.session.label(card)))
        return True


def open_history(table: Table) -> None:
    """Open the list of the steps of the match in play."""
    table.open(History(tuple(_entries(table.session))))


def _entries(session: Session) -> Iterator[_Entry]:
    at: Match | None = session.playing
    for back in range(_MOST + 1):
        if at is None:
            return
        for line in at.lines:
            yield _Entry(count("RESTORE {count} STEP", "RESTORE {count} STEPS", len(line)), back, line)
        if at.newest is not None and at.before is not None:
            card = str(getattr(at.newest.command, "card", ""))
            yield _Entry(_what(at.newest, at.before, session), back + 1, card=card)
        at = at.before


def _what(step: Step, before: Match, session: Session) -> Text:
    if any(isinstance(event, DealScored) for event in step.events):
        return say("END OF DEAL {deal}", deal=before.position.deal)
    return literal(named(step, before, session, _COLUMNS))
