"""What holds at every table under every clock, whatever its people do and whenever somebody rings."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dormie_protocol.clocks import Clock
from dormie_server.table.clock import next_alarm
from dormie_server.table.commands import (
    Agree,
    Attach,
    Detach,
    Leave,
    OthersGone,
    Pause,
    Ready,
    Request,
    Resume,
    Vote,
    Wake,
)
from dormie_server.table.refusal import No
from dormie_server.table.state import Policy
from tests.evening import HOST, Evening
from tests.server.table.clocked import BOB, CLEO, PEOPLE, standing

RULES = ("default", "bot", "vote", "withdraw", "wait")
CHOICES = ("wait", "wait", "bot", "withdraw", "end")
CLOCKS = st.builds(
    Clock,
    turn_seconds=st.sampled_from([5.0, 60.0, 86400.0]),
    game_seconds=st.sampled_from([None, 0.0, 45.0]),
    away_seconds=st.sampled_from([0.0, 3.0, 120.0]),
    pauses=st.integers(0, 3),
    pause_seconds=st.sampled_from([0.0, 90.0, 900.0]),
    when_out=st.sampled_from(RULES),
    bot=st.sampled_from(["random", "easy"]),
    vote_seconds=st.just(30.0),
    wait_seconds=st.sampled_from([20.0, 1800.0]),
)
REQUESTS: tuple[Request, ...] = (
    *(Pause(), Pause(30), Resume(), Agree(), Agree(), Agree(yes=False), Ready(), Ready()),
)


def act(evening: Evening, draw: st.DataObject) -> None:
    """Anything somebody may do, in or out of time."""
    player = draw.draw(st.sampled_from(PEOPLE))
    match draw.draw(st.sampled_from("mmmmmmmmddaaarrrvvttnnwwwwol")):
        case "m":
            seats = [s for s in evening.waiting() if _player(evening, s)]
            if seats:
                seat = draw.draw(st.sampled_from(seats))
                evening.play(seat, draw.draw(st.sampled_from(list(evening.moves(seat)))))
        case "d":
            sitter = evening.table.secret.sitters[evening.where(player)]
            evening.do(Detach(player, sitter.generation if sitter else 0))
        case "a":
            evening.do(Attach(player, "server-1"))
        case "r":
            evening.ask(player, draw.draw(st.sampled_from(REQUESTS)))
        case "v":
            evening.ask(player, Vote(draw.draw(st.sampled_from(CHOICES))))
        case "t":
            evening.now += draw.draw(st.sampled_from([0.1, 4.0, 31.0]))
            evening.ring()
        case "n":  # whoever should ring is later than somebody who comes
            evening.now += draw.draw(st.sampled_from([1.0, 70.0, 400.0]))
            evening.do(Attach(player, "server-1"))
        case "o":
            evening.do(OthersGone("server-2"))
        case "l" if draw.draw(st.integers(0, 3)) == 0:
            evening.ask(player, Leave())
        case _:
            evening.sleep()


def _player(evening: Evening, seat: int) -> str | None:
    sitter = evening.table.secret.sitters[seat]
    return sitter.player if sitter else None


def check(evening: Evening) -> None:
    """What holds, and that whoever wakes the table at its alarm gets it on."""
    public, secret = evening.table.public, evening.table.secret
    if secret.alarm is None:
        assert "closed" == public.phase
        return
    clocks, clock = standing(evening), evening.table.about.clock
    sizes = {len(clocks.bank), len(clocks.away), len(clocks.sits_in), len(public.seats)}
    assert 1 == len(sizes)
    assert all(0 <= bank <= (clock.game_seconds or 0.0) for bank in clocks.bank)
    assert all(0 <= away <= clock.away_seconds for away in clocks.away)
    assert 0 <= clocks.pauses <= clock.pauses
    assert 0 <= clocks.pause_seconds <= clock.pause_seconds
    assert (clocks.pause is not None) == (clocks.runs == "pause")
    assert (clocks.left is not None) == (clocks.runs == "away")
    if public.phase not in ("playing", "between"):
        assert public.clocks is None
    _wakes(evening)


def _wakes(evening: Evening) -> None:
    """Before the alarm nothing is done, however often it rings; at the alarm something is."""
    table, now = evening.table, evening.now
    alarm = table.secret.alarm
    assert alarm is not None
    assert alarm <= (next_alarm(table, now) or 0.0), "the alarm that is kept is never too late"
    if now < alarm:
        assert evening.do(Wake()).table is table
    evening.now = max(now, alarm)
    command = evening.due()
    evening.do(command)
    assert evening.table.state != table.state, f"{command} at the alarm does nothing"


@settings(
    max_examples=150,
    deadline=None,
    suppress_health_check=[HealthCheck.data_too_large, HealthCheck.too_slow],
)
@given(draw=st.data(), clock=CLOCKS, bots=st.integers(0, 1), pace=st.sampled_from([0.0, 1.0]))
def test_scenario_D2_under_every_clock_some_deadline_is_set_and_waking_at_it_gets_on(
    draw: st.DataObject, clock: Clock, bots: int, pace: float
) -> None:
    evening = Evening(size=3 + bots, bots=("random",) * bots, clock=clock, policy=Policy(pace=pace))
    evening.begin(BOB, CLEO)
    for _ in range(draw.draw(st.integers(5, 60))):
        before = evening.table
        if before.secret.alarm is None:
            break
        try:
            act(evening, draw)
        except (No, AssertionError) as no:
            assert isinstance(no, No) or "has a seat" in str(no)
            assert evening.table is before or isinstance(no, AssertionError)
        check(evening)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("voice", ["wait", None])
def test_scenario_D9_an_evening_of_sleepers_ends_under_every_policy(
    rule: str, voice: str | None
) -> None:
    """Two of the three sleep through everything; the third plays, and votes for more of it."""
    clock = Clock(60.0, game_seconds=90.0, when_out=rule, bot="easy")  # type: ignore[arg-type]  # it is one
    evening = Evening(options={"holes": 2, "max_laps": 6}, size=3, clock=clock)
    evening.begin(BOB, CLEO)
    for _ in range(5000):
        if evening.phase in ("over", "closed"):
            break
        _one_plays(evening, voice)

    assert evening.phase in ("over", "closed")


def _one_plays(evening: Evening, voice: str | None) -> None:
    """The one who is awake moves, or votes once; else time passes."""
    seat, votes = evening.where(HOST), standing(evening).votes
    if votes is not None and votes[seat] is None and voice is not None:
        evening.ask(HOST, Vote("wait"))
    elif seat in evening.waiting():
        evening.play(seat, evening.moves(seat)[-1])
        evening.ring()
    else:
        evening.sleep()
