"""From raw rows to the float32 numbers that a method learns from."""
