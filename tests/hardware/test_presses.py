"""What becomes of the edges of a key, of a knob and of a wire that floats."""

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware.gpio.wires import Knob, Limits, NoiseGuard, PressDetector, Timing, WireState
from hardware.ports import Key, KeyPressed, KeyReleased, Message, Press

MS = 1_000_000
SHORT, LONG, DOUBLE = Press.SHORT, Press.LONG, Press.DOUBLE


def played(
    edges_ms: list[float], timing: Timing | None = None, until_ms: float = 10_000
) -> list[KeyPressed | KeyReleased]:
    """What the edges at these times give, the first one closing the contact, every next one changing it."""
    gestures = PressDetector(Key.OK, timing or Timing())
    given: list[Message] = []
    for number, at_ms in enumerate(edges_ms):
        given += gestures.edge(down=number % 2 == 0, at_ns=round(at_ms * MS))
    given += gestures.until(round(until_ms * MS))
    told = [one for one in given if isinstance(one, KeyPressed | KeyReleased) and one.key is Key.OK]
    assert told == given
    return told


def presses(edges_ms: list[float], timing: Timing | None = None) -> list[tuple[Press, float]]:
    return [
        (given.press, round(1000 * given.at_s))
        for given in played(edges_ms, timing)
        if isinstance(given, KeyPressed)
    ]


TWICE = Timing(doubles=True)
OWN = Timing(at_once=True)


@pytest.mark.parametrize(
    ("edges_ms", "let_go_ms"),
    [
        ([100, 2000], [2000]),
        ([100, 2000, 2001, 2002], [2000]),  # with a bounce
        ([100, 200], []),  # a short press ends when it is told
        ([100, 2000, 3000, 3100], [2000]),
        ([100, 2000, 3000, 5000], [2000, 5000]),
        ([100], []),
    ],
)
def test_the_end_of_a_long_press_is_told_once(edges_ms: list[float], let_go_ms: list[float]) -> None:
    told = [round(1000 * one.at_s) for one in played(edges_ms) if isinstance(one, KeyReleased)]
    assert told == let_go_ms


@pytest.mark.parametrize(
    ("edges_ms", "timing", "expected"),
    [
        # a short one acts on release
        ([100, 200], None, [(SHORT, 200)]),
        ([100, 200, 300, 400], None, [(SHORT, 200), (SHORT, 400)]),
        # a long one acts while it is held, once
        ([100, 2000], None, [(LONG, 900)]),
        ([100, 899], None, [(SHORT, 899)]),
        ([100], None, [(LONG, 900)]),
        # shorter than the lock-out and still not lost
        ([100, 112], None, [(SHORT, 112)]),
        # a spark is no finger
        ([100, 100.01], None, []),
        ([100, 100.01, 500, 500.01, 900, 1000], None, [(SHORT, 1000)]),
        # a bad contact that opens for a moment acts once
        ([100, 300, 310, 500], None, [(SHORT, 300)]),
        ([100, 300, 310, 3000], None, [(SHORT, 300)]),
        # double presses, where they are asked for
        ([100, 200, 300, 400], TWICE, [(DOUBLE, 400)]),
        ([100, 200], TWICE, [(SHORT, 200)]),
        ([100, 200, 600, 700], TWICE, [(SHORT, 200), (SHORT, 700)]),
        ([100, 200, 300, 400, 500, 600], TWICE, [(DOUBLE, 400), (SHORT, 600)]),
        ([100, 200, 300, 2000], TWICE, [(SHORT, 200), (LONG, 1100)]),
        ([100, 2000], TWICE, [(LONG, 900)]),
        # a key that acts at once: with the time it was pressed, once, and never for a spark
        ([100, 200], OWN, [(SHORT, 100)]),
        ([100, 3000], OWN, [(SHORT, 100)]),
        ([100, 101, 102, 103, 104, 200], OWN, [(SHORT, 100)]),
        ([100, 100.01], OWN, []),
        ([100, 112], OWN, [(SHORT, 100)]),
    ],
)
def test_edges_become_the_presses_a_finger_meant(
    edges_ms: list[float], timing: Timing | None, expected: list[tuple[Press, float]]
) -> None:
    assert presses(edges_ms, timing) == expected


GAPS_MS = st.lists(st.floats(0.001, 3000.0), max_size=40)


@given(gaps_ms=GAPS_MS, doubles=st.booleans())
def test_whatever_the_contact_does_a_press_is_one_and_a_long_one_has_one_end(
    gaps_ms: list[float], doubles: bool
) -> None:
    edges_ms = list(accumulate(gaps_ms))
    told = played(edges_ms, Timing(doubles=doubles), until_ms=sum(gaps_ms) + 10_000)
    pressed = [one for one in told if isinstance(one, KeyPressed)]
    assert len(pressed) <= (len(edges_ms) + 1) // 2
    assert [one.at_s for one in told] == sorted(one.at_s for one in told)
    assert doubles or not any(one.press is DOUBLE for one in pressed)
    held = [isinstance(one, KeyPressed) for one in told if isinstance(one, KeyReleased) or one.press is LONG]
    assert held == [number % 2 == 0 for number in range(len(held))]  # each long press has one end


@given(
    taps=st.lists(st.tuples(st.integers(40, 700), st.integers(60, 3000)), max_size=10),
    bounce=st.lists(st.integers(1, 8), min_size=0, max_size=3),
)
def test_every_tap_of_a_finger_is_one_press_however_the_key_bounces(
    taps: list[tuple[int, int]], bounce: list[int]
) -> None:
    edges_ms: list[float] = []
    expected, now = [], 0.0
    for held_ms, apart_ms in taps:
        for turn in (now, now + held_ms):
            edges_ms.append(turn)
            at = turn
            for gap in bounce:  # an even number of edges more: it ends where the finger put it
                edges_ms += [at + gap / 2, at + gap]
                at += gap
        expected.append((SHORT, now + held_ms))
        now += held_ms + apart_ms
    assert presses(edges_ms) == expected


def test_a_floating_wire_is_switched_off_and_comes_back_when_it_is_quiet() -> None:
    guard = NoiseGuard(Limits(edges=100, window_s=1.0, rest_s=5.0))
    for number in range(99):
        assert guard.edge(number * MS) is WireState.USED
    assert guard.edge(100 * MS) is WireState.OFF
    assert guard.until(5000 * MS) is WireState.OFF
    assert guard.until(5100 * MS) is WireState.ON_TRIAL
    for number in range(11):
        guard.edge((5200 + number) * MS)
    assert guard.state is WireState.OFF  # still noisy
    assert guard.until(10_300 * MS) is WireState.ON_TRIAL
    assert guard.until(11_301 * MS) is WireState.USED
    assert guard.due_ns is None


def test_hammering_on_a_bad_key_is_not_noise() -> None:
    guard = NoiseGuard()
    for press in range(80):  # eight a second for ten seconds, four edges on either side
        for edge in range(8):
            assert guard.edge((press * 125 + edge * 2) * MS) is WireState.USED


CLOCKWISE = [(True, False), (True, True), (False, True), (False, False)]


def turned(knob: Knob, way: list[tuple[bool, bool]]) -> int:
    """How many detents a knob reports clockwise, less those back, whose contacts A and B close like this."""
    told: list[Message] = []
    for levels in way:
        for contact, down in zip((knob.a, knob.b), levels, strict=True):
            if contact.contact != down:
                told += contact.edge(down=down, at_ns=0)
    keys = [one.key for one in told if isinstance(one, KeyPressed)]
    return keys.count(Key.TURN_RIGHT) - keys.count(Key.TURN_LEFT)


@pytest.mark.parametrize(("steps", "detents"), [(4, 1), (2, 2), (1, 4)])
def test_a_knob_gives_its_detents_in_both_directions(steps: int, detents: int) -> None:
    knob = Knob(steps)
    assert turned(knob, CLOCKWISE) == detents
    assert turned(knob, [*CLOCKWISE[-2::-1], (False, False)]) == -detents


@given(wobbles=st.lists(st.integers(0, 3), min_size=4, max_size=4))
def test_a_bouncing_contact_of_a_knob_does_not_turn_it(wobbles: list[int]) -> None:
    way, before = [], (False, False)
    for place, times in zip(CLOCKWISE, wobbles, strict=True):
        way += [place, before] * times + [place]
        before = place
    assert turned(Knob(), way) == 1


def test_a_knob_that_is_turned_half_way_and_back_gives_nothing() -> None:
    assert turned(Knob(), [(True, False), (True, True), (True, False), (False, False)]) == 0
