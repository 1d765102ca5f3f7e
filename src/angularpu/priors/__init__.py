"""How many of the unlabelled rows are positive: one estimator per file, none of which fits a model."""
