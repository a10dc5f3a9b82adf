from hypothesis import given
from hypothesis import strategies as st

from dormie_client.scene import width
from dormie_client.wrapping import wrapped

WORDS = st.lists(st.text("abcé李♠", min_size=1, max_size=9), min_size=1, max_size=30)


@given(WORDS, st.integers(20, 60), st.integers(0, 4))
def test_no_line_is_too_long_and_no_word_is_lost(words: list[str], wide: int, indent: int) -> None:
    lines = wrapped(" " * indent + " ".join(words), wide)

    assert words == " ".join(lines).split()
    assert max(map(width, lines)) <= wide


def test_what_cannot_be_broken_stays_whole() -> None:
    address = "http://golf.example/#table=PARTEE23&key=nhlr7tBjtUVfoRHX8W5tuw"

    assert ["The invitation:", f"  {address}"] == wrapped(f"The invitation: {address}", 40)
