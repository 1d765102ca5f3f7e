"""Tensor shapes in signatures are checked while testing, and only then."""

from jaxtyping import install_import_hook

install_import_hook(
    ["angularpu.geometry", "angularpu.losses", "angularpu.nets", "angularpu.algorithms"], "beartype.beartype"
).install()
