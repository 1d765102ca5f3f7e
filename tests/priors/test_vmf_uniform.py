import numpy as np
import pytest

from angularpu.errors import DataError
from angularpu.geometry.vmf import cosine_log_density
from angularpu.geometry.vmf_sample import sample_cosine
from angularpu.priors.vmf_uniform import estimate_vmf


def draw(alpha, *, kappa, d, seed=0, n_pos=1000, n_unl=4000):
    rng = np.random.default_rng(seed)
    hidden = round(alpha * n_unl)
    pos = sample_cosine(kappa, d, n=n_pos, generator=rng)
    return pos, np.append(
        sample_cosine(kappa, d, n=hidden, generator=rng), sample_cosine(0.0, d, n=n_unl - hidden, generator=rng)
    )


@pytest.mark.parametrize("alpha", [0.1, 0.3, 0.5, 0.7])
@pytest.mark.parametrize(("kappa", "d"), [(20.0, 16), (100.0, 128)])
def test_it_is_right_where_the_model_is(alpha, kappa, d):
    found = estimate_vmf(*draw(alpha, kappa=kappa, d=d), d=d)
    assert found.alpha == pytest.approx(alpha, abs=0.03)
    assert found.diagnostics["kappa"] == pytest.approx(kappa, rel=0.1)
    assert abs(found.diagnostics["mean_cosine_gap"]) < 0.01


def test_em_on_the_densities_comes_to_the_same_rest():
    pos, unl = draw(0.4, kappa=20.0, d=16)
    found = estimate_vmf(pos, unl, d=16)
    kappa = found.diagnostics["kappa"]
    vmf, uniform = np.exp(cosine_log_density(unl, kappa, d=16)), np.exp(cosine_log_density(unl, 0.0, d=16))
    alpha = 0.5
    for _ in range(2000):
        alpha = np.mean(alpha * vmf / (alpha * vmf + (1 - alpha) * uniform))
    assert found.alpha == pytest.approx(alpha, abs=1e-6)


def test_uniform_directions_alone_hold_next_to_no_positives():
    rng = np.random.default_rng(0)
    pos, unl = sample_cosine(50.0, 16, n=100, generator=rng), sample_cosine(0.0, 16, n=1000, generator=rng)
    assert estimate_vmf(pos, unl, d=16).alpha < 0.01


def test_positives_all_at_the_prototype_stay_finite():
    found = estimate_vmf(np.full(20, 1.0), np.append(np.full(30, 1.0), np.linspace(-1, 0.5, 70)), d=8)
    assert found.alpha == pytest.approx(0.3, abs=0.01)
    assert np.isfinite(list(found.diagnostics.values())).all()


def test_positives_away_from_the_prototype_give_a_noted_upper_bound():
    rng = np.random.default_rng(0)
    found = estimate_vmf(-np.abs(sample_cosine(0.0, 16, n=50, generator=rng)), rng.uniform(-0.5, 0.5, 100), d=16)
    assert found.alpha == 1
    assert any("upper bound" in note for note in found.notes)


def test_numbers_that_are_no_cosines_are_refused():
    with pytest.raises(DataError, match=r"cosines must lie in \[-1, 1\]"):
        estimate_vmf(np.linspace(0, 3, 20), np.linspace(-1, 1, 20), d=8)
