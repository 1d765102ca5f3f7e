"""The benchmark data sets: where their files come from, how they are checked and read."""
