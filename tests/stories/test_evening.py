from pathlib import Path

from tests.stories.evening import PAGE, tell


async def test_the_evening_that_the_page_tells_can_be_lived_through(tmp_path: Path) -> None:
    """Host, friend and spectator in three terminals: a broken line, a bot that hands the seat back,
    a host who goes. Which cards are dealt is another matter every time."""
    told = await tell(tmp_path)
    page = PAGE.read_text("utf-8")
    rest = page
    for scene in told:
        _, found, rest = rest.partition(f"## {scene.title}\n")
        here = rest.partition("\n## ")[0]

        assert found, f"{scene.title}: python -m tests.stories.evening writes the page again"
        assert [] == [typed for typed in scene.typed if typed not in here]
        assert [name for name, _ in scene.shown] == [
            line.removesuffix(" sees:") for line in here.splitlines() if line.endswith(" sees:")
        ]
