"""The reasons of a step as a program reads them."""

from companion.match.match import Step


def told(step: Step) -> tuple[tuple[str, str], ...]:
    """The reasons of a step, each with its rule key and its English sentence."""
    return tuple((rule, str(says)) for rule, says in step.because)
