"""The pages of the camera: which card it is, a lesson, the decks, the check of the table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import ClassVar, Final

from companion.core import games
from companion.core.codes import CardCode
from companion.text.sentence import Text, count, say
from firmware.display.canvas import Canvas
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.extensions.camera.cards_in_play import shown
from firmware.extensions.camera.progress import Advice, Hint, Progress
from firmware.extensions.camera.table_check import Misplaced
from firmware.play.table import Table
from firmware.screens.count import AuditPage
from firmware.screens.parts.base import OK_BACK, Keys, KeyUse, Page, back
from firmware.screens.parts.kinds import Message
from firmware.session.actions import ROW_KEYS
from firmware.session.session import Session
from firmware.text.translation import Translator
from hardware.ports import Key

_TWO: Final = 2
"""So many cards are drawn large, beside each other."""
_KEY_PX: Final = 11
_TABLE_PX: Final = 24
"""With less room in height, the cards on the table are not drawn."""


class WhichCard(Page):
    """A card was laid that may be one of these: a row key says which. `doubtful`: it is in no hand.

    `answered` is told when it needs no answer any more. Until then the page comes back when another card has
    closed it.
    """

    cards: tuple[str, ...]
    answered: Callable[[WhichCard], object]
    doubtful: bool = False

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        labels = [session.label(card) for card in self.cards]
        needs_px = layout.plan.choices_px
        layout.frame(self._heading(labels, t), *self.hints(session), key="OK", needs_px=needs_px)
        if len(labels) > _TWO:
            layout.choices(labels, None)
            return
        canvas.note(*(f"{row}={named}" for row, named in enumerate(labels, 1)))
        side_px, rest = layout.free.width_px // len(labels), layout.free
        for row, named in enumerate(labels, 1):
            side, rest = layout.split(rest, side_px)
            key, large = layout.split(side, _KEY_PX, 2)
            layout.key(key, str(row), MAIN_WORDS[0])
            layout.stack(large, (Big(named),))

    def _heading(self, labels: Sequence[str], t: Translator) -> str:
        if self.doubtful:
            return t("{card} IS IN NO HAND", card=labels[0])
        if len(labels) == 1:
            return t("IS IT {card}?", card=labels[0])
        if len(labels) == _TWO:
            return t("{one} OR {other}?", one=labels[0], other=labels[1])
        return t("WHICH CARD IS IT?")

    def keys(self, session: Session) -> Keys:
        rows = zip(ROW_KEYS, self.cards, strict=False)
        return {
            **{key: KeyUse(partial(self._choose, card), help=say("THIS CARD")) for key, card in rows},
            Key.OK: KeyUse(self._leave, say("OK=SHOW IT AGAIN")),
            Key.UNDO: KeyUse(self._leave, help=say("SHOW IT AGAIN")),
        }

    def choose(self, choice: str, table: Table) -> bool:
        if choice in self.cards:
            self._choose(choice, table)
        return choice in self.cards

    def _leave(self, table: Table) -> None:
        self.answered(self)
        table.close()

    def _choose(self, card: str, table: Table) -> None:
        self._leave(table)
        module = games.module(table.session.playing.box)
        table.act(CardCode(module.CODE, str(module.DECK.index(card) + 1)))


class Teaching(Page):
    """What to lay, and what was seen, while a deck is taught. To leave it ends the lesson."""

    game: str
    box: int
    progress: Progress
    end: Callable[[Table], object]

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, now = session.translate, self.progress
        aside = t.digits(f"{now.taught}/{now.of}") if now.of else ""
        layout = self.framed(canvas, session, t.say(_TITLES[now.advice]), aside)
        cards = Big(shown(now.lay, self.game, self.box, t))
        hint = t.say(HINTS[now.hint]) if now.hint else ""
        match now.advice:
            case Advice.DONE if now.doubtful:
                doubtful = shown(now.doubtful, self.game, self.box, t)
                layout.paragraph(doubtful, t("THE CAMERA WILL ASK ABOUT THEM."))
            case Advice.DONE:
                layout.paragraph(t("THE CAMERA CAN READ THIS DECK."))
            case Advice.ORDER:
                layout.paragraph(t("LAY THEM OUT IN THE SAME ORDER."))
            case Advice.SHIFT:
                picture = t("PICTURE {number} OF {of}", number=now.showing + 1, of=now.showings)
                layout.stack(layout.free, (cards, hint or t("OR CHANGE THE LIGHT"), picture))
            case Advice.SHOWN:
                layout.stack(layout.free, (cards, t("COME NEXT")))
            case Advice.LAY:
                layout.stack(layout.free, (cards, t("IN ORDER, ROW BY ROW")))
            case _:
                seen = t("{number} OF {of} SEEN", number=now.found, of=len(now.lay))
                layout.stack(self._beside_table(canvas, layout), (cards, hint or seen))

    def _beside_table(self, canvas: Canvas, layout: Layout) -> Area:
        """Draw which cards were found on the table, if any; what is left beside that."""
        now, high_px = self.progress, layout.free.height_px - 2
        if not now.seen or high_px < _TABLE_PX:
            return layout.free
        wide_px = min(round(high_px / now.high), layout.free.width_px // 2)
        at, rest = layout.split(layout.free, wide_px, 3)
        x_px, y_px = at.x_px, at.middle_px(round(wide_px * now.high))
        canvas.frame(x_px, y_px, wide_px, round(wide_px * now.high))
        for card in now.seen:
            corners = [(x_px + round(x * wide_px), y_px + round(y * wide_px)) for x, y in card]
            for start, end in zip(corners, (*corners[1:], corners[0]), strict=True):
                canvas.line(*start, *end)
        return rest

    def keys(self, session: Session) -> Keys:
        if self.progress.advice is Advice.DONE:
            return {Key.OK: KeyUse(self.end, say("OK=DONE")), Key.UNDO: KeyUse(self.end, help=say("BACK"))}
        nothing = KeyUse(lambda _: None, help=say("IT TAKES THE PICTURES BY ITSELF"))
        return {Key.OK: nothing, Key.UNDO: KeyUse(self.end, say("UNDO=END"))}

    def explains(self, session: Session) -> tuple[Text, ...]:
        return (
            say(
                "LAY OUT THE CARDS NAMED, IN ORDER, ROW BY ROW, THE WAY YOU READ. THEN TAKE YOUR HANDS AWAY."
            ),
            say("THE CAMERA TAKES THREE PICTURES. SHIFT THE CARDS A LITTLE IN BETWEEN."),
        )


_TITLES: Final = {
    Advice.LAY: say("LAY THESE OUT"),
    Advice.COUNT: say("LAY THESE OUT"),
    Advice.SHIFT: say("SHIFT THEM A LITTLE"),
    Advice.ORDER: say("ORDER CHANGED"),
    Advice.SHOWN: say("SHOWN ALREADY"),
    Advice.AGAIN: say("ONCE MORE, PLEASE"),
    Advice.DONE: say("DECK TAUGHT"),
}


HINTS: Final = {
    Hint.LIGHT: say("MORE LIGHT, PLEASE"),
    Hint.NEARER: say("CAMERA NEARER, PLEASE"),
    Hint.FOCUS: say("OUT OF FOCUS"),
    Hint.CLOTH: say("A DARK, PLAIN CLOTH HELPS"),
    Hint.HARD: say("CAMERA NEARER, OR MORE LIGHT"),
}
"""What is wrong with a lesson, or would help it."""


class LookingAtTable(Page):
    """The camera reads the whole table, as soon as nothing moves."""

    def draw(self, canvas: Canvas, session: Session) -> None:
        layout = self.framed(canvas, session, session.translate("CHECK THE TABLE"))
        layout.paragraph(session.translate("TAKE YOUR HANDS AWAY. THE CAMERA IS LOOKING."))

    def keys(self, session: Session) -> Keys:
        scan = KeyUse(lambda at: at.show(AuditPage()), say("R1=SCAN"))
        return {Key.ROW_1: scan, Key.OK: OK_BACK, Key.UNDO: KeyUse(back, help=say("BACK"))}


class TableChecked(Message):
    """What the camera has found: which cards lie wrong."""

    wrong: tuple[Misplaced, ...]
    again: Callable[[Table], object]
    NUMBERED: ClassVar[bool] = True

    def heading(self, session: Session) -> str:
        t = session.translate
        if not self.wrong:
            return t("TABLE CHECKED")
        return t.say(count("{count} CARD MISPLACED", "{count} CARDS MISPLACED", len(self.wrong)))

    def sentences(self, session: Session) -> tuple[Text, ...]:
        if not self.wrong:
            return (say("ALL ROWS ARE AS THE REFEREE HAS THEM."),)
        return tuple(wrong.says(session.label(wrong.card)) for wrong in self.wrong)

    def keys(self, session: Session) -> Keys:
        keys = super().keys(session)
        if self.wrong:
            keys[Key.ROW_1] = KeyUse(self.again, say("R1=LOOK AGAIN"))
        return {**keys, Key.UNDO: KeyUse(back, help=say("BACK"))}
