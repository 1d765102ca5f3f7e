"""Experiments: a TOML file becomes a grid of cells, each cell a directory, all of them one table."""
