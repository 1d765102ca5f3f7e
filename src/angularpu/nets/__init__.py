"""Encoders: from rows to vectors."""
