"""Everything that writes: what stands there before, what is run, and which names it gives."""

import shutil
import tomllib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from sklearn.linear_model import LogisticRegression

from angularpu.cli.main import main
from angularpu.figures.priors import save_prior_figure
from angularpu.fit.prior_estimation import estimate_prior
from angularpu.model.directory import read_model, save
from angularpu.scenario.sample import make_sample
from angularpu_bench.run.store import Store
from angularpu_bench.spec.grid import Cell, expand
from angularpu_bench.spec.spec_file import parse_spec
from torture.children import MISTAKE, run, told
from torture.injector import Fault, arm, disarm, refuse_exchange
from torture.kinds import ARRAYS, Kind, draw
from torture.steps import list_steps

MODEL = "m"
OLD, NEW, BEGUN = "old", "new", "begun"  # where models of each kind lie, with seeds 0 and 1, and a run of seed 1 begun
SPEC = 'seeds = 1\nmethods = ["naive"]\nbudget = {epochs = 1}\ndatasets = [{name = "gaussians", track = "table"}]\n'


@dataclass(frozen=True)
class Flow:
    """Something that writes.

    Attributes
    ----------
    name : str
    finals : tuple of str
        The names that a user sees; each is the old thing, the new thing, or absent as before, at any moment.
    run : callable
        Takes the folder; what it leaves there is the same each time. Returns the exit code.
    prepare : callable
        Takes an empty folder and puts there what stood before.
    kind : str
        The kind of model that it writes, if it writes one.
    refuses_again : bool
        Whether, run again after it was done, it says that the result is there already.
    """

    name: str
    finals: tuple[str, ...]
    run: Callable[[Path], int]
    prepare: Callable[[Path], object] = lambda folder: None
    kind: str = ""
    refuses_again: bool = False


def list_flows(shared: Path, kinds: Sequence[Kind]) -> list[Flow]:
    """List every flow; ``shared`` is a folder that :func:`make_models` has filled."""
    network, picture = shared / NEW / "network", partial(_write_old, names=("p.svg", "p.csv"))
    priors = [
        estimate_prior(make_sample(*draw(), scenario="one-sample"), "elkan_noto", classifier=LogisticRegression())
    ]
    cell = str(Store(Path("runs")).path(find_cell()))
    collect = ["bench", "collect", str(shared / "tiny.toml"), "--runs", str(shared / "runs"), "--results"]
    return [
        *(flow for kind in kinds for flow in _list_of_kind(kind, shared)),
        *(
            Flow(
                f"scores as {name}",
                (out,),
                partial(_score, network, shared / ARRAYS, out),
                partial(_write_old, names=(out,)),
            )
            for name, out in (("CSV", "scores.csv"), ("Parquet", "scores.parquet"))
        ),
        Flow(
            "picture of priors",
            ("p.svg", "p.csv"),
            lambda folder: told(lambda: save_prior_figure(folder / "p.svg", priors)),
            picture,
        ),
        Flow(
            "picture of sensitivity",
            ("p.svg", "p.csv"),
            lambda folder: main(["threshold", str(network), "--sensitivity", str(folder / "p.svg")]),
            picture,
        ),
        *(
            Flow(
                f"{flow.name} where names cannot be exchanged",
                flow.finals,
                partial(_without_exchange, flow.run),
                flow.prepare,
            )
            for flow in _list_of_kind(kinds[0], shared)
            if flow.name in {"fit", "save"}
        ),
        Flow("a cell of an experiment", (cell,), lambda folder: told(lambda: keep_cell(folder / "runs"))),
        Flow("a table of results", ("results/tiny.csv",), lambda folder: main([*collect, str(folder / "results")])),
    ]


def make_models(shared: Path, kinds: Sequence[Kind]) -> None:
    """Fit every kind with two seeds, begin a fit that is killed half-way, and keep a cell."""
    for place in (OLD, NEW, BEGUN):
        (shared / place).mkdir()
    for kind in kinds:
        for seed, place in enumerate((OLD, NEW)):
            ended = run(partial(kind.fit, shared, shared / place / kind.name, seed=seed))
            if ended.code:
                raise SystemExit(f"{kind.name} cannot be fitted: {ended.said}")
        _begin(kind, shared)
    (shared / "tiny.toml").write_text(SPEC)
    keep_cell(shared / "runs")


def copy_model(model: Path, folder: Path) -> None:
    """Put a copy of a model into a folder."""
    shutil.copytree(model, folder / MODEL)


def find_cell() -> Cell:
    """Return the one cell of a tiny experiment."""
    return expand(parse_spec(tomllib.loads(SPEC), name="tiny"))[0]


def keep_cell(runs: Path) -> None:
    """Keep a finished cell of an experiment."""
    history = [{"stage": "training", "epoch": 1, "objective": 0.5}]
    Store(runs).write(
        find_cell(), {"metrics": {"auc": 0.5}}, history=history, scores={"test": np.zeros(10, np.float32)}
    )


def _begin(kind: Kind, shared: Path) -> None:
    """Kill a fit in the middle of its last checkpoint but one, or half-way where it keeps none."""
    folder = shared / BEGUN / kind.name
    folder.mkdir()
    steps = list_steps(partial(kind.fit, shared, folder / MODEL, seed=1), folder)
    shutil.rmtree(folder / MODEL)
    kept = [n for n, step in enumerate(steps, 1) if step.startswith("rename") and step.endswith(".safetensors")]
    at = kept[-1] if kept else len(steps) // 2

    def interrupt() -> int:
        arm(folder, at, Fault.kill)
        return kind.fit(shared, folder / MODEL, seed=1)

    run(interrupt)


def _list_of_kind(kind: Kind, shared: Path) -> list[Flow]:
    old, new = shared / OLD / kind.name, shared / NEW / kind.name
    stood = partial(copy_model, old)
    fit = partial(_fit, kind, shared)

    def begin(folder: Path) -> None:
        shutil.copytree(shared / BEGUN / kind.name, folder, dirs_exist_ok=True)

    def write(folder: Path) -> int:
        return told(lambda: save(read_model(new), folder / MODEL, overwrite=True))

    def insist(folder: Path) -> int:
        """Save, and if that fails once more in the same process."""
        if write(folder) != MISTAKE:
            return 0
        disarm()
        return write(folder)

    return [
        Flow("fit", (MODEL,), partial(fit, force=True), stood, kind.name),
        Flow("resume", (MODEL,), fit, begin, kind.name, refuses_again=True),
        Flow("save", (MODEL,), insist, stood, kind.name),
        Flow(
            "threshold",
            (MODEL,),
            lambda folder: main(["threshold", str(folder / MODEL), "--rule", "recall=0.9"]),
            stood,
            kind.name,
        ),
    ]


def _fit(kind: Kind, shared: Path, folder: Path, *, force: bool = False) -> int:
    return kind.fit(shared, folder / MODEL, seed=1, force=force)


def _without_exchange(task: Callable[[Path], int], folder: Path) -> int:
    refuse_exchange()
    return task(folder)


def _score(model: Path, data: Path, out: str, folder: Path) -> int:
    return main(["score", str(model), str(data), "--id", "key", "--force", "--out", str(folder / out)])


def _write_old(folder: Path, *, names: tuple[str, ...]) -> None:
    for name in names:
        (folder / name).write_text("old")
