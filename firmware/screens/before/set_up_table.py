"""Setting up a table that is already laid out: the cards of each row are scanned, then the turns are set.

Of a pile that nobody may look into, the top card is enough: the cards below it stay. What stayed, and what
does not fit what was known before, is shown at the end.
"""

from functools import partial

from companion.core.codes import CardCode
from companion.match.match import Step
from companion.text.sentence import Text, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.layout import Layout
from firmware.display.plan import LOW_PX
from firmware.play.table import Table
from firmware.screens.parts.base import TAKE_BACK, Keys, KeyUse, Page, back, read_card
from firmware.screens.parts.kinds import PER_PAGE, Message, first_of_page, page_number
from firmware.screens.parts.numbers import dial_number
from firmware.session.actions import ROW_KEYS
from firmware.session.session import Session
from hardware.ports import Key, Signal

_SHOWN = 5


def set_up_table(table: Table) -> None:
    """Ask for every row of the table: as many as there are now, four where there is none yet."""
    match = table.session.playing
    stacks = match.board.stacks
    table.open(SetUpTable(((),) * (len(stacks) or PER_PAGE)))


class SetUpTable(Page):
    """The rows so far, and the index of the one that is being scanned (0-based)."""

    rows: tuple[tuple[str, ...], ...]
    at: int = 0

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, match, layout = session.translate, session.playing, Layout(canvas, session.plan)
        if any(stack.covered for stack in match.game.board(match.position.table).stacks):
            title, aside = t("SCAN THE TOP CARDS"), t.digits(page_number(self.at, len(self.rows)))
        else:
            title, aside = t("SCAN ROW {row}", row=self.at + 1), t("IN ORDER")
        layout.frame(title, *self.hints(session), aside=aside, needs_px=PER_PAGE * LOW_PX)
        first = first_of_page(self.at)
        pitch_px = layout.free.height_px // PER_PAGE
        for index, row in enumerate(self.rows[first : first + PER_PAGE]):
            y_px = layout.free.y_px + 2 + pitch_px * index
            if first + index == self.at:
                canvas.cursor(0, y_px)
            canvas.key(6, y_px, str(index + 1))
            for place, card in enumerate(row[-_SHOWN:]):
                canvas.text_right(38 + 20 * place, y_px, session.label(card))

    def keys(self, session: Session) -> Keys:
        first = first_of_page(self.at)
        on = self._ask_turn if self.at == len(self.rows) - 1 else self.shows(at=self.at + 1)
        last = partial(self._fill, self.rows[self.at][:-1]) if self.rows[self.at] else back
        rows: Keys = {
            key: KeyUse(self.shows(at=first + row), help=say("ANOTHER ROW"))
            for row, key in enumerate(ROW_KEYS)
            if first + row < len(self.rows)
        }
        return {Key.OK: KeyUse(on, say("OK=NEXT")), Key.UNDO: KeyUse(last, say("UNDO=LAST")), **rows}

    def take_card(self, action: CardCode, table: Table) -> bool:
        if (card := read_card(action, table)) is None:
            return True
        row = self.rows[self.at]
        board = table.session.playing.board
        full = any(0 < stack.room <= len(row) for stack in board.stacks)
        if full or any(card in other for other in self.rows):
            label = table.session.label(card)
            table.decline(say("{card} CANNOT BE THERE", card=label))
            return True
        table.signal(Signal.ACCEPTED)
        self._fill((*row, card), table)
        return True

    def _fill(self, row: tuple[str, ...], table: Table) -> None:
        rows = tuple(row if at == self.at else old for at, old in enumerate(self.rows))
        table.show(replace(self, rows=rows))

    def _ask_turn(self, table: Table) -> None:
        """Ask for the finished turns, with the number that follows from the cards; or go on without."""
        match = table.session.playing
        turns = match.board.turns
        order = match.game.adopt(self.rows, None)
        step = match.propose(order) if turns else None
        if not isinstance(step, Step):
            self._adopt(None, table)  # a table that is not possible is refused here
            return
        after = match.then(step)
        shown = after.position.finished if after.game.over(after.position.table) else after.position.table
        guess = after.game.board(shown).turn - 1
        dial_number(table, say("TURNS FINISHED?"), range(turns), max(0, min(guess, turns - 1)), self._adopt)

    def _adopt(self, turn: int | None, table: Table) -> None:
        game = table.session.playing.game
        if not table.propose(game.adopt(self.rows, turn)):
            return
        newest = table.session.playing.newest
        if newest is not None and newest.because:
            table.open(TableIsSetUp(tuple(says for _, says in newest.because)))


class TableIsSetUp(Message):
    """What stayed as it was, what changed, and what does not fit; the whole can be undone."""

    DISMISS_ON_OK = True
    TITLE = say("TABLE IS SET UP")
    says: tuple[Text, ...]

    def sentences(self, session: Session) -> tuple[Text, ...]:
        return self.says

    def keys(self, session: Session) -> Keys:
        """OK shows the rest, UNDO undoes that the table was set up."""
        return {**super().keys(session), Key.UNDO: TAKE_BACK}
