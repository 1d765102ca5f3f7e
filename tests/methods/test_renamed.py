"""An option that was renamed is still read under its earlier name."""

import numpy as np
import pytest

from angularpu import PUClassifier, SelfPUClassifier
from angularpu.errors import SettingError
from angularpu.methods.configure import algorithm_options, configure
from angularpu.methods.renamed import RENAMED, rename_options
from angularpu.model.description import read_description, write_description


@pytest.mark.parametrize("method", RENAMED)
def test_the_new_name_is_an_option_and_the_earlier_one_is_not(method):
    for old, new in RENAMED[method].items():
        assert new in algorithm_options(method)
        assert old not in algorithm_options(method)


def test_a_model_that_was_saved_with_the_earlier_name_loads_and_scores_the_same(tmp_path):
    rng = np.random.default_rng(0)
    y = np.repeat([1, 0], 40)
    x = rng.normal(size=(80, 3)) + 2 * y[:, None]
    model = SelfPUClassifier(mutual_bound=0.5, epochs=3, prior=0.5).fit(x, y * (np.arange(80) < 20))
    model.save(tmp_path / "model")
    description = read_description(tmp_path / "model")
    assert description["options"] == {"mutual_bound": 0.5}
    write_description(tmp_path / "model", {**description, "options": {"alpha": 0.5}})
    assert '"alpha": 0.5' in (tmp_path / "model/model.json").read_text(encoding="utf-8")
    assert read_description(tmp_path / "model")["options"] == {"mutual_bound": 0.5}
    for face in (SelfPUClassifier, PUClassifier):
        loaded = face.load(tmp_path / "model")
        assert loaded.score_samples(x).tobytes() == model.score_samples(x).tobytes()
        assert loaded.fitted_.options == {"mutual_bound": 0.5}
    assert SelfPUClassifier.load(tmp_path / "model").get_params()["mutual_bound"] == 0.5


def test_specifications_and_scripts_may_say_the_earlier_name():
    assert configure(method="self_pu", options={"alpha": 0.5}).options == {"mutual_bound": 0.5}
    assert SelfPUClassifier(alpha=0.5).get_params()["mutual_bound"] == 0.5


def test_both_names_at_once_are_refused():
    with pytest.raises(SettingError, match="alpha is the earlier name of mutual_bound"):
        rename_options("self_pu", {"alpha": 0.5, "mutual_bound": 0.4})


def test_other_methods_have_no_option_alpha():
    with pytest.raises(SettingError, match="option 'alpha' is unknown"):
        configure(method="nnpu", options={"alpha": 0.5})
