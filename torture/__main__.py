"""``python -m torture``: try to break the program, print one table, and write it to a page."""

import argparse
import dataclasses
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from torture.injector import LOADED, restart_with_faults


def main() -> int:
    """Run the harness; return 1 when anything was not as promised."""
    parser = argparse.ArgumentParser(prog="python -m torture", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="a share of everything, in less than a minute; no page")
    parser.add_argument("--no-load", action="store_true", help="leave out the part with 50 million rows, 7 GB on disk")
    parser.add_argument("--every", type=int, metavar="N", help="let only every Nth step go wrong, or meet a second writer")
    parser.add_argument("--out", type=Path, help="the page to write")
    parser.add_argument("--keep", type=Path, help="directory for inputs that fail, to be put into torture/corpus")
    arguments = parser.parse_args()
    scratch = Path(os.environ[LOADED]) if LOADED in os.environ else _make_scratch()
    restart_with_faults(scratch)
    try:
        return _run(arguments, scratch)
    finally:
        shutil.rmtree(scratch)


def _run(arguments: argparse.Namespace, scratch: Path) -> int:
    import torch
    from torture import parts
    from torture.kinds import KINDS
    from torture.page import Report, write_head

    tempfile.tempdir = str(scratch)
    torch.set_num_threads(1)
    begun = time.monotonic()
    report = Report(list(KINDS))
    print(write_head())
    big = None if arguments.quick or arguments.no_load else Path(f"/tmp/{scratch.name}-load")
    extent = parts.QUICK if arguments.quick else parts.FULL
    if arguments.every:
        extent = dataclasses.replace(extent, every=arguments.every, meet=arguments.every)
    parts.run_all(report, scratch, extent, keep=arguments.keep, big=big)
    print(f"{time.monotonic() - begun:.0f} s, {report.failures} not as promised", file=sys.stderr)
    if arguments.out:
        arguments.out.write_text(report.write(), encoding="utf-8")
    return int(report.failures > 0)


def _make_scratch() -> Path:
    """Make a directory for throw-away files, in memory where there is room: the program waits for the disk often."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="angularpu-torture-", dir=memory if os.access(memory, os.W_OK) else None))


if __name__ == "__main__":
    raise SystemExit(main())
