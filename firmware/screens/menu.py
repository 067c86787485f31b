"""The menu that OK, held down, opens, and the orders of the control sheet: what is needed now and then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.ask import AskKind
from companion.cards import Seat
from companion.codes import Control
from companion.match_commands import EndMatch
from companion.ruling import Refused
from firmware.screens import views
from firmware.screens.adopt import adopt
from firmware.screens.audit import Audit
from firmware.screens.count import Counted
from firmware.screens.edit import edit
from firmware.screens.erase import Erase
from firmware.screens.graph import Graph
from firmware.screens.hello import Hello
from firmware.screens.listing import Menu
from firmware.screens.mending import Effect, Pick, Wrong
from firmware.screens.resuming import go_on
from firmware.screens.sure import Sure
from firmware.screens.switching_off import SwitchOff

if TYPE_CHECKING:
    from collections.abc import Callable

    from companion.match import Match
    from firmware.play.controller import Controller
    from firmware.screens.base import Page
    from firmware.screens.listing import Item


_PAGES: Final[dict[Control, Callable[[], Page]]] = {
    Control.WRONG: Wrong,
    Control.AUDIT: Audit,
    Control.GRAPH: Graph,
}
"""Orders that open a page and nothing else."""


def main(controller: Controller) -> Menu:
    """What you can do now."""
    t = controller.session.translate
    sound: Item = (t("SOUND ON") if controller.muted else t("SOUND OFF"), _mute)
    switch: tuple[Item, ...] = ((t("SWITCH OFF"), _switch_off),) if controller.power else ()
    if controller.session.match is None:
        return Menu(
            t("MENU"),
            (
                sound,
                (t("DEVICES"), lambda at: at.open(Hello())),
                (t("ERASE A PLAYER"), _erase),
                (t("RESUME A MATCH"), go_on),
                *switch,
            ),
        )
    return Menu(
        t("MENU"),
        (
            (t("STANDINGS"), lambda at: at.open(views.Standings())),
            (t("ALL CARDS"), lambda at: at.open(views.Rows())),
            (t("CHECK THE TABLE"), lambda at: order_or_say(Control.AUDIT, at)),
            (t("A CARD WAS WRONG"), lambda at: order_or_say(Control.WRONG, at)),
            (t("SWAP TWO OWNERS"), lambda at: order_or_say(Control.SWAP, at)),
            (t("PLAYERS JOIN/LEAVE"), lambda at: order_or_say(Control.ABSENT, at)),
            (t("NEW PLAYER"), _new_player),
            (t("REDO"), lambda at: order_or_say(Control.REDO, at)),
            sound,
            (t("SET UP THE TABLE"), adopt),
            (t("DEVICES"), lambda at: at.open(Hello())),
            (t("COUNT THE CARDS"), lambda at: at.open(Counted())),
            (t("END THIS DEAL"), _end_deal),
            (t("CORRECT A SCORE"), lambda at: order_or_say(Control.EDIT, at)),
            (t("GRAPH"), lambda at: order_or_say(Control.GRAPH, at)),
            (t("END THE MATCH"), _end),
            (t("SUSPEND THE MATCH"), _away),
            (t("ERASE A PLAYER"), _erase),
            *switch,
        ),
    )


def order_or_say(control: Control, controller: Controller) -> None:
    """Carry an order out, or say that it cannot be done now."""
    if not order(control, controller):
        controller.say(controller.session.translate("NOT POSSIBLE NOW"))


def order(control: Control, controller: Controller) -> bool:
    """Carry an order of the control sheet out; False where it means nothing now."""
    t = controller.session.translate
    if control is Control.MUTE:
        _mute(controller)
    elif control is Control.ERASE:
        controller.open(Erase())
    elif controller.session.match is None:
        return False
    elif control is Control.REDO:
        result = controller.session.redo()
        if isinstance(result, Refused):
            controller.refuse(result)
        else:
            controller.home()
            controller.say(t("REDONE"))
    elif control is Control.SWAP:
        controller.open(Pick(t("SWAP WHICH TWO?"), _swap, 2))
    elif control is Control.ABSENT:
        controller.open(Pick(t("WHO LEAVES/JOINS?"), _absent, 1))
    elif control in _PAGES:
        controller.open(_PAGES[control]())
    elif control is Control.NEXT:
        controller.propose(controller.session.playing.game.end_deal())
    elif control is Control.EDIT:
        edit(controller)
    elif control is Control.HELP:
        controller.open(main(controller))
    else:
        return False
    return True


def _mute(controller: Controller) -> None:
    controller.muted = not controller.muted
    controller.say(
        controller.session.translate("SOUND OFF")
        if controller.muted
        else controller.session.translate("SOUND ON")
    )


def _switch_off(controller: Controller) -> None:
    controller.open(SwitchOff(lambda: controller.hold.left(controller.now_s)))


def _erase(controller: Controller) -> None:
    controller.open(Erase())


def _end_deal(controller: Controller) -> None:
    t = controller.session.translate
    lies, counted = t("SCORED AS IT STANDS."), t("THE HANDS ARE COUNTED NEXT.")

    def follows(after: Match) -> str:
        first = counted if any(ask.kind is AskKind.HAND for ask in after.asks) else lies
        return f"{first} {t('YOU CAN UNDO THIS.')}"

    _ask_first(controller.session.playing.game.end_deal(), t("END THIS DEAL?"), follows, controller)


def _end(controller: Controller) -> None:
    t = controller.session.translate
    follows = t("FINISHED DEALS COUNT, THE ONE IN PROGRESS DOES NOT. YOU CAN UNDO THIS.")
    _ask_first(EndMatch(), t("END THE MATCH?"), lambda _: follows, controller)


def _ask_first(
    command: Any,  # noqa: ANN401 - of any game
    title: str,
    follows: Callable[[Match], str],
    controller: Controller,
) -> None:
    """Ask whether an order is meant, with what follows from the match that there would be then.

    One that would be refused is refused at once.
    """
    match = controller.session.playing
    step = match.propose(command)
    if isinstance(step, Refused):
        controller.refuse(step)
    else:
        word = controller.session.translate("END IT")
        controller.open(Sure(title, follows(match.then(step)), word, lambda at: at.propose(command)))


def _away(controller: Controller) -> None:
    t = controller.session.translate
    match = controller.session.playing
    follows = t("IT IS SAVED. TO RESUME IT, PRESS UNDO ON THE START PAGE.")
    if match.newest is None or match.position.over:
        follows = t("IT STAYS IN THE JOURNAL.")
    controller.open(Sure(t("SUSPEND THE MATCH?"), follows, t("SUSPEND"), _put_away))


def _put_away(controller: Controller) -> None:
    controller.session.leave()
    controller.home()


def _new_player(controller: Controller) -> None:
    controller.join(Seat(len(controller.session.playing.totals)))


def _swap(badges: tuple[int, ...], controller: Controller) -> None:
    """Show what a swap would do to the two scores; nothing is done yet."""
    match = controller.session.playing
    one, other = (controller.session.seat(badge) for badge in badges)
    if one is None or other is None:
        controller.say(controller.session.translate("NOT IN THIS MATCH"))
        return
    command = match.game.swap((one, other))
    step = match.propose(command)
    if isinstance(step, Refused):
        controller.refuse(step)
        return
    controller.open(Effect(command, (one, other), match.then(step).points))


def _absent(badges: tuple[int, ...], controller: Controller) -> None:
    match, badge = controller.session.playing, badges[0]
    seat = controller.session.seat(badge)
    if seat is not None:
        controller.propose(match.game.leave(seat))
        return
    seats = [Seat(number) for number in range(len(match.totals))]
    back = next((one for one in seats if controller.session.badge(one) == badge), None)
    if back is not None:
        controller.propose(match.game.join(back))
    else:
        controller.join(Seat(len(seats)), badge)
