"""Whether what an attacker hears is what anybody may hear: known words, few bytes, and not one hidden card."""

import re
from collections import Counter
from dataclasses import dataclass, field

from dormie_protocol.codec import Unreadable, read_server
from dormie_protocol.messages import Refused, Seen
from dormie_protocol.words import REFUSALS
from tests.fuzz.lexicon import CANARY
from tests.leaks import Leak
from tests.server.leak_scan import LeakScan

LONGEST_REFUSAL = 256
"""Bytes: whoever asks for refusals must not gain by it."""
CODES = frozenset({1002, 1003, 1007, 1008, 1009, 1012, 4400, 4401, 4408})
"""With which the house closes: the library's, and its own; 1011 would be a mistake of the house."""
STATUSES = frozenset({101, 200, 304, 400, 403, 404, 405, 414, 426, 429, 431, 505})

_HEXADECIMAL = re.compile(rb"[0-9a-f]{32}")


@dataclass
class Findings:
    """What came back in a campaign, and what of it was wrong."""

    frames: Counter[str] = field(default_factory=Counter)
    """What was sent, by kind."""
    words: Counter[str] = field(default_factory=Counter)
    """What was answered: the words of refusals, and the types of everything else."""
    closes: Counter[str] = field(default_factory=Counter)
    """How lines ended: by close code, by HTTP status, or without a word."""
    wrong: list[str] = field(default_factory=list)
    """Answers that nobody should get, with what reproduces them."""
    leaks: list[str] = field(default_factory=list)
    unscanned: int = 0
    """Views of tables that the scan does not know: of the hole of a day, which `test_day_leaks` looks at."""

    def add(self, other: "Findings") -> None:
        """Take in what another process found."""
        for mine, theirs in (
            (self.frames, other.frames),
            (self.words, other.words),
            (self.closes, other.closes),
        ):
            mine.update(theirs)
        self.wrong += other.wrong
        self.leaks += other.leaks
        self.unscanned += other.unscanned


@dataclass
class Judge:
    """Looks at every text that attackers hear."""

    scan: LeakScan
    findings: Findings = field(default_factory=Findings)

    def text(self, raw: bytes, reader: str) -> str | None:
        """What is wrong about one message that *reader* got; None if nothing is. Raises Leak."""
        try:
            message = read_server(raw)
        except Unreadable as what:
            return f"no message of the protocol, at {what.field}: {raw[:200]!r}"
        if isinstance(message, Seen):
            self._seen(message, reader, raw.decode())
        else:
            self._plain(raw, getattr(message, "re", None))
        refused = message if isinstance(message, Refused) else None
        self.findings.words[refused.word if refused else message.type] += 1
        return self._refused(refused, raw) if refused else None

    def page(self, raw: bytes) -> str | None:
        """Look at what was answered over HTTP. Raises Leak."""
        self._plain(raw)
        return None

    def _refused(self, refused: Refused, raw: bytes) -> str | None:
        if refused.word not in REFUSALS:
            return f"refused with a word that is none: {refused.word}"
        if len(raw) > LONGEST_REFUSAL:
            return f"refused with {len(raw)} bytes: {raw.decode()}"
        if CANARY in refused.because or CANARY in (refused.field or ""):
            return f"refused with the attacker's own words: {raw.decode()}"
        return None

    def _seen(self, seen: Seen, reader: str, text: str) -> None:
        if seen.table not in self.scan.tables:
            self.findings.unscanned += 1
        elif hidden := self.scan.tables[seen.table].hidden(reader, seen.version, text):
            raise Leak(f"{reader} is told {hidden[0]} at {seen.table} {seen.version}")

    def _plain(self, raw: bytes, said: str | None = None) -> None:
        """No card has any business here, nor has a secret; what the attacker *said* is no secret."""
        if b"~" in raw or _HEXADECIMAL.search(raw):
            text = raw.decode("utf-8", "replace")
            self.scan.check_text(text.replace(said, "") if said else text, "what an attacker hears")


def status(head: bytes) -> int | None:
    """The status of an HTTP answer, None if that is none.

    >>> status(b"HTTP/1.1 404 Not Found"), status(b"hello")
    (404, None)
    """
    found = re.match(rb"HTTP/1\.1 (\d{3}) [ -~]*(\r\n|$)", head)
    return int(found[1]) if found else None
