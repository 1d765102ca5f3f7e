"""``python -m angularpu`` is the command ``angularpu``."""

import sys

from angularpu.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
