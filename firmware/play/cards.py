"""What a scanned card and a badge mean in the turn that is played."""

from typing import Any, NamedTuple

from companion.core import games
from companion.core.ask import Ask, AskKind, Gives, Wait
from companion.core.cards import Seat
from companion.core.ruling import Refused
from companion.match.match import Match
from companion.text.sentence import NOTHING, Text, say
from companion.values import replace
from firmware.play.page import AnyPage
from firmware.play.table import Table
from firmware.session.actions import BadgeAction
from hardware.ports import Signal


class NewRuling(NamedTuple):
    """The ruling that has just appeared and is still shown, and the cards of its turn."""

    page: AnyPage
    turn: tuple[str, ...]


def play(table: Table, card: str, game: str = "") -> None:
    """Take a card as scanned; `game` is the two characters its code begins with, empty for any."""
    session, match = table.session, table.session.match
    read, card = card, session.card_named(card, game) or card  # a code has the number of a card
    other = match is not None and game not in ("", session.code)
    ruling = None if other else _new_ruling(table)
    if match is None or not match.asks or (ruling is not None and card in ruling.turn):
        _decline_without_turn(table, card, ruling)
    elif other:
        table.explain(*_of_other_game(game, match), say("CARD OF ANOTHER GAME"))
    else:
        _answer_with_card(table, card, read, ruling)


def _new_ruling(table: Table) -> NewRuling | None:
    """The ruling that has just appeared, if the page beneath all others shows one.

    Players need some seconds to place the cards of a turn. A card that comes before that may be one too
    many of it. It may as well be the first one of the next turn, and nobody can see which: so it is
    played as that, and one key corrects that.
    """
    match = table.session.match
    if match is None or table.now_s - table.state.turn.ruled_s >= table.config.table.extra_card_s:
        return None
    base = table.base
    if not base.HOLDS_EXTRA_CARD:
        return None
    lines = () if match.position.over else match.board.newest
    lines = lines or match.game.board(match.position.finished).newest
    return NewRuling(base, tuple(line.card for line in lines))


def _decline_without_turn(table: Table, card: str, ruling: NewRuling | None) -> None:
    """Say why a card begins no turn: it was scanned in the turn before, or none follows."""
    if ruling is None:
        table.decline(say("NO MATCH IN PROGRESS"))
    elif card in ruling.turn:
        _decline_duplicate(table, card)
    else:  # one too many of the last turn
        table.signal(Signal.REFUSED)
        table.home()
        table.open(table.screens.extra_card(ruling.turn, card, plays_on=False))


def _of_other_game(game: str, match: Match) -> tuple[Text, Text]:
    """What is wrong with a card whose code begins with that of another game, and what to do."""
    title = next((module.TITLE for module in map(games.module, games.GAMES) if game == module.CODE), game)
    fix = say("scan a card of {game}", game=match.game.title)
    return say("this card belongs to {game}", game=title), fix


def _answer_with_card(table: Table, card: str, read: str, ruling: NewRuling | None) -> None:
    """Answer the open question with a card of the game in play; `read` is its name as it was scanned."""
    session, match = table.session, table.session.playing
    ask = asked_for_card(match)
    if any(part.take_card(card, ask, table) for part in table.extensions):
        return
    if ask is not None and card in ask.have:
        _decline_duplicate(table, card)
        return
    if ask is None and _keeps(table, card):
        return
    # Without a question for a card the referee says why it cannot be played now.
    ask = ask or Ask(AskKind.PLAY, match.asks[0].seats, Wait.ALL, NOTHING)
    table.home()
    announced = table.state.turn.announced
    seat = session.next_in_order(ask) if announced is None else announced
    if not table.propose(_command_for(read, ask, seat, match)):
        return
    table.update(turn=table.state.turn.after_card(table.now_s))
    if ruling is not None:
        extra = table.screens.extra_card(ruling.turn, card, plays_on=True)
        table.update(early=(session.playing.steps, extra))
        table.show_band(table.screens.next_card(ruling.turn, card, ruling.page))


def _decline_duplicate(table: Table, card: str) -> None:
    """Say that a card was scanned already."""
    table.home()
    fault = say("{card} ALREADY SCANNED", card=table.session.label(card))
    table.explain(fault, say("SCAN THE NEXT CARD"), say("SCANNED AGAIN"), Signal.DUPLICATE)


def asked_for_card(match: Match) -> Ask | None:
    """The open question that a card answers."""
    return next((ask for ask in match.asks if ask.kind.gives is Gives.CARD), None)


def _command_for(card: str, ask: Ask, seat: Seat | None, match: Match) -> Any:  # noqa: ANN401 - of the game in play
    """The command that plays a card in answer to a question; `seat` is whose it is, where that is known."""
    game = match.game
    begun = ask.kind is AskKind.PLAY and ask.wait is Wait.ONE and bool(ask.have)
    shown = game.show(card) if seat is None and begun else None
    return game.read(ask, seat, card) if shown is None else shown


# ------------------------------------------------------------------------------- cards of the next turn


def _keeps(table: Table, card: str) -> bool:
    """Keep a card for the next turn, if nothing but the open question about this one is against it."""
    notes, match = table.session.notes, table.session.playing
    placing = match.board.placing
    if not placing:
        return False
    if card in notes.kept_cards:
        _decline_duplicate(table, card)
        return True
    proposed = match.propose(match.game.read(Ask(AskKind.PLAY, (), Wait.ALL, NOTHING), None, card))
    if not (isinstance(proposed, Refused) and proposed.waits):
        return False
    notes.keep_cards((*notes.kept_cards, card))
    table.signal(Signal.ACCEPTED)
    table.home()
    table.show_band(table.screens.next_card(placing, card, None))
    return True


def kept_card_is_due(table: Table) -> bool:
    """Whether the first card that has waited for an answer is played, or forgotten, now."""
    match = table.session.match if table.session.notes.kept_cards else None
    return match is not None and (not match.asks or asked_for_card(match) is not None)


def play_kept_card(table: Table) -> None:
    """Play the first card that has waited for an answer."""
    notes, match = table.session.notes, table.session.playing
    if not match.asks and _new_ruling(table) is None:
        notes.keep_cards(())  # the match was ended before the turn was
        return
    card, on_top = notes.kept_cards[0], table.pages.opened
    if not (match.asks and card in match.asks[0].have):  # it was played, then the power went
        play(table, card)
    notes.keep_cards([other for other in notes.kept_cards if other != card])
    # What the answer led to is told first.
    table.update(pages=replace(table.pages, opened=(*table.pages.opened, *on_top)))


# ------------------------------------------------------------------------------------------------ badges


def take_badge(table: Table, action: BadgeAction) -> bool:
    """Note that the player of a badge is ready, or that the next card is theirs; False for a new player."""
    session, match = table.session, table.session.match
    asks = () if match is None else match.asks
    seat = None if match is None else session.seat(action.badge)
    begins = bool(asks) and asks[0].kind is AskKind.PLAY and asks[0].wait is Wait.ALL and not asks[0].have
    if seat is not None and begins and session.waits_for_ready:
        _note_ready(table, seat, asks[0])
        return True
    ask = next((ask for ask in asks if seat in ask.seats), None)
    if ask is not None and ask.wait is not Wait.ONE and ask.kind.gives is Gives.CARD and seat is not None:
        _announce(table, seat, action.at_s if ask.kind is AskKind.RACE else None)
    elif seat is not None and ask is None and any(ask.kind is AskKind.PLAY for ask in asks):
        name = session.names.short(action.badge, 8)
        in_turn = any(ask.wait is Wait.ONE for ask in asks)
        table.decline(say("NOT {name}'S TURN", name=name) if in_turn else say("{name} HAS PLAYED", name=name))
    elif match is not None and seat is None and asks and action.at_s is None:
        return False
    else:
        table.decline(say("NO BADGE NEEDED NOW"))
    return True


def _note_ready(table: Table, seat: Seat, ask: Ask) -> None:
    """Note that a player has chosen a card. When all have, the display says so; nothing else happens."""
    session = table.session
    ready, need = session.note_ready(seat), ask.need - session.shown_by_box()
    name = session.short_name(seat, 8)
    player_is_ready = say("{name} IS READY {ready}/{need}", name=name, ready=ready, need=need)
    table.signal(Signal.ACCEPTED)
    table.say(say("ALL READY: REVEAL") if ready >= need else player_is_ready)


def _announce(table: Table, seat: Seat, pressed_s: float | None) -> None:
    """The next card is this player's. In a race the first of the players' own keys counts."""
    session, clock = table.session, table.state.turn
    if pressed_s is not None and clock.was_early(pressed_s):
        table.decline(say("{name}: TOO EARLY", name=session.short_name(seat, 8)))
    elif pressed_s is not None and (first := clock.ahead_of(pressed_s)) is not None:
        table.say(say("{name} WAS FIRST", name=session.short_name(first, 8)))
    else:
        table.update(turn=clock.announce(seat, table.now_s, pressed_s))
        table.signal(Signal.ACCEPTED)
        table.say(say("{name}: SCAN A CARD", name=session.short_name(seat, 6)))
