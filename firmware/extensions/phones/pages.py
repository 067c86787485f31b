"""Phones that may act at the table through the page: pairing one, their list, forgetting one or all.

The code never leaves the display. It is typed elsewhere and sent here; the answer says only whether it is
right.
"""

from functools import partial
from typing import Final

from companion.text.sentence import say
from companion.values import replace
from firmware.display.canvas import Canvas
from firmware.display.glyphs import SMALL
from firmware.display.layout import Big, Layout
from firmware.extensions.phones.paired_phones import LISTED, KnownPhone, forget, forget_all, known
from firmware.screens.parts.base import Controller, Item, Keys, KeyUse, Page, back
from firmware.screens.parts.kinds import Confirm, Menu
from firmware.screens.result.share import draw_code
from firmware.session.session import Session
from hardware.ports import Key, Signal

SHOWN_S: Final = 60.0
"""How long a code can be seen and used."""

_DIGITS: Final = 6
_LONGEST_NAME: Final = 14
_GROUP: Final = 8


class Pairing(Page):
    """A code of six digits; who types it on a phone has seen this display."""

    code: str

    def is_secret(self, session: Session) -> bool:
        """Who knows the code has seen this display."""
        return True

    def draw(self, canvas: Canvas, session: Session) -> None:
        t = session.translate
        layout = self.framed(canvas, session, t("PAIR A PHONE"))
        layout.stack(layout.free, (t("TYPE ON THE PHONE:"), Big(f"{self.code[:3]} {self.code[3:]}")))

    def keys(self, session: Session) -> Keys:
        return {Key.UNDO: KeyUse(back, session.translate("UNDO=BACK"))}


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
        """The first key shows it the other way."""
        t, other = session.translate, replace(self, in_digits=not self.in_digits)
        return {
            Key.OK: KeyUse(back, t("OK=BACK")),
            Key.ROW_1: KeyUse(
                lambda at: at.show(other), "" if self.in_digits else t("R1=TEXT"), say("AS A CODE")
            ),
        }


def open_list(fingerprint: str, controller: Controller) -> None:
    """Open the list of what can be done with phones; `fingerprint`: that of the page, empty for none."""
    t = controller.session.translate
    items: list[Item] = [(t("PAIR A PHONE"), _pair)]
    if known(controller.session.notes.recall(LISTED)):
        items.append((t("PAIRED PHONES"), _list))
    items.append((t("FORGET ALL PHONES"), _ask_forget_all))
    if fingerprint:
        certificate = Certificate(fingerprint)
        items.append((t("CERTIFICATE"), lambda at: at.open(certificate)))
    controller.open(Menu(t("PHONES"), tuple(items)))


def _list(controller: Controller) -> None:
    phones = known(controller.session.notes.recall(LISTED))
    items = tuple((_short(phone.name), partial(_ask_forget, phone)) for phone in phones)
    controller.open(Menu(controller.session.translate("PAIRED PHONES"), items))


def _short(name: str) -> str:
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"


def _ask_forget(phone: KnownPhone, controller: Controller) -> None:
    t = controller.session.translate
    follows = t("IT CAN STILL WATCH. TO PLAY ALONG IT MUST BE PAIRED AGAIN.")
    controller.open(Confirm(_short(phone.name), follows, t("FORGET"), partial(_forget, phone)))


def _forget(phone: KnownPhone, controller: Controller) -> None:
    forget(phone.id, controller.session.notes)
    controller.signal(Signal.ACCEPTED)
    controller.say(controller.session.translate("PHONE FORGOTTEN"))


def _pair(controller: Controller) -> None:
    import secrets  # a start does without

    code = f"{secrets.randbelow(10**_DIGITS):0{_DIGITS}}"
    controller.open(Pairing(code), lasts_s=SHOWN_S)


def _ask_forget_all(controller: Controller) -> None:
    t = controller.session.translate
    follows = t("THEY CAN STILL WATCH. TO PLAY ALONG THEY MUST BE PAIRED AGAIN.")
    controller.open(Confirm(t("FORGET ALL PHONES?"), follows, t("FORGET"), _forget_all))


def _forget_all(controller: Controller) -> None:
    forget_all(controller.session.notes)
    controller.signal(Signal.ACCEPTED)
    controller.say(controller.session.translate("PHONES FORGOTTEN"))
