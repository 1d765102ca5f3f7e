"""How `sparse/model` was written, at commit b5f732a, the last one whose networks took sparse rows as dense ones."""

import json
from pathlib import Path

import numpy as np
import scipy.sparse as sp

import angularpu


def main() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 100)
    x = rng.poisson(np.where(y[:, None] == 1, np.linspace(0.1, 1, 12), np.linspace(1, 0.1, 12)))
    s = y * (rng.random(200) < 0.4)
    model = angularpu.AngularPUClassifier(encoder="linear", d=8, epochs=5, learning_rate=0.01)
    model.fit(sp.csr_matrix(x.astype(np.float64)), s)
    folder = Path(__file__).parent / "sparse"
    model.save(folder / "model")
    rows = sp.csr_matrix(x[:8].astype(np.float64))
    expected = {
        "rows": x[:8].tolist(),
        "scores": model.score_samples(rows).tolist(),
        "threshold": model.threshold_,
        "predictions": model.predict(rows).tolist(),
    }
    (folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
