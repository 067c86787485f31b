"""A snapshot of the table as lines of text, in its own language: for a terminal.

Pages say which match it is, who has won and the standing in the same words.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import Any

from companion.protocol.snapshot import PublicSign, Standing, TableSnapshot
from companion.text.sentence import SIGNS, Players, count, say
from companion.values import replace
from firmware.history.players import shown_name
from firmware.table_socket.messages import Snapshot
from firmware.text.translation import Translator


def told_in(table: TableSnapshot, t: Translator) -> tuple[TableSnapshot, Translator]:
    """The table with its players called as people read it, and the language `t` with these names."""
    players = tuple(replace(one, name=shown_name(one.name, one.badge, one.seat, t)) for one in table.players)
    return replace(table, players=players), t.calling([one.name for one in players])


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
    return asked if len(asked) < sum(one.plays for one in players) else ()


def places(
    table: Standing, names: Sequence[str], asked: Collection[int], t: Translator, *, ranked: bool
) -> list[dict[str, Any]]:
    """The standing, line by line; `asked` as `waited_for` gives it."""
    found = []
    for place in table.places:
        for seat in place.seats:
            points = table.points[seat] if seat < len(table.points) and not table.over else 0
            found.append(
                {
                    "seat": seat,
                    "rank": t.number(place.rank) if ranked else "",
                    "name": names[seat],
                    "total": t.number(place.total + points),
                    "points": f"+{t.number(points)}" if points > 0 else "",
                    "asked": seat in asked,
                    "won": seat in (table.winners or ()),
                }
            )
    return found


def lines_of(snapshot: Snapshot) -> list[str]:
    """What is asked, what lies there, why the newest cards went where they are, and the standings."""
    t = Translator(snapshot.language, snapshot.digits)
    table = snapshot.table
    if table is None:
        return [t.say(say("No match is being played"))]
    table, t = told_in(table, t)
    lines: list[str] = []
    for part in (_head(table, t), _board(table, t), _reasons(table, t), _standings(table, t)):
        found = list(part)
        lines += [*([""] if lines and found else []), *found]
    signs = str.maketrans({sign: t.say(word) for sign, word in SIGNS.items()})
    return [line.translate(signs) for line in lines]


def _head(table: TableSnapshot, t: Translator) -> Iterator[str]:
    yield " · ".join(heading(table, t))
    if table.winners:
        yield won(table, t)
    for ask in table.asks:
        who = ", ".join(table.players[seat].name for seat in ask.seats)
        everybody = len(ask.seats) == len(table.players)
        yield f"→ {ask.says.says}" + ("" if everybody else f" ({who})")


def _board(table: TableSnapshot, t: Translator) -> Iterator[str]:
    for stack in table.stacks:
        cards = "  ".join(f"{card.label:>3}" for card in stack.cards)
        heads = ""
        if stack.heads is not None:
            several = say("{heads} heads", heads=t.number(stack.heads))
            heads = t.say(say("1 head") if stack.heads == 1 else several)
        name = "" if stack.covered else stack.name  # else it is called by its last card
        yield "   ".join(part for part in (name, cards, heads, stack.fits.says) if part)
    if table.top is not None:
        yield _sign(table.top)
        higher = ", ".join(map(_sign, table.beats))
        if higher:
            yield f"{t.say(say('Higher are'))}: {higher}"
    asked = [ask.says.says for ask in table.asks]
    for one in (table.hint, *table.facts):
        if one.says and one.says not in asked:
            yield one.says


def _reasons(table: TableSnapshot, t: Translator) -> Iterator[str]:
    for line in table.lines:
        told = f"{line.label} {t.in_a_sentence(line.outcome.says)}".strip()  # some are about no card
        yield f"{told}: {line.because.says.says}"


def _standings(table: TableSnapshot, t: Translator) -> Iterator[str]:
    names = [one.name for one in table.players]
    for one in places(table, names, (), t, ranked=bool(table.deals)):
        rank = f"{one['rank']}. " if one["rank"] else ""
        deal = f"  ({one['points']})" if one["points"] else ""
        yield f"{rank}{one['name']}: {one['total']}{deal}"


def _sign(sign: PublicSign) -> str:
    return " ".join(part for part in (sign.symbol, sign.word.says) if part)
