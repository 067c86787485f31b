"""Corrections of the newest turn, and what a step was about, for the line that says what was undone."""

from collections.abc import Callable
from functools import partial
from typing import ClassVar, Final

from companion.core.cards import Seat
from companion.core.codes import CardCode
from companion.core.ruling import Refused
from companion.match.match import Match
from companion.text.errors import CompanionError
from companion.text.sentence import Text, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import TALL
from firmware.display.layout import Area, Big
from firmware.display.plan import MAIN_WORDS, for_list
from firmware.play.page import Change
from firmware.play.table import Table
from firmware.screens.parts import base
from firmware.screens.parts.base import Keys, KeyUse, Page
from firmware.screens.parts.kinds import ChoiceList, ListPage
from firmware.screens.parts.names import PLAYERS_PER_PAGE, draw_players, name_badge
from firmware.screens.parts.numbers import change
from firmware.session.session import Session
from hardware.ports import Key, Signal


class PickPlayers(ListPage):
    """One or two players of the match, by badge or with the cursor; `picked` is given their badges."""

    title: Text
    picked: Callable[[tuple[int, ...], Table], None]
    need: int
    badges: tuple[int, ...] = ()
    also: tuple[int, ...] = ()
    """Badges of others that can be chosen."""
    new: int = 0
    """The badge that OK names before the cursor was moved; 0 for none."""

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, badges = session.translate, self.choices(session).items
        plan, count = for_list(session.plan, len(badges)), t.digits(f"{len(self.badges)}/{self.need}")
        layout = self.framed(canvas, session, t.say(self.title), count, plan)
        lit = {place for place, badge in enumerate(badges) if place == self.cursor or badge in self.badges}
        draw_players(layout, session, badges, lit)

    def keys(self, session: Session) -> Keys:
        keys = self.choices(session).keys(self._name, self.moved, say("OK=THIS ONE"))
        new = say("OK=NEW PLAYER") if self.new else say("OK=THIS ONE")
        nobody = KeyUse(lambda at: at.decline(say("CHOOSE A PLAYER")), new)
        first = KeyUse(partial(self._name, self.new), new) if self.new else nobody
        return {Key.OK: first, **keys, Key.UNDO: base.UNDO_BACK}

    def take_badge(self, badge: int, table: Table) -> bool:
        self._name(badge, table)
        return True

    def choices(self, session: Session) -> ChoiceList[int]:
        """The badges of the match, also of players who have left: they may join again."""
        badges = {session.badge(Seat(seat)) for seat in range(len(session.playing.totals))}
        return ChoiceList(tuple(sorted(badges.union(self.also))), self.cursor, per_page=PLAYERS_PER_PAGE)

    def _name(self, badge: int, table: Table) -> None:
        badges = (*self.badges, badge) if badge not in self.badges else self.badges
        if len(badges) < self.need:
            table.show(replace(self, badges=badges))
            return
        table.close()
        self.picked(badges, table)


class SwapPreview(Page):
    """What swapping two players' cards would do to their scores, before it is done."""

    WAITS = Key.OK, 1.0
    command: object
    seats: tuple[Seat, Seat]
    points: tuple[int, ...]

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, points = session.translate, session.playing.points
        layout = self.framed(canvas, session, t("SWAP THESE TWO?"))
        free = layout.free
        for place, seat in enumerate(self.seats):
            area = Area(2, free.middle_px(2 * 16) + 16 * place, free.width_px - 4, 16)
            told = change(session.translate, points[seat], self.points[seat])
            name = layout.put_end(area, told, TALL, 6)
            name_badge(layout, name, session, session.badge(seat), MAIN_WORDS)

    def changes(self, session: Session) -> tuple[Change, ...]:
        """The points of both in this deal."""
        before = session.playing.points
        return tuple(Change(seat, before[seat], self.points[seat]) for seat in self.seats)

    def keys(self, session: Session) -> Keys:
        return {Key.OK: KeyUse(self._swap, say("OK=SWAP")), Key.UNDO: KeyUse(base.back, say("UNDO=NO"))}

    def _swap(self, table: Table) -> None:
        table.close()
        table.propose(self.command)


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

    def take_card(self, action: CardCode, table: Table) -> bool:
        if (card := base.read_card(action, table)) is None:
            return True
        if not self.card:
            table.show(replace(self, card=card))
            table.signal(Signal.ACCEPTED)
            return True
        command = table.session.playing.game.correct((self.card,), (action.card,))
        table.close()
        table.propose(command)
        return True
