"""A simulated world has luck of its own, that of its seed and no other."""

import pytest


@pytest.fixture(autouse=True)
def the_same_luck_each_time() -> None:
    """In place of the one for all other tests."""
