"""What an action leads to: `react(table, action, now_s) -> (table, effects)`. Nothing is done here.

Read from top to bottom: what comes in, who may answer it, what a key means on every page, and what time does.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from companion.core.ask import AskKind
from companion.core.codes import BADGES, CardCode, ControlCode, RowCode, UnknownCode
from companion.text.errors import CompanionError
from companion.text.sentence import say
from companion.values import Value, replace
from firmware.journal.errors import JournalError
from firmware.play.effects import Effect, PlainEffect
from firmware.play.pages import LATE_S
from firmware.play.reaction import Reaction
from firmware.play.table import Table
from firmware.screens import menu
from firmware.screens.before.start import Language
from firmware.screens.parts.base import Held
from firmware.screens.parts.names import keep_name
from firmware.screens.result.views import Rows
from firmware.screens.turn.refusal import MissingCards, UnknownCodePage
from firmware.session import actions
from hardware import ports
from hardware.ports import Key, Light, Press, Signal

if TYPE_CHECKING:
    from firmware.config.configuration import Config

Input = ports.KeyPressed | ports.Scanned | ports.NameTyped | ports.ChoiceMade
"""What players do, by whatever device."""


class TimePassed(Value):
    """Nothing has come; the time is another one."""


class Request(Value):
    """The program itself does something at the table."""

    do: Callable[[Reaction], object]


class NotStored(Value):
    """What an action led to could not be stored, so it has not happened."""

    action: TableAction
    error: JournalError


TableAction = ports.Message | TimePassed | Literal[PlainEffect.KEPT_CARD_DUE] | Request | NotStored


def react(table: Table, action: TableAction, now_s: float) -> tuple[Table, tuple[Effect, ...]]:
    """The table after an action at this time, and what is to be done: it counts once that is stored."""
    reaction = Reaction(table, now_s)
    match action:
        case TimePassed():
            _pass_time(reaction)
            goes_on = reaction.session.match is not table.state.match
        case PlainEffect.KEPT_CARD_DUE:
            goes_on = _trying(reaction, reaction.play_kept_card)
        case Request(do):
            do(reaction)
            goes_on = False
        case NotStored(failed, error):
            _tell_not_stored(reaction, failed, error)
            goes_on = False
        case _:
            _hear(reaction, action)
            goes_on = True
    _answer_passed_on(reaction)
    _note_ok_waits(reaction)
    if goes_on and reaction.takes_kept_cards:
        reaction.effects.append(PlainEffect.KEPT_CARD_DUE)
    return reaction.result()


# ------------------------------------------------------------------------------------------- what comes in


def _hear(reaction: Reaction, message: ports.Message) -> None:
    """Answer a message: a kiosk first, then the part that it is for, then the table."""
    if isinstance(message, ports.KeyPressed | ports.KeyReleased):
        reaction.change(chord=reaction.table.chord.hear(message, reaction.now_s))
    is_input = not isinstance(message, ports.ExtensionMessage) or message.IS_INPUT
    if is_input and reaction.kiosk is not None and reaction.kiosk.takes(message, reaction):
        return
    if isinstance(message, ports.ExtensionMessage):
        any(one.hear(message, reaction) for one in reaction.extensions)
    elif isinstance(message, ports.DeviceFault):
        reaction.enter_fault(message)
    elif isinstance(message, ports.DeviceRecovered):
        reaction.remove_fault(message.device)
    elif isinstance(message, ports.KeyReleased):
        reaction.hold(actions.Hold())
    elif _counts(reaction, message):
        _act(reaction, read_input(message, reaction.config))


def _counts(reaction: Reaction, message: Input) -> bool:
    dark = reaction.light is Light.OFF
    reaction.wake()
    # A key only lights a dark display up, for nobody could see what it would do. A scan always counts:
    # the scanner has told its player that it has read the card. So does a player's own key.
    if dark and isinstance(message, ports.KeyPressed) and message.key not in ports.OWN_KEYS:
        reaction.say(say("AWAKE: TRY AGAIN"))
    elif not isinstance(message, ports.Scanned) or not reaction.is_repeated(message):
        return True
    reaction.effects.append(PlainEffect.IGNORED)
    return False


def read_input(message: Input, config: Config) -> actions.Action:
    """What players do with an input."""
    if isinstance(message, ports.NameTyped):
        return actions.NameAction(message.badge, message.name)
    if isinstance(message, ports.ChoiceMade):
        return actions.ChoiceAction(message.choice)
    codes = config.codes
    return actions.action_of(message, plain_numbers=codes.plain_numbers, box=codes.box)


def _tell_not_stored(reaction: Reaction, action: TableAction, bad: JournalError) -> None:
    """Say that nothing has happened. That somebody is there, and what was scanned, stays known."""
    reaction.change(unstored=reaction.session.match)
    if isinstance(action, ports.KeyPressed):
        reaction.change(chord=reaction.table.chord.hear(action, reaction.now_s))
    if isinstance(action, Input):
        _counts(reaction, action)
        reaction.hold(actions.Hold())
    told = isinstance(action, ports.ExtensionMessage) and any(
        one.not_stored(action, bad, reaction) for one in reaction.extensions
    )
    if not told:
        reaction.refuse_error(bad)


# ------------------------------------------------------------------------------------------ who may answer


def _act(reaction: Reaction, action: actions.Action) -> None:
    reaction.hold(actions.Hold())  # the action may close the page that shows the countdown
    if isinstance(action, actions.KeyAction):
        _trying(reaction, lambda: _act_with_key(reaction, action))
    else:
        reaction.change(pages=replace(reaction.pages, closed=None, turned=None))
        _trying(reaction, lambda: _answer(reaction, action))


def _note_ok_waits(reaction: Reaction) -> None:
    """Note when the page opened whose OK does nothing at first: that of a match that is over."""
    front, match = reaction.table.pages.front, reaction.session.match
    if front is None and match is not None and not match.asks:
        front = reaction.base
    if front is None or not front.OK_WAITS_S:
        reaction.change(ok_waits=None)
    elif reaction.table.ok_waits is None or reaction.table.ok_waits[0] != front:
        reaction.change(ok_waits=(front, reaction.now_s))


def _answer_passed_on(reaction: Reaction) -> None:
    _trying(reaction, reaction.let_join)
    while reaction.passed_on:
        _act(reaction, reaction.passed_on.pop(0))
        _trying(reaction, reaction.let_join)


def _trying(reaction: Reaction, answer: Callable[[], None]) -> bool:
    """Show an error; whether there was none. Where the journal cannot be read, nothing happens."""
    before, state, effects = reaction.table, reaction.session.state, len(reaction.effects)
    try:
        answer()
    except CompanionError as bad:
        if isinstance(bad, JournalError):
            reaction.table = before
            reaction.session.adopt(state)
            del reaction.effects[effects:]
        reaction.refuse_error(bad)
        return False
    return True


def _act_with_key(reaction: Reaction, action: actions.KeyAction) -> None:
    """Answer a key as the page is meant that people have read: not what came or went just now."""
    unseen = reaction.pages.unseen(reaction.now_s)
    pages = reaction.pages.close(len(unseen))
    waits = reaction.table.ok_waits
    is_ok = action.key is Key.OK and action.press is Press.SHORT and not unseen
    if is_ok and waits is not None and reaction.now_s - waits[1] < waits[0].OK_WAITS_S:
        reaction.decline(say("ONE MOMENT, THEN OK"))
        return
    ends = action.key in (Key.OK, Key.UNDO) and action.press is Press.SHORT
    closed = pages.closed_just_now(reaction.now_s) if ends else None
    turned = pages.turned_just_now(reaction.now_s) if ends else None
    reaction.change(pages=replace(pages, closed=None, turned=None))
    try:
        if closed is not None:
            reaction.open(closed, lasts_s=LATE_S)
        elif turned is not None:
            reaction.show(turned)
        _answer(reaction, action)
    finally:
        if unseen:
            reaction.change(pages=replace(reaction.pages, opened=(*reaction.pages.opened, *unseen)))


def _answer(reaction: Reaction, action: actions.Action) -> None:
    """Ask those who may answer an action, in this order; the first one that does is the last one asked.

    A kiosk and an optional part have had their messages before (`_hear`). The referee rules on what one of
    these proposes.
    """
    for answers in (_extension_answers, _high_badge_is_refused, _view_opens, _page_answers, _as_usual):
        if answers(reaction, action):
            return


def _extension_answers(reaction: Reaction, action: actions.Action) -> bool:
    return any(one.answer(action, reaction) for one in reaction.extensions)


def _high_badge_is_refused(reaction: Reaction, action: actions.Action) -> bool:
    high = isinstance(action, actions.BadgeAction | RowCode) and action.badge not in BADGES
    if not high or any(one.USES_EVENING_BADGES for one in reaction.extensions):
        return False
    reaction.decline(say("USE BADGES 1 TO 10"))
    return True


def _view_opens(reaction: Reaction, action: actions.Action) -> bool:
    view = menu.VIEWS.get(action.control) if isinstance(action, ControlCode) else None
    match = reaction.session.match
    if view is None or match is None or (view is Rows and not match.board.stacks):
        return False
    menu.toggle(view(), reaction)
    return True


def _page_answers(reaction: Reaction, action: actions.Action) -> bool:
    """Ask the page in front; with a scan all pages from the top, until one makes something of it.

    Those above that one only tell something, or wait for a key. They close.
    """
    if not isinstance(action, CardCode | actions.NumberAction | actions.BadgeAction | RowCode):
        return reaction.front.handle(action, reaction)
    here = reaction.pages
    for depth in range(len(here.opened) + 1):
        if depth:
            reaction.change(pages=here.close(depth))
        if reaction.front.handle(action, reaction):
            return True
    reaction.change(pages=here)
    return False


def _as_usual(reaction: Reaction, action: actions.Action) -> bool:
    """What an action means on every page, where the page in front makes nothing of it."""
    match action:
        case CardCode(game, card):
            reaction.play(card, game)
        case actions.BadgeAction():
            reaction.take_badge(action)
        case RowCode():
            reaction.decline(say("NO ROW TO CHOOSE NOW"))
        case actions.KeyAction(key, press):
            usual = menu.usual_keys(reaction)
            use = usual.get(Held(key) if press is Press.LONG else key, usual.get(key))
            if use is not None:
                use.do(reaction)
        case ControlCode(control):
            if not menu.run_control(control, reaction):
                reaction.decline(say("NOT POSSIBLE NOW"))
        case actions.NameAction(badge, name):
            keep_name(badge, name, reaction)
        case actions.ChoiceAction(choice):
            if not reaction.front.choose(choice, reaction):
                reaction.decline(say("NOT POSSIBLE NOW"))
        case actions.NumberAction(number):
            reaction.refuse_code(UnknownCodePage(str(number), say("no card")))
        case UnknownCode(text, why, fix):
            reaction.refuse_code(UnknownCodePage(text, why, fix))
    return True


# ------------------------------------------------------------------------------------------- what time does


def _pass_time(reaction: Reaction) -> None:
    """Let time pass: notices end, pages that last a while close, the display dims."""
    now_s, before = reaction.now_s, reaction.table
    notice = "" if now_s >= before.notice_until_s else before.notice
    reaction.change(notice=notice, turn=before.turn.tick(now_s), pages=before.pages.expire(now_s))
    _count_down(reaction)
    for extension in reaction.extensions:
        extension.tick(reaction)
    _follow(reaction)
    _dim(reaction)
    _remind(reaction)
    if reaction.kiosk is not None:
        reaction.kiosk.tick(reaction)
        reaction.change(light=reaction.kiosk.light(reaction))


def _count_down(reaction: Reaction) -> None:
    """Switch the machine off, or open the languages, where keys were held down for long enough."""
    if reaction.table.hold.due(reaction.now_s):
        reaction.hold(actions.Hold())
        if reaction.can_switch_off:
            reaction.effects.append(PlainEffect.SWITCH_OFF)
            reaction.say(say("SWITCHING OFF"))
    reaction.hold(reaction.table.hold)
    if reaction.table.chord.due(reaction.now_s):
        reaction.change(chord=actions.Chord())
        if reaction.kiosk is None or not reaction.kiosk.offers_languages(reaction):
            menu.toggle(Language(), reaction)


def _follow(reaction: Reaction) -> None:
    """Show the page that follows the one in front by itself, once people had the time to read it."""
    front, since, now_s = reaction.front, reaction.table.since, reaction.now_s
    limit_s = reaction.config.table.ruling_s if front.stays_s is None else front.stays_s  # 0: never
    if not front.GOES_ON_BY_ITSELF or not limit_s:
        reaction.change(since=None)
    elif since is None or since[0] != front:
        reaction.change(since=(front, now_s))
    elif now_s - since[1] >= limit_s and (following := front.following(reaction.session)) is not None:
        reaction.change(since=(following, now_s), pages=reaction.pages.turn(front, following, now_s))


def _dim(reaction: Reaction) -> None:
    screen, idle_s, light = reaction.config.screen, reaction.now_s - reaction.table.active_s, Light.FULL
    if screen.dim_after_s and idle_s >= screen.dim_after_s:
        light = Light.DIM
    if screen.hide_after_s and idle_s >= screen.hide_after_s:
        light = Light.OFF
    reaction.change(light=light)


def _remind(reaction: Reaction) -> None:
    """Ask for cards that are missing for long, and for a choice whose time runs out."""
    match, options, table = reaction.session.match, reaction.config.table, reaction.table
    ask = next((one for one in match.asks if one.kind is AskKind.PLAY), None) if match else None
    if match is None or ask is None or not ask.have:
        reaction.change(turn=table.turn.without_waiting())
    elif table.turn.has_waited(reaction.now_s, options.missing_card_s):
        reaction.change(turn=table.turn.without_waiting())
        if not table.pages.opened:
            early = table.early if table.early is not None and table.early[0] == reaction.moment[1] else None
            reaction.open(MissingCards(None if early is None else early[1].question))
    choice, left = reaction.table.choice.tick(match, options.choice_s, reaction.now_s)
    reaction.change(choice=choice)
    if left:
        reaction.say(say("{left} S TO CHOOSE", left=left))
    elif left is not None:
        reaction.signal(Signal.REFUSED)
        reaction.say(say("TIME IS UP: CHOOSE"))
