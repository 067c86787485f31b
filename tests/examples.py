"""How many examples a law is tried on: the same ones in every run, or many new ones for who looks for more.

`NIMMT_EXAMPLES=20` tries twenty times as many, and others each time; `NIMMT_EXAMPLES=0.2` a fifth.
"""

import os
from typing import Final

os.environ["HYPOTHESIS_NO_PLUGINS"] = "1"  # one of them would import trio into every process

from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

TIMES: Final = float(os.environ.get("NIMMT_EXAMPLES", "1"))
_USUAL: Final = 40


def examples(count: int) -> settings:
    """The settings of a law that is usually tried on so many examples."""
    return settings(max_examples=max(1, round(count * TIMES)))


def choose_profile() -> None:
    """What holds for every law.

    Nobody waits for a fast machine, and no run is red or green by luck: the same code is tried on the same
    examples. Who asks for more gets examples that nobody has seen.
    """
    settings.register_profile(
        "default",
        max_examples=max(1, round(_USUAL * TIMES)),
        deadline=None,  # how fast the product is, is measured by `make bench`
        suppress_health_check=[HealthCheck.too_slow],
        derandomize=TIMES <= 1,
        database=None,
        print_blob=True,
    )
    settings.load_profile("default")
    if TIMES <= 1:
        # Hypothesis also tries constants of our code, from the modules that happen to be loaded by then. So a
        # law would get other examples in another process, or beside other tests.
        internals = vars(providers)
        internals["_get_local_constants"] = lambda: internals["_local_constants"]  # which are none
