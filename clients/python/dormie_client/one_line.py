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


def plain(text: str) -> str:
    r"""A stranger's text on one line, without anything that moves a terminal or hides.

    >>> plain("well\n  played \x1b]0;pwn\x07\u202e!")
    'well played ]0;pwn!'
    """
    return "".join(sign for sign in " ".join(text.split()) if sign.isprintable())


def sorry(who: str, because: str) -> int:
    """Say on the error stream, in one line, why something cannot be; the exit status for it."""
    sys.stderr.write(f"{who}: {plain(because)}\n")
    return MISUSED
