"""Logistic regression and the linear support vector machine: a weight for each column and an intercept."""

from sklearn.linear_model import LogisticRegression
from sklearn.svm import LinearSVC

from angularpu.classical.storage.attributes import COLUMNS, AttributeKind

WEIGHTS = {"coef_": (1, COLUMNS), "intercept_": (1,)}

LOGISTIC_REGRESSION = AttributeKind("logistic_regression", LogisticRegression, shapes=WEIGHTS)
LINEAR_SVC = AttributeKind("linear_svc", LinearSVC, shapes=WEIGHTS)
