"""Tables and figures from results; no torch."""
