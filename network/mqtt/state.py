"""The state of a table, as it is published: what its socket tells, without names unless they may be told.

Sentences are made again from their templates: those that the socket has contain names.
"""

from collections.abc import Mapping
from typing import Any

from companion.core.ask import Wait
from companion.protocol.snapshot import PublicAsk, Standing, TableSnapshot
from companion.text.codec import encode_text
from companion.text.sentence import COMMA, EMOJI
from firmware.extensions import broker
from firmware.table_socket.as_text import knows_missing, name_of, places, waited_for
from firmware.table_socket.messages import Snapshot
from firmware.text.translation import Translator
from network.mqtt.payloads import BoxProblem, MatchPlayer, MatchStack, MatchState


def match_of(table: TableSnapshot, uid: str, t: Translator, *, names: bool) -> MatchState:
    """The match in play, whose identity is `uid`; without `names` players are called by their badges."""
    players = tuple(
        MatchPlayer(each.seat, each.badge, each.name if names else None, each.plays) for each in table.players
    )
    called = [name_of(player, t) for player in players]
    t = t.calling(called)
    return MatchState(
        **{name: getattr(table, name) for name in Standing.__struct_fields__},
        uid=uid,
        number=table.match or 0,
        players=players,
        waits_for=tuple(sorted({seat for ask in table.asks for seat in ask.seats})),
        waiting=t.line([_awaited(ask, table, t) for ask in table.asks]).translate(EMOJI),
        asks=tuple([encode_text(ask.says.as_text) for ask in table.asks]),
        stacks=tuple(
            MatchStack(at.name, tuple(card.label.translate(EMOJI) for card in at.cards), at.heads, at.covered)
            for at in table.stacks
        ),
        standing=t.line(map(_place, places(table, list(map(t.isolated, called)), (), t))),
    )


def _awaited(ask: PublicAsk, table: TableSnapshot, t: Translator) -> str:
    """Whom a question waits for, or how many cards are there where that is not known; else what it asks."""
    if ask.wait is Wait.ALL and ask.need and not knows_missing(ask):
        return t("Everybody plays a card: {have} of {need} so far", have=len(ask.have), need=ask.need)
    if seats := waited_for(table.players, ask.seats):
        return t.say(COMMA).join([t.name(seat) or "" for seat in seats])
    return t.say(ask.says.as_text)


def _place(line: Mapping[str, Any]) -> str:
    return " ".join(filter(None, (line["rank"] and f"{line['rank']}.", line["name"], line["total"])))


def health_of(snapshot: Snapshot) -> tuple[BoxProblem, ...]:
    """What is wrong with the box; what the broker refuses is among the faults already."""
    return tuple(
        BoxProblem(issue.id, issue.part, issue.severity.value, issue.says.says)
        for issue in snapshot.health
        if issue.id != broker.DEVICE
    )
