"""Figures: counted cheaply, shown from the start, and nobody else's."""

from dormie_protocol.words import REFUSALS
from dormie_server.metrics import CUTS, Metrics


def test_what_may_happen_is_shown_before_it_does() -> None:
    """Whoever watches a rate misses the first of what appears from nowhere."""
    text = Metrics(REFUSALS).render().decode()

    assert [] == [
        word for word in REFUSALS if f'dormie_refusals_total{{word="{word}"}} 0' not in text
    ]
    assert [] == [cut for cut in CUTS if f'dormie_cuts_total{{reason="{cut}"}} 0' not in text]
    assert 'dormie_tables{phase="lobby"} 0.0' in text


def test_everything_is_counted() -> None:
    metrics = Metrics()
    metrics.connections.inc(3)
    metrics.moves.inc()
    metrics.events.inc(5)
    metrics.frames_out.inc(20)
    metrics.conflicts.inc()
    metrics.commit_seconds.observe(0.003)
    metrics.late_seconds.observe(0.3)
    metrics.refused("stale")
    metrics.cut("overflow")
    metrics.cut("a new reason")
    lines = metrics.render().decode().splitlines()

    for line in (
        "dormie_connections 3.0",
        "dormie_store_answers 1.0",
        "dormie_moves_total 1.0",
        "dormie_events_total 5.0",
        "dormie_frames_out_total 20.0",
        "dormie_conflicts_total 1.0",
        'dormie_commit_seconds_bucket{le="0.005"} 1.0',
        'dormie_commit_seconds_bucket{le="0.002"} 0.0',
        'dormie_deadline_late_seconds_bucket{le="0.5"} 1.0',
        'dormie_refusals_total{word="stale"} 1.0',
        'dormie_cuts_total{reason="overflow"} 1.0',
        'dormie_cuts_total{reason="a new reason"} 1.0',
    ):
        assert line in lines


def test_a_phase_without_tables_goes_back_to_none() -> None:
    metrics = Metrics(phases=("lobby", "playing"))
    metrics.tables({"lobby": 2, "playing": 1})
    metrics.tables({"playing": 3})
    lines = metrics.render().decode().splitlines()

    assert 'dormie_tables{phase="lobby"} 0.0' in lines
    assert 'dormie_tables{phase="playing"} 3.0' in lines


def test_two_servers_in_one_process_count_for_themselves() -> None:
    one, other = Metrics(), Metrics()
    one.moves.inc()

    assert b"dormie_moves_total 1.0" in one.render()
    assert b"dormie_moves_total 0.0" in other.render()
