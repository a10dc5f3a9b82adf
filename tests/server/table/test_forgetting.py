"""A player is forgotten at a table, whatever is going on there."""

from contextlib import suppress

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dormie_protocol.table_view import Chatter
from dormie_rules.values import replace
from dormie_server.documents import Kept
from dormie_server.pen import write_table
from dormie_server.table.commands import Forget
from dormie_server.table.permissions import may_talk
from dormie_server.table.refusal import No
from dormie_server.table.state import Table
from tests.evening import HOST, Evening
from tests.server.table.test_evenings import PEOPLE, act, check


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.data_too_large])
@given(draw=st.data(), size=st.integers(2, 4))
def test_nasty_S17_a_table_knows_nobody_who_was_forgotten(draw: st.DataObject, size: int) -> None:
    evening = Evening("six_card", {}, size=size)
    names = set[str]()
    player = draw.draw(st.sampled_from(PEOPLE))
    for _ in range(draw.draw(st.integers(0, 60))):
        if evening.phase == "closed":
            break
        with suppress(No):
            act(evening, draw)
        table = evening.table
        names |= {
            seat.name
            for seat, who in zip(table.public.seats, table.secret.sitters, strict=True)
            if seat and who and who.player == player
        }
    change = evening.do(Forget(player, tuple(names)))
    kept = write_table(Kept(evening.table)).decode()

    assert f'"{player}"' not in kept
    assert [] == [name for name in names if f'"{name}"' in kept]
    assert [] == [name for name in names if any(name in repr(e) for e in change.events)]
    if evening.phase != "closed":
        check(evening)
    assert evening.do(Forget(player, tuple(names))).version == evening.table.version


def test_whoever_is_forgotten_in_mid_match_leaves_a_seat_behind() -> None:
    evening = Evening(options={"holes": 1}, size=2)
    evening.begin("p-bob")
    evening.do(Forget("p-bob", ()))

    assert ["Ada", "Somebody"] == [seat.name for seat in evening.table.public.seats if seat]


def test_somebody_who_was_never_here_is_forgotten_without_a_change() -> None:
    evening = Evening(size=2)
    before = evening.table
    evening.do(Forget("p-eve", ("Ada",)))

    assert evening.table is before


def word(table: Table, player: str, *, quick: bool) -> str:
    try:
        may_talk(table, player, quick=quick)
    except No as no:
        return no.why
    return "done"


@pytest.mark.parametrize(
    ("chat", "said"),
    [
        ("on", ("done", "done")),
        ("emotes", ("emotes_only", "done")),
        ("off", ("chat_off", "chat_off")),
    ],
)
def test_scenario_C8_only_those_who_sit_speak_and_only_as_the_table_allows(
    chat: Chatter, said: tuple[str, str]
) -> None:
    evening = Evening(size=2)
    table = replace(evening.table, about=replace(evening.table.about, chat=chat))

    assert said == tuple(word(table, HOST, quick=quick) for quick in (False, True))
    assert {"not_seated"} == {word(table, "p-eve", quick=quick) for quick in (False, True)}
