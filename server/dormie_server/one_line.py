"""How a command of those who run a house says that it was asked wrongly: in one line, with status 2."""

import argparse
import sys
from typing import Final, NoReturn

MISUSED: Final = 2


class OneLineParser(argparse.ArgumentParser):
    """A parser that does not answer a slip with a page of usage."""

    def error(self, message: str) -> NoReturn:
        """End the program with one line."""
        self.exit(sorry(f"{message} (--help lists what can be said)"))


def sorry(because: str) -> int:
    """Say on the error stream, in one line, why something cannot be; the exit status for it."""
    sys.stderr.write(f"dormie-server: {because}\n")
    return MISUSED
