"""Who answers an action at a table: its messages come in here, and so does the time that passes.

Read from top to bottom: what comes in, who may answer it, what it means on every page, and what time does.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from companion.core.ask import AskKind
from companion.core.codes import BADGES, CardCode, ControlCode, RowCode, UnknownCode
from companion.text.errors import CompanionError
from companion.text.sentence import NOTHING, say
from companion.values import replace
from firmware.config.sections import ScreenOptions
from firmware.journal.errors import JournalError
from firmware.play import cards
from firmware.play.effects import PlainEffect
from firmware.play.joining import let_waiting_join
from firmware.play.pages import LATE_S
from firmware.play.table import Table
from firmware.screens import menu
from firmware.screens.before.start import LanguagePage
from firmware.screens.joining import ask_to_join
from firmware.screens.parts.base import Held
from firmware.screens.parts.names import keep_name
from firmware.screens.result.views import Rows
from firmware.screens.turn.refusal import DeviceAway, MissingCards, band_answers, unknown_code
from firmware.session import actions
from hardware import ports
from hardware.ports import Key, Light, Press, Signal

FAULT_S: Final = 5.0

Input = ports.KeyPressed | ports.Scanned | ports.NameTyped | ports.ChoiceMade
"""What players do, by whatever device."""


Answer = Callable[[Table], bool]
"""What is done at the table; whether cards that have waited for an answer may be played then."""


def handle_message(table: Table, message: ports.Message, now_s: float) -> bool:
    """Handle one message of a device, or what a thread of the table has found out.

    What has come of it is in `Table.happened` then. False for the same scan again, and for a key that only
    woke the display.
    """
    table.happened = []
    return _store(table, partial(respond, message), now_s, message)


def tick(table: Table, now_s: float) -> None:
    """Let time pass: notices end, pages that last a while close, the display dims."""
    table.happened = []
    _store(table, pass_time, now_s)


def do(table: Table, change: Callable[[Table], object]) -> None:
    """Let the program itself do something at the table."""

    def answer(at: Table) -> bool:
        change(at)
        return False

    _store(table, answer, table.now_s)


def _store(table: Table, answer: Answer, now_s: float, message: ports.Message | None = None) -> bool:
    """Store what an answer leads to, and only then let it count: what anyone has seen is on the disk.

    If that fails, the table stays as it was, and people are told. False where the message does not count.
    """
    try:
        with table.transaction() as effects:
            is_due = react(table, answer, now_s)
    except JournalError as error:
        with table.transaction() as effects:
            is_due = react(table, partial(_tell_not_stored, message, error), now_s)
    if is_due:
        _store(table, partial(_trying, answer=cards.play_kept_card), now_s)
    return PlainEffect.IGNORED not in effects


def react(table: Table, answer: Answer, now_s: float) -> bool:
    """Let the table answer at this time, within a transaction; whether a kept card is to be played now."""
    table.update(now_s=now_s)
    if table.session.state.unread is not None:
        table.session.read_again()
    may_play = answer(table)
    _drain_queue(table)
    if table.front != table.state.since[0]:
        table.update(since=(table.front, now_s))
    return may_play and cards.kept_card_is_due(table)


# ------------------------------------------------------------------------------------------- what comes in


def respond(message: ports.Message, table: Table) -> bool:
    """Let a message be answered: by a kiosk, by the part that it is for, or at the table."""
    if isinstance(message, ports.KeyPressed | ports.KeyReleased):
        table.update(chord=table.state.chord.after(message, table.now_s))
    if table.offer_to_parts(message):
        return True
    if isinstance(message, ports.DeviceFault | ports.DeviceRecovered):
        _note_device(message, table)
    elif isinstance(message, ports.KeyReleased):
        table.hold(actions.Hold())
    elif isinstance(message, Input) and table.counts(message):
        _act(table, _read_input(message, table))
    return True


def _read_input(message: Input, table: Table) -> actions.Action:
    """What players do with an input."""
    if isinstance(message, ports.NameTyped):
        return actions.NameAction(message.badge, message.name)
    if isinstance(message, ports.ChoiceMade):
        return actions.ChoiceAction(message.choice)
    return table.read(message)


def is_for_page(message: ports.Message, table: Table) -> bool:
    """Whether the page in front answers an input, whatever it is: a card or a badge goes to the match."""
    answered = actions.KeyAction | ControlCode | actions.ChoiceAction
    return isinstance(message, Input) and isinstance(_read_input(message, table), answered)


def _note_device(message: ports.DeviceFault | ports.DeviceRecovered, table: Table) -> None:
    """Note that a device does not work, and tell people of a new fault; or that it works again."""
    session, device = table.session, message.device
    is_known = device in session.faults
    if isinstance(message, ports.DeviceFault):
        table.hold(actions.Hold())  # it may be the key that is held: then nobody would hear its release
        session.note_fault(message)
        if not is_known:
            table.interrupt(DeviceAway(message), FAULT_S)
    elif is_known:
        session.note_recovery(message.device)
        opened = (open_page.page for open_page in table.pages.opened)
        away = [
            page for page in opened if isinstance(page, DeviceAway) and page.away.device == message.device
        ]
        table.update(pages=table.pages.remove(away))
        table.say(say("{device} OK", device=device.partition("/")[0].upper()))


def _tell_not_stored(message: ports.Message | None, bad: JournalError, table: Table) -> bool:
    """Say that nothing has happened. That somebody is there, and what was scanned, stays known."""
    table.update(unstored=table.session.match)
    if isinstance(message, ports.KeyPressed):
        table.update(chord=table.state.chord.after(message, table.now_s))
    if isinstance(message, Input):
        table.counts(message)
        table.hold(actions.Hold())
    told = isinstance(message, ports.ExtensionMessage) and any(
        part.not_stored(message, bad, table) for part in table.extensions
    )
    if not told:
        table.refuse_error(bad)
    return False


# ------------------------------------------------------------------------------------------ who may answer


def _act(table: Table, action: actions.Action) -> None:
    table.hold(actions.Hold())  # the action may close the page that shows the countdown
    if band_answers(table, action):
        return
    page, said = table.front if table.notice else None, (table.notice, table.state.notice_until_s)
    if isinstance(action, actions.KeyAction):
        _trying(table, _act_with_key, action)
    else:
        table.update(pages=replace(table.pages, closed=None, turned=None))
        _trying(table, _answer, action)
    if page is not None and (table.notice, table.state.notice_until_s) == said and table.front != page:
        table.say(NOTHING)  # it was said about the page before, and would hide the title of this one


def _drain_queue(table: Table) -> None:
    """Answer what pages have forwarded; whoever waits to join does so as soon as that is possible."""
    _trying(table, let_waiting_join)
    while table.queue:
        _act(table, table.queue.pop(0))
        _trying(table, let_waiting_join)


def _trying(table: Table, answer: Callable[..., None], *action: actions.Action) -> bool:
    """Show an error; whether there was none. Where the journal cannot be read, nothing happens."""
    before, state, effects = table.state, table.session.state, len(table.effects)
    try:
        answer(table, *action)
    except CompanionError as bad:
        if isinstance(bad, JournalError):
            table.state = before
            table.session.adopt(state)
            del table.effects[effects:]
        table.refuse_error(bad)
        return False
    return True


def _act_with_key(table: Table, action: actions.KeyAction) -> None:
    """Answer a key as the page is meant that people have read: not what came or went just now."""
    unseen = table.pages.unseen(table.now_s)
    pages = table.pages.close(len(unseen))
    key, wait_s = table.front.WAITS
    waits = action.key is key and action.press is Press.SHORT and not unseen
    if waits and table.now_s - table.state.since[1] < wait_s:
        table.decline(say("ONE MOMENT"))
        return
    ends = action.key in (Key.OK, Key.UNDO) and action.press is Press.SHORT
    closed = pages.recently_closed(table.now_s) if ends else None
    turned = pages.recently_replaced(table.now_s) if ends else None
    table.update(pages=replace(pages, closed=None, turned=None))
    try:
        if closed is not None:
            table.open(closed, lasts_s=LATE_S)
        elif turned is not None:
            table.show(turned)
        _answer(table, action)
    finally:
        if unseen:
            table.update(pages=replace(table.pages, opened=(*table.pages.opened, *unseen)))


def _answer(table: Table, action: actions.Action) -> None:
    """Ask those who may answer an action, in this order; the first one that does is the last one asked.

    An optional part has had its messages before (`respond`). The referee rules on what one of these proposes.
    """
    for answers in (_extension_answers, _high_badge_is_refused, _view_opens, _page_answers, _default_action):
        if answers(table, action):
            return


def _extension_answers(table: Table, action: actions.Action) -> bool:
    return any(part.answer(action, table) for part in table.extensions)


def _high_badge_is_refused(table: Table, action: actions.Action) -> bool:
    high = isinstance(action, actions.BadgeAction | RowCode) and action.badge not in BADGES
    if not high or any(part.USES_EVENING_BADGES for part in table.extensions):
        return False
    table.decline(say("USE BADGES 1 TO 10"))
    return True


def _view_opens(table: Table, action: actions.Action) -> bool:
    view = menu.VIEWS.get(action.control) if isinstance(action, ControlCode) else None
    match = table.session.match
    if view is None or match is None or (view is Rows and not match.board.stacks):
        return False
    menu.toggle(view(), table)
    return True


def _page_answers(table: Table, action: actions.Action) -> bool:
    """Ask the page in front; with a scan all pages from the top, until one handles it.

    Those above that one only tell something, or wait for a key. They close.
    """
    if not isinstance(action, CardCode | actions.NumberAction | actions.BadgeAction | RowCode):
        return table.front.handle(action, table)
    here = table.pages
    for depth in range(len(here.opened) + 1):
        if depth:
            table.update(pages=here.close(depth))
        if table.front.handle(action, table):
            return True
    table.update(pages=here)
    return False


def _default_action(table: Table, action: actions.Action) -> bool:
    """What an action means on every page, where the page in front makes nothing of it."""
    match action:
        case CardCode(game, card):
            cards.play(table, card, game)
        case actions.BadgeAction():
            _ = cards.take_badge(table, action) or ask_to_join(action.badge, table)
        case RowCode():
            table.decline(say("NO ROW TO CHOOSE NOW"))
        case actions.KeyAction(key, press):
            usual = menu.usual_keys(table)
            use = usual.get(Held(key) if press is Press.LONG else key, usual.get(key))
            if use is not None:
                use.do(table)
        case ControlCode(control):
            if not menu.run_control(control, table):
                table.decline(say("NOT POSSIBLE NOW"))
        case actions.LanguageAction():
            menu.toggle(LanguagePage(), table)
        case actions.NameAction(badge, name):
            keep_name(badge, name, table)
        case actions.ChoiceAction(choice):
            if not table.front.choose(choice, table):
                table.decline(say("NOT POSSIBLE NOW"))
        case actions.NumberAction(number):
            table.refuse_on(unknown_code(str(number), say("no card")))
        case UnknownCode(text, why, fix):
            table.refuse_on(unknown_code(text, why, fix))
    return True


# ------------------------------------------------------------------------------------------- what time does


def pass_time(table: Table) -> bool:
    """Let time pass; whether the match has changed."""
    now_s, before, match = table.now_s, table.state, table.session.match
    notice = "" if now_s >= before.notice_until_s else before.notice
    refused = None if now_s >= before.notice_until_s + LATE_S else before.refused
    light = _light(table.config.screen, now_s - before.active_s)
    turn, pages = before.turn.tick(now_s), before.pages.expire(now_s)
    table.update(notice=notice, refused=refused, light=light, turn=turn, pages=pages)
    _count_down(table)
    _follow(table)
    _remind(table)
    for part in table.extensions:
        part.tick(table)
    return table.session.match is not match


def _count_down(table: Table) -> None:
    """Switch the machine off, or open the languages, where keys were held down for long enough."""
    if table.state.hold.due(table.now_s):
        table.hold(actions.Hold())
        if table.power is not None:
            table.effects.append(PlainEffect.SWITCH_OFF)
            table.say(say("SWITCHING OFF"))
    elif table.state.hold.held:
        table.hold(table.state.hold)  # fewer seconds are left
    if table.state.chord.due(table.now_s):
        table.update(chord=actions.Chord())
        _answer(table, actions.LanguageAction())


def _follow(table: Table) -> None:
    """Show the page that follows the one in front by itself, once people had the time to read it."""
    front, (page, since_s), now_s = table.front, table.state.since, table.now_s
    limit_s = table.config.table.ruling_s if front.stays_s is None else front.stays_s  # 0: never
    is_due = front.CONTINUES_BY_ITSELF and limit_s and front == page and now_s - since_s >= limit_s
    if is_due and (following := front.following(table.session)) is not None:
        table.update(pages=table.pages.turn(front, following, now_s))


def _light(screen: ScreenOptions, idle_s: float) -> Light:
    """The light of the display once nobody has done anything for so long."""
    if screen.hide_after_s and idle_s >= screen.hide_after_s:
        return Light.OFF
    return Light.DIM if screen.dim_after_s and idle_s >= screen.dim_after_s else Light.FULL


def _remind(table: Table) -> None:
    """Ask for cards that are missing for long, and for a choice whose time runs out."""
    match, options, state = table.session.match, table.config.table, table.state
    ask = next((ask for ask in match.asks if ask.kind is AskKind.PLAY), None) if match else None
    if match is None or ask is None or not ask.have:
        table.update(turn=state.turn.without_waiting())
    elif state.turn.has_waited(table.now_s, options.missing_card_s):
        table.update(turn=state.turn.without_waiting())
        if not state.pages.opened:
            step, question = state.early or (None, None)
            table.open(MissingCards(question if step == table.moment[1] else None))
    choice, left = table.state.choice.tick(match, options.choice_s, table.now_s)
    table.update(choice=choice)
    if left:
        table.say(say("{left} S TO CHOOSE", left=left))
    elif left is not None:
        table.signal(Signal.REFUSED)
        table.say(say("TIME IS UP: CHOOSE"))
