"""Positive-unlabelled learning on the hypersphere."""
