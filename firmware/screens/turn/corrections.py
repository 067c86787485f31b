"""Corrections of the newest turn, and what a step was about, for the line that says what was undone."""

from collections.abc import Callable, Mapping
from typing import ClassVar, Final

from companion.core.cards import Seat
from companion.core.codes import CardCode
from companion.core.ruling import Refused
from companion.match.match import Match, Step
from companion.text.errors import CompanionError
from companion.text.sentence import Text, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import TALL
from firmware.display.layout import Area, Big
from firmware.display.plan import MAIN_WORDS, for_list
from firmware.screens.parts import base
from firmware.screens.parts.base import Change, Controller, Keys, KeyUse, Page
from firmware.screens.parts.kinds import ChoiceList, ListPage
from firmware.screens.parts.names import PLAYERS_PER_PAGE, draw_players, name_badge
from firmware.screens.parts.numbers import change
from firmware.session.session import Session
from hardware.ports import Key, Signal


class PickPlayers(ListPage):
    """One or two players of the match, by badge or with the cursor; `picked` is given their badges."""

    title: Text
    picked: Callable[[tuple[int, ...], Controller], None]
    need: int
    badges: tuple[int, ...] = ()

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, badges = session.translate, self.choices(session).items
        plan, count = for_list(session.plan, len(badges)), t.digits(f"{len(self.badges)}/{self.need}")
        layout = self.framed(canvas, session, t.say(self.title), count, plan)
        lit = {place for place, badge in enumerate(badges) if place == self.cursor or badge in self.badges}
        draw_players(layout, session, badges, lit)

    def keys(self, session: Session) -> Keys:
        keys = self.choices(session).keys(self._name, self.moved)
        # Without a cursor it chooses nobody.
        chosen = keys[Key.OK].do if Key.OK in keys else lambda at: at.decline(say("CHOOSE A PLAYER"))
        return {
            **keys,
            Key.OK: KeyUse(chosen, say("OK=THIS ONE")),
            Key.UNDO: base.UNDO_BACK,
        }

    def take_badge(self, badge: int, controller: Controller) -> bool:
        self._name(badge, controller)
        return True

    def choices(self, session: Session) -> ChoiceList[int]:
        """The badges of the match, also of players who have left: they may join again."""
        badges = {session.badge(Seat(seat)) for seat in range(len(session.playing.totals))}
        return ChoiceList(tuple(sorted(badges)), self.cursor, per_page=PLAYERS_PER_PAGE)

    def _name(self, badge: int, controller: Controller) -> None:
        badges = (*self.badges, badge) if badge not in self.badges else self.badges
        if len(badges) < self.need:
            controller.show(replace(self, badges=badges))
            return
        controller.close()
        self.picked(badges, controller)


class SwapPreview(Page):
    """What swapping two players' cards would do to their scores, before it is done."""

    command: object
    seats: tuple[Seat, Seat]
    points: tuple[int, ...]

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, points = session.translate, session.playing.points
        layout = self.framed(canvas, session, t("SWAP THESE TWO?"))
        free = layout.free
        for place, seat in enumerate(self.seats):
            area = Area(2, free.y_px + (4 if layout.plan.row_bar else 0) + 16 * place, free.width_px - 4, 16)
            told = change(session.translate, points[seat], self.points[seat])
            name = layout.put_end(area, told, TALL, 6)
            name_badge(layout, name, session, session.badge(seat), MAIN_WORDS)

    def changes(self, session: Session) -> tuple[Change, ...]:
        """The points of both in this deal."""
        before = session.playing.points
        return tuple(Change(seat, before[seat], self.points[seat]) for seat in self.seats)

    def keys(self, session: Session) -> Keys:
        return {Key.OK: KeyUse(self._swap, say("OK=SWAP")), Key.UNDO: KeyUse(base.back, say("UNDO=NO"))}

    def _swap(self, controller: Controller) -> None:
        controller.close()
        controller.propose(self.command)


_NEWEST_CARDS: Final = 12
"""So many cards back it is looked for one that can be corrected: a turn has no more."""


def can_correct(match: Match) -> bool:
    """Whether a card can be replaced by another one."""
    at: Match | None = match
    tried: list[str] = []
    while at is not None and at.newest is not None and len(tried) < _NEWEST_CARDS:
        card = str(getattr(at.newest.command, "card", "") or "")
        if card and card not in tried:
            tried.append(card)
            try:
                if not isinstance(match.propose(match.game.correct((card,), (card,))), Refused):
                    return True
            except CompanionError:
                return False
        at = at.before
    return False


class WrongCard(Page):
    """A card of the newest turn was wrong: first that one is scanned, then the right one."""

    KEYS: ClassVar = {Key.OK: base.OK_BACK}
    card: str = ""

    def draw(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        layout = self.framed(canvas, session, t("A CARD WAS WRONG"))
        if self.card:
            layout.stack(layout.free, (t("NOW THE RIGHT ONE"), Big(session.label(self.card))))
        else:
            layout.stack(layout.free, (Big(t("SCAN THE WRONG CARD")),))

    def take_card(self, action: CardCode, controller: Controller) -> bool:
        if (card := base.read_card(action, controller)) is None:
            return True
        if not self.card:
            controller.show(replace(self, card=card))
            controller.signal(Signal.ACCEPTED)
            return True
        command = controller.session.playing.game.correct((self.card,), (action.card,))
        controller.close()
        controller.propose(command)
        return True


_TEMPLATES: Final[Mapping[str, Text]] = {
    "claim": say("OWNER OF {card}"),
    "skip_owner": say("OWNER OF {card}"),
    "take_row": say("ROW {row}"),
    "take": say("PILE WITH {pile}"),
    "choose": say("PILE WITH {pile}"),
    "draw": say("A DRAWN CARD"),
    "keep": say("CARD KEPT"),
    "name": say("THE SYMBOL"),
    "mode": say("THE CHOICE"),
    "whom": say("THE PLAYER"),
    "give": say("A CARD GIVEN"),
    "thanks": say("THE ANSWER"),
    "trouble": say("THE ANSWER"),
    "done": say("END OF MOVE"),
    "race_off": say("END OF RACE"),
    "foul": say("A PENALTY"),
    "hand": say("A HAND"),
    "type_sum": say("{points} POINTS"),
    "end_pile": say("A WHOLE PILE"),
    "close": say("END OF DEAL"),
    "end_deal": say("END OF DEAL"),
    "end_match": say("END OF MATCH"),
    "correct": say("CORRECTION"),
    "correct_score": say("A SCORE"),
    "settle_tie": say("THE CHOICE"),
    "swap": say("A SWAP"),
    "swap_scores": say("A SWAP"),
    "adopt": say("TABLE SET UP"),
    "leave": say("{seat} IS OUT"),
    "register": say("A CARD OF {seat}"),
    "forget_hands": say("SKIP HANDS"),
    "join": say("{seat} JOINED"),
}
"""By the kind of the command. Any other one that has a card is about that card."""


def undone(step: Step, session: Session) -> Text:
    """What to say when a step was undone."""
    what = named(step, session.playing, session, base.NOTICE_COLUMNS - len(" UNDONE"))
    return say("{what} UNDONE", what=what) if what else say("UNDONE")


def redone(step: Step, session: Session) -> Text:
    """What to say when a step was redone."""
    before = session.playing.before or session.playing
    what = named(step, before, session, base.NOTICE_COLUMNS - len(" REDONE"))
    return say("{what} REDONE", what=what) if what else say("REDONE")


def named(step: Step, before: Match, session: Session, columns: int) -> str:
    """Such as `58 OF SARA`, in up to so many columns; empty where there is no short word for it.

    A pile is called by the card that was on top of it `before`.
    """
    t, command = session.translate, step.command
    kind, seat = getattr(command, "KIND", ""), getattr(command, "seat", None)
    facts: dict[str, object] = {}
    turned: tuple[object, ...] = getattr(command, "cards", ()) if kind == "turn_up" else ()
    card = str(turned[0] if len(turned) == 1 else getattr(command, "card", None) or "")
    if card:
        facts["card"] = session.label(card)
    if isinstance(row := getattr(command, "row", None), int):
        facts["row"] = row + 1
    if isinstance(pile := getattr(command, "pile", None), int):
        facts["pile"] = next((one.name for one in before.board.stacks if one.choice == str(pile)), "")
    if isinstance(points := getattr(command, "points", None), int):
        facts["points"] = points
    if seat is not None:
        facts["seat"] = session.short_name(seat, min(8, columns - 7))
    try:
        if (template := _TEMPLATES.get(kind)) is not None:
            return t.say(replace(template, facts=facts))
    except KeyError:
        return ""
    if not card:
        return ""
    room = columns - len(t("{card} OF {name}", card=facts["card"], name=""))
    if seat is None or room <= 1:
        return str(facts["card"])
    return t("{card} OF {name}", card=facts["card"], name=session.short_name(seat, min(8, room)))
