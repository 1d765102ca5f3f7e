"""Losses: pure functions of tensors."""
