"""Where rows lie on the sphere around the prototype: their angles from it, and a flat map."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from angularpu.algorithms.angular import Angular
from angularpu.methods.ensemble_scorer import EnsembleScorer
from angularpu.methods.protocol import Scorer
from angularpu.train.fold_mean import FoldMean
from angularpu.train.scoring import NeuralScorer

Floats = NDArray[np.float32]
SAMPLE = 20_000  # rows that the map's directions are found from


@dataclass(frozen=True, eq=False)
class Sphere:
    """A network that places rows on a sphere.

    Attributes
    ----------
    scorer : NeuralScorer
    prototype : float32 array of shape (d,), or None
        None for a network of another method, which has none.
    whose : str
        Whose sphere it is, in a user's words.
    """

    scorer: NeuralScorer
    prototype: Floats | None
    whose: str

    def embed(self, prepared: Any) -> Floats:
        """Return unit vectors of prepared rows."""
        z = self.scorer.embed(prepared)
        unit: Floats = (z / np.maximum(np.linalg.norm(z, axis=1, keepdims=True), 1e-12)).astype(np.float32)
        return unit


def find_sphere(scorer: Scorer) -> Sphere | None:
    """Return the sphere of a model: of an ensemble that of its angular member; None where no network embeds rows."""
    if isinstance(scorer, EnsembleScorer):
        spheres = [
            _name(found, f"the member {member.description['name']}")
            for member in scorer.members
            if (found := find_sphere(member.mean)) is not None
        ]
        with_prototype = [sphere for sphere in spheres if sphere.prototype is not None]
        return next(iter(with_prototype or spheres), None)
    if isinstance(scorer, FoldMean):
        found = find_sphere(scorer.models[0])
        return None if found is None else _name(found, f"the first of {len(scorer.models)} models in folds")
    if not isinstance(scorer, NeuralScorer):
        return None
    algorithm = scorer.algorithm
    prototype = algorithm.mu.detach().numpy()[0] if isinstance(algorithm, Angular) else None
    return Sphere(scorer, prototype, "the model")


def _name(sphere: Sphere, whose: str) -> Sphere:
    said = whose if sphere.whose == "the model" else f"{whose}, {sphere.whose}"
    return Sphere(sphere.scorer, sphere.prototype, said)


def measure_angles(z: Floats, prototype: Floats) -> Floats:
    """Return the angle of unit vectors from the prototype, in degrees.

    >>> measure_angles(np.eye(2, dtype=np.float32), np.array([1, 0], np.float32)).tolist()
    [0.0, 90.0]
    """
    unit = prototype / np.linalg.norm(prototype)
    angles: Floats = np.degrees(np.arccos(np.clip(z @ unit, -1, 1))).astype(np.float32)
    return angles


def draw_map(z: Floats, prototype: Floats) -> Floats:
    """Return a point of the plane for every unit vector, the prototype in the middle.

    The distance from the middle is the angle from the prototype, in degrees. The direction is that of the part across
    the prototype, in the plane of its two principal directions; other directions are lost, as on any map.

    Parameters
    ----------
    z : float32 array of shape (n, d)
    prototype : float32 array of shape (d,)

    Examples
    --------
    >>> point = draw_map(np.eye(3, dtype=np.float32), np.array([1, 0, 0], np.float32))
    >>> np.hypot(*point.T).round(3).tolist()
    [0.0, 90.0, 90.0]
    """
    unit = prototype / np.linalg.norm(prototype)
    across = z - np.outer(z @ unit, unit)
    length = np.linalg.norm(across, axis=1, keepdims=True)
    across = np.divide(across, length, out=np.zeros_like(across), where=length > 1e-6)
    some = across[np.linspace(0, len(z) - 1, min(len(z), SAMPLE)).astype(np.int64)].astype(np.float64)
    directions = np.linalg.eigh(some.T @ some)[1][:, :-3:-1]
    directions = directions * np.where(directions[np.abs(directions).argmax(axis=0), [0, 1]] < 0, -1, 1)
    plane = across @ directions.astype(np.float32)
    size = np.linalg.norm(plane, axis=1, keepdims=True)
    direction = np.divide(plane, size, out=np.zeros_like(plane), where=size > 0)
    points: Floats = (direction * measure_angles(z, prototype)[:, None]).astype(np.float32)
    return points
