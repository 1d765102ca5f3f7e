"""Figures that a user draws, and the house style."""
