"""The menu that opens when OK is held down, and the codes of the control sheet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from companion.core.ask import AskKind, Wait
from companion.core.cards import Seat
from companion.core.codes import Control
from companion.core.ruling import Refused
from companion.match.commands import EndMatch
from companion.match.match import Match
from firmware.screens.before.hello import Hello, Language
from firmware.screens.before.naming import name_players
from firmware.screens.before.resume import resume_suspended
from firmware.screens.before.set_up_table import set_up_table
from firmware.screens.count.audit import Audit
from firmware.screens.count.count import CardCount
from firmware.screens.menu.erase import Erase, SwitchOff
from firmware.screens.parts.base import Controller, Item, Page
from firmware.screens.parts.choice import Confirm, Menu
from firmware.screens.parts.message import Help
from firmware.screens.result import views
from firmware.screens.result.ceremony import celebrate
from firmware.screens.result.edit import correct_score
from firmware.screens.result.graph import Graph
from firmware.screens.result.results import show_results
from firmware.screens.turn.corrections import PickPlayers, SwapPreview, WrongCard
from firmware.screens.turn.named_step import redone
from firmware.screens.turn.owner_not_known import owner_items
from hardware.ports import Signal

_PAGES: Final[dict[Control, Callable[[], Page]]] = {
    Control.WRONG: WrongCard,
    Control.AUDIT: Audit,
    Control.GRAPH: Graph,
}
"""Control codes that only open a page."""


def main_menu(controller: Controller) -> Menu:
    """What you can do now."""
    t = controller.session.translate
    sound: Item = (t("SOUND ON") if controller.muted else t("SOUND OFF"), lambda at: at.toggle_sound())
    switch: tuple[Item, ...] = ((t("SWITCH OFF"), _switch_off),) if controller.machine.can_switch_off else ()
    if controller.session.match is None:
        return Menu(
            t("MENU"),
            (
                sound,
                (t("DEVICES"), lambda at: at.open(Hello())),
                (t("ERASE A PLAYER"), _erase),
                (t("RESUME A MATCH"), resume_suspended),
                (t("EARLIER RESULTS"), show_results),
                (t("NAMES"), name_players),
                *controller.extension_items(),
                (t("LANGUAGE"), lambda at: at.open(Language())),
                *switch,
            ),
        )
    return Menu(
        t("MENU"),
        (
            *owner_items(controller),
            (t("STANDINGS"), lambda at: at.open(views.Standings())),
            (t("ALL CARDS"), lambda at: at.open(views.Rows())),
            (t("CHECK THE TABLE"), lambda at: run_control_or_say(Control.AUDIT, at)),
            (t("A CARD WAS WRONG"), lambda at: run_control_or_say(Control.WRONG, at)),
            (t("SWAP TWO OWNERS"), lambda at: run_control_or_say(Control.SWAP, at)),
            (t("PLAYERS JOIN/LEAVE"), lambda at: run_control_or_say(Control.ABSENT, at)),
            (t("NEW PLAYER"), _new_player),
            (t("REDO"), lambda at: run_control_or_say(Control.REDO, at)),
            sound,
            (t("SET UP THE TABLE"), set_up_table),
            (t("DEVICES"), lambda at: at.open(Hello())),
            (t("COUNT THE CARDS"), lambda at: at.open(CardCount())),
            (t("END THIS DEAL"), _end_deal),
            (t("CORRECT A SCORE"), lambda at: run_control_or_say(Control.EDIT, at)),
            (t("GRAPH"), lambda at: run_control_or_say(Control.GRAPH, at)),
            (t("END THE MATCH"), _end_match),
            (t("SUSPEND THE MATCH"), _ask_suspend),
            (t("EARLIER RESULTS"), show_results),
            (t("NAMES"), name_players),
            (t("ERASE A PLAYER"), _erase),
            *controller.extension_items(),
            (t("LANGUAGE"), lambda at: at.open(Language())),
            *_order_of_scans(controller),
            *switch,
        ),
    )


def _order_of_scans(controller: Controller) -> tuple[Item, ...]:
    """The other order for the cards of a turn, where all players play at the same time."""
    session = controller.session
    asks = session.match.asks if session.match is not None else ()
    if not any(ask.kind is AskKind.PLAY and ask.wait is Wait.ALL for ask in asks):
        return ()
    t = session.translate
    other = t("CARDS IN ANY ORDER") if session.seat_order.on else t("CARDS IN SEAT ORDER")

    def change(at: Controller) -> None:
        at.session.seat_order.change()
        at.home()
        at.say(other)
        at.signal(Signal.ACCEPTED)

    return ((other, change),)


def run_control_or_say(control: Control, controller: Controller) -> None:
    """Do what a control code stands for, or say that it cannot be done now."""
    if not run_control(control, controller):
        controller.say(controller.session.translate("NOT POSSIBLE NOW"))


def run_control(control: Control, controller: Controller) -> bool:
    """Do what a code of the control sheet stands for; False where it means nothing now."""
    t = controller.session.translate
    if control is Control.MUTE:
        controller.toggle_sound()
    elif control is Control.ERASE:
        controller.open(Erase())
    elif control is Control.LANGUAGE:
        controller.open(Language())
    elif control is Control.HELP:
        controller.open(Help(controller.front))
    elif controller.session.match is None:
        return False
    elif control is Control.REDO:
        result = controller.session.redo()
        if isinstance(result, Refused):
            controller.refuse(result)
        else:
            controller.home()
            controller.say(redone(result, controller.session))
    elif control is Control.SWAP:
        controller.open(PickPlayers(t("SWAP WHICH TWO?"), _swap, 2))
    elif control is Control.ABSENT:
        _ask_who_leaves_or_joins(controller)
    elif control in _PAGES:
        controller.open(_PAGES[control]())
    elif control is Control.NEXT:
        controller.propose(controller.session.playing.game.end_deal())
    elif control is Control.EDIT:
        correct_score(controller)
    else:
        return False
    return True


def _switch_off(controller: Controller) -> None:
    controller.open(SwitchOff(controller.machine.switch_off_in_s))


def _erase(controller: Controller) -> None:
    controller.open(Erase())


def _end_deal(controller: Controller) -> None:
    t = controller.session.translate
    scored, counted = t("SCORED AS IT STANDS."), t("THE HANDS ARE COUNTED NEXT.")

    def follows(after: Match) -> str:
        first = counted if any(ask.kind is AskKind.HAND for ask in after.asks) else scored
        return f"{first} {t('YOU CAN UNDO THIS.')}"

    _ask_first(controller.session.playing.game.end_deal(), t("END THIS DEAL?"), follows, controller)


def _end_match(controller: Controller) -> None:
    t = controller.session.translate
    follows = t("FINISHED DEALS COUNT, THE ONE IN PROGRESS DOES NOT. YOU CAN UNDO THIS.")
    _ask_first(EndMatch(), t("END THE MATCH?"), lambda _: follows, controller, celebrate)


def _ask_first(
    command: Any,  # noqa: ANN401 - of any game
    title: str,
    follows: Callable[[Match], str],
    controller: Controller,
    then: Callable[[Controller], None] = lambda _: None,
) -> None:
    """Ask whether a command is meant; `follows` says what follows, given the match as it would be then.

    `then` is done once it was carried out.

    A command that would be refused is refused at once.
    """

    def do(at: Controller) -> None:
        if at.propose(command):
            then(at)

    match = controller.session.playing
    step = match.propose(command)
    if isinstance(step, Refused):
        controller.refuse(step, command)
    else:
        word = controller.session.translate("END IT")
        controller.open(Confirm(title, follows(match.then(step)), word, do))


def _ask_suspend(controller: Controller) -> None:
    t = controller.session.translate
    match = controller.session.playing
    follows = t("IT IS SAVED. TO RESUME IT, PRESS UNDO ON THE START PAGE.")
    if match.steps == 0:
        follows = t("NO CARD WAS PLAYED, SO NOTHING IS KEPT.")
    elif match.newest is None or match.position.over:
        follows = t("IT STAYS IN THE JOURNAL.")
    controller.open(Confirm(t("SUSPEND THE MATCH?"), follows, t("SUSPEND"), _suspend))


def _suspend(controller: Controller) -> None:
    controller.session.suspend()
    controller.home()


def _new_player(controller: Controller) -> None:
    controller.join(Seat(len(controller.session.playing.totals)))


def _swap(badges: tuple[int, ...], controller: Controller) -> None:
    """Show what swapping two players' cards would do to their scores; nothing is done yet."""
    match = controller.session.playing
    one, other = (controller.session.seat(badge) for badge in badges)
    if one is None or other is None:
        controller.say(controller.session.translate("NOT IN THIS MATCH"))
        return
    command = match.game.swap((one, other))
    step = match.propose(command)
    if isinstance(step, Refused):
        controller.refuse(step, command)
        return
    controller.open(SwapPreview(command, (one, other), match.then(step).points))


def _ask_who_leaves_or_joins(controller: Controller) -> None:
    """Ask for a badge, unless nobody can leave and nobody can join now."""
    match = controller.session.playing
    seats = [Seat(number) for number in range(len(match.totals) + 1)]
    commands = [match.game.leave(seat) if seat in match.players else match.game.join(seat) for seat in seats]
    refused = [match.propose(command) for command in commands]
    if isinstance(refused[0], Refused) and all(isinstance(one, Refused) for one in refused):
        controller.refuse(refused[0], commands[0])
        return
    title = controller.session.translate("WHO LEAVES/JOINS?")
    controller.open(PickPlayers(title, _leave_or_join, 1))


def _leave_or_join(badges: tuple[int, ...], controller: Controller) -> None:
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
