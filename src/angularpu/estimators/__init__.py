"""The scikit-learn face: one class per method, all with the same manners."""
