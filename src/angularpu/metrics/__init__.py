"""How good it is."""
