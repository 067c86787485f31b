"""Counting cards: those left in hands at the end of a deal, and all cards of the deal."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from companion.core.ask import TYPED, Ask, Gives
from companion.text.sentence import count, say
from firmware.display.canvas import CARD_HEIGHT_PX, Canvas
from firmware.display.layout import Area, Layout
from firmware.display.plan import MAIN_WORDS, for_list
from firmware.screens.parts.base import Controller, Keys, KeyUse, Page, back
from firmware.screens.parts.dial import BY_KEYS, dial_card, dial_number
from firmware.screens.parts.player_names import name_badge
from firmware.screens.parts.score_lines import draw_scores
from firmware.screens.turn.refusal import Refusal
from hardware.ports import Key, Signal

if TYPE_CHECKING:
    from firmware.session.session import Session

_MOST_POINTS = 300
_ROOM = 4


class Hands(Page):
    """One hand after the other: its cards are scanned in any order, or its points are typed."""

    NAME: ClassVar[str] = "hands"
    asks: tuple[Ask, ...]

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Whose hand, how many of its cards are counted, and the last ones of them."""
        t, ask, layout = session.translate, self.asks[0], Layout(canvas, session.plan)
        scanned = t.digits(f"{len(ask.have)}/{ask.need}" if ask.need else str(len(ask.have)))
        plan = layout.plan
        if plan.row_bar:
            layout.title(t.say(ask.says), scanned)
        layout.hint_lines(*self.hints(session))
        free = layout.free
        name = Area(2, free.y_px + 2, free.width_px - 4, 15)
        if not plan.row_bar:
            layout.put(Area(2, name.y_px, name.width_px, name.height_px), scanned, plan.text[0], end=True)
            taken_px = plan.text[0].width_px(scanned) + 4
            name = Area(2 + (taken_px if plan.right_to_left else 0), name.y_px, name.width_px - taken_px, 15)
        name_badge(layout, name, session, session.badge(ask.seats[0]), MAIN_WORDS)
        shown = ask.have[-_ROOM:]
        y_px = name.bottom_px + (free.bottom_px - name.bottom_px - CARD_HEIGHT_PX) // 2
        for place in range(min(_ROOM, max(ask.need, len(shown)))):
            label = session.label(shown[place]) if place < len(shown) else None
            canvas.card(3 + 32 * place, y_px, label, emphasised=place == len(shown) - 1)

    def keys(self, session: Session) -> Keys:
        """R1 types the points, R2 or up and down a card, OK ends the hand where the game allows it."""
        t, other = session.translate, self._other
        if other is None:
            ends = KeyUse(self._show_missing, help=say("WHAT IS MISSING"))
        else:
            choice = other.choices[0]
            ends = KeyUse(lambda at: self.choose(choice, at), t("OK={what}", what=other.labels[0]))
        type_points = KeyUse(self._type_points, t("R1=TYPE POINTS"))
        return {
            **dict.fromkeys((Key.ROW_1, Key.UP, Key.TURN_RIGHT), type_points),
            **dict.fromkeys((Key.ROW_2, Key.DOWN, Key.TURN_LEFT), KeyUse(dial_card, help=BY_KEYS)),
            Key.OK: ends,
        }

    def _type_points(self, controller: Controller) -> None:
        t, name = controller.session.translate, controller.session.short_name(self.asks[0].seats[0], 8)

        def typed(points: int, at: Controller) -> None:
            self.choose(f"{TYPED}{points}", at)

        dial_number(controller, t("POINTS FOR {name}", name=name), range(_MOST_POINTS + 1), 0, typed)

    def choose(self, choice: str, controller: Controller) -> bool:
        """The points of the hand, or its end."""
        ask = self.asks[0] if choice.startswith(TYPED) else self._other
        if ask is None or (ask is self._other and choice not in ask.choices):
            return False
        controller.answer(ask, self.asks[0].seats[0], choice)
        return True

    def _show_missing(self, controller: Controller) -> None:
        """How many cards are not scanned yet, and that the last one ends the hand without a key."""
        t, ask = controller.session.translate, self.asks[0]
        left = ask.need - len(ask.have)
        fault = count("{count} card is missing", "{count} cards are missing", left)
        fix = t("keep scanning, the last card ends the hand. Or go back and type points")
        controller.signal(Signal.REFUSED)
        controller.open(
            Refusal(t.say(fault), fix, t.say(count("{count} CARD TO GO", "{count} CARDS TO GO", left)))
        )

    @property
    def _other(self) -> Ask | None:
        return next((ask for ask in self.asks if ask.kind.gives is Gives.WORD), None)


class CardCount(Page):
    """Where all cards of the deal are: the conservation check, and the hands in games that follow them."""

    NAME: ClassVar[str] = "card_count"

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Cards seen and expected, what does not add up, and the hands of all players."""
        t, match, plan = session.translate, session.playing, session.plan
        table = match.position.table
        audit, board = match.game.audit(table), match.game.board(table)
        lists = bool(board.hands) and not audit.faults
        if lists:  # lines as high as those of the plan are worth more than hints
            plan = for_list(plan, len(match.players), plan.pitch_px - (0 if plan.row_bar else plan.hint_px))
        layout = Layout(canvas, plan)
        layout.title(t("CARDS COUNTED"), t.digits(f"{audit.cards}/{audit.cards_due}"))
        if layout.plan.row_bar or not lists:
            layout.hints(*self.hints(session), t("CHECK OK") if audit.sound else t("CHECK FAILED"))
        if audit.faults:
            layout.paragraph(t.say(audit.says), t.say(audit.faults[0]))
            return
        layout.line(0, t.say(audit.says))
        if lists:
            scores = [
                (
                    seat,
                    t.digits(
                        f"{board.hands[seat]}"
                        + "".join(f"+{tally.numbers[seat]}" for tally in board.tallies[:1])
                    ),
                )
                for seat in match.players
            ]
            layout.free = layout.free.below(layout.plan.pitch_px)
            draw_scores(layout, session, scores, None)

    def keys(self, session: Session) -> Keys:
        """OK closes it."""
        return {Key.OK: KeyUse(back, session.translate("OK=BACK"))}
