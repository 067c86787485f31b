"""Plays a match at random with `nimmt referee`: python3 random_player.py GAME [SEATS [SEED]].

It plays for everybody, and it knows no game: it asks which commands are legal and sends
one of them, until the match is over. NIMMT_REFEREE may name another command that starts the referee.
"""

import json
import os
import random
import shlex
import subprocess
import sys
from typing import Any

PROTOCOL = 1
WILL = 0.95  # how often the first question is answered; players who draw or take too often never finish


class Referee:
    """The referee at the other end of two pipes."""

    def __init__(self) -> None:
        command = shlex.split(os.environ.get("NIMMT_REFEREE", "nimmt referee"))
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self._process: Any = process

    def ask(self, **request: object) -> dict[str, Any]:
        """Send a request as one line; the answer is one line as well."""
        self._process.stdin.write(json.dumps(request) + "\n")
        self._process.stdin.flush()
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        if not answer["ok"]:
            sys.exit(f"{answer['fault']}: {answer['fix']}")
        return answer

    def close(self) -> None:
        """The end of the input ends the referee."""
        self._process.stdin.close()
        self._process.wait()


def play(referee: Referee, game: str, seats: int, chance: random.Random) -> dict[str, Any]:
    """A match from the first card to the winners. Gives the last state."""
    answer = referee.ask(new=game, seats=seats, names=[f"Bot {seat + 1}" for seat in range(seats)])
    while answer["asks"]:
        legal = referee.ask(legal=True)["legal"]
        if chance.random() < WILL:
            legal = [command for command in legal if command["kind"] == legal[0]["kind"]]
        answer = referee.ask(do=chance.choice(legal))
        for reason in answer["because"]:
            print(f"{reason['says']} [{reason['rule']}]")
    state: dict[str, Any] = answer["state"]
    return state


def main(game: str, seats: str = "", seed: str = "1") -> None:
    """Play, and say who has won."""
    referee = Referee()
    hello = referee.ask(hello=True)
    if hello["protocol"] != PROTOCOL:
        sys.exit(f"this program knows version {PROTOCOL} of the protocol, not {hello['protocol']}")
    games = {one["game"]: one["seats"] for one in hello["games"]}
    if game not in games:
        sys.exit(f"there is no game {game}; use one of: {', '.join(games)}")
    state = play(referee, game, int(seats or games[game][0]), random.Random(seed))
    referee.close()
    totals = ", ".join(f"{name} {total}" for name, total in zip(state["names"], state["totals"], strict=True))
    winners = " and ".join(state["names"][seat] for seat in state["winners"])
    print(f"after {state['deal']} deals: {totals}")
    print(f"won by {winners}")


if __name__ == "__main__":
    main(*sys.argv[1:])
