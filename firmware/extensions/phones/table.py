"""Phones that may act at the table through the page: pairing one, their list, forgetting one or all.

The code never leaves the display. It is typed elsewhere and sent here; the answer says only whether it is
right. A phone that wants to be that of a host says so with the code; then the display asks whether it may.
All of these pages are answered at the box itself: a phone cannot let itself in, nor forget another one.
"""

import hmac
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, Any, ClassVar, Final

from msgspec import Meta

from companion.core.codes import EVENING_BADGES, Control, ControlCode, RowCode
from companion.text.digits import in_latin_digits
from companion.text.errors import CompanionError
from companion.text.sentence import NOTHING, Text, literal, say
from firmware.display.canvas import Canvas
from firmware.display.glyphs import SMALL
from firmware.display.layout import Big, Layout
from firmware.extensions.phones import paired_phones
from firmware.extensions.phones.paired_phones import MAX_LISTED, KnownPhone
from firmware.journal.errors import JournalError
from firmware.play.acts import Code, SocketAct
from firmware.play.cards import asked_for_card, play, take_badge
from firmware.play.table import Extension, Item, Table
from firmware.screens.parts.base import OK_BACK, UNDO_BACK, Keys, KeyUse, Page
from firmware.screens.parts.kinds import Confirm, Menu
from firmware.screens.result.share import draw_code
from firmware.session.actions import Action, BadgeAction
from firmware.session.session import Session
from firmware.session.table_notes import TableNotes
from hardware.ports import ExtensionMessage, Key, Signal

SHOWN_S: Final = 60.0
"""How long a code can be seen and used."""

_DIGITS: Final = 6
_LONGEST_NAME: Final = 14
_GROUP: Final = 8


class PhonesMenu(Menu):
    """A list of what can be done with phones."""

    NAME: ClassVar[str] = Menu.NAME
    AT_THE_BOX: ClassVar[bool] = True

    def explains(self, session: Session) -> tuple[Text, ...]:
        return (say("A PAIRED PHONE CAN PRESS KEYS, SCAN, AND PRINT LABELS AND BADGES."),)


class PhonesQuestion(Confirm):
    """A question about phones."""

    NAME: ClassVar[str] = Confirm.NAME
    AT_THE_BOX: ClassVar[bool] = True


class Pairing(Page):
    """Six digits; who types them on a phone has seen this display. `address`: of the page, if known."""

    AT_THE_BOX: ClassVar[bool] = True
    KEYS: ClassVar = {Key.UNDO: UNDO_BACK}
    code: str
    address: str = ""

    def is_secret(self, session: Session) -> bool:
        """Who knows the code has seen this display."""
        return True

    def draw(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        if self.address:
            shown, where = f"{self.code[:3]} {self.code[3:]}", f"{self.address}/join?code={self.code}"
            draw_code(Layout(canvas, session.plan), where, (Big(t("SCAN ME")), shown), self.hints(session))
            return
        layout = self.framed(canvas, session, t("PAIR A PHONE"))
        layout.stack(layout.free, (t("TYPE ON THE PHONE:"), Big(f"{self.code[:3]} {self.code[3:]}")))


class Certificate(Page):
    """What a browser should tell of the certificate of the page: as a code, or in digits."""

    fingerprint: str
    in_digits: bool = False

    def draw(self, canvas: Canvas, session: Session) -> None:
        """Its SHA-256. In digits it is 8 groups of 8, in the order of reading."""
        layout = Layout(canvas, session.plan)
        if not self.in_digits:
            draw_code(layout, self.fingerprint, ["SHA-256"], self.hints(session))
            return
        layout.title("SHA-256")
        groups = [self.fingerprint[at : at + _GROUP] for at in range(0, len(self.fingerprint), _GROUP)]
        for line in range(4):
            text = f"{groups[2 * line]} {groups[2 * line + 1]}"
            canvas.text_centre(canvas.size_px[0] // 2, layout.plan.bar_px + 3 + 11 * line, text, SMALL)

    def keys(self, session: Session) -> Keys:
        other = self.shows(in_digits=not self.in_digits)
        return {
            Key.OK: OK_BACK,
            Key.ROW_1: KeyUse(other, NOTHING if self.in_digits else say("R1=TEXT"), say("AS A CODE")),
        }


def open_list(fingerprint: str, table: Table) -> None:
    """Open the list of what can be done with phones; `fingerprint`: that of the page, empty for none."""
    items: list[Item] = [(say("PAIR A PHONE"), _pair)]
    if paired_phones.read(table.session.notes.recall).listed:
        items.append((say("PAIRED PHONES"), _list))
    items.append((say("FORGET ALL PHONES"), _ask_forget_all))
    if fingerprint:
        certificate = Certificate(fingerprint)
        items.append((say("CERTIFICATE"), lambda at: at.open(certificate)))
    table.open(PhonesMenu(say("PHONES"), tuple(items)))


def _list(table: Table) -> None:
    noted = paired_phones.read(table.session.notes.recall)
    items: list[Item] = []
    for phone in noted.listed:
        name = literal(_short(phone.name))
        row = say("HOST: {name}", name=name) if phone.id in noted.hosts else name
        items.append((row, partial(_ask_forget, phone)))
    table.open(PhonesMenu(say("PAIRED PHONES"), tuple(items)))


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _ask_forget(phone: KnownPhone, table: Table) -> None:
    follows = say("IT CAN STILL WATCH. TO JOIN IN, IT MUST BE PAIRED AGAIN.")
    forget = partial(_forget, partial(paired_phones.forget, phone.id), say("PHONE FORGOTTEN"))
    table.open(PhonesQuestion(literal(_short(phone.name)), follows, say("FORGET"), forget))


def _pair(table: Table) -> None:
    import secrets  # a start does without

    code = f"{secrets.randbelow(10**_DIGITS):0{_DIGITS}}"
    table.open(Pairing(code, table.extension(PairedPhones).address), lasts_s=SHOWN_S)


def _ask_forget_all(table: Table) -> None:
    follows = say("THEY CAN STILL WATCH. TO JOIN IN, THEY MUST BE PAIRED AGAIN.")
    forget = partial(_forget, paired_phones.forget_all, say("PHONES FORGOTTEN"))
    table.open(PhonesQuestion(say("FORGET ALL PHONES?"), follows, say("FORGET"), forget))


def _forget(forget: Callable[[TableNotes], None], done: Text, table: Table) -> None:
    forget(table.session.notes)
    table.signal(Signal.ACCEPTED)
    table.say(done)


# In Python "$" also matches before a last line end.
_FINGERPRINT: Final = r"^([0-9A-F]{64})?$(?!\n)"
_ADDRESS: Final = r"^(https?://[A-Za-z0-9.:\[\]-]{1,60})?$(?!\n)"


class Pair(SocketAct, tag="pair"):
    """The code that the display shows, or another one, typed on a device that wants to be let in.

    `host` is that device, if it wants to be one of a host: then the display asks whether it may.
    """

    IS_INPUT: ClassVar[bool] = True

    code: Code
    host: KnownPhone | None = None


class ListPhones(SocketAct, tag="phones"):
    """The page that lets phones in lists them.

    `fingerprint` is that of the page's certificate, 64 hexadecimal digits, or empty; `address` where phones
    find the page, such as http://192.168.1.20:8066, or empty. None: it is not told.
    """

    OWNED: ClassVar[bool] = True

    phones: Annotated[tuple[KnownPhone, ...], Meta(max_length=MAX_LISTED)]
    fingerprint: Annotated[str, Meta(pattern=_FINGERPRINT)] | None = None
    address: Annotated[str, Meta(pattern=_ADDRESS)] | None = None


class PlayForBadge(SocketAct, tag="play"):
    """What a player does on a phone of their own: play a card, or take a row for the card that fits nowhere.

    `card` is its number as it is typed, `row` counts from 0; one of them is given.
    """

    IS_INPUT: ClassVar[bool] = True

    badge: Annotated[int, Meta(ge=EVENING_BADGES[0], le=EVENING_BADGES[-1])]
    card: Annotated[str, Meta(pattern="^[0-9\u0660-\u0669\u06f0-\u06f9]{1,3}$(?!\n)")] = ""
    row: Annotated[int, Meta(ge=0, le=9)] | None = None


class PairedPhones(Extension):
    """The phones that may act at this table."""

    ACTS: ClassVar = (Pair, ListPhones, PlayForBadge)
    STATE: ClassVar[Mapping[str, Any]] = {"website": str}

    def __init__(self) -> None:
        self.fingerprint = ""
        """SHA-256 of the certificate of the page, in 64 hexadecimal digits; empty where none is known."""
        self.address = ""
        """Where phones find the page; empty where none is known."""

    def state(self, session: Session) -> Mapping[str, Any]:
        """Where the page is, for programs that lead there."""
        return {"website": self.address}

    def handle_message(self, message: ExtensionMessage, table: Table) -> bool:
        if isinstance(message, Pair):
            _take_code(message, table)
        elif isinstance(message, ListPhones):
            self._note(message, table)
        elif isinstance(message, PlayForBadge):
            _play(message, table)
        else:
            return False
        return True

    def not_stored(self, message: ExtensionMessage, bad: CompanionError, table: Table) -> bool:
        """A list that cannot be noted is told again later."""
        if isinstance(message, ListPhones):
            table.note_refusal(bad.fault_text, bad.fix_text)
        return isinstance(message, ListPhones)

    def answer(self, action: Action, table: Table) -> bool:
        """The code on the control sheet opens the list, once."""
        if not isinstance(action, ControlCode) or action.control is not Control.PHONES:
            return False
        if not table.front.AT_THE_BOX:
            open_list(self.fingerprint, table)
        return True

    def menu(self, table: Table) -> tuple[Item, ...]:
        return ((say("PHONES"), partial(open_list, self.fingerprint)),)

    def _note(self, message: ListPhones, table: Table) -> None:
        if (address := message.address) is not None:
            self.address = address
            table.session.update(match_address=lambda match: f"{address}/records/{match}" if address else "")
        if message.fingerprint is not None:
            self.fingerprint = message.fingerprint
        paired_phones.update_list([phone.short for phone in message.phones], table.session.notes)


def _take_code(said: Pair, table: Table) -> None:
    """Pair who has typed the code that the display shows; a wrong one changes nothing."""
    page = table.front
    if not isinstance(page, Pairing) or not hmac.compare_digest(said.code.encode(), page.code.encode()):
        table.signal(Signal.REFUSED)
        return
    table.close()
    table.signal(Signal.ACCEPTED)
    table.say(say("PHONE PAIRED"))
    if said.host is not None:
        phone = said.host.short
        name = _short(phone.name)
        follows = say("{name} MAY THEN CHANGE SETTINGS AND FORGET PHONES.", name=name)
        title = say("MAKE IT A HOST?")
        table.open(PhonesQuestion(title, follows, say("ALLOW"), partial(_let_host, phone)), SHOWN_S)


def _let_host(phone: KnownPhone, table: Table) -> None:
    paired_phones.let_host(phone.id, table.session.notes)
    table.signal(Signal.ACCEPTED)


def _play(said: PlayForBadge, table: Table) -> None:
    """Play a card of the player with this badge, or take a row for that player."""
    match, badge = table.session.match, BadgeAction(said.badge)
    if match is not None and said.row is not None:
        table.queue.append(RowCode(said.badge, said.row))
        return
    ask = asked_for_card(match) if match is not None else None
    seat = table.session.seat(said.badge) if match is not None else None
    if ask is None or seat not in ask.seats or not said.card:
        take_badge(table, badge)  # which says why it is not their turn
        return
    before, steps = table.state.turn, match and match.steps
    table.update(turn=before.announce(seat, table.now_s))
    try:
        play(table, in_latin_digits(said.card).lstrip("0"))
    except JournalError:
        raise
    except CompanionError as bad:
        table.refuse_error(bad)
    if table.session.match and table.session.match.steps == steps:  # the next card is not that of this player
        table.update(turn=before)
