"""The JSON of an audit: the draw in exact numbers, which nobody edits."""

import base64
import binascii
import hashlib
import json
import zlib
from pathlib import Path
from typing import Any

import numpy as np

from angularpu import files
from angularpu.audit.draw import Audit
from angularpu.errors import DataError

FORMAT = 1
LARGEST_HEAP = 2**31
INTEGERS = ("row", "number")


def dump_audit(audit: Audit) -> dict[str, Any]:
    """Return an audit as a dictionary of JSON types, with a checksum.

    The strata of all rows of the heap are packed, a byte each before compression: another model of the same rows
    needs them.
    """
    content = {
        "format": FORMAT,
        **{name: getattr(audit, name).tolist() for name in (*INTEGERS, "cut", "above")},
        "score": audit.score.astype(float).tolist(),
        "member": base64.b64encode(zlib.compress(audit.member.astype(np.uint8).tobytes(), 9)).decode("ascii"),
        "rows": len(audit.member),
        "strata": [
            {"rows": int(size), "drawn": int(np.count_nonzero(audit.stratum == h))} for h, size in enumerate(audit.size)
        ],
        **{name: getattr(audit, name) for name in ("n_known", "seed", "model", "data")},
    }
    return {**content, "checksum": _checksum(content)}


def restore_audit(path: Path) -> Audit:
    """Read the JSON of an audit, refusing one that was changed."""
    try:
        content = files.read_json(path)
        checksum = content.pop("checksum")
        sound = checksum == _checksum(content)
    except (ValueError, KeyError, AttributeError, TypeError):
        raise DataError(f"{path} is not the JSON of an audit; bring back the one that audit wrote") from None
    if not sound:
        raise DataError(f"{path} was changed after audit wrote it; bring back the one that it wrote")
    if content["format"] != FORMAT:
        raise DataError(f"{path} has audit format {content['format']}, this version reads {FORMAT}; update angularpu")
    try:
        return _assemble(content)
    except (ValueError, KeyError, TypeError, IndexError, OverflowError, zlib.error, binascii.Error):
        raise DataError(f"{path} holds numbers that no audit has; bring back the one that audit wrote") from None


def _assemble(content: dict[str, Any]) -> Audit:
    rows = int(content["rows"])
    if not 0 < rows < LARGEST_HEAP:
        raise ValueError
    # No more is unpacked than the heap has rows, whatever the file claims.
    packed = base64.b64decode(content["member"], validate=True)
    member = np.frombuffer(zlib.decompressobj().decompress(packed, rows + 1), np.uint8).astype(np.int64)
    row, number = (np.array(content[name], np.int64) for name in INTEGERS)
    score = np.array(content["score"], np.float32)
    cut, above = np.array(content["cut"], np.float64), np.array(content["above"], np.int64)
    size = np.bincount(member)
    sound = (
        len(member) == rows
        and len(row) == len(number) == len(score) == len(set(row.tolist())) == len(set(number.tolist())) > 0
        and row.min() >= 0
        and row.max() < rows
        and (np.diff(cut) > 0).all()
        and np.isfinite(cut).all()
        and np.isfinite(score).all()
        and above.shape == (len(size), len(cut))
        and (size > 0).all()
        and (np.diff(above, axis=1) <= 0).all()
        and (above[:, 0] == size).all()
        and (above[:, -1] == 0).all()
    )
    if not sound:
        raise ValueError
    named = {name: int(content[name]) for name in ("n_known", "seed")}
    return Audit(row, number, score, member, cut, above, **named, model=content["model"], data=content["data"])


def _checksum(content: dict[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
