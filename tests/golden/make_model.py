"""Writes the model that later versions must be able to load: `python tests/golden/make_model.py` at each release."""

import json
from pathlib import Path

import numpy as np
import pandas as pd

import angularpu


def main() -> None:
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 100)
    frame = pd.DataFrame(
        {
            "weight": rng.normal(size=200) + 2 * y,
            "colour": np.where(rng.random(200) < 0.3 + 0.4 * y, "red", "blue"),
            "age": np.where(rng.random(200) < 0.1, np.nan, rng.normal(size=200) + y),
        }
    )
    s = np.where(y * (rng.random(200) < 0.4), "sick", "?")
    model = angularpu.AngularPUClassifier(encoder="linear", d=8, epochs=5, learning_rate=0.01).fit(frame, s)
    folder = Path(__file__).parent / angularpu.__version__
    model.save(folder / "model")
    rows = frame.iloc[:8].replace({np.nan: None})
    expected = {
        "rows": rows.to_dict("list"),
        "scores": model.score_samples(frame.iloc[:8]).tolist(),
        "threshold": model.threshold_,
        "predictions": model.predict(frame.iloc[:8]).tolist(),
    }
    (folder / "expected.json").write_text(json.dumps(expected, indent=1) + "\n")


if __name__ == "__main__":
    main()
