"""The draw of a round: from the state of a tournament to its seats."""

from msgspec.structs import replace

from companion.text.sentence import say
from companion.tournament import acts
from companion.tournament.course import ActRefused, Tournament, next_round
from companion.tournament.seating import FEWEST, Before, seat
from companion.tournament.standing import standing


def draw(tournament: Tournament) -> acts.Drawn:
    """The seats of the next round, or again those of a round without results. Raises `ActRefused`."""
    rules = tournament.rules
    number = next_round(tournament)
    before = tournament.before(number)
    badges = [player.badge for player in tournament.playing]
    if len(badges) < FEWEST:
        raise ActRefused(say("{players} players are too few", players=len(badges)), say("3 are needed"))
    closed = replace(tournament, rounds=tournament.rounds[: number - 1])
    order = [row.badge for row in standing(closed) if row.badge in badges]
    if number > rules.rounds:
        if not rules.final:
            raise ActRefused(say("all rounds are played"), say("end the tournament"))
        finalists = order[: rules.final]
        return acts.Drawn(number, seat(finalists, Before(), rules.seed, number), final=True)
    if rules.pairing == acts.SWISS and number > 1:
        before = replace(before, score={row.badge: row.points for row in standing(closed)})
        return acts.Drawn(number, seat(order, before, rules.seed, number, rules.largest))
    return acts.Drawn(number, seat(badges, before, rules.seed, number, rules.largest))
