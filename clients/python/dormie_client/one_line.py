"""How a command says that it was asked wrongly: in one line, with status 2."""

import argparse
import sys
from typing import NoReturn

MISUSED = 2


class OneLineParser(argparse.ArgumentParser):
    """A parser that does not answer a slip with a page of usage."""

    def error(self, message: str) -> NoReturn:
        """End the program with one line."""
        sorry(self.prog, f"{message} (--help lists what can be said)")
        sys.exit(MISUSED)


def sorry(who: str, because: str) -> int:
    """Say on the error stream, in one line, why something cannot be; the exit status for it."""
    line = " ".join(because.split())
    sys.stderr.write(f"{who}: {''.join(sign for sign in line if sign.isprintable())}\n")
    return MISUSED
