"""What a tableau leaves and shows is the same however it is looked at."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dormie_rules.patience_tableaus import CLEARED, EVEN, NEXT_CARD, Pile, Tableau, Tableaus, Worth

RANKS = 4
WORTH = Worth(onto=(2, 5, 10, 4), chances=(0.5, 0.25, 0.0, 0.25))


def piles(columns: Sequence[Sequence[int]]) -> tuple[Pile, ...]:
    """Columns side by side: the last one counts ones, and each before it the product of those behind."""
    stride, made = 1, []
    for cards in reversed(columns):
        made.append(Pile(tuple(cards), stride))
        stride *= len(cards) + 1
    return tuple(reversed(made))


def plainly(columns: Sequence[Pile], number: int, down: int) -> Tableau:
    """A tableau worked out column by column, in one go."""
    lengths = [number // pile.stride % (len(pile.cards) + 1) for pile in columns]
    left = sum(lengths) + down
    if not left:
        return Tableau(0, (), CLEARED)
    shown = [
        (pile.cards[n - 1], pile.stride) for pile, n in zip(columns, lengths, strict=True) if n
    ]
    useful = 0
    for card, _ in shown:
        useful |= WORTH.onto[card]
    chance = sum(p for at, p in enumerate(WORTH.chances) if useful >> at & 1)
    uneven = EVEN * sum(n * n for n in lengths)
    return Tableau(left, tuple(shown), NEXT_CARD * chance - uneven - left)


@given(
    st.lists(st.lists(st.integers(0, RANKS - 1), max_size=3), min_size=1, max_size=5),
    st.integers(0, 2),
    st.data(),
)
def test_two_halves_make_the_whole(
    columns: list[list[int]], down: int, data: st.DataObject
) -> None:
    made = piles(columns)
    size = made[0].stride * (len(made[0].cards) + 1)
    number = data.draw(st.integers(0, size - 1))
    tableaus = Tableaus(made, WORTH, down)

    assert plainly(made, number, down) == tableaus[number] == tableaus[number]


@pytest.mark.parametrize(
    ("number", "exposed"),
    [
        (0b111, ((2, 1),)),  # only the one on top
        (0b110, ((1, 2), (0, 4))),
        (0b100, ((0, 4),)),
        (0b101, ((2, 1),)),
    ],
)
def test_a_place_is_exposed_when_nothing_lies_on_it(
    number: int, exposed: tuple[tuple[int, int], ...]
) -> None:
    places = (Pile((0,), 4, over=(1,)), Pile((1,), 2, over=(1,)), Pile((2,), 1))
    found = Tableaus(places, WORTH)[number]

    assert sorted(exposed) == sorted(found.exposed)
    assert number.bit_count() == found.left


def test_only_the_exposed_places_of_a_peak_make_it_uneven() -> None:
    """The cards below them may lie as they like: they are no columns."""
    places = (Pile((0,), 4, over=(1,)), Pile((1,), 2, over=(1,)), Pile((2,), 1))
    worths = [Tableaus(places, WORTH)[number].worth for number in (0b111, 0b110)]

    assert [NEXT_CARD * 0.5 - EVEN - 3, NEXT_CARD * 0.75 - 2 * EVEN - 2] == pytest.approx(worths)


def test_a_place_under_a_face_down_card_is_never_exposed() -> None:
    places = (Pile((0,), 2, over=None), Pile((1,), 1))

    assert () == Tableaus(places, WORTH, down=1)[0b10].exposed
    assert 2 == Tableaus(places, WORTH, down=1)[0b10].left
