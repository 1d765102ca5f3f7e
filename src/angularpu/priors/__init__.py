"""Estimators of the share of positives among the unlabelled rows, one per file; none of them fits a model."""
