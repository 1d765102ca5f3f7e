"""The scikit-learn face: one class per method, which all work in the same way."""
