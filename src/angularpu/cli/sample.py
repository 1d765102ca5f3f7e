"""The sample that the arguments of a command name, and what to tell its user about the labels."""

import shlex
import warnings
from pathlib import Path
from typing import Any

from angularpu.errors import LONGEST_MESSAGE, LabellingWarning, cut
from angularpu.progress import tell
from angularpu.scenario.sample import PUSample, Scenario
from angularpu.scenario.sample_file import read_sample


def read_labelled(
    data: Path, *, label: str, positive: str | None, ids: list[str], scenario: Scenario
) -> tuple[PUSample, tuple[Any, Any]]:
    """Read rows and labels from one file; a warning about the labels is printed with the option that corrects it."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", LabellingWarning)
        sample, classes = read_sample(data, label=label, positive=positive, ids=ids, scenario=scenario)
    for each in caught:
        if issubclass(each.category, LabellingWarning):
            text = str(each.message).removesuffix(f"positive={classes[0]!r}")
            tell(cut(f"Warning: {text}--positive {shlex.quote(str(classes[0]))}", LONGEST_MESSAGE))
        else:
            warnings.warn_explicit(each.message, each.category, each.filename, each.lineno)
    return sample, classes
