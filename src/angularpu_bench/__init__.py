"""The laboratory: the benchmark data sets, experiments on them, and the report about the paper."""
