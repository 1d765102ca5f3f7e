"""Damaged and forged input for every reader, by a seeded mutator; what once failed is kept in torture/corpus."""
