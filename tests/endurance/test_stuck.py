"""Those who do not listen, at a real house: `python -m bench stuck` measures what they cost the others."""

from bench.endurance.figures import Row, percentile, report, slope
from bench.stuck import Asked, end_with_stuck, floods, one_among_many
from tests.nasty import CASES


async def test_scenario_F5_whoever_does_not_read_is_cut_and_all_the_others_see_every_move() -> None:
    """Nasty case L02, at a real table; how late the others are told is for the bench."""
    moves, watchers = 100, 9
    result = await one_among_many(Asked(rounds=1, moves=moves, watchers=watchers, pace=0))
    (cut_after,) = result.cut_after

    assert 0 < cut_after <= CASES["L02"]["expected"]["stuck_peer_dropped_within_s"]
    for stuck in (False, True):
        assert [moves * watchers] == [len(times) for times in result.times[stuck]]


async def test_nasty_F28_a_real_house_cuts_who_pings_and_never_reads() -> None:
    (flood,) = await floods(1)

    assert flood.seconds <= CASES["F28"]["expected"]["server_abort_within_s"]
    assert flood.growth <= CASES["F28"]["expected"]["rss_growth_max_kib"]


async def test_nasty_C13_a_real_house_ends_in_time_though_fifty_do_not_read() -> None:
    clients = CASES["C13"]["input"]["stuck"]
    end = await end_with_stuck(clients)

    assert (clients, 0) == (end.stuck, end.status)
    assert end.seconds <= CASES["C13"]["expected"]["exit_within_s"]


def test_figures_are_what_they_are_called() -> None:
    assert 99 == percentile(range(1, 101), 0.99)
    assert 2.0 == slope([(0, 5), (1, 7), (2, 9)])
    assert "too much" in report([Row("cut after", 3.0, "s", 1)])
    assert "too much" not in report([Row("cut after", 0.5, "s", 1), Row("seen", 7, "")])
