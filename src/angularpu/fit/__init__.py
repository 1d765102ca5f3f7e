"""One fit, front to back, and what it asks of its sample."""
