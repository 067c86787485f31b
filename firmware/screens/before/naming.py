"""Names given at the table: whose badge it is, and its name."""

from functools import partial

from companion.core.codes import BADGES
from companion.text.sentence import say
from firmware.screens.parts.base import Controller, Keys
from firmware.screens.parts.kinds import ListPage
from firmware.screens.parts.names import EnterName
from firmware.session.session import Session
from hardware.ports import Signal


def name_players(controller: Controller) -> None:
    """Ask whose name is to be given."""
    controller.open(NameWhom())


class NameWhom(ListPage):
    """Which badge gets a name: it is scanned, or chosen from the list of all."""

    TITLE = say("WHOSE NAME?")
    BEGINS_AT = 0

    def offers(self, session: Session) -> list[tuple[str, int]]:
        """Each badge with the name that it has."""
        names = ((badge, session.names.of(badge)) for badge in BADGES)
        return [(name if name == f"P{badge}" else f"{badge} {name}", badge) for badge, name in names]

    def keys(self, session: Session) -> Keys:
        return self.choices(session).keys(self.chosen, self.moved, session.translate("OK=THIS ONE"))

    def hints(self, session: Session) -> tuple[str, ...]:
        return session.translate("SCAN A BADGE"), *super().hints(session)

    def chosen(self, item: int, controller: Controller) -> None:
        controller.show(enter_name_of(item, controller))

    def take_badge(self, badge: int, controller: Controller) -> bool:
        self.chosen(badge, controller)
        controller.signal(Signal.ACCEPTED)
        return True


def enter_name_of(badge: int, controller: Controller) -> EnterName:
    """The page on which a badge gets its name."""
    title = controller.session.translate("NAME OF BADGE {badge}", badge=badge)
    return EnterName(title, partial(_keep, badge), enter_name_of)


def _keep(badge: int, name: str, controller: Controller) -> None:
    if keep_name(badge, name, controller):
        controller.close()


def keep_name(badge: int, name: str, controller: Controller) -> bool:
    """Keep a name, unless the display could not tell it from another one; an empty one removes it."""
    session, t = controller.session, controller.session.translate
    if name and not session.names.is_free(badge, name):
        controller.decline(say("THIS NAME IS TAKEN"))
        return False
    session.names.give(badge, name)
    controller.signal(Signal.ACCEPTED)
    controller.say(t("{badge} IS {name}", badge=badge, name=session.names.of(badge)))
    return True
