"""How much memory a file may take once it is read."""

from pathlib import Path

from angularpu.errors import DataError

UNASKED = 2**30  # bytes that any file may unfold to
MOST_FOLDED = 100  # numbers that are worth learning from are rarely compressed to less than a hundredth

_SYSTEM = Path("/proc/meminfo")
_GROUP = Path("/sys/fs/cgroup")


def refuse_size(what: str, size: int, *, stored: int) -> None:
    """Raise when ``what`` needs more memory than is free, or far more than the bytes it is stored in make likely.

    >>> refuse_size("a.npz, array 'x',", 2**40, stored=2000)
    Traceback (most recent call last):
    angularpu.errors.DataError: a.npz, array 'x', would unfold from 2,000 bytes to 1,024.0 GiB; save it uncompressed...
    """
    if size > max(UNASKED, MOST_FOLDED * stored):
        raise DataError(
            f"{what} would unfold from {stored:,} bytes to {size / 2**30:,.1f} GiB; "
            "save it uncompressed, as an .npy file"
        )
    free = find_free()
    if free is not None and size > free:
        raise DataError(
            f"{what} needs {size / 2**30:,.1f} GiB of memory, but {free / 2**30:,.1f} GiB are free; "
            "save it as an .npy file, which is read in pieces, or take fewer rows"
        )


def find_free() -> int | None:
    """Return how many bytes of memory this process may still take; None where the system does not tell."""
    known = [_read_available(), _read_group()]
    return min((size for size in known if size is not None), default=None)


def _read_available() -> int | None:
    try:
        lines = _SYSTEM.read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    found = [int(line.split()[1]) * 1024 for line in lines if line.startswith("MemAvailable:")]
    return found[0] if found else None


def _read_group() -> int | None:
    """Return what the limit of a container leaves; what it only caches of files does not count."""
    try:
        limit = int((_GROUP / "memory.max").read_text(encoding="ascii"))
        used = dict(line.split() for line in (_GROUP / "memory.stat").read_text(encoding="ascii").splitlines())
        return max(0, limit - int(used["anon"]))
    except (OSError, ValueError, KeyError):  # no container, or one without a limit
        return None
