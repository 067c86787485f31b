"""The state of a table, as it is published: what its socket tells, without names unless they may be told.

Sentences are made again from their templates: those that the socket has contain names.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from companion.protocol.snapshot import Standing, TableSnapshot
from companion.text.codec import encode_text
from companion.text.sentence import COMMA, EMOJI
from firmware.extensions import broker
from firmware.history.players import shown_name
from firmware.text.translation import Translator, translator
from network.mqtt.payloads import Match, Player, Problem, Stack

if TYPE_CHECKING:
    from firmware.table_socket.messages import Snapshot


def match_of(table: TableSnapshot, uid: str, t: Translator, *, names: bool) -> Match:
    """The match in play, whose identity is `uid`; without `names` players are called by their badges."""
    called = [shown_name(one.name if names else None, one.badge, one.seat, t) for one in table.players]
    t = t.calling(called)
    return Match(
        **{name: getattr(table, name) for name in Standing.__struct_fields__},
        uid=uid,
        number=table.match or 0,
        players=tuple(
            Player(one.seat, one.badge, one.name if names else None, one.plays) for one in table.players
        ),
        waits_for=tuple(sorted({seat for ask in table.asks for seat in ask.seats})),
        waiting=" · ".join(filter(None, (t.say(ask.says.as_text) for ask in table.asks))).translate(EMOJI),
        asks=tuple([encode_text(ask.says.as_text) for ask in table.asks]),
        stacks=tuple(
            Stack(one.name, tuple(card.label.translate(EMOJI) for card in one.cards), one.heads, one.covered)
            for one in table.stacks
        ),
        standing=" · ".join(
            f"{t.number(one.rank)}. {t.say(COMMA).join(called[seat] for seat in one.seats)} "
            f"{t.number(one.total)}"
            for one in table.places
        ),
    )


def health_of(snapshot: Snapshot) -> tuple[Problem, ...]:
    """What is wrong with the box; what the broker refuses is among the faults already."""
    t = translator(snapshot.language, snapshot.digits)
    return tuple(
        Problem(one.id, one.part, one.severity.value, t.say(one.says.as_text))
        for one in snapshot.health
        if one.id != broker.DEVICE
    )
