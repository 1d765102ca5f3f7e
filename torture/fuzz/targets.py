"""Every reader: how input for it is made, and how it is read."""

import hashlib
import json
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from angularpu.cli.main import main
from angularpu.cli.settings import parse_settings
from angularpu.data.prepare.preparation import fit_preparation
from angularpu.data.sources import as_rows
from angularpu.decide.rules import parse_rule
from angularpu.model.directory import read_model
from angularpu.nets.build import build
from angularpu.nets.weights import load_weights
from angularpu.scenario.sample_file import read_sample
from angularpu_bench.catalogue.cifar import read_batch
from angularpu_bench.catalogue.mnist import read_idx
from angularpu_bench.catalogue.svhn import read_digits
from angularpu_bench.run.store import Store
from angularpu_bench.spec.grid import expand
from angularpu_bench.spec.spec_file import read_spec
from torture.children import told
from torture.flows import BEGUN, MODEL, NEW, find_cell
from torture.fuzz import seeds
from torture.fuzz.mutations import damage, edit_json, edit_tensors
from torture.kinds import SPARSE, Kind, draw_sparse

Files = dict[str, bytes]  # an input: what lies in its folder, by path
JSON, TENSORS = "model.json", "model.safetensors"


@dataclass(frozen=True)
class Target:
    """A reader under fire.

    Attributes
    ----------
    name : str
    share : int
        How many inputs it gets, of a thousand.
    make : callable
        Takes a generator of random numbers and returns the files of an input.
    read : callable
        Takes the folder of an input and reads it; returns an exit code. What it may raise is turned into one already.
    kind : str
        The kind of model, if it is one.
    """

    name: str
    share: int
    make: Callable[[random.Random], Files]
    read: Callable[[Path], int]
    kind: str = ""


def list_targets(shared: Path, canary: Path, *, kinds: Sequence[Kind]) -> list[Target]:
    """List every reader; ``canary`` is a directory that appears if anything in an input is run."""
    tables, network = shared / NEW / "mean of folds", shared / NEW / "network"
    csv, parquet = seeds.list_csv(shared), seeds.list_parquet()
    npy, npz = seeds.list_npy(canary), seeds.list_npz(canary)

    def archive(rng: random.Random) -> bytes:
        chosen, change = rng.choice(npz), lambda content: damage(content, rng, other=rng.choice(npy))
        return seeds.repack(chosen, change) if rng.random() < 0.6 else change(chosen)

    models = [target for kind in kinds for target in _list_models(kind, shared)]
    return [
        *models,
        Target(
            "CSV",
            130,
            lambda rng: {"x.csv": damage(rng.choice(csv), rng, other=rng.choice(csv))},
            _read_rows("x.csv", tables),
        ),
        Target(
            "Parquet",
            130,
            lambda rng: {"x.parquet": damage(rng.choice(parquet), rng, other=rng.choice(parquet))},
            _read_rows("x.parquet", tables),
        ),
        Target(
            "npy",
            80,
            lambda rng: {"x.npy": damage(rng.choice(npy), rng, other=rng.choice(npy))},
            _read_rows("x.npy", network),
        ),
        Target("npz", 110, lambda rng: {"x.npz": archive(rng)}, _read_rows("x.npz", network)),
        _target_weights(canary),
        _target_official(canary),
        Target("experiment", 40, lambda rng: {"x.toml": damage(rng.choice(seeds.list_specs()), rng)}, _read_spec),
        _target_cell(shared),
        Target("words", 80, _make_words, _read_words),
    ]


def _read_rows(name: str, model: Path) -> Callable[[Path], int]:
    """Read a file as fit does up to the training, and score it."""

    def read(folder: Path) -> int:
        path, out = folder / name, folder / "out.csv"

        def prepare() -> None:
            label = None if name.endswith(".npy") else "s"
            other = {"unlabelled": path} if label is None else {"label": label}
            sample, _ = read_sample(path, scenario="one-sample", ids=(), **other)
            sample.rows.fingerprint()
            fit_preparation(sample.rows).apply(next(iter(sample.rows.chunks(64))))

        return max(told(prepare), main(["score", str(model), str(path), "--out", str(out)]))

    return read


def _list_models(kind: Kind, shared: Path) -> list[Target]:
    seed = {path.name: path.read_bytes() for path in (shared / NEW / kind.name).iterdir()}

    def read(folder: Path) -> int:
        model = folder / MODEL
        codes = [main(["info", str(model)]), main(["threshold", str(model), "--rule", "recall=0.9"])]
        if kind.data == SPARSE:
            return max(*codes, told(lambda: read_model(model).score(as_rows(draw_sparse()))))
        return max(*codes, main(["score", str(model), str(shared / kind.data), "--out", str(folder / "out.csv")]))

    return [
        Target(f"model: {kind.name}", 35, lambda rng: _forge(seed, rng), read, kind.name),
        Target(
            f"run begun: {kind.name}", 4, lambda rng: _damage_run(kind, shared, rng), _resume(kind, shared), kind.name
        ),
    ]


def _forge(seed: Files, rng: random.Random) -> Files:
    """Forge a model; mostly its checksums are made to fit again, as a forger would."""
    files = dict(seed)
    match rng.randrange(10):
        case 0:
            name = rng.choice(sorted(files))
            return {f"{MODEL}/{each}": damage(data, rng) if each == name else data for each, data in files.items()}
        case 1 | 2 | 3:
            files[TENSORS] = edit_tensors(files[TENSORS], rng)
        case 4:
            files[TENSORS] = damage(files[TENSORS], rng)
    content: Any = json.loads(files[JSON])
    if files[TENSORS] == seed[TENSORS] or rng.random() < 0.2:
        content = edit_json(content, rng)
    if isinstance(content, dict) and isinstance(content.get("checksums"), dict):
        content["checksums"] = {name: sum_ for name, sum_ in content["checksums"].items() if name != JSON}
        if TENSORS in content["checksums"]:
            content["checksums"][TENSORS] = hashlib.sha256(files[TENSORS]).hexdigest()
        content["checksums"][JSON] = hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
    files[JSON] = json.dumps(content).encode()
    return {f"{MODEL}/{name}": data for name, data in files.items()}


def _damage_run(kind: Kind, shared: Path, rng: random.Random) -> Files:
    """Damage one file of a run that was killed."""
    folder = shared / BEGUN / kind.name
    files = {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}
    name = rng.choice(sorted(files))
    if name.endswith(".safetensors") and rng.random() < 0.7:
        files[name] = edit_tensors(files[name], rng)
    elif name.endswith(".json") and rng.random() < 0.7:
        files[name] = json.dumps(edit_json(json.loads(files[name]), rng)).encode()
    else:
        files[name] = damage(files[name], rng)
    return files


def _resume(kind: Kind, shared: Path) -> Callable[[Path], int]:
    return lambda folder: kind.fit(shared, folder / MODEL, seed=1)


def _target_weights(canary: Path) -> Target:
    encoder = build("vgg11_bn", (3, 32, 32), d=2)
    known = seeds.list_weights(canary)

    def make(rng: random.Random) -> Files:
        suffix, data = rng.choice(known)
        return {
            f"x{suffix}": edit_tensors(data, rng)
            if suffix == ".safetensors" and rng.random() < 0.5
            else damage(data, rng)
        }

    return Target("weights", 40, make, lambda folder: told(lambda: load_weights(encoder, next(folder.iterdir()))))


def _target_official(canary: Path) -> Target:
    known = seeds.list_official(canary)

    def make(rng: random.Random) -> Files:
        name, data = rng.choice(known)
        return {name: damage(data, rng, other=rng.choice(known)[1])}

    def read(folder: Path) -> int:
        path = next(folder.iterdir())
        reader = read_digits if path.suffix == ".mat" else read_batch if "batch" in path.name else read_idx
        return told(lambda: reader(path))

    return Target("official files", 90, make, read)


def _read_spec(folder: Path) -> int:
    return told(lambda: expand(read_spec(folder / "x.toml")))


def _target_cell(shared: Path) -> Target:
    cell = find_cell()
    record = Store(shared / "runs").path(cell).relative_to(shared) / "cell.json"
    content = (shared / record).read_bytes()
    spec = (shared / "tiny.toml").read_bytes()

    def make(rng: random.Random) -> Files:
        edited = json.dumps(edit_json(json.loads(content), rng)).encode()
        return {"tiny.toml": spec, str(record): edited if rng.random() < 0.6 else damage(content, rng)}

    def read(folder: Path) -> int:
        results = ["--runs", str(folder / "runs"), "--results", str(folder / "results")]
        return main(["bench", "collect", str(folder / "tiny.toml"), *results])

    return Target("cell of an experiment", 20, make, read)


def _make_words(rng: random.Random) -> Files:
    known = (
        b"recall=0.9",
        b"precision=0.5",
        b"pu-f1,prior=0.6",
        b"epochs=5",
        b"kappa=1e-3",
        b"encoder=linear",
        b"weight=none",
    )
    return {"words": damage(rng.choice(known), rng, other=rng.choice(known))}


def _read_words(folder: Path) -> int:
    text = (folder / "words").read_bytes().decode("utf-8", "surrogateescape")
    return max(told(lambda: parse_rule(text)), told(lambda: parse_settings([text], method="angular")))
