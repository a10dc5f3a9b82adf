"""Files that are served as they are: all of them read at the start, so that no path can escape."""

import gzip
import hashlib
from dataclasses import dataclass
from importlib.resources.abc import Traversable
from typing import Final

TYPES: Final = {
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json; charset=utf-8",
    ".png": "image/png",
    ".svg": "image/svg+xml; charset=utf-8",
    ".txt": "text/plain; charset=utf-8",
    ".webmanifest": "application/manifest+json; charset=utf-8",
    ".woff2": "font/woff2",
}
HASHED: Final = "/assets/"
"""The folder of files whose names change with what is in them."""
WORTH_PACKING: Final = 1024
FOR_EVER: Final = "public, max-age=31536000, immutable"
ASK_AGAIN: Final = "no-cache"


@dataclass(frozen=True, slots=True)
class Asset:
    """One file, ready to be sent."""

    body: bytes
    type: str
    digest: str
    cache: str = ASK_AGAIN
    packed: bytes | None = None
    """The body in gzip, where that is shorter."""

    def tag(self, *, packed: bool) -> str:
        """Return the strong ETag of one of the two bodies."""
        return f'"{self.digest}-gz"' if packed else f'"{self.digest}"'


def load(folder: Traversable) -> dict[str, Asset]:
    """Return every file under *folder* by its path; `index.html` is the path of its folder."""
    found = {path: _read(path, file) for path, file in _files(folder, "/")}
    indexes = {path: asset for path, asset in found.items() if path.endswith("/index.html")}
    return found | {path.removesuffix("index.html"): asset for path, asset in indexes.items()}


def _files(folder: Traversable, path: str) -> list[tuple[str, Traversable]]:
    files = []
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        if file.is_dir():
            files += _files(file, f"{path}{file.name}/")
        elif _ending(file.name) in TYPES:
            files.append((path + file.name, file))
    return files


def _read(path: str, file: Traversable) -> Asset:
    body, kind = file.read_bytes(), TYPES[_ending(path)]
    packed = gzip.compress(body, mtime=0) if len(body) >= WORTH_PACKING else body
    cache = FOR_EVER if path.startswith(HASHED) else ASK_AGAIN
    digest = hashlib.sha256(body).hexdigest()[:32]
    return Asset(body, kind, digest, cache, packed if len(packed) < len(body) else None)


def _ending(name: str) -> str:
    return name[name.rfind(".") :].lower()
