from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from dormie_rules.replay import verify
from dormie_server.sqlite_store import SqliteStore
from tests.contracts.stores import Clock
from tests.evening import CountingLuck
from tests.serving import fetch, serving
from tests.stories.evening import Evening
from tests.stories.match_evening import PAGE, Two, Words, tell
from tests.terminals import terminal

FRENCH = Words(
    lang="fr",
    ready="Entrée quand vous êtes prêt",
    here="Ben prend la place 2",
    begins="Le trou {hole} commence",
    draw="p",
    give_up="renonce",
    sure="Tapez-le encore",
    done="{name} a fini le trou",
    between="Entrée pour le trou suivant",
    over="La partie est terminée : revanche ou quitte",
    card="Par ",
    quit="quitte",
)


async def test_the_match_that_the_page_tells_can_be_lived_through(tmp_path: Path) -> None:
    """A broken line, a hole conceded, "2 up with 3 to play", dormie, and the last hole decides it."""
    told, record = await tell(tmp_path)
    page = PAGE.read_text("utf-8")
    ada = "".join(shown for told_of in told for name, shown in told_of.shown if name == "Ada")

    assert verify(record).ok, verify(record)
    for line in (
        "Hole 5. You: 6; Ben concedes.\nYou win the hole. Ben is 2 up against you with 13 to play.",
        "The hole is halved. Ben is 2 up against you with 2 to play, dormie.",
        "Ben wins the hole. Ben wins the match against you, 2 up.\nThe match is over. Ben wins!",
        "Up    -1  -2  -3  -3  -2  -1  =   +1  =   +1  +2  +1  =   -1  -2  -2  -1  -2\n",
    ):
        assert line in ada
        assert line in page
    for scene in told:
        rest = page.partition(f"## {scene.title}\n")[2].partition("\n## ")[0]
        assert rest or not scene.title, (
            f"{scene.title}: python -m tests.stories.match_evening writes the page again"
        )
        assert not scene.title or [] == [typed for typed in scene.typed if typed not in rest]


@asynccontextmanager
async def two_begin(
    words: Words, evening: Evening, home: Path, how: Sequence[str], *wish: str
) -> AsyncIterator[tuple[Two, str]]:
    """Ada and Ben in their terminals, at their first hole; with them the table's code."""
    async with terminal("Ada", home, *how, "--name", "Ada", *wish, looked_at=True) as ada:
        code = (await ada.sees("  dormie play ")).split()[-1]
        async with terminal("Ben", home, *how, code, "--name", "Ben", looked_at=True) as ben:
            await ada.sees(words.here)
            for one in (ada, ben):
                await one.asked(words.ready)
                one.type("")
            two = Two(words, evening, ada, ben)
            await two.begins(1)
            yield two, code


async def test_a_match_in_french_is_conceded_between_two_holes(tmp_path: Path) -> None:
    words, evening = FRENCH, Evening()
    evening.scene("")
    store = SqliteStore(":memory:", clock=Clock())  # no hole begins before both want it to
    async with serving({"store": store, "luck": CountingLuck()}) as app:
        how = ("--lang", "fr", f"http://127.0.0.1:{app.port}")
        wish = ("--variant", "golf_patience_match", "--size", "2", "-o", "holes=3")
        async with two_begin(words, evening, tmp_path, how, *wish) as (two, code):
            ada, ben = two.ada, two.ben
            await two.plays(ada, ben)
            await two.looks_up(ben)
            await ben.says("renonce", "Le trou sera concédé. Tapez-le encore")
            await ben.says("renonce", "Trou 1. Vous concédez ; Ada : ", "Ada gagne le trou.")
            await ada.sees("Ben concède.\nVous gagnez le trou. Vous menez de 1 trou contre Ben, ")
            await ada.asked(words.between)
            await ada.says("score", "Avance  +1\n", "encore 2 à jouer.\n")
            await ben.asked(words.between)
            await ben.says("renonce", "Le trou est terminé.")
            await ben.says("concède", "Le match sera perdu pour de bon.")
            await ben.says("concède", "Vous concédez le match.", "par abandon")
            await ada.sees("Vous gagnez le match contre Ben, par abandon.")
            for one in (ada, ben):
                await one.asked(words.over)
            record = await fetch(app.port, f"/record/{code}-1")

    assert "move 2 concede" in record.splitlines()
    assert verify(record).ok, verify(record)


async def test_a_match_that_is_conceded_before_any_hole_is_over_has_no_card_to_show(
    tmp_path: Path,
) -> None:
    words, evening = Words(), Evening()
    evening.scene("")
    async with serving() as app:
        how = ("--lang", "en", f"http://127.0.0.1:{app.port}")
        wish = ("--variant", "golf_patience_match", "--size", "2")
        async with two_begin(words, evening, tmp_path, how, *wish) as (two, _):
            ada, ben = two.ada, two.ben
            await ben.says("concede", "Type it again")
            await ben.says("concede", "You concede the match.", "The record of this match")
            await ada.sees("You win the match against Ben, by concession.")
            await ada.asked(words.over)

    assert "No hole is over yet." not in ada.shown + ben.shown
