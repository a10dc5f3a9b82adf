from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, cast

import pytest

from dormie_client.commands import Unclear
from dormie_client.console import Console
from dormie_client.errors import RefusedError
from dormie_client.here import Here
from dormie_client.play_text import text
from dormie_client.play_wish import Wish
from dormie_client.scene import Screen
from dormie_client.seating import sit_down
from dormie_client.session import Dormie
from dormie_client.show import Show
from dormie_client.typed_lines import Lines
from dormie_protocol.lobby_view import OwnTable
from dormie_protocol.messages import Language
from dormie_protocol.spectators import Spectators
from dormie_protocol.table_view import About, Phase, Seat, TablePublic
from dormie_rules.grid_options import choose
from dormie_rules.variants import find
from tests.clients.screens import Paper

URL = "http://golf.example:8421"
NEW = "NEWTABLE"


@dataclass
class FakeTable:
    code: str
    view: TablePublic
    asked: list[str]
    seat: int | None = 0
    watched: bool = True

    @property
    def about(self) -> About:
        who = Spectators(allowed=self.watched)
        return About(
            self.code,
            "grid",
            "six_card",
            {},
            choose(find("six_card"), {}, seats=2),
            1,
            60.0,
            spectators=who,
        )


@dataclass
class FakeSession:
    """A session at a house with these tables, and what was asked of it."""

    phases: dict[str, Phase | None] = field(default_factory=dict)
    """The tables where the player has a seat; None for one that has just gone."""
    variants: tuple[str, ...] = ("playroom", "six_card")
    bots: tuple[str, ...] = ("easy", "medium", "hard")
    links: tuple[str, ...] = ("http://127.0.0.1:8421/",)
    name: str = "Ada"
    called: str = "Ada"
    """One's name at the tables where one sits."""
    asked: list[str] = field(default_factory=list)
    created: dict[str, Any] = field(default_factory=dict)  # what the table should be like
    watched: bool = True
    """Whether anybody may look on at a new table."""

    @property
    def tables(self) -> tuple[str, ...]:
        return tuple(self.phases)

    async def watch(self, code: str, password: str | None = None) -> FakeTable:
        del password
        self.asked.append(f"watch {code}")
        phase = self.phases.get(code, "playing")
        if phase is None:
            raise RefusedError("no_table", "There is no such table.")
        return FakeTable(code, TablePublic(phase, (Seat(self.called),), None, None), self.asked)

    async def mine(self) -> tuple[OwnTable, ...]:
        return tuple(
            OwnTable(code, "six_card", phase or "playing", 0, False, None, (self.called, None))
            for code, phase in self.phases.items()
        )

    async def join(self, code: str, password: str | None = None) -> FakeTable:
        self.asked.append(" ".join(["join", code, *([password] if password else [])]))
        return FakeTable(code, TablePublic("lobby", (), None, None), self.asked)

    async def create(self, variant: str, **wish: Any) -> FakeTable:
        self.asked.append("create")
        self.created = {"variant": variant, **wish}
        view = TablePublic("lobby", (), None, None)
        return FakeTable(NEW, view, self.asked, watched=self.watched)


async def sit(
    session: FakeSession, wish: Wish, language: Language = "en", typed: Sequence[str] = ()
) -> tuple[str, str]:
    """The code of the table where the player sits then, and what was said."""
    paper, left = Paper(), list(typed)

    async def line() -> str | None:
        return left.pop(0) if left else None

    show = Show(Console(paper, echo=True), Screen(language), URL, local=wish.local)
    table = await sit_down(Here(show, cast("Dormie", session)), wish, Lines(line))
    return table.code, paper.getvalue()


async def test_a_code_leads_to_its_table() -> None:
    session = FakeSession({"ELSEWHER": "playing"})

    assert ("PARTEE23", "") == await sit(session, Wish(code="PARTEE23"))
    assert ["join PARTEE23"] == session.asked


async def test_whoever_only_watches_takes_no_seat() -> None:
    session = FakeSession()
    await sit(session, Wish(code="PARTEE23", watch=True))

    assert ["watch PARTEE23"] == session.asked


async def test_without_a_code_one_comes_back_to_where_one_sat() -> None:
    """The lid was closed, the window was killed: the seat is still there."""
    session = FakeSession({"PARTEE23": "playing"})

    assert ("PARTEE23", "") == await sit(session, Wish())


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        (["2"], "PARTEE24"),
        (["partee23"], "PARTEE23"),
        (["3", "what?", "2"], "PARTEE24"),
        (["new"], NEW),
        (["nouvelle"], NEW),
        ([], "PARTEE23"),
    ],
)
async def test_of_several_tables_one_is_chosen(typed: list[str], code: str) -> None:
    session = FakeSession({"PARTEE23": "between", "PARTEE24": "lobby", "PARTEE25": "over"})
    there, said = await sit(session, Wish(), typed=typed)

    assert code == there
    assert said.startswith(
        "1. PARTEE23: six_card; between two holes; Ada, free\n"
        "2. PARTEE24: six_card; waits for players; Ada, free\n"
        "Several tables are yours: 1-2, new > "
    )
    assert max(0, len(typed) - 1) == said.count("Say one of the numbers, or new.")


async def test_whoever_has_another_name_at_a_table_is_told() -> None:
    session = FakeSession({"PARTEE23": "playing"}, name="Augusta")
    _, said = await sit(session, Wish(name="Augusta"))

    assert "At this table you stay Ada; as Augusta you take a seat at the next one.\n" == said


@pytest.mark.parametrize("wish", [Wish(name="Ada"), Wish()])
async def test_whoever_has_the_same_name_is_told_nothing(wish: Wish) -> None:
    assert "" == (await sit(FakeSession({"PARTEE23": "playing"}), wish))[1]


async def test_an_invitation_says_the_password() -> None:
    session = FakeSession()
    await sit(session, Wish(code="PARTEE23", password="birdie"))

    assert ["join PARTEE23 birdie"] == session.asked


@pytest.mark.parametrize("phase", ["over", "closed", None])
async def test_what_is_over_is_not_gone_on_with(phase: Phase | None) -> None:
    session = FakeSession({"PARTEE23": phase, "PARTEE24": "playing"})
    code, _ = await sit(session, Wish())

    assert "PARTEE24" == code


async def test_a_new_table_is_opened_when_there_is_none_to_come_back_to() -> None:
    session = FakeSession({"PARTEE23": "over"})
    code, said = await sit(session, Wish())

    assert ["create"] == session.asked
    assert NEW == code
    assert (
        "Table NEWTABLE is open. Others join it with:\n"
        "  dormie play http://golf.example:8421 NEWTABLE\n" == said
    )


async def test_a_table_for_one_can_only_be_looked_on_at() -> None:
    said = [
        (await sit(FakeSession(watched=watched), Wish(seats=1)))[1] for watched in (True, False)
    ]

    watch = "  dormie watch http://golf.example:8421 NEWTABLE\n"
    assert [f"Table NEWTABLE is open. Others look on with:\n{watch}", ""] == said


async def test_a_new_table_is_as_it_was_wished_for() -> None:
    session = FakeSession({"PARTEE23": "playing"})
    wish = Wish(
        new=True,
        variant="playroom",
        options={"rows": 3},
        seats=3,
        bots=("easy",),
        turn_seconds=30,
    )
    await sit(session, wish)

    assert session.created == {
        "variant": "playroom",
        "options": {"rows": 3},
        "size": 3,
        "bots": ("easy",),
        "clock": {"turn_seconds": 30},
        "password": None,
        "listed": False,
        "chat": "on",
        "spectators": {},
        "undo": False,
        "practice": None,
    }


@pytest.mark.parametrize(
    ("levels", "bots"), [(("easy", "medium", "hard"), ["medium"]), (("easy",), ["easy"])]
)
async def test_at_a_server_of_ones_own_there_is_somebody_to_play_against(
    levels: tuple[str, ...], bots: list[str]
) -> None:
    session = FakeSession(bots=levels)
    _, said = await sit(session, Wish(local=True))

    assert (bots, 2, "") == (list(session.created["bots"]), session.created["size"], said)


async def test_friends_need_no_bot() -> None:
    session = FakeSession()
    await sit(session, Wish())

    assert ((), 4) == (session.created["bots"], session.created["size"])


@pytest.mark.parametrize(
    ("wish", "language", "because"),
    [
        (
            Wish(variant="minigolf"),
            "en",
            "There is no variant minigolf here; there are playroom, six_card.",
        ),
        (
            Wish(bots=("easy", "tiger")),
            "fr",
            "Il n’y a pas de robot tiger ici ; il y a easy, medium, hard.",
        ),
    ],
)
async def test_what_is_not_there_is_said_with_what_is(
    wish: Wish, language: Language, because: str
) -> None:
    with pytest.raises(Unclear) as error:
        await sit(FakeSession(), wish, language)

    assert because == text(error.value.key, language, **error.value.fields)
