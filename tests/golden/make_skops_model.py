"""How `skops/model` was written, at commit 8344162, the last one whose classifiers were stored with skops."""

import json
from pathlib import Path

import numpy as np
from sklearn.ensemble import HistGradientBoostingClassifier

import angularpu


def main() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 100)
    x = (rng.normal(size=(200, 3)) + 2 * y[:, None]).round(3)
    s = y * (rng.random(200) < 0.4)
    base = HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=5)
    model = angularpu.BaggingPUClassifier(rounds=2, base=base).fit(x, s)
    folder = Path(__file__).parent / "skops"
    model.save(folder / "model")
    expected = {
        "rows": x[:8].tolist(),
        "scores": model.score_samples(x[:8]).tolist(),
        "threshold": model.threshold_,
        "predictions": model.predict(x[:8]).tolist(),
    }
    (folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
