"""What the tests of the load generator need: it is a small C program that waits with Linux' epoll."""

import sys
from typing import Final

import pytest

from bench.load.build import compiler

MISSING: Final = {
    "Linux: the load generator waits with epoll": sys.platform != "linux",
    "a C compiler (gcc or clang), of which the load generator is made": compiler() is None,
}
WITH_LOAD: Final = [
    *(pytest.mark.skipif(missing, reason=f"needs {what}") for what, missing in MISSING.items()),
    pytest.mark.xdist_group("bench"),
]
"""The marks of every test that starts it."""
