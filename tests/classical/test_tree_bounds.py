import numpy as np
import pytest
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import PolynomialFeatures
from sklearn.tree import DecisionTreeClassifier

from angularpu.classical.tree_bounds import refuse_invalid_trees
from angularpu.errors import ModelError


@pytest.fixture
def rows():
    x = np.random.default_rng(0).normal(size=(80, 3))
    return x, (x[:, 0] + x[:, 1] > 0).astype(np.int8)


@pytest.mark.parametrize(("field", "value"), [("left", 10_000), ("right", 10_000), ("left", 0), ("feature_idx", 3)])
def test_a_boosted_tree_that_points_outside_is_refused(field, value, rows):
    model = HistGradientBoostingClassifier(max_iter=2).fit(*rows)
    refuse_invalid_trees({"classifier": model})
    model._predictors[1][0].nodes[field][0] = value
    with pytest.raises(ModelError, match="point outside"):
        refuse_invalid_trees({"classifier": model})


@pytest.mark.parametrize("field", ["left_child", "right_child", "feature"])
def test_a_tree_that_points_outside_is_refused_even_inside_a_pipeline(field, rows):
    model = make_pipeline(PolynomialFeatures(), DecisionTreeClassifier(random_state=0)).fit(*rows)
    refuse_invalid_trees({"classifier": model})
    tree = model[-1].tree_
    state = tree.__getstate__()
    state["nodes"] = state["nodes"].copy()
    state["nodes"][field][0] = 10_000
    tree.__setstate__(state)
    with pytest.raises(ModelError, match="point outside"):
        refuse_invalid_trees({"classifier": model})


@pytest.mark.parametrize("kind", [RandomForestClassifier, GradientBoostingClassifier])
def test_the_trees_of_a_forest_may_only_use_the_columns_of_the_forest(kind, rows):
    model = kind(n_estimators=2, random_state=0).fit(*rows)
    refuse_invalid_trees({"classifier": model})
    model.n_features_in_ = 1  # the trees still say 3, but the forest checks rows for them
    with pytest.raises(ModelError, match="point outside"):
        refuse_invalid_trees({"classifier": model})


def test_a_split_by_category_is_refused(rows):
    model = HistGradientBoostingClassifier(max_iter=2).fit(*rows)
    model._predictors[0][0].nodes["is_categorical"][0] = 1
    with pytest.raises(ModelError, match="by category"):
        refuse_invalid_trees({"classifier": model})
