"""Ranks that were started with different data, versions or settings are refused before anything is trained."""

import json
from collections.abc import Mapping

from angularpu.errors import SettingError
from angularpu.train.ranks.group import Ranks

FAILED = "error"


def agree(ranks: Ranks, run: Mapping[str, str]) -> None:
    """Compare what every rank was started with, and refuse to go on where they differ.

    Parameters
    ----------
    ranks : Ranks
    run : mapping of str to str
        What must be the same on all ranks, by what the user calls it, such as "data".
    """
    runs = _exchange(ranks, run)
    try:
        compare(runs)
    except SettingError:
        ranks.started = True  # every rank ends here, and none waits
        raise


def report_failure(ranks: Ranks, reason: str) -> None:
    """Take this rank's part in the comparison although it failed before that."""
    _exchange(ranks, {FAILED: reason})


def compare(runs: list[dict[str, str]]) -> None:
    """Refuse runs that differ from the first, or of which one has failed.

    Examples
    --------
    >>> compare([{"data": "a"}, {"data": "a"}])
    >>> compare([{"data": "a"}, {"data": "b"}])
    Traceback (most recent call last):
    angularpu.errors.SettingError: rank 1 was started with other data than rank 0 (b, not a); start all with the same
    >>> compare([{"data": "a"}, {"error": "data.csv: No such file"}])
    Traceback (most recent call last):
    angularpu.errors.SettingError: rank 1: data.csv: No such file
    """
    for number, run in enumerate(runs):
        if FAILED in run:
            raise SettingError(f"rank {number}: {run[FAILED]}")
    for number, run in enumerate(runs):
        for name, value in run.items():
            if value != runs[0][name]:
                raise SettingError(
                    f"rank {number} was started with other {name} than rank 0 ({value}, not {runs[0][name]}); start "
                    "all with the same"
                )


def _exchange(ranks: Ranks, run: Mapping[str, str]) -> list[dict[str, str]]:
    ranks.agreed = True
    return [json.loads(text) for text in ranks.exchange(json.dumps(dict(run)))]
