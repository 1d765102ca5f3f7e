"""``python -m torture``: try to break the program, print one table, and write it to a page."""

import argparse
import dataclasses
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

from torture import PARTS
from torture.injector import LOADED, restart_with_faults


def main() -> int:
    """Run the harness; return 1 when anything was not as promised."""
    parser = argparse.ArgumentParser(prog="python -m torture", description=__doc__, allow_abbrev=False)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"some of {', '.join(PARTS)}; by default all")
    parser.add_argument(
        "--quick", action="store_true", help="a share of everything but the load, in less than a minute"
    )
    parser.add_argument("--no-load", action="store_true", help="leave out the part with 50 million rows, 7 GB on disk")
    parser.add_argument(
        "--every", type=int, metavar="N", help="let only every Nth step go wrong, or meet a second writer"
    )
    parser.add_argument("--save", action="store_true", help="write torture/summary.json and docs/torture.md")
    parser.add_argument(
        "--keep", type=Path, metavar="DIR", help="put inputs that fail there; they belong in torture/corpus"
    )
    arguments = parser.parse_args()
    scratch = Path(os.environ[LOADED]) if LOADED in os.environ else _make_scratch()
    restart_with_faults(scratch)
    try:
        return _run(arguments, scratch)
    finally:
        shutil.rmtree(scratch)


def _run(arguments: argparse.Namespace, scratch: Path) -> int:
    # Not before the library of faults is in front: this takes seconds.
    import torch

    from torture import page, parts
    from torture.kinds import KINDS

    tempfile.tempdir = str(scratch)
    torch.set_num_threads(1)
    begun = time.monotonic()
    without_load = arguments.quick or arguments.no_load
    names = arguments.parts or [name for name in PARTS if name != "load" or not without_load]
    extent = parts.QUICK if arguments.quick else parts.FULL
    if arguments.every:
        extent = dataclasses.replace(extent, every=arguments.every, meet=arguments.every)
    print(page.write_head())
    reports = parts.run_parts(names, scratch, extent, keep=arguments.keep)
    failures = sum(report.failures for report in reports.values())
    print(f"{time.monotonic() - begun:.0f} s, {failures} not as promised", file=sys.stderr)
    if arguments.save:
        page.keep(reports, kinds=list(KINDS))
    return int(failures > 0)


def _make_scratch() -> Path:
    """Make a directory for throw-away files, in memory where there is room: the program waits for the disk often."""
    memory = Path("/dev/shm")
    return Path(tempfile.mkdtemp(prefix="angularpu-torture-", dir=memory if os.access(memory, os.W_OK) else None))


if __name__ == "__main__":
    raise SystemExit(main())
