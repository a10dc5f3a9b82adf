"""Say which words a Makefile knows, and what each is for."""

import re
import sys
from pathlib import Path

WORD = re.compile(r"^([a-z-]+):.*?## (.+)$", re.MULTILINE)


def main() -> None:
    for word, purpose in WORD.findall(Path(sys.argv[1]).read_text("utf-8")):
        print(f"make {word:10} {purpose}")


if __name__ == "__main__":
    main()
