"""The grid of cells that a spec expands to: data set x row of the table x seed."""

import dataclasses
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from angularpu.checks import suggest
from angularpu.errors import SettingError
from angularpu.methods.presets import find_preset
from angularpu.methods.table import find_method
from angularpu.train.selection_names import NEEDS_PRIOR
from angularpu_bench.spec.bases import uses_trees
from angularpu_bench.spec.checks import check_encoder
from angularpu_bench.spec.protocol import ENCODERS, LABELLED, SINGLE
from angularpu_bench.spec.spec import DatasetChoice, Spec, Variant

PROTOCOL = 1  # raise it whenever cells of any method would give other numbers
# Raise a method's own number whenever its cells alone would give other numbers; methods without one are at their first.
REVISIONS: Mapping[str, int] = MappingProxyType(
    {
        "apu": 2,  # the sigmoid loss
        "dense_pu": 2,  # the distance is a share of the row
        "gradient_boosting": 2,  # it learns from three unlabelled rows per labelled positive
        "ensemble": 2,  # boosting is a member
        "oracle_ensemble": 2,
    }
)
Place = tuple[str, str, str]  # track, data set, method
Chosen = Mapping[Place, Mapping[str, Any]]
NOTHING_CHOSEN: Chosen = MappingProxyType({})
NOT_HASHED = ("spec", "variant")  # what a cell is called; its numbers do not depend on it


@dataclass(frozen=True)
class Cell:
    """One fit, with every setting that its numbers depend on.

    Attributes
    ----------
    spec, variant : str
        Its names in tables of results.
    track, dataset, method : str
    seed : int
        Seed of the labels, the held-out rows and the network.
    preset : str
    options : mapping of str to object
        Everything that differs from the package's defaults.
    labelled : int or float
        Number of labelled positives, or the share of positives that is labelled.
    unlabelled : int or None
    alpha : float or None
    scenario : str
    prior : "true", "bbe" or None
        The share of positives that the method is given, the true one or an estimate; None if it needs none.
    threshold : str
    backbone : str or None
        The network of the frozen features; None on other tracks.
    input_size : int or None
    boosting_rounds : int or None
        For classical methods with boosted trees.
    labelling : {"random", "score"}
    """

    spec: str
    track: str
    dataset: str
    method: str
    variant: str
    seed: int
    preset: str
    options: Mapping[str, Any]
    labelled: int | float
    unlabelled: int | None
    alpha: float | None
    scenario: str
    prior: str | None
    threshold: str
    backbone: str | None
    input_size: int | None
    boosting_rounds: int | None
    labelling: str = "random"

    def to_json(self) -> dict[str, Any]:
        """Return the cell as a dictionary of JSON types."""
        return {**dataclasses.asdict(self), "options": dict(self.options)}

    @property
    def hash(self) -> str:
        """Eight digits of a checksum of everything that the numbers depend on."""
        content = {name: value for name, value in self.to_json().items() if name not in NOT_HASHED}
        if self.labelling == "random":  # as it was before there was a choice, so that hashes stay as committed
            del content["labelling"]
        if self.method in REVISIONS:  # only then, so that the other methods' hashes stay as committed
            content["revision"] = REVISIONS[self.method]
        text = json.dumps({"protocol": PROTOCOL, **content}, sort_keys=True)
        return hashlib.sha256(text.encode()).hexdigest()[:8]

    @property
    def key(self) -> tuple[str, str, str, str, int, str]:
        """What identifies its row in a table of results."""
        return (self.track, self.dataset, self.method, self.variant, self.seed, self.hash)

    def __str__(self) -> str:
        row = f"{self.method} {self.variant}" if self.variant else self.method
        return f"{self.track} {self.dataset} {row} seed {self.seed}"


def expand(spec: Spec, chosen: Chosen = NOTHING_CHOSEN) -> list[Cell]:
    """List the cells of a spec by data set, and within a data set by seed.

    Parameters
    ----------
    spec : Spec
    chosen : mapping of (track, data set, method) to mapping
        Options that another spec's results chose; they override budgets and presets, and a row's own options override
        them.

    Examples
    --------
    >>> from angularpu_bench.spec.spec_file import parse_spec
    >>> table = {"seeds": 2, "methods": ["angular", "nnpu"], "datasets": [{"name": "spam", "track": "table"}]}
    >>> for cell in expand(parse_spec(table, name="tiny")):
    ...     print(cell)
    table spam angular seed 0
    table spam nnpu seed 0
    table spam angular seed 1
    table spam nnpu seed 1
    """
    rows = spec.list_rows()
    cells = [
        _resolve(spec, choice, row, seed=seed, chosen=chosen)
        for choice in spec.datasets
        for seed in spec.seeds
        for row in rows
    ]
    seen: dict[tuple[Any, ...], Cell] = {}
    for cell in cells:
        name = cell.key[:-1]
        if name in seen:
            raise SettingError(f"{cell} appears twice; give one of its variants another name")
        seen[name] = cell
    return cells


def choose(cells: Sequence[Cell], only: Sequence[str]) -> list[Cell]:
    """Return the cells that the words select by track, data set, method or variant, or by ``seed=0``.

    Words of one kind are alternatives: ``nnpu vpu spam`` selects both methods, on one data set.
    """
    wanted: dict[str, set[str]] = {}
    for word in only:
        kinds = [kind for kind in ("track", "dataset", "method", "variant") if word in _values(cells, kind)]
        if word.startswith("seed=") and word[5:] in _values(cells, "seed"):
            kinds, word = ["seed"], word[5:]
        if not kinds:
            known = sorted(set().union(*(_values(cells, kind) for kind in ("track", "dataset", "method", "variant"))))
            raise SettingError(
                f"no cell has {word!r} as its data set, method, variant or track; {suggest(word, known)}"
            )
        wanted.setdefault(kinds[0], set()).add(word)
    chosen = [cell for cell in cells if all(str(getattr(cell, kind)) in words for kind, words in wanted.items())]
    if not chosen:
        asked = "; ".join(f"{kind} {' or '.join(sorted(words))}" for kind, words in wanted.items())
        raise SettingError(f"no cell matches all of these words together: {asked}; leave one out")
    return chosen


def _values(cells: Sequence[Cell], kind: str) -> set[str]:
    return {str(getattr(cell, kind)) for cell in cells} - {""}


def _resolve(spec: Spec, choice: DatasetChoice, row: Variant, *, seed: int, chosen: Chosen) -> Cell:
    """Make a cell; a narrower setting overrides a wider one."""
    card = find_method(row.method)
    options: dict[str, Any] = {}
    if card.is_neural:
        budget = {**spec.budget.options(), **choice.budget.options()}
        options = {"encoder": ENCODERS[choice.track], **budget, **find_preset(row.preset).options}
        # The runner holds rows out in its own way, and trains one network, unless a spec says otherwise, whatever a
        # preset has: so it was when the committed results were made, and their hashes know of neither.
        for name in ("validation", *SINGLE):
            options.pop(name, None)
    options |= chosen.get((choice.track, choice.name, row.method), {})
    options |= {**spec.options.get(row.method, {}), **row.options}
    if card.is_neural:
        check_encoder(options["encoder"], choice.track)
    draw = {"unlabelled": None, "alpha": None, **choice.drawn(), **row.drawn()}
    if "labelled" not in draw:
        if choice.name not in LABELLED:
            raise SettingError(f"the number of labelled rows of {choice.name!r} is not known; set labelled")
        draw["labelled"] = LABELLED[choice.name]
    needs_prior = "prior" in card.traits or options.get("selection") in NEEDS_PRIOR
    frozen = choice.track == "features"
    return Cell(
        spec=spec.name,
        track=choice.track,
        dataset=choice.name,
        method=row.method,
        variant=row.name,
        seed=seed,
        preset=row.preset,
        options=options,
        scenario=spec.scenario,
        labelling=spec.labelling,
        prior=spec.prior if needs_prior else None,
        threshold=spec.threshold,
        backbone=spec.backbone if frozen else None,
        input_size=spec.input_size if frozen else None,
        boosting_rounds=spec.boosting_rounds if uses_trees(row.method, choice.track) else None,
        **draw,
    )
