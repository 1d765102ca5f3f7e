"""Cells are run, measured, kept and collected into tables."""
