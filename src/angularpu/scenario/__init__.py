"""Who got a label: samples of positives and unlabelled rows, with the truth kept apart."""

from typing import TYPE_CHECKING

from angularpu import export_lazily

if TYPE_CHECKING:
    from angularpu.scenario.labelling import label_at_random as label_at_random
    from angularpu.scenario.labelling import label_by_score as label_by_score
    from angularpu.scenario.labelling import label_by_subclass as label_by_subclass
    from angularpu.scenario.labels import encode_labels as encode_labels
    from angularpu.scenario.oracle import supervised_sample as supervised_sample
    from angularpu.scenario.proportions import Proportions as Proportions
    from angularpu.scenario.sample import PUSample as PUSample
    from angularpu.scenario.sample import Truth as Truth
    from angularpu.scenario.sample import make_sample as make_sample
    from angularpu.scenario.split import PUStratifiedKFold as PUStratifiedKFold
    from angularpu.scenario.split import folds as folds
    from angularpu.scenario.split import hold_out as hold_out
    from angularpu.scenario.split import plan_validation as plan_validation

__getattr__, __dir__, __all__ = export_lazily(
    __name__,
    {
        "labelling": ("label_at_random", "label_by_score", "label_by_subclass"),
        "labels": ("encode_labels",),
        "oracle": ("supervised_sample",),
        "proportions": ("Proportions",),
        "sample": ("PUSample", "Truth", "make_sample"),
        "split": ("PUStratifiedKFold", "folds", "hold_out", "plan_validation"),
    },
)
