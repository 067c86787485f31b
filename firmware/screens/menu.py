"""The menu that OK, held down, opens, and the orders of the control sheet: what is needed now and then."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from companion.cards import Seat
from companion.codes import Verb
from companion.game import Verb as Asked
from companion.ruling import Refused
from companion.scores import EndMatch
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
    from firmware.desk import Desk
    from firmware.screens.base import Page
    from firmware.screens.listing import Item


_PAGES: Final[dict[Verb, Callable[[], Page]]] = {Verb.WRONG: Wrong, Verb.AUDIT: Audit, Verb.GRAPH: Graph}
"""Orders that open a page and nothing else."""


def main(desk: Desk) -> Menu:
    """What can be done now."""
    t = desk.world.words
    sound: Item = (t("SOUND ON") if desk.muted else t("SOUND OFF"), _mute)
    switch: tuple[Item, ...] = ((t("SWITCH OFF"), _switch_off),) if desk.power else ()
    if desk.world.match is None:
        return Menu(
            t("MENU"),
            (
                sound,
                (t("DEVICES"), lambda at: at.open(Hello())),
                (t("ERASE A PLAYER"), _erase),
                (t("GO ON WITH A MATCH"), go_on),
                *switch,
            ),
        )
    return Menu(
        t("MENU"),
        (
            (t("STANDINGS"), lambda at: at.open(views.Standings())),
            (t("ALL CARDS"), lambda at: at.open(views.Rows())),
            (t("CHECK THE TABLE"), lambda at: order_or_say(Verb.AUDIT, at)),
            (t("A CARD WAS WRONG"), lambda at: order_or_say(Verb.WRONG, at)),
            (t("SWAP TWO OWNERS"), lambda at: order_or_say(Verb.SWAP, at)),
            (t("PLAYER GOES/COMES"), lambda at: order_or_say(Verb.ABSENT, at)),
            (t("NEW PLAYER"), _new_player),
            (t("BRING BACK"), lambda at: order_or_say(Verb.REDO, at)),
            sound,
            (t("TABLE AS IT LIES"), adopt),
            (t("DEVICES"), lambda at: at.open(Hello())),
            (t("COUNT THE CARDS"), lambda at: at.open(Counted())),
            (t("END THIS DEAL"), _end_deal),
            (t("PUT A SCORE RIGHT"), lambda at: order_or_say(Verb.EDIT, at)),
            (t("GRAPH"), lambda at: order_or_say(Verb.GRAPH, at)),
            (t("END THE MATCH"), _end),
            (t("PUT MATCH AWAY"), _away),
            (t("ERASE A PLAYER"), _erase),
            *switch,
        ),
    )


def order_or_say(verb: Verb, desk: Desk) -> None:
    """Carry an order out, or say that it cannot be done now."""
    if not order(verb, desk):
        desk.say(desk.world.words("NOT NOW"))


def order(verb: Verb, desk: Desk) -> bool:
    """Carry an order of the control sheet out; False where it means nothing now."""
    t = desk.world.words
    if verb is Verb.MUTE:
        _mute(desk)
    elif verb is Verb.ERASE:
        desk.open(Erase())
    elif desk.world.match is None:
        return False
    elif verb is Verb.REDO:
        result = desk.world.redo()
        if isinstance(result, Refused):
            desk.refuse(result)
        else:
            desk.home()
            desk.say(t("BROUGHT BACK"))
    elif verb is Verb.SWAP:
        desk.open(Pick(t("SWAP: WHO?"), _swap, 2))
    elif verb is Verb.ABSENT:
        desk.open(Pick(t("WHO GOES/COMES?"), _absent, 1))
    elif verb in _PAGES:
        desk.open(_PAGES[verb]())
    elif verb is Verb.NEXT:
        desk.propose(desk.world.playing.game.end_deal())
    elif verb is Verb.EDIT:
        edit(desk)
    elif verb is Verb.HELP:
        desk.open(main(desk))
    else:
        return False
    return True


def _mute(desk: Desk) -> None:
    desk.muted = not desk.muted
    desk.say(desk.world.words("SOUND OFF") if desk.muted else desk.world.words("SOUND ON"))


def _switch_off(desk: Desk) -> None:
    desk.open(SwitchOff(lambda: desk.hold.left(desk.now_s)))


def _erase(desk: Desk) -> None:
    desk.open(Erase())


def _end_deal(desk: Desk) -> None:
    t = desk.world.words
    lies, counted = t("IT IS SCORED AS IT LIES."), t("THE HANDS ARE COUNTED NEXT.")

    def follows(after: Match) -> str:
        first = counted if any(ask.verb is Asked.HAND for ask in after.asks) else lies
        return f"{first} {t('UNDO BRINGS IT BACK.')}"

    _ask_first(desk.world.playing.game.end_deal(), t("END THIS DEAL?"), follows, desk)


def _end(desk: Desk) -> None:
    t = desk.world.words
    follows = t("FINISHED DEALS COUNT, THE ONE IN PROGRESS DOES NOT. UNDO BRINGS IT BACK.")
    _ask_first(EndMatch(), t("END THE MATCH?"), lambda _: follows, desk)


def _ask_first(
    command: Any,  # noqa: ANN401 - of any game
    title: str,
    follows: Callable[[Match], str],
    desk: Desk,
) -> None:
    """Ask whether an order is meant, with what follows from the match that there would be then.

    One that would be refused is refused at once.
    """
    match = desk.world.playing
    step = match.propose(command)
    if isinstance(step, Refused):
        desk.refuse(step)
    else:
        word = desk.world.words("END IT")
        desk.open(Sure(title, follows(match.then(step)), word, lambda at: at.propose(command)))


def _away(desk: Desk) -> None:
    t = desk.world.words
    match = desk.world.playing
    follows = t("IT IS KEPT. GO ON WITH IT LATER: UNDO ON THE START PAGE.")
    if match.newest is None or match.position.over:
        follows = t("IT IS KEPT IN THE JOURNAL.")
    desk.open(Sure(t("PUT MATCH AWAY?"), follows, t("PUT AWAY"), _put_away))


def _put_away(desk: Desk) -> None:
    desk.world.leave()
    desk.home()


def _new_player(desk: Desk) -> None:
    desk.join(Seat(len(desk.world.playing.totals)))


def _swap(badges: tuple[int, ...], desk: Desk) -> None:
    """Show what a swap would do to the two scores; nothing is done yet."""
    match = desk.world.playing
    one, other = (desk.world.seat(badge) for badge in badges)
    if one is None or other is None:
        desk.say(desk.world.words("THEY DO NOT PLAY"))
        return
    command = match.game.swap((one, other))
    step = match.propose(command)
    if isinstance(step, Refused):
        desk.refuse(step)
        return
    desk.open(Effect(command, (one, other), match.then(step).points))


def _absent(badges: tuple[int, ...], desk: Desk) -> None:
    match, badge = desk.world.playing, badges[0]
    seat = desk.world.seat(badge)
    if seat is not None:
        desk.propose(match.game.leave(seat))
        return
    seats = [Seat(number) for number in range(len(match.totals))]
    back = next((one for one in seats if desk.world.badge(one) == badge), None)
    if back is not None:
        desk.propose(match.game.join(back))
    else:
        desk.join(Seat(len(seats)), badge)
