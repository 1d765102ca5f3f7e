"""A disk that is full, from no room at all to just enough."""

import contextlib
import resource
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from torture.children import run
from torture.findings import Findings
from torture.flows import Flow
from torture.trees import part, read_tree

SMALLEST, LARGEST = 8 << 10, 4 << 20


@contextlib.contextmanager
def mount_small(size: int) -> Iterator[Path | None]:
    """Hand out a file system of a few bytes; None where none may be mounted."""
    with tempfile.TemporaryDirectory() as outer:
        mounted = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", outer], capture_output=True, check=False
        )
        if mounted.returncode:
            yield None
            return
        try:
            yield Path(outer)
        finally:
            subprocess.run(["umount", outer], check=True)


def fill_disks(flows: list[Flow], *, factor: float) -> tuple[int, str, Findings]:
    """Run every flow on ever larger disks until it fits; return how often it did not, on what, and what was found."""
    full, findings, what = 0, Findings(), "tmpfs"
    for flow in flows:
        size = SMALLEST
        while size < LARGEST:
            with mount_small(size) as disk, tempfile.TemporaryDirectory() as elsewhere:
                folder = (disk or Path(elsewhere)) / "here"
                try:
                    folder.mkdir()
                    flow.prepare(folder)
                except OSError:
                    size = int(size * factor)
                    continue
                before = read_tree(folder)
                what = "tmpfs" if disk else "files of limited length"
                limit = None if disk else size
                ended = run(lambda flow=flow, folder=folder, limit=limit: _run_within(flow, folder, limit))
                after = read_tree(folder)
            full += ended.code != 0
            fault = ended.find_fault()
            if fault:
                findings.add(f"{flow.kind} {flow.name} on {size} bytes: {fault}")
            if ended.code == 0:
                break
            if any(part(after, name) != part(before, name) for name in flow.finals):
                findings.add(f"{flow.kind} {flow.name} on {size} bytes: the old is gone, or half of the new is there")
            size = int(size * factor)
    return full, what, findings


def _run_within(flow: Flow, folder: Path, limit: int | None) -> int:
    if limit is not None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, resource.RLIM_INFINITY))
    return flow.run(folder)
