"""Find tumours with 50 known ones and no benign case: AngularPU beside the naive and the fully supervised end.

The data are the 569 biopsies of the Wisconsin breast cancer set, which comes with scikit-learn. 50 of the malignant
ones in the training half are labelled, every other row is unlabelled; the truth is used to score the test half only.
"""

import argparse
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from sklearn.base import ClassifierMixin
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split

from angularpu import (
    AngularPUClassifier,
    NaiveClassifier,
    OraclePNClassifier,
    PUSample,
    Truth,
    as_rows,
    evaluate,
    one_sample,
    supervised_sample,
)
from angularpu.figures import save_score_figure

LABELLED = 50
SEEDS = 5
METRICS = ("auc", "ap", "f1", "precision", "recall")


def split(seed: int) -> tuple[PUSample, Truth, np.ndarray, Truth]:
    biopsies = load_breast_cancer(as_frame=True)
    malignant = (biopsies.target == 0).to_numpy(np.int8)
    x, x_test, y, y_test = train_test_split(
        biopsies.data, malignant, test_size=0.5, random_state=seed, stratify=malignant
    )
    sample, truth = one_sample(as_rows(x), Truth(y), n_labelled=LABELLED, rng=np.random.default_rng(seed))
    return sample, truth, x_test, Truth(y_test)


def fit_all(seed: int) -> tuple[dict[str, ClassifierMixin], dict[str, dict[str, float]], Truth]:
    sample, truth, x_test, test_truth = split(seed)
    fitted = {
        "naive: unlabelled = negative": NaiveClassifier(random_state=seed).fit(sample),
        "AngularPU": AngularPUClassifier(random_state=seed).fit(sample),
        "supervised, all labels (oracle)": OraclePNClassifier(random_state=seed).fit(supervised_sample(sample, truth)),
    }
    measured = {
        name: evaluate(test_truth, model.score_samples(x_test), threshold=model.threshold_)
        for name, model in fitted.items()
    }
    return fitted, measured, truth.take(sample.unl)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("demo-out"), help="directory for the model and the picture")
    out = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    runs = [fit_all(seed) for seed in track(range(SEEDS), "Fitting", console=Console(stderr=True), transient=True)]

    table = Table(title=f"{LABELLED} known tumours, no known benign case: test half, mean of {SEEDS} seeds")
    for column in ("method", *METRICS):
        table.add_column(column, justify="left" if column == "method" else "right")
    for name in runs[0][1]:
        cells = ([measured[name][metric] for _, measured, _ in runs] for metric in METRICS)
        table.add_row(name, *(f"{np.mean(values):.3f} ± {np.std(values, ddof=1):.3f}" for values in cells))
    console = Console(width=120)
    console.print(table)

    model, truth_unl = runs[0][0]["AngularPU"], runs[0][2]
    decision = model.decision_
    console.print(
        f"Seed 0 cuts at {decision.threshold:.3f} (rule {decision.rule}). Estimated without a negative: recall "
        f"{decision.recall:.2f} ({decision.recall_low:.2f} to {decision.recall_high:.2f}), precision "
        f"{decision.precision:.2f} ({decision.precision_low:.2f} to {decision.precision_high:.2f})."
    )
    save_score_figure(
        out / "scores.svg",
        score_pos=model.fitted_.held.score_pos,
        score_unl=model.fitted_.held.score_unl,
        threshold=decision.threshold,
        y_unl=truth_unl.y,
    )
    model.save(out / "model", overwrite=True)
    console.print(f"Model in {out / 'model'}, picture in {out / 'scores.svg'}.")


if __name__ == "__main__":
    main()
