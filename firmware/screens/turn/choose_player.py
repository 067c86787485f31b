"""A question that is answered with a player: who played the card, who is given one."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from companion.core.ask import Ask, AskKind
from companion.core.cards import Seat
from companion.text.sentence import say
from companion.values import replace
from firmware.display.glyphs import MEDIUM
from firmware.display.layout import Area, Big, Layout
from firmware.display.plan import MAIN_WORDS
from firmware.screens.parts.base import Controller, Keys, KeyUse, Page
from firmware.screens.parts.choice import ChoiceList, without_views
from firmware.screens.parts.player_names import LONGEST_IN_LIST, PLAYERS_PER_PAGE, draw_players, name_badge
from firmware.screens.turn.owner_not_known import ask_to_play_on
from firmware.screens.turn.table import ROWS_PER_PAGE
from hardware.ports import Key

if TYPE_CHECKING:
    from firmware.display.canvas import Canvas
    from firmware.session.session import Session

_CARD_PX: Final = 54
"""Width of a card in LARGE."""
_PITCH_PX: Final = 16
"""From name to name where they have room."""


class ChoosePlayer(Page):
    """Which player, by badge or with the cursor."""

    NAME: ClassVar[str] = "choose_player"
    TITLE_ASKS: ClassVar[bool] = True
    ask: Ask
    cursor: int | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        """The question, the card, and every player it may be about."""
        t, layout = session.translate, Layout(canvas, session.plan)
        seats = [Seat(int(choice)) for choice in self.ask.choices]
        few = len(seats) <= ROWS_PER_PAGE
        says = t.say(self.ask.says)
        if few:
            layout.title(says, t("BADGE") if layout.title_holds(says, t("BADGE")) else "")
        else:
            layout.main_title(says)
        card = session.label(self.ask.card) if self.ask.card else ""
        side_px = self._draw_card(layout, card) if few else 0
        if few:
            self._draw_few(layout, session, seats, side_px)
        else:
            layout.free = Area(0, layout.free.y_px, layout.free.width_px - side_px, layout.free.height_px)
            draw_players(
                layout,
                session,
                [session.badge(seat) for seat in seats],
                () if self.cursor is None else (self.cursor,),
            )

    def _draw_card(self, layout: Layout, card: str) -> int:
        """The card large at the right; how many columns it takes."""
        if not card:
            return 0
        free = layout.free
        layout.stack(
            Area(free.right_px - _CARD_PX, free.y_px + 1, _CARD_PX, free.height_px - 1), (Big(card),)
        )
        return _CARD_PX + 2

    def _draw_few(self, layout: Layout, session: Session, seats: list[Seat], side_px: int) -> None:
        """Each name beside the row key that chooses it."""
        canvas, plan, free = layout.canvas, layout.plan, layout.free
        pitch_px = min(_PITCH_PX, free.height_px // len(seats))
        fonts = (MEDIUM, *plan.text) if pitch_px < _PITCH_PX else MAIN_WORDS
        for place, seat in enumerate(seats):
            area = Area(0, free.y_px + 1 + pitch_px * place, free.width_px - side_px, pitch_px - 1)
            canvas.key(0, area.y_px + (area.height_px - 7) // 2, str(place + 1))
            name_badge(
                layout,
                Area(12, area.y_px, area.width_px - 13, area.height_px),
                session,
                session.badge(seat),
                fonts,
            )
            if place == self.cursor:
                canvas.invert(10, area.y_px, area.width_px - 10, area.height_px)

    def keys(self, session: Session) -> Keys:
        """A row key answers for the first four, and OK for the player under the cursor.

        OK without a cursor asks whether to play on although nobody knows it.
        """
        keys = self._choices.keys(self._choose, self._move)
        if self.cursor is None:
            keys[Key.OK] = KeyUse(self._without_cursor, help=say("NOBODY KNOWS?"))
        return without_views(keys, self._choices)

    def take_badge(self, badge: int, controller: Controller) -> bool:
        """A badge answers."""
        seat = controller.session.seat(badge)
        if seat is None:
            controller.decline(say("BADGE {badge} NOT PLAYING", badge=badge))
        else:
            self._answer(seat, controller)
        return True

    def take_row(self, badge: int, row: int, controller: Controller) -> bool:
        """The back of a badge names the player as well, and no row is asked for here."""
        return self.take_badge(badge, controller)

    def _without_cursor(self, controller: Controller) -> None:
        if not self._may_be_unknown or not ask_to_play_on(self.ask, controller):
            controller.decline(say("CHOOSE A PLAYER"))

    def _choose(self, choice: str, controller: Controller) -> None:
        self.choose(choice, controller)

    def _move(self, cursor: int, controller: Controller) -> None:
        controller.show(replace(self, cursor=cursor))

    def choose(self, choice: str, controller: Controller) -> bool:
        """One of the players, by seat."""
        if choice not in self.ask.choices:
            return False
        self._answer(Seat(int(choice)), controller)
        return True

    @property
    def _may_be_unknown(self) -> bool:
        return self.ask.kind is AskKind.CLAIM and bool(self.ask.card)

    @property
    def _choices(self) -> ChoiceList[str]:
        return ChoiceList(self.ask.choices, self.cursor, per_page=PLAYERS_PER_PAGE)

    def _refuse(self, seat: Seat, controller: Controller) -> None:
        """Say why this player cannot be chosen; the badge of the one who chooses is scanned most often."""
        name = controller.session.short_name(seat, LONGEST_IN_LIST)
        chooses = seat == self.ask.seats[0]
        fault = say("{name} chooses another player", name=name) if chooses else say("not {name}", name=name)
        controller.explain(fault, say("scan the badge of another player"), say("ANOTHER PLAYER"))

    def _answer(self, seat: Seat, controller: Controller) -> None:
        if self.ask.kind is AskKind.WHOM and str(seat) not in self.ask.choices:
            self._refuse(seat, controller)
            return
        # Who played a card is answered by that player, whom to give one by the player who is asked.
        answers = seat if self.ask.kind is AskKind.CLAIM else self.ask.seats[0]
        controller.answer(self.ask, answers, str(seat))
