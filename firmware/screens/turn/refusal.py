"""What went wrong and what to do next, and a card that comes too early; nothing has changed."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from companion.core.ask import AskKind
from companion.core.codes import CardCode, Control, ControlCode
from companion.core.ruling import Refused
from companion.text.sentence import NOTHING, Text, say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import NARROW
from firmware.display.layout import Big, Extra, Layout
from firmware.display.plan import WIDTH_PX
from firmware.play.page import AnyPage
from firmware.play.table import Table
from firmware.screens.parts.base import OK_BACK, Keys, KeyUse, Page, back, undo
from firmware.screens.parts.kinds import Message
from firmware.screens.parts.numbers import dial_beside
from firmware.screens.turn.history import ask_to_go
from firmware.screens.turn.table import beside_rows, beside_words, draw_numbers
from firmware.session.actions import ROW_KEYS, Action, KeyAction
from firmware.session.session import Session
from firmware.text.translation import text_of
from hardware.ports import DeviceFault, Key, Press, Signal

_TITLES: Final[Mapping[str, Text]] = {
    "leave": say("CANNOT LEAVE NOW"),
    "join": say("CANNOT JOIN NOW"),
    "swap": say("NOT SWAPPED"),
    "correct": say("NOT CORRECTED"),
    "end_deal": say("NOT ENDED"),
    "end_match": say("NOT ENDED"),
}
"""By the kind of the command. A rule about leaving is no title for why somebody cannot leave just now."""


_IN_SHORT: Final[Mapping[str, Text]] = {
    "card {card} is already in row {row}": say("{card} IS IN ROW {row}"),
    "card {card} was taken by {player}": say("{card}: TAKEN BY {player}"),
    "card {card} was already played in this turn (number {nth})": say("{card} IS IN THIS TURN"),
    "{player} has already played {card} in this turn": say("{player} PLAYED {card}"),
    "{player} did not play {card}": say("{card} IS NOT {player}'S"),
    "card {card} is not in {player}'s hand": say("{card} IS NOT {player}'S"),
    "{card} is not in {player}'s hand": say("NOT IN {player}'S HAND"),
    "{player} has already played in this move": say("{player} HAS PLAYED"),
    "it is not {player}'s turn": say("NOT {player}'S TURN"),
    "{player} has not played a card yet": say("{player}: A CARD FIRST"),
    "{card} is lower than the top of every pile ({tops})": say("{card} IS BELOW ALL PILES"),
    "{card} is not within {reach} above any pile ({tops})": say("{card} FITS ON NO PILE"),
    "{card} cannot go on that pile now": say("{card}: NOT ON THAT PILE"),
    "card {card} lies on top of a pile": say("{card} IS ON TOP OF A PILE"),
    "card {card} is covered on a pile or in another hand": say("{card} IS ELSEWHERE"),
    "this {card} is {where}": say("THIS CARD IS ELSEWHERE"),
    "{card}: the deck has {number} of them, and this is one too many": say("ONE TOO MANY OF THESE"),
    "the deal is over, and the hands are being counted": say("COUNT THE HANDS NOW"),
    "card {card} has already been counted": say("{card} WAS COUNTED"),
    "card {card} was counted for {player}": say("{card}: COUNTED FOR {player}"),
    "card {card} is not in the deck {low} to {high}": say("{card} IS NOT IN THE DECK"),
    "nobody can have a score of {points} in a deal": say("{points} IS NOT POSSIBLE"),
    "the last {count} card counted has no owner yet": say("FIRST: WHOSE CARDS?"),
}
"""Faults that have no room in a band, and how it says them; their titles would say less."""

BAND_PX: Final = 104
"""The longest line of a band, beside a key."""
_LONGEST_CODE: Final = 12


def title_of(refused: Refused, command: object) -> Text:
    """The title of a refusal: what comes first, what was not done, else the rule."""
    if refused.waits:
        return say("ANSWER THIS FIRST")
    return _TITLES.get(getattr(command, "KIND", ""), refused.rule.title)


class RefusalPage(Message):
    """A play that is not allowed, or a step that could not be stored: why, and what to do instead.

    `penalty` is a command that players may give for it, `back` how many steps to undo to where the card was
    played before.
    """

    FAULT_AND_FIX = True
    NUMBERED = False
    fault: Text
    fix: Text
    rule: Text = NOTHING
    penalty: Any = None
    back: int | None = None

    def heading(self, session: Session) -> str:
        return session.translate.say(self.rule) or session.translate("NOT POSSIBLE")

    def sentences(self, session: Session) -> tuple[Text, ...]:
        return self.fault, self.fix

    def aside(self) -> Text:
        return NOTHING if self.penalty is not None or self.back is not None else say("NO CHANGE")

    def keys(self, session: Session) -> Keys:
        keys = super().keys(session)
        if self.penalty is not None:
            keys[Key.ROW_4] = KeyUse(self._give_penalty, say("R4=PENALTY"))
        if self.back is not None:
            # There is room for one of the two.
            hint = say("R1=BACK TO IT") if self.penalty is None else NOTHING
            keys[Key.ROW_1] = KeyUse(partial(ask_to_go, self.back), hint, say("BACK TO IT"))
        return keys

    @property
    def refusal(self) -> tuple[Text, ...]:
        return self.fault, self.fix

    def brief(self, session: Session) -> str:
        """The fault, in short where it would not fit in a line; else the title."""
        fault, short = self.fault, _IN_SHORT.get(self.fault.template)
        texts = [fault] if short is None else [fault, replace(short, facts=fault.facts)]
        lines = (session.translate.say(text).upper() for text in texts)
        return next((line for line in lines if NARROW.width_px(line) <= BAND_PX), self.heading(session))

    def _give_penalty(self, table: Table) -> None:
        table.close()
        table.propose(self.penalty)


def key_of_band(table: Table) -> str:
    """The key that stands in a band: WHY where that leads to something to do, else OK takes it away."""
    page = table.state.refused
    if page is None:
        return ""
    return Key.WHY.name if page.keys(table.session).keys() & set(ROW_KEYS) else Key.OK.name


def band_answers(table: Table, action: Action) -> bool:
    """Let OK take a band away, and WHY open what it is about; all else is for the page below it.

    An OK that comes just after the band has gone by itself was meant for it.
    """
    page = table.state.refused
    if page is None:
        return False
    table.say(NOTHING)
    if not isinstance(action, KeyAction) or action.press is not Press.SHORT:
        return False
    if action.key is Key.WHY:
        table.open(page)
    return action.key in (Key.OK, Key.WHY)


def unknown_code(text: str, why: Text, fix: Text = NOTHING) -> RefusalPage:
    """The refusal of a code that is no card, badge or control code of this product."""
    fault = say("{why}: {text}", why=why, text=text[:_LONGEST_CODE])
    fix = say("scan a card, or type its number") if fix is NOTHING else fix
    return RefusalPage(fault, fix, say("CODE NOT ACCEPTED"))


def _dial(table: Table) -> None:
    table.close()
    if table.session.match is not None:
        dial_beside(Key.ROW_1, table)


class MissingCards(Page):
    """The next card of the turn has not come for a long time. It covers no row: somebody may still think.

    `too_many` asks which card was too many, where the only card of the turn came right after a ruling.
    """

    too_many: AnyPage | None = None

    def draw(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        ask = next((ask for ask in session.playing.asks if ask.kind is AskKind.PLAY), None)
        have, need = (ask.have, ask.need) if ask else ((), 0)
        layout, who, to_go = Layout(canvas, session.plan), t("WHO DID NOT SCAN?"), need - len(have)
        side = beside_rows(layout, session, session.playing.board.stacks, who, t("{left} TO GO", left=to_go))
        side = layout.hints_below(side, *self.hints(session))
        side = beside_words(layout, side, who, side.height_px)
        if side.height_px:
            draw_numbers(layout, side, [session.label(card) for card in have])

    def keys(self, session: Session) -> Keys:
        too_many = self.too_many
        keys: Keys = {
            Key.OK: OK_BACK,
            Key.ROW_1: KeyUse(_dial, say("R1=TYPE IT")),
            Key.ROW_2: KeyUse(_has_left, say("R2=HAS LEFT")),
        }
        if too_many is not None:
            keys[Key.ROW_4] = KeyUse(lambda at: at.show(too_many), say("R4=TOO MANY"))
        return keys


def _has_left(table: Table) -> None:
    table.close()
    table.act(ControlCode(Control.ABSENT))


class DeviceAway(Message):
    """A device is not there or does not work; the match goes on."""

    FAULT_AND_FIX = True
    NUMBERED = False
    away: DeviceFault

    def heading(self, session: Session) -> str:
        return session.plan.title[-1].fit(self.away.device.upper(), WIDTH_PX - 4)

    def sentences(self, session: Session) -> tuple[Text, ...]:
        return text_of(self.away.fault), text_of(self.away.check)

    def aside(self) -> Text:
        return say("PLAY ON")


class NextCard(Page):
    """What is told of a card that is the first one of the next turn; `turn` are the cards of the one before.

    It came right after the ruling of that turn, whose page is `ruling`; or while a question about it is open.
    """

    turn: tuple[str, ...]
    card: str
    ruling: AnyPage | None = None

    def heading(self, session: Session) -> str:
        t, match, label = session.translate, session.playing, session.label(self.card)
        if self.ruling is None:
            return t("{card}: KEPT FOR NEXT TURN", card=label)
        if any(ask.kind is AskKind.PLAY for ask in match.asks):
            return t("{card} BEGINS TURN {turn}", card=label, turn=match.board.turn)
        return t("{card} BEGINS DEAL {deal}", card=label, deal=match.position.deal)

    def draw(self, canvas: Canvas, session: Session) -> None:
        t, layout = session.translate, Layout(canvas, session.plan)
        *hints, too_many = (self.hint(key, session) for key in (Key.OK, Key.UNDO, Key.ROW_4))
        layout.title(self.heading(session))
        layout.hints(*hints)
        layout.hints(too_many)
        asks = () if self.ruling else session.playing.asks
        layout.stack(
            layout.free,
            (Extra(Big(session.label(self.card))), t.say(asks[0].says) if asks else t("SCAN THE NEXT CARD")),
        )

    def keys(self, session: Session) -> Keys:
        """R4 asks which card was too many, where this one stands alone; OK shows the ruling again."""
        keys: Keys = {Key.OK: OK_BACK, Key.UNDO: KeyUse(undo, say("UNDO=TAKE BACK"))}
        if self.ruling is not None:
            keys[Key.OK] = KeyUse(partial(_open_instead, self.ruling), say("OK=RULING"))
        if self.ruling is not None or session.notes.kept_cards == (self.card,):  # several begin a turn
            extra = ExtraCard(self.turn, self.card)
            keys[Key.ROW_4] = KeyUse(partial(_open_instead, extra), say("R4=ONE TOO MANY"))
        return keys


def _open_instead(page: AnyPage, table: Table) -> None:
    table.close()
    table.open(page)


class ExtraCard(Page):
    """The cards of the turn before, and the one that is too many: it is asked which.

    `plays_on`: the extra card has begun the next turn, and stays there if nothing else is said. After the
    last turn of a match there is no next one.
    """

    turn: tuple[str, ...]
    extra: str
    plays_on: bool = True

    def draw(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        layout = self.framed(
            canvas,
            session,
            t("{cards} CARDS, {players} PLAYERS", cards=len(self.turn) + 1, players=len(self.turn)),
        )
        extra, how = session.label(self.extra), t("SCAN CARD TO REMOVE, OR R1=RESCAN THE TURN")
        layout.stack(layout.free, (Extra(Big(extra)), how))

    def keys(self, session: Session) -> Keys:
        keys: Keys = {Key.ROW_1: KeyUse(partial(self._correct, self.turn, ()), help=say("RESCAN THE TURN"))}
        if self.plays_on:
            keys[Key.ROW_2] = KeyUse(back, say("R2=NEXT TURN"))
        return {Key.OK: OK_BACK, **keys}

    def take_card(self, action: CardCode, table: Table) -> bool:
        """A scan removes that card. Another card is the next one of the next turn."""
        if action.card == self.extra:
            if self.plays_on:
                table.undo()
            table.home()
            table.signal(Signal.ACCEPTED)
            label = table.session.label(self.extra)
            table.say(say("{card} IS REMOVED", card=label))
        elif action.card in self.turn:
            self._correct((action.card,), (self.extra,), table)
        elif self.plays_on:
            table.close()
            table.act(action)
        else:
            table.decline(say("SCAN ONE OF THESE"))
        return True

    def _correct(self, remove: tuple[str, ...], add: tuple[str, ...], table: Table) -> None:
        """Take the extra card out of the next turn, and correct the one before.

        What would be refused is refused first: else the extra card would be gone from both.
        """
        match = table.session.playing
        command = match.game.correct(remove, add)
        played = self.plays_on and self.extra not in table.session.notes.kept_cards
        turn = match.before if played and match.before is not None else match
        refused = turn.propose(command)
        if isinstance(refused, Refused):
            table.refuse(refused, command)
            return
        if self.plays_on:
            table.undo()
        table.home()
        table.propose(command)
