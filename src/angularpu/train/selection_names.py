"""The rules that may choose the epoch, by name: light, so that an experiment can be read without torch."""

from typing import Literal

Selection = Literal["pu-auc", "proxy-accuracy", "pu-risk", "last", "oracle"]
NEEDS_PRIOR: tuple[Selection, ...] = ("proxy-accuracy", "pu-risk")
