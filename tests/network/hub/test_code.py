"""The code of the director: many wrong ones are a pause, and no other code."""

from network.hub.director import MOST_WRONG, PAUSE_S, PairingCode


def test_who_was_wrong_waits_while_many_are_and_nobody_else() -> None:
    shown, now_s = list[str](), [0.0]
    code = PairingCode(shown.append, lambda: now_s[0])
    for number in range(MOST_WRONG):
        assert not code.waits(f"guest {number}")
        assert not code.take("wrong", f"guest {number}")
    assert code.waits("guest 0")
    assert not code.waits("director")
    now_s[0] = PAUSE_S
    assert not code.waits("guest 0")
    assert code.take(shown[0], "director")
    assert len(shown) == 2
