"""Methods around a scikit-learn classifier: one file, one method; no torch."""
