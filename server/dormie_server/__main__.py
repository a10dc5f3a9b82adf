"""`python -m dormie_server` is `dormie-server`."""

import sys

from dormie_server.cli import main

if __name__ == "__main__":
    sys.exit(main())
