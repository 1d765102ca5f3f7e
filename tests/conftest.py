"""Tensor shapes in signatures are checked while testing, and only then."""

from jaxtyping import install_import_hook

install_import_hook(
    ["angularpu.geometry", "angularpu.losses", "angularpu.nets", "angularpu.algorithms"],
    "beartype.beartype(conf=beartype.BeartypeConf(is_pep484_tower=True))",  # an int may stand for a float
)
