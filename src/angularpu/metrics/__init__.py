"""Measures of scores and decisions, with and without true classes."""
