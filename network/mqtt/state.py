"""The state of a table, as it is published: what its socket tells, without names unless they may be told.

Sentences are made again from their templates: those that the socket has contain names.
"""

from companion.protocol.snapshot import PublicCard, Standing, TableSnapshot
from companion.text.codec import encode_text
from companion.text.sentence import COMMA, EMOJI
from firmware.extensions import broker
from firmware.table_socket.as_text import name_of
from firmware.table_socket.messages import Snapshot
from firmware.text.translation import Translator, translator
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
        waiting=" · ".join(filter(None, (t.say(ask.says.as_text) for ask in table.asks))).translate(EMOJI),
        asks=tuple([encode_text(ask.says.as_text) for ask in table.asks]),
        stacks=tuple(
            MatchStack(stack.name, tuple(map(_label, stack.cards)), stack.heads, stack.covered)
            for stack in table.stacks
        ),
        standing=" · ".join(
            f"{t.number(place.rank)}. {t.say(COMMA).join(called[seat] for seat in place.seats)} "
            f"{t.number(place.total)}"
            for place in table.places
        ),
    )


def _label(card: PublicCard) -> str:
    return card.label.translate(EMOJI)


def health_of(snapshot: Snapshot) -> tuple[BoxProblem, ...]:
    """What is wrong with the box; what the broker refuses is among the faults already."""
    t = translator(snapshot.language, snapshot.digits)
    return tuple(
        BoxProblem(issue.id, issue.part, issue.severity.value, t.say(issue.says.as_text))
        for issue in snapshot.health
        if issue.id != broker.DEVICE
    )
