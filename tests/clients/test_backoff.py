from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from dormie_client.backoff import FIRST, MOST, Allowance, delay

LUCK = st.floats(0.0, 1.0)


@given(st.integers(0, 10_000), LUCK)
def test_a_wait_lies_between_nothing_and_its_ceiling(tries: int, luck: float) -> None:
    assert 0.0 <= delay(tries, luck) <= delay(tries, luck=1.0) <= MOST


def test_a_ceiling_never_sinks_and_is_never_passed() -> None:
    ceilings = [delay(tries, luck=1.0) for tries in range(2000)]

    assert FIRST == ceilings[0]
    assert all(one <= other for one, other in pairwise(ceilings))
    assert MOST == ceilings[-1]


@given(LUCK, st.floats(allow_nan=True, allow_infinity=True))
def test_whatever_a_server_asks_for_a_wait_is_a_number_with_an_end(
    luck: float, asked: float
) -> None:
    assert 0.0 <= delay(0, luck, asked=asked) <= 601.5


@given(LUCK)
def test_whoever_overdid_it_waits_longer(luck: float) -> None:
    assert MOST / 2 <= delay(0, luck, slow=True) <= MOST


@given(st.lists(st.floats(0.0, 0.5), min_size=1, max_size=200))
def test_no_server_that_counts_as_ours_does_ever_complains(pauses: list[float]) -> None:
    """A bucket of 40 that gets 20 a second, as a server has by default."""
    allowance, now, left, before = Allowance(16.0, 32), 0.0, 40.0, 0.0
    for pause in pauses:
        left = min(40.0, left + (now - before) * 20.0) - 1.0
        before = now
        assert left >= 0.0
        now += max(pause, allowance.spend(now))


def test_a_line_that_was_quiet_may_say_much_at_once() -> None:
    allowance = Allowance(16.0, 32)

    assert [0.0] * 31 == [allowance.spend(0.0) for _ in range(31)]
    assert allowance.spend(0.0) > 0.0
    assert [0.0] * 31 == [allowance.spend(60.0) for _ in range(31)]
