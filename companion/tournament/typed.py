"""What a director types, looked at before it is an act: names, titles and totals that cannot be meant."""

import unicodedata

from companion.core import games
from companion.text.errors import quoted
from companion.text.sentence import can_be_seen, say
from companion.tournament import acts, deals
from companion.tournament.course import ActRefused, Tournament


def check(state: Tournament | None, act: acts.Act) -> None:
    """Refuse an act that cannot be meant, in the tournament that is held. Raises `ActRefused`."""
    name = getattr(act, "title", getattr(act, "name", ""))
    if not can_be_seen(" ".join(name.split())):
        fault = say("the name {name} cannot be shown", name=quoted(name))
        raise ActRefused(fault, say("give a name that can be shown"))
    if state is not None and isinstance(act, acts.Registered | acts.Renamed):
        for other in state.players:
            if other.badge != act.badge and _key(other.name) == _key(name):
                fault = say("badge {badge} already has the name {name}", badge=other.badge, name=other.name)
                raise ActRefused(fault, say("give the two players different names"))
    if state is not None and isinstance(act, acts.Corrected):
        low, most = _totals_of(state.rules)
        if not all(low <= total <= most for total in act.heads):
            fault = say("in this tournament a total is from {low} to {most}", low=low, most=most)
            raise ActRefused(fault, say("look at the display of the table, then type the totals again"))


def _key(name: str) -> str:
    return unicodedata.normalize("NFKC", " ".join(name.replace("\u200c", "").split())).casefold()


def _totals_of(rules: acts.Opened) -> tuple[int, int]:
    """The lowest and the highest total of a player after a match."""
    worth = [games.module(rules.game).worth(card) for card in games.module(rules.game).DECK]
    low, most = (sum(points for points in worth if (points > 0) is above) for above in (False, True))
    count, target = rules.options["end"].get("deals"), rules.options["end"].get("target", 0)
    return (low * count, most * count) if count else (low * deals.MAX_DEALS, target + most)
