"""Power cuts for one SQLite file, or the log of a Redis: a disk that keeps what was synced.

Of the rest it keeps what luck leaves.

`power.c` is loaded into the server and remembers what every sync made safe. After the server was
killed, `Disk.cut` replaces the files with what a disk that lost its power might hold.
"""

import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random

SOURCE = Path(__file__).with_name("power.c")
SECTORS = (512, 4096)
"""In pieces of such a size a disk writes; inside of one nothing is torn."""


class NoPower(Exception):
    """Power cuts cannot be played here, and the sentence says why."""


def build(folder: Path) -> Path:
    """Compile `power.c` into *folder*; returns the library. Raises `NoPower`."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if not sys.platform.startswith("linux"):
        raise NoPower("power cuts are played on Linux only")
    if compiler is None:
        raise NoPower("there is no C compiler (cc) on this machine, and power.c has to be compiled")
    library = folder / "power.so"
    command = [compiler, "-shared", "-fPIC", "-O2", "-o", str(library), str(SOURCE)]
    made = subprocess.run(
        [*command, "-ldl", "-lpthread"], capture_output=True, text=True, check=False
    )
    if made.returncode:
        raise NoPower(f"power.c cannot be compiled here: {made.stderr.strip()[-300:]}")
    return library


@dataclass(frozen=True)
class Cut:
    """What a power cut left and took, in bytes of the file and its log."""

    synced: int
    """Known to be safe."""
    unsynced: int
    """Sectors that were written and not synced, or not any more what was synced."""
    kept: int
    """So much of these was on the disk all the same."""


class Disk:
    """The disk under a database: a copy of what is safe lies in a shadow folder beside it."""

    def __init__(
        self,
        data: Path,
        library: Path,
        shadow: Path,
        *,
        sync_seconds: float = 0.004,
        known_as: str | None = None,
    ) -> None:
        """A sync takes so many seconds, as on a real disk: a kill often comes during one.

        *known_as* is how the process calls the file, if not by its whole path.
        """
        self._data = data.resolve()
        self._known_as = known_as or str(self._data)
        self._library = library
        self._shadow = shadow.resolve()
        self._shadow.mkdir(exist_ok=True)
        self._micros = round(sync_seconds * 1e6)

    @property
    def environment(self) -> Mapping[str, str]:
        """What a process must be started with, so that its syncs are remembered."""
        return {
            "LD_PRELOAD": str(self._library),
            "DORMIE_POWER_FILES": self._known_as,
            "DORMIE_POWER_SHADOW": str(self._shadow),
            "DORMIE_POWER_SYNC": str(self._micros),
        }

    def settle(self) -> None:
        """Everything is safe as it is now. To be said before every start of the process."""
        shutil.rmtree(self._shadow)
        self._shadow.mkdir()
        names = sorted(self._live())
        for number, name in enumerate(names, 1):
            shutil.copyfile(self._live()[name], self._shadow / str(number))
        lines = (f"{number} {name}\n" for number, name in enumerate(names, 1))
        (self._shadow / "names").write_text("".join(lines), "utf-8")

    def cut(self, luck: Random | None = None, *, in_order: bool = False) -> Cut:
        """The power fails, after the process was killed; then the disk is settled.

        Without *luck* exactly what was synced is left. With it, of what was not synced some sectors
        are there and others are not, and so are names of files. *in_order*: a file is as long as luck
        says, and what is there of it is whole.
        """
        safe, live = self._safe(), {name: path.read_bytes() for name, path in self._live().items()}
        after: dict[str, bytes] = {}
        unsynced = kept = 0
        for name in sorted({*safe, *live}):
            was, wrote = safe.get(name), live.get(name)
            if luck is None:
                left = was
            elif in_order:
                left = (wrote or b"")[: luck.randint(*sorted((len(was or b""), len(wrote or b""))))]
            elif (was is None or wrote is None) and luck.random() < 0.5:
                left = was  # the folder was not synced, and has the old list of names
            else:
                left = None if wrote is None else torn(was or b"", wrote, luck)
            if left is not None:
                after[name] = left
            if not name.endswith("-shm"):  # the log's index is never synced, nor need it be
                unsynced += differing(was or b"", wrote or b"")
                kept += differing(was or b"", left or b"")
        self._replace(after)
        self.settle()
        return Cut(sum(map(len, safe.values())), unsynced, kept)

    def _live(self) -> dict[str, Path]:
        return {path.name: path for path in self._data.parent.glob(f"{self._data.name}*")}

    def _safe(self) -> dict[str, bytes]:
        lines = (self._shadow / "names").read_text("utf-8").splitlines()
        pairs = (line.split(" ", 1) for line in lines)
        paths = {name: self._shadow / number for number, name in pairs}
        return {name: path.read_bytes() if path.exists() else b"" for name, path in paths.items()}

    def _replace(self, files: Mapping[str, bytes]) -> None:
        for path in self._live().values():
            path.unlink()
        for name, content in files.items():
            (self._data.parent / name).write_bytes(content)


Choice = Callable[[int], bool]


def torn(was: bytes, wrote: bytes, luck: Random) -> bytes:
    """What is on the disk when *wrote* was on its way to where *was* had been synced.

    Each sector is the old or the new one; the length is the old one, the new one, or between.

    >>> torn(b"old" * 1000, b"new" * 1000, Random(1)) not in (b"old" * 1000, b"new" * 1000)
    True
    """
    sector = luck.choice(SECTORS)
    last = max(len(was), len(wrote)) // sector + 1
    border, share = luck.randrange(last + 1), luck.random()
    chosen: Choice = luck.choice(
        (
            lambda at: at < border,  # in order, up to somewhere
            lambda at: at >= border,  # the latest first
            lambda _: luck.random() < share,
        )
    )
    size = luck.choice((len(was), len(wrote), luck.randint(*sorted((len(was), len(wrote))))))
    blank = bytes(sector)
    pieces = []
    for at in range(last):
        new, old = (text[at * sector : (at + 1) * sector] for text in (wrote, was))
        taken = new if chosen(at) else old
        pieces.append((taken + blank)[:sector])
    return b"".join(pieces)[:size]


def differing(one: bytes, other: bytes) -> int:
    """How many bytes lie in sectors that are not the same."""
    sector = SECTORS[0]
    places = range(0, max(len(one), len(other)), sector)
    return sum(sector for at in places if one[at : at + sector] != other[at : at + sector])


def sound(data: Path) -> str:
    """What SQLite says of a file's soundness: "ok", or what is wrong. Looks at a copy."""
    with Spare(data) as copy:
        connection = sqlite3.connect(copy)
        try:
            ((verdict, *_), *_) = connection.execute("PRAGMA integrity_check").fetchall()
        finally:
            connection.close()
    return str(verdict)


class Spare:
    """A copy of a database and its log, to look at while the real one stays untouched."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._folder = data.parent / "spare"

    def __enter__(self) -> Path:
        self._folder.mkdir()
        for ending in ("", "-wal"):
            source = Path(f"{self._data}{ending}")
            if source.exists():
                shutil.copyfile(source, self._folder / source.name)
        return self._folder / self._data.name

    def __exit__(self, *_: object) -> None:
        shutil.rmtree(self._folder)
