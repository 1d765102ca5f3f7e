"""Training in bfloat16: the encoder multiplies in it while it is trained, and nowhere else."""

import numpy as np
import pytest
import torch

from angularpu import AngularPUClassifier, load
from angularpu.errors import SettingError
from angularpu.methods.encoder_choice import EncoderChoice


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 200)
    return rng.normal(size=(400, 6)) + 1.5 * y[:, None], y * (rng.random(400) < 0.4)


def test_the_encoder_multiplies_in_bfloat16_only_while_it_is_trained():
    with torch.random.fork_rng():
        torch.manual_seed(0)
        encoder = EncoderChoice(d=8, dropout=0.0, precision="bfloat16").build_trainable((6,))
    x = torch.randn(5, 6, generator=torch.Generator().manual_seed(0))
    trained, scored = encoder.train()(x), encoder.eval()(x)
    assert trained.dtype == scored.dtype == torch.float32
    assert not torch.equal(trained, scored)
    assert torch.equal(trained, trained.bfloat16().float())
    torch.testing.assert_close(trained, scored, rtol=0, atol=0.02)


def test_weights_and_gradients_stay_in_float32():
    encoder = EncoderChoice(d=8, precision="bfloat16").build_trainable((6,)).train()
    encoder(torch.ones(4, 6)).sum().backward()
    assert {p.dtype for p in encoder.parameters()} == {p.grad.dtype for p in encoder.parameters()} == {torch.float32}


def test_it_ranks_nearly_as_float32_does_and_its_model_scores_alike_when_read(rows, tmp_path):
    x, s = rows
    settings = {"epochs": 8, "validation": "hold-out"}
    plain, lowered = (AngularPUClassifier(**settings, precision=p).fit(x, s) for p in ("float32", "bfloat16"))
    ours, theirs = plain.score_samples(x), lowered.score_samples(x)
    assert not np.array_equal(ours, theirs)
    assert np.corrcoef(ours, theirs)[0, 1] > 0.99
    lowered.save(tmp_path / "model")
    assert np.array_equal(load(tmp_path / "model").score_samples(x), theirs)


def test_another_precision_is_refused(rows):
    with pytest.raises(SettingError, match=r"precision must be .*, got 'float16'"):
        AngularPUClassifier(precision="float16").fit(*rows)
