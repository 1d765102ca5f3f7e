"""Downloads of official files: resumed after a stop, checked, and given their name only when complete."""

import contextlib
import http.client
import os
import tarfile
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from angularpu.errors import DataError
from angularpu.files import atomic_file, move, unfinished
from angularpu_bench.catalogue.checksums import FileCheck, check_file, check_files
from angularpu_bench.catalogue.entry import Entry, File
from angularpu_bench.catalogue.https import OpenAddress, open_https

ReportBytes = Callable[[str, int, int | None], None]  # the file, its bytes so far, and its size if known

_TRUSTED = ("official", "content", "recorded")
_BLOCK = 1 << 18
MOST = 1 << 32  # bytes of a file whose size nobody states


def fetch_dataset(
    entry: Entry, directory: Path, *, report: ReportBytes | None = None, open_address: OpenAddress = open_https
) -> tuple[FileCheck, ...]:
    """Download the missing files of a data set; right files in either layout are left as they are.

    An archive that you put into the directory is unpacked if it is the official one, and never deleted. A downloaded
    archive has an unfinished name and is deleted once it is unpacked, also if an earlier call began to download it.

    Parameters
    ----------
    entry : Entry
        What to download.
    directory : Path
        Where the files go.
    report : callable, optional
        Called with the file's name, its bytes so far and, if the server tells it, its size.
    open_address : callable
        What opens an address; by default over https only.

    Returns
    -------
    tuple of FileCheck
        Each file of the layout that will be read, with what its checksum says.

    Raises
    ------
    DataError
        If there is no address to download from, the network fails, more is sent than the file has, or a checksum is
        wrong.
    """
    if not entry.files:
        raise DataError(f"{entry.name} cannot be downloaded: {entry.notes}")
    checks = check_files(entry, directory)
    if all(check.status in _TRUSTED for check in checks):
        return checks
    missing = [file for file in entry.files if check_file(file, directory) not in _TRUSTED]
    if entry.archive is not None:
        _fetch_packed(entry.archive, directory, files=missing, report=report, open_address=open_address)
    else:
        for file in missing:
            fetch_file(file, directory, report=report, open_address=open_address)
    return check_files(entry, directory)


def fetch_file(
    file: File, directory: Path, *, report: ReportBytes | None = None, open_address: OpenAddress = open_https
) -> Path:
    """Download one file; if an earlier attempt was stopped, only the rest is downloaded."""
    target = directory / file.name
    if check_file(file, directory) != "official":
        move(_fetch_part(file, directory, report=report, open_address=open_address), target)
    return target


def unpack(archive: Path, directory: Path, *, name: str, files: list[File]) -> None:
    """Extract only the given files from a tar archive; messages call the archive ``name``."""
    wanted = {file.name: file for file in files}
    try:
        with tarfile.open(archive) as content:
            for member in content:
                path = member.name.removeprefix("./")
                source = content.extractfile(member) if path in wanted else None
                if source is not None:
                    if member.size > (wanted[path].most or MOST):
                        raise DataError(
                            f"{name} holds {path} with {member.size} bytes, more than the official file has"
                        )
                    _copy(source, directory / path)
                    del wanted[path]
    except (tarfile.TarError, EOFError, zlib.error) as error:
        raise DataError(f"{name} cannot be unpacked: {error}") from error
    if wanted:
        raise DataError(f"{name} holds no {', '.join(sorted(wanted))}")


def _fetch_packed(
    archive: File, directory: Path, *, files: list[File], report: ReportBytes | None, open_address: OpenAddress
) -> None:
    """Extract files from the archive in the directory, or from one that is downloaded and deleted afterwards."""
    if check_file(archive, directory) == "official":
        unpack(directory / archive.name, directory, name=archive.name, files=files)
        return
    part = _fetch_part(archive, directory, report=report, open_address=open_address)
    try:
        unpack(part, directory, name=archive.name, files=files)
    except DataError:
        part.unlink()  # or the next call would fail on the same archive
        raise
    part.unlink()


def _fetch_part(file: File, directory: Path, *, report: ReportBytes | None, open_address: OpenAddress) -> Path:
    """Download a file under its unfinished name and compare its checksum."""
    if file.url is None:
        raise DataError(f"{file.name} cannot be downloaded; docs/datasets.md says how to get it")
    part = unfinished(directory / file.name)
    part.parent.mkdir(parents=True, exist_ok=True)
    _download(file, part, report=report, open_address=open_address)
    arrived = File(str(part.relative_to(directory)), file.checksum)
    if file.checksum is not None and check_file(arrived, directory) != "official":
        part.unlink()
        raise DataError(f"{file.url} sent a file whose checksum is not the official {file.checksum}; try again later")
    return part


def _copy(source: Any, target: Path) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    with atomic_file(target) as temporary, temporary.open("wb") as out:
        while block := source.read(_BLOCK):
            out.write(block)


def _download(file: File, part: Path, *, report: ReportBytes | None, open_address: OpenAddress) -> None:
    """Download the rest of ``part``, or all of it if the server cannot send a part of a file."""
    done = part.stat().st_size if part.exists() else 0
    try:
        with contextlib.closing(open_address(_ask(file, start=done))) as answer:
            if answer.status != http.HTTPStatus.PARTIAL_CONTENT:
                done = 0
            total = _find_total(answer, done=done)
            _refuse_more(file, part, total or 0)
            _append(answer, part, file=file, done=done, say=lambda n: report and report(file.name, n, total))
    except urllib.error.HTTPError as error:
        if error.code == http.HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE and done:
            return  # all bytes are there: an earlier run was stopped just before the checksum
        raise DataError(f"{file.url} cannot be downloaded: {error.code} {error.reason}") from error
    except (OSError, http.client.HTTPException) as error:
        raise DataError(f"{file.url} cannot be downloaded: {error}; run the same command again to resume") from error
    found = part.stat().st_size
    if total is not None and found < total:
        raise DataError(f"{file.url} stopped after {found} of {total} bytes; run the same command again to resume")


def _ask(file: File, *, start: int) -> urllib.request.Request:
    headers = {"User-Agent": "angularpu", **({"Range": f"bytes={start}-"} if start else {})}
    return urllib.request.Request(str(file.url), headers=headers)


def _find_total(answer: Any, *, done: int) -> int | None:
    """Return how many bytes the file will have in the end, if the server says so."""
    length = answer.headers.get("Content-Length", "")
    return done + int(length) if length.isascii() and length.isdigit() else None


def _refuse_more(file: File, part: Path, size: int) -> None:
    """Stop, and forget what came, when a server sends more than the official file has."""
    most = file.most or MOST
    if size > most:
        part.unlink(missing_ok=True)
        raise DataError(f"{file.url} sends more than the {most:,} bytes that the official file has; try again later")


def _append(answer: Any, part: Path, *, file: File, done: int, say: Callable[[int], object]) -> None:
    with part.open("r+b" if done else "wb") as out:
        out.seek(done)
        while block := answer.read(_BLOCK):
            _refuse_more(file, part, done + len(block))
            done += out.write(block)
            say(done)
        out.flush()
        os.fsync(out.fileno())
