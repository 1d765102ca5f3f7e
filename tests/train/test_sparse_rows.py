"""Sparse rows are trained on and scored without being made dense, and come to the same."""

import json
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from torch.optim import Adam

from angularpu import AngularPUClassifier, PUClassifier, load
from angularpu.algorithms.angular import Angular
from angularpu.algorithms.base import PUBatch
from angularpu.algorithms.nnpu import NNPU
from angularpu.data.prepare.sparse import fit_sparse
from angularpu.data.sources import as_rows
from angularpu.errors import ModelError
from angularpu.fit.workflow import fit_method
from angularpu.methods import neural
from angularpu.nets.mlp import MLP
from angularpu.nets.sparse_linear import lay_out_by_column
from angularpu.scenario.sample import make_sample
from angularpu.train.checkpoint import Checkpoint
from angularpu.train.prepared_rows import PreparedByBatch, PreparedInMemory, prepare_rows
from angularpu.train.scoring import NeuralScorer, score_rows
from angularpu.train.settings import Settings
from angularpu.train.state import State, flatten, restore

COLUMNS, ROWS = 300, 120
ALGORITHMS = {"angular": Angular, "nnpu": lambda encoder: NNPU(encoder, alpha=0.3)}


@pytest.fixture(scope="module")
def matrix():
    rng = np.random.default_rng(0)
    x = sp.random(ROWS, COLUMNS, density=0.05, format="csr", rng=rng, dtype=np.float32)
    return sp.csr_matrix(sp.vstack([x[:3], sp.csr_matrix((1, COLUMNS), dtype=np.float32), x[4:]]))  # row 3 is empty


def make(name, width, *, by_column):
    with torch.random.fork_rng():
        torch.manual_seed(0)
        encoder = MLP((width,), dropout=0.0)
        if by_column:
            lay_out_by_column(encoder)
        return ALGORITHMS[name](encoder)


def update(algorithm, optimizer, prepared, *, first=0, last=20):
    for number in range(first, last):
        index = torch.from_numpy(np.random.default_rng(number).choice(ROWS, 32, replace=False))
        batch = PUBatch(
            x=prepared.gather(index),
            n_pos=8,
            index=index,
            positive_weight=1 / 8,
            progress=0.0,
            generator=torch.default_generator,
            phase="train",
        )
        algorithm.update(batch, [optimizer])


class Exact:
    """Prepared rows as float64."""

    def __init__(self, prepared):
        self.prepared = prepared

    def gather(self, index):
        return self.prepared.gather(index).double()


def train(name, prepared, width, *, by_column=True, dtype=torch.float32):
    algorithm = make(name, width, by_column=by_column).to(dtype)
    update(algorithm, Adam(algorithm.parameters(), lr=1e-3, fused=True), prepared)
    return algorithm


@pytest.mark.parametrize("name", ALGORITHMS)
@pytest.mark.parametrize("by_column", [True, False])
def test_twenty_updates_and_the_scores_are_those_of_dense_rows(name, by_column, matrix):
    rows = as_rows(matrix)
    preparation = fit_sparse(rows)
    width = preparation.out_shape[0]
    sparse, dense = prepare_rows(rows, preparation), PreparedInMemory(rows, preparation)
    ours = train(name, sparse, width, by_column=by_column)
    rival = train(name, dense, width, by_column=False)
    start = make(name, width, by_column=False).state_dict()
    for part, value in rival.state_dict().items():
        torch.testing.assert_close(ours.state_dict()[part], value, atol=1e-5, rtol=0)
    assert (rival.state_dict()["encoder.hidden1.weight"] - start["encoder.hidden1.weight"]).abs().max() > 1e-3
    everything = np.arange(ROWS)
    np.testing.assert_allclose(
        score_rows(ours, sparse, everything), score_rows(rival, dense, everything), atol=1e-5, rtol=0
    )


@pytest.mark.parametrize("name", ALGORITHMS)
def test_in_float64_the_two_forms_differ_by_the_rounding_of_float64_alone(name, matrix):
    rows = as_rows(matrix)
    preparation = fit_sparse(rows)
    forms = Exact(prepare_rows(rows, preparation)), Exact(PreparedInMemory(rows, preparation))
    ours, rival = (
        train(name, prepared, preparation.out_shape[0], by_column=by_column, dtype=torch.float64).state_dict()
        for prepared, by_column in zip(forms, (True, False), strict=True)
    )
    for part, value in rival.items():
        torch.testing.assert_close(ours[part], value, atol=1e-12, rtol=0)


@pytest.mark.parametrize("name", ALGORITHMS)
def test_the_same_updates_give_the_same_bytes(name, matrix):
    rows = as_rows(matrix)
    preparation = fit_sparse(rows)
    both = [train(name, prepare_rows(rows, preparation), preparation.out_shape[0]).state_dict() for _ in range(2)]
    assert all(torch.equal(value, both[1][part]) for part, value in both[0].items())


def test_a_row_scores_the_same_bytes_whatever_stands_beside_it(matrix):
    preparation = fit_sparse(as_rows(matrix), as_matrix=True)
    scorer = NeuralScorer(make("angular", preparation.out_shape[0], by_column=True))
    x = preparation.apply(sp.vstack([matrix] * 5).tocsr())
    whole = scorer.score(x)
    assert whole[:ROWS].tobytes() == whole[ROWS : 2 * ROWS].tobytes() == scorer.score(x[:ROWS]).tobytes()
    assert scorer.score(x[3:4]).tobytes() == whole[3:4].tobytes()


def test_a_resumed_training_ends_with_the_same_bytes(matrix):
    rows = as_rows(matrix)
    preparation = fit_sparse(rows)
    prepared, width = prepare_rows(rows, preparation), preparation.out_shape[0]
    whole = train("angular", prepared, width)
    half = make("angular", width, by_column=True)
    optimizer = Adam(half.parameters(), lr=1e-3, fused=True)
    update(half, optimizer, prepared, last=10)
    tensors, info = flatten(State(), half, [optimizer], {})
    tensors = {name: tensor.contiguous() for name, tensor in tensors.items()}  # as a file has them
    resumed = make("angular", width, by_column=True)
    again = Adam(resumed.parameters(), lr=1e-3, fused=True)
    restore((tensors, info), resumed, [again])
    update(resumed, again, prepared, first=10)
    assert all(torch.equal(value, whole.state_dict()[part]) for part, value in resumed.state_dict().items())


def test_prepared_rows_hold_no_dense_copy(matrix, monkeypatch):
    wide = sp.csr_matrix((matrix.data, matrix.indices * 300, matrix.indptr), (ROWS, COLUMNS * 300))
    rows = as_rows(wide)
    preparation = fit_sparse(rows)
    monkeypatch.setattr(sp.csr_matrix, "toarray", lambda *_: pytest.fail("made dense"))
    prepared = prepare_rows(rows, preparation)
    x = prepared.gather(torch.arange(10))
    assert x.layout == torch.sparse_csr
    assert len(x.values()) == matrix[:10].nnz


def test_rows_that_are_prepared_by_batch_stay_dense_where_they_were(matrix):
    preparation = fit_sparse(as_rows(matrix))
    assert PreparedByBatch(as_rows(matrix), preparation).gather(torch.arange(4)).layout == torch.strided


@pytest.mark.parametrize("method", ["angular", "vpu", "dist_pu", "pico", "dense_pu", "self_pu", "punce"])
def test_a_fit_on_sparse_rows_scores_as_one_on_the_same_dense_numbers_and_is_stored(method, matrix, tmp_path):
    s = (np.arange(ROWS) < 40).astype(int)
    model = PUClassifier(method=method, epochs=1, prior=0.5, random_state=0, validation="hold-out").fit(matrix, s)
    score = model.decision_function(matrix)
    assert np.isfinite(score).all()
    model.save(tmp_path / "m")
    assert load(tmp_path / "m").decision_function(matrix).tobytes() == score.tobytes()
    np.testing.assert_allclose(model.decision_function(matrix.toarray()), score, atol=1e-6)


def test_a_stored_model_whose_rows_were_dense_scores_as_it_did():
    folder = Path(__file__).parents[1] / "golden" / "sparse"
    expected = json.loads((folder / "expected.json").read_text())
    model = AngularPUClassifier.load(folder / "model")
    assert not model.fitted_.preparation.as_matrix
    rows = sp.csr_matrix(np.array(expected["rows"], np.float64))
    np.testing.assert_allclose(model.score_samples(rows), expected["scores"], rtol=1e-4, atol=1e-5)
    assert model.threshold_ == expected["threshold"]
    assert model.predict(rows).tolist() == expected["predictions"]


def test_a_loaded_model_is_saved_as_the_same_bytes(matrix, tmp_path):
    s = (np.arange(ROWS) < 40).astype(int)
    model = AngularPUClassifier(epochs=1, encoder="linear", validation="hold-out").fit(matrix, s)
    model.save(tmp_path / "m")
    AngularPUClassifier.load(tmp_path / "m").save(tmp_path / "n")
    for name in ("model.json", "model.safetensors"):
        assert (tmp_path / "m" / name).read_bytes() == (tmp_path / "n" / name).read_bytes()


def test_an_unfinished_run_by_a_version_with_dense_rows_is_refused(matrix, tmp_path, monkeypatch):
    method = neural.NeuralMethod("angular", settings=Settings(epochs=1, validation="hold-out"))
    sample = make_sample(matrix, np.arange(ROWS) < 40, scenario="one-sample")
    of_dense = make_sample(matrix.toarray(), np.arange(ROWS) < 40, scenario="one-sample")
    key = method.key(of_dense, 0)
    with monkeypatch.context() as earlier:
        earlier.setattr(neural, "SPARSE_FORM", {})
        Checkpoint(tmp_path / "part", key=method.key(sample, 0))
        assert method.key(of_dense, 0) == key
    with pytest.raises(ModelError, match=r"by an earlier version; .* restart"):
        fit_method(method, sample, seed=0, checkpoint_dir=tmp_path / "part")
