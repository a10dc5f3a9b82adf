"""A second writing of `docs/fairness.md`, which shares no line with the rules, and its vectors.

`python -m tests.plain_luck` prints them; `tests/cases/luck.json` holds what it printed once.
"""

import json
import sys
from functools import reduce
from hashlib import sha256
from pathlib import Path
from struct import pack, unpack
from typing import Any

WRITTEN = Path(__file__).parent / "cases" / "luck.json"


def whole_pack(decks: int, jokers: int) -> list[str]:
    one = [f"{rank}{suit}" for suit in "SHDC" for rank in "A23456789TJQK"]
    return decks * [*one, *"*" * jokers]


def words(seed: bytes, blocks: int) -> list[int]:
    stream = b"".join(sha256(seed + pack(">Q", block)).digest() for block in range(blocks))
    return list(unpack(f">{4 * blocks}Q", stream))


def shuffled(seed: bytes, cards: list[str]) -> list[str]:
    """Take cards off the end of what is left, one for each place from the last to the first."""
    left, taken, stream = list(cards), list[str](), words(seed, len(cards))
    while left:
        size = len(left)
        if size > 1:
            while (word := stream.pop(0)) >= 2**64 // size * size:
                pass
            at = word % size
        else:
            at = 0
        left[at], left[-1] = left[-1], left[at]
        taken.append(left.pop())
    return taken[::-1]


def joined(*parts: bytes) -> bytes:
    return sha256(b"".join(pack(">Q", len(part)) + part for part in parts)).digest()


def chain(last: bytes, links: int) -> list[bytes]:
    """s_0 to s_n, of which *last* is s_n."""
    back = reduce(lambda s, _: [*s, sha256(s[-1]).digest()], range(links), [last])
    return back[::-1]


def seed_of_hole(link: bytes, contributions: list[bytes], hole: int) -> bytes:
    return joined(b"dormie hole", link, *contributions, pack(">I", hole))


def luck_of_hole(seed: bytes) -> bytes:
    return joined(b"dormie luck", seed)


def seed_of_reshuffle(luck: bytes, number: int) -> bytes:
    return joined(b"dormie reshuffle", luck, pack(">I", number))


def first_dealer(luck: bytes, seats: list[int]) -> int:
    order = shuffled(joined(b"dormie dealer", luck), [str(seat) for seat in seats])
    return int(order[0])


# ------------------------------------------------------------- the vectors


def main() -> None:
    sys.stdout.write(json.dumps(vectors(), indent=1) + "\n")


def vectors() -> dict[str, list[dict[str, Any]]]:  # of any kind
    seeds = [bytes(32), bytes(range(32)), sha256(b"dormie").digest()]
    packs = [(seeds[0], 1, 0), (seeds[1], 1, 2), (seeds[2], 2, 2), (seeds[2], 3, 0)]
    sent: list[list[bytes | None]] = [
        [b"ada", b"ben"],
        [b"ad", b"aben"],
        [None, b"\x00"],
        [None] * 6,
    ]
    holes = [(seeds[2], given, hole) for given in sent for hole in (1, 64, 300)]
    return {  # each list has fields of its own
        "words": [{"seed": s.hex(), "words": [f"{w:016x}" for w in words(s, 2)]} for s in seeds],
        "shuffle": [_shuffle(*deal) for deal in packs],
        "chain": [{"last": s.hex(), "links": [link.hex() for link in chain(s, 4)]} for s in seeds],
        "hole_seed": [_hole_seed(*hole) for hole in holes],
        "hole_luck": [{"seed": s.hex(), "luck": luck_of_hole(s).hex()} for s in seeds],
        "reshuffle_seed": [
            {"luck": s.hex(), "number": n, "seed": seed_of_reshuffle(s, n).hex()}
            for s in seeds
            for n in (1, 2, 300)
        ],
        "dealer": [
            {"luck": s.hex(), "seats": seats, "dealer": first_dealer(s, seats)}
            for s in seeds
            for seats in ([0, 1], [0, 1, 2, 3, 4, 5], [1, 2, 5])
        ],
    }


def _shuffle(seed: bytes, decks: int, jokers: int) -> dict[str, Any]:  # of any kind
    order = " ".join(shuffled(seed, whole_pack(decks, jokers)))
    return {"seed": seed.hex(), "decks": decks, "jokers_per_deck": jokers, "order": order}


def _hole_seed(link: bytes, given: list[bytes | None], hole: int) -> dict[str, Any]:  # of any kind
    seed = seed_of_hole(link, [sent or b"" for sent in given], hole)
    sent = [None if sent is None else sent.hex() for sent in given]
    return {"link": link.hex(), "contributions": sent, "hole": hole, "seed": seed.hex()}


if __name__ == "__main__":
    main()
