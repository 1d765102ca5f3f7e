"""Choose options with scikit-learn's GridSearchCV, without a single negative.

Pass ``scoring``: without it scikit-learn takes the accuracy against the labels, which penalises every unlabelled
positive you find. Pass ``cv`` too: PUStratifiedKFold puts labelled positives into every fold.
"""

import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import QuantileTransformer

from angularpu import AngularPUClassifier, PUStratifiedKFold, pu_auc_scorer

X, benign = load_breast_cancer(return_X_y=True)
tumour = benign == 0
rng = np.random.default_rng(0)
known = np.zeros(len(X), int)
known[rng.choice(np.flatnonzero(tumour), 60, replace=False)] = 1

model = make_pipeline(
    QuantileTransformer(n_quantiles=100, output_distribution="normal"),
    AngularPUClassifier(encoder="linear", epochs=10, validation="hold-out"),
)
grid = {"angularpuclassifier__lambda_": [0.0, 0.5], "angularpuclassifier__kappa": [1.0, 3.0]}
search = GridSearchCV(model, grid, scoring=pu_auc_scorer, cv=PUStratifiedKFold(3)).fit(X, known)

for settings, score in zip(search.cv_results_["params"], search.cv_results_["mean_test_score"], strict=True):
    print(f"PU-AUC {score:.3f} with {settings}")
print(f"chosen: {search.best_params_}")
unknown = known == 0
print(f"AUC of the chosen model: {roc_auc_score(tumour[unknown], search.decision_function(X[unknown])):.3f}")
