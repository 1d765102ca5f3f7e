import hashlib
import json

import numpy as np
import pytest

from angularpu import AngularPUClassifier, BaggingPUClassifier


@pytest.fixture(scope="session")
def rows_and_labels():
    """Two Gaussian classes, half of the positives labelled."""
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 60)
    return rng.normal(size=(120, 3)).astype(np.float32) + 2 * y[:, None], (y * (rng.random(120) < 0.5)).astype(int)


@pytest.fixture(scope="session")
def neural(tmp_path_factory, rows_and_labels):
    """A model with a network, of one epoch, by its directory."""
    path = tmp_path_factory.mktemp("neural") / "model"
    model = AngularPUClassifier(epochs=1, d=4, encoder="linear", threshold="margin", refit=True)
    model.fit(*rows_and_labels).save(path)
    return path


@pytest.fixture(scope="session")
def classical(tmp_path_factory, rows_and_labels):
    """A model of two bagged classifiers, by its directory."""
    path = tmp_path_factory.mktemp("classical") / "model"
    BaggingPUClassifier(rounds=2, prior=0.5).fit(*rows_and_labels).save(path)
    return path


def hash_json(content):
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()


@pytest.fixture(scope="session")
def forge():
    """A function that writes a model's JSON with checksums that fit, as whoever forges a model would."""

    def forge(directory, content, *, text=None, unhashed=False):
        content = json.loads(json.dumps(content))
        checksums = content.get("checksums")
        if isinstance(checksums, dict):
            for name in checksums:
                forgeable = name != "model.json" and (directory / name).is_file() and len(str(checksums[name])) == 64
                if forgeable and not unhashed:
                    checksums[name] = hashlib.sha256((directory / name).read_bytes()).hexdigest()
            had = checksums.pop("model.json", None)
            if isinstance(had, str) and len(had) == 64:
                checksums["model.json"] = hash_json(content)
        written = json.dumps(content) if text is None else text(json.dumps(content))
        (directory / "model.json").write_text(written, encoding="utf-8")

    return forge
