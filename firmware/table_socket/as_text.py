"""What pages say of the table in words: which match it is, who has won, the standing."""

from collections.abc import Collection, Sequence
from typing import Any

from companion.core.ask import Wait
from companion.protocol.snapshot import PublicAsk, Standing, TableSnapshot
from companion.text.sentence import Players, count
from companion.values import replace
from firmware.history.players import shown_name
from firmware.text.translation import Translator


def name_of(player: Any, t: Translator) -> str:  # noqa: ANN401 - of a snapshot, or of a message
    """What people read as the name of a player."""
    return shown_name(player.name, player.badge, player.seat, t)


def told_in(table: TableSnapshot, t: Translator) -> tuple[TableSnapshot, Translator]:
    """The table with its players called as people read it, and the language `t` with these names."""
    players = tuple(replace(player, name=name_of(player, t)) for player in table.players)
    return replace(table, players=players), t.calling([player.name for player in players])


def heading(table: Standing, t: Translator) -> list[str]:
    words = [t.title(table.title), t("Deal {deal}", deal=table.deal)]
    if table.turns and not table.over:
        words.append(t("Turn {turn} of {turns}", turn=t.number(table.turn), turns=t.number(table.turns)))
    return words


def won(table: Standing, t: Translator) -> str:
    """Who has won; empty while nobody has. `t` calls the players by their names."""
    if not table.winners:
        return ""
    who = Players(table.winners)
    return t.say(count("{who} wins the match", "{who} win the match", len(table.winners), who=who))


def waited_for(players: Sequence[Any], asked: Collection[int]) -> Collection[int]:
    """Those of these seats that are waited for: told of some, not of all."""
    return asked if len(asked) < sum(player.plays for player in players) else ()


def knows_missing(ask: PublicAsk) -> bool:
    """Whether it is known whose cards are missing: one that came without a player could be of anybody."""
    missing = ask.need - len(ask.have)
    return ask.wait is Wait.ALL and 0 < missing < ask.need and missing == len(ask.seats)


def places(
    table: Standing, names: Sequence[str], asked: Collection[int], t: Translator
) -> list[dict[str, Any]]:
    """The standing, line by line; `asked` as `waited_for` gives it. In a deal: of the sums."""
    ranked = table.over or (table.deal > 1 and not any(table.points))
    found = []
    for place in table.places:
        for seat in place.seats:
            points = table.points[seat] if seat < len(table.points) and not table.over else 0
            found.append(
                {
                    "sum": place.total + points,
                    "seat": seat,
                    "rank": t.number(place.rank) if ranked else "",
                    "name": names[seat],
                    "total": t.number(place.total + points),
                    "points": f"+{t.number(points)}" if points > 0 else "",
                    "asked": seat in asked,
                    "won": seat in (table.winners or ()),
                }
            )
    return found if ranked else sorted(found, key=lambda line: line["sum"], reverse=table.high)
