"""What the tests of chaos share."""

from pathlib import Path

import pytest

from tests.chaos.power import NoPower, build


@pytest.fixture(scope="session")
def power(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The library under a server whose power can be cut; without a compiler the test is skipped."""
    try:
        return build(tmp_path_factory.mktemp("power"))
    except NoPower as why:
        pytest.skip(str(why))
