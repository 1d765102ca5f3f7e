"""What an experiment is: its TOML file, and the grid of cells that it expands to."""
