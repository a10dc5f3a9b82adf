from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from dormie_client.follow import Copy, Unchanged, follow
from dormie_protocol.messages import Seen
from tests.clients.fake_server import sight

VERSIONS = st.integers(0, 6)


@st.composite
def sights(draw: st.DrawFn) -> Seen:
    after, steps = draw(VERSIONS), draw(VERSIONS)
    seen = sight(after, after + steps, rolled_back=draw(st.booleans()))
    return seen if draw(st.booleans()) else seen.model_copy(update={"view": None})


@given(st.lists(sights(), max_size=30))
def test_a_copy_only_ever_moves_on(seens: list[Seen]) -> None:
    copy = Copy()
    for seen in seens:
        after = follow(copy, seen)
        if isinstance(after, Unchanged):
            continue
        assert seen.version == after.version
        assert after.version >= copy.version or seen.rolled_back
        assert copy.version in (0, seen.after, seen.version) or seen.rolled_back
        assert () == after.moves or after.shown == after.version, "nobody acts on what was"
        copy = after


@given(sights())
def test_nothing_is_told_twice(seen: Seen) -> None:
    copy = replace(Copy(), version=seen.after, chain=f"{seen.after:04x}", shown=seen.after)
    once = follow(copy, seen)
    if isinstance(once, Unchanged) or seen.rolled_back or seen.after == seen.version:
        return

    assert seen.version == 0 or follow(once, seen) is Unchanged.OLD
