"""Figures that a user draws, and the style they share."""
