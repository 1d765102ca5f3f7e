"""Find tumours with 50 known ones and no benign case: AngularPU beside the naive and the fully supervised end.

The data are the 569 biopsies of the Wisconsin breast cancer set, which comes with scikit-learn. 50 of the malignant
ones in the training half are labelled, every other row is unlabelled. The true classes are used to measure the scores
of the test half and to draw the picture; of the three methods, only the supervised one learns from them.
"""

import argparse
from pathlib import Path
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from rich.console import Console
from rich.progress import track
from rich.table import Table

import angularpu  # nothing heavy is imported before it is used, so the first line of output comes at once

LABELLED = 50
NAIVE, OURS, SUPERVISED = METHODS = ("naive: unlabelled = negative", "AngularPU", "supervised, all labels (oracle)")
METRICS = ("auc", "ap", "f1", "precision", "recall")
PROCESSES = 2


def split(seed: int) -> tuple[Any, np.ndarray, np.ndarray, Any, np.ndarray]:
    """Return training rows, their true classes and their labels; then test rows and their true classes."""
    from sklearn.datasets import load_breast_cancer
    from sklearn.model_selection import train_test_split

    biopsies = load_breast_cancer(as_frame=True)
    malignant = (biopsies.target == 0).to_numpy(np.int8)
    x, x_test, y, y_test = train_test_split(
        biopsies.data, malignant, test_size=0.5, random_state=seed, stratify=malignant
    )
    rng = np.random.default_rng(seed)
    sample, _ = angularpu.one_sample(angularpu.as_rows(x), angularpu.Truth(y), n_labelled=LABELLED, rng=rng)
    return x, y, sample.s, x_test, y_test


def fit(method: str, seed: int, *, out: Path) -> tuple[Any, dict[str, float]]:
    """Fit one network of a method; return where it cuts and what the test half says of it."""
    x, y, s, x_test, y_test = split(seed)
    single = {"refit": True, "random_state": seed}
    if method == NAIVE:
        model = angularpu.NaiveClassifier(**single).fit(x, s)
    elif method == OURS:
        model = angularpu.AngularPUClassifier(**single).fit(x, s)
    else:
        model = angularpu.OraclePNClassifier(**single).fit(x, y)
    if (method, seed) == (OURS, 0):
        model.save(out / "model", overwrite=True)
        save_picture(out / "scores.svg", model, y_unl=y[s == 0])
    score = model.score_samples(x_test)
    return model.decision_, angularpu.evaluate(angularpu.Truth(y_test), score, threshold=model.threshold_)


def save_picture(path: Path, model: Any, *, y_unl: np.ndarray) -> None:
    """Draw the held-out scores with the threshold, and beside them what is true of the unlabelled rows."""
    from angularpu.figures import save_score_figure

    held = model.fitted_.held
    save_score_figure(path, score_pos=held.score_pos, score_unl=held.score_unl, threshold=model.threshold_, y_unl=y_unl)


def fit_all(seeds: int, *, out: Path) -> dict[tuple[str, int], tuple[Any, dict[str, float]]]:
    """Fit every method with every seed, each fit in one of two processes."""
    tasks = [(method, seed) for seed in range(seeds) for method in METHODS]
    fits = Parallel(n_jobs=PROCESSES, return_as="generator")(delayed(fit)(*task, out=out) for task in tasks)
    shown = track(fits, "Fitting", total=len(tasks), console=Console(stderr=True), transient=True)
    return dict(zip(tasks, shown, strict=True))


def make_table(measured: dict[str, list[dict[str, float]]], *, seeds: int) -> Table:
    mean = f"mean of {seeds} seeds" if seeds > 1 else "one seed"
    table = Table(title=f"{LABELLED} known tumours, no known benign case: test half, {mean}")
    for column in ("method", *METRICS):
        table.add_column(column, justify="left" if column == "method" else "right")
    for method, runs in measured.items():
        columns = [np.array([run[metric] for run in runs]) for metric in METRICS]
        deviations = [f" ± {values.std(ddof=1):.3f}" if seeds > 1 else "" for values in columns]
        table.add_row(method, *(f"{values.mean():.3f}{d}" for values, d in zip(columns, deviations, strict=True)))
    return table


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, default=Path("demo-out"), help="directory for the model and the picture")
    parser.add_argument("--seeds", type=int, default=4, help="how many splits into halves, each with labels of its own")
    arguments = parser.parse_args()
    out, seeds = arguments.out, arguments.seeds
    if seeds < 1:
        parser.error(f"--seeds must be at least 1, got {seeds}")
    console = Console(width=120)
    console.print(
        f"Fitting {len(METHODS)} methods to random halves of 569 biopsies (seeds: {seeds}). This takes half a minute."
    )
    out.mkdir(parents=True, exist_ok=True)
    fits = fit_all(seeds, out=out)
    measured = {method: [fits[method, seed][1] for seed in range(seeds)] for method in METHODS}
    console.print(make_table(measured, seeds=seeds))
    decision, _ = fits[OURS, 0]
    console.print(
        f"Seed 0 cuts at {decision.threshold:.3f} (rule {decision.rule}). Estimated without a negative: recall "
        f"{decision.recall:.2f} ({decision.recall_low:.2f} to {decision.recall_high:.2f}), precision at most "
        f"{decision.precision:.2f} and at least {decision.precision_low:.2f}."
    )
    console.print(f"Model in {out / 'model'}, picture in {out / 'scores.svg'}.")


if __name__ == "__main__":
    main()
